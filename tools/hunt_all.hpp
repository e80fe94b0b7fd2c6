// `hunt --all`: every scenario of the program, one after the other, for CI.
//
// Each scenario is hunted in on its own, in a process of its own: a crash in one leaves the others alone. A line for
// each, the usual lines for a violation, and the sum at the end. The exit code is 1 if any is violated; else 2 if any
// could not be hunted in, 3 if any is unknown, 0.
#pragma once

#include <functional>
#include <string>

#include "gainsay/scenario/registry.hpp"
#include "tools/ci_report.hpp"

namespace gainsay::tools {

struct AllHunts {
  bool json = false;
  CiFiles ci;
};

// Where a hunt's results go: what it prints, and its case for reports.
struct HuntEars {
  std::function<void(const std::string& text)> tell;
  std::function<void(const CiCase& each)> report;
};
// Hunts in one scenario and returns its exit code. It may run in another process.
using HuntOne = std::function<int(const Scenario& scenario, const HuntEars& ears)>;

int hunt_all(const AllHunts& how, const HuntOne& hunt_one);

}  // namespace gainsay::tools
