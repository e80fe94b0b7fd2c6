// GoogleTest adapter: a scenario is a test. A violation fails it and prints the execution, the trace file and the
// replay command. Recorded traces can be tests, too.
//
//   GAINSAY_TEST(flush_race);                                          // hunts the scenario of that name
//   GAINSAY_TEST_NAMED(flush_race, proved, {.strategy = "dfs"});       // another test of it, with options
//   GAINSAY_TEST_NAMED(flush_race, of_three, {.runs = 1'000}, {{"clients", "3"}});  // of the scenario, too
//   GAINSAY_REPLAYS("traces/flush_race.trace");                        // fails while the violation is there
//   GAINSAY_REPLAYS("traces");                                         // all traces of a folder
//
//   EXPECT_TRUE(gainsay::holds("paxos", {.runs = 1'000}));             // inside any test
//   EXPECT_TRUE(gainsay::holds(my_scenario, {.strategy = "dfs"}));
//   EXPECT_TRUE(gainsay::replays("traces/flush_race.trace"));
//
// The options are those of HuntTest (adapter/verdicts.hpp), which also says what passes.
#pragma once

#include <cerrno>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "gainsay/adapter/verdicts.hpp"
#include "gainsay/base/check.hpp"

namespace gainsay {

namespace detail {

inline ::testing::AssertionResult assertion_of(const TestReport& report) {
  if (report.passed) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << report.text;
}

// Runs the current test alone; "" outside of tests.
inline std::string command_of_test() {
  const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
  if (test == nullptr) return "";
  return std::string(program_invocation_name) + " --gtest_filter=" + test->test_suite_name() + "." +
         test->name();
}

}  // namespace detail

// Success, or a failure that explains itself: verdict, counterexample, trace, warnings.
inline ::testing::AssertionResult holds(const Scenario& scenario, const HuntTest& how = {},
                                        const OptionTexts& scenario_options = {}) {
  return detail::assertion_of(hunt_as_test(scenario, scenario_options, how, detail::command_of_test()));
}

inline ::testing::AssertionResult holds(const std::string& scenario, const HuntTest& how = {},
                                        const OptionTexts& scenario_options = {}) {
  try {
    return holds(find_scenario(scenario), how, scenario_options);
  } catch (const UserError& error) {
    return ::testing::AssertionFailure() << error.what();
  }
}

// Success if the trace file, or every trace in the folder, can be followed and shows no violation. If the path does
// not exist, it is looked up next to `source`.
inline ::testing::AssertionResult replays(const std::string& path, const std::string& source = "") {
  return detail::assertion_of(replay_as_test(path, source));
}

namespace detail {

class ReplayTest : public ::testing::Test {
 public:
  ReplayTest(std::string path, std::string source) : path_(std::move(path)), source_(std::move(source)) {}
  void TestBody() override { EXPECT_TRUE(replays(path_, source_)); }

 private:
  std::string path_;
  std::string source_;
};

// The test's name is the file's, as far as letters and digits go.
inline bool register_replay(const std::string& path, const char* source, int line) {
  static std::set<std::string> names;
  std::string stem = path.substr(path.find_last_of('/') + 1);
  if (stem.ends_with(".trace")) stem.resize(stem.size() - 6);
  for (char& c : stem) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!kept) c = '_';
  }
  std::string name = stem.empty() ? "traces" : stem;
  for (int next = 2; !names.insert(name).second; ++next) name = stem + "_" + std::to_string(next);
  const std::string file(source);
  ::testing::RegisterTest("GainsayReplays", name.c_str(), nullptr, nullptr, source, line,
                          [path, file]() -> ReplayTest* { return new ReplayTest(path, file); });
  return true;
}

}  // namespace detail

}  // namespace gainsay

// The braces of designated initialisers hold commas; the macros put the arguments back together.
#define GAINSAY_TEST(scenario, ...)                                                   \
  TEST(Gainsay, scenario) {                                                           \
    EXPECT_TRUE(::gainsay::holds(std::string(#scenario) __VA_OPT__(, ) __VA_ARGS__)); \
  }

#define GAINSAY_TEST_NAMED(scenario, name, ...)                                       \
  TEST(Gainsay, scenario##_##name) {                                                  \
    EXPECT_TRUE(::gainsay::holds(std::string(#scenario) __VA_OPT__(, ) __VA_ARGS__)); \
  }

#define GAINSAY_JOINED_NAME_(a, b) a##b
#define GAINSAY_JOINED_NAME(a, b) GAINSAY_JOINED_NAME_(a, b)
#define GAINSAY_REPLAYS(path)                                                             \
  [[maybe_unused]] static const bool GAINSAY_JOINED_NAME(gainsay_replays_, __COUNTER__) = \
      ::gainsay::detail::register_replay(path, __FILE__, __LINE__)
