#include "gainsay/explorer/counterexample.hpp"

#include <algorithm>
#include <functional>

#include "gainsay/execution/campaign/tally.hpp"

namespace gainsay {

std::optional<Decision> find_step(Shared& shared, WorldState& world,
                                  const std::function<bool(const Outcome& outcome)>& wanted) {
  Engine& engine = shared.engine;
  Alternatives alternatives;
  engine.network.enabled(world, alternatives);
  std::optional<Decision> found;
  WorldState after;
  for (const Alternative& alternative : alternatives.list) {
    if (alternative.kind == EventKind::stop) continue;
    const auto take = [&](const WorldState& next, const StepResult& result,
                          const std::vector<DataChoice>& answers) {
      if (!wanted({world, alternative, answers, next, result})) return false;
      found = decision_of(engine.event_of(world, alternative), answers);
      after = next;
      return true;
    };
    if (!engine.for_each_outcome(world, alternative, take)) continue;
    world = std::move(after);
    return found;
  }
  return std::nullopt;
}

namespace {

// From the first world through these, by one step each; `same` says whether a world is the one that is meant.
template <class Wanted, class Same>
std::optional<std::vector<Decision>> walk_through(Shared& shared, WorldState& world,
                                                  const std::vector<Wanted>& wanted, const Same& same,
                                                  std::vector<WorldState>* worlds = nullptr) {
  shared.engine.stepper.initial(world);
  std::vector<Decision> steps;
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
std::optional<std::vector<Decision>> walk_states(Shared& shared, WorldState& world,
                                                 const std::vector<Wanted>& states) {
  return walk_through(shared, world, states, [&](const WorldState& next, Wanted state) {
    return matches(shared.engine.hash.of(next), state);
  });
}

// The way to a state is known by orbits only: some world of each was found. The permutation that takes the last of
// them to the state itself, applied to all, gives the way to that state, because the first world is its own image.
template <class Wanted>
std::optional<std::vector<Decision>> walk_orbits(Shared& shared, WorldState& world,
                                                 const std::vector<Wanted>& orbits, std::uint64_t last,
                                                 std::size_t permutation) {
  std::vector<WorldState> worlds;
  const auto found = walk_through(
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
    images.push_back(shared.engine.hash.of(image));
  }
  return walk_states(shared, world, images);
}

}  // namespace

std::optional<std::vector<Decision>> shortest_execution(Shared& shared, const Sighting& sighting,
                                                        WorldState* last_world) {
  const std::uint64_t last_state = sighting.successor != 0 ? sighting.successor : sighting.state;
  const auto walk_to = [&](WorldState& world, const auto& states) {
    return shared.symmetry ? walk_orbits(shared, world, states, last_state, sighting.permutation)
                           : walk_states(shared, world, states);
  };
  WorldState world;
  std::optional<std::vector<Decision>> steps;
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
