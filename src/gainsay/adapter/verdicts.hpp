// A campaign or a recorded trace as a test, for any test framework: it passes, or fails with a complete explanation.
//
// A result that could not be decided (an incomplete search, a goal never reached) also fails: a green test means
// "ok". A failing campaign leaves its traces in a folder. If the environment variable GAINSAY_REPLAY names one of
// them, the test replays that trace instead of hunting, so that a debugger sees the execution that matters.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "gainsay/scenario/registry.hpp"
#include "gainsay/trace/fairness.hpp"

namespace gainsay {

// How to hunt; the fields mean what they mean in HuntOptions (execution/campaign/hunt.hpp).
struct HuntTest {
  std::string strategy = "portfolio";
  OptionTexts strategy_options{};
  std::optional<std::uint64_t> depth{};
  std::optional<std::string> dependence{};
  std::optional<std::size_t> fair_after{};
  bool swarm = false;
  std::optional<std::uint64_t> runs{};  // random strategies without `runs` and `time`: 10,000
  std::optional<std::chrono::nanoseconds> time{};
  std::size_t steps_max = 10'000;
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  std::optional<std::size_t> temperature{};
  FairnessKind fairness = FairnessKind::weak;
  bool verify_determinism = false;
  std::string traces =
      "gainsay-traces";  // the folder; the environment variable GAINSAY_TRACES names another one
};

struct TestReport {
  bool passed = false;
  std::string text{};  // why it did not
};

// `again`: the command that runs this test alone, without the environment; "": there is none.
TestReport hunt_as_test(const Scenario& scenario, const OptionTexts& scenario_options, const HuntTest& how,
                        const std::string& again);

// Passes if the trace can be followed and shows no violation. `path` is a trace file or a folder of them; if it does
// not exist, it is looked up next to `source`, the file of the test.
TestReport replay_as_test(const std::string& path, const std::string& source);

}  // namespace gainsay
