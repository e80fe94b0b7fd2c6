// The JSON documents of the command line: one document, UTF-8, indented, with a line feed at its end.
//
// Fields that are promised: hunt and explore as results.hpp names them, violations as {property, message,
// runs, trace_file}. Runs are counted from 0. A hunt's document does not depend on the number of jobs, apart
// from elapsed_s. Text that is not UTF-8 is written with U+FFFD in place of what is not.
#pragma once

#include <string>
#include <vector>

#include "gainsay/report/listing.hpp"
#include "gainsay/report/summary.hpp"
#include "gainsay/report/trace_summary.hpp"
#include "gainsay/trace/results.hpp"

namespace gainsay {

std::string json_text(const HuntResult& result, const SummaryOptions& options);
std::string json_text(const ExploreResult& result, const SummaryOptions& options);
std::string json_text(const std::vector<Listing>& listings);
std::string json_text(const ReplayReport& report);
std::string json_text(const ShrinkReport& report);
std::string json_text(const TraceDocument& document);

}  // namespace gainsay
