// Checkpoints: a search that was interrupted anywhere goes on to the result of one that never was.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "gainsay/base/complaint.test.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/explorer/random_system.test.hpp"
#include "gainsay/explorer/symmetric_system.test.hpp"

namespace gainsay::checkpoint_test {
namespace {

namespace fs = std::filesystem;

class Checkpoints : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("checkpoint-" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file(const std::string& name = "c") const { return (folder_ / name).string(); }

  fs::path folder_;
};

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void put(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// All that a result says but how long it took and what it held.
std::string said(const ExploreResult& result) {
  std::string out = fmt::format("{} states, {} transitions, {} ends, depth {}, {} calls, complete {}, {}\n",
                                result.states, result.transitions, result.end_states, result.depth,
                                result.handler_calls, result.complete, result.incomplete_because);
  for (const LevelCount& level : result.levels) out += fmt::format("{}/{} ", level.states, level.transitions);
  for (const FoundViolation& found : result.violations) {
    out += fmt::format("\n{}: {} after {}", found.violation.property, found.violation.message,
                       found.document.steps.size());
    for (const DocumentStep& step : found.document.steps) out += fmt::format(" {:x}", step.id.raw);
  }
  for (const std::string& warning : result.warnings) out += "\nwarning: " + warning;
  for (const std::string& goal : result.unreached_goals) out += "\nunreached: " + goal;
  for (const std::string& live : result.live) out += "\nlive: " + live;
  return out;
}

Scenario scenario_of(const random_system::Features& features) {
  return Scenario::of("random", [=](World& world) { random_system::fill(world, features); });
}

// Stops after 1, 2, 4, ... levels, each time going on from the last stop, and demands the whole result at the end.
void expect_same_in_parts(const Scenario& scenario, ExploreOptions options, const std::string& file) {
  options.states_max = 60'000;  // some worlds are too large for a test; they are stopped for good
  const ExploreResult whole = explore(scenario, {}, options);
  if (whole.incomplete_because == "--max-states") return;
  options.checkpoint = file;
  options.checkpoint_every = std::chrono::nanoseconds(0);  // and after each segment
  for (std::uint64_t depth = 1; depth < whole.depth; depth *= 2) {
    options.workers = 1 + static_cast<unsigned>(depth % 3);
    options.depth_max = depth;
    explore(scenario, {}, options);
    options.resume = file;
  }
  options.depth_max.reset();
  EXPECT_EQ(said(explore(scenario, {}, options)), said(whole));
}

TEST_F(Checkpoints, RandomWorldsGoOnToTheSameResult) {
  for (std::uint64_t number = 0; number < 120; ++number) {
    SCOPED_TRACE(number);
    for (const auto& draw : {random_system::draw, random_system::draw_faulty, random_system::draw_live}) {
      random_system::Features features = draw(number);
      features.clients = false;  // histories are not explored
      expect_same_in_parts(scenario_of(features), {.keep_going = number % 2 == 0}, file());
    }
  }
}

TEST_F(Checkpoints, GoOnInEveryMode) {
  for (std::uint64_t number = 0; number < 20; ++number) {
    SCOPED_TRACE(number);
    const Scenario scenario = scenario_of(random_system::draw(number));
    expect_same_in_parts(scenario, {.exact = true, .keep_going = true}, file("exact"));
    expect_same_in_parts(scenario, {.bitstate_bytes = 1U << 20U, .keep_going = true}, file("bits"));
  }
}

TEST_F(Checkpoints, SymmetricWorldsGoOnToTheSameResult) {
  for (std::uint64_t number = 0; number < 60; ++number) {
    const symmetric_system::Features features = symmetric_system::draw(number);
    SCOPED_TRACE(symmetric_system::text(features));
    const Scenario scenario =
        Scenario::of("symmetric", [=](World& world) { symmetric_system::fill(world, features); });
    expect_same_in_parts(scenario, {.symmetry = true, .keep_going = true}, file());
  }
}

struct Tick {};
struct Clock {
  using Receives = Messages<Tick>;
  bool looks = false;
  int ticks = 0;
  std::int64_t seen_ms = 0;
  void on_start(Context& ctx) { ctx.after(std::chrono::milliseconds(3), Tick{}); }
  void on(const Tick&, Context& ctx) {
    if (looks) seen_ms = std::chrono::duration_cast<std::chrono::milliseconds>(ctx.now()).count();
    ctx.check(seen_ms < 12 || ticks < 3, "four ticks take 12 ms");
    if (++ticks < 4) ctx.after(std::chrono::milliseconds(3), Tick{});
  }
};

// In simulated time, where somebody reads the clock (then all is counted from the beginning) and where nobody does.
TEST_F(Checkpoints, TimedWorldsGoOnToTheSameResult) {
  for (const bool looks : {false, true}) {
    const Scenario scenario = Scenario::of("clocks", [=](World& world) {
      world.simulated_time();
      world.group<Clock>("clock", 3, [&](std::size_t) { return Clock{.looks = looks}; });
    });
    const ExploreResult whole = explore(scenario, {}, {.keep_going = true});
    ASSERT_EQ(whole.violations.size(), looks ? 1U : 0U);
    expect_same_in_parts(scenario, {.keep_going = true}, file());
  }
}

struct Ask {};
struct Voter {
  using Receives = Messages<Ask>;
  bool asked = false;
  void on(const Ask&) { asked = true; }
};

// 2^n states.
Scenario lattice(std::size_t n, bool wrong = false) {
  return Scenario::of("lattice", [=](World& world) {
    const auto voters = world.group<Voter>("voter", n);
    for (const auto voter : voters) world.send(voter, Ask{});
    if (!wrong) return;
    world.always("the last voters are not all asked", voters, [=](View view) -> Complaint {
      for (std::size_t i = n - 5; i < n; ++i) {
        if (!view[voters[i]].asked) return {};
      }
      return "they are";
    });
  });
}

// Within a level: the search is stopped by the clock, wherever it happens to be, again and again.
TEST_F(Checkpoints, GoOnWithinALevel) {
  const ExploreResult whole = explore(lattice(19), {}, {});
  ASSERT_EQ(whole.states, std::uint64_t{1} << 19U);
  for (const unsigned workers : {1U, 2U}) {
    ExploreOptions options{.workers = workers};
    options.checkpoint = file();
    options.time_max = std::chrono::milliseconds(20);
    int stops = 0;
    std::uint64_t last = 0;
    ExploreResult result = explore(lattice(19), {}, options);
    options.resume = file();
    for (; !result.complete && stops < 1000; ++stops) {
      EXPECT_GE(result.states, last);
      last = result.states;
      options.time_max = *options.time_max + std::chrono::milliseconds(20);  // to read takes some of it
      result = explore(lattice(19), {}, options);
    }
    EXPECT_GE(stops, 1);
    EXPECT_EQ(said(result), said(whole));
  }
}

// The frontier is on disk, or was, when the checkpoint is written.
TEST_F(Checkpoints, TakeTheFrontierFromDisk) {
  ExploreOptions options{.memory_max = 3U << 20U, .spill_folder = testing::TempDir(), .keep_going = true};
  const ExploreResult whole = explore(lattice(16, true), {}, options);
  ASSERT_GT(whole.disk_bytes, 0U);
  ASSERT_EQ(whole.violations.size(), 1U);
  options.checkpoint = file();
  options.depth_max = 8;
  ASSERT_GT(explore(lattice(16, true), {}, options).disk_bytes, 0U);
  options.resume = file();
  options.depth_max.reset();
  EXPECT_EQ(said(explore(lattice(16, true), {}, options)), said(whole));
}

TEST_F(Checkpoints, AreRefusedWhereTheyDoNotFit) {
  ExploreOptions options{.depth_max = 3, .checkpoint = file()};
  explore(lattice(8), {}, options);
  const auto complaint = [&](const Scenario& scenario, ExploreOptions other) {
    other.resume = file();
    return complaint_of([&] { explore(scenario, {}, other); });
  };
  const std::string in = file() + ": the checkpoint is from a different search: its ";
  const std::string out = "; use the same options, or start again without --resume";
  EXPECT_EQ(complaint(scenario_of({}), {}), in + "scenario is lattice, not random" + out);
  EXPECT_EQ(complaint(lattice(8), {.exact = true}), in + "--exact is off, not on" + out);
  EXPECT_EQ(complaint(lattice(8), {.symmetry = true}), in + "--symmetry is off, not on" + out);
  // A world that says the same of itself and is another one.
  EXPECT_THAT(complaint(lattice(9), {}), testing::HasSubstr("behave differently"));
  EXPECT_EQ(complaint(lattice(8), {}), "");
}

TEST_F(Checkpoints, AreRefusedWhereAByteIsWrong) {
  explore(lattice(6), {}, {.depth_max = 3, .checkpoint = file()});
  const std::string good = content(file());
  const auto complaint = [&](const std::string& bytes) {
    put(file("bad"), bytes);
    return complaint_of([&] { explore(lattice(6), {}, {.resume = file("bad")}); });
  };
  ASSERT_EQ(complaint(good), "");
  const std::string where = file("bad") + ": ";
  for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 97) {
    std::string flipped = good;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    EXPECT_THAT(complaint(flipped), testing::StartsWith(where)) << at;
    EXPECT_THAT(complaint(good.substr(0, at)), testing::StartsWith(where)) << at;
  }
  EXPECT_EQ(complaint(""), where + "not a checkpoint of explore");
  EXPECT_THAT(complaint_of([&] { explore(lattice(6), {}, {.resume = file("none")}); }),
              testing::HasSubstr("No such file or directory; expected a checkpoint"));
  EXPECT_THAT(complaint_of([&] { explore(lattice(6), {}, {.resume = folder_.string()}); }),
              testing::HasSubstr("not a checkpoint of explore"));
}

// A checkpoint that cannot be written is a warning, not the end.
TEST_F(Checkpoints, AreNotWorthTheSearch) {
  put(file(), "");
  const ExploreResult warned = explore(lattice(8), {}, {.depth_max = 3, .checkpoint = file() + "/c"});
  EXPECT_EQ(warned.depth, 3U);
  EXPECT_THAT(warned.warnings, testing::Contains(testing::HasSubstr("cannot write the checkpoint")));
}

}  // namespace
}  // namespace gainsay::checkpoint_test
