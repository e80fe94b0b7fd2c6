// What the kernel's tests share: every execution of a tiny world, found by dfs in four ways that must agree.
//
// The four ways are memo or live actors, snapshots or re-execution. On every set of runs the helper also
// demands what must hold of any: ids are unique within an execution, no two executions are the same, trace
// classes are exactly the per-actor sequences, and executions replay live, step by step.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "gainsay/execution/run/document.hpp"
#include "gainsay/execution/run/execution.hpp"
#include "gainsay/scenario/world.hpp"
#include "gainsay/strategy/searches/dfs.hpp"

namespace gainsay::every_run {

using Body = std::function<void(World&)>;

inline Blueprint build(const Body& body) {
  World world("tiny");
  body(world);
  return world.take();
}

struct OneRun {
  Trace trace;  // with its violation
  Ending ending = Ending::quiescent;
  std::uint64_t trace_class = 0;

  friend bool operator==(const OneRun&, const OneRun&) = default;
};

struct Mode {
  const char* name;
  bool memo;
  Backtracking backtracking;
};

inline constexpr Mode modes[] = {{"memo, snapshots", true, Backtracking::snapshots},
                                 {"memo, re-execution", true, Backtracking::reexecution},
                                 {"live, snapshots", false, Backtracking::snapshots},
                                 {"live, re-execution", false, Backtracking::reexecution}};

// All executions in one mode. `tidy_bytes`: forget everything interned after each run when it takes more.
inline std::vector<OneRun> runs_in(const Blueprint& blueprint, const Mode& mode, std::size_t steps_max = 200,
                                   std::size_t tidy_bytes = ~std::size_t{0}) {
  constexpr std::size_t most_runs = 200'000;
  Execution execution(blueprint,
                      {.steps_max = steps_max, .memo = mode.memo, .backtracking = mode.backtracking});
  DfsStrategy dfs;
  std::vector<OneRun> runs;
  while (const auto keep = dfs.begin({runs.size(), 1, steps_max})) {
    const RunOutcome outcome = execution.run(dfs, *keep);
    OneRun run{execution.trace(), outcome.ending, outcome.trace_class};
    run.trace.violation = outcome.violation;
    runs.push_back(std::move(run));
    execution.tidy(tidy_bytes);
    if (runs.size() == most_runs) {
      ADD_FAILURE() << "more than " << most_runs << " executions";
      break;
    }
  }
  return runs;
}

// One actor's part of an execution: what it received, in order, with the answers it got.
using Sequence = std::vector<std::pair<std::uint64_t, std::vector<std::uint32_t>>>;

// The trace class by its definition: each actor's sequence; partition and heal stand in everybody's.
inline std::map<std::uint32_t, Sequence> class_of(const Trace& trace, std::size_t scenario_actors) {
  std::map<std::uint32_t, Sequence> sequences;
  for (const Step& step : trace.steps) {
    std::pair<std::uint64_t, std::vector<std::uint32_t>> entry{step.event.id.raw, {}};
    for (const DataChoice& choice : step.choices) {
      if (!choice.is_time && !choice.late) entry.second.push_back(choice.answer);
    }
    if (step.event.receiver != nobody) {
      sequences[step.event.receiver.raw].push_back(entry);
    } else {
      for (std::uint32_t a = 0; a < scenario_actors; ++a) sequences[a].push_back(entry);
    }
  }
  return sequences;
}

// How many trace classes there are, by definition; the kernel's hashes must say the same.
inline std::size_t classes_of(const std::vector<OneRun>& runs, std::size_t scenario_actors) {
  std::map<std::map<std::uint32_t, Sequence>, std::uint64_t> hash_of;
  std::set<std::uint64_t> hashes;
  for (const OneRun& run : runs) {
    hashes.insert(run.trace_class);
    const auto [known, added] = hash_of.emplace(class_of(run.trace, scenario_actors), run.trace_class);
    EXPECT_EQ(known->second, run.trace_class) << "one class, two hashes";
  }
  EXPECT_EQ(hashes.size(), hash_of.size()) << "hashes and classes differ in number";
  return hash_of.size();
}

inline void expect_ids_unique(const Trace& trace) {
  std::set<std::uint64_t> ids;
  for (const Step& step : trace.steps) EXPECT_TRUE(ids.insert(step.event.id.raw).second) << "an id twice";
}

inline void expect_replays(const Blueprint& blueprint, const OneRun& run, std::size_t steps_max) {
  const Replay replay = replay_steps(blueprint, run.trace.decisions(), steps_max);
  EXPECT_FALSE(replay.diverged_at) << replay.divergence;
  EXPECT_EQ(replay.outcome.ending, run.ending);
  EXPECT_EQ(replay.outcome.violation, run.trace.violation);
  EXPECT_EQ(replay.outcome.trace_class, run.trace_class);
  ASSERT_EQ(replay.document.steps.size(), run.trace.steps.size());
  for (std::size_t i = 0; i < run.trace.steps.size(); ++i) {
    EXPECT_EQ(replay.document.steps[i].id, run.trace.steps[i].event.id);
    EXPECT_EQ(replay.document.steps[i].kind, run.trace.steps[i].event.kind);
    EXPECT_EQ(replay.document.steps[i].parent, run.trace.steps[i].event.parent);
    EXPECT_EQ(replay.document.steps[i].choices, run.trace.steps[i].choices);
  }
}

// All executions of a blueprint, in the order of dfs. REQUIRES: value actors only, for the memo's part of it.
inline std::vector<OneRun> every_run(const Blueprint& blueprint, std::size_t steps_max = 200) {
  const std::vector<OneRun> runs = runs_in(blueprint, modes[0], steps_max);
  for (const Mode& mode : modes) {
    EXPECT_TRUE(runs == runs_in(blueprint, mode, steps_max)) << "other executions with " << mode.name;
  }
  EXPECT_TRUE(runs == runs_in(blueprint, modes[0], steps_max, 0)) << "other executions when all is forgotten";
  using Answers = std::vector<std::pair<std::uint32_t, std::int64_t>>;
  std::set<std::vector<std::tuple<std::uint64_t, Answers>>> different;
  for (const OneRun& run : runs) {
    expect_ids_unique(run.trace);
    std::vector<std::tuple<std::uint64_t, Answers>> decisions;
    for (const Step& step : run.trace.steps) {
      Answers answers;
      for (const DataChoice& choice : step.choices) answers.emplace_back(choice.answer, choice.time_ns);
      decisions.emplace_back(step.event.id.raw, std::move(answers));
    }
    different.insert(std::move(decisions));
  }
  EXPECT_EQ(different.size(), runs.size()) << "an execution was made twice";
  constexpr std::size_t most_replays = 60;
  for (std::size_t i = 0; i < runs.size(); i += 1 + runs.size() / most_replays) {
    expect_replays(blueprint, runs[i], steps_max);
  }
  return runs;
}

inline std::vector<OneRun> every_run(const Body& body, std::size_t steps_max = 200) {
  return every_run(build(body), steps_max);
}

// How many executions and trace classes a world has.
struct Counts {
  std::size_t runs = 0;
  std::size_t classes = 0;

  friend bool operator==(const Counts&, const Counts&) = default;
  friend void PrintTo(const Counts& counts, std::ostream* out) {
    *out << counts.runs << " executions in " << counts.classes << " classes";
  }
};

inline Counts counts(const Body& body, std::size_t steps_max = 200) {
  const Blueprint blueprint = build(body);
  const std::vector<OneRun> runs = every_run(blueprint, steps_max);
  return {runs.size(), classes_of(runs, blueprint.actors.size())};
}

// Executions as short texts, in the order of dfs: kinds, receivers and answers, for tests that name them.
inline std::vector<std::string> texts(const Body& body, std::size_t steps_max = 200) {
  const Blueprint blueprint = build(body);
  std::vector<std::string> all;
  for (const OneRun& run : every_run(blueprint, steps_max)) {
    const Replay replay = replay_steps(blueprint, run.trace.decisions(), steps_max);
    std::string text;
    for (const DocumentStep& step : replay.document.steps) {
      if (!text.empty()) text += ", ";
      if (step.kind != EventKind::deliver) text += std::string(kind_name(step.kind)) + " ";
      text += step.message.empty() ? step.to : step.message;
    }
    all.push_back(text);
  }
  return all;
}

inline std::size_t factorial(std::size_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

}  // namespace gainsay::every_run
