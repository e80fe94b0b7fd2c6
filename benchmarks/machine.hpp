// What every benchmark says about where it ran, and the clock that all of them use: CPU time of this process.
#pragma once

#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>

namespace benchmarks {

inline double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

inline std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

inline std::string commit() {
  std::string text;
  if (FILE* pipe = ::popen("git rev-parse --short HEAD 2>/dev/null", "r")) {
    char buffer[64];
    while (std::fgets(buffer, sizeof(buffer), pipe) != nullptr) text += buffer;
    ::pclose(pipe);
  }
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? "unknown" : text;
}

}  // namespace benchmarks
