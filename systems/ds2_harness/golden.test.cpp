// The numbers of DS2's subject systems, each found by a search of all executions: executions, trace classes (what each
// agent received in which order), different histories, incomplete ones, wrong ones. Those of executions are the paper's
// for the first harness; those of histories are the paper's for ADR and Open Chord. For DR and EDR the paper's are of
// snapshots that leaked (docs/evaluation.md).
#include "systems/ds2_harness/census_test.hpp"

namespace ds2 {
namespace {

struct Golden {
  std::string system;
  std::string bug;
  std::uint64_t executions;
  std::uint64_t classes;
  std::uint64_t unique;
  std::uint64_t incomplete;
  std::uint64_t wrong;
  std::size_t precedence;
  std::size_t wrong_precedence;
};

void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.system << " " << golden.bug; }

class Ds2Golden : public testing::TestWithParam<Golden> {};

TEST_P(Ds2Golden, AllExecutionsAreCounted) {
  const Golden& golden = GetParam();
  const Counted counted = count_all(golden.system, {{"bug", golden.bug}});
  EXPECT_EQ(counted.result.runs, golden.executions);
  EXPECT_EQ(counted.result.distinct_traces, golden.classes);
  EXPECT_EQ(counted.unique, golden.unique);
  EXPECT_EQ(counted.incomplete, golden.incomplete);
  EXPECT_EQ(counted.wrong, golden.wrong);
  EXPECT_EQ(counted.precedence.size(), golden.precedence);
  EXPECT_EQ(counted.wrong_precedence.size(), golden.wrong_precedence);
}

INSTANTIATE_TEST_SUITE_P(Systems, Ds2Golden,
                         testing::Values(Golden{"register_dr", "none", 4'200, 536, 170, 1'929, 0, 44, 0},
                                         Golden{"register_edr", "local_read", 252, 8, 32, 0, 12, 32, 12},
                                         Golden{"register_adr", "none", 1'680, 200, 148, 887, 0, 35, 0},
                                         Golden{"open_chord", "serves_before_join", 18'396, 600, 165, 0, 17,
                                                41, 9}),
                         [](const auto& golden) { return golden.param.system; });

}  // namespace
}  // namespace ds2
