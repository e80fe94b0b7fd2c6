// EDR, DS2's erroneous replicated register (arXiv 2110.06407, section 4.3): three agents, the first leads writes.
//
// The fixed form is the register of Attiya, Bar-Noy and Dolev ("Sharing memory robustly in message-passing systems",
// 1995) with the leader as the only writer. The leader numbers the writes; one is answered when a majority has it.
// A read asks enough others to make a majority with the reader, takes the newest value, and makes sure that a
// majority has it before it answers. Without that last step a later read could miss what an earlier one saw.
//
// The erroneous form answers a read at once with what the agent happens to have, and replicas take whatever comes
// last. A write that is answered has then reached one of two replicas, and a read at the other gives the old value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

#include "gainsay/gainsay.hpp"
#include "systems/ds2_harness/register.hpp"

namespace register_edr {

enum class Bug { none, local_read };

using ds2::Read;
using ds2::Write;

struct Versioned {
  int value = 0;
  std::uint32_t version = 0;
};

struct WriteReplica {
  Versioned held;
  gainsay::ActorId client{};
};
struct WriteReplicaAck {
  gainsay::ActorId client{};
};
struct ReadReplica {
  gainsay::ActorId client{};
};
struct ReadReplicaAck {
  Versioned held;
  gainsay::ActorId client{};
};
struct WriteBack {
  Versioned held;
  gainsay::ActorId client{};
};
struct WriteBackAck {
  gainsay::ActorId client{};
};

// A read that its agent has begun.
struct ReadTracker {
  std::uint32_t answers = 0;
  std::uint32_t holders = 0;  // of those that answered: who has the newest version
  Versioned newest;
  std::uint32_t written_back = 0;
};

struct Agent {
  using Receives = gainsay::Messages<Write, WriteReplica, WriteReplicaAck, Read, ReadReplica, ReadReplicaAck,
                                     WriteBack, WriteBackAck>;
  gainsay::Group<Agent> all;
  Bug bug = Bug::none;
  Versioned held;
  std::map<gainsay::ActorId, std::uint32_t> writes;  // by client: how many have it, until it is answered
  std::map<gainsay::ActorId, ReadTracker> reads;

  // How many others make a majority with oneself.
  std::uint32_t others_needed() const { return all.count / 2; }
  void adopt(const Versioned& theirs) {
    if (theirs.version > held.version) held = theirs;
  }

  void on(const Write& write, gainsay::Context& ctx) {
    ds2::begin(write, ctx);
    if (ctx.self() != all[0]) return ctx.send(all[0], write);
    held = {write.value, held.version + 1};
    writes[write.client] = 0;
    ds2::send_to_others(ctx, all, WriteReplica{held, write.client});
  }
  void on(const WriteReplica& replica, gainsay::Context& ctx) {
    if (bug == Bug::local_read) {
      held = replica.held;
    } else {
      adopt(replica.held);
    }
    ctx.reply(WriteReplicaAck{replica.client});
  }
  void on(const WriteReplicaAck& ack, gainsay::Context& ctx) {
    const auto tracked = writes.find(ack.client);
    if (tracked == writes.end() || ++tracked->second < others_needed()) return;
    ctx.complete_for(ack.client, gainsay::specs::Done{});
    writes.erase(tracked);
  }

  void on(const Read& read, gainsay::Context& ctx) {
    ds2::begin(read, ctx);
    if (bug == Bug::local_read) return ctx.complete_for(read.client, held.value);
    reads[read.client] = {};
    send_to_quorum(ctx, ReadReplica{read.client});
  }
  void on(const ReadReplica& replica, gainsay::Context& ctx) {
    ctx.reply(ReadReplicaAck{held, replica.client});
  }
  void on(const ReadReplicaAck& ack, gainsay::Context& ctx) {
    ReadTracker& read = reads.at(ack.client);
    if (read.answers == 0 || ack.held.version > read.newest.version) {
      read.newest = ack.held;
      read.holders = 0;
    }
    if (ack.held.version == read.newest.version) ++read.holders;
    if (++read.answers < others_needed()) return;
    adopt(read.newest);
    if (held.version > read.newest.version) {
      read.newest = held;
      read.holders = 0;
    }
    if (read.holders == others_needed()) {
      answer(ack.client, ctx);
    } else {
      send_to_quorum(ctx, WriteBack{read.newest, ack.client});
    }
  }
  void on(const WriteBack& back, gainsay::Context& ctx) {
    adopt(back.held);
    ctx.reply(WriteBackAck{back.client});
  }
  void on(const WriteBackAck& ack, gainsay::Context& ctx) {
    if (++reads.at(ack.client).written_back == others_needed()) answer(ack.client, ctx);
  }

  // The agents after oneself, around the ring, that make a majority with oneself. Nobody ever fails here.
  template <class M> void send_to_quorum(gainsay::Context& ctx, const M& message) const {
    for (std::size_t i = 1; i <= others_needed(); ++i)
      ctx.send(all[(all.index(ctx.self()) + i) % all.count], message);
  }
  void answer(gainsay::ActorId client, gainsay::Context& ctx) {
    ctx.complete_for(client, reads.at(client).newest.value);
    reads.erase(client);
  }
};

}  // namespace register_edr
