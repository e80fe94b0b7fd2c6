#include "gainsay/adapter/gtest.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <unistd.h>

#include "gainsay/adapter/replay_trace.hpp"
#include "gainsay/gainsay.hpp"
#include "gainsay/trace/trace_file.hpp"

namespace adapter_example {

// What the program is like; a test changes it between two executions, as somebody who edits the code would.
bool defect_is_mended = false;
bool second_is_sent = true;

struct Put {
  int value = 0;
};
struct Stop {};
struct Cell {
  using Receives = gainsay::Messages<Put, Stop>;
  int last = 0;
  void on(const Put& put, gainsay::Context& ctx) {
    ctx.check(defect_is_mended || put.value > last, "values must grow");
    last = put.value;
  }
  void on(const Stop&) {}
};
struct Options {
  bool ordered = true;
};

GAINSAY_SCENARIO(adapter_growing, "two values that must arrive in order", Options) {
  const auto cell = world.spawn<Cell>("cell");
  if (options.ordered) world.order(gainsay::Delivery::fifo);
  world.send(cell, Put{1});
  if (second_is_sent) world.send(cell, Put{2});
  if (!second_is_sent) world.send(cell, Stop{});
}

// A trace of the time when this order was wrong: it can be followed, and nothing is wrong with it now.
std::string mended_trace() {
  gainsay::TraceDocument document;
  document.scenario = "adapter_growing";
  document.options = {{"ordered", "true"}};
  document.strategy = "dfs";
  document.steps_max = 10;
  document.actors = {"cell"};
  for (const char* message : {"Put{value: 1}", "Put{value: 2}"}) {
    gainsay::DocumentStep step;
    step.to = "cell";
    step.from = "outside";
    step.message = message;
    step.id = gainsay::EventId{document.steps.size() + 1};
    document.steps.push_back(step);
  }
  document.violation = gainsay::Violation{"check", "values must grow", gainsay::ActorId{0}, 1};
  document.violating_actor = "cell";
  document.end = "violated";
  return gainsay::write_trace_file(testing::TempDir() + "gainsay adapter-mended.trace", document);
}

}  // namespace adapter_example

// The macros themselves: what holds is a test that passes, under several names.
GAINSAY_TEST(adapter_growing, {.strategy = "dfs"});
GAINSAY_TEST_NAMED(adapter_growing, as_it_comes);
GAINSAY_TEST_NAMED(adapter_growing, of_options, {.strategy = "random", .runs = 10}, {{"ordered", "true"}});
GAINSAY_REPLAYS(adapter_example::mended_trace());
GAINSAY_REPLAYS(adapter_example::mended_trace());

namespace gainsay::gtest_adapter_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class Adapter : public testing::Test {
 public:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        fs::path(testing::TempDir()) / ("gainsay-" + std::string(test->name()) + std::to_string(getpid()));
  }
  void TearDown() override {
    unsetenv("GAINSAY_REPLAY");
    unsetenv("GAINSAY_TRACES");
    adapter_example::defect_is_mended = false;
    adapter_example::second_is_sent = true;
    fs::remove_all(folder_);
  }

  HuntTest dfs() const { return {.strategy = "dfs", .traces = folder_.string()}; }
  testing::AssertionResult unordered() const {
    return holds("adapter_growing", dfs(), {{"ordered", "false"}});
  }
  // The one trace that a failing test has left.
  std::string trace() const {
    EXPECT_FALSE(unordered());
    const std::vector<std::string> files = traces_in(folder_.string());
    EXPECT_EQ(files.size(), 1U);
    return files.front();
  }

  fs::path folder_;
};

TEST_F(Adapter, AViolationFailsWithThePrintedTrace) {
  const auto result = unordered();
  ASSERT_FALSE(result);
  EXPECT_THAT(result.message(), HasSubstr("values must grow"));
  EXPECT_THAT(result.message(), HasSubstr("Put{value: 2}"));
  EXPECT_THAT(result.message(), HasSubstr("cell"));
}

TEST_F(Adapter, AViolationLeavesItsTraceAndSaysHowToReplayIt) {
  const std::string file = trace();
  EXPECT_EQ(read_trace_file(file).scenario, "adapter_growing");
  const std::string text = unordered().message();
  EXPECT_THAT(text, HasSubstr("trace:    " + file));
  EXPECT_THAT(text, HasSubstr("GAINSAY_REPLAY=" + file + " "));
  EXPECT_THAT(text, HasSubstr("--gtest_filter=Adapter.AViolationLeavesItsTraceAndSaysHowToReplayIt"));
  EXPECT_THAT(text, HasSubstr("GAINSAY_REPLAYS(\"" + file + "\");"));
}

TEST_F(Adapter, TheEnvironmentNamesTheFolderOfTraces) {
  const fs::path other = folder_ / "other";
  setenv("GAINSAY_TRACES", other.c_str(), 1);
  EXPECT_FALSE(unordered());
  EXPECT_EQ(traces_in(other.string()).size(), 1U);
}

TEST_F(Adapter, AFolderThatCannotBeMadeDoesNotHideTheViolation) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "file") << "x";
  HuntTest how = dfs();
  how.traces = (folder_ / "file").string();
  const auto result = holds("adapter_growing", how, {{"ordered", "false"}});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.message(), HasSubstr("values must grow"));
  EXPECT_THAT(result.message(), HasSubstr("the trace was not written"));
}

TEST_F(Adapter, AnUndecidedSearchFails) {
  // One of two executions is not a proof.
  const auto result = holds("adapter_growing", {.strategy = "dfs", .runs = 0});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.message(), HasSubstr("undecided"));
}

TEST_F(Adapter, AMisspelledScenarioNamesTheNearest) {
  const auto result = holds("adapter_growin");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.message(), HasSubstr("did you mean 'adapter_growing'"));
}

TEST_F(Adapter, AFailingExpectationIsReportedByGoogleTest) {
  static Adapter* here = nullptr;
  here = this;
  EXPECT_NONFATAL_FAILURE(EXPECT_TRUE(here->unordered()), "values must grow");
}

TEST_F(Adapter, ARecordedTraceFailsUntilTheDefectIsMended) {
  const std::string file = trace();
  const auto before = replays(file);
  ASSERT_FALSE(before);
  EXPECT_THAT(before.message(), HasSubstr("values must grow"));
  adapter_example::defect_is_mended = true;
  EXPECT_TRUE(replays(file));
  EXPECT_TRUE(replays(folder_.string()));
}

TEST_F(Adapter, ATraceThatCannotBeFollowedFails) {
  const std::string file = trace();
  adapter_example::second_is_sent = false;
  const auto result = replays(file);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.message(), HasSubstr("can no longer be followed"));
}

TEST_F(Adapter, RecordedTracesAreTestsOfTheirOwn) {
  std::set<std::string> names;
  const auto& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int k = 0; k < suite.total_test_count(); ++k)
      names.insert(std::string(suite.name()) + "." + suite.GetTestInfo(k)->name());
  }
  EXPECT_TRUE(names.contains("GainsayReplays.gainsay_adapter_mended"));
  EXPECT_TRUE(names.contains("GainsayReplays.gainsay_adapter_mended_2"));
  EXPECT_TRUE(names.contains("Gainsay.adapter_growing_as_it_comes"));
}

TEST_F(Adapter, ATraceIsLookedForBesideTheTest) {
  const fs::path file(trace());
  adapter_example::defect_is_mended = true;
  EXPECT_FALSE(replays(file.filename().string()));
  EXPECT_TRUE(replays(file.filename().string(), (folder_ / "my_test.cpp").string()));
}

TEST_F(Adapter, WhatIsNoTraceFailsByItsName) {
  const auto missing = replays("no-such-file.trace", __FILE__);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.message(), HasSubstr("no-such-file.trace"));
  fs::create_directories(folder_);
  const auto empty = replays(folder_.string());
  ASSERT_FALSE(empty);
  EXPECT_THAT(empty.message(), HasSubstr("nothing was replayed"));
}

TEST_F(Adapter, ATestReplaysTheTraceThatTheEnvironmentNames) {
  const std::string file = trace();
  EXPECT_TRUE(holds("adapter_growing", dfs()));
  setenv("GAINSAY_REPLAY", file.c_str(), 1);
  const auto replayed = holds("adapter_growing", dfs());
  ASSERT_FALSE(replayed);
  EXPECT_THAT(replayed.message(), HasSubstr("values must grow"));
  // A trace of another scenario is not of this test.
  const Scenario other = Scenario::of("other", [](World& world) { world.spawn<adapter_example::Cell>("c"); });
  EXPECT_TRUE(holds(other, {.strategy = "dfs"}));
}

}  // namespace
}  // namespace gainsay::gtest_adapter_test
