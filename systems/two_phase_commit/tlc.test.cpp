// An implementation of the TwoPhase model that comes with TLA+ (Gray and Lamport, "Consensus on Transaction Commit",
// TODS 2006), against the graph that TLC has made of it. The graphs are not part of this tree: where they are not
// found, the test is skipped.
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "gainsay/conform.hpp"
#include "gainsay/model/conform.hpp"
#include "gainsay/model/cover.hpp"
#include "gainsay/model/tlc_dot.hpp"

namespace two_phase_tlc {
namespace {

using gainsay::ConformMap;
using gainsay::ConformWay;

enum class Bug { none, forgets };

// What may always happen, as long as its guard holds.
struct Prepare {};
struct ChooseToAbort {};
struct DecideCommit {};
struct DecideAbort {};
// Messages.
struct Prepared {
  int manager = 0;
};
struct Commit {};
struct Abort {};

struct TransactionManager;

struct ResourceManager {
  using Receives = gainsay::Messages<Prepare, ChooseToAbort, Commit, Abort>;
  enum class State { working, prepared, committed, aborted };
  int self = 0;
  gainsay::ActorId transaction_manager;
  Bug bug = Bug::none;
  State state = State::working;

  bool accepts(const Prepare&) const { return state == State::working; }
  bool accepts(const ChooseToAbort&) const { return state == State::working; }
  void on(const Prepare&, gainsay::Context& ctx);
  void on(const ChooseToAbort&) { state = State::aborted; }
  void on(const Commit&) { state = State::committed; }
  void on(const Abort&) {
    if (bug != Bug::forgets || state != State::prepared) state = State::aborted;
  }
};

struct TransactionManager {
  using Receives = gainsay::Messages<Prepared, DecideCommit, DecideAbort>;
  enum class State { init, committed, aborted };
  gainsay::Group<ResourceManager> managers;
  State state = State::init;
  std::set<int> prepared{};

  bool accepts(const Prepared&) const { return state == State::init; }
  bool accepts(const DecideCommit&) const {
    return state == State::init && prepared.size() == managers.size();
  }
  bool accepts(const DecideAbort&) const { return state == State::init; }
  void on(const Prepared& message) { prepared.insert(message.manager); }
  void on(const DecideCommit&, gainsay::Context& ctx) {
    state = State::committed;
    ctx.send(managers, Commit{});
  }
  void on(const DecideAbort&, gainsay::Context& ctx) {
    state = State::aborted;
    ctx.send(managers, Abort{});
  }
};

void ResourceManager::on(const Prepare&, gainsay::Context& ctx) {
  state = State::prepared;
  ctx.send(gainsay::Ref<TransactionManager>(transaction_manager), Prepared{self});
}

gainsay::Scenario implementation(std::size_t managers, Bug bug) {
  return gainsay::Scenario::of("two_phase", [=](gainsay::World& world) {
    const auto group = world.declare<ResourceManager>("r", managers);
    const auto decider = world.declare<TransactionManager>("tm");
    for (std::size_t i = 0; i < managers; ++i) {
      world.init(group[i], ResourceManager{static_cast<int>(i), decider, bug});
      world.send(group[i], Prepare{});
      world.send(group[i], ChooseToAbort{});
    }
    world.init(decider, TransactionManager{group});
    world.send(decider, DecideCommit{});
    world.send(decider, DecideAbort{});
  });
}

struct Decider {
  std::string state;
  std::set<std::string> prepared;
};
std::string name_in_model(int manager) { return "r" + std::to_string(manager + 1); }

ConformMap tlc_map(std::size_t managers) {
  ConformMap map;
  for (std::size_t i = 0; i < managers; ++i)
    map.rename("r." + std::to_string(i), name_in_model(static_cast<int>(i)));
  map.tlc_actor<ResourceManager>(
      [](const ResourceManager& r) {
        const char* names[] = {"working", "prepared", "committed", "aborted"};
        return std::string(names[static_cast<int>(r.state)]);
      },
      [](const gainsay::TlaState& state, const std::string& name) {
        return state["rmState"].at(gainsay::TlaValue::model(name))->as_text();
      });
  map.tlc_actor<TransactionManager>(
      [](const TransactionManager& tm) {
        const char* names[] = {"init", "committed", "aborted"};
        Decider view{names[static_cast<int>(tm.state)], {}};
        for (const int manager : tm.prepared) view.prepared.insert(name_in_model(manager));
        return view;
      },
      [](const gainsay::TlaState& state, const std::string&) {
        Decider view{state["tmState"].as_text(), {}};
        for (const gainsay::TlaValue& manager : state["tmPrepared"].elements())
          view.prepared.insert(manager.as_text());
        return view;
      });
  map.tlc_event([](const gainsay::TlcStep& step) -> std::optional<gainsay::ConformEvent> {
    // Messages of the model stay where they are and may be received again: nothing happens then.
    const auto same = [&](const char* variable) { return step.before[variable] == step.after[variable]; };
    if (same("msgs") && same("rmState") && same("tmState") && same("tmPrepared")) return std::nullopt;
    const std::string action = step.action();
    if (action == "TMCommit") return ConformMap::event("tm", DecideCommit{});
    if (action == "TMAbort") return ConformMap::event("tm", DecideAbort{});
    const int manager = std::stoi(step.arguments().at(0).substr(1)) - 1;
    const std::string to = "r." + std::to_string(manager);
    if (action == "TMRcvPrepared") return ConformMap::event("tm", Prepared{manager});
    if (action == "RMPrepare") return ConformMap::event(to, Prepare{});
    if (action == "RMChooseToAbort") return ConformMap::event(to, ChooseToAbort{});
    if (action == "RMRcvCommitMsg") return ConformMap::event(to, Commit{});
    if (action == "RMRcvAbortMsg") return ConformMap::event(to, Abort{});
    throw gainsay::UserError("unknown action " + action);
  });
  return map;
}

// The dump, unpacked beside the test; empty: there is none.
std::string dump(const std::string& name) {
  const std::filesystem::path packed =
      std::filesystem::path("/work/shared/data/tlc_graphs") / (name + ".dot.zst");
  if (!std::filesystem::exists(packed)) return "";
  const std::string plain = testing::TempDir() + "gainsay-" + name + ".dot";
  const std::string command = "zstd -dqf '" + packed.string() + "' -o '" + plain + "'";
  return std::system(command.c_str()) == 0 ? plain : "";
}

TEST(TwoPhaseOfTlc, IsImplementedAndSoAreItsBugsFound) {
  const std::string file = dump("twophase_rm3");
  if (file.empty()) GTEST_SKIP() << "the graphs of TLC are not here";
  const gainsay::StateGraph graph = gainsay::read_tlc_dot(file, {.labels = true, .values = true});
  std::filesystem::remove(file);
  ASSERT_EQ(graph.nodes(), 288U);
  ASSERT_EQ(graph.edges(), 1145U);
  const auto suite = gainsay::cover(graph, {});
  const ConformMap map = tlc_map(3);
  const auto run = [&](Bug bug, ConformWay way) {
    return gainsay::conform(
        {graph, way == ConformWay::walk ? suite.get() : nullptr, nullptr, implementation(3, bug), {}, &map},
        {.way = way});
  };
  for (const ConformWay way : {ConformWay::walk, ConformWay::tree, ConformWay::local}) {
    const auto fine = run(Bug::none, way);
    for (const auto& difference : fine.differences)
      ADD_FAILURE() << difference.text() << " at " << difference.event;
    // A prepared manager does not abort when it is told to.
    const auto forgets = run(Bug::forgets, way);
    ASSERT_EQ(forgets.differences.size(), 1U);
    EXPECT_EQ(forgets.differences[0].expected, "\"aborted\"");
    EXPECT_EQ(forgets.differences[0].got, "\"prepared\"");
    // Prepare, decide, receive. Tests come to such an edge on other ways.
    EXPECT_GE(forgets.differences[0].path.edges.size(), 3U);
    if (way != ConformWay::walk) {
      EXPECT_EQ(forgets.differences[0].path.edges.size(), 3U);
    }
  }
}

TEST(TwoPhaseOfTlc, AMapWithoutEventsIsRefused) {
  gainsay::StateGraph graph;
  graph.source = gainsay::StateGraph::Source::tlc;
  graph.name = "two.dot";
  const gainsay::Scenario two_phase = implementation(1, Bug::none);
  ConformMap map;
  try {
    gainsay::conform({graph, nullptr, nullptr, two_phase, {}, &map}, {});
    FAIL() << "expected a complaint";
  } catch (const gainsay::UserError& error) {
    EXPECT_STREQ(error.what(),
                 "the map does not say which event of 'two_phase' an edge of the graph 'two.dot' is: "
                 "GAINSAY_CONFORM(two_phase) needs map.tlc_event(...)");
  }
}

}  // namespace
}  // namespace two_phase_tlc
