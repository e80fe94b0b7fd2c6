// replay_trace: follows a trace file in this program. `replay` prints the result, `regress` counts it, and tests
// assert it.
#pragma once

#include <string>
#include <vector>

#include "gainsay/report/trace_summary.hpp"
#include "gainsay/scenario/blueprint.hpp"

namespace gainsay {

enum class Following : std::uint8_t {
  by_meaning,  // events that a person would call the same (follow_document.hpp)
  exact,       // ids, payloads, changes, notes and texts: the same program
};

// Throws UserError if the file is not a trace, or is for another scenario; with `exact`, also if anything differs.
ReplayReport replay_trace(const std::string& file, Following following);
// The same of a file that was read, in its world.
ReplayReport replay_trace(const std::string& file, const TraceDocument& recorded, const Blueprint& blueprint,
                          Following following);

// The .trace files of a folder and its subfolders, sorted by name. Throws UserError if there is none.
std::vector<std::string> traces_in(const std::string& folder);

}  // namespace gainsay
