// What the tests of machines share: messages, and the logs and violations of all executions of one machine.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gainsay/execution/run/every_run.test.hpp"

namespace gainsay::one_machine {

using every_run::every_run;
using every_run::OneRun;

using Log = std::vector<std::string>;

struct A {};
struct B {};
struct C {};
struct Own {};  // raised, never received

// The logs of all executions, each once, in order.
template <class M> std::vector<Log> logs(std::function<void(World&, Ref<M>)> prepare, M initial = {}) {
  std::vector<Log> seen;
  const auto runs = every_run([&](World& world) {
    const Ref<M> machine = world.spawn<M>("m", initial);
    prepare(world, machine);
    world.finally("read the log", [machine, &seen](View v) -> Complaint {
      if (std::find(seen.begin(), seen.end(), v[machine].log) == seen.end()) seen.push_back(v[machine].log);
      return {};
    });
  });
  for (const OneRun& run : runs) EXPECT_EQ(run.trace.violation, std::nullopt) << run.trace.violation->message;
  std::sort(seen.begin(), seen.end());
  return seen;
}

// The only log there is.
template <class M> Log log_of(std::function<void(World&, Ref<M>)> prepare, M initial = {}) {
  const std::vector<Log> all = logs<M>(std::move(prepare), std::move(initial));
  EXPECT_EQ(all.size(), 1U);
  return all.empty() ? Log{} : all.front();
}

// The violations of all executions, each once.
template <class M>
std::vector<std::string> violations(std::function<void(World&, Ref<M>)> prepare, M initial = {}) {
  std::vector<std::string> texts;
  for (const OneRun& run : every_run([&](World& world) { prepare(world, world.spawn<M>("m", initial)); })) {
    if (!run.trace.violation) continue;
    const std::string text = run.trace.violation->property + ": " + run.trace.violation->message;
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  }
  return texts;
}

template <class M, class... Events> std::function<void(World&, Ref<M>)> sends(Events... events) {
  return [=](World& world, [[maybe_unused]] Ref<M> machine) {
    world.order(Delivery::fifo);
    (world.send(machine, events), ...);
  };
}
}  // namespace gainsay::one_machine
