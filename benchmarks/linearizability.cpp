// How fast histories are judged, beside a straightforward Wing-Gong-Lowe search in the same run.
//
//   bench_linearizability [DATA]    DATA: a folder with recorded histories (porcupine/jepsen/*.log,
//                                   porcupine/kv/*.txt, limo/histories/**); without it, or where it is
//                                   not there, only histories made here
//
// Each row: how many histories, steps of the specification, CPU seconds (the least of three turns), the same with
// explanations of what is violated, and the baseline, which explains nothing and gives up after a second a part.
#include "gainsay/oracle/linearizability.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <sys/utsname.h>

#include "benchmarks/machine.hpp"
#include "benchmarks/wgl_baseline.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/oracle/formats/history_file.hpp"
#include "gainsay/oracle/specs/collections.hpp"
#include "gainsay/oracle/specs/register.hpp"

namespace {

using namespace gainsay;
using benchmarks::cpu_seconds;

constexpr std::uint64_t seed = 1;
constexpr double baseline_seconds_max = 1;

struct Subject {
  History history;
  const SpecType* spec;
  AnyValue initial;
};

void row(const std::string& name, const std::vector<Subject>& subjects, bool with_baseline = true) {
  if (subjects.empty()) return;
  std::uint64_t steps = 0;
  std::uint64_t operations = 0;
  std::size_t verdicts[3] = {};
  std::size_t disagree = 0;
  double best = std::numeric_limits<double>::max();
  double best_explained = best;
  for (int turn = 0; turn < 6; ++turn) {
    const bool explain = turn % 2 == 1;
    steps = operations = 0;
    std::fill(std::begin(verdicts), std::end(verdicts), 0U);
    const double before = cpu_seconds();
    for (const Subject& each : subjects) {
      CheckOptions options;
      options.explain = explain;
      options.time_max = std::chrono::seconds(60);
      const CheckResult result = check_history(each.history, *each.spec, each.initial, options);
      steps += result.steps;
      operations += result.operations;
      ++verdicts[static_cast<std::size_t>(result.verdict)];
    }
    double& least = explain ? best_explained : best;
    least = std::min(least, cpu_seconds() - before);
  }
  fmt::print("{:<34} {:>5} {:>8} {:>5}/{}/{} {:>11} {:>9.4f} {:>9.4f}", name, subjects.size(), operations,
             verdicts[static_cast<std::size_t>(Verdict::ok)],
             verdicts[static_cast<std::size_t>(Verdict::violated)],
             verdicts[static_cast<std::size_t>(Verdict::unknown)], steps, best, best_explained);
  if (!with_baseline) {
    fmt::print("\n");
    return;
  }
  std::uint64_t baseline_steps = 0;
  std::size_t unknown = 0;
  const double before = cpu_seconds();
  for (const Subject& each : subjects) {
    const baseline::Outcome outcome =
        baseline::check(each.history, *each.spec, each.initial, baseline_seconds_max);
    baseline_steps += outcome.steps;
    unknown += outcome.verdict == Verdict::unknown ? 1 : 0;
    CheckOptions options;
    options.explain = false;
    const Verdict ours = check_history(each.history, *each.spec, each.initial, options).verdict;
    if (outcome.verdict != Verdict::unknown && ours != outcome.verdict) ++disagree;
  }
  const double theirs = cpu_seconds() - before - best;
  fmt::print("  | {:>11} {:>9.4f} {:>3} unknown{}\n", baseline_steps, theirs, unknown,
             disagree == 0 ? "" : fmt::format("  {} DISAGREE", disagree));
}

std::vector<Subject> from_files(const std::filesystem::path& folder, const std::string& model,
                                const std::string& contains = "") {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::exists(folder)) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file() && entry.path().string().find(contains) != std::string::npos)
        files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<Subject> subjects;
  for (const std::filesystem::path& file : files) {
    try {
      const HistoryFile read = read_history_file(file.string());
      const Model made = Model::named(read.model.empty() ? model : read.model);
      if (made.name != model) continue;
      subjects.push_back({made.typed(read.history), made.spec, made.initial});
    } catch (const UserError& error) {
      fmt::print(stderr, "passed over: {}\n", error.what());
    }
  }
  return subjects;
}

// A stack or a queue used by several processes, honestly.
template <class S, class Insert, class Remove> Subject used(std::size_t operations, std::size_t processes) {
  Rng rng(seed, operations);
  History history;
  S object;
  std::vector<std::optional<std::pair<typename S::Op, std::optional<typename S::Result>>>> running(processes);
  std::size_t invoked = 0;
  std::size_t returned = 0;
  while (returned < operations) {
    const std::size_t p = rng.below(processes);
    const std::string name = std::to_string(p);
    auto& mine = running[p];
    if (!mine) {
      if (invoked == operations) continue;
      typename S::Op op = Remove{};
      if (rng.chance(1, 2)) op = Insert{static_cast<int>(invoked)};
      ++invoked;
      history.invoke(name, op);
      mine.emplace(std::move(op), std::nullopt);
    } else if (!mine->second) {
      mine->second = object.apply(mine->first);
    } else {
      history.ok(name, *mine->second);
      mine.reset();
      ++returned;
    }
  }
  return {std::move(history), &spec_type<S>(), AnyValue::of(S{})};
}

}  // namespace

int main(int count, char** arguments) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  utsname machine{};
  uname(&machine);
  fmt::print("{} {}, seed {}\n", machine.sysname, machine.machine, seed);
  fmt::print("{:<34} {:>5} {:>8} {:>9} {:>11} {:>9} {:>9}  | {:>11} {:>9}\n", "", "files", "ops", "ok/bad/?",
             "steps", "cpu s", "explained", "wgl steps", "cpu s");
  using Stack = specs::Stack<int>;
  using Queue = specs::Queue<int>;
  for (const std::size_t operations : {400U, 2'000U, 10'000U}) {
    row(fmt::format("stack of {} operations", operations),
        {used<Stack, Stack::Push, Stack::Pop>(operations, 6)});
    row(fmt::format("queue of {} operations", operations),
        {used<Queue, Queue::Enqueue, Queue::Dequeue>(operations, 6)});
  }
  if (count < 2) return 0;
  const std::filesystem::path data = arguments[1];
  row("etcd, Jepsen logs", from_files(data / "porcupine/jepsen", "cas-register"));
  for (const char* name : {"c01-ok", "c01-bad", "c10-ok", "c10-bad", "c50-ok", "c50-bad"})
    row(fmt::format("kv {}", name), from_files(data / "porcupine/kv", "kv", name));
  row("knossos cas-register", from_files(data / "knossos/data/cas-register", "cas-register"));
  row("limo stacks", from_files(data / "limo/histories", "stack"));
  row("limo queues", from_files(data / "limo/histories", "queue"));
  return 0;
}
