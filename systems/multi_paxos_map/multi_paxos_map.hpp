// The Multi-Paxos map of DS2 (arXiv 2110.06407, section 4.5): two agents, the first leads and never fails.
//
// A write is an instance of Paxos of its own, named by its client, key and kind; its proposal number is no part of
// the name, so answers to an earlier round of an instance count in a later one, and only Prepare and Nack compare
// numbers. A read is a Prepare that goes to the leader alone, who answers from what it has learned. Acceptors store
// nothing: the leader's count of what was accepted is all that is ever chosen. As the leader is the only one who
// proposes and learns, it is linearizable all the same: a write takes effect where the leader learns it.
//
// Retries are unbounded: with two writes the leader may outbid its own instances for ever (executions have no longest
// one). Where a client would be answered again, only the first answer counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "gainsay/gainsay.hpp"
#include "systems/ds2_harness/map.hpp"

namespace multi_paxos_map {

enum class Bug { none, local_read };

using ds2::Key;
using ds2::Value;
using Number = std::uint32_t;

enum class Kind : std::uint8_t { read, write };

// `number` is not part of the identity.
struct Instance {
  gainsay::ActorId client{};
  Key key = 0;
  Kind kind = Kind::write;
  Number number = 0;
};

// --- from clients ---
struct ProposeCommand {
  Key key = 0;
  Value value;
  gainsay::ActorId client{};
};
struct Request {
  Key key = 0;
  gainsay::ActorId client{};
};

// --- between agents ---
struct Propose {
  Key key = 0;
  Value value;
  gainsay::ActorId client{};
};
struct Prepare {
  Instance instance;
  Value value;
};
struct Promise {
  Instance instance;
  Value value;
};
struct Nack {
  Instance instance;
  Number higher = 0;
  Value value;
};
struct Accept {
  Instance instance;
  Value value;
};
struct Accepted {
  Instance instance;
  Value value;
};

// What is known of a write. Named by its client, who has only this operation.
struct Record {
  Number number = 0;
  Value value;
  std::uint32_t promises = 0;
  std::uint32_t answers = 0;  // promises and nacks
  std::uint32_t nacks = 0;
  std::uint32_t accepted = 0;
  bool answered = false;
};

struct Agent {
  using Receives =
      gainsay::Messages<ProposeCommand, Request, Propose, Prepare, Promise, Nack, Accept, Accepted>;
  gainsay::Group<Agent> all;
  Bug bug = Bug::none;
  Number latest = 0;  // 0: none
  std::map<gainsay::ActorId, Record> log;
  std::map<Key, Value> learned;

  std::uint32_t quorum() const { return all.count / 2 + 1; }

  void on(const ProposeCommand& command, gainsay::Context& ctx);
  void on(const Request& request, gainsay::Context& ctx);
  void on(const Propose& propose, gainsay::Context& ctx);
  void on(const Prepare& prepare, gainsay::Context& ctx);
  void on(const Promise& promise, gainsay::Context& ctx);
  void on(const Nack& nack, gainsay::Context& ctx);
  void on(const Accept& accept, gainsay::Context& ctx);
  void on(const Accepted& accepted, gainsay::Context& ctx);

 private:
  Value learned_value(Key key) const {
    const auto found = learned.find(key);
    return found == learned.end() ? Value{} : found->second;
  }
  void prepare_again(const Instance& instance, Number number, gainsay::Context& ctx);
};

}  // namespace multi_paxos_map
