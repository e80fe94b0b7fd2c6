#include "papers/experiments/small_search.hpp"

namespace gainsay::tools::zoo {

Scenario letters_world(int n) {
  return Scenario::of("letters", [n](World& world) {
    const auto box = world.spawn<Box>("box");
    for (int i = 0; i < n; ++i) world.send(box, Letter{i});
  });
}

Scenario figure_3_world() {
  return Scenario::of("figure_3", [](World& world) {
    const auto box = world.spawn<Box>("box");
    world.send(box, Letter{1});
    world.send(world.spawn("lead", Lead{box}), Leads{});
  });
}

Searched search_all(const Scenario& scenario, const OptionTexts& options, const std::string& strategy,
                    const OptionTexts& strategy_options, std::uint64_t runs_max, const ExperimentHow& how,
                    std::uint64_t steps_max) {
  HuntOptions hunting;
  hunting.strategy = strategy;
  hunting.strategy_options = strategy_options;
  hunting.runs = runs_max;
  if (steps_max > 0) hunting.steps_max = steps_max;
  hunting.keep_going = true;
  hunting.judge_histories = false;
  hunting.stop = how.stop;
  const HuntResult result = hunt(scenario, options, hunting);
  return {result.runs, result.blocked_runs, result.distinct_traces,
          result.runs < runs_max && !result.interrupted};
}

}  // namespace gainsay::tools::zoo
