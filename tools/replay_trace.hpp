// replay_trace: what a trace file says about this program. The answer that `replay` prints and `regress` counts.
#pragma once

#include <string>

#include "gainsay/report/summary.hpp"

namespace gainsay::tools {

enum class Following : std::uint8_t {
  by_meaning,  // events that a person would call the same (follow_document.hpp)
  exact,       // ids, payloads, changes, notes and texts: the same program
};

// Throws UserError where the file is no trace, or is of another scenario; in `exact`, also where anything differs.
ReplayReport replay_trace(const std::string& file, Following following);

}  // namespace gainsay::tools
