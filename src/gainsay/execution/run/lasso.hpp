// Lassos: an execution that comes back to an earlier world while a monitor is hot all along can go on like that for
// ever. That is a violation of liveness only if the endless repetition is fair.
//
// Weak fairness: every ordinary event that is enabled in all worlds of the loop is executed on it, by class
// (WorldHash::class_of); faults are never obliged. `flip` is a fair coin: where the loop asks it, in the same world
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

#include "gainsay/scenario/blueprint.hpp"
#include "gainsay/trace/trace.hpp"

namespace gainsay {

// The worlds of an execution while a monitor is hot, and the search for a fair loop among them.
class LassoWatch {
 public:
  // What was executed between two worlds.
  struct Done {
    std::uint64_t event = 0;  // class; 0 for faults
    std::span<const DataChoice> answers;
  };
  using StepDone = std::function<Done(std::uint32_t step)>;

  bool empty() const { return worlds_.empty(); }
  void clear();
  // No world repeated for so long that none will: this execution counts something.
  bool hopeless() const { return repeats_ == 0 && worlds_.size() >= most_without_repeat; }

  // The world after `steps` steps (one more than at the last call), with the classes of the ordinary events that
  // are enabled in it. Gives the step from which on a fair loop ends here; only worlds after `hot_since` steps or
  // more count.
  std::optional<std::uint32_t> note(std::uint32_t steps, std::uint64_t fingerprint,
                                    std::span<const std::uint64_t> enabled, std::uint32_t hot_since,
                                    const StepDone& done);
  // Whether the last world noted closes a fair loop with the one after `from` steps.
  bool closes(std::uint32_t from, const StepDone& done);

 private:
  static constexpr std::size_t most_without_repeat = 4096;
  static constexpr std::uint32_t none = 0xffffffffU;
  static constexpr std::size_t nothing_starves = ~std::size_t{0};

  struct World {
    std::uint64_t fingerprint = 0;
    std::uint32_t steps = 0;
    std::uint32_t previous = none;  // the last world before with the same fingerprint, by index
    std::size_t enabled_begin = 0;  // of `enabled_`
  };
  std::span<const std::uint64_t> enabled_in(std::size_t index) const;
  bool fair(std::size_t from, const StepDone& done);
  void follow_starved(const StepDone& done);
  bool coins_fall_both_ways(std::size_t from, const StepDone& done) const;

  std::vector<World> worlds_;
  std::vector<std::uint64_t> enabled_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> last_;  // by fingerprint
  std::uint64_t repeats_ = 0;
  std::uint64_t work_ = 0;  // steps scanned so far
  // An event that has been enabled, and not executed, ever since a world: no loop that begins there or later is fair.
  std::uint64_t starved_ = 0;
  std::size_t starved_since_ = nothing_starves;  // index
};

// What a violation by a loop says: steps [from, to) of the execution repeat. `heat` as of heat_text.
std::string loop_text(const std::string& heat, std::size_t from, std::size_t to, bool on_an_abstraction);

// The execution of `steps` with its loop, which begins at step `from`, repeated until there are at least
// `least_steps`, and at least `times` times more. Events of the repetitions are found by class. Nothing where the
// loop cannot be repeated: an event is missing, a world differs from the one a round before, a monitor has become
// cold, or something is violated.
std::optional<std::vector<Decision>> unroll(const Blueprint& blueprint, const std::vector<Decision>& steps,
                                            std::uint32_t from, std::size_t times,
                                            std::size_t least_steps = 0);

}  // namespace gainsay
