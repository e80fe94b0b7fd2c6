// Searches that reduce, on DS2's subject systems: as many executions as trace classes; and what it takes so that no
// violation of linearizability is missed. Same-receiver dependence is complete for classes, and yet a class does not
// say which operation ended before which other one began.
#include "systems/ds2_harness/census_test.hpp"

namespace ds2 {
namespace {

using gainsay::HuntOptions;
using gainsay::OptionTexts;

HuntOptions with(const std::string& strategy, const std::string& dependence, std::uint64_t first = 0) {
  HuntOptions how;
  how.strategy = strategy;
  how.dependence = dependence;
  if (first != 0) how.strategy_options = {{"first", std::to_string(first)}};
  return how;
}

bool long_run() { return std::getenv("GAINSAY_LONG") != nullptr; }

struct Searched {
  std::string system;
  OptionTexts options;
  std::uint64_t classes;
  std::size_t precedence;  // 0: not counted
  std::size_t wrong_precedence;
};

const std::vector<Searched> small = {{"register_dr", {{"bug", "none"}}, 536, 44, 0},
                                     {"register_edr", {{"bug", "local_read"}}, 8, 32, 12},
                                     {"register_adr", {{"bug", "none"}}, 200, 35, 0},
                                     {"open_chord", {{"bug", "serves_before_join"}}, 600, 41, 9}};

TEST(Ds2Search, ExecutesEveryClassOnce) {
  for (const Searched& subject : small) {
    SCOPED_TRACE(subject.system);
    for (const std::uint64_t first : {0, 7, 8}) {
      const Counted source = count(subject.system, subject.options, with("sdpor", "receiver", first));
      EXPECT_TRUE(source.result.complete);
      EXPECT_EQ(source.result.runs, subject.classes);
      EXPECT_EQ(source.result.distinct_traces, subject.classes);
      const Counted optimal = count(subject.system, subject.options, with("odpor", "receiver", first));
      EXPECT_TRUE(optimal.result.complete);
      EXPECT_EQ(optimal.result.runs, subject.classes);
      EXPECT_EQ(optimal.result.blocked_runs, 0U);
      EXPECT_EQ(optimal.result.trace_set_hash, source.result.trace_set_hash);
      for (const char* other : {"dpor", "transdpor"}) {
        const Counted redundant = count(subject.system, subject.options, with(other, "receiver", first));
        EXPECT_TRUE(redundant.result.complete) << redundant.result.incomplete_because;
        EXPECT_EQ(redundant.result.trace_set_hash, source.result.trace_set_hash) << other;
      }
    }
  }
}

TEST(Ds2Search, SecondHarness) {
  OptionTexts wrong_register = {{"bug", "local_read"}, {"harness", "2r+2w"}};
  EXPECT_EQ(count("register_edr", wrong_register, with("sdpor", "receiver")).result.runs, 2'232U);
  if (!long_run()) return;
  OptionTexts wrong_chord = {{"bug", "serves_before_join"}, {"harness", "2r+2w"}};
  EXPECT_EQ(count("open_chord", wrong_chord, with("sdpor", "receiver")).result.runs, 22'890U);
  EXPECT_EQ(count("multi_paxos_map", {}, with("sdpor", "receiver")).result.runs, 71'280U);
}

// No order of operations that clients could see is missed, whatever is tried first.
TEST(Ds2Search, LinearizabilityNeedsItsOwnDependence) {
  bool missed_by_receiver = false;
  for (const Searched& subject : small) {
    SCOPED_TRACE(subject.system);
    for (std::uint64_t first = 0; first < 6; ++first) {
      const Counted counted = count(subject.system, subject.options, with("sdpor", "linearizability", first));
      EXPECT_TRUE(counted.result.complete);
      EXPECT_EQ(counted.precedence.size(), subject.precedence);
      EXPECT_EQ(counted.wrong_precedence.size(), subject.wrong_precedence);
      const Counted plain = count(subject.system, subject.options, with("sdpor", "receiver", first));
      missed_by_receiver = missed_by_receiver || plain.wrong_precedence.size() < subject.wrong_precedence;
    }
  }
  EXPECT_TRUE(missed_by_receiver) << "then this test shows nothing";
}

// It is the default, since the systems say what is to be linearizable; and it says what was decided.
TEST(Ds2Search, TheDefaultFollowsFromTheProperties) {
  HuntOptions how;
  how.strategy = "sdpor";
  how.keep_going = true;
  const gainsay::HuntResult result =
      gainsay::hunt(gainsay::find_scenario("register_edr"), {{"bug", "local_read"}}, how);
  EXPECT_EQ(result.dependence, "linearizability");
  EXPECT_TRUE(result.complete);
  EXPECT_NE(std::find(result.complete_for.begin(), result.complete_for.end(), "histories"),
            result.complete_for.end());
  EXPECT_FALSE(result.violations.empty());
}

// Heuristics say what they are, and miss something.
TEST(Ds2Search, HeuristicsSaySo) {
  for (const char* name : {"ired", "liviola"}) {
    const Counted counted = count("open_chord", {{"bug", "serves_before_join"}}, {.strategy = name});
    EXPECT_FALSE(counted.result.complete);
    EXPECT_TRUE(counted.result.heuristic);
    EXPECT_LE(counted.result.distinct_traces, 600U);
  }
  HuntOptions bounded;
  bounded.strategy = "dpor-ds";
  bounded.depth = 6;
  const Counted counted = count("open_chord", {{"bug", "serves_before_join"}}, bounded);
  EXPECT_FALSE(counted.result.complete);
  EXPECT_TRUE(counted.result.heuristic);
}

}  // namespace
}  // namespace ds2
