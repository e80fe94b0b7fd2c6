// SearchStack: the current execution of a search, step by step, with what was possible before each step.
//
// It knows events (pending or executed) by handles, the footprint of every executed step, and happens-before as one
// set of steps per step: those that it depends on, that created it, and theirs. It answers what reductions ask: which
// earlier steps race with a step, which steps do not follow from one, which of some steps may come first. Sizes are in
// proportion to steps times pending events (and to the square of steps, in bits).
//
// A race is a pair of dependent steps with nothing between them, of which the later might have come first. It is an
// edge and no race where the later one had to wait: it was pending and not enabled before the earlier one; the earlier
// one was its receiver's start; or the link orders them (fifo, mailbox: as they were sent; causal: by causes, which
// are kept apart here, since dependence adds more to happens-before than causes). Gates make orders of links elastic
// (what is refused is overtaken), so with gates only what was seen not to be enabled counts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/strategy/choice_point.hpp"
#include "gainsay/strategy/dependence.hpp"

namespace gainsay {

// A set of small numbers.
class StepSet {
 public:
  void clear() { words_.clear(); }
  void add(std::size_t i) {
    if (i / 64 >= words_.size()) words_.resize(i / 64 + 1, 0);
    words_[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  void add(const StepSet& other) {
    if (other.words_.size() > words_.size()) words_.resize(other.words_.size(), 0);
    for (std::size_t w = 0; w < other.words_.size(); ++w) words_[w] |= other.words_[w];
  }
  bool has(std::size_t i) const { return i / 64 < words_.size() && (words_[i / 64] >> (i % 64) & 1U) != 0; }

 private:
  std::vector<std::uint64_t> words_;
};

using Handle = std::uint32_t;
inline constexpr Handle no_handle = 0xffffffffU;

class SearchStack {
 public:
  struct Known {
    Event event;
    EventTraits traits;
    bool looked_at = false;            // its traits are known
    std::uint32_t executed = no_step;  // the step that executed it
  };
  struct Step {
    Handle handle = no_handle;
    EffectFlags flags;
    Footprint footprint;
    StepSet past;                      // happens-before
    StepSet causes;                    // causal worlds only: by creation and by actor
    std::vector<std::uint32_t> races;  // earlier steps that race with this one, newest first
    std::uint64_t hash = 0;            // of its id, its answers and its past
    std::uint64_t answers = 0;         // hash of its data choices
  };
  // What was there before a step.
  struct State {
    std::vector<Handle> enabled;  // by alternative
    std::vector<Handle> pending;  // ordinary ones, enabled or not; empty where it is the same
    std::size_t ordinary = 0;
    Handle known_end = 0;   // handles below were known when the state was first seen
    bool has_stop = false;  // the last alternative is to stop
    bool is_enabled(Handle handle) const;
    std::span<const Handle> all_pending() const {
      return pending.empty() ? std::span<const Handle>(enabled.data(), ordinary)
                             : std::span<const Handle>(pending);
    }
  };

  void begin(const WorldTraits& world, const DependenceRules& rules);

  // The state before step `steps()`, as it was found now.
  State& open(const ChoicePoint& point);
  // Whether it looks as it did when it was opened.
  bool is_same(const State& state, const ChoicePoint& point) const;
  // A step from the last state. `answers` is the hash of the data choices.
  Step& execute(Handle handle, const EffectFlags& flags, std::span<const Event> created,
                std::uint64_t answers);
  // Back to the state before `step`, which stays open.
  void return_to(std::size_t step);
  void clear();

  std::size_t steps() const { return step_count_; }
  std::size_t states() const { return state_count_; }
  const Step& step(std::size_t i) const { return steps_[i]; }
  State& state(std::size_t i) { return states_[i]; }
  const State& state(std::size_t i) const { return states_[i]; }
  const Known& known(Handle handle) const { return known_[handle]; }
  const Event& event_of(std::size_t step) const { return known_[steps_[step].handle].event; }
  Handle known_count() const { return static_cast<Handle>(known_.size()); }
  Handle find(EventId id) const;
  const DependenceRules& rules() const { return rules_; }
  const WorldTraits& world() const { return world_; }

  bool before(std::size_t i, std::size_t j) const { return steps_[j].past.has(i); }
  // Whether step i is in the past of the event's creation.
  bool before_creation(std::size_t i, const Event& event) const {
    return event.parent != no_step && (event.parent == i || steps_[event.parent].past.has(i));
  }
  // Whether the event had to wait for step i, so that their order is no race.
  bool waited(std::size_t i, Handle later) const;
  // Steps after i, up to `end`, that do not follow from i, in their order.
  void unrelated(std::size_t i, std::size_t end, std::vector<std::uint32_t>& out) const;
  // Those of `steps` (increasing) that no other of them comes before.
  void initials(std::span<const std::uint32_t> steps, std::vector<std::uint32_t>& out) const;
  // The class of the execution so far (strategy/dependence.hpp).
  std::uint64_t class_hash() const;

 private:
  Handle add_known(const Event& event);

  WorldTraits world_;
  DependenceRules rules_;
  std::vector<Known> known_;
  boost::unordered_flat_map<std::uint64_t, Handle> index_;
  std::vector<Step> steps_;
  std::vector<State> states_;
  std::size_t step_count_ = 0;
  std::size_t state_count_ = 0;
};

}  // namespace gainsay
