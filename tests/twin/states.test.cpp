// explore against the dumb twin: the same states, transitions, depth, end states and violations, on random
// systems; fingerprints against whole states; and the shortest counterexample against the shortest execution.
#include <cstdlib>
#include <deque>
#include <map>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/run/document.hpp"
#include "gainsay/explorer/explore.hpp"
#include "tests/twin/twin.hpp"

namespace twin::states_test {
namespace {

struct States {
  std::size_t states = 0;
  std::size_t transitions = 0;
  std::size_t end_states = 0;
  std::size_t depth = 0;
  std::map<std::string, std::size_t> violations;  // the least number of steps to each
  bool too_many = false;
};

// Breadth first over whole states in a set.
States states_of(const Table& made) {
  constexpr std::size_t too_many = 400;
  const Twin twin(made);
  States found;
  std::map<std::string, std::size_t> depth_of;
  std::deque<State> queue;
  const auto sight = [&](const std::string& property, std::size_t steps) {
    found.violations.emplace(property, steps);
  };
  const State first = twin.first();
  depth_of[twin.canonical(first)] = 0;
  if (const auto complaint = twin.complaint(first, true)) {
    sight(*complaint, 0);
  } else {
    queue.push_back(first);
  }
  while (!queue.empty() && depth_of.size() < too_many) {
    const State state = queue.front();
    queue.pop_front();
    const std::size_t depth = depth_of[twin.canonical(state)];
    found.depth = depth;
    const Moves moves = twin.moves(state);
    if (moves.quiescent) {
      ++found.end_states;
      if (const auto complaint = twin.complaint_at_end(state)) sight(*complaint, depth);
    }
    for (std::size_t i = 0; i < moves.list.size(); ++i) {
      const Move& move = moves.list[i];
      if (move.kind == EventKind::stop) continue;
      bool repeated = false;  // the same move on an equal message
      for (std::size_t j = 0; j < i && Twin::concerns_message(move.kind); ++j) {
        const auto item = [&](const Move& m) { return state.pending[static_cast<std::size_t>(m.target)]; };
        repeated =
            repeated || (moves.list[j].kind == move.kind && twin.equal(item(moves.list[j]), item(move)));
      }
      if (repeated) continue;
      for (const Outcome& outcome : twin.outcomes(state, move)) {
        ++found.transitions;
        if (outcome.fails) {
          sight("check", depth + 1);
          continue;
        }
        if (!depth_of.emplace(twin.canonical(outcome.next), depth + 1).second) continue;
        if (const auto complaint = twin.complaint(outcome.next, false)) {
          sight(*complaint, depth + 1);
        } else {
          queue.push_back(outcome.next);
        }
      }
    }
  }
  found.states = depth_of.size();
  found.too_many = !queue.empty();
  return found;
}

std::map<std::string, std::size_t> violations_of(const gainsay::ExploreResult& result) {
  std::map<std::string, std::size_t> all;
  for (const gainsay::FoundViolation& found : result.violations) {
    all[found.violation.property] = found.document.steps.size();
  }
  return all;
}

// `exactly`: no state is visited twice.
void expect_same(const gainsay::ExploreResult& found, const States& expected, bool exactly = true) {
  if (exactly) {
    EXPECT_EQ(found.states, expected.states);
    EXPECT_EQ(found.transitions, expected.transitions);
    EXPECT_EQ(found.end_states, expected.end_states);
  }
  EXPECT_GE(found.states, expected.states);
  EXPECT_GE(found.transitions, expected.transitions);
  EXPECT_EQ(found.depth, expected.depth);
  // Nothing is looked for behind a violation.
  EXPECT_EQ(found.incomplete_because, expected.violations.empty() ? "" : "a violation was found");
  EXPECT_EQ(violations_of(found), expected.violations);
}

void expect_replay(const gainsay::Scenario& scenario, const gainsay::ExploreResult& result) {
  const gainsay::Blueprint blueprint = scenario.build();
  for (const gainsay::FoundViolation& found : result.violations) {
    const gainsay::Replay replay = gainsay::replay_steps(
        blueprint, gainsay::decisions_of(found.document, blueprint), found.document.steps_max);
    EXPECT_FALSE(replay.diverged_at) << replay.divergence;
    EXPECT_EQ(replay.outcome.violation, found.violation);
  }
}

// `wanted` systems that are not too large; GAINSAY_LONG asks for a hundred times as many.
void compare(const Flavour& flavour, Delivery order, std::uint64_t first_seed, int wanted) {
  if (std::getenv("GAINSAY_LONG") != nullptr) wanted *= 100;
  std::uint64_t seed = first_seed;
  std::size_t violated = 0;
  std::size_t merged = 0;  // systems in which some state is reached twice
  for (int done = 0; done < wanted; ++seed) {
    Table made = Maker(seed, flavour).make();
    made.order = order;
    const States expected = states_of(made);
    if (expected.too_many) continue;
    ++done;
    violated += expected.violations.size();
    merged += expected.transitions > expected.states ? 1 : 0;
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", order " << static_cast<int>(order));
    const gainsay::Scenario scenario = scenario_of(made, flavour.gates != 0);
    const gainsay::ExploreResult found = gainsay::explore(scenario, {}, {.keep_going = true});
    // What is known of sendings on links of several orders may say the same in two ways.
    const bool queues = order == Delivery::queue ||
                        std::any_of(made.links.begin(), made.links.end(),
                                    [](const Link& link) { return link.order == Delivery::queue; });
    expect_same(found, expected, !queues || made.links.empty());
    expect_replay(scenario, found);
    if ((order == Delivery::unordered || order == Delivery::queue) && made.links.empty()) {
      const gainsay::ExploreResult exact =
          gainsay::explore(scenario, {}, {.exact = true, .keep_going = true});
      expect_same(exact, expected);
      EXPECT_EQ(exact.collision_probability, 0);
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(merged, static_cast<std::size_t>(wanted / 4)) << "hardly any state was reached twice";
  EXPECT_TRUE(flavour.invariants == 0 || violated > 0) << "no invariant was ever broken";
}

class TwinStates : public testing::TestWithParam<Delivery> {};

TEST_P(TwinStates, OfPlainSystems) { compare({}, GetParam(), 10'000, 30); }

TEST_P(TwinStates, WithDataChoices) { compare({.choices = 2}, GetParam(), 20'000, 30); }

TEST_P(TwinStates, WithTimersAndGates) {
  compare({.choices = 8, .timers = 2, .gates = 5, .halts = 12}, GetParam(), 30'000, 30);
}

// Timers without gates: the fast path of plain worlds meets timers.
TEST_P(TwinStates, WithTimersAlone) {
  compare({.choices = 8, .timers = 2, .halts = 12}, GetParam(), 35'000, 30);
}

TEST_P(TwinStates, WithInvariantsAndFailures) {
  compare({.choices = 6, .failures = 12, .halts = 12, .invariants = 1}, GetParam(), 40'000, 40);
}

TEST_P(TwinStates, WithFaults) {
  compare({.pending_max = 3, .ttl_max = 1, .timers = 5, .invariants = 3, .faults = true}, GetParam(), 50'000,
          40);
}

INSTANTIATE_TEST_SUITE_P(Orders, TwinStates,
                         testing::Values(Delivery::unordered, Delivery::fifo, Delivery::causal,
                                         Delivery::mailbox, Delivery::queue));

TEST(TwinMixedOrders, States) {
  for (const Delivery order : {Delivery::unordered, Delivery::causal, Delivery::mailbox, Delivery::queue}) {
    compare({.choices = 8, .invariants = 4, .mixed_orders = true}, order, 60'000, 25);
    compare({.pending_max = 3, .ttl_max = 1, .mixed_orders = true, .faults = true}, order, 70'000, 20);
  }
}

}  // namespace
}  // namespace twin::states_test
