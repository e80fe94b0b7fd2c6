#include "gainsay/explorer/expander.hpp"

#include <algorithm>

#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/oracle/heat.hpp"

namespace gainsay {

void Expander::begin(const WorldState& world) {
  if (symmetry_) symmetry_->require_fixed(world);
  successor_.words.clear();
  encode(world, shared_.engine.hash.of(world), engine_.network, successor_.words, record_order());
  const RecordView record{successor_.words.data()};
  if (shared_.exact) {
    shared_.exact->key_of(record.fingerprint(), std::span(successor_.words).subspan(RecordView::header - 1));
  }
  shared_.insert(record.fingerprint(), 0, 1);
  shared_.count_added(1);
  if (auto violation = judge_.look(StateReader(engine_, world), nobody, no_step)) {
    sight(std::move(*violation), record.fingerprint(), 0, true);
    return;
  }
  accept(successor_.words, Directory::no_slot, false, nullptr, true);
}

void Expander::expand(const Block& block, std::size_t begin, std::size_t end, std::uint16_t level) {
  const std::uint32_t* at = block.words.data() + begin;
  const std::uint32_t* const behind = block.words.data() + end;
  trail_words_ = block.trail;
  decoded_ = nullptr;
  while (at < behind) {
    const RecordView record{at};
    const RecordRest rest(record, engine_.network);
    at = rest.end + block.trail;
    follow_trail(record);
    if (is_free(record)) {
      expand_free(record, level);
    } else {
      expand_ruled(record, rest, level);
    }
    if (batched_ >= batch_size) settle_batch(level);
  }
  GAINSAY_CHECK(at == behind, "a block ends with its last record, and is cut before a record");
  settle_found(ruled_[1 - current_], level);
  settle_batch(level);
  shared_.count_added(std::exchange(added_, 0));
  if (shared_.equivariance) {
    const std::lock_guard lock(shared_.mutex);
    shared_.equivariance->check();
  }
}

// From now on successors are those of this record.
void Expander::follow_trail(const RecordView& record) {
  if (!shared_.bits) return;
  const std::uint32_t* trail = record.words + record_words(record, engine_.network);
  trail_.assign(trail, trail + trail_words_);
}

// Whether every pending event may be next and nothing else may happen (Network::free), seen from the record.
bool Expander::is_free(const RecordView& record) {
  if (!engine_.network.may_be_free()) return false;
  if (!shared_.starts_or_gates.load(std::memory_order_relaxed)) return true;
  for (const EnvelopeId id : record.pending()) {
    if (engine_.network.route(id).kind == EventKind::start) return false;
  }
  for (const CellId cell : record.cells()) {
    if (cell != 0 && shared_.kernel.cell(cell).type->gated) return false;
  }
  return true;
}

void Expander::expand_free(const RecordView& record, std::uint16_t level) {
  const auto pending = record.pending();
  const auto cells = record.cells();
  if (pending.empty()) return look_at_end(cells, record.fingerprint());
  if (symmetry_) symmetry_->begin(cells, pending, record.fingerprint());
  const std::uint64_t from = record.fingerprint();
  const bool all = symmetry_ == nullptr && !shared_.bits;
  for (std::uint32_t i = 0; i < pending.size(); ++i) {
    const EnvelopeId id = pending[i];
    if (i > 0 && pending[i - 1] == id) continue;  // equal messages are one transition
    const Route& route = engine_.network.route(id);
    const Front::Known& known = engine_.front.leaves(cells[route.to], id);
    if (known.simple && all) [[likely]] {
      ++transitions;
      const std::uint64_t next = from + known.delta;
      look_up_later({next != 0 ? next : 1, known.leaves, record, i, 0});
      shared_.table.prefetch(next);
      continue;
    }
    const Alternative alternative{route.kind, i};
    for (const Leaf& leaf : std::span(known.begin(), known.end())) {
      ++transitions;
      if (fails(leaf, record, alternative)) continue;
      if (is_simple(leaf, cells)) {
        consider(record, i, leaf);
        continue;
      }
      decode_world(record);
      step_and_offer(alternative, &leaf, record.fingerprint(), level);
    }
  }
}

// A handler's own failure ends the execution there.
bool Expander::look_at_extras(const Extras& extras, const RecordView& record,
                              const Alternative& alternative) {
  if (!all_notified_ && !extras.notifications.empty()) note_notified(extras);
  const Failure* const failure = extras.failure();
  if (failure == nullptr) return false;
  sight({failure->property, failure->message, actor_of(record, alternative), no_step}, record.fingerprint(),
        0, false);
  return true;
}

// Whether the step changes its actor, takes its event and sends, and nothing else; all receivers are there.
bool Expander::is_simple(const Leaf& leaf, std::span<const CellId> cells) {
  const Transition& transition = leaf.transition;
  if (const Extras* extras = transition.extras; extras != nullptr) {
    if (!extras->timers.empty() || !extras->spawns().empty() || !extras->notifications.empty()) return false;
  }
  if (!transition.to_spawned) return true;
  return std::all_of(transition.outs().begin(), transition.outs().end(), [&](EnvelopeId id) {
    const Slot to = engine_.network.route(id).to;
    return to < cells.size() && cells[to] != 0;
  });
}

// Looked up later: what the table says of it takes a while to come.
void Expander::consider(const RecordView& record, std::uint32_t place, const Leaf& leaf) {
  std::uint64_t next = record.fingerprint() + leaf.delta;
  std::uint32_t permutation = 0;
  if (symmetry_) {
    const EnvelopeId taken = record.pending()[place];
    const Slot slot = engine_.network.route(taken).to;
    std::tie(next, permutation) = symmetry_->after(slot, record.cells()[slot], taken, leaf);
  }
  if (next == 0) next = 1;
  look_up_later({next, &leaf, record, place, permutation});
  shared_.prefetch(next);
}

void Expander::settle_batch(std::uint16_t level) {
  const std::span<const Candidate> batch(batch_.data(), std::exchange(batched_, 0));
  if (shared_.exact) {
    for (const Candidate& candidate : batch) {
      successor_.from = candidate.record.fingerprint();
      successor_.slot = slot_of(candidate);
      successor_.changed = candidate.leaf->transition.changed;
      successor_.told = nullptr;
      splice(candidate, successor_.words);
      offer(successor_, level);
    }
    return;
  }
  for (const Candidate& candidate : batch) {
    const StateTable::Outcome outcome =
        shared_.insert(candidate.fingerprint, candidate.record.fingerprint(), level);
    if (outcome != StateTable::Outcome::known) settle_new(candidate, outcome);
  }
}

// A state of a free world that is not known yet.
void Expander::settle_new(const Candidate& candidate, StateTable::Outcome outcome) {
  const Slot slot = slot_of(candidate);
  const bool changed = candidate.leaf->transition.changed;
  splice(candidate, scratch_);
  if (outcome == StateTable::Outcome::full) {
    overflow_.push_back({scratch_, candidate.record.fingerprint(), slot, changed, nullptr});
    return;
  }
  ++added_;
  follow_trail(candidate.record);
  accept(scratch_, slot, changed, nullptr);
}

Slot Expander::slot_of(const Candidate& candidate) {
  return engine_.network.route(candidate.record.pending()[candidate.place]).to;
}

// The successor's record, from its parent's: the event leaves, what is sent is sorted in. REQUIRES: unordered.
void Expander::splice(const Candidate& candidate, std::vector<std::uint32_t>& words) {
  const auto cells = candidate.record.cells();
  const auto pending = candidate.record.pending();
  const std::uint32_t position = candidate.place;
  const Transition& transition = candidate.leaf->transition;
  const std::size_t in_all = pending.size() - 1 + transition.sends_count;
  if (in_all > most_pending) throw UserError(too_large);
  words.resize(RecordView::header + cells.size() + in_all);
  std::uint32_t* to = words.data();
  *to++ = static_cast<std::uint32_t>(candidate.fingerprint);
  *to++ = static_cast<std::uint32_t>(candidate.fingerprint >> 32U);
  *to++ = static_cast<std::uint32_t>(cells.size() | (in_all << 16U));
  std::uint32_t* const new_cells = to;
  to = std::copy(cells.begin(), cells.end(), to);
  new_cells[engine_.network.route(pending[position]).to] = transition.next;
  std::uint32_t* const first = to;
  to = std::copy_n(pending.begin(), position, to);
  to = std::copy(pending.begin() + position + 1, pending.end(), to);
  for (const EnvelopeId sent : transition.outs()) {
    std::uint32_t* at = to++;
    for (; at > first && at[-1] > sent; --at) *at = at[-1];
    *at = sent;
  }
  GAINSAY_CHECK(to == words.data() + words.size(), "every event has its place");
  if (candidate.permutation != 0) symmetry_->rename(candidate.permutation, words, cells.size());
}

// Files a built successor, unless it is known.
void Expander::offer(Successor& successor, std::uint16_t level) {
  const RecordView record{successor.words.data()};
  std::uint64_t key = record.fingerprint();
  if (shared_.exact) {
    const std::lock_guard lock(shared_.exact_mutex);
    key = shared_.exact->key_of(key, std::span(successor.words).subspan(RecordView::header - 1));
  }
  switch (shared_.insert(key, successor.from, level)) {
    case StateTable::Outcome::known:
      return;
    case StateTable::Outcome::full:
      overflow_.push_back(successor);
      return;
    case StateTable::Outcome::added:
      ++added_;
      accept(successor.words, successor.slot, successor.changed, successor.told);
  }
}

void Expander::add_overflow(std::uint16_t level) {
  GAINSAY_CHECK(!shared_.bits, "a table of bits is never full");
  for (Successor& successor : std::exchange(overflow_, {})) offer(successor, level);
  shared_.count_added(std::exchange(added_, 0));
}

// A new state: judged, and queued for expansion if nobody complains.
void Expander::accept(const std::vector<std::uint32_t>& words, Slot slot, bool changed, const Extras* told,
                      bool first) {
  const RecordView record{words.data()};
  if (symmetry_) {
    if (auto complaint = orbits_->look(record.cells(), false)) {
      sight(std::move(complaint->violation), 0, record.fingerprint(), false, complaint->permutation);
      return;
    }
  } else if (told != nullptr || (changed && judge_.concerned(shared_.kernel.directory().id_of(slot)))) {
    const StepResult result{slot, changed, nullptr, told, told != nullptr, told != nullptr};
    if (auto violation = engine_.judge_step(judge_, StateReader(engine_, record.cells()), result, no_step)) {
      violation->actor = nobody;  // as a property says it of the state
      sight(std::move(*violation), 0, record.fingerprint(), false);
      return;
    }
  }
  if (!conditions_.empty() && !is_cold(record.cells())) hot_.add(words);
  const std::size_t length = words.size() + (shared_.bits && !first ? trail_.size() + 1 : 0);
  const bool full = !output_.empty() && output_.back().words.size() + length > Block::most_words;
  if (output_.empty() || full) {
    large_ = large_ || full;
    output_.emplace_back();
    if (!spare_.empty()) {
      output_.back().words = std::move(spare_.back());
      spare_.pop_back();
    }
    if (large_) output_.back().words.reserve(Block::most_words);
    if (shared_.bits && !first) output_.back().trail = trail_words_ + 1;
  }
  Block& block = output_.back();
  if (block.states > 0 && block.states % Block::states_between_cuts == 0)
    block.cuts.push_back(static_cast<std::uint32_t>(block.words.size()));
  block.words.insert(block.words.end(), words.begin(), words.end());
  if (shared_.bits && !first) {
    block.words.insert(block.words.end(), trail_.begin(), trail_.end());
    block.words.push_back(static_cast<std::uint32_t>(record.fingerprint()));
  }
  ++block.states;
  block.pending += record.pending_count();
}

bool Expander::is_cold(std::span<const CellId> cells) {
  for (const LivenessCondition& condition : conditions_) {
    if (!condition.is_monitor()) {
      if (heat_of(shared_.blueprint, condition, StateReader(engine_, cells)) != Heat::cold) return false;
      continue;
    }
    const CellId cell = cells[condition.monitor.raw];
    if (heat_.size() <= cell) heat_.resize(cell + std::size_t{1}, 0);
    if (heat_[cell] == 0)
      heat_[cell] = heat_of(shared_.blueprint, condition, StateReader(engine_, cells)) == Heat::cold ? 1 : 2;
    if (heat_[cell] == 2) return false;
  }
  return true;
}

void Expander::note_notified(const Extras& extras) {
  const std::vector<Slot>& monitors = shared_.kernel.monitors();
  notified_.resize(monitors.size(), false);
  for (const EnvelopeId notification : extras.notifications) {
    const auto at = std::find(monitors.begin(), monitors.end(), engine_.network.route(notification).to);
    GAINSAY_CHECK(at != monitors.end(), "who is notified is a monitor");
    notified_[static_cast<std::size_t>(at - monitors.begin())] = true;
  }
  all_notified_ = std::find(notified_.begin(), notified_.end(), false) == notified_.end();
}

void Expander::look_at_end(std::span<const CellId> cells, std::uint64_t fingerprint) {
  ++end_states;
  if (symmetry_) {
    if (auto complaint = orbits_->look(cells, true))
      sight(std::move(complaint->violation), fingerprint, 0, true, complaint->permutation);
    return;
  }
  if (auto violation = judge_.look_at_end(StateReader(engine_, cells), no_step))
    sight(std::move(*violation), fingerprint, 0, true);
}

void Expander::sight(Violation violation, std::uint64_t state, std::uint64_t successor, bool at_end,
                     std::size_t permutation) {
  const std::string key = violation_key(violation);
  Sighting sighting{std::move(violation), state, successor, at_end, permutation};
  if (shared_.bits) {
    sighting.trail = trail_;
    if (successor != 0) sighting.trail.push_back(static_cast<std::uint32_t>(successor));
  }
  const auto [where, added] = sightings.try_emplace(key, sighting);
  if (!added && sighting < where->second) where->second = std::move(sighting);
}

}  // namespace gainsay
