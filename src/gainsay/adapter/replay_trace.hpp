// replay_trace: what a trace file says about this program. The answer that `replay` prints, `regress` counts and a
// test asks for.
#pragma once

#include <string>
#include <vector>

#include "gainsay/report/summary.hpp"
#include "gainsay/scenario/blueprint.hpp"

namespace gainsay {

enum class Following : std::uint8_t {
  by_meaning,  // events that a person would call the same (follow_document.hpp)
  exact,       // ids, payloads, changes, notes and texts: the same program
};

// Throws UserError where the file is no trace, or is of another scenario; in `exact`, also where anything differs.
ReplayReport replay_trace(const std::string& file, Following following);
// The same of a file that was read, in its world.
ReplayReport replay_trace(const std::string& file, const TraceDocument& recorded, const Blueprint& blueprint,
                          Following following);

// The files of a folder that end with .trace, also in folders in it, by name. Throws UserError where there is none.
std::vector<std::string> traces_in(const std::string& folder);

}  // namespace gainsay
