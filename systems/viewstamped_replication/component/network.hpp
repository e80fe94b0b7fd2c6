// What nodes send each other, and the network as a node sees it.
#pragma once

#include <cstdint>

#include "systems/viewstamped_replication/component/log_store.hpp"

namespace replog {

using NodeId = std::uint32_t;

struct Packet {
  enum class Type : std::uint8_t {
    term_wanted,  // somebody wants a new term
    ballot,       // a vote for the primary of a term: how fresh the voter's log is
    term_begun,   // by the new primary
    fetch,        // one record, please
    fetch_old,    // one committed record, please: I am late for the new membership
    record,       // here it is
    replicate,    // by the primary: append this
    appended,     // to the primary
    committed,    // by the primary
    new_members,  // the new membership is committed
    joined,       // to those who leave: I am in the new membership
  };
  Type type = Type::term_wanted;
  Term term;
  std::uint64_t index = 0;
  Record record;
  std::uint64_t commit = 0;
  Freshness freshness;
};

class Network {
 public:
  virtual ~Network() = default;
  virtual void send(NodeId to, const Packet& packet) = 0;
};

}  // namespace replog
