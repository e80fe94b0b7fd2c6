// Endless executions of random systems: explore against a judge that knows nothing but definitions. It lists all states
// of the twin, tries every set of them, and asks whether an execution can go round in exactly these states for ever, be
// fair, and fail the property all the time.
#include <cstdlib>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gainsay/explorer/explore.hpp"
#include "tests/twin/twin.hpp"

namespace twin::endless_test {
namespace {

using gainsay::FairnessKind;

constexpr std::size_t most_states = 12;

struct Edge {
  std::size_t to = 0;
  std::string event;  // its class
  int actor = 0;
};

struct Graph {
  std::vector<State> states;
  std::vector<std::vector<Edge>> edges;  // by state
  bool too_many = false;
};

Graph graph_of(const Table& table) {
  const Twin twin(table);
  Graph graph;
  std::map<std::string, std::size_t> number;
  const auto number_of = [&](const State& state) {
    const auto [found, fresh] = number.emplace(twin.canonical(state), graph.states.size());
    if (fresh) graph.states.push_back(state);
    return found->second;
  };
  (void)number_of(twin.first());
  for (std::size_t at = 0; at < graph.states.size() && !graph.too_many; ++at) {
    graph.edges.emplace_back();
    const State state = graph.states[at];
    for (const Move& move : twin.moves(state).list) {
      const Item& item = state.pending[static_cast<std::size_t>(move.target)];
      for (const Outcome& outcome : twin.outcomes(state, move))
        graph.edges[at].push_back({number_of(outcome.next), Twin::event_class(item), item.to});
    }
    graph.too_many = graph.states.size() > most_states;
  }
  return graph;
}

// Whether an execution can visit exactly the states of this set for ever.
bool goes_round(const Graph& graph, std::uint32_t set) {
  const auto has = [&](std::size_t state) { return (set >> state & 1U) != 0; };
  std::size_t edges = 0;
  for (std::size_t from = 0; from < graph.states.size(); ++from) {
    if (!has(from)) continue;
    std::uint32_t reached = 0;
    std::deque<std::size_t> queue{from};
    while (!queue.empty()) {
      const std::size_t at = queue.front();
      queue.pop_front();
      for (const Edge& edge : graph.edges[at]) {
        edges += has(edge.to) ? 1 : 0;
        if (!has(edge.to) || (reached >> edge.to & 1U) != 0) continue;
        reached |= std::uint32_t{1} << edge.to;
        queue.push_back(edge.to);
      }
    }
    if (reached != set) return false;
  }
  return edges > 0;
}

// Whether it may take all steps within the set, again and again, and be fair: who more is done the fairer it is.
bool is_fair(const Graph& graph, std::uint32_t set, FairnessKind kind) {
  std::map<std::string, std::size_t> enabled;  // in how many states of the set
  std::set<std::string> executed;
  std::size_t states = 0;
  for (std::size_t from = 0; from < graph.states.size(); ++from) {
    if ((set >> from & 1U) == 0) continue;
    ++states;
    std::set<std::string> here;
    for (const Edge& edge : graph.edges[from]) {
      const std::string key = kind == FairnessKind::actor ? std::to_string(edge.actor) : edge.event;
      here.insert(key);
      if ((set >> edge.to & 1U) != 0) executed.insert(key);
    }
    for (const std::string& key : here) ++enabled[key];
  }
  for (const auto& [key, count] : enabled) {
    const bool owed = kind == FairnessKind::strong || count == states;
    if (owed && !executed.contains(key)) return false;
  }
  return true;
}

bool is_violated(const Graph& graph, const Twin& twin, const Invariant& property, FairnessKind kind) {
  std::uint32_t failing = 0;
  for (std::size_t state = 0; state < graph.states.size(); ++state) {
    if (!twin.comes_up(graph.states[state], property)) continue;
    if (graph.edges[state].empty()) return true;  // it ends there
    failing |= std::uint32_t{1} << state;
  }
  for (std::uint32_t set = failing; set != 0; set = (set - 1) & failing) {
    if (goes_round(graph, set) && is_fair(graph, set, kind)) return true;
  }
  return false;
}

// Fairness matters only where the property fails on some loop, and holds somewhere. Which sum of states that is.
std::optional<Invariant> property_of_interest(const Table& table, const Graph& graph) {
  const Twin twin(table);
  Invariant property;
  for (int a = 0; a < table.actors; ++a) property.scope.push_back(a);
  for (property.sum = 0; property.sum < 4; ++property.sum) {
    std::uint32_t failing = 0;
    for (std::size_t state = 0; state < graph.states.size(); ++state)
      failing |= twin.comes_up(graph.states[state], property) ? std::uint32_t{1} << state : 0;
    if (failing == (std::uint32_t{1} << graph.states.size()) - 1) continue;
    for (std::uint32_t set = failing; set != 0; set = (set - 1) & failing) {
      if (goes_round(graph, set)) return property;
    }
  }
  return std::nullopt;
}

TEST(TwinEndless, ExploreAgreesWithTheDefinitionOfFairness) {
  const std::size_t wanted = std::getenv("GAINSAY_LONG") != nullptr ? 20'000 : 300;
  std::size_t done = 0;
  std::map<FairnessKind, std::size_t> violated;
  std::size_t differ = 0;  // systems in which the kind of fairness matters
  for (std::uint64_t seed = 1; done < wanted; ++seed) {
    Table made =
        Maker(seed, {.actors_max = 3, .pending_max = 3, .ttl_max = 0, .gates = seed % 2 == 0 ? 3U : 0U})
            .make();
    made.ttl = 1;
    made.endless = true;
    made.order = static_cast<Delivery>(seed % 5);
    const Graph graph = graph_of(made);
    if (graph.too_many) continue;
    const std::optional<Invariant> property = property_of_interest(made, graph);
    if (!property) continue;
    made.returns = {*property};
    ++done;
    SCOPED_TRACE(seed);
    const Twin twin(made);
    const gainsay::Scenario scenario = scenario_of(made, seed % 2 == 0);
    std::set<bool> verdicts;
    for (const FairnessKind kind : {FairnessKind::weak, FairnessKind::actor, FairnessKind::strong}) {
      const bool expected = is_violated(graph, twin, *property, kind);
      const gainsay::ExploreResult found =
          gainsay::explore(scenario, {}, {.fairness = kind, .keep_going = true});
      ASSERT_EQ(!found.violations.empty(), expected) << static_cast<int>(kind);
      ASSERT_GE(found.states, graph.states.size());
      if (made.order != Delivery::queue) {
        ASSERT_EQ(found.states, graph.states.size());
      }
      violated[kind] += expected ? 1 : 0;
      verdicts.insert(expected);
    }
    differ += verdicts.size() > 1 ? 1 : 0;
  }
  fmt::print("{} worlds: {} violated under weak fairness, {} to actors, {} strong; {} differ\n", done,
             violated[FairnessKind::weak], violated[FairnessKind::actor], violated[FairnessKind::strong],
             differ);
  EXPECT_GT(violated[FairnessKind::weak], wanted / 20);
  EXPECT_LT(violated[FairnessKind::weak], wanted - wanted / 20);
  EXPECT_GT(differ, wanted / 100);
}

}  // namespace
}  // namespace twin::endless_test
