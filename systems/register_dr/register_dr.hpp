// DR, DS2's correct replicated register (arXiv 2110.06407, section 4.2 and algorithm 2): two agents, the first leads.
//
// The leader takes every write and every read; others pass them on. It answers when more than half of those that
// answered it agree with it, itself among them. A read whose replica has another value is never answered: the
// paper's retry cannot happen (its test compares two counts that are never equal), and is left out.
//
// Every operation takes effect where the leader handles it: so whatever is answered is linearizable.
#pragma once

#include <cstdint>
#include <map>

#include "gainsay/gainsay.hpp"
#include "systems/ds2_harness/register.hpp"

namespace register_dr {

enum class Bug { none, forwarded_write };

using ds2::Read;
using ds2::Write;

struct WriteReplica {
  int value = 0;
  gainsay::ActorId client{};
};
struct WriteReplicaAck {
  int value = 0;
  gainsay::ActorId client{};
};
struct ReadReplica {
  gainsay::ActorId client{};
};
struct ReadReplicaAck {
  int value = 0;
  gainsay::ActorId client{};
};

// An operation that the leader has begun, with what it knows of the replicas; it counts itself.
struct Tracker {
  int value = 0;
  std::uint32_t answers = 1;
  std::uint32_t agreeing = 1;

  // Whether most of all that have answered agree.
  bool hear(int theirs) {
    ++answers;
    if (theirs == value) ++agreeing;
    return agreeing > answers / 2;
  }
};

struct Agent {
  using Receives = gainsay::Messages<Write, WriteReplica, WriteReplicaAck, Read, ReadReplica, ReadReplicaAck>;
  gainsay::Group<Agent> all;
  Bug bug = Bug::none;
  int value = 0;
  std::map<gainsay::ActorId, Tracker> writes;  // by client, until it is answered
  std::map<gainsay::ActorId, Tracker> reads;

  void on(const Write& write, gainsay::Context& ctx) {
    ds2::begin(write, ctx);
    if (ctx.self() != all[0]) return ctx.send(all[0], write);
    value = write.value;
    writes[write.client] = {.value = value};
    // The implementation names the sender, which for a write that was passed on is no client.
    const gainsay::ActorId named = bug == Bug::forwarded_write ? ctx.sender() : write.client;
    ds2::send_to_others(ctx, all, WriteReplica{value, named});
  }
  void on(const WriteReplica& replica, gainsay::Context& ctx) {
    value = replica.value;
    ctx.reply(WriteReplicaAck{replica.value, replica.client});
  }
  void on(const WriteReplicaAck& ack, gainsay::Context& ctx) {
    const auto tracked = writes.find(ack.client);
    if (tracked == writes.end() || !tracked->second.hear(ack.value)) return;
    ctx.complete_for(ack.client, gainsay::specs::Done{});
    writes.erase(tracked);
  }

  void on(const Read& read, gainsay::Context& ctx) {
    ds2::begin(read, ctx);
    if (ctx.self() != all[0]) return ctx.send(all[0], read);
    reads[read.client] = {.value = value};
    ds2::send_to_others(ctx, all, ReadReplica{read.client});
  }
  void on(const ReadReplica& replica, gainsay::Context& ctx) {
    ctx.reply(ReadReplicaAck{value, replica.client});
  }
  void on(const ReadReplicaAck& ack, gainsay::Context& ctx) {
    const auto tracked = reads.find(ack.client);
    if (tracked == reads.end() || !tracked->second.hear(ack.value)) return;
    ctx.complete_for(ack.client, tracked->second.value);
    reads.erase(tracked);
  }
};

}  // namespace register_dr
