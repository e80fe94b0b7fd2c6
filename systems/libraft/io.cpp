#include "systems/libraft/io.hpp"

#include <algorithm>
#include <cstring>

#include "systems/libraft/convert.hpp"

namespace libraft {

using gainsay::ForeignHeap;

// --- memory ---

void Io::use_heaps() {
  static raft_heap heap{
      nullptr,
      [](void*, size_t size) { return ForeignHeap::current()->allocate(size); },
      [](void*, void* block) { ForeignHeap::current()->release(block); },
      [](void*, size_t count, size_t size) { return ForeignHeap::current()->allocate_zeroed(count, size); },
      [](void*, void* block, size_t size) { return ForeignHeap::current()->resize(block, size); },
      [](void*, size_t alignment, size_t size) {
        return ForeignHeap::current()->allocate_aligned(alignment, size);
      },
      [](void*, size_t, void* block) { ForeignHeap::current()->release(block); }};
  static const bool once = [] {
    raft_heap_set(&heap);
    return true;
  }();
  (void)once;
}

// --- the disk ---

int Io::init(raft_io*, raft_id, const char*) { return 0; }

void Io::close(raft_io* io, raft_io_close_cb callback) { node(io).close_ = callback; }

int Io::load(raft_io* io, raft_term* term, raft_id* vote, raft_snapshot** snapshot, raft_index* start,
             raft_entry* entries[], size_t* count) {
  Node& self = node(io);
  self.contract(self.disk_.check());
  *term = self.disk_.term();
  *vote = self.disk_.vote();
  *snapshot = self.disk_.snapshot() ? make_snapshot(*self.disk_.snapshot()) : nullptr;
  *start = self.disk_.first();
  *entries = make_entries(self.disk_.log());
  *count = self.disk_.log().size();
  return 0;
}

int Io::start(raft_io* io, unsigned, raft_io_tick_cb tick, raft_io_recv_cb recv) {
  Node& self = node(io);
  self.tick_ = tick;
  self.recv_ = recv;
  return 0;
}

int Io::bootstrap(raft_io* io, const raft_configuration* configuration) {
  Node& self = node(io);
  if (!self.disk_.empty()) return RAFT_CANTBOOTSTRAP;
  self.contract(self.disk_.set_term(1));
  DiskOp op;
  Entry first;
  first.term = 1;
  first.kind = EntryKind::change;
  first.servers = servers_of(*configuration);
  op.entries.push_back(first);
  self.contract(self.disk_.ask(op));
  self.contract(self.disk_.done(op));
  return 0;
}

int Io::recover(raft_io*, const raft_configuration*) { return RAFT_INVALID; }

int Io::set_term(raft_io* io, raft_term term) {
  node(io).contract(node(io).disk_.set_term(term));
  return 0;
}

int Io::set_vote(raft_io* io, raft_id vote) {
  node(io).contract(node(io).disk_.set_vote(vote));
  return 0;
}

int Io::append(raft_io* io, raft_io_append* request, const raft_entry entries[], unsigned count,
               raft_io_append_cb callback) {
  Node& self = node(io);
  request->cb = callback;
  DiskOp op;
  op.request = request;
  op.raw = entries;
  op.term = self.raft_->current_term;
  Marks marks;
  marks.first = self.last_index() - count + 1;
  const raft_entry* const before = marks.first > 1 ? self.entry_at(marks.first - 1) : nullptr;
  marks.before = before != nullptr ? before->term : self.raft_->log.snapshot.last_term;
  for (unsigned i = 0; i < count; ++i) {
    op.entries.push_back(entry_of(entries[i]));
    marks.marks.push_back({op.entries.back().term, digest(op.entries.back())});
  }
  self.report_.appended.push_back(std::move(marks));
  self.contract(self.disk_.ask(op));
  self.operations_.push(*self.slot_, std::move(op));
  return 0;
}

int Io::truncate(raft_io* io, raft_index index) {
  Node& self = node(io);
  DiskOp op;
  op.kind = DiskOp::Kind::truncate;
  op.from = index;
  self.contract(self.disk_.ask(op));
  self.operations_.push(*self.slot_, std::move(op));
  return 0;
}

int Io::snapshot_put(raft_io* io, unsigned trailing, raft_io_snapshot_put* request,
                     const raft_snapshot* snapshot, raft_io_snapshot_put_cb callback) {
  Node& self = node(io);
  request->cb = callback;
  if (trailing == 0) {  // it replaces the log, behind all that was asked for before
    DiskOp op;
    op.kind = DiskOp::Kind::install;
    op.snapshot = snapshot_of(*snapshot);
    op.request = request;
    self.contract(self.disk_.ask(op));
    self.operations_.push(*self.slot_, std::move(op));
  } else {
    self.puts_.push(*self.slot_, {request, callback, snapshot_of(*snapshot), trailing});
  }
  return 0;
}

int Io::snapshot_get(raft_io* io, raft_io_snapshot_get* request, raft_io_snapshot_get_cb callback) {
  Node& self = node(io);
  request->cb = callback;
  self.gets_.push(*self.slot_, {request, callback});
  return 0;
}

// --- the network ---

std::uint64_t Io::content(const std::vector<raft_buffer>& buffers) {
  std::uint64_t hash = 0;
  for (const raft_buffer& buffer : buffers)
    hash = gainsay::mix(hash, gainsay::hash_text({static_cast<const char*>(buffer.base), buffer.len}));
  return hash;
}

int Io::send(raft_io* io, raft_io_send* request, const raft_message* message, raft_io_send_cb callback) {
  Node& self = node(io);
  gainsay::Context& ctx = *self.slot_;
  Node::Send sending{request, callback, {}, 0};
  const bool is_answer = message->type == RAFT_IO_APPEND_ENTRIES_RESULT;
  if (is_answer && self.keeps_silent_) return RAFT_NOCONNECTION;
  if (message->server_id == 0 || message->server_id > self.servers_) {
    // Memory that was freed may stand in its place, with an address that is another one in every process.
    const bool is_number = message->server_id < 1000;
    self.contract(is_number
                      ? "a message to server " + std::to_string(message->server_id) + ", which there is not"
                      : "a message to a server whose id is an address");
    return RAFT_NOCONNECTION;
  }
  const gainsay::ActorId to = self.actor_of(message->server_id);
  switch (message->type) {
    case RAFT_IO_APPEND_ENTRIES: {
      const raft_append_entries& raw = message->append_entries;
      AppendEntries m{raw.term, raw.prev_log_index, raw.prev_log_term, raw.leader_commit, {}};
      for (unsigned i = 0; i < raw.n_entries; ++i) {
        m.entries.push_back(entry_of(raw.entries[i]));
        sending.buffers.push_back(raw.entries[i].buf);
      }
      ctx.send(to, m);
      break;
    }
    case RAFT_IO_APPEND_ENTRIES_RESULT: {
      const raft_append_entries_result& raw = message->append_entries_result;
      const bool covers = raw.rejected == 0 && self.settings_.repairs.answers;
      ctx.send(to, AppendResult{raw.term, raw.rejected,
                                covers ? std::min<std::uint64_t>(raw.last_log_index, self.covered_)
                                       : raw.last_log_index});
      break;
    }
    case RAFT_IO_REQUEST_VOTE: {
      const raft_request_vote& raw = message->request_vote;
      ctx.send(
          to, RequestVote{raw.term, raw.last_log_index, raw.last_log_term, raw.disrupt_leader, raw.pre_vote});
      break;
    }
    case RAFT_IO_REQUEST_VOTE_RESULT: {
      const raft_request_vote_result& raw = message->request_vote_result;
      ctx.send(to, VoteResult{raw.term, raw.vote_granted, static_cast<std::uint8_t>(raw.pre_vote)});
      break;
    }
    case RAFT_IO_INSTALL_SNAPSHOT: {
      const raft_install_snapshot& raw = message->install_snapshot;
      ctx.send(to, InstallSnapshot{raw.term, raw.last_index, raw.last_term, servers_of(raw.conf),
                                   raw.conf_index, state_of(raw.data)});
      sending.buffers.push_back(raw.data);
      break;
    }
    case RAFT_IO_TIMEOUT_NOW: {
      const raft_timeout_now& raw = message->timeout_now;
      ctx.send(to, TimeoutNow{raw.term, raw.last_log_index, raw.last_log_term});
      break;
    }
    default:
      self.contract("a message of type " + std::to_string(message->type) + ", which there is not");
  }
  // The request is the backend's until the send is done, also where nobody wants to be called back.
  request->cb = callback;
  sending.content = content(sending.buffers);
  self.sends_.push(ctx, std::move(sending));
  return 0;
}

// --- clock and randomness ---

raft_time Io::time(raft_io* io) { return static_cast<raft_time>(node(io).clock_.now().count()); }

// Timeouts matter by the tick; of one that never passes nothing is drawn.
int Io::random(raft_io* io, int min, int max) {
  constexpr int tick = 100;
  const int among = (max - min) / tick;
  if (among <= 1 || among > 1000) return min;
  return min + tick * static_cast<int>(node(io).slot_->choose(static_cast<std::uint32_t>(among)));
}

// --- the state machine ---

int Io::apply(raft_fsm* fsm, const raft_buffer* raw, void** result) {
  Node& self = node(fsm);
  Command command;
  if (raw->len != sizeof command) {
    self.contract("a command of " + std::to_string(raw->len) + " bytes is applied, which nobody asked for");
    return 0;
  }
  std::memcpy(&command, raw->base, sizeof command);
  self.state_.sum += command.amount;
  self.state_.past = gainsay::mix(
      self.state_.past + 1,
      gainsay::mix(static_cast<std::uint64_t>(command.amount), static_cast<std::uint64_t>(command.id)));
  self.report_.applied.push_back({self.raft_->last_applied + 1, self.state_.past});
  self.answer_ = self.state_.sum;
  *result = &self.answer_;
  return 0;
}

int Io::snapshot(raft_fsm* fsm, raft_buffer* buffers[], unsigned* count) {
  *buffers = static_cast<raft_buffer*>(raft_malloc(sizeof(raft_buffer)));
  if (*buffers == nullptr) return RAFT_NOMEM;
  (*buffers)[0] = make_state(node(fsm).state_);
  *count = 1;
  return (*buffers)[0].base == nullptr ? RAFT_NOMEM : 0;
}

int Io::restore(raft_fsm* fsm, raft_buffer* buffer) {
  node(fsm).state_ = state_of(*buffer);
  raft_free(buffer->base);
  return 0;
}

// --- callbacks of requests: the request belongs to the client, who frees it ---

void Io::applied(struct raft_apply* request, int status, void* result) {
  auto* const operation = static_cast<Node::Operation*>(request->data);
  Node& self = *operation->node;
  if (self.outstanding_ > 0) --self.outstanding_;
  if (operation->recorded) {
    if (status == 0) {
      self.slot_->complete(operation->invocation, *static_cast<std::int64_t*>(result));
    } else {
      self.slot_->complete(operation->invocation, gainsay::Completion::unknown);
    }
  }
  raft_free(operation);
  raft_free(request);
}

void Io::passed(struct raft_barrier* request, int) {
  Node& self = *static_cast<Node*>(request->data);
  if (self.outstanding_ > 0) --self.outstanding_;
  raft_free(request);
}

void Io::transferred(struct raft_transfer* request) {
  Node& self = *static_cast<Node*>(request->data);
  if (self.settings_.repairs.transfers) {
    self.kept_.push_back(request);
  } else {
    raft_free(request);
  }
}
void Io::changed(raft_change* request, int) { raft_free(request); }
void Io::closed(raft*) {}

void Io::fill(raft_io& io, Node& node) {
  io = {};
  io.version = 1;
  io.impl = &node;
  io.init = init;
  io.close = close;
  io.load = load;
  io.start = start;
  io.bootstrap = bootstrap;
  io.recover = recover;
  io.set_term = set_term;
  io.set_vote = set_vote;
  io.send = send;
  io.append = append;
  io.truncate = truncate;
  io.snapshot_put = snapshot_put;
  io.snapshot_get = snapshot_get;
  io.time = time;
  io.random = random;
}

void Io::fill(raft_fsm& fsm, Node& node) {
  fsm = {};
  fsm.version = 1;
  fsm.data = &node;
  fsm.apply = apply;
  fsm.snapshot = snapshot;
  fsm.restore = restore;
}

}  // namespace libraft
