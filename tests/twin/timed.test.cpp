// Simulated time against all timings: an order of events is possible iff some times within the windows allow it.
//
// The reference decides, for everything that is sent or armed, when it comes: every whole time of its window, one after
// the other. Then nothing is open: what is ready comes when it is due, or at once if that has passed, and at equal
// times in any order; a fault comes at any time before that. The set of all orders that come of it must be the set of
// orders that dfs finds, and explore must know as many ends and the same verdicts.
#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/strategy/searches/dfs.hpp"
#include "tests/twin/twin.hpp"

namespace twin::timed_test {
namespace {

constexpr std::size_t too_many_orders = 400;
constexpr std::size_t too_many_steps = 4'000;

struct Orders {
  std::set<std::string> texts;     // every order, with its verdict
  std::set<std::string> verdicts;  // "" or the property that complains
  bool too_many = false;
};

class AllTimings {
 public:
  explicit AllTimings(const Table& table) : table_(table), twin_(table) {}

  Orders all() {
    const State first = twin_.first();
    if (const auto complaint = twin_.complaint(first, true)) {
      end("", *complaint);
    } else {
      decide(first, "");
    }
    return std::move(found_);
  }

 private:
  void end(const std::string& text, const std::string& verdict) {
    found_.texts.insert(text + "=> " + verdict);
    found_.verdicts.insert(verdict);
    found_.too_many = found_.too_many || found_.texts.size() > too_many_orders;
  }

  // When the first thing comes that has no time yet.
  void decide(const State& state, const std::string& text) {
    for (std::size_t i = 0; i < state.pending.size(); ++i) {
      const Item& item = state.pending[i];
      if (item.due >= 0) continue;
      for (int due = item.made + item.span.lo; due <= item.made + item.span.hi; ++due) {
        State decided = state;
        decided.pending[i].due = std::max(due, state.now);
        decide(decided, text);
      }
      return;
    }
    // Another way to the same times after the same events.
    std::string key = text + "@" + std::to_string(state.now);
    for (const Item& item : state.pending) key += "," + std::to_string(item.due);
    for (const std::string& received : state.sequences) key += "|" + received;
    if (!seen_.insert(std::move(key)).second) return;
    found_.too_many = found_.too_many || seen_.size() > too_many_steps;
    if (!found_.too_many) go(state, text);
  }

  static int comes(const State& state, int index) {
    return std::max(state.now, state.pending[static_cast<std::size_t>(index)].due);
  }

  void go(const State& state, const std::string& text) {
    const Moves moves = twin_.moves(state);
    if (moves.list.empty()) end(text, twin_.complaint_at_end(state).value_or(""));
    int next = -1;  // when the next ordinary event comes; -1: there is none
    int last = state.now;
    for (const Item& item : state.pending) last = std::max(last, item.due);
    for (const Move& move : moves.list) {
      if (!gainsay::is_ordinary(move.kind)) continue;
      const int time = comes(state, move.target);
      next = next < 0 ? time : std::min(next, time);
    }
    for (const Move& move : moves.list) {
      if (found_.too_many) return;
      if (move.kind == EventKind::stop) {
        end(text, twin_.complaint_at_end(state).value_or(""));
      } else if (gainsay::is_ordinary(move.kind)) {
        if (comes(state, move.target) == next) execute(state, move, next, text);
      } else {
        for (int time = state.now; time <= (next < 0 ? last : next); ++time) execute(state, move, time, text);
      }
    }
  }

  void execute(const State& before, const Move& move, int time, const std::string& text) {
    State state = before;
    state.now = time;
    for (const Outcome& outcome : twin_.outcomes(state, move)) {
      const std::string longer = text + twin_.text(state, move, outcome.answers);
      if (outcome.fails) {
        end(longer, "check");
      } else if (const auto complaint = twin_.complaint(outcome.next, false)) {
        end(longer, *complaint);
      } else {
        decide(outcome.next, longer);
      }
    }
  }

  const Table& table_;
  Twin twin_;
  Orders found_;
  std::set<std::string> seen_;
};

int number_of(gainsay::ActorId id) {
  if (id == gainsay::nobody) return -2;
  return id == gainsay::outside ? -1 : static_cast<int>(id.raw);
}

std::string text_of(const gainsay::Trace& trace) {
  std::string text;
  for (const gainsay::Step& step : trace.steps) {
    std::vector<std::uint32_t> answers;
    for (const gainsay::DataChoice& choice : step.choices) {
      if (!choice.late) answers.push_back(choice.answer);
    }
    const int from = Twin::concerns_message(step.event.kind) ? number_of(step.event.sender) : -2;
    text += Twin::step_text(step.event.kind, from, number_of(step.event.receiver), answers);
  }
  return text;
}

Orders orders_of(const gainsay::Blueprint& blueprint, bool memo, gainsay::Backtracking backtracking) {
  Orders all;
  gainsay::Execution execution(blueprint, {.steps_max = 100, .memo = memo, .backtracking = backtracking});
  gainsay::DfsStrategy dfs;
  while (const auto keep = dfs.begin({})) {
    const gainsay::RunOutcome outcome = execution.run(dfs, *keep);
    const std::string verdict = outcome.violation ? outcome.violation->property : "";
    all.texts.insert(text_of(execution.trace()) + "=> " + verdict);
    all.verdicts.insert(verdict);
  }
  return all;
}

// What explore complains about. Where nothing is wrong, it must have seen everything.
std::set<std::string> complaints_of(const gainsay::Scenario& scenario, bool exact) {
  std::set<std::string> found;
  const gainsay::ExploreResult result =
      gainsay::explore(scenario, {}, {.workers = 1, .exact = exact, .keep_going = true});
  for (const gainsay::FoundViolation& violation : result.violations)
    found.insert(violation.document.violation->property);
  EXPECT_TRUE(result.complete || !found.empty()) << result.incomplete_because;
  for (const std::string& warning : result.warnings)
    EXPECT_EQ(warning.find("could not be rebuilt"), std::string::npos) << warning;
  return found;
}

// Compares `wanted` systems that are not too large; GAINSAY_LONG asks for twenty times as many.
void compare(const Flavour& flavour, Delivery order, std::uint64_t first_seed, int wanted) {
  if (std::getenv("GAINSAY_LONG") != nullptr) wanted *= 20;
  std::uint64_t seed = first_seed;
  int several = 0;
  for (int done = 0; done < wanted; ++seed) {
    Table made = Maker(seed, flavour).make();
    made.order = order;
    Orders expected = AllTimings(made).all();
    if (expected.too_many) continue;
    ++done;
    several += expected.texts.size() > 1 ? 1 : 0;
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", order " << static_cast<int>(order));
    const gainsay::Scenario scenario = scenario_of(made, flavour.gates != 0);
    const gainsay::Blueprint blueprint = scenario.build();
    const bool odd = done % 2 == 1;
    const Orders found = orders_of(
        blueprint, odd, odd ? gainsay::Backtracking::snapshots : gainsay::Backtracking::reexecution);
    ASSERT_EQ(found.texts, expected.texts);
    if (done % 4 != 0) continue;
    expected.verdicts.erase("");
    const bool exact = done % 8 == 0 && (order != Delivery::causal || made.faults.duplicates == 0);
    ASSERT_EQ(complaints_of(scenario, exact), expected.verdicts);
  }
  EXPECT_GT(several, wanted / 4) << "these systems have no orders to tell apart";
}

class TwinTimed : public testing::TestWithParam<Delivery> {};

TEST_P(TwinTimed, Messages) { compare({.window_max = 3}, GetParam(), 10'000, 200); }

TEST_P(TwinTimed, TimersAndChoices) {
  compare({.pending_max = 2, .choices = 8, .timers = 2, .failures = 12, .invariants = 2, .window_max = 3},
          GetParam(), 11'000, 120);
}

// What waits for a gate may be late.
TEST_P(TwinTimed, Gates) {
  compare({.pending_max = 3, .timers = 3, .gates = 3, .halts = 12, .window_max = 3}, GetParam(), 12'000, 120);
}

TEST_P(TwinTimed, Faults) {
  compare({.pending_max = 2, .ttl_max = 1, .timers = 3, .invariants = 3, .faults = true, .window_max = 2},
          GetParam(), 13'000, 80);
}

INSTANTIATE_TEST_SUITE_P(Orders, TwinTimed,
                         testing::Values(Delivery::unordered, Delivery::fifo, Delivery::causal,
                                         Delivery::mailbox));

}  // namespace
}  // namespace twin::timed_test
