#include "gainsay/model/tlc_dot.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "gainsay/base/check.hpp"
#include "gainsay/model/cover.hpp"
#include "gainsay/model/graph_search.hpp"
#include "gainsay/model/temporal.hpp"
#include "gainsay/model/tla_predicate.hpp"

namespace gainsay::tlc_dot_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Every trap of the format in one file: two initial states, an edge before its node's line, a repeated edge, two labels
// between the same states, a loop, a label with a line end, a stuttering step, values over several lines, a state
// outside the constraint, ranks, a legend.
constexpr const char* every_trap = R"dot(strict digraph DiskGraph {
node [shape=box,style=rounded]
edge [colorscheme="paired12"]
nodesep=0.35;
subgraph cluster_graph {
color="white";
-5 [label="/\\ x = 0\n/\\ m = {}",style = filled]
7 [label="/\\ x = 1\n/\\ m = <<\"a\\\\b\", \"]; 9 -> 9\">>",style = filled]
-5 -> 12 [label="Send(n1)",color="2",fontcolor="2"];
12 [label="an alias",tooltip="/\\ x = 2\n/\\ m = {[type |-> \"Ask\",\n   from |-> n1]}"];
-5 -> 12 [label="Send(n1)",color="2",fontcolor="2"];
-5 -> 12 [label="Lose",color="3",fontcolor="3"];
7 -> 99 [label="Step
/\\ within",color="black",fontcolor="black"];
12 -> 12 [label="Lose",color="3",fontcolor="3"];
12 -> 12 [style="dashed",color="lightgray"];
12 -> 99 [label="",color="black",fontcolor="black"];
99 [label="/\\ x = 3\n/\\ m = 1..2",tooltip="/\\ x = 3\n/\\ m = 1..2",style = filled, fillcolor=lightyellow];
{rank = same; -5;7;}
{rank = same; 12;99;}
}
subgraph cluster_legend {graph[style=bold];label = "Next State Actions" style="solid"
Send [label="Send",fillcolor=2]
}}
)dot";

class TlcDot : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / fmt::format("gainsay-{}-{}", test->name(), getpid());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file(const std::string& text) const {
    const std::string path = (folder_ / "model.dot").string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  std::string complaint(const std::string& text, bool values = false) const {
    try {
      TlcOptions options;
      options.values = values;
      (void)read_tlc_dot(file(text), options);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
};

std::string without_end(std::string text) {
  text.pop_back();  // TLC writes no line end there
  return text;
}

TEST_F(TlcDot, EveryTrapIsAvoided) {
  TlcOptions options;
  options.values = true;
  const StateGraph graph = read_tlc_dot(file(without_end(every_trap)), options);
  EXPECT_TRUE(is_tlc_dot((folder_ / "model.dot").string()));
  EXPECT_EQ(graph.nodes(), 4U);
  EXPECT_EQ(graph.initial.size(), 2U);
  EXPECT_EQ(graph.edges(), 5U);
  std::vector<std::string> labels;
  for (const GraphEvent& event : graph.events) labels.push_back(event.text);
  EXPECT_EQ(labels, (std::vector<std::string>{"", "Lose", "Send(n1)", "Step\n/\\ within"}));
  EXPECT_EQ(graph.columns, (std::vector<std::string>{"x", "m"}));
  const auto state = tla_state(graph, 2);
  EXPECT_EQ(state[1].second, TlaValue::parse("{[from |-> n1, type |-> \"Ask\"]}"));
  EXPECT_EQ(tla_state(graph, 1)[1].second.index(1)->as_text(), "a\\b");
  EXPECT_EQ(tla_state(graph, 3)[1].second, TlaValue::parse("{1, 2}"));
  ASSERT_EQ(graph.marks.size(), 1U);
  EXPECT_EQ(graph.marks[0].holds, (std::vector<bool>{true, true, true, false}));
  EXPECT_EQ(evaluate(graph, "x >= 2"), (std::vector<bool>{false, false, true, true}));
  const StateGraph bare = read_tlc_dot(file(without_end(every_trap)));
  EXPECT_EQ(bare.to, graph.to);
  EXPECT_TRUE(bare.columns.empty());
  EXPECT_EQ(bare.keys[0], static_cast<std::uint64_t>(-5));
}

TEST_F(TlcDot, AGraphOfOneStateIsOne) {
  const std::string one =
      "strict digraph DiskGraph {\nnode [shape=box,style=rounded]\nnodesep=0.35;\nsubgraph cluster_graph {\n"
      "color=\"white\";\n1 [label=\"v = 1..10\",style = filled]\n{rank = same; 1;}\n}\n}";
  TlcOptions options;
  options.values = true;
  const StateGraph graph = read_tlc_dot(file(one), options);
  EXPECT_EQ(graph.nodes(), 1U);
  EXPECT_EQ(graph.edges(), 0U);
  EXPECT_EQ(graph.columns, std::vector<std::string>{"v"});
  EXPECT_EQ(tla_state(graph, 0)[0].second.size(), 10U);
}

// Cut anywhere, it is refused with one line that names the file and a line of it.
TEST_F(TlcDot, ACutFileIsRefused) {
  const std::string whole = without_end(every_trap);
  const std::size_t legend = whole.find("subgraph cluster_legend");
  for (std::size_t length = 0; length < legend; ++length) {
    const std::string said = complaint(whole.substr(0, length), true);
    ASSERT_THAT(said, HasSubstr("model.dot: ")) << whole.substr(0, length);
    ASSERT_THAT(said, HasSubstr("expected ")) << length;
    ASSERT_EQ(said.find('\n'), std::string::npos);
  }
  EXPECT_THAT(complaint(whole.substr(0, legend + 30)), HasSubstr("expected '}'"));
}

TEST_F(TlcDot, WhatIsWrongIsNamedWithItsLine) {
  std::string text = without_end(every_trap);
  text.replace(text.rfind("1..2"), 4, "1..@");  // in the tooltip, which is the state itself
  EXPECT_THAT(complaint(text, true), HasSubstr("model.dot: line 18: expected a number at '@'"));
  EXPECT_EQ(complaint(text), "") << "values are not read unless they are asked for";
  EXPECT_THAT(complaint("digraph G {\n}\n"), HasSubstr("line 1: expected 'strict digraph DiskGraph {'"));
  text = without_end(every_trap);
  text.insert(text.find("{rank"), "nonsense\n");
  EXPECT_THAT(complaint(text), HasSubstr("expected a state or a step, not 'nonsense'"));
  text = without_end(every_trap);
  text.replace(text.find("12 -> 99"), 8, "12 -> 98");
  EXPECT_THAT(complaint(text), HasSubstr("expected a line for state 98"));
  EXPECT_THROW((void)read_tlc_dot("/nowhere/model.dot"), UserError);
}

// --- real dumps, where there are any ---

struct KnownDump {
  std::uint32_t initial;
  std::uint32_t states;
  std::uint32_t edges;
  std::uint32_t diameter;
  std::pair<std::uint64_t, std::uint64_t> fewest_tests;  // tests, steps
  std::pair<std::uint64_t, std::uint64_t> fewest_steps;
};

// The dumps lie outside the tree, packed.
fs::path dumps() {
  const char* named = std::getenv("GAINSAY_TLC_DUMPS");
  return named != nullptr ? fs::path(named) : fs::path("../shared/data/tlc_graphs");
}

TEST_F(TlcDot, RealDumpsHaveTheirCountsAndCovers) {
  if (!fs::is_directory(dumps()) || std::system("zstd --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "no dumps of TLC in " << dumps() << ", or no zstd to unpack them";
  const std::map<std::string, KnownDump> known = {
      {"twophase_rm1", {1, 12, 19, 4, {7, 24}, {7, 24}}},
      {"twophase_rm3", {1, 288, 1'145, 10, {298, 2'174}, {298, 2'174}}},
      {"twophase_rm3_colorize", {1, 288, 1'145, 10, {298, 2'174}, {298, 2'174}}},
      {"ewd840_n3", {192, 302, 1'532, 8, {150, 1'953}, {244, 1'771}}},
      {"ewd998_n2", {32, 6'876, 26'182, 27, {1'163, 73'016}, {1'451, 72'440}}},
      {"lamportmutex_n3", {1, 10'209, 31'490, 30, {6'169, 109'127}, {6'169, 109'127}}},
      // One test need not return to where it began: two steps fewer than the shortest closed tour.
      {"kvs_k2t2", {1, 28'305, 305'586, 16, {1, 749'734}, {2'724, 746'444}}},
      {"raft_e1", {1, 37'345, 92'568, 34, {18'942, 435'261}, {18'942, 435'261}}},
      {"vsr_1", {1, 43'941, 118'745, 23, {29'757, 478'429}, {29'757, 478'429}}}};
  for (const auto& [name, expected] : known) {
    SCOPED_TRACE(name);
    const std::string packed = (dumps() / (name + ".dot.zst")).string();
    if (!fs::exists(packed)) continue;
    const std::string path = (folder_ / (name + ".dot")).string();
    ASSERT_EQ(std::system(fmt::format("zstd -qdf '{}' -o '{}'", packed, path).c_str()), 0);
    const StateGraph graph = read_tlc_dot(path);
    EXPECT_EQ(graph.initial.size(), expected.initial);
    EXPECT_EQ(graph.nodes(), expected.states);
    EXPECT_EQ(graph.edges(), expected.edges);
    EXPECT_EQ(shortest_ways(graph).deepest(), expected.diameter);
    CoverOptions options;
    options.minimize = CoverOptions::Minimize::tests;
    const auto tests = cover(graph, options);
    EXPECT_EQ(std::pair(tests->facts.tests, tests->facts.steps), expected.fewest_tests);
    EXPECT_TRUE(tests->facts.minimal());
    EXPECT_EQ(tests->facts.steps, tests->facts.steps_bound);
    options.minimize = CoverOptions::Minimize::steps;
    const auto steps = cover(graph, options);
    EXPECT_EQ(std::pair(steps->facts.tests, steps->facts.steps), expected.fewest_steps);
    EXPECT_TRUE(steps->facts.minimal());
    if (expected.states < 20'000) {  // values too
      TlcOptions with_values;
      with_values.values = true;
      const StateGraph valued = read_tlc_dot(path, with_values);
      EXPECT_EQ(valued.to, graph.to);
      EXPECT_TRUE(valued.has_values());
      EXPECT_EQ(tla_state(valued, 0).size(), valued.columns.size());
      if (name == "twophase_rm3") {
        const std::string consistent =
            "\\A r \\in DOMAIN rmState : \\A s \\in DOMAIN rmState : ~(rmState[r] = \"aborted\" /\\ "
            "rmState[s] = "
            "\"committed\")";
        EXPECT_FALSE(broken_invariant(valued, evaluate(valued, consistent)));
        EXPECT_TRUE(broken_invariant(valued, evaluate(valued, "tmState # \"committed\"")));
        EXPECT_FALSE(
            broken_always_eventually(valued, evaluate(valued, "tmState # \"init\""), Fairness::events));
        EXPECT_TRUE(
            broken_always_eventually(valued, evaluate(valued, "tmState = \"committed\""), Fairness::events));
      }
    }
    fs::remove(path);
  }
}

}  // namespace
}  // namespace gainsay::tlc_dot_test
