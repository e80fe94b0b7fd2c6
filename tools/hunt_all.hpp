// `hunt --all`: every scenario of the program, one after the other, for CI.
//
// Each scenario is hunted in on its own, in a process of its own: a crash in one leaves the others alone. A line for
// each, the usual lines for a violation, and the sum at the end. The exit code is 1 if any is violated; else 2 if any
// could not be hunted in, 3 if any is unknown, 0.
#pragma once

#include <functional>
#include <string>

#include "gainsay/scenario/registry.hpp"

namespace gainsay::tools {

struct AllHunts {
  bool json = false;
  std::string junit;  // the file; "": none
};

// Hunts in one scenario and returns its exit code. It may run in another process: `tell` takes what it prints.
using HuntOne =
    std::function<int(const Scenario& scenario, const std::function<void(const std::string&)>& tell)>;

int hunt_all(const AllHunts& how, const HuntOne& hunt_one);

}  // namespace gainsay::tools
