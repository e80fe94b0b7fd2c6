#include "gainsay/oracle/judge.hpp"

#include <map>
#include <stdexcept>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"
#include "gainsay/oracle/client_history.hpp"
#include "gainsay/oracle/specs/register.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay::judge_test {
namespace {

struct Cell {
  using Receives = Messages<>;
  int n = 0;
};

struct Waiter {
  using Receives = Messages<>;
  std::string reason;
  std::string waiting() const {
    if (reason == "throw") throw std::runtime_error("no idea");
    if (reason == "throw 7") throw 7;
    return reason;
  }
};

// A world of cells and waiters that the test sets as it likes.
class FakeWorld final : public WorldReader {
 public:
  Status status(ActorId actor) const override {
    const auto found = statuses.find(actor.raw);
    return found == statuses.end() ? Status::alive : found->second;
  }
  const ActorType* type(ActorId actor) const override {
    return actor.raw < cells.size() ? &value_actor_type<Cell>() : &value_actor_type<Waiter>();
  }
  const void* state(ActorId actor) const override {
    if (actor.raw < cells.size()) return &cells[actor.raw];
    return actor.raw < cells.size() + waiters.size() ? &waiters[actor.raw - cells.size()] : nullptr;
  }
  const void* durable(ActorId, const ValueType&) const override { return nullptr; }
  std::uint32_t version(ActorId actor) const override {
    return knows_versions ? static_cast<std::uint32_t>(cells[actor.raw].n + 1) : 0;
  }
  std::uint64_t identity(ActorId actor) const override { return actor.raw; }
  bool has_spawned() const override { return false; }
  std::vector<ActorId> actors() const override {
    std::vector<ActorId> all;
    for (std::size_t i = 0; i < cells.size() + waiters.size(); ++i) all.push_back(ActorId{i});
    return all;
  }
  std::string name(ActorId actor) const override { return "actor " + std::to_string(actor.raw); }

  std::vector<Cell> cells;
  std::vector<Waiter> waiters;
  std::map<std::uint64_t, Status> statuses;
  bool knows_versions = true;
};

// A blueprint of n cells and m waiters with the properties that the body adds.
Blueprint cells(std::size_t n, const std::function<void(World&, Group<Cell>)>& body,
                std::size_t waiting = 0) {
  World world("fake");
  const auto group = world.group<Cell>("cell", n);
  world.group<Waiter>("waiter", waiting);
  body(world, group);
  return world.take();
}

FakeWorld world_of(std::initializer_list<int> numbers) {
  FakeWorld world;
  for (const int n : numbers) world.cells.push_back({n});
  return world;
}

constexpr ActorId first{0};
constexpr ActorId second{1};

// --- when a property is looked at ---

TEST(Judge, LooksAtAnInvariantWhenItsScopeChanges) {
  int looks = 0;
  const Blueprint blueprint = cells(3, [&](World& world, Group<Cell> all) {
    world.always("first", all[0], [&looks](View) -> Complaint {
      ++looks;
      return {};
    });
  });
  Judge judge(blueprint);
  FakeWorld world = world_of({1, 2, 3});
  world.knows_versions = false;
  judge.look(world, first, 0);
  EXPECT_EQ(looks, 1);
  judge.look(world, second, 0);
  EXPECT_EQ(looks, 1);
  judge.look(world, spawned_id(first, 0), 0);
  EXPECT_EQ(looks, 1);
  judge.look(world, nobody, 0);  // everything
  EXPECT_EQ(looks, 2);
  judge.look_at_end(world, 0);
  EXPECT_EQ(looks, 2);
  EXPECT_TRUE(judge.concerned(first));
  EXPECT_FALSE(judge.concerned(second));
  EXPECT_FALSE(judge.concerned(spawned_id(first, 0)));
}

TEST(Judge, LooksAtAnInvariantWithoutAScopeWheneverAnythingChanges) {
  const Blueprint blueprint = cells(3, [](World& world, Group<Cell> all) {
    world.always("global", [all](View v) -> Complaint {
      if (v[all[2]].n == 9) return "nine";
      return {};
    });
  });
  for (const ActorId changed : {first, second, ActorId{2}, spawned_id(first, 3)}) {
    Judge judge(blueprint);
    EXPECT_EQ(judge.look(world_of({1, 2, 3}), changed, 5), std::nullopt);
    EXPECT_TRUE(judge.concerned(changed));
    EXPECT_EQ(judge.look(world_of({1, 2, 9}), changed, 5), (Violation{"global", "nine", nobody, 5}));
  }
}

TEST(Judge, LooksAtEndConditionsAtTheEndOnly) {
  const Blueprint blueprint = cells(1, [](World& world, Group<Cell>) {
    world.finally("end", [](View) -> Complaint { return "always unhappy"; });
  });
  Judge judge(blueprint);
  const FakeWorld world = world_of({1});
  EXPECT_EQ(judge.look(world, nobody, 0), std::nullopt);
  EXPECT_EQ(judge.look(world, first, 0), std::nullopt);
  EXPECT_FALSE(judge.concerned(first));
  EXPECT_EQ(judge.look_at_end(world, 8), (Violation{"end", "always unhappy", nobody, 8}));
}

// --- contentment is remembered, complaints are not ---

struct Counted {
  int looks = 0;
  Blueprint blueprint;

  explicit Counted(std::size_t scope)
      : blueprint(cells(std::max<std::size_t>(scope, 6), [this, scope](World& world, Group<Cell> all) {
          std::vector<ActorId> ids;
          for (std::size_t i = 0; i < scope; ++i) ids.push_back(all[i]);
          world.always("sum", ids, [this, all, scope](View v) -> Complaint {
            ++looks;
            int sum = 0;
            for (std::size_t i = 0; i < scope; ++i) sum += v[all[i]].n;
            if (sum % 5 == 4) return "four";
            return {};
          });
        })) {}
};

TEST(Judge, RemembersContentmentWithAScopeOfUpToSixtyFour) {
  for (const std::size_t scope : {1U, 2U, 3U, 4U, 5U, 6U, 64U, 65U}) {
    const bool remembered = scope <= 64;
    Counted counted(scope);
    Judge judge(counted.blueprint);
    FakeWorld world;
    world.cells.resize(std::max<std::size_t>(scope, 6));
    const auto version_of = [&](ActorId a) { return world.version(a); };
    EXPECT_FALSE(judge.settled(first, version_of));
    for (int i = 0; i < 3; ++i) EXPECT_EQ(judge.look(world, first, 0), std::nullopt);
    EXPECT_EQ(counted.looks, remembered ? 1 : 3) << scope;
    EXPECT_EQ(judge.settled(first, version_of), remembered);
    judge.forget();
    EXPECT_FALSE(judge.settled(first, version_of));
    judge.look(world, first, 0);
    EXPECT_EQ(counted.looks, remembered ? 2 : 4) << scope;
  }
}

TEST(Judge, DoesNotRememberComplaints) {
  Counted counted(2);
  Judge judge(counted.blueprint);
  const FakeWorld world = world_of({1, 3, 0, 0, 0, 0});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(judge.look(world, first, 0));
  EXPECT_FALSE(judge.settled(first, [&](ActorId a) { return world.version(a); }));
}

// Live actors have no version: nothing may be remembered about them.
TEST(Judge, RemembersNothingAboutWhatHasNoVersion) {
  Counted counted(2);
  Judge judge(counted.blueprint);
  FakeWorld world = world_of({0, 0, 0, 0, 0, 0});
  world.knows_versions = false;
  EXPECT_EQ(judge.look(world, first, 0), std::nullopt);
  EXPECT_FALSE(judge.settled(first, [&](ActorId a) { return world.version(a); }));
  world.cells[0].n = 4;
  EXPECT_TRUE(judge.look(world, first, 0));
}

// The memory holds 256 entries (1,024 of wide scopes) and is asked about thousands: what it says must never differ
// from a fresh look. 5^6 states of a scope of six have 15 times as many as there are rows.
TEST(Judge, MemoryHidesNoViolation) {
  for (std::size_t scope = 1; scope <= 6; ++scope) {
    Counted counted(scope);
    Judge judge(counted.blueprint);
    Rng rng(scope);
    FakeWorld world = world_of({0, 0, 0, 0, 0, 0});
    int looked = 0;
    for (int i = 0; i < 20'000; ++i) {
      const auto changed = rng.below(6);
      world.cells[changed].n = static_cast<int>(rng.below(scope == 1 ? 2'000 : scope <= 4 ? 12 : 5));
      int sum = 0;
      for (std::size_t a = 0; a < scope; ++a) sum += world.cells[a].n;
      const bool wrong = sum % 5 == 4;
      const auto version_of = [&](ActorId a) { return world.version(a); };
      if (judge.settled(ActorId{changed}, version_of) && changed < scope) {
        ASSERT_FALSE(wrong);
      }
      ASSERT_EQ(judge.look(world, ActorId{changed}, 0).has_value(), wrong && changed < scope);
      looked += changed < scope ? 1 : 0;
    }
    EXPECT_LE(counted.looks, looked);
    EXPECT_LT(counted.looks, looked) << "the memory is of no use";
  }
}

// Two properties of one actor: contentment with the one says nothing about the other.
TEST(Judge, RemembersEachPropertyApart) {
  const Blueprint blueprint = cells(2, [](World& world, Group<Cell> all) {
    world.always("a", all[0], [](View) -> Complaint { return {}; });
    world.always("b", {all[0], all[1]}, [all](View v) -> Complaint {
      if (v[all[1]].n == 3) return "three";
      return {};
    });
  });
  Judge judge(blueprint);
  EXPECT_EQ(judge.look(world_of({1, 2}), first, 0), std::nullopt);
  EXPECT_EQ(judge.look(world_of({1, 3}), first, 0), (Violation{"b", "three", nobody, 0}));
}

// --- goals ---

TEST(Judge, AGoalIsReachedOnceAndForAll) {
  int looks = 0;
  const Blueprint blueprint = cells(2, [&](World& world, Group<Cell> all) {
    world.always("fine", [](View) -> Complaint { return {}; });
    world.reached("two", all[0], [&looks, all](View v) {
      ++looks;
      return v[all[0]].n == 2;
    });
    world.reached("three", [all](View v) { return v[all[1]].n == 3; });
  });
  Judge judge(blueprint);
  EXPECT_EQ(judge.reached(), (std::vector<bool>{true, false, false}));
  judge.look(world_of({1, 0}), first, 0);
  judge.look(world_of({1, 0}), first, 0);
  EXPECT_EQ(looks, 1);  // not reached in this state is remembered as well
  judge.look(world_of({2, 0}), second, 0);
  EXPECT_EQ(judge.reached(), (std::vector<bool>{true, false, false})) << "its scope has not changed";
  EXPECT_EQ(judge.look(world_of({2, 3}), first, 0), std::nullopt);
  EXPECT_EQ(judge.reached(), (std::vector<bool>{true, true, true}));
  EXPECT_EQ(looks, 2);
  judge.look(world_of({1, 1}), nobody, 0);
  judge.look(world_of({7, 1}), first, 0);
  EXPECT_EQ(looks, 2);
  EXPECT_TRUE(judge.concerned(second)) << "the invariant is still there";
}

// Goals that leave the list while it is walked do not make the next property be skipped.
TEST(Judge, WhatComesAfterAReachedGoalIsLookedAt) {
  for (const bool scoped : {true, false}) {
    const Blueprint blueprint = cells(1, [&](World& world, Group<Cell> all) {
      const Actors scope = scoped ? Actors(all[0]) : Actors();
      world.reached("g", scope, [](View) { return true; });
      world.reached("h", scope, [](View) { return true; });
      world.always("last", scope, [](View) -> Complaint { return "unhappy"; });
    });
    Judge judge(blueprint);
    EXPECT_EQ(judge.look(world_of({1}), first, 0), (Violation{"last", "unhappy", nobody, 0}));
    EXPECT_EQ(judge.reached(), (std::vector<bool>{true, true, true}));
  }
}

// --- histories ---

HistoryEntry entry(std::uint64_t process, bool invocation, std::uint64_t actor, std::uint32_t step) {
  static const int seven = 7;
  HistoryEntry entry;
  entry.process = ActorId{process};
  entry.actor = ActorId{actor};
  entry.invocation = invocation;
  entry.type = &reflect::value_type<int>();
  entry.data = &seven;
  entry.step = step;
  return entry;
}

// A property may read all that stands in an entry, so a history is another one if it was made by others or later.
TEST(Judge, RemembersHistoriesWithAllThatAPropertyMayRead) {
  const std::vector<HistoryEntry> right = {entry(1, true, 1, 3), entry(1, false, 1, 5)};
  const std::vector<HistoryEntry> late = {entry(1, true, 1, 3), entry(1, false, 1, 99)};
  const std::vector<HistoryEntry> by_another = {entry(1, true, 1, 3), entry(1, false, 2, 5)};
  int looks = 0;
  const Blueprint blueprint = cells(1, [&](World& world, Group<Cell>) {
    world.history("soon, and by itself",
                  [&looks](std::span<const HistoryEntry> history, const WorldReader&) -> Complaint {
                    ++looks;
                    for (const HistoryEntry& each : history) {
                      if (each.step > 50) return "late";
                      if (each.actor != each.process) return "by another";
                    }
                    return {};
                  });
  });
  Judge judge(blueprint);
  const FakeWorld world = world_of({1});
  EXPECT_EQ(judge.look_at_history(right, world, 5), std::nullopt);
  EXPECT_EQ(judge.look_at_history(right, world, 5), std::nullopt);
  EXPECT_EQ(looks, 1) << "what was found right is remembered";
  EXPECT_EQ(judge.look_at_history(late, world, 99), (Violation{"soon, and by itself", "late", nobody, 99}));
  EXPECT_EQ(judge.look_at_history(by_another, world, 5),
            (Violation{"soon, and by itself", "by another", nobody, 5}));
}

// The numbers of values are known until they are forgotten: then they may stand for others.
TEST(Judge, ForgetsTheNumbersOfValues) {
  using Reg = specs::Register<int>;
  const Reg::Op ops[] = {Reg::Write{1}, Reg::Read{}, Reg::Write{2}};
  const Reg::Result seen(std::in_place_index<1>, 1);
  const auto history = [&](const Reg::Op& write) {
    std::vector<HistoryEntry> entries;
    for (std::uint32_t i = 0; i < 4; ++i) {
      HistoryEntry& added = entries.emplace_back(entry(1, i % 2 == 0, 1, i));
      added.number = i / 2;
      added.type = i == 1   ? nullptr
                   : i == 3 ? &reflect::value_type<Reg::Result>()
                            : &reflect::value_type<Reg::Op>();
      added.data = i == 0 ? &write : i == 2 ? &ops[1] : static_cast<const void*>(&seen);
      added.value = i == 1 ? 0 : i + 1;
    }
    return entries;
  };
  const Blueprint blueprint =
      cells(1, [](World& world, Group<Cell>) { world.linearizable<Reg>("register"); });
  Judge judge(blueprint);
  const FakeWorld world = world_of({1});
  EXPECT_EQ(judge.look_at_history(history(ops[0]), world, 5), std::nullopt);
  judge.forget();
  EXPECT_NE(judge.look_at_history(history(ops[2]), world, 5), std::nullopt) << "1 was never written";
}

// It is no complaint, it is not taken for right, and it is not judged a second time.
TEST(Judge, WhatCouldNotBeJudgedIsNotRight) {
  const std::vector<HistoryEntry> right = {entry(1, true, 1, 3)};
  const std::vector<HistoryEntry> long_one = {entry(1, true, 1, 3), entry(1, false, 1, 5)};
  int looks = 0;
  const Blueprint blueprint = cells(1, [&](World& world, Group<Cell>) {
    world.history("short", [&looks](std::span<const HistoryEntry> history, const WorldReader&) {
      ++looks;
      return history.size() > 1 ? Complaint::unjudged("too long") : Complaint{};
    });
  });
  Judge judge(blueprint);
  const FakeWorld world = world_of({1});
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(judge.look_at_history(long_one, world, 5), std::nullopt);
    EXPECT_TRUE(judge.unjudged());
    EXPECT_EQ(judge.look_at_history(right, world, 5), std::nullopt);
    EXPECT_FALSE(judge.unjudged());
  }
  EXPECT_EQ(looks, 2);
}

// --- deadlock ---

TEST(Judge, FindsWhoStillWaits) {
  const Blueprint blueprint = cells(
      1, [](World&, Group<Cell>) {}, 2);
  Judge judge(blueprint);
  FakeWorld world = world_of({1});
  world.waiters = {{""}, {"for nothing"}};
  EXPECT_EQ(judge.look(world, nobody, 0), std::nullopt);
  const ActorId waiter{2};
  EXPECT_EQ(
      judge.look_at_end(world, 3),
      (Violation{"deadlock", "nothing can happen any more, but actor 2 waits: for nothing", waiter, 3}));
  for (const auto status : {WorldReader::Status::crashed, WorldReader::Status::halted}) {
    world.statuses[2] = status;
    EXPECT_EQ(judge.look_at_end(world, 3), std::nullopt);
  }
}

TEST(Judge, ReportsWhatWaitingThrows) {
  const Blueprint blueprint = cells(
      0, [](World&, Group<Cell>) {}, 1);
  Judge judge(blueprint);
  FakeWorld world;
  world.waiters = {{"throw"}};
  EXPECT_NE(judge.look_at_end(world, 0)->message.find("its waiting() threw: no idea"), std::string::npos);
  world.waiters = {{"throw 7"}};
  EXPECT_NE(judge.look_at_end(world, 0)->message.find("its waiting() threw something"), std::string::npos);
}

// --- properties that throw ---

TEST(Judge, APropertyThatThrowsIsAViolationOfItself) {
  const Blueprint blueprint = cells(3, [](World& world, Group<Cell> all) {
    world.always("a", all[0], [](View) -> Complaint { throw std::runtime_error("oops"); });
    world.always("b", all[1], [](View) -> Complaint { throw 42; });
  });
  Judge judge(blueprint);
  const FakeWorld world = world_of({1, 2, 3});
  EXPECT_EQ(judge.look(world, first, 1), (Violation{"a", "the property threw: oops", nobody, 1}));
  EXPECT_EQ(judge.look(world, second, 1),
            (Violation{"b", "the property threw something that is not a std::exception", nobody, 1}));
  const Blueprint unscoped = cells(3, [](World& made, Group<Cell>) {
    made.always("c", [](View v) -> Complaint { return std::to_string(v[Ref<Cell>(ActorId{99})].n); });
  });
  EXPECT_EQ(Judge(unscoped).look(world, ActorId{2}, 1)->message,
            "the property threw: a property reads an actor that does not exist (ask View::exists first)");
}

// The second actor is read only where the first one is 7; then and only then the scope is too small.
TEST(Judge, APropertyThatReadsMoreThanItsScopeIsTold) {
  const Blueprint blueprint = cells(3, [](World& world, Group<Cell> all) {
    world.always("a", all[0], [all](View v) -> Complaint {
      if (v[all[0]].n == 7 && v[all[1]].n == 7) return "both";
      return {};
    });
  });
  Judge judge(blueprint);
  EXPECT_EQ(judge.look(world_of({1, 2, 3}), first, 1), std::nullopt);
  for (const int second_cell : {2, 7}) {
    const auto violation = judge.look(world_of({7, second_cell, 3}), first, 1);
    ASSERT_TRUE(violation.has_value());
    EXPECT_EQ(violation->property, "a");
    EXPECT_NE(violation->message.find("which is not in its scope"), std::string::npos) << violation->message;
  }
}

}  // namespace
}  // namespace gainsay::judge_test
