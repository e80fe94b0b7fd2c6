// Lassos: an execution that comes back to an earlier world, and on the way a liveness condition was hot and never cold,
// can go on like that for ever. That is a violation of liveness only if the endless repetition is fair.
//
// What of the things obliged to happen is executed depends on the fairness (trace/fairness.hpp). Weak: every event
// that is enabled in all worlds of the loop, by class (WorldHash::class_of). Strong: every event that is enabled in one
// of them. Actor: of every actor with an enabled event in one of them, some event. Faults are obliged only where the
// scenario says so (Network::is_obliged). `flip` is a fair coin: where the loop asks it, in the same world
// and at the same event, both outcomes occur on the loop; so chance cannot break it. `choose` is an adversary's.
// These are the conditions that the explorer checks on strongly connected components (explorer/liveness.hpp): a
// lasso found here lies in a component that is reported there.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/execution/world/world_state.hpp"
#include "gainsay/scenario/blueprint.hpp"
#include "gainsay/trace/trace.hpp"

namespace gainsay {

// The worlds of an execution while a monitor is hot, and the search for a fair loop among them.
class LassoWatch {
 public:
  // What was executed between two worlds.
  struct Done {
    std::uint64_t event = 0;  // class; 0 for what nobody is obliged to do
    std::uint64_t key = 0;    // what has had its turn: the class, or the actor; 0: nothing
    std::span<const DataChoice> answers;
  };
  using StepDone = std::function<Done(std::uint32_t step)>;

  explicit LassoWatch(FairnessKind fairness) : fairness_(fairness) {}

  bool empty() const { return worlds_.empty(); }
  void clear();
  // Forgets the worlds after so many steps and later: the execution goes on from there.
  void cut(std::uint32_t steps);
  // Whether it holds all worlds from the one after `first` steps to the one before the world after `steps` steps.
  bool covers(std::uint32_t first, std::uint32_t steps) const {
    return !worlds_.empty() && worlds_.front().steps <= first && worlds_.back().steps + 1 >= steps;
  }
  // How often the last world was there, itself among them; counted up to `most`.
  std::uint32_t visits(std::uint32_t most) const;
  // No world repeated for so long that none will: this execution counts something.
  bool hopeless() const { return repeats_ == 0 && worlds_.size() >= most_without_repeat; }

  // The world after `steps` steps (one more than at the last call), with the keys of what is enabled and obliged to
  // happen in it. Gives the step from which on a fair loop ends here; only loops on which one of the conditions was
  // hot and never cold, from worlds after `since` steps or more.
  std::optional<std::uint32_t> note(std::uint32_t steps, std::uint64_t fingerprint,
                                    std::span<const std::uint64_t> enabled, std::uint32_t since,
                                    std::span<const HeatSpan> conditions, const StepDone& done);
  // Whether the last world noted closes a fair loop with the one after `from` steps.
  bool closes(std::uint32_t from, const StepDone& done);

 private:
  static constexpr std::size_t most_without_repeat = 4096;
  static constexpr std::size_t nothing_starves = ~std::size_t{0};

  struct World {
    std::uint64_t fingerprint = 0;
    std::uint32_t steps = 0;
    std::uint32_t kind = 0;         // of `visits_`
    std::size_t enabled_begin = 0;  // of `enabled_`
  };
  std::vector<std::uint32_t>& visits_of(std::uint64_t fingerprint, std::uint32_t& kind);
  std::span<const std::uint64_t> enabled_in(std::size_t index) const;
  bool fair(std::size_t from, const StepDone& done);
  bool weakly_fair(std::size_t from, std::span<const std::uint64_t> executed);
  bool strongly_fair(std::size_t from, std::span<const std::uint64_t> executed) const;
  void follow_starved(const StepDone& done);
  bool coins_fall_both_ways(std::size_t from, const StepDone& done) const;

  FairnessKind fairness_;
  std::vector<World> worlds_;
  std::vector<std::uint64_t> enabled_;
  // Worlds with equal fingerprints are of one kind; kinds are counted from 0.
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> kinds_;  // by fingerprint
  std::vector<std::vector<std::uint32_t>>
      visits_;  // by kind: the worlds, by index; empty ones behind are memory
  std::uint64_t repeats_ = 0;
  std::uint64_t work_ = 0;  // steps scanned so far
  // An event that has been enabled, and not executed, ever since a world: no loop that begins there or later is fair.
  std::uint64_t starved_ = 0;
  std::size_t starved_since_ = nothing_starves;  // index
};

// What a violation by a loop says: steps [from, to) of the execution repeat. `what` as of endless_text and heat_text.
std::string loop_text(const std::string& what, std::size_t from, std::size_t to, FairnessKind fairness,
                      bool on_an_abstraction);

// The execution of `steps` with its loop, which begins at step `from`, repeated until there are at least
// `least_steps`, and at least `times` times more. Events of the repetitions are found by class. Nothing where the
// loop cannot be repeated: an event is missing, a world differs from the one a round before, no condition was hot and
// never cold, or something is violated.
std::optional<std::vector<Decision>> unroll(const Blueprint& blueprint, const std::vector<Decision>& steps,
                                            std::uint32_t from, std::size_t times,
                                            std::size_t least_steps = 0);

}  // namespace gainsay
