// Shrinking, measured on every seeded bug of the bundled systems: within ten seconds, and not much longer than the
// shortest execution that `explore` knows.
//
// The longest of many violating runs is shrunk, so that there is something to do. Where `explore` does not come to the
// violation within its bounds, or cannot explore the world, only the time is judged.
#include <cstdlib>
#include <ctime>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/campaign/shrink_violation.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/scenario/registry.hpp"

namespace gainsay::shrink_systems_test {
namespace {

constexpr double seconds_max = 10;
constexpr double times_the_shortest = 1.5;

struct Longest {
  std::vector<Decision> steps;
  std::optional<Violation> violation{};
};

Longest longest_violation(const Scenario& scenario, const OptionTexts& options) {
  Longest longest;
  HuntOptions hunting;
  hunting.strategy = "random";
  hunting.runs = 20'000;
  hunting.time = std::chrono::seconds(10);
  hunting.keep_going = true;
  hunting.watch = [&](const Execution& execution, const RunOutcome& outcome) {
    if (!outcome.violation || outcome.violation->is_suspicion()) return;
    if (longest.violation && outcome.violation->property != longest.violation->property) return;
    if (longest.violation && execution.steps() <= longest.steps.size()) return;
    longest.steps = execution.trace().decisions();
    longest.violation = outcome.violation;
  };
  (void)hunt(scenario, options, hunting);
  return longest;
}

// How many steps the shortest execution has that violates the property; nothing: it is not known.
std::optional<std::size_t> shortest_known(const Scenario& scenario, const OptionTexts& options,
                                          const std::string& property) {
  ExploreOptions exploring;
  exploring.states_max = 2'000'000;
  exploring.time_max = std::chrono::seconds(30);
  try {
    for (const FoundViolation& found : explore(scenario, options, exploring).violations) {
      if (found.violation.property == property && found.violation.loop_from == no_step)
        return found.document.steps.size();
    }
  } catch (const UserError&) {
    // Opaque actors, or a world that is no value.
  }
  return std::nullopt;
}

TEST(ShrinkSystems, EverySeededBugIsShortInTime) {
  if (std::getenv("GAINSAY_LONG") == nullptr) GTEST_SKIP() << "takes minutes; asks for GAINSAY_LONG";
  std::size_t shrunk_ones = 0;
  std::size_t compared = 0;
  for (const Scenario* scenario : scenarios()) {
    for (const OptionInfo& info : scenario->options()) {
      if (info.name != "bug") continue;
      for (const std::string& bug : info.values) {
        if (bug == "none") continue;
        const OptionTexts options{{"bug", bug}};
        const Longest longest = longest_violation(*scenario, options);
        if (!longest.violation) continue;
        SCOPED_TRACE(fmt::format("{} bug={}", scenario->name(), bug));
        ++shrunk_ones;
        const Blueprint blueprint = scenario->build(options);
        const std::clock_t begin = std::clock();
        const ShrunkViolation shrunk = shrink_violation(blueprint, longest.steps, *longest.violation);
        const double took_s = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        EXPECT_LT(took_s, seconds_max);
        EXPECT_LE(shrunk.shrunk.steps.size(), longest.steps.size());
        const auto shortest = shortest_known(*scenario, options, longest.violation->property);
        fmt::print("{:<40} {:>6} -> {:>4} steps, shortest {:>4}, {:.2f} s\n",
                   fmt::format("{} {}", scenario->name(), bug), longest.steps.size(),
                   shrunk.shrunk.steps.size(), shortest ? std::to_string(*shortest) : "-", took_s);
        if (!shortest) continue;
        ++compared;
        EXPECT_LE(static_cast<double>(shrunk.shrunk.steps.size()),
                  times_the_shortest * static_cast<double>(*shortest));
      }
    }
  }
  EXPECT_GE(shrunk_ones, 20U);
  EXPECT_GE(compared, 5U);
}

}  // namespace
}  // namespace gainsay::shrink_systems_test
