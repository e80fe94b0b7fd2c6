#include "systems/extent_manager/extent_manager.hpp"

#include <mutex>

#include "systems/late_report_test.hpp"
#include "systems/system_test.hpp"

namespace extent_manager {
namespace {

// Half of it, hot, is a violation. Executions of the fixed form end after 236 steps (repair) or 295 (replicate)
// on average, and after 724 at most in 2,000 runs with seed 1.
constexpr std::size_t steps_max = 6'000;

gainsay::HuntResult hunt(const char* bug, const char* driver, std::uint64_t runs) {
  return system_test::hunt("extent_manager", {{"bug", bug}, {"driver", driver}},
                           {.strategy = "random", .runs = runs, .steps_max = steps_max});
}

TEST(ExtentManager, SeededBugsAreFound) {
  for (const char* bug : {"late_report", "kept_records"}) {
    const auto result = hunt(bug, "repair", 100);
    ASSERT_EQ(result.violations.size(), 1U) << bug;
    EXPECT_EQ(result.violations[0].violation.property, "repair");
  }
}

// Both driver scenarios: the extent is replicated, and repaired after a failure.
TEST(ExtentManager, FixedFormRepairsInEveryRun) {
  for (const char* driver : {"replicate", "repair"}) {
    const auto result = hunt("none", driver, 300);
    for (const auto& found : result.violations) ADD_FAILURE() << found.violation.message;
    EXPECT_EQ(result.cut_runs, 0U);
    EXPECT_TRUE(result.unreached_goals.empty());
  }
}

// Several extents, and repair tasks that get lost: the manager sends them again, so everything is repaired still, and
// the bug needs neither.
TEST(ExtentManager, RepairsSeveralExtentsAndWhatTheNetworkLoses) {
  const auto hunted = [](const char* bug, const char* driver) {
    return system_test::hunt("extent_manager",
                             {{"bug", bug}, {"driver", driver}, {"extents", "3"}, {"losses", "2"}},
                             {.strategy = "random", .runs = 100, .steps_max = steps_max});
  };
  for (const char* driver : {"replicate", "repair"}) {
    const auto result = hunted("none", driver);
    for (const auto& found : result.violations) ADD_FAILURE() << found.violation.message;
    EXPECT_EQ(result.cut_runs, 0U);
    EXPECT_TRUE(result.unreached_goals.empty());
  }
  EXPECT_EQ(hunted("late_report", "repair").violations.size(), 1U);
}

// The steps of the paper: the node fails, expires, and its report comes afterwards.
TEST(ExtentManager, ALateReportRaisesADeadNode) {
  const auto result = hunt("late_report", "repair", 100);
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_TRUE(system_test::reports_after_failure(result.violations[0].document.steps, "Fail", "Fail"));
}

// --- the component by itself ---

class Engine final : public storage::NetworkEngine {
 public:
  void send_repair_task(NodeId node, ExtentId extent, NodeId source) override {
    const std::lock_guard lock(mutex_);
    sent_.push_back({node, extent, source});
    changed_.notify_all();
  }
  std::vector<std::vector<std::uint32_t>> sent() {
    const std::lock_guard lock(mutex_);
    return sent_;
  }
  void await() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !sent_.empty(); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::vector<std::uint32_t>> sent_;
};

TEST(ExtentManagerComponent, RepairsWhatExpires) {
  Engine engine;
  storage::ExtentManager manager(engine, {.mock_timers = true});
  for (NodeId node = 0; node < 3; ++node) {
    manager.process_heartbeat(node);
    manager.process_sync_report(node, {7});
  }
  manager.repair_extents();
  EXPECT_TRUE(engine.sent().empty());
  manager.process_heartbeat(3);
  manager.expire_nodes();
  for (const NodeId node : {1U, 2U, 3U}) manager.process_heartbeat(node);
  manager.expire_nodes();
  EXPECT_EQ(manager.known_nodes(), 3U);
  EXPECT_EQ(manager.replicas(7), 2U);
  manager.repair_extents();
  EXPECT_EQ(engine.sent(), (std::vector<std::vector<std::uint32_t>>{{3, 7, 1}}));
  manager.process_sync_report(0, {7});  // too late: nobody knows node 0 any more
  EXPECT_EQ(manager.replicas(7), 2U);
}

TEST(ExtentManagerComponent, HasTimersOfItsOwnUnlessTheyAreMocked) {
  Engine engine;
  storage::ExtentManager manager(
      engine, {.missed_heartbeats_max = 1'000'000, .period = std::chrono::milliseconds(1)});
  manager.process_heartbeat(0);
  manager.process_heartbeat(1);
  manager.process_sync_report(0, {7});
  engine.await();
  EXPECT_EQ(engine.sent().front(), (std::vector<std::uint32_t>{1, 7, 0}));
}

}  // namespace
}  // namespace extent_manager
