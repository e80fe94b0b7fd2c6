// What reducing searches do on DS2's systems: under same-receiver dependence they meet exactly the trace classes, which
// is too little for linearizability; under the dependence that preserves it they meet every precedence class and so
// every violation, whatever they choose first.
#include "systems/ds2_harness/census_test.hpp"

namespace ds2 {
namespace {

struct Subject {
  std::string system;
  gainsay::OptionTexts options;
  std::uint64_t classes;
  bool slow = false;
};

void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.system; }

std::string name_of(const testing::TestParamInfo<Subject>& subject) {
  std::string name = subject.param.system;
  for (const auto& [option, value] : subject.param.options) {
    if (option == "harness") name += "_4";
  }
  return name;
}

Counted reduced(const Subject& subject, const std::string& strategy, const std::string& dependence,
                std::uint64_t first) {
  gainsay::HuntOptions how{.strategy = strategy};
  how.strategy_options = {{"dependence", dependence}, {"first", std::to_string(first)}};
  return count(subject.system, subject.options, how);
}

class Ds2Reduction : public testing::TestWithParam<Subject> {};

TEST_P(Ds2Reduction, MeetsExactlyTheTraceClasses) {
  const Subject& subject = GetParam();
  if (subject.slow && !system_test::long_tests()) GTEST_SKIP() << "GAINSAY_LONG=1 asks for it";
  for (const char* strategy : {"sdpor", "odpor"}) {
    const Counted counted = reduced(subject, strategy, "receiver", 0);
    EXPECT_EQ(counted.result.runs, subject.classes) << strategy;
    EXPECT_EQ(counted.result.distinct_traces, subject.classes) << strategy;
    if (std::string(strategy) == "odpor") {
      EXPECT_EQ(counted.result.blocked_runs, 0U);
    }
  }
}

const gainsay::OptionTexts edr = {{"bug", "local_read"}};
const gainsay::OptionTexts chord = {{"bug", "serves_before_join"}};

INSTANTIATE_TEST_SUITE_P(
    Systems, Ds2Reduction,
    testing::Values(Subject{"register_dr", {}, 536}, Subject{"register_edr", edr, 8},
                    Subject{"register_adr", {}, 200}, Subject{"open_chord", chord, 600},
                    Subject{"register_edr", {{"bug", "local_read"}, {"harness", "2r+2w"}}, 2'232},
                    Subject{"open_chord", {{"bug", "serves_before_join"}, {"harness", "2r+2w"}}, 22'890},
                    Subject{"multi_paxos_map", {}, 71'280, true}),
    name_of);

class Ds2Linearizability : public testing::TestWithParam<Subject> {};

TEST_P(Ds2Linearizability, NoPrecedenceClassIsMissed) {
  const Subject& subject = GetParam();
  const Counted all = count_all(subject.system, subject.options);
  const std::uint64_t seeds = system_test::long_tests() ? 60 : 8;
  std::uint64_t least = all.result.runs;
  std::uint64_t most = 0;
  for (std::uint64_t first = 0; first < seeds; ++first) {
    const Counted counted = reduced(subject, "sdpor", "automatic", first);
    EXPECT_TRUE(counted.result.complete);
    EXPECT_EQ(counted.precedence, all.precedence) << "first choices " << first;
    EXPECT_EQ(counted.wrong_precedence, all.wrong_precedence) << "first choices " << first;
    least = std::min(least, counted.result.runs + counted.result.blocked_runs);
    most = std::max(most, counted.result.runs + counted.result.blocked_runs);
  }
  std::printf("%s: %lu to %lu of %lu executions, %zu precedence classes, %zu wrong\n", subject.system.c_str(),
              static_cast<unsigned long>(least), static_cast<unsigned long>(most),
              static_cast<unsigned long>(all.result.runs), all.precedence.size(),
              all.wrong_precedence.size());
  EXPECT_LT(most, all.result.runs);
}

INSTANTIATE_TEST_SUITE_P(Systems, Ds2Linearizability,
                         testing::Values(Subject{"register_dr", {}, 536}, Subject{"register_edr", edr, 8},
                                         Subject{"register_adr", {}, 200}, Subject{"open_chord", chord, 600}),
                         name_of);

// Same-receiver dependence is not enough: with most first choices all 8 classes are met and no violation is.
TEST(Ds2Linearizability, SameReceiverDependenceMissesViolations) {
  std::uint64_t missed = 0;
  for (std::uint64_t first = 0; first < 60; ++first) {
    const Counted counted = reduced({"register_edr", edr, 8}, "odpor", "receiver", first);
    EXPECT_EQ(counted.result.runs, 8U);
    missed += counted.wrong == 0 ? 1 : 0;
  }
  std::printf("register_edr: %lu of 60 searches found nothing\n", static_cast<unsigned long>(missed));
  EXPECT_GT(missed, 20U);
}

}  // namespace
}  // namespace ds2
