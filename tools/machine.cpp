#include "tools/machine.hpp"

#include <cstdio>
#include <ctime>
#include <fstream>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace gainsay::tools {

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

std::string machine_text() {
  utsname name{};
  const bool known = ::uname(&name) == 0;
  return fmt::format("{}, {} cores, {}", cpu_model(), std::thread::hardware_concurrency(),
                     known ? fmt::format("{} {}", name.sysname, name.release) : "unknown system");
}

namespace {

std::string output_of(const char* command) {
  std::string text;
  if (std::FILE* pipe = ::popen(command, "r")) {
    char buffer[64];
    while (std::fgets(buffer, sizeof(buffer), pipe) != nullptr) text += buffer;
    ::pclose(pipe);
  }
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

std::string commit_text() {
  const std::string commit = output_of("git rev-parse --short HEAD 2>/dev/null");
  if (commit.empty()) return "unknown";
  const std::string changes =
      output_of("git status --porcelain --untracked-files=no -- src systems papers tools 2>/dev/null");
  return changes.empty() ? commit : commit + " with changes";
}

std::string date_text() {
  const std::time_t now = std::time(nullptr);
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
}

std::uint64_t machine_memory_bytes() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t resident_memory_bytes() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  if (!(in >> size >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace gainsay::tools
