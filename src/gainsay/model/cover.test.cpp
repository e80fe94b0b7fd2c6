#include "gainsay/model/cover.hpp"

#include <map>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/model/random_graph.test.hpp"
#include "gainsay/model/scenario_graph.hpp"
#include "gainsay/model/tour.hpp"

namespace gainsay::cover_test {
namespace {

using Minimize = CoverOptions::Minimize;

std::string text_of(const StateGraph& graph) {
  std::string text = "initial";
  for (const GraphNode node : graph.initial) text += fmt::format(" {}", node);
  for (GraphNode node = 0; node < graph.nodes(); ++node) {
    for (GraphEdge e = graph.edges_begin(node); e < graph.edges_end(node); ++e)
      text += fmt::format(", {} -{}-> {}", node, graph.event_text(e), graph.to[e]);
  }
  return text;
}

std::unique_ptr<Suite> covered(const StateGraph& graph, Minimize minimize, std::uint64_t reset_cost = 0,
                               std::vector<bool> required = {}) {
  CoverOptions options;
  options.minimize = minimize;
  options.reset_cost = reset_cost;
  options.required = std::move(required);
  return cover(graph, options);
}

// 600 graphs of at most 10 edges: the cheapest suites, both by what is minimized and by what breaks ties.
TEST(Cover, IsTheCheapestOfAllSuites) {
  std::uint64_t with_closed_walks = 0;
  for (std::uint64_t number = 0; number < 600; ++number) {
    random_graph::Shape shape;
    shape.edges_max = 10;
    shape.acyclic = number % 4 == 0;
    shape.initial_max = 1 + number % 3;
    const StateGraph graph = random_graph::draw(number, shape);
    SCOPED_TRACE(text_of(graph));
    ASSERT_EQ(graph.check(), "");
    if (graph.edges() == 0) continue;
    const auto tests = covered(graph, Minimize::tests);
    const random_graph::Cost by_tests = random_graph::cheapest(graph, {}, {0, 1}, {1, 0});
    EXPECT_EQ(std::pair(tests->facts.tests, tests->facts.steps), by_tests);
    EXPECT_EQ(std::pair(tests->facts.tests_bound, tests->facts.steps_bound), by_tests);
    EXPECT_TRUE(tests->facts.minimal());
    const auto steps = covered(graph, Minimize::steps);
    const random_graph::Cost by_steps = random_graph::cheapest(graph, {}, {1, 0}, {0, 1});
    EXPECT_EQ(std::pair(steps->facts.steps, steps->facts.tests), by_steps);
    EXPECT_EQ(std::pair(steps->facts.steps_bound, steps->facts.tests_bound), by_steps);
    EXPECT_TRUE(steps->facts.minimal());
    const std::uint64_t reset = 1 + number % 5;
    const auto both = covered(graph, Minimize::cost, reset);
    const random_graph::Cost by_cost = random_graph::cheapest(graph, {}, {1, 0}, {reset, 1});
    EXPECT_EQ(std::pair(both->facts.steps + reset * both->facts.tests, both->facts.tests), by_cost);
    EXPECT_EQ(std::pair(both->facts.cost_bound, both->facts.tests_bound), by_cost);
    EXPECT_TRUE(both->facts.minimal());
    if (by_tests.first == 1 && graph.edges() > graph.nodes()) ++with_closed_walks;
    if (HasFailure()) break;
  }
  EXPECT_GT(with_closed_walks, 50U);
}

// Where only some edges are required the bound holds, and the suite covers them.
TEST(Cover, CoversWhatIsRequiredAndNothingElseIsPromised) {
  std::uint64_t minimal = 0;
  std::uint64_t all = 0;
  for (std::uint64_t number = 1000; number < 1400; ++number) {
    random_graph::Shape shape;
    shape.edges_max = 10;
    const StateGraph graph = random_graph::draw(number, shape);
    if (graph.edges() == 0) continue;
    SCOPED_TRACE(text_of(graph));
    Rng rng(number);
    std::vector<bool> required(graph.edges());
    for (std::size_t e = 0; e < required.size(); ++e) required[e] = rng.chance(1, 2);
    for (const Minimize minimize : {Minimize::tests, Minimize::steps, Minimize::cost}) {
      const auto suite = covered(graph, minimize, 3, required);
      const SuiteCheck check = check_suite(graph, *suite, required);
      EXPECT_EQ(check.wrong, "");
      EXPECT_EQ(check.missed, 0U);
      const random_graph::Cost least =
          minimize == Minimize::tests   ? random_graph::cheapest(graph, required, {0, 1}, {1, 0})
          : minimize == Minimize::steps ? random_graph::cheapest(graph, required, {1, 0}, {0, 1})
                                        : random_graph::cheapest(graph, required, {1, 0}, {3, 1});
      EXPECT_LE(suite->facts.cost_bound, least.first);
      EXPECT_GE(suite->facts.cost, least.first);
      ++all;
      if (suite->facts.cost == least.first) ++minimal;
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(minimal, all * 8 / 10);
}

// Larger graphs, where nobody can try everything: the same from every objective's point of view.
TEST(Cover, BoundsAgreeOnLargerGraphs) {
  for (std::uint64_t number = 0; number < 60; ++number) {
    random_graph::Shape shape{200, 900, 3, number % 2 == 0};
    const StateGraph graph = random_graph::draw(number, shape);
    if (graph.edges() == 0) continue;
    const auto tests = covered(graph, Minimize::tests);
    const auto steps = covered(graph, Minimize::steps);
    const auto both = covered(graph, Minimize::cost, 7);
    for (const Suite* suite : {tests.get(), steps.get(), both.get()}) EXPECT_TRUE(suite->facts.minimal());
    EXPECT_EQ(tests->facts.steps, tests->facts.steps_bound);
    EXPECT_EQ(steps->facts.tests, steps->facts.tests_bound);
    EXPECT_LE(tests->facts.tests, both->facts.tests);
    EXPECT_LE(both->facts.tests, steps->facts.tests);
    EXPECT_LE(steps->facts.steps, both->facts.steps);
    EXPECT_LE(both->facts.steps, tests->facts.steps);
    EXPECT_LE(both->facts.cost, tests->facts.steps + 7 * tests->facts.tests);
    EXPECT_LE(both->facts.cost, steps->facts.steps + 7 * steps->facts.tests);
  }
}

TEST(Cover, TestsAreCutToTheLongestLength) {
  for (std::uint64_t number = 0; number < 80; ++number) {
    const StateGraph graph = random_graph::draw(number, {60, 300, 2, number % 2 == 0});
    if (graph.edges() == 0) continue;
    const std::uint64_t least = least_longest_test(graph, {});
    for (const std::uint64_t longest : {least, least + 3, 4 * least}) {
      CoverOptions options;
      options.minimize = Minimize::tests;
      options.length_max = longest;
      const auto suite = cover(graph, options);
      EXPECT_LE(suite->facts.longest, longest);
      EXPECT_EQ(suite->facts.covered, graph.edges());
      EXPECT_GE(suite->facts.tests, suite->facts.tests_bound);
    }
    // Some edges alone.
    Rng rng(number);
    std::vector<bool> required(graph.edges());
    for (std::size_t e = 0; e < required.size(); ++e) required[e] = rng.chance(1, 4);
    if (const std::uint64_t shortest = least_longest_test(graph, required); shortest > 0) {
      CoverOptions some;
      some.minimize = number % 2 == 0 ? Minimize::tests : Minimize::steps;
      some.required = required;
      some.length_max = shortest + number % 3;
      EXPECT_LE(cover(graph, some)->facts.longest, *some.length_max);
    }
    CoverOptions options;
    options.length_max = least - 1;
    if (least > 1) {
      EXPECT_THROW((void)cover(graph, options), UserError);
    }
  }
}

TEST(Cover, EndsEarlyWithABoundThatHolds) {
  for (std::uint64_t number = 0; number < 40; ++number) {
    const StateGraph graph = random_graph::draw(number, {300, 1200, 2, false});
    for (const Minimize minimize : {Minimize::tests, Minimize::steps}) {
      const auto best = covered(graph, minimize);
      CoverOptions options;
      options.minimize = minimize;
      options.time_max = std::chrono::nanoseconds(1);
      const auto suite = cover(graph, options);
      EXPECT_EQ(suite->facts.covered, graph.edges());
      EXPECT_GE(suite->facts.cost, best->facts.cost);
      EXPECT_LE(suite->facts.cost_bound, best->facts.cost_bound);
      if (minimize == Minimize::tests) {
        EXPECT_EQ(suite->facts.tests, best->facts.tests) << "fewest tests are found all the same";
        EXPECT_TRUE(suite->facts.minimal());
      }
    }
  }
}

// The two-phase commit that comes with TLA+ (TwoPhase), with so many resource managers: what TLC would dump.
StateGraph two_phase(unsigned managers) {
  enum Stage : std::uint64_t { working, prepared, committed, aborted };
  const auto bit = [](unsigned place) { return std::uint64_t{1} << place; };
  // Two bits for each manager, two for the transaction manager, who has been heard, who has said so, both decisions.
  const unsigned decision = 2 * managers;
  const unsigned heard = decision + 2;
  const unsigned said = heard + managers;
  const unsigned told_commit = said + managers;
  const unsigned told_abort = told_commit + 1;
  const auto stage = [](std::uint64_t state, unsigned place) { return (state >> place) & 3U; };
  const auto with = [](std::uint64_t state, unsigned place, std::uint64_t to) {
    return (state & ~(std::uint64_t{3} << place)) | (to << place);
  };
  StateGraphBuilder builder;
  std::map<std::uint64_t, GraphNode> number;
  std::vector<std::uint64_t> states;
  const auto node_of = [&](std::uint64_t state) {
    const auto [place, added] = number.try_emplace(state, static_cast<GraphNode>(states.size()));
    if (added) {
      states.push_back(state);
      builder.add_node();
    }
    return place->second;
  };
  builder.add_initial(node_of(0));
  std::vector<GraphEvent> events(5 * std::size_t{managers} + 2);
  for (std::size_t i = 0; i < events.size(); ++i) events[i].text = fmt::format("action {:03}", i);
  for (std::size_t at = 0; at < states.size(); ++at) {
    const std::uint64_t state = states[at];
    const auto lead_to = [&](std::uint32_t action, std::uint64_t next) {
      const GraphNode to = node_of(next);
      builder.add_edge(static_cast<GraphNode>(at), action, to);
    };
    const bool undecided = stage(state, decision) == working;
    for (unsigned r = 0; r < managers; ++r) {
      if (undecided && (state & bit(said + r)) != 0) lead_to(r, state | bit(heard + r));
      if (stage(state, 2 * r) == working) {
        lead_to(managers + r, with(state, 2 * r, prepared) | bit(said + r));
        lead_to(2 * managers + r, with(state, 2 * r, aborted));
      }
      if ((state & bit(told_commit)) != 0) lead_to(3 * managers + r, with(state, 2 * r, committed));
      if ((state & bit(told_abort)) != 0) lead_to(4 * managers + r, with(state, 2 * r, aborted));
    }
    const std::uint64_t all_heard = (bit(managers) - 1) << heard;
    if (undecided && (state & all_heard) == all_heard)
      lead_to(5 * managers, with(state, decision, committed) | bit(told_commit));
    if (undecided) lead_to(5 * managers + 1, with(state, decision, aborted) | bit(told_abort));
  }
  return std::move(builder).build(events);
}

// Counts by TLC and a cover by another program: 288 states and 1,145 edges of three managers are those of TLC's dump.
TEST(Cover, TwoPhaseCommitOfSixManagers) {
  const StateGraph three = two_phase(3);
  EXPECT_EQ(std::pair(three.nodes(), three.edges()), std::pair(288U, 1'145U));
  EXPECT_EQ(covered(three, Minimize::steps)->facts.steps, 2'174U);
  const StateGraph six = two_phase(6);
  EXPECT_EQ(std::pair(six.nodes(), six.edges()), std::pair(50'816U, 402'305U));
  const auto suite = covered(six, Minimize::steps);
  EXPECT_TRUE(suite->facts.minimal());
  EXPECT_EQ(std::pair(suite->facts.tests, suite->facts.steps), std::pair(78'484UL, 1'012'917UL));
}

TEST(Cover, ATestReadTwiceIsTheSame) {
  const StateGraph graph = random_graph::draw(7, {200, 900, 3, false});
  const auto suite = covered(graph, Minimize::steps);
  const auto one = suite->read(graph);
  const auto two = suite->read(graph);
  TestPath a;
  TestPath b;
  while (one->next(a)) {
    ASSERT_TRUE(two->next(b));
    EXPECT_EQ(a, b);
  }
  EXPECT_FALSE(two->next(b));
}

TEST(Cover, ASampleSaysWhatItCovers) {
  const StateGraph graph = random_graph::draw(8, {200, 900, 3, true});
  std::uint64_t before = 0;
  for (const std::uint64_t tests : {1, 20, 2000}) {
    SampleOptions options;
    options.tests = tests;
    const auto suite = sample(graph, options);
    const SuiteCheck check = check_suite(graph, *suite);
    EXPECT_EQ(check.wrong, "");
    EXPECT_EQ(check.tests, tests);
    EXPECT_EQ(check.covered, suite->facts.covered);
    EXPECT_EQ(check.steps, suite->facts.steps);
    EXPECT_GT(check.covered, before);
    before = check.covered;
  }
  EXPECT_GT(before, graph.edges() * 9 / 10);
}

// A reader that trusts nothing notices what is wrong.
TEST(SuiteCheck, NoticesWhatIsWrong) {
  StateGraphBuilder builder;
  for (int i = 0; i < 3; ++i) builder.add_node();
  builder.add_initial(0);
  std::vector<GraphEvent> events(1);
  events[0].text = "a";
  builder.add_edge(0, 0, 1);
  builder.add_edge(1, 0, 2);
  const StateGraph graph = std::move(builder).build(events);
  const auto checked = [&](std::vector<TestPath> tests) {
    PathSuite suite(std::move(tests));
    suite.graph_digest = graph.digest();
    return check_suite(graph, suite, {}, 2);
  };
  EXPECT_EQ(checked({{0, {0, 1}}}).wrong, "");
  EXPECT_EQ(checked({{0, {0, 1}}}).missed, 0U);
  EXPECT_EQ(checked({{0, {0}}}).missed, 1U);
  EXPECT_EQ(checked({{0, {0}}}).first_missed, 1U);
  EXPECT_EQ(checked({{1, {1}}}).wrong, "test 1 begins at node 1, which is not initial");
  EXPECT_EQ(checked({{0, {}}, {0, {1}}}).wrong,
            "test 2 goes on from node 0 by edge 1, which begins elsewhere");
  EXPECT_EQ(checked({{0, {0, 1, 1}}}).wrong.substr(0, 22), "test 1 has 3 steps, mo");
}

}  // namespace
}  // namespace gainsay::cover_test
