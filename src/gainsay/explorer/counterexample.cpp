#include "gainsay/explorer/counterexample.hpp"

#include <algorithm>
#include <functional>

#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/execution/run/execution.hpp"
#include "gainsay/execution/run/order_recorder.hpp"
#include "gainsay/execution/world/choice_path.hpp"

namespace gainsay {

std::optional<Decision> find_step(Shared& shared, WorldState& world,
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
      Decision step =
          decision_of(alternative_event(shared.kernel, shared.network, world, alternative), path.answers());
      world = std::move(next);
      return step;
    } while (path.advance());
  }
  return std::nullopt;
}

std::optional<std::vector<Decision>> shortest_execution(Shared& shared, const Sighting& sighting,
                                                        WorldState* last_world) {
  std::vector<std::uint64_t> states;
  const std::uint64_t last_state =
      sighting.successor != 0 ? shared.table.parent_of(sighting.successor) : sighting.state;
  for (std::uint64_t at = last_state; at != 0; at = shared.table.parent_of(at)) states.push_back(at);
  std::reverse(states.begin(), states.end());
  WorldState world;
  shared.stepper.initial(world);
  std::vector<Decision> steps;
  for (std::size_t i = 1; i < states.size(); ++i) {
    auto step = find_step(shared, world, [&](const Outcome& outcome) {
      return outcome.result.failure == nullptr && shared.hash.of(outcome.next) == states[i];
    });
    if (!step) return std::nullopt;
    steps.push_back(std::move(*step));
  }
  if (sighting.at_end) {
    if (last_world != nullptr) *last_world = std::move(world);
    return steps;
  }
  const std::string key = violation_key(sighting.violation);
  auto last = find_step(shared, world, [&](const Outcome& outcome) {
    const Failure* failure = outcome.result.failure;
    if (sighting.successor != 0)
      return failure == nullptr && shared.hash.of(outcome.next) == sighting.successor;
    return failure != nullptr && violation_key({failure->property, failure->message, nobody, 0}) == key;
  });
  if (!last) return std::nullopt;
  steps.push_back(std::move(*last));
  if (last_world != nullptr) *last_world = std::move(world);
  return steps;
}

}  // namespace gainsay
