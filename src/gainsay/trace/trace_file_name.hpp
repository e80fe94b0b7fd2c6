// The name of a trace's file: what it is, in a word that is the same next time.
//
//   paxos-lowest-proposers3-agreement-random-seed1-run412
#pragma once

#include <string>
#include <vector>

#include "gainsay/base/options.hpp"
#include "gainsay/trace/document.hpp"

namespace gainsay {

// Without folder and ending. `defaults` are the scenario's options: what is as usual is not in the name.
std::string trace_file_name(const TraceDocument& document, const std::vector<OptionInfo>& defaults);

}  // namespace gainsay
