#include <bit>
#include <cstring>

#include "systems/libraft/convert.hpp"
#include "systems/libraft/node_call.hpp"

namespace libraft {

using gainsay::Context;

// --- what devices have done ---

void Node::on(const Tick&, Context& ctx) {
  if (!up_) return;
  clock_.tick(ctx);
  call(ctx, "a tick", [&] { tick_(io_); });
}

// Whether the entries that libraft lent for the time of an append are still what they were.
static bool are_the_same(const std::vector<Entry>& entries, const void* raw) {
  const auto* const now = static_cast<const raft_entry*>(raw);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (now[i].term != entries[i].term || now[i].type != static_cast<unsigned short>(entries[i].kind))
      return false;
    if (entries[i].kind == EntryKind::command &&
        std::memcmp(now[i].buf.base, &entries[i].command, sizeof(Command)) != 0)
      return false;
  }
  return true;
}

raft* Node::counts_wrongly(std::uint64_t last_term) const {
  const bool wrong = settings_.repairs.commits && leads() && last_term != raft_->current_term;
  return wrong && std::popcount(voters()) > 1 ? raft_ : nullptr;
}

void Node::finish_append(Context& ctx, const DiskOp& op, int status) {
  const CountsNobody repair(counts_wrongly(op.entries.back().term), 0);
  covered_ = op.from + op.entries.size() - 1;
  keeps_silent_ = settings_.repairs.late_answers && op.term != raft_->current_term;
  call(ctx, "the completion of an append", [&] {
    if (status == 0 && !are_the_same(op.entries, op.raw))
      slot_->violate("memory error", "the entries of an append were changed or freed before it was done");
    auto* const request = static_cast<raft_io_append*>(op.request);
    request->cb(request, status);
  });
  covered_ = ~std::uint64_t{0};
  keeps_silent_ = false;
}

void Node::on(const DiskDone&, Context& ctx) {
  const DiskOp op = operations_.complete(ctx);
  contract(disk_.done(op));
  if (!up_) return;
  if (op.kind == DiskOp::Kind::append) {
    finish_append(ctx, op, 0);
  } else if (op.kind == DiskOp::Kind::install) {
    call(ctx, "the completion of a snapshot's installation", [&] {
      auto* const request = static_cast<raft_io_snapshot_put*>(op.request);
      request->cb(request, 0);
    });
  } else {
    call(ctx, "a truncation", [] {});
  }
}

// Appends fail together up to the first operation of another kind, which cannot.
void Node::on(const DiskFails&, Context& ctx) {
  std::size_t count = 0;
  while (count < operations_.size() && operations_[count].kind == DiskOp::Kind::append) ++count;
  if (count == 0) {
    on(DiskDone{}, ctx);
    return;
  }
  failed_before_ = true;
  const std::vector<DiskOp> failed = operations_.fail(ctx, count);
  for (const DiskOp& op : failed) disk_.failed(op);
  for (const DiskOp& op : failed) {
    if (up_) finish_append(ctx, op, RAFT_IOERR);
  }
}

void Node::finish_send(Context& ctx, int status) {
  if (status != 0) failed_before_ = true;
  const Send send = sends_.complete(ctx);
  if (!up_) return;
  call(ctx, "the completion of a send", [&] {
    if (send.request->cb != send.callback) {
      slot_->violate("memory error",
                     "the request of a send was freed or overwritten before the send was done");
      return;
    }
    if (Io::content(send.buffers) != send.content)
      slot_->violate("memory error", "what was being sent was changed or freed before the send was done");
    if (send.callback != nullptr) send.callback(send.request, status);
  });
}

void Node::finish_put(Context& ctx, int status) {
  const Put put = puts_.complete(ctx);
  if (status == 0) disk_.take_snapshot(put.snapshot, put.trailing);
  if (status != 0) failed_before_ = true;
  if (!up_) return;
  call(ctx, "the completion of a snapshot", [&] { put.callback(put.request, status); });
}

void Node::finish_get(Context& ctx, int status) {
  const Get get = gets_.complete(ctx);
  if (status != 0) failed_before_ = true;
  if (!up_) return;
  call(ctx, "the loading of a snapshot", [&] {
    raft_snapshot* snapshot = nullptr;
    if (status == 0 && disk_.snapshot()) snapshot = make_snapshot(*disk_.snapshot());
    get.callback(get.request, snapshot, snapshot == nullptr ? RAFT_IOERR : 0);
  });
}

// --- messages ---

void Node::receive(Context& ctx, raft_message& message) {
  message.server_id = id_of(ctx.sender());
  message.server_address = address_of(message.server_id);
  recv_(io_, &message);
}

void Node::on(const AppendEntries& sent, Context& ctx) {
  if (!up_) return;
  const AppendEntries m = settings_.repairs.compacted ? without_compacted(sent, raft_->log) : sent;
  covered_ = m.prev_index + m.entries.size();
  call(ctx, "AppendEntries", [&] {
    raft_message message{};
    message.type = RAFT_IO_APPEND_ENTRIES;
    message.append_entries = {m.term,
                              m.prev_index,
                              m.prev_term,
                              m.commit,
                              make_entries(m.entries),
                              static_cast<unsigned>(m.entries.size())};
    receive(ctx, message);
  });
  covered_ = ~std::uint64_t{0};
}

void Node::on(const AppendResult& m, Context& ctx) {
  if (!up_) return;
  const raft_entry* const last = entry_at(raft_->last_stored);
  const CountsNobody repair(counts_wrongly(last == nullptr ? raft_->current_term : last->term),
                            id_of(ctx.sender()));
  call(ctx, "AppendEntries result", [&] {
    raft_message message{};
    message.type = RAFT_IO_APPEND_ENTRIES_RESULT;
    message.append_entries_result = {m.term, m.rejected, m.last_index};
    receive(ctx, message);
  });
}

void Node::on(const RequestVote& m, Context& ctx) {
  if (!up_) return;
  call(ctx, "RequestVote", [&] {
    raft_message message{};
    message.type = RAFT_IO_REQUEST_VOTE;
    message.request_vote = {m.term,      id_of(ctx.sender()), m.last_index,
                            m.last_term, m.disrupt_leader,    m.pre_vote};
    receive(ctx, message);
  });
}

void Node::on(const VoteResult& m, Context& ctx) {
  if (!up_) return;
  call(ctx, "RequestVote result", [&] {
    raft_message message{};
    message.type = RAFT_IO_REQUEST_VOTE_RESULT;
    message.request_vote_result = {m.term, m.granted, static_cast<raft_tribool>(m.pre_vote)};
    receive(ctx, message);
  });
}

void Node::on(const InstallSnapshot& m, Context& ctx) {
  if (!up_) return;
  call(ctx, "InstallSnapshot", [&] {
    raft_message message{};
    message.type = RAFT_IO_INSTALL_SNAPSHOT;
    raft_install_snapshot& raw = message.install_snapshot;
    raw.term = m.term;
    raw.last_index = m.last_index;
    raw.last_term = m.last_term;
    make_configuration(m.servers, raw.conf);
    raw.conf_index = m.servers_index;
    raw.data = make_state(m.state);
    receive(ctx, message);
  });
}

void Node::on(const TimeoutNow& m, Context& ctx) {
  if (!up_) return;
  call(ctx, "TimeoutNow", [&] {
    raft_message message{};
    message.type = RAFT_IO_TIMEOUT_NOW;
    message.timeout_now = {m.term, m.last_index, m.last_term};
    receive(ctx, message);
  });
}

}  // namespace libraft
