// How fast suites that cover a state graph are made.
//
//   bench_cover                          TLC's dumps in the folder $GAINSAY_TLC_GRAPHS (*.dot), and a small lattice
//   bench_cover lattice N [restarts] [MINIMIZE] [GAP]
//                                        N processes (12: 16.0 M states, 129.4 M steps; lattice.hpp); MINIMIZE is
//                                        steps or tests; GAP ends it as soon as it is proved to be so near
//
// Each row: states, edges, tests and steps of the suite, the bound, the rounds of the solver, CPU seconds of the flow
// and of all (with reading and checking the suite), and the most memory so far.
#include "gainsay/model/cover.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <sys/resource.h>

#include "benchmarks/lattice.hpp"
#include "benchmarks/machine.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/model/tlc_dot.hpp"

namespace {

using namespace gainsay;
using benchmarks::cpu_seconds;

std::uint64_t most_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

void row(const std::string& name, const StateGraph& graph, CoverOptions options) {
  CoverProgress progress;
  options.progress = &progress;
  const double before = cpu_seconds();
  const auto suite = cover(graph, options);
  const double all = cpu_seconds() - before;
  const SuiteFacts& facts = suite->facts;
  fmt::print("{:28} {:6} {:>11} {:>12} {:>11} {:>12} {:>12} {:>9.4f}% {:>5} {:>8.2f} s {:>8}\n", name,
             facts.minimized, with_commas(graph.nodes()), with_commas(graph.edges()),
             with_commas(facts.tests), with_commas(facts.steps), with_commas(facts.cost_bound),
             100 * facts.gap(), progress.rounds.load(), all, human_bytes(most_bytes()));
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  fmt::print("{}, commit {}\n", benchmarks::cpu_model(), benchmarks::commit());
  if (!words.empty() && words[0] == "lattice") {
    const unsigned processes = words.size() > 1 ? static_cast<unsigned>(std::stoul(words[1])) : 10;
    const bool restarts = std::find(words.begin(), words.end(), "restarts") != words.end();
    const bool tests = std::find(words.begin(), words.end(), "tests") != words.end();
    const double before = cpu_seconds();
    const StateGraph graph = benchmarks::lattice(processes, restarts);
    fmt::print("made in {:.2f} s\n", cpu_seconds() - before);
    CoverOptions options;
    options.minimize = tests ? CoverOptions::Minimize::tests : CoverOptions::Minimize::steps;
    if (words.size() > 2 && words.back().find('.') != std::string::npos)
      options.gap_max = std::stod(words.back());
    row(fmt::format("lattice {}{}", processes, restarts ? " restarts" : ""), graph, options);
    return 0;
  }
  if (const char* folder = std::getenv("GAINSAY_TLC_GRAPHS")) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".dot") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      const double before = cpu_seconds();
      const StateGraph graph = read_tlc_dot(file.string());
      const double read = cpu_seconds() - before;
      const double bytes = static_cast<double>(std::filesystem::file_size(file));
      fmt::print("{}: read in {:.3f} s, {:.0f} MB/s\n", file.filename().string(), read, bytes / 1e6 / read);
      for (const auto minimize : {CoverOptions::Minimize::steps, CoverOptions::Minimize::tests}) {
        CoverOptions options;
        options.minimize = minimize;
        row(file.stem().string(), graph, options);
      }
    }
  }
  const StateGraph graph = benchmarks::lattice(9, false);
  row("lattice 9", graph, {});
  return 0;
}
