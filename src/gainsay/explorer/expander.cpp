#include "gainsay/explorer/expander.hpp"

#include <algorithm>

#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/execution/run/execution.hpp"
#include "gainsay/execution/world/choice_path.hpp"

namespace gainsay {

// --- CellsReader ---

CellId CellsReader::cell_of(ActorId actor) const {
  Slot slot = actor.raw;
  if (is_spawned(actor)) {
    std::unique_lock<std::mutex> lock(shared_.mutex, std::defer_lock);
    if (!locked_) lock.lock();
    slot = shared_.kernel.directory().slot_of(actor);
  }
  return slot < cells_.size() ? cells_[slot] : 0;
}

WorldReader::Status CellsReader::status(ActorId actor) const {
  const CellId cell = cell_of(actor);
  return cell == 0 ? Status::absent : shared_.kernel.cell(cell).status;
}

const ActorType* CellsReader::type(ActorId actor) const {
  const CellId cell = cell_of(actor);
  return cell == 0 ? nullptr : shared_.kernel.cell(cell).type;
}

const void* CellsReader::state(ActorId actor) const {
  const CellId cell = cell_of(actor);
  return cell == 0 ? nullptr : shared_.kernel.cell(cell).data;
}

const void* CellsReader::durable(ActorId actor, const ValueType& type) const {
  const CellId cell = cell_of(actor);
  if (cell == 0) return nullptr;
  const ValueId stored = shared_.kernel.cell(cell).durable;
  return stored != 0 && shared_.kernel.value(stored).type == &type ? shared_.kernel.value(stored).data
                                                                   : nullptr;
}

std::vector<ActorId> CellsReader::actors() const {
  std::vector<ActorId> ids;
  for (Slot slot = 0; slot < cells_.size(); ++slot) {
    if (cells_[slot] != 0 && !shared_.kernel.is_monitor(slot))
      ids.push_back(shared_.kernel.directory().id_of(slot));
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::string CellsReader::name(ActorId actor) const {
  std::unique_lock<std::mutex> lock(shared_.mutex, std::defer_lock);
  if (!locked_) lock.lock();
  return shared_.kernel.directory().name_of(actor);
}

// --- Expander ---

void Expander::begin(const WorldState& world) {
  if (shared_.symmetry) shared_.symmetry->require_fixed(world);
  successor_.words.clear();
  encode(world, shared_.hash.of(world), shared_.network, successor_.words);
  const RecordView record{successor_.words.data()};
  if (shared_.exact) {
    shared_.exact->key_of(record.fingerprint(), std::span(successor_.words).subspan(RecordView::header - 1));
  }
  shared_.insert(record.fingerprint(), 0, 1);
  shared_.count_added(1);
  const CellsReader reader(shared_, world.cells, true);
  if (auto violation = judge_.look(reader, nobody, no_step)) {
    sight(std::move(*violation), record.fingerprint(), 0, true);
    return;
  }
  accept(successor_.words, nobody, true, false, true);
}

void Expander::expand(const Block& block, std::uint16_t level) {
  const bool plain = shared_.network.plain() && !shared_.symmetry;
  std::size_t at = 0;
  trail_words_ = block.trail;
  for (std::uint32_t i = 0; i < block.states; ++i) {
    const RecordView record{block.words.data() + at};
    at += record_words(record, shared_.network) + block.trail;
    follow_trail(record);
    if (plain && !(shared_.starts_possible.load(std::memory_order_relaxed) && has_start(record))) {
      expand_fast(record, level);
    } else {
      expand_slow(record, level);
    }
  }
  settle_batch(level);
  shared_.count_added(std::exchange(added_, 0));
}

// From now on successors are those of this record.
void Expander::follow_trail(const RecordView& record) {
  if (!shared_.bits) return;
  const std::uint32_t* trail = record.words + record_words(record, shared_.network);
  trail_.assign(trail, trail + trail_words_);
}

// Whether the world is not plain after all: a start is pending, or a gated actor was spawned.
bool Expander::has_start(const RecordView& record) const {
  for (const EnvelopeId id : record.pending()) {
    if (envelope(id).kind == EventKind::start) return true;
  }
  for (const CellId cell : record.cells()) {
    if (cell != 0 && shared_.kernel.cell(cell).type->gated) return true;
  }
  return false;
}

Slot Expander::receiver_of(EnvelopeId id) {
  while (receivers_.size() <= id)
    receivers_.push_back(envelope(static_cast<EnvelopeId>(receivers_.size())).to);
  return receivers_[id];
}

// Whether everybody is there to whom a transition sends.
bool Expander::all_there(const Transition& transition, std::span<const CellId> cells) {
  for (const EnvelopeId id : transition.outs()) {
    const Slot to = receiver_of(id);
    if (to >= cells.size() || cells[to] == 0) return false;
  }
  return true;
}

void Expander::expand_fast(const RecordView& record, std::uint16_t level) {
  const auto pending = record.pending();
  const auto cells = record.cells();
  const std::uint64_t fingerprint = record.fingerprint();
  if (pending.empty()) {
    look_at_end(cells, fingerprint, false);
    return;
  }
  for (std::uint32_t i = 0; i < pending.size(); ++i) {
    const EnvelopeId id = pending[i];
    if (i > 0 && pending[i - 1] == id) continue;  // equal messages are one transition
    const CellId cell = cells[receiver_of(id)];
    const std::uint64_t key = (static_cast<std::uint64_t>(cell) << 32U) | id;
    CacheLine& line = cache_[(key * 0x9e3779b97f4a7c15ULL) >> (64 - cache_bits)];
    if (line.key != key) line = {key, single_transition(cell, id)};
    if (line.transition == nullptr || (line.transition->to_spawned && !all_there(*line.transition, cells))) {
      expand_event_slow(record, i, level);
      continue;
    }
    ++transitions;
    if (line.transition->extras != nullptr && line.transition->extras->failure) {
      const Failure& failure = *line.transition->extras->failure;
      sight({failure.property, failure.message, envelope(id).receiver, no_step}, fingerprint, 0, false);
      continue;
    }
    const std::uint64_t next = fingerprint + line.transition->delta;
    batch_.push_back({next != 0 ? next : 1, line.transition, record, i});
    shared_.prefetch(next);
  }
  if (batch_.size() >= batch_size) settle_batch(level);
}

// The one transition of an event that asks nothing and neither spawns nor touches timers; null for others.
const Transition* Expander::single_transition(CellId cell, EnvelopeId id) {
  const std::lock_guard lock(shared_.mutex);
  const Transition* only = shared_.kernel.only_transition(cell, id);
  if (only == nullptr || only->extras == nullptr) return only;
  return only->extras->timers.empty() && only->extras->spawns.empty() && only->extras->notifications.empty()
             ? only
             : nullptr;
}

void Expander::settle_batch(std::uint16_t level) {
  for (const Candidate& candidate : batch_) {
    const std::uint64_t from = candidate.record.fingerprint();
    const ActorId changed = candidate.transition->changed
                                ? envelope(candidate.record.pending()[candidate.position]).receiver
                                : nobody;
    if (shared_.exact) {
      build(candidate, successor_.words);
      successor_.from = from;
      successor_.changed = changed;
      successor_.told = false;
      offer(successor_, level, false);
      continue;
    }
    follow_trail(candidate.record);
    const StateTable::Outcome outcome = shared_.insert(candidate.fingerprint, from, level);
    if (outcome == StateTable::Outcome::known) continue;
    build(candidate, scratch_);
    if (outcome == StateTable::Outcome::full) {
      overflow_.push_back({scratch_, from, changed});
      continue;
    }
    ++added_;
    accept(scratch_, changed, false);
  }
  batch_.clear();
}

// The successor's record: the consumed envelope leaves, what is sent is sorted in.
void Expander::build(const Candidate& candidate, std::vector<std::uint32_t>& words) const {
  const auto cells = candidate.record.cells();
  const auto pending = candidate.record.pending();
  const Transition& transition = *candidate.transition;
  const std::size_t in_all = pending.size() - 1 + transition.sends_count;
  if (in_all > most_pending) throw UserError(too_large);
  const auto count = static_cast<std::uint32_t>(in_all);
  words.clear();
  words.push_back(static_cast<std::uint32_t>(candidate.fingerprint));
  words.push_back(static_cast<std::uint32_t>(candidate.fingerprint >> 32U));
  words.push_back(static_cast<std::uint32_t>(cells.size()) | (count << 16U));
  words.insert(words.end(), cells.begin(), cells.end());
  words[RecordView::header + envelope(pending[candidate.position]).to] = transition.next;
  words.insert(words.end(), pending.begin(), pending.begin() + candidate.position);
  words.insert(words.end(), pending.begin() + candidate.position + 1, pending.end());
  const std::size_t first = RecordView::header + cells.size();
  for (const EnvelopeId sent : transition.outs()) {
    std::size_t at = words.size();
    words.push_back(sent);
    for (; at > first && words[at - 1] > sent; --at) words[at] = words[at - 1];
    words[at] = sent;
  }
}

// Files a built successor, unless it is known.
void Expander::offer(Successor& successor, std::uint16_t level, bool locked) {
  const RecordView record{successor.words.data()};
  std::uint64_t key = record.fingerprint();
  if (shared_.exact)
    key = shared_.exact->key_of(key, std::span(successor.words).subspan(RecordView::header - 1));
  switch (shared_.insert(key, successor.from, level)) {
    case StateTable::Outcome::known:
      return;
    case StateTable::Outcome::full:
      overflow_.push_back(successor);
      return;
    case StateTable::Outcome::added:
      ++added_;
      accept(successor.words, successor.changed, locked, successor.told);
  }
}

void Expander::add_overflow(std::uint16_t level) {
  for (Successor& successor : std::exchange(overflow_, {})) offer(successor, level, false);
  shared_.count_added(std::exchange(added_, 0));
}

// A new state: judged, and queued for expansion if nobody complains.
void Expander::accept(const std::vector<std::uint32_t>& words, ActorId changed, bool locked, bool told,
                      bool first) {
  const RecordView record{words.data()};
  if (told) changed = nobody;
  if (shared_.symmetry) {
    if (auto complaining = look_at_orbit(record.cells(), false)) {
      sight(std::move(complaining->violation), 0, record.fingerprint(), false, complaining->permutation);
      return;
    }
  } else if (told || (changed != nobody && judge_.concerned(changed))) {
    const CellsReader reader(shared_, record.cells(), locked);
    if (auto violation = judge_.look(reader, changed, no_step)) {
      sight(std::move(*violation), 0, record.fingerprint(), false);
      return;
    }
  }
  if (!shared_.kernel.monitors().empty() && is_hot(record.cells()))
    hot_.insert(hot_.end(), words.begin(), words.end());
  if (output_.empty() || output_.back().states >= Block::most_states) {
    const std::size_t expected = output_.empty() ? 0 : output_.back().words.size();
    output_.emplace_back();
    output_.back().words.reserve(expected + expected / 8);
    if (shared_.bits && !first) output_.back().trail = trail_words_ + 1;
  }
  Block& block = output_.back();
  block.words.insert(block.words.end(), words.begin(), words.end());
  if (shared_.bits && !first) {
    block.words.insert(block.words.end(), trail_.begin(), trail_.end());
    block.words.push_back(static_cast<std::uint32_t>(record.fingerprint()));
  }
  ++block.states;
  block.pending += record.pending_count();
}

bool Expander::is_hot(std::span<const CellId> cells) {
  for (const Slot slot : shared_.kernel.monitors()) {
    if (shared_.blueprint.actors[slot].type->hot == nullptr) continue;
    const CellId cell = cells[slot];
    if (heat_.size() <= cell) heat_.resize(cell + std::size_t{1}, 0);
    if (heat_[cell] == 0)
      heat_[cell] = shared_.blueprint.actors[slot].type->hot(shared_.kernel.cell(cell).data) ? 2 : 1;
    if (heat_[cell] == 2) return true;
  }
  return false;
}

void Expander::note_told(const StepResult& result) {
  const std::vector<Slot>& monitors = shared_.kernel.monitors();
  notified_.resize(monitors.size(), false);
  for (const EnvelopeId told : result.extras->notifications) {
    const auto at = std::find(monitors.begin(), monitors.end(), envelope(told).to);
    notified_[static_cast<std::size_t>(at - monitors.begin())] = true;
  }
}

void Expander::look_at_end(std::span<const CellId> cells, std::uint64_t fingerprint, bool locked) {
  ++end_states;
  if (shared_.symmetry) {
    if (auto complaining = look_at_orbit(cells, true))
      sight(std::move(complaining->violation), fingerprint, 0, true, complaining->permutation);
    return;
  }
  const CellsReader reader(shared_, cells, locked);
  if (auto violation = judge_.look_at_end(reader, no_step))
    sight(std::move(*violation), fingerprint, 0, true);
}

std::optional<Violation> Expander::look_at_image(std::size_t permutation, std::span<const CellId> cells,
                                                 bool at_end) {
  shared_.symmetry->image(permutation, cells, image_);
  const CellsReader reader(shared_, image_, true);
  return at_end ? judge_.look_at_end(reader, no_step) : judge_.look(reader, nobody, no_step);
}

// Properties need not be symmetric: they are asked about every state of the orbit, and one complaint is enough. Then the
// orbit is not expanded, so all states on the way to a complaint are right, under every permutation.
// REQUIRES: the mutex is held.
std::optional<Expander::Complaining> Expander::look_at_orbit(std::span<const CellId> cells, bool at_end) {
  std::vector<std::uint64_t>& right = at_end ? right_at_end_ : right_;
  if (right.empty()) right.resize(cache_size, 0);
  const std::uint64_t orbit = shared_.symmetry->orbit_of(cells);
  std::uint64_t& line = right[(orbit * 0x9e3779b97f4a7c15ULL) >> (64 - cache_bits)];
  if (line == orbit) return std::nullopt;
  std::optional<Complaining> first;
  bool right_somewhere = false;
  for (std::size_t p = 0; p < shared_.symmetry->order(); ++p) {
    auto violation = look_at_image(p, cells, at_end);
    right_somewhere = right_somewhere || !violation;
    if (violation && !first) first = Complaining{std::move(*violation), p};
  }
  if (!first) line = orbit;
  if (first && right_somewhere) asymmetric_.insert(first->violation.property);
  return first;
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

// What a gate or a fault's function throws is a finding; what the user did wrong otherwise, or lack of
// memory, is not. REQUIRES: called from a catch block.
void Expander::sight_exception(std::uint64_t state, bool at_end) {
  try {
    throw;
  } catch (const UserError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    sight({"exception", foreign_exception_text(current_exception_text()), nobody, no_step}, state, 0, at_end);
  }
}

// --- everything that is not a plain step ---

void Expander::expand_event_slow(const RecordView& record, std::uint32_t position, std::uint16_t level) {
  const std::lock_guard lock(shared_.mutex);
  decode(record, shared_.kernel, shared_.network, world_);
  expand_alternative({envelope(record.pending()[position]).kind, position}, record.fingerprint(), level);
}

// Whether it does not matter which of several equal pending events is taken: on a link that keeps no order,
// where messages carry no causal past.
bool Expander::interchangeable(EnvelopeId id) const {
  return !shared_.network.causal() && shared_.network.order_of(envelope(id)) == Delivery::unordered;
}

void Expander::expand_slow(const RecordView& record, std::uint16_t level) {
  const std::lock_guard lock(shared_.mutex);
  decode(record, shared_.kernel, shared_.network, world_);
  try {
    shared_.network.enabled(world_, alternatives_);
  } catch (...) {
    sight_exception(record.fingerprint(), true);
    return;
  }
  if (alternatives_.quiescent) look_at_end(world_.cells, record.fingerprint(), true);
  const std::vector<Alternative> alternatives = alternatives_.list;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    const Alternative& alternative = alternatives[i];
    if (alternative.kind == EventKind::stop) continue;
    const bool repeated =
        alternative.kind <= EventKind::corrupt &&
        interchangeable(world_.pending[alternative.target].envelope) &&
        std::any_of(alternatives.begin(), alternatives.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const Alternative& other) {
                      return other.kind == alternative.kind &&
                             world_.pending[other.target].envelope ==
                                 world_.pending[alternative.target].envelope;
                    });
    if (!repeated) expand_alternative(alternative, record.fingerprint(), level);
  }
  if (shared_.equivariance) shared_.equivariance->check();
}

// Every outcome of one alternative of `world_`. REQUIRES: the mutex is held.
void Expander::expand_alternative(const Alternative& alternative, std::uint64_t from, std::uint16_t level) {
  ChoicePath path;
  do {
    path.rewind();
    next_ = world_;
    ++transitions;
    StepResult result;
    try {
      result = shared_.stepper.step(next_, alternative, path);
    } catch (...) {
      sight_exception(from, false);
      continue;
    }
    if (!next_.live.empty()) throw UserError("a handler spawns an opaque actor; explore cannot follow it");
    if (next_.starts_pending > 0 || !next_.plain) shared_.starts_possible = true;
    if (result.notified) note_told(result);
    const ActorId changed =
        result.slot == Directory::no_slot ? nobody : shared_.kernel.directory().id_of(result.slot);
    if (result.failure != nullptr) {
      sight({result.failure->property, result.failure->message, changed, no_step}, from, 0, false);
      continue;
    }
    successor_.words.clear();
    successor_.from = from;
    successor_.changed = result.changed ? changed : nobody;
    successor_.told = result.notified;
    const std::uint64_t fingerprint =
        shared_.symmetry ? shared_.symmetry->canonicalise(next_) : shared_.hash.of(next_);
    encode(next_, fingerprint, shared_.network, successor_.words);
    offer(successor_, level, true);
  } while (path.advance());
}

}  // namespace gainsay
