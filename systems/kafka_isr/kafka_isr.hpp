// A replicated log with in-sync replicas, as Kafka 0.8 had it (Niksic's thesis, 2018, section 2.2; Kingsbury's report).
//
// Three brokers and Zookeeper. The leader appends a record, sends its log to the others, and acknowledges the record
// when all replicas that are in sync have it. One that did not answer for a whole tick is taken out of the set by
// Zookeeper, at the leader's request; a replica that has caught up is taken in again, and counts from the moment of
// the request. Zookeeper forgets a broker that it has not heard of since its last tick; if that is the leader, it
// takes another one: of those in sync, or, with the defect, any broker that it hears (unclean election). The log of a
// new leader is the log: others cut theirs. Producers live on no node, and know the leader that was announced.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "gainsay/gainsay.hpp"

namespace kafka_isr {

enum class Bug { none, unclean_election };

struct Broker;
struct Producer;

struct Record {
  std::uint32_t epoch = 0;  // of the leader that took it
  gainsay::ActorId producer = gainsay::nobody;

  friend bool operator==(const Record&, const Record&) = default;
};

struct Operate {};
struct Produce {};
struct Acknowledged {};
struct Leader {  // Zookeeper says who leads, and who is in sync
  std::uint32_t epoch = 0;
  gainsay::ActorId leader = gainsay::nobody;
  std::set<gainsay::ActorId> in_sync;
  std::uint32_t handled = 0;  // the last request of this leader that is in it
};
struct Alive {};
struct Join {  // by the leader: this follower has all
  std::uint32_t epoch = 0;
  std::uint32_t number = 0;  // of the leader's requests
  gainsay::ActorId replica = gainsay::nobody;
};
struct Shrink {
  std::uint32_t epoch = 0;
  std::uint32_t number = 0;
  std::set<gainsay::ActorId> to;
};
struct Replicate {
  std::uint32_t epoch = 0;
  std::vector<Record> log;
};
struct Replicated {
  std::uint32_t epoch = 0;
  std::uint32_t length = 0;
};
struct Pulse {};
struct Tick {};

struct Zookeeper {
  using Receives = gainsay::Messages<Alive, Shrink, Join, Tick>;
  gainsay::Group<Broker> brokers;
  gainsay::Group<Producer> producers;
  Bug bug = Bug::none;
  std::uint32_t epoch = 1;
  gainsay::ActorId leader = gainsay::nobody;  // nobody: none could be elected
  std::set<gainsay::ActorId> in_sync;
  std::uint32_t handled = 0;  // the last request of the leader of this epoch
  std::set<gainsay::ActorId> alive;
  std::set<gainsay::ActorId> heard;  // since the last tick

  void on(const Alive&, gainsay::Context& ctx);
  void on(const Shrink& shrink, gainsay::Context& ctx);
  void on(const Join& join, gainsay::Context& ctx);
  void on(const Tick&, gainsay::Context& ctx);

 private:
  void elect(gainsay::Context& ctx);
  void announce(gainsay::Context& ctx);
};

struct Broker {
  using Receives = gainsay::Messages<Produce, Leader, Replicate, Replicated, Tick>;
  gainsay::Ref<Zookeeper> zookeeper;
  gainsay::Group<Broker> brokers;
  std::uint32_t min_in_sync = 1;
  std::uint32_t epoch = 1;
  gainsay::ActorId leader = gainsay::nobody;
  std::set<gainsay::ActorId> in_sync;
  std::set<gainsay::ActorId> joining;  // asked for; perhaps in sync already, as Zookeeper sees it
  std::uint32_t asked = 0;             // requests to Zookeeper in this epoch
  std::vector<Record> log;
  std::uint32_t acknowledged = 0;                   // of the log, by this leader
  std::map<gainsay::ActorId, std::uint32_t> match;  // of a leader: what others have
  std::set<gainsay::ActorId> answered;              // since the last tick

  bool leads(gainsay::ActorId self) const { return leader == self; }
  void on(const Produce&, gainsay::Context& ctx);
  void on(const Leader& news, gainsay::Context& ctx);
  void on(const Replicate& replicate, gainsay::Context& ctx);
  void on(const Replicated& replicated, gainsay::Context& ctx);
  void on(const Tick&, gainsay::Context& ctx);

 private:
  std::set<gainsay::ActorId> perhaps_in_sync() const;
  void replicate_to_all(gainsay::Context& ctx);
  void acknowledge(gainsay::Context& ctx);
};

struct Producer {
  using Receives = gainsay::Messages<Operate, Leader, Acknowledged>;
  std::uint32_t epoch = 1;
  gainsay::ActorId leader = gainsay::nobody;
  bool acknowledged = false;

  void on(const Operate&, gainsay::Context& ctx) {
    if (leader != gainsay::nobody) ctx.send(leader, Produce{});
  }
  void on(const Leader& news) {
    if (news.epoch < epoch) return;
    epoch = news.epoch;
    leader = news.leader;
  }
  void on(const Acknowledged&) { acknowledged = true; }
};

// Lives on the node whose clock it is.
struct Clock {
  using Receives = gainsay::Messages<Pulse>;
  gainsay::ActorId whose;

  void on_start(gainsay::Context& ctx) { ctx.after(std::chrono::milliseconds(100), Pulse{}); }
  void on(const Pulse&, gainsay::Context& ctx) {
    ctx.send(whose, Tick{});
    ctx.after(std::chrono::milliseconds(100), Pulse{});
  }
};

}  // namespace kafka_isr
