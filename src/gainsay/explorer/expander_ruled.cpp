// Worlds in which something waits, or something besides pending events may happen.
#include <algorithm>
#include <bit>

#include "gainsay/explorer/expander.hpp"

namespace gainsay {

// Whether it does not matter which of several equal pending events is taken: on a link that keeps no order,
// where messages carry no causal past and no time.
bool Expander::interchangeable(EnvelopeId id) {
  return !engine_.network.causal() && !engine_.network.queued() && !engine_.network.timed() &&
         engine_.network.route(id).order == Delivery::unordered;
}

void Expander::expand_ruled(const RecordView& record, const RecordRest& rest, std::uint16_t level) {
  Ruled& ruled = ruled_[current_];
  GAINSAY_CHECK(ruled.found.empty(), "what was found earlier is settled");
  ruled.record = record;
  try {
    opened_ = !shared_.exact && !symmetry_ && ruled.open.open(record, rest);
    if (!opened_ || !engine_.network.only_pending()) decode_world(record);
  } catch (...) {  // a gate threw
    sight(violation_of_exception(no_step), record.fingerprint(), 0, true);
    return;
  }
  if (opened_ && engine_.network.only_pending()) {
    expand_open(record, level);
  } else {
    expand_world(record, level);
  }
  settle_found(ruled_[1 - current_], level);
  current_ = 1 - current_;
}

void Expander::settle_found(Ruled& ruled, std::uint16_t level) {
  if (ruled.found.empty()) return;
  follow_trail(ruled.record);
  const std::uint64_t from = ruled.record.fingerprint();
  for (const Found& found : ruled.found) {
    const StateTable::Outcome outcome = shared_.insert(found.fingerprint, from, level);
    if (outcome != StateTable::Outcome::known) settle(ruled, found, outcome);
  }
  ruled.found.clear();
}

void Expander::decode_world(const RecordView& record) {
  if (decoded_ == record.words) return;
  decoded_ = nullptr;  // while it is read, which may throw
  decode(record, engine_, world_);
  decoded_ = record.words;
}

// One outcome of an alternative: looked up by its fingerprint where that is known without the step.
inline void Expander::try_outcome(Ruled& ruled, const Alternative& alternative, const Leaf* leaf,
                                  std::uint16_t level) {
  ++transitions;
  const std::uint64_t from = ruled.record.fingerprint();
  if (leaf != nullptr && fails(*leaf, ruled.record, alternative)) return;
  std::uint64_t next = 0;
  if (!opened_ || !ruled.open.difference(alternative, leaf, next)) {
    decode_world(ruled.record);
    return step_and_offer(alternative, leaf, from, level);
  }
  find(ruled, from + next, leaf, alternative);
}

// Where nothing but pending events can happen. All are looked up before the first is tried, so that what is read of
// them comes meanwhile.
void Expander::expand_open(const RecordView& record, std::uint16_t level) {
  Ruled& ruled = ruled_[current_];
  OpenRecord& open = ruled.open;
  const std::uint64_t ready = open.ready();
  if (ready == 0) look_at_end(record.cells(), record.fingerprint());
  const auto pending = record.pending();
  const auto cells = record.cells();
  const bool may_merge = !engine_.network.causal();
  std::size_t count = 0;
  for (std::uint64_t left = ready; left != 0; left &= left - 1) {
    const auto place = static_cast<std::uint32_t>(std::countr_zero(left));
    const EnvelopeId id = pending[place];
    if (may_merge && interchangeable(id)) {
      std::uint64_t before = ready & (places::bit(place) - 1);
      while (before != 0 && pending[static_cast<std::size_t>(std::countr_zero(before))] != id)
        before &= before - 1;
      if (before != 0) continue;
    }
    const Front::Known& known = engine_.front.leaves(cells[open.receiver(place)], id);
    __builtin_prefetch(known.leaves);
    tried_[count++] = {known.leaves, known.count, place};
  }
  for (const Tried& each : std::span(tried_.data(), count)) {
    const Alternative alternative{open.kind(each.place), each.place};
    transitions += each.count;
    for (const Leaf& leaf : std::span(each.leaves, each.count)) {
      if (fails(leaf, record, alternative)) continue;
      std::uint64_t added = 0;
      if (open.of_event(each.place, leaf, added)) [[likely]] {
        find(ruled, record.fingerprint() + added, &leaf, alternative);
      } else {
        decode_world(record);
        step_and_offer(alternative, &leaf, record.fingerprint(), level);
      }
    }
  }
}

void Expander::expand_world(const RecordView& record, std::uint16_t level) {
  engine_.network.enabled(world_, alternatives_);
  if (alternatives_.quiescent) look_at_end(world_.cells, record.fingerprint());
  const std::vector<Alternative>& list = alternatives_.list;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Alternative alternative = list[i];
    if (alternative.kind == EventKind::stop) continue;
    if (alternative.kind <= EventKind::corrupt &&
        interchangeable(world_.pending[alternative.target].envelope)) {
      const auto same = [&](const Alternative& other) {
        return other.kind == alternative.kind &&
               world_.pending[other.target].envelope == world_.pending[alternative.target].envelope;
      };
      if (std::any_of(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i), same)) continue;
    }
    const std::span<const Leaf> leaves = engine_.leaves_of(world_, alternative);
    if (leaves.empty()) try_outcome(ruled_[current_], alternative, nullptr, level);
    for (const Leaf& leaf : leaves) try_outcome(ruled_[current_], alternative, &leaf, level);
  }
}

// Whose handler is called.
ActorId Expander::actor_of(const RecordView& record, const Alternative& alternative) const {
  if (is_ordinary(alternative.kind))
    return shared_.kernel.envelope(record.pending()[alternative.target]).receiver;
  return engine_.event_of(world_, alternative).receiver;
}

// A state that is not known yet.
void Expander::settle(Ruled& ruled, const Found& found, StateTable::Outcome outcome) {
  const std::uint64_t from = ruled.record.fingerprint();
  if (outcome == StateTable::Outcome::added) ++added_;
  std::optional<OpenRecord::Change> change;
  try {
    if (is_ordinary(found.alternative.kind))
      change = ruled.open.splice(found.alternative.target, *found.leaf, found.fingerprint, scratch_);
  } catch (...) {  // a gate threw
    sight(violation_of_exception(no_step), from, 0, false);
    return;
  }
  if (!change) {
    decode_world(ruled.record);
    ChoicePath nothing_is_asked;
    if (!step(found.alternative, found.leaf, from, nothing_is_asked)) return;  // a gate threw
    scratch_.clear();
    encode(next_, found.fingerprint, engine_.network, scratch_, record_order());
    change = {result_.slot, result_.changed, result_.monitors_changed ? result_.extras : nullptr};
  }
  if (outcome == StateTable::Outcome::full) {
    overflow_.push_back({scratch_, from, change->slot, change->changed, change->told});
  } else {
    accept(scratch_, change->slot, change->changed, change->told);
  }
}

// Takes `next_` one step beyond `world_`; false where that is a violation, which is noted.
bool Expander::step(const Alternative& alternative, const Leaf* leaf, std::uint64_t from, Asker& asker) {
  static const Leaf nothing;
  next_ = world_;
  try {
    engine_.stepper.step_known(next_, alternative, leaf != nullptr ? *leaf : nothing, asker, result_);
  } catch (...) {
    sight(violation_of_exception(no_step), from, 0, false);
    return false;
  }
  if (!next_.live.empty())
    throw UserError("a handler spawns an opaque actor, which explore does not support");
  if (next_.starts_pending > 0 || next_.gated) shared_.starts_or_gates.store(true, std::memory_order_relaxed);
  if (result_.failure == nullptr) return true;
  const ActorId actor =
      result_.slot == Directory::no_slot ? nobody : shared_.kernel.directory().id_of(result_.slot);
  sight({result_.failure->property, result_.failure->message, actor, no_step}, from, 0, false);
  return false;
}

// Executes an alternative of `world_` and files what it leads to: one world, or more where it is open whether what
// waited is late (simulated time).
void Expander::step_and_offer(const Alternative& alternative, const Leaf* leaf, std::uint64_t from,
                              std::uint16_t level) {
  ChoicePath lateness;
  do {
    lateness.rewind();
    if (!step(alternative, leaf, from, lateness)) continue;
    successor_.words.clear();
    successor_.from = from;
    successor_.slot = result_.slot;
    successor_.changed = result_.changed;
    successor_.told = result_.monitors_changed ? result_.extras : nullptr;
    const std::uint64_t fingerprint = symmetry_ ? symmetry_->canonicalise(next_) : engine_.hash.of(next_);
    encode(next_, fingerprint, engine_.network, successor_.words, record_order());
    offer(successor_, level);
  } while (lateness.advance());
}

}  // namespace gainsay
