// ADR, DS2's "another" replicated register (arXiv 2110.06407, section 4.4): two agents, nobody leads.
//
// Who gets a write takes the value, sends it to all others and answers when all have it. Who gets a read asks all
// others and answers when all have the value that it has itself; where they do not, it is to ask again, in a new
// round. In the implementation the guard of that is inverted: rounds 1 and 2 ask nobody, so there never is a round 3,
// and the read is never answered. `retries=off` is that, `retries=on` asks up to three times more.
#pragma once

#include <cstdint>
#include <map>

#include "gainsay/gainsay.hpp"
#include "systems/ds2_harness/register.hpp"

namespace register_adr {

enum class Bug { none, local_read };
enum class Retries { off, on };

using ds2::Read;
using ds2::Write;

struct Replication {
  int value = 0;
  gainsay::ActorId client{};
};
struct ReplicationAck {
  gainsay::ActorId client{};
};
struct ReadReplica {
  std::uint32_t round = 0;
  gainsay::ActorId client{};
};
struct ReadReplicaAck {
  std::uint32_t round = 0;
  int value = 0;
  gainsay::ActorId client{};
};

// A read that its agent has begun; it counts itself.
struct ReadTracker {
  std::uint32_t round = 0;
  std::uint32_t answers = 1;
  std::uint32_t agreeing = 1;
};

struct Agent {
  using Receives = gainsay::Messages<Write, Replication, ReplicationAck, Read, ReadReplica, ReadReplicaAck>;
  static constexpr std::uint32_t retries_max = 3;
  gainsay::Group<Agent> all;
  Bug bug = Bug::none;
  Retries retries = Retries::off;
  int value = 0;
  std::map<gainsay::ActorId, std::uint32_t> writes;  // by client: how many have it, until it is answered
  std::map<gainsay::ActorId, ReadTracker> reads;

  void on(const Write& write, gainsay::Context& ctx) {
    ds2::begin(write, ctx);
    value = write.value;
    writes[write.client] = 1;
    ds2::send_to_others(ctx, all, Replication{value, write.client});
  }
  void on(const Replication& replication, gainsay::Context& ctx) {
    value = replication.value;
    ctx.reply(ReplicationAck{replication.client});
  }
  void on(const ReplicationAck& ack, gainsay::Context& ctx) {
    const auto tracked = writes.find(ack.client);
    if (tracked == writes.end() || ++tracked->second < all.count) return;
    ctx.complete_for(ack.client, gainsay::specs::Done{});
    writes.erase(tracked);
  }

  void on(const Read& read, gainsay::Context& ctx) {
    ds2::begin(read, ctx);
    if (bug == Bug::local_read) return ctx.complete_for(read.client, value);
    reads[read.client] = {};
    ds2::send_to_others(ctx, all, ReadReplica{0, read.client});
  }
  void on(const ReadReplica& replica, gainsay::Context& ctx) {
    ctx.reply(ReadReplicaAck{replica.round, value, replica.client});
  }
  // The value of the answer is compared with what the agent has now, which may be newer than when it asked.
  void on(const ReadReplicaAck& ack, gainsay::Context& ctx) {
    const auto tracked = reads.find(ack.client);
    if (tracked == reads.end() || tracked->second.round != ack.round) return;
    ReadTracker& read = tracked->second;
    ++read.answers;
    if (ack.value == value) ++read.agreeing;
    if (read.agreeing == all.count) {
      ctx.complete_for(ack.client, value);
      reads.erase(tracked);
    } else if (read.answers == all.count) {
      read = {.round = read.round + 1};
      if (retries == Retries::on && read.round <= retries_max)
        ds2::send_to_others(ctx, all, ReadReplica{read.round, ack.client});
    }
  }
};

}  // namespace register_adr
