#include "systems/viewstamped_replication/model.hpp"

#include <algorithm>
#include <functional>

namespace viewstamped_replication {

using gainsay::nobody;

Replica Replica::make(ActorId self, const Constants& constants) {
  Replica replica{.self = self, .constants = constants};
  if (!replica.is_member(0)) return replica;
  replica.status = Status::normal;
  replica.download = self;
  if (replica.is_witness()) {
    replica.witnessed = {{0, 0}, 1};
  } else {
    replica.log = {{Entry::Kind::view, {0, 0}}};
    replica.commit = 1;
  }
  return replica;
}

// --- what follows from the state -------------------------------------------------------------------------------------

const std::vector<gainsay::ActorId>& Replica::members(Number epoch) const {
  return epoch == 0 ? constants.old_members : constants.new_members;
}

bool Replica::is_member(Number epoch) const { return std::ranges::count(members(epoch), self) > 0; }

std::size_t Replica::majority(Number epoch) const {
  return members(constants.bug == Bug::old_majority ? 0 : epoch).size() / 2 + 1;
}

gainsay::ActorId Replica::primary(ViewId of) const {
  std::vector<ActorId> full;
  for (const ActorId member : members(of.epoch)) {
    if (!is_witness(member)) full.push_back(member);
  }
  return full.empty() ? nobody : full[of.view % full.size()];
}

Position Replica::position() const {
  if (is_witness()) return witnessed;
  for (auto entry = log.rbegin(); entry != log.rend(); ++entry) {
    if (entry->kind == Entry::Kind::view) return {entry->of, length()};
  }
  return {{}, length()};
}

Number Replica::queries() const {
  return static_cast<Number>(
      std::ranges::count_if(log, [](const Entry& entry) { return entry.kind == Entry::Kind::query; }));
}

Number Replica::epoch_place() const {
  for (std::size_t i = 0; i < log.size(); ++i) {
    if (log[i].kind == Entry::Kind::epoch) return static_cast<Number>(i + 1);
  }
  return 0;
}

// --- the environment -------------------------------------------------------------------------------------------------

bool Replica::accepts(const TimeOut&) const {
  if (!takes_part() || (!constants.all_impatient && members(current.epoch).back() != self)) return false;
  return members(current.epoch).size() > 1 &&
         current.view < (current.epoch == 0 ? constants.old_views : constants.new_views);
}

bool Replica::accepts(const ClientQuery&) const {
  return leads() && queries() < constants.queries && (current.epoch == 1 || epoch_place() == 0);
}

bool Replica::accepts(const Reconfigure&) const {
  return leads() && current.epoch == 0 && !constants.new_members.empty() && commit == length() &&
         epoch_place() == 0;
}

void Replica::on(const TimeOut& again, Context& ctx) {
  ctx.send(ctx.self(*this), again);
  enter_view({current.epoch, static_cast<Number>(current.view + 1)});
  want_view(ctx);
}

void Replica::on(const ClientQuery& again, Context& ctx) {
  ctx.send(ctx.self(*this), again);
  append(Entry::Kind::query, ctx);
}

void Replica::on(const Reconfigure& again, Context& ctx) {
  ctx.send(ctx.self(*this), again);
  append(Entry::Kind::epoch, ctx);
}

// --- what becomes of a message ---------------------------------------------------------------------------------------

Replica::Fate Replica::fate_in_view_change(ViewId at) const {
  if (at.epoch > current.epoch) return Fate::wait;
  if (at < current) return Fate::drop;
  if (!takes_part() && !(status == Status::catch_up && constants.bug == Bug::catchup_interrupted))
    return Fate::drop;
  return at == current && status == Status::normal ? Fate::drop : Fate::take;
}

Replica::Fate Replica::fate(const StartViewChange& m) const {
  if (constants.bug == Bug::same_view_change && m.at == current && status == Status::normal)
    return Fate::take;
  const Fate what = fate_in_view_change(m.at);
  return what == Fate::take && m.at == current && phase2 ? Fate::drop : what;
}

Replica::Fate Replica::fate(const DoViewChange& m) const {
  const Fate what = fate_in_view_change(m.at);
  return what == Fate::take && m.at == current && download != nobody ? Fate::drop : what;
}

Replica::Fate Replica::fate(const StartView& m) const {
  if (constants.bug == Bug::old_start_view && m.at.epoch == current.epoch && m.at < current && takes_part())
    return Fate::take;
  if (m.at.epoch > current.epoch) return Fate::wait;
  if (m.at < current || !takes_part()) return Fate::drop;
  return m.at == current && status == Status::normal ? Fate::drop : Fate::take;
}

Replica::Fate Replica::fate(const GetEntry& m) const {
  if (status == Status::shut_down) return Fate::drop;
  if (m.for_epoch) return m.place <= std::min(commit, length()) ? Fate::take : Fate::wait;
  if (m.at < current) return Fate::drop;
  return m.at == current && m.place <= length() ? Fate::take : Fate::wait;
}

Replica::Fate Replica::fate(const Chunk& m) const {
  const bool awaited = m.at == current && target > 0 && m.place == catchup + 1;
  return awaited ? Fate::take : Fate::drop;
}

Replica::Fate Replica::fate(const Prepare& m) const {
  if (m.at.epoch > current.epoch) return Fate::wait;
  if (m.at < current || !takes_part()) return Fate::drop;
  if (m.at > current || status != Status::normal || download != self) return Fate::wait;
  const Number next = static_cast<Number>((is_witness() ? witnessed.length : length()) + 1);
  return m.place == next ? Fate::take : m.place > next ? Fate::wait : Fate::drop;
}

Replica::Fate Replica::fate(const PrepareOk& m) const {
  if (constants.bug == Bug::stale_prepare_ok && leads() && m.place > commit) return Fate::take;
  return leads() && m.at == current && m.place > commit ? Fate::take : Fate::drop;
}

Replica::Fate Replica::fate(const Commit& m) const {
  if (m.at.epoch > current.epoch) return Fate::wait;
  if (m.at < current || !takes_part()) return Fate::drop;
  const bool early = m.at > current || status != Status::normal || download != self;
  if (early || (m.place > length() && constants.bug != Bug::commit_unbounded))
    return constants.bug == Bug::commit_dropped ? Fate::drop : Fate::wait;
  return m.place > commit ? Fate::take : Fate::drop;
}

Replica::Fate Replica::fate(const StartEpoch&) const {
  return current.epoch == 0 && (takes_part() || status == Status::idle) ? Fate::take : Fate::drop;
}

Replica::Fate Replica::fate(const EpochStarted&) const {
  return status == Status::shut_down ? Fate::drop : Fate::take;
}

// --- view changes ----------------------------------------------------------------------------------------------------

template <class M> void Replica::send_others(const M& message, Context& ctx) const {
  for (const ActorId member : members(current.epoch)) {
    if (member != self) ctx.send(gainsay::Ref<Replica>(member), message);
  }
}

void Replica::enter_view(ViewId next) {
  status = Status::view_change;
  current = next;
  download = nobody;
  catchup = 0;
  target = 0;
  phase2 = false;
  changers.clear();
  votes.clear();
  acks.clear();
}

void Replica::want_view(Context& ctx) { send_others(StartViewChange{current}, ctx); }

void Replica::take(const StartViewChange& m, Context& ctx) {
  const bool thrown_back = m.at == current && status == Status::normal;  // Bug::same_view_change
  if (m.at > current || thrown_back) {
    enter_view(m.at);
    want_view(ctx);
  }
  changers.insert(ctx.sender());
  vote_if_wanted(ctx);
}

void Replica::vote_if_wanted(Context& ctx) {
  if (phase2 || changers.size() + 1 < majority(current.epoch)) return;
  phase2 = true;
  changers.clear();
  if (is_primary()) return;  // its own vote is always counted
  ctx.send(gainsay::Ref<Replica>(primary(current)), DoViewChange{current, position(), commit});
}

void Replica::take(const DoViewChange& m, Context& ctx) {
  if (m.at > current) {
    enter_view(m.at);
    want_view(ctx);
  }
  votes[ctx.sender()] = {m.position, m.commit};
  count_votes(ctx);
}

void Replica::count_votes(Context& ctx) {
  if (votes.size() + 1 < majority(current.epoch)) return;
  ActorId best = self;
  Position newest = position();
  for (const auto& [voter, vote] : votes) {
    if (is_witness(voter)) continue;
    const bool newer =
        constants.bug == Bug::longest_log ? vote.position.length > newest.length : vote.position > newest;
    if (!newer) continue;
    best = voter;
    newest = vote.position;
  }
  // A witness has acknowledged something that none of these logs has: whoever has it must vote first.
  for (const auto& [voter, vote] : votes) {
    if (is_witness(voter) && vote.position > newest && constants.bug != Bug::witness_ignored) return;
  }
  if (best == self || constants.bug == Bug::no_download) {
    become_primary(ctx);
  } else {
    fetch(best, newest.length, ctx);
  }
}

void Replica::become_primary(Context& ctx) {
  log.push_back({Entry::Kind::view, current});
  status = Status::normal;
  download = self;
  for (const auto& [voter, vote] : votes) commit = std::max(commit, std::min(vote.commit, length()));
  target = 0;
  phase2 = false;
  changers.clear();
  votes.clear();
  send_others(StartView{current, length()}, ctx);
}

void Replica::take(const StartView& m, Context& ctx) {
  enter_view(m.at);
  status = Status::normal;
  if (is_witness()) {
    witnessed = {m.at, m.length};
    download = self;
    ctx.reply(PrepareOk{current, m.length});
    return;
  }
  if (constants.bug == Bug::early_ack) ctx.reply(PrepareOk{current, std::min(length(), m.length)});
  fetch(ctx.sender(), m.length, ctx);
}

// --- fetching entries ------------------------------------------------------------------------------------------------

void Replica::fetch(ActorId from, Number until, Context& ctx) {
  download = from;
  catchup = commit;
  target = until;
  if (constants.bug == Bug::cut_to_commit && log.size() > commit) log.resize(commit);
  if (catchup >= target) {
    finish_fetching(0, ctx);
  } else {
    ctx.send(gainsay::Ref<Replica>(from),
             GetEntry{current, static_cast<Number>(catchup + 1), status == Status::catch_up});
  }
}

void Replica::take(const GetEntry& m, Context& ctx) {
  ctx.reply(Chunk{m.at, m.place, log[m.place - 1], commit});
}

void Replica::take(const Chunk& m, Context& ctx) {
  if (ctx.sender() != download) return;  // asked for before, of another one
  if (length() >= m.place && log[m.place - 1] != m.entry && constants.bug != Bug::keep_differing)
    log.resize(m.place - 1);
  if (length() < m.place) log.push_back(m.entry);
  catchup = m.place;
  if (catchup < target) {
    ctx.reply(GetEntry{current, static_cast<Number>(catchup + 1), status == Status::catch_up});
  } else {
    finish_fetching(m.commit, ctx);
  }
}

void Replica::finish_fetching(Number their_commit, Context& ctx) {
  if (length() > target) log.resize(target);
  const ActorId source = download;
  const Number reached = target;
  download = self;
  target = 0;
  if (status == Status::view_change) {
    become_primary(ctx);
  } else if (status == Status::catch_up) {
    commit = reached;
    enter_epoch(ctx);
  } else {
    commit = std::max(commit, std::min(their_commit, length()));
    ctx.send(gainsay::Ref<Replica>(source), PrepareOk{current, length()});
    after_commit(ctx);
  }
}

// --- normal operation ------------------------------------------------------------------------------------------------

void Replica::append(Entry::Kind kind, Context& ctx) {
  log.push_back({kind, current});
  send_others(Prepare{current, length(), log.back(), commit}, ctx);
  advance_commit(ctx);
  if (constants.bug == Bug::epoch_at_append) after_commit(ctx);
}

void Replica::take(const Prepare& m, Context& ctx) {
  if (is_witness()) {
    witnessed = {current, m.place};
  } else {
    log.push_back(m.entry);
    commit = std::max(commit, std::min(m.commit, length()));
  }
  ctx.reply(PrepareOk{current, m.place});
  after_commit(ctx);
}

void Replica::take(const PrepareOk& m, Context& ctx) {
  Number& ack = acks[ctx.sender()];
  ack = std::max(ack, m.place);
  advance_commit(ctx);
}

void Replica::advance_commit(Context& ctx) {
  std::vector<Number> reached{length()};
  for (const auto& [who, place] : acks) reached.push_back(place);
  std::ranges::sort(reached, std::greater<>());
  const std::size_t enough = majority(current.epoch);
  if (reached.size() < enough || reached[enough - 1] <= commit) return;
  commit = reached[enough - 1];
  std::erase_if(acks, [&](const auto& ack) { return ack.second <= commit; });
  for (const ActorId member : members(current.epoch)) {
    if (member != self && !is_witness(member))
      ctx.send(gainsay::Ref<Replica>(member), viewstamped_replication::Commit{current, commit});
  }
  after_commit(ctx);
}

void Replica::take(const viewstamped_replication::Commit& m, Context& ctx) {
  commit = std::max(commit, m.place);
  after_commit(ctx);
}

// --- reconfiguration -------------------------------------------------------------------------------------------------

void Replica::after_commit(Context& ctx) {
  const Number place = epoch_place();
  if (current.epoch != 0 || place == 0 || is_witness()) return;
  if (commit < place && constants.bug != Bug::epoch_at_append) return;
  commit = place;
  log.resize(place);
  std::set<ActorId> everybody(members(0).begin(), members(0).end());
  everybody.insert(members(1).begin(), members(1).end());
  for (const ActorId other : everybody) {
    if (other != self) ctx.send(gainsay::Ref<Replica>(other), StartEpoch{position()});
  }
  enter_epoch(ctx);
}

void Replica::take(const StartEpoch& m, Context& ctx) {
  if (is_witness()) {
    witnessed = m.position;
    enter_epoch(ctx);
    return;
  }
  const ViewId was = current;
  enter_view(was);
  status = Status::catch_up;
  fetch(ctx.sender(), m.position.length, ctx);
}

void Replica::enter_epoch(Context& ctx) {
  const bool leaves_now = !is_member(1);
  if (leaves_now) {
    enter_view(current);
    status = constants.bug == Bug::early_shutdown ? Status::shut_down : Status::leaving;
    shut_down_if_all_started();
    return;
  }
  enter_view({1, 0});
  phase2 = true;
  if (!is_primary())
    ctx.send(gainsay::Ref<Replica>(primary(current)), DoViewChange{current, position(), commit});
  for (const ActorId member : members(0)) {
    if (std::ranges::count(members(1), member) == 0) ctx.send(gainsay::Ref<Replica>(member), EpochStarted{});
  }
}

void Replica::take(const EpochStarted&, Context& ctx) {
  started.insert(ctx.sender());
  shut_down_if_all_started();
}

void Replica::shut_down_if_all_started() {
  const std::size_t enough =
      constants.bug == Bug::majority_shutdown ? members(1).size() / 2 + 1 : members(1).size();
  if (status == Status::leaving && started.size() >= enough) status = Status::shut_down;
}

}  // namespace viewstamped_replication
