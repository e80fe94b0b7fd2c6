#include "gainsay/explorer/counterexample.hpp"

#include <algorithm>
#include <functional>

#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/execution/run/execution.hpp"
#include "gainsay/execution/world/choice_path.hpp"

namespace gainsay {
namespace {

Step step_of(Shared& shared, const WorldState& world, const Alternative& alternative,
             const std::vector<DataChoice>& answers) {
  Step step;
  step.event.kind = alternative.kind;
  step.choices = answers;
  if (is_fault(alternative.kind)) {
    step.event.id = shared.network.fault_id(world, alternative);
  } else {
    step.event.id = world.pending[alternative.target].id;
    step.event.parent = world.pending[alternative.target].parent;
    step.event.receiver = shared.kernel.envelope(world.pending[alternative.target].envelope).receiver;
  }
  return step;
}

}  // namespace

std::optional<Step> find_step(Shared& shared, WorldState& world,
                              const std::function<bool(const Outcome& outcome)>& wanted) {
  Alternatives alternatives;
  shared.network.enabled(world, alternatives);
  for (const Alternative& alternative : alternatives.list) {
    if (alternative.kind == EventKind::stop) continue;
    ChoicePath path;
    do {
      path.rewind();
      WorldState next = world;
      StepResult result;
      Failure thrown;
      try {
        result = shared.stepper.step(next, alternative, path);
      } catch (...) {
        thrown = {"exception", foreign_exception_text(current_exception_text())};
        result.failure = &thrown;
      }
      if (!wanted({world, alternative, path.answers(), next, result})) continue;
      Step step = step_of(shared, world, alternative, path.answers());
      world = std::move(next);
      return step;
    } while (path.advance());
  }
  return std::nullopt;
}

namespace {

// From the first world through these, by one step each; `same` says whether a world is the one that is meant.
template <class Wanted, class Same>
std::optional<std::vector<Step>> walk(Shared& shared, WorldState& world, const std::vector<Wanted>& wanted,
                                      const Same& same, std::vector<WorldState>* worlds = nullptr) {
  shared.stepper.initial(world);
  std::vector<Step> steps;
  for (const Wanted& next : wanted) {
    auto step = find_step(shared, world, [&](const Outcome& outcome) {
      return outcome.result.failure == nullptr && same(outcome.next, next);
    });
    if (!step) return std::nullopt;
    steps.push_back(std::move(*step));
    if (worlds != nullptr) worlds->push_back(world);
  }
  return steps;
}

// Whether a fingerprint is the one that is meant: whole, or its low word, which is all that a trail keeps.
bool matches(std::uint64_t fingerprint, std::uint64_t wanted) { return fingerprint == wanted; }
bool matches(std::uint64_t fingerprint, std::uint32_t wanted) {
  return static_cast<std::uint32_t>(fingerprint) == wanted;
}

template <class Wanted>
std::optional<std::vector<Step>> walk_states(Shared& shared, WorldState& world,
                                             const std::vector<Wanted>& states) {
  return walk(shared, world, states,
              [&](const WorldState& next, Wanted state) { return matches(shared.hash.of(next), state); });
}

// The way to a state is known by orbits only: some world of each was found. The permutation that takes the last of
// them to the state itself, applied to all, gives the way to that state, because the first world is its own image.
template <class Wanted>
std::optional<std::vector<Step>> walk_orbits(Shared& shared, WorldState& world,
                                             const std::vector<Wanted>& orbits, std::uint64_t last,
                                             std::size_t permutation) {
  std::vector<WorldState> worlds;
  const auto found = walk(
      shared, world, orbits,
      [&](const WorldState& next, Wanted orbit) {
        return matches(shared.symmetry->fingerprint(next), orbit);
      },
      &worlds);
  if (!found || worlds.empty()) return found;
  const auto back = shared.symmetry->permutation_to(worlds.back(), last);
  if (!back) return std::nullopt;
  std::vector<std::uint64_t> images;
  for (const WorldState& each : worlds) {
    WorldState canonical;
    WorldState image;
    shared.symmetry->image(*back, each, canonical);
    shared.symmetry->image(permutation, canonical, image);
    images.push_back(shared.hash.of(image));
  }
  return walk_states(shared, world, images);
}

}  // namespace

std::optional<std::vector<Step>> shortest_execution(Shared& shared, const Sighting& sighting,
                                                    WorldState* last_world) {
  const std::uint64_t last_state = sighting.successor != 0 ? sighting.successor : sighting.state;
  const auto walk_to = [&](WorldState& world, const auto& states) {
    return shared.symmetry ? walk_orbits(shared, world, states, last_state, sighting.permutation)
                           : walk_states(shared, world, states);
  };
  WorldState world;
  std::optional<std::vector<Step>> steps;
  if (shared.bits) {
    steps = walk_to(world, sighting.trail);
  } else {
    std::vector<std::uint64_t> states;
    for (std::uint64_t at = last_state; at != 0; at = shared.table.parent_of(at)) states.push_back(at);
    states.pop_back();  // the first one
    std::reverse(states.begin(), states.end());
    steps = walk_to(world, states);
  }
  if (!steps) return std::nullopt;
  if (sighting.successor == 0 && !sighting.at_end) {
    const std::string key = violation_key(sighting.violation);
    auto last = find_step(shared, world, [&](const Outcome& outcome) {
      const Failure* failure = outcome.result.failure;
      return failure != nullptr && violation_key({failure->property, failure->message, nobody, 0}) == key;
    });
    if (!last) return std::nullopt;
    steps->push_back(std::move(*last));
  }
  if (last_world != nullptr) *last_world = std::move(world);
  return steps;
}

}  // namespace gainsay
