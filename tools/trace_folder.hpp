// TraceFolder: where a campaign leaves its traces, under
// names that say what they are and are the same next time.
//
//   gainsay-traces/paxos-lowest-proposers3-agreement-random-seed1-run412.trace
//
// The folder is made before the work begins, so that a place that cannot be written is known at once, and
// goes away again if nothing was put into it.
#pragma once

#include <string>
#include <vector>

#include "gainsay/base/options.hpp"
#include "gainsay/trace/results.hpp"

namespace gainsay::tools {

inline constexpr const char* default_trace_folder = "gainsay-traces";

class TraceFolder {
 public:
  // Throws UserError where no file can be written.
  explicit TraceFolder(std::string path);
  ~TraceFolder();
  TraceFolder(const TraceFolder&) = delete;
  TraceFolder& operator=(const TraceFolder&) = delete;

  // Writes the violation's file now and returns its path; "" and a line on stderr where it cannot be written after
  // all. `defaults` are the scenario's options: what is as usual is not in the names.
  std::string write(const FoundViolation& found, const std::vector<OptionInfo>& defaults);
  // The paths of the files of these violations, in order: those written before, in this order, and the rest, which is
  // written now.
  std::vector<std::string> write(const std::vector<FoundViolation>& violations,
                                 const std::vector<OptionInfo>& defaults);

 private:
  std::string path_;
  std::vector<std::string> files_;
  std::vector<std::string> made_;  // folders that were not there before, the innermost last
};

}  // namespace gainsay::tools
