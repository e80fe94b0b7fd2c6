#include "systems/libraft/node.hpp"

#include "systems/libraft/convert.hpp"
#include "systems/libraft/node_call.hpp"

namespace libraft {

using gainsay::Context;
using namespace std::chrono_literals;

namespace {

constexpr unsigned tick_ms = 100;
constexpr unsigned never_ms = 1'000'000'000;  // more than a clock ever shows

const char* role_text(unsigned short state) {
  switch (state) {
    case RAFT_FOLLOWER:
      return "follower";
    case RAFT_CANDIDATE:
      return "candidate";
    case RAFT_LEADER:
      return "leader";
    default:
      return "unavailable";
  }
}

}  // namespace

Node::Node(std::uint32_t id, gainsay::ActorId first, std::uint32_t servers)
    : id_(id), first_(first), servers_(servers), clock_(std::chrono::milliseconds(tick_ms)) {
  Io::use_heaps();
}

// --- calling libraft ---

void Node::contract(const std::string& complaint) {
  if (complaint_.empty()) complaint_ = complaint;
}

// What has become of the server in a call.
void Node::look(Context& ctx, const char* what) {
  if (heap_.problem()) ctx.violate("memory error", *heap_.problem() + ", in " + what);
  if (!complaint_.empty()) ctx.violate("I/O contract", complaint_);
  complaint_.clear();
  if (raft_ == nullptr || !up_) return;
  if (raft_->state == RAFT_UNAVAILABLE) {
    if (!failed_before_) ctx.violate("self-shutdown", std::string("in ") + what + ": " + raft_errmsg(raft_));
    up_ = false;
    return;
  }
  if (raft_->state == RAFT_LEADER && (seen_state_ != RAFT_LEADER || seen_term_ != raft_->current_term)) {
    Elected elected{raft_->current_term, {raft_->log.offset + 1, 0, {}}};
    for (std::uint64_t index = elected.log.first; const raft_entry* entry = entry_at(index); ++index)
      elected.log.marks.push_back({entry->term, digest(entry_of(*entry))});
    report_.elected.push_back(std::move(elected));
    if (settings_.one_leader) raft_set_election_timeout(raft_, never_ms);
  }
  seen_state_ = raft_->state;
  seen_term_ = raft_->current_term;
  if (seen_state_ == RAFT_LEADER) arm_leader(ctx);
  if (raft_->commit_index <= seen_commit_) return;
  note_commits();
  if (seen_state_ == RAFT_LEADER && settings_.old_terms && commit_.term != raft_->current_term)
    ctx.violate("old terms are not committed by counting",
                "the leader of term " + std::to_string(raft_->current_term) + " commits entry " +
                    std::to_string(commit_.index) + " of term " + std::to_string(commit_.term));
}

void Node::note_commits() {
  Marks marks;
  marks.first = std::max<std::uint64_t>(seen_commit_, raft_->log.offset) + 1;
  for (std::uint64_t index = marks.first; index <= raft_->commit_index; ++index) {
    const raft_entry* const entry = entry_at(index);
    if (entry == nullptr) break;
    marks.marks.push_back({entry->term, digest(entry_of(*entry))});
    if (raft_->state == RAFT_LEADER) commit_ = {index, entry->term, voters()};
  }
  marks.term = raft_->current_term;
  if (!marks.marks.empty()) report_.committed.push_back(std::move(marks));
  seen_commit_ = raft_->commit_index;
}

const raft_entry* Node::entry_at(std::uint64_t index) const {
  const raft_log& log = raft_->log;
  const std::size_t count = log.size == 0 ? 0 : (log.back + log.size - log.front) % log.size;
  if (index <= log.offset || index - log.offset > count) return nullptr;
  return &log.entries[(log.front + (index - log.offset - 1)) % log.size];
}

std::uint64_t Node::last_index() const {
  const raft_log& log = raft_->log;
  const std::size_t count = log.size == 0 ? 0 : (log.back + log.size - log.front) % log.size;
  return log.offset + count;
}

std::uint32_t Node::voters() const {
  std::uint32_t bits = 0;
  for (unsigned i = 0; i < raft_->configuration.n; ++i) {
    const raft_server& server = raft_->configuration.servers[i];
    if (server.role == RAFT_VOTER && server.id < 32) bits |= 1U << server.id;
  }
  return bits;
}

// --- life ---

void Node::boot(Context& ctx) {
  heap_.free_all();
  raft_ = nullptr;
  kept_.clear();
  up_ = true;
  failed_before_ = false;
  waits_for_client_ = waits_for_transfer_ = waits_for_change_ = false;
  outstanding_ = 0;
  seen_state_ = RAFT_UNAVAILABLE;
  seen_term_ = seen_commit_ = 0;
  state_ = {};
  int status = 0;
  call(ctx, "raft_start", [&] {
    raft_ = make<raft>();
    io_ = make<raft_io>();
    fsm_ = make<raft_fsm>();
    Io::fill(*io_, *this);
    Io::fill(*fsm_, *this);
    status = raft_init(raft_, io_, fsm_, id_, address_of(id_));
    if (settings_.snapshot_threshold > 0) {
      raft_set_snapshot_threshold(raft_, settings_.snapshot_threshold);
      raft_set_snapshot_trailing(raft_, settings_.snapshot_trailing);
    }
    const bool stands = !settings_.one_leader || id_ == 1;
    raft_set_election_timeout(raft_, stands ? settings_.election_ticks * tick_ms : never_ms);
    raft_set_heartbeat_timeout(raft_, tick_ms);
    raft_set_pre_vote(raft_, settings_.pre_vote);
    if (status == 0 && disk_.empty() && id_ <= settings_.voters) {
      raft_configuration configuration;
      raft_configuration_init(&configuration);
      for (std::uint32_t id = 1; id <= settings_.voters; ++id)
        raft_configuration_add(&configuration, id, address_of(id), RAFT_VOTER);
      status = raft_bootstrap(raft_, &configuration);
      raft_configuration_close(&configuration);
    }
    if (status == 0) status = raft_start(raft_);
  });
  if (status != 0 && up_) {
    ctx.violate("self-shutdown", "raft_start fails: " + std::string(raft_strerror(status)));
    up_ = false;
  }
  if (!up_) return;
  clock_.start(ctx);
  if (settings_.closes) ctx.after(10s, ShutsDown{});
  if (settings_.no_memory) ctx.after(10s, RunsOutOfMemory{});
}

void Node::on(const Boot& message, Context& ctx) {
  settings_ = message.settings;
  disk_ = Disk(settings_.backend);
  booted_ = true;
  operations_.may_fail(settings_.disk_fails);
  sends_.may_fail(settings_.send_fails);
  puts_.may_fail(settings_.snapshot_fails);
  gets_.may_fail(settings_.snapshot_fails);
  boot(ctx);
}

void Node::on_crash() {
  up_ = false;
  raft_ = nullptr;
  heap_.free_all();
}

void Node::on_restart(Context& ctx) {
  if (!booted_) return;
  for (const DiskOp& op : operations_.crash(ctx)) contract(disk_.done(op));
  if (!operations_.lost().empty()) {
    const DiskOp& op = operations_.lost().front();
    const std::size_t entries = op.entries.size();
    if (settings_.tears && op.kind == DiskOp::Kind::append && entries > 1) {
      if (const std::uint32_t kept = ctx.choose(static_cast<std::uint32_t>(entries)); kept > 0)
        contract(disk_.torn(op, kept));
    }
  }
  for (const Put& put : puts_.crash(ctx)) disk_.take_snapshot(put.snapshot, put.trailing);
  sends_ = {};
  gets_ = {};
  sends_.may_fail(settings_.send_fails);
  gets_.may_fail(settings_.snapshot_fails);
  disk_.crashed();
  boot(ctx);
}

void Node::on(const StartsAgain&, Context& ctx) {
  if (up_) return;
  disk_.crashed();
  boot(ctx);
}

// In good order: libraft is told that nothing more will come, and must have freed everything in the end.
void Node::on(const ShutsDown&, Context& ctx) {
  if (!up_) return;
  const std::vector<DiskOp> operations = operations_.cancel(ctx);
  const std::vector<Send> sends = sends_.cancel(ctx);
  const std::vector<Put> puts = puts_.cancel(ctx);
  const std::vector<Get> gets = gets_.cancel(ctx);
  const std::uint32_t written = ctx.choose(static_cast<std::uint32_t>(operations.size()) + 1);
  for (std::uint32_t i = 0; i < written; ++i) contract(disk_.done(operations[i]));
  call(ctx, "raft_close", [&] {
    raft_close(raft_, Io::closed);
    for (const Send& send : sends) {
      if (send.callback != nullptr) send.callback(send.request, RAFT_CANCELED);
    }
    for (const DiskOp& op : operations) {
      if (op.kind == DiskOp::Kind::append) {
        auto* const request = static_cast<raft_io_append*>(op.request);
        request->cb(request, RAFT_CANCELED);
      } else if (op.kind == DiskOp::Kind::install) {
        auto* const request = static_cast<raft_io_snapshot_put*>(op.request);
        request->cb(request, RAFT_CANCELED);
      }
    }
    for (const Put& put : puts) put.callback(put.request, RAFT_CANCELED);
    for (const Get& get : gets) get.callback(get.request, nullptr, RAFT_CANCELED);
    up_ = false;
    if (close_ != nullptr) close_(io_);
  });
  up_ = false;
  ctx.cancel<Tick>();
  ctx.cancel<ClientAsks>();
  ctx.cancel<LeaderTransfers>();
  ctx.cancel<MembersChange>();
  for (void* const request : std::exchange(kept_, {})) heap_.release(request);
  heap_.release(raft_);
  heap_.release(io_);
  heap_.release(fsm_);
  raft_ = nullptr;
  if (const auto& problem = heap_.inspect()) {
    ctx.violate("memory error", *problem + ", noticed after raft_close");
  } else if (heap_.live_blocks() > 0) {
    ctx.violate("memory leak", "after raft_close there are " + heap_.leaks());
  }
  ctx.after(1s, StartsAgain{});
}

void Node::on(const RunsOutOfMemory&, Context& ctx) {
  if (!up_) return;
  failed_before_ = true;
  heap_.fail_allocation(ctx.choose(8));
}

// --- for people and searches ---

std::uint64_t Node::fingerprint() const {
  using gainsay::mix;
  std::uint64_t hash = mix(disk_.term() * 64 + disk_.vote(), up_ ? 1 : 0);
  for (const Entry& entry : disk_.log()) hash = mix(hash, digest(entry));
  hash = mix(hash, operations_.size() * 4096 + sends_.size() * 256 + puts_.size() * 16 + gets_.size());
  if (!up_) return hash;
  hash = mix(hash, raft_->current_term * 8 + raft_->state);
  hash = mix(hash, raft_->commit_index * 65536 + raft_->last_applied);
  hash = mix(hash, raft_->last_stored);
  for (std::uint64_t index = raft_->log.offset + 1; const raft_entry* entry = entry_at(index); ++index)
    hash = mix(hash, digest(entry_of(*entry)));
  hash = mix(hash, static_cast<std::uint64_t>(clock_.now().count()) - raft_->election_timer_start);
  return mix(hash, state_.past);
}

gainsay::Description Node::describe() const {
  gainsay::Description lines;
  if (up_) {
    lines.emplace_back("role", role_text(raft_->state));
    lines.emplace_back("term", std::to_string(raft_->current_term));
    lines.emplace_back("vote", std::to_string(raft_->voted_for));
    std::string log;
    for (std::uint64_t index = raft_->log.offset + 1; const raft_entry* entry = entry_at(index); ++index)
      log += (log.empty() ? "" : " ") + std::to_string(index) + ":t" + std::to_string(entry->term);
    lines.emplace_back("log", log);
    lines.emplace_back("commit", std::to_string(raft_->commit_index));
    lines.emplace_back("applied", std::to_string(raft_->last_applied));
    lines.emplace_back("servers", servers_of(raft_->configuration));
    if (raft_->state == RAFT_LEADER) {
      std::string progress;
      for (unsigned i = 0; i < raft_->configuration.n; ++i) {
        progress += (i == 0 ? "" : " ") + std::to_string(raft_->configuration.servers[i].id) + ":" +
                    std::to_string(raft_->leader_state.progress[i].match_index);
      }
      lines.emplace_back("matched", progress);
    }
  } else {
    lines.emplace_back("role", "down");
  }
  lines.emplace_back("disk", disk_.text());
  return lines;
}

}  // namespace libraft
