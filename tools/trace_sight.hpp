// look_again: executes a recorded trace once more, without the memo, and writes down what the file does not have:
// states and disks after every step, what else was possible, what never arrived, heat of monitors, operations of
// clients.
#pragma once

#include <optional>
#include <string>

#include "gainsay/report/trace_page.hpp"
#include "gainsay/scenario/blueprint.hpp"

namespace gainsay::tools {

struct SightOrReason {
  std::optional<TraceSight> sight;
  std::string reason;  // why there is none
};

SightOrReason look_again(const Blueprint& blueprint, const TraceDocument& document);

// Whom the violated property reads.
void find_judged(const Blueprint& blueprint, const TraceDocument& document, TraceSight& sight);

// The trace of a file with all that can be known of it. A scenario that this program does not have, or that has
// changed since, is no error: the page then shows what the file says, and why not more.
SeenTrace seen_trace(const std::string& file, const TraceDocument& document);

}  // namespace gainsay::tools
