#include "gainsay/strategy/searches/search_stack.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"

namespace gainsay {

bool SearchStack::State::is_enabled(Handle handle) const {
  return std::find(enabled.begin(), enabled.end(), handle) != enabled.end();
}

void SearchStack::begin(const WorldTraits& world, const DependenceRules& rules) {
  world_ = world;
  rules_ = rules;
  clear();
}

void SearchStack::clear() {
  known_.clear();
  index_.clear();
  step_count_ = 0;
  state_count_ = 0;
}

Handle SearchStack::find(EventId id) const {
  const auto found = index_.find(id.raw);
  return found == index_.end() ? no_handle : found->second;
}

Handle SearchStack::add_known(const Event& event) {
  const auto handle = static_cast<Handle>(known_.size());
  known_.push_back({event, {}, false, no_step});
  index_.emplace(event.id.raw, handle);
  return handle;
}

SearchStack::State& SearchStack::open(const ChoicePoint& point) {
  GAINSAY_CHECK(state_count_ == step_count_ && point.step() == step_count_, "one state before each step");
  if (states_.size() == state_count_) states_.emplace_back();
  State& state = states_[state_count_++];
  state.enabled.clear();
  state.pending.clear();
  state.ordinary = point.ordinary();
  state.has_stop = false;
  const EventSource& source = point.source();
  const auto handle_at = [&](std::size_t position) {
    Handle handle = find(source.pending_id(position));
    if (handle == no_handle) handle = add_known(source.pending_event(position));
    Known& known = known_[handle];
    if (!known.looked_at) {
      known.traits = source.traits_of(position);
      known.looked_at = true;
    }
    return handle;
  };
  for (std::size_t i = 0; i < point.ordinary(); ++i)
    state.enabled.push_back(handle_at(source.position_of(i)));
  for (std::size_t i = point.ordinary(); i < point.size(); ++i) {
    const Event event = point.event(i);
    state.has_stop = event.kind == EventKind::stop;
    Handle handle = find(event.id);
    if (handle == no_handle) handle = add_known(event);
    known_[handle].looked_at = true;
    state.enabled.push_back(handle);
  }
  if (source.pending_count() != point.ordinary()) {
    for (std::size_t i = 0; i < source.pending_count(); ++i) state.pending.push_back(handle_at(i));
  }
  state.known_end = known_count();
  GAINSAY_CHECK(state.enabled.size() == point.size() && index_.size() == known_.size(),
                "every alternative has a handle, every event one");
  return state;
}

bool SearchStack::is_same(const State& state, const ChoicePoint& point) const {
  return state.enabled.size() == point.size() && state.ordinary == point.ordinary();
}

SearchStack::Step& SearchStack::execute(Handle handle, const EffectFlags& flags,
                                        std::span<const Event> created, std::uint64_t answers) {
  GAINSAY_CHECK(state_count_ == step_count_ + 1, "a step follows its state");
  GAINSAY_CHECK(handle < known_.size() && known_[handle].executed == no_step, "an event is executed once");
  if (steps_.size() == step_count_) steps_.emplace_back();
  const std::size_t j = step_count_;
  Step& step = steps_[j];
  step.handle = handle;
  step.flags = flags;
  step.answers = answers;
  step.past.clear();
  step.causes.clear();
  step.races.clear();
  const Known& known = known_[handle];
  GAINSAY_CHECK(known.event.parent == no_step || known.event.parent < j,
                "an event is created before it is executed");
  footprint_of(known.event, known.traits.key, flags, created, world_, rules_, step.footprint);
  std::uint64_t sum = 0;
  const auto follows = [&](std::size_t i) {
    step.past.add(i);
    step.past.add(steps_[i].past);
    sum += scramble(steps_[i].hash);
  };
  const std::uint32_t parent = known.event.parent;
  if (parent != no_step) follows(parent);
  for (std::size_t i = j; i-- > 0;) {
    if (step.past.has(i) || !dependent(steps_[i].footprint, step.footprint, rules_)) continue;
    follows(i);
    if (!waited(i, handle)) step.races.push_back(static_cast<std::uint32_t>(i));
  }
  step.hash = mix(mix(known.event.id.raw, answers + 1), sum);
  if (world_.causal) {
    const auto caused = [&](std::size_t i) {
      step.causes.add(i);
      step.causes.add(steps_[i].causes);
    };
    // A fault concerns a message, but nobody learns of it.
    if (parent != no_step && is_ordinary(known.event.kind)) caused(parent);
    for (std::size_t i = j; i-- > 0;) {
      if (event_of(i).receiver != known.event.receiver) continue;
      caused(i);
      break;
    }
  }
  known_[handle].executed = static_cast<std::uint32_t>(j);
  ++step_count_;
  for (const Event& each : created) {
    if (find(each.id) == no_handle) add_known(each);
  }
  return step;
}

void SearchStack::return_to(std::size_t step) {
  GAINSAY_CHECK(step < state_count_, "a state of this execution");
  for (std::size_t i = step; i < step_count_; ++i) known_[steps_[i].handle].executed = no_step;
  step_count_ = step;
  state_count_ = step + 1;
  for (Handle handle = states_[step].known_end; handle < known_.size(); ++handle)
    index_.erase(known_[handle].event.id.raw);
  known_.resize(states_[step].known_end);
  GAINSAY_CHECK(index_.size() == known_.size(), "what became known later is forgotten");
}

bool SearchStack::waited(std::size_t i, Handle later) const {
  const Known& known = known_[later];
  const Known& earlier = known_[steps_[i].handle];
  if (earlier.event.kind == EventKind::start && is_ordinary(known.event.kind) &&
      earlier.event.receiver == known.event.receiver)
    return true;
  // Only what happens at its receiver can enable it; if the two meet elsewhere, something else may have done so.
  const bool at_receiver = earlier.event.receiver == nobody || earlier.event.receiver == known.event.receiver;
  if (later < states_[i].known_end) return at_receiver && !states_[i].is_enabled(later);
  const bool both_deliver = earlier.event.kind == EventKind::deliver &&
                            known.event.kind == EventKind::deliver &&
                            earlier.event.receiver == known.event.receiver;
  if (!both_deliver || known.traits.gated || earlier.traits.gated) return false;
  if (earlier.traits.order != known.traits.order && known.traits.order != Delivery::fifo) return false;
  switch (known.traits.order) {
    case Delivery::unordered:
      return false;
    case Delivery::fifo:
      return earlier.event.sender == known.event.sender;
    case Delivery::mailbox:
      return true;
    case Delivery::queue:
      GAINSAY_CHECK(false, "reductions refuse queue order");
      return false;
    case Delivery::causal: {
      // Whether the sending of the earlier one is among the causes of the sending of the later one.
      const std::uint32_t parent = known.event.parent;
      const std::uint32_t other = earlier.event.parent;
      if (other == no_step || parent == no_step) return false;
      // A duplicate or a changed message was sent when the original was; a cut, or a crash of the receiver, swallows
      // what it should have taught.
      if (is_fault(event_of(parent).kind) || is_fault(event_of(other).kind)) return false;
      for (const EventKind swallows : {EventKind::partition, EventKind::isolate, EventKind::crash}) {
        if (world_.budgets[static_cast<std::size_t>(swallows)] > 0) return false;
      }
      // What was sent in one step is learned of one by one: only a later step of the sender knows of all of it.
      for (std::size_t k = other + 1; k <= parent; ++k) {
        if (event_of(k).receiver == event_of(other).receiver && (k == parent || steps_[parent].causes.has(k)))
          return true;
      }
      return false;
    }
  }
  return false;
}

void SearchStack::unrelated(std::size_t i, std::size_t end, std::vector<std::uint32_t>& out) const {
  GAINSAY_CHECK(i < end && end <= step_count_, "steps of this execution");
  out.clear();
  for (std::size_t k = i + 1; k < end; ++k) {
    if (!before(i, k)) out.push_back(static_cast<std::uint32_t>(k));
  }
}

void SearchStack::initials(std::span<const std::uint32_t> steps, std::vector<std::uint32_t>& out) const {
  out.clear();
  for (std::size_t k = 0; k < steps.size(); ++k) {
    bool first = true;
    for (std::size_t l = 0; l < k && first; ++l) first = !before(steps[l], steps[k]);
    if (first) out.push_back(steps[k]);
  }
}

std::uint64_t SearchStack::class_hash() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < step_count_; ++i) sum += scramble(steps_[i].hash);
  return sum;
}

}  // namespace gainsay
