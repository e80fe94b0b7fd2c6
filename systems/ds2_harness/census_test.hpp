// What the tests of the DS2 systems share: a search whose histories are counted.
#pragma once

#include <string>

#include "papers/zoo/history_census.hpp"
#include "systems/system_test.hpp"

namespace ds2 {

struct Counted {
  gainsay::HuntResult result;
  std::uint64_t unique = 0;
  std::uint64_t incomplete = 0;
  std::uint64_t wrong = 0;
  std::set<std::uint64_t> precedence;
  std::set<std::uint64_t> wrong_precedence;
};

inline Counted count(const std::string& scenario, const gainsay::OptionTexts& options,
                     gainsay::HuntOptions how) {
  const gainsay::Blueprint blueprint = gainsay::find_scenario(scenario).build(options);
  gainsay::HistoryCensus census(blueprint);
  how.keep_going = true;
  how.judge_histories = false;
  how.watch = [&](const gainsay::Execution& execution, const gainsay::RunOutcome&) {
    census.add(execution.history(), execution);
  };
  Counted counted;
  counted.result = gainsay::hunt(gainsay::find_scenario(scenario), options, how);
  EXPECT_EQ(census.histories(), counted.result.runs);
  counted.unique = census.unique();
  counted.incomplete = census.incomplete();
  counted.wrong = census.wrong();
  counted.precedence = census.precedence_classes();
  counted.wrong_precedence = census.wrong_precedence_classes();
  return counted;
}

// All executions.
inline Counted count_all(const std::string& scenario, const gainsay::OptionTexts& options) {
  Counted counted = count(scenario, options, {.strategy = "dfs"});
  EXPECT_TRUE(counted.result.complete);
  return counted;
}

}  // namespace ds2
