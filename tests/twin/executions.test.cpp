// dfs against the dumb twin: the same executions, in the same order, in the same classes, with the same
// verdicts, on random systems.
#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/strategy/searches/dfs.hpp"
#include "tests/twin/twin.hpp"

namespace twin::executions_test {
namespace {

constexpr std::size_t too_many = 300;  // executions of a system that is not worth the time

struct Executions {
  std::vector<std::string> texts;              // of the executions, in order
  std::vector<std::string> verdicts;           // likewise: "" or the property that complains
  std::set<std::vector<std::string>> classes;  // of those
  bool too_many = false;
};

// By recursion over explicit states.
class Enumerator {
 public:
  explicit Enumerator(const Table& table) : twin_(table) {}

  Executions all() {
    const State first = twin_.first();
    if (const auto complaint = twin_.complaint(first, true)) {
      end(first, "", *complaint);
    } else {
      go(first, "");
    }
    return std::move(found_);
  }

 private:
  void end(const State& state, const std::string& text, const std::string& verdict) {
    found_.texts.push_back(text);
    found_.verdicts.push_back(verdict);
    found_.classes.insert(state.sequences);
    found_.too_many = found_.texts.size() > too_many;
  }
  void go(const State& state, const std::string& text) {
    const Moves moves = twin_.moves(state);
    if (moves.list.empty()) end(state, text, twin_.complaint_at_end(state).value_or(""));
    for (const Move& move : moves.list) {
      if (found_.too_many) return;
      if (move.kind == EventKind::stop) {
        end(state, text, twin_.complaint_at_end(state).value_or(""));
        continue;
      }
      for (const Outcome& outcome : twin_.outcomes(state, move)) {
        const std::string longer = text + twin_.text(state, move, outcome.answers);
        if (outcome.fails) {
          end(outcome.next, longer, "check");
        } else if (const auto complaint = twin_.complaint(outcome.next, false)) {
          end(outcome.next, longer, *complaint);
        } else {
          go(outcome.next, longer);
        }
      }
    }
  }

  Twin twin_;
  Executions found_;
};

int number_of(gainsay::ActorId id) {
  if (id == gainsay::nobody) return -2;
  return id == gainsay::outside ? -1 : static_cast<int>(id.raw);
}

std::string text_of(const gainsay::Trace& trace) {
  std::string text;
  for (const gainsay::Step& step : trace.steps) {
    std::vector<std::uint32_t> answers;
    for (const gainsay::DataChoice& choice : step.choices) answers.push_back(choice.answer);
    const int from = Twin::concerns_message(step.event.kind) ? number_of(step.event.sender) : -2;
    text += Twin::step_text(step.event.kind, from, number_of(step.event.receiver), answers);
  }
  return text;
}

struct KernelExecutions {
  std::vector<std::string> texts;
  std::vector<std::string> verdicts;
  std::set<std::uint64_t> classes;
};

KernelExecutions executions_of(const gainsay::Blueprint& blueprint, bool memo,
                               gainsay::Backtracking backtracking) {
  KernelExecutions all;
  gainsay::Execution execution(blueprint, {.steps_max = 100, .memo = memo, .backtracking = backtracking});
  gainsay::DfsStrategy dfs;
  while (const auto keep = dfs.begin({})) {
    const gainsay::RunOutcome outcome = execution.run(dfs, *keep);
    all.texts.push_back(text_of(execution.trace()));
    all.verdicts.push_back(outcome.violation ? outcome.violation->property : "");
    all.classes.insert(outcome.trace_class);
    if (all.texts.size() > too_many) break;
  }
  return all;
}

// Compares `wanted` systems of a flavour that are not too large; GAINSAY_LONG asks for a hundred times as
// many.
void compare(const Flavour& flavour, Delivery order, std::uint64_t first_seed, int wanted) {
  if (std::getenv("GAINSAY_LONG") != nullptr) wanted *= 100;
  std::uint64_t seed = first_seed;
  int violated = 0;
  int branching = 0;
  for (int done = 0; done < wanted; ++seed) {
    Table made = Maker(seed, flavour).make();
    made.order = order;
    const Executions expected = Enumerator(made).all();
    if (expected.too_many) continue;
    ++done;
    branching += expected.texts.size() > 1 ? 1 : 0;
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", order " << static_cast<int>(order));
    const gainsay::Blueprint blueprint = scenario_of(made, flavour.gates != 0).build();
    for (const bool memo : {true, false}) {
      for (const auto backtracking : {gainsay::Backtracking::snapshots, gainsay::Backtracking::reexecution}) {
        const KernelExecutions found = executions_of(blueprint, memo, backtracking);
        ASSERT_EQ(found.texts, expected.texts);
        ASSERT_EQ(found.verdicts, expected.verdicts);
        ASSERT_EQ(found.classes.size(), expected.classes.size());
      }
    }
    for (const std::string& verdict : expected.verdicts) violated += verdict.empty() ? 0 : 1;
  }
  EXPECT_GT(branching, wanted / 3) << "these systems have no schedules to tell apart";
  EXPECT_TRUE(flavour.invariants == 0 || violated > 0) << "no invariant was ever broken";
}

class TwinExecutions : public testing::TestWithParam<Delivery> {};

TEST_P(TwinExecutions, OfPlainSystems) { compare({}, GetParam(), 1'000, 50); }

TEST_P(TwinExecutions, WithDataChoices) { compare({.pending_max = 3, .choices = 2}, GetParam(), 2'000, 40); }

TEST_P(TwinExecutions, WithTimersAndGates) {
  compare({.pending_max = 3, .choices = 8, .timers = 2, .gates = 5, .halts = 12}, GetParam(), 3'000, 50);
}

TEST_P(TwinExecutions, WithInvariantsAndFailures) {
  compare({.choices = 6, .failures = 12, .halts = 12, .invariants = 1}, GetParam(), 4'000, 60);
}

TEST_P(TwinExecutions, WithFaults) {
  compare({.pending_max = 3, .ttl_max = 1, .timers = 5, .invariants = 3, .faults = true}, GetParam(), 5'000,
          60);
}

INSTANTIATE_TEST_SUITE_P(Orders, TwinExecutions,
                         testing::Values(Delivery::unordered, Delivery::fifo, Delivery::causal,
                                         Delivery::mailbox, Delivery::queue));

// Every link has an order of its own.
TEST(TwinMixedOrders, Executions) {
  for (const Delivery order : {Delivery::unordered, Delivery::causal, Delivery::mailbox, Delivery::queue}) {
    compare({.choices = 8, .invariants = 4, .mixed_orders = true}, order, 6'000, 40);
    compare({.pending_max = 3, .ttl_max = 1, .mixed_orders = true, .faults = true}, order, 7'000, 40);
  }
}

}  // namespace
}  // namespace twin::executions_test
