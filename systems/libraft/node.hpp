// Node: one server of libraft, in the shared object that Debian ships. The library knows nothing of Gainsay: it is
// driven through raft.h alone.
//
// raft_io is implemented by the static functions of Io (io.cpp): what libraft sends becomes a message, its disk is a
// queue of operations whose completions are events, its clock moves with ticks, its randomness is a choice. Every call
// goes through `call`: a heap of its own, faults contained, and afterwards a look at what has become of the server.
// A crash throws the heap away and keeps the disk.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

extern "C" {
#include <raft.h>
}

#include "gainsay/foreign.hpp"
#include "systems/libraft/disk.hpp"
#include "systems/libraft/events.hpp"

namespace libraft {

class Node {
 public:
  using Receives =
      gainsay::Messages<Boot, AppendEntries, AppendResult, RequestVote, VoteResult, InstallSnapshot,
                        TimeoutNow, Tick, DiskDone, DiskFails, SendDone, SendFails, SnapshotStored,
                        SnapshotNotStored, SnapshotLoaded, SnapshotNotLoaded, ClientAsks, LeaderTransfers,
                        MembersChange, ShutsDown, StartsAgain, RunsOutOfMemory>;

  // `first` is server 1; all servers are actors in a row.
  Node(std::uint32_t id, gainsay::ActorId first, std::uint32_t servers);

  void on(const Boot& boot, gainsay::Context& ctx);
  void on(const AppendEntries& m, gainsay::Context& ctx);
  void on(const AppendResult& m, gainsay::Context& ctx);
  void on(const RequestVote& m, gainsay::Context& ctx);
  void on(const VoteResult& m, gainsay::Context& ctx);
  void on(const InstallSnapshot& m, gainsay::Context& ctx);
  void on(const TimeoutNow& m, gainsay::Context& ctx);
  void on(const Tick&, gainsay::Context& ctx);
  void on(const DiskDone&, gainsay::Context& ctx);
  void on(const DiskFails&, gainsay::Context& ctx);
  void on(const SendDone&, gainsay::Context& ctx) { finish_send(ctx, 0); }
  void on(const SendFails&, gainsay::Context& ctx) { finish_send(ctx, RAFT_NOCONNECTION); }
  void on(const SnapshotStored&, gainsay::Context& ctx) { finish_put(ctx, 0); }
  void on(const SnapshotNotStored&, gainsay::Context& ctx) { finish_put(ctx, RAFT_IOERR); }
  void on(const SnapshotLoaded&, gainsay::Context& ctx) { finish_get(ctx, 0); }
  void on(const SnapshotNotLoaded&, gainsay::Context& ctx) { finish_get(ctx, RAFT_IOERR); }
  void on(const ClientAsks&, gainsay::Context& ctx);
  void on(const LeaderTransfers&, gainsay::Context& ctx);
  void on(const MembersChange&, gainsay::Context& ctx);
  void on(const ShutsDown&, gainsay::Context& ctx);
  void on(const StartsAgain&, gainsay::Context& ctx);
  void on(const RunsOutOfMemory&, gainsay::Context& ctx);

  void on_crash();
  void on_restart(gainsay::Context& ctx);
  std::uint64_t fingerprint() const;
  gainsay::Description describe() const;

  // For properties.
  struct Commit {
    std::uint64_t index = 0;  // 0: none so far
    std::uint64_t term = 0;
    std::uint32_t voters = 0;  // a bit for each
  };
  const Disk& disk() const { return disk_; }
  // The last time that this server, as a leader, moved its commit index on.
  const Commit& commit() const { return commit_; }
  // What has become of it since the last time; taken by the ledger, which is the only one to ask.
  template <class Take> void take_report(const Take& take) const {
    if (report_.empty()) return;
    take(id_, report_);
    report_.clear();
  }
  bool strict_majority() const { return settings_.majority; }
  bool leads() const { return up_ && raft_->state == RAFT_LEADER; }
  std::uint64_t applied() const { return up_ ? raft_->last_applied : 0; }

 private:
  friend struct Io;
  struct Send {
    raft_io_send* request = nullptr;
    raft_io_send_cb callback = nullptr;
    std::vector<raft_buffer> buffers;  // that libraft has lent until the callback
    std::uint64_t content = 0;         // their hash
  };
  struct Put {
    raft_io_snapshot_put* request = nullptr;
    raft_io_snapshot_put_cb callback = nullptr;
    Snapshot snapshot;
    unsigned trailing = 0;
  };
  struct Get {
    raft_io_snapshot_get* request = nullptr;
    raft_io_snapshot_get_cb callback = nullptr;
  };
  struct Operation {
    Node* node = nullptr;
    gainsay::Invocation invocation;
    bool recorded = false;
  };

  template <class F> void call(gainsay::Context& ctx, const char* what, F&& function);
  void look(gainsay::Context& ctx, const char* what);
  void note_commits();
  void boot(gainsay::Context& ctx);
  void receive(gainsay::Context& ctx, raft_message& message);
  void finish_send(gainsay::Context& ctx, int status);
  void finish_put(gainsay::Context& ctx, int status);
  void finish_get(gainsay::Context& ctx, int status);
  void finish_append(gainsay::Context& ctx, const DiskOp& op, int status);
  void arm_leader(gainsay::Context& ctx);
  // The server, where counting could commit an entry of an earlier term, and that is repaired.
  raft* counts_wrongly(std::uint64_t last_term) const;
  void contract(const std::string& complaint);
  std::uint64_t id_of(gainsay::ActorId actor) const { return actor.raw - first_.raw + 1; }
  gainsay::ActorId actor_of(std::uint64_t id) const { return gainsay::ActorId{first_.raw + id - 1}; }
  const raft_entry* entry_at(std::uint64_t index) const;
  std::uint64_t last_index() const;
  std::uint32_t voters() const;

  std::uint32_t id_;
  gainsay::ActorId first_;
  std::uint32_t servers_;
  Settings settings_;
  bool booted_ = false;
  bool up_ = false;
  bool failed_before_ = false;  // something was made to fail since the server started
  bool waits_for_client_ = false;
  bool waits_for_transfer_ = false;
  bool waits_for_change_ = false;
  std::uint32_t asked_ = 0;        // commands so far
  std::uint32_t outstanding_ = 0;  // operations of clients that libraft has not answered

  Disk disk_;
  gainsay::IoQueue<DiskOp, DiskDone, DiskFails> operations_;
  gainsay::IoQueue<Send, SendDone, SendFails> sends_;
  gainsay::IoQueue<Put, SnapshotStored, SnapshotNotStored> puts_;
  gainsay::IoQueue<Get, SnapshotLoaded, SnapshotNotLoaded> gets_;
  gainsay::TickClock<Tick> clock_;

  gainsay::ForeignHeap heap_;
  gainsay::ContextSlot slot_;
  raft* raft_ = nullptr;  // these live in the heap
  raft_io* io_ = nullptr;
  raft_fsm* fsm_ = nullptr;
  raft_io_tick_cb tick_ = nullptr;
  raft_io_recv_cb recv_ = nullptr;
  raft_io_close_cb close_ = nullptr;
  FsmState state_;
  std::int64_t answer_ = 0;  // what the last command gave; libraft passes a pointer to it on

  // What was seen of the server after the last call.
  unsigned short seen_state_ = 0;
  std::uint64_t seen_term_ = 0;
  std::uint64_t seen_commit_ = 0;
  Commit commit_;
  mutable Report report_;
  std::string complaint_;  // against the contract, of the call at hand
  // Repairs, of the call at hand: answers go up to here, or are not given at all.
  std::uint64_t covered_ = ~std::uint64_t{0};
  bool keeps_silent_ = false;
  std::vector<void*> kept_;  // requests of transfers that are over, until the server is
};

}  // namespace libraft
