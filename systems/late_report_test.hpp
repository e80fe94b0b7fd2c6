// What a late report looks like in a trace: for the two systems that know this defect.
#pragma once

#include <string>
#include <vector>

#include "gainsay/trace/document.hpp"

namespace system_test {

// Whether the manager takes a report of the node that got `failure`, after a step that begins with `removed`.
inline bool reports_after_failure(const std::vector<gainsay::DocumentStep>& steps, const std::string& failure,
                                  const std::string& removed) {
  std::string victim;
  for (const auto& step : steps) {
    if (step.message == failure) victim = step.to;
  }
  bool is_removed = false;
  for (const auto& step : steps) {
    is_removed = is_removed || step.message.starts_with(removed);
    if (is_removed && step.to == "manager" && step.from == victim && step.message.starts_with("SyncReport"))
      return true;
  }
  return false;
}

}  // namespace system_test
