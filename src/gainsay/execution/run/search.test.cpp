// Searches that reduce, through the campaign: classic counts, what dependence decides, bounds, both ways to go back.
#include <algorithm>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/world/small_worlds.test.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay::search_test {
namespace {

HuntResult search(const std::function<void(World&)>& body, const std::string& strategy,
                  OptionTexts options = {}, HuntOptions how = {}) {
  const Scenario scenario = Scenario::of("searched", body);
  how.strategy = strategy;
  how.strategy_options = std::move(options);
  how.keep_going = true;
  return hunt(scenario, {}, how);
}

const std::vector<std::string> complete_ones = {"sdpor", "odpor", "dpor"};

std::uint64_t factorial(std::uint64_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

struct Go {
  int n = 0;
};
struct List {
  using Receives = Messages<Go>;
  std::vector<int> got;
  void on(const Go& go) { got.push_back(go.n); }
};

TEST(Search, MessagesToOneActor) {
  for (std::uint64_t n = 1; n <= 5; ++n) {
    const auto body = [n](World& world) {
      const auto list = world.spawn<List>("list");
      for (std::uint64_t i = 0; i < n; ++i) world.send(list, Go{static_cast<int>(i)});
    };
    for (const std::string& name : complete_ones) {
      const HuntResult result = search(body, name);
      EXPECT_TRUE(result.complete) << name << ": " << result.incomplete_because;
      EXPECT_EQ(result.classes, factorial(n)) << name;
      if (name == "sdpor" || name == "odpor") {
        EXPECT_EQ(result.runs, factorial(n));
        EXPECT_EQ(result.blocked_runs, 0U);
      }
    }
  }
}

// Votes come to the collector in N! orders, and each voter chose one of two.
TEST(Search, TwoPhaseCommit) {
  for (std::uint64_t n = 1; n <= 4; ++n) {
    const auto body = [n](World& world) { small_worlds::voters(world, n); };
    for (const std::string& name : complete_ones) {
      const HuntResult result = search(body, name);
      EXPECT_TRUE(result.complete) << name;
      EXPECT_EQ(result.classes, (1U << n) * factorial(n)) << name;
    }
    EXPECT_EQ(search(body, "sdpor").runs, (1U << n) * factorial(n));
  }
}

// --- what dependence decides ---

struct Enter {};
struct Leave {};
struct Room {
  using Receives = Messages<Enter, Leave>;
  bool inside = false;
  void on(const Enter&, Context& ctx) {
    inside = true;
    ctx.send(ctx.self(*this), Leave{});
  }
  void on(const Leave&) { inside = false; }
};

// Each enters and leaves. Under same-receiver dependence there is one class, and it does not show both inside.
void rooms(World& world) {
  const auto left = world.spawn<Room>("left");
  const auto right = world.spawn<Room>("right");
  world.send(left, Enter{});
  world.send(right, Enter{});
  world.always("not both inside", {left, right}, [=](View view) -> Complaint {
    if (view[left].inside && view[right].inside) return "both are inside";
    return {};
  });
}

TEST(Search, GlobalPropertiesMakeTheirEventsDependent) {
  for (const char* name : {"sdpor", "odpor", "dpor"}) {
    const HuntResult aware = search(rooms, name);
    EXPECT_EQ(aware.dependence, "properties");
    EXPECT_TRUE(aware.complete);
    EXPECT_FALSE(aware.violations.empty()) << name;
  }
  // Depth first: what is sent by the first step comes last, so the only class is seen without the two together.
  const HuntResult blind = search(rooms, "sdpor", {{"dependence", "receiver"}, {"preemptions", "0"}});
  EXPECT_EQ(blind.dependence, "receiver");
  EXPECT_EQ(blind.runs, 1U);
  EXPECT_TRUE(blind.violations.empty());
  const HuntResult receiver = search(rooms, "sdpor", {{"dependence", "receiver"}});
  EXPECT_EQ(std::count(receiver.complete_for.begin(), receiver.complete_for.end(), "invariants"), 0);
}

// All classes were tried, and yet the question is open.
TEST(Search, ACoarseDependenceDoesNotAnswerWhatItDoesNotSee) {
  const auto harmless = [](World& world) {
    const auto left = world.spawn<Room>("left");
    const auto right = world.spawn<Room>("right");
    world.send(left, Enter{});
    world.send(right, Enter{});
    world.always("anything", {left, right}, [](View) -> Complaint { return {}; });
  };
  const HuntResult blind = search(harmless, "sdpor", {{"dependence", "receiver"}});
  EXPECT_EQ(blind.verdict(), Verdict::unknown);
  EXPECT_EQ(blind.exit_code(), 3);
  EXPECT_EQ(blind.incomplete_because,
            "dependence 'receiver' does not decide properties of several actors, which the scenario requires "
            "(--dependence automatic does)");
  EXPECT_EQ(search(harmless, "sdpor").verdict(), Verdict::ok);
  EXPECT_EQ(search(harmless, "dfs").verdict(), Verdict::ok);
}

// --- keys ---

struct Put {
  int key = 0;
};
struct Table {
  using Receives = Messages<Put>;
  std::map<int, int> count;
  void on(const Put& put) { ++count[put.key]; }
};

TEST(Search, KeysSplitAnActor) {
  const auto body = [](World& world) {
    const auto table = world.spawn<Table>("table");
    for (const int key : {1, 1, 2, 2}) world.send(table, Put{key});
    world.key<Put>([](const Put& put) { return put.key; });
  };
  EXPECT_EQ(search(body, "sdpor", {{"dependence", "keyed"}}).runs, 4U);  // 2! times 2!
  EXPECT_EQ(search(body, "sdpor", {{"dependence", "receiver"}}).runs, 24U);
}

// --- bounds ---

TEST(Search, BoundsMakeItIncomplete) {
  const auto body = [](World& world) {
    const auto list = world.spawn<List>("list");
    for (int i = 0; i < 4; ++i) world.send(list, Go{i});
  };
  for (const OptionTexts& bound : {OptionTexts{{"depth", "2"}}, OptionTexts{{"deviations", "1"}}}) {
    const HuntResult result = search(body, "sdpor", bound);
    EXPECT_FALSE(result.complete);
    EXPECT_FALSE(result.incomplete_because.empty());
  }
  HuntOptions few;
  few.runs = 3;
  EXPECT_FALSE(search(body, "sdpor", {}, few).complete);
  const HuntResult ample = search(body, "sdpor", {{"depth", "4"}, {"deviations", "9"}});
  EXPECT_TRUE(ample.complete);
  EXPECT_EQ(ample.runs, 24U);
}

TEST(Search, BothWaysToGoBackAgree) {
  const auto body = [](World& world) { small_worlds::voters(world, 3); };
  for (const char* name : {"sdpor", "odpor", "dpor"}) {
    HuntOptions again;
    again.backtracking = Backtracking::reexecution;
    const HuntResult snapshots = search(body, name);
    const HuntResult reexecuted = search(body, name, {}, again);
    EXPECT_EQ(snapshots.runs, reexecuted.runs) << name;
    EXPECT_EQ(snapshots.blocked_runs, reexecuted.blocked_runs) << name;
    EXPECT_EQ(snapshots.trace_set_hash, reexecuted.trace_set_hash) << name;
  }
}

// The classes are the same for any number of workers, and so is a violation.
TEST(Search, SplitAmongWorkers) {
  const auto voters = [](World& world) {
    small_worlds::voters(world, 4);
    const auto list = world.spawn<List>("list");
    for (int i = 0; i < 2; ++i) world.send(list, Go{i});
  };
  const HuntResult alone = search(voters, "sdpor");
  EXPECT_EQ(alone.runs, 16U * 24U * 2U);
  for (const unsigned jobs : {2U, 3U, 7U}) {
    HuntOptions how;
    how.jobs = jobs;
    const HuntResult together = search(voters, "sdpor", {}, how);
    EXPECT_TRUE(together.complete);
    EXPECT_EQ(together.runs, alone.runs);
    EXPECT_EQ(together.classes, alone.classes);
    EXPECT_EQ(together.steps, alone.steps);
    EXPECT_EQ(together.trace_set_hash, alone.trace_set_hash);
    const HuntResult wrong = search(rooms, "sdpor", {}, how);
    EXPECT_EQ(wrong.buggy_runs, search(rooms, "sdpor").buggy_runs);
    EXPECT_EQ(wrong.first_bug_run, search(rooms, "sdpor").first_bug_run);
    EXPECT_EQ(search(voters, "odpor", {}, how).runs, alone.runs);
  }
}

TEST(Search, SimulatedTimeIsRefused) {
  EXPECT_THROW(search(
                   [](World& world) {
                     world.simulated_time();
                     world.send(world.spawn<List>("list"), Go{1});
                   },
                   "sdpor"),
               UserError);
}

// --- semantic dependence ---

struct Read {};
struct Write {
  int value = 0;
};
struct Got {
  int value = 0;
};
struct Cell {
  using Receives = Messages<Read, Write>;
  int value = 0;
  void on(const Read&, Context& ctx) { ctx.reply(Got{value}); }
  void on(const Write& write) { value = write.value; }
};

// One writes, N read: each reads before or after.
TEST(Search, Readers) {
  for (std::uint64_t n = 1; n <= 6; ++n) {
    const HuntResult result = search(
        [n](World& world) {
          const auto cell = world.spawn<Cell>("cell");
          world.send(cell, Write{1});
          for (std::uint64_t i = 0; i < n; ++i) world.send(cell, Read{});
        },
        "sdpor", {{"dependence", "semantic"}});
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.runs, 1U << n);
  }
}

// A thread reads cell `from`, then writes what it read and one more to the next one.
struct Increment {
  using Receives = Messages<Go, Got>;
  Group<Cell> cells;
  int from = 0;
  void on(const Go&, Context& ctx) { ctx.send(cells[static_cast<std::size_t>(from)], Read{}); }
  void on(const Got& got, Context& ctx) {
    ctx.send(cells[static_cast<std::size_t>(from) + 1], Write{got.value + 1});
  }
};
// Looks for the last zero.
struct Seeker {
  using Receives = Messages<Go, Got>;
  Group<Cell> cells;
  int at = 0;
  void on(const Go&, Context& ctx) { ctx.send(cells[static_cast<std::size_t>(at)], Read{}); }
  void on(const Got& got, Context& ctx) {
    if (got.value != 0) ctx.send(cells[static_cast<std::size_t>(--at)], Read{});
  }
};

TEST(Search, LastZero) {
  for (std::size_t n = 2; n <= 5; ++n) {
    const HuntResult result = search(
        [n](World& world) {
          const auto cells = world.group<Cell>("cell", n + 1);
          world.send(world.spawn("seeker", Seeker{cells, static_cast<int>(n)}), Go{});
          for (std::size_t i = 0; i < n; ++i)
            world.send(world.spawn("increment" + std::to_string(i), Increment{cells, static_cast<int>(i)}),
                       Go{});
        },
        "sdpor", {{"dependence", "semantic"}});
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.runs, (n + 3) << (n - 2)) << n;
  }
}

}  // namespace
}  // namespace gainsay::search_test
