// A trace in the formats of other viewers.
#pragma once

#include <string>

#include "gainsay/trace/document.hpp"

namespace gainsay {

// A log with vector clocks, two lines for each step, as ShiViz reads it with its first regular expression:
// (?<event>.*)\n(?<host>\S*) (?<clock>{.*}). What happens at nobody (cuts, heals) is of the host "network".
std::string shiviz_text(const TraceDocument& document);

// Chrome's trace events, for Perfetto and chrome://tracing: a thread for each actor, a slice of a millisecond for each
// step, an arrow from cause to effect.
std::string chrome_trace_text(const TraceDocument& document);

}  // namespace gainsay
