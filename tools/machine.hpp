// What results are measured on: the machine, the commit, the day.
#pragma once

#include <cstdint>
#include <string>

namespace gainsay::tools {

// "AMD EPYC 7B13".
std::string cpu_model();
// "AMD EPYC 7B13, 2 cores, Linux 6.1".
std::string machine_text();
// Of the working directory's tree, shortened, and "with changes" where its sources are not those of the commit;
// "unknown" where there is none.
std::string commit_text();
// "2026-11-16", in the time zone of Greenwich.
std::string date_text();

// Of the machine, and of this process; 0: not known.
std::uint64_t machine_memory_bytes();
std::uint64_t resident_memory_bytes();

}  // namespace gainsay::tools
