#include <gtest/gtest.h>

#include "gainsay/execution/world/faults/store.test.hpp"

namespace gainsay::fail_write_test {
namespace {

using disk_faults::puts;
using disk_faults::Store;
using every_run::endings;
using Texts = std::vector<std::string>;

TEST(FailWrite, IsSeenByTheActorAndStoresNothing) {
  EXPECT_EQ(endings(puts(1, [](World& world, Ref<Store> store) { world.faults().fail_write(1, store); })),
            (Texts{"Put{n: 1}, fail_write store => 1", "Put{n: 1} => 1",
                   "fail_write store, Put{n: 1} => -, 1 failed"}));
}

// The write after it is a write again, and what was stored before stays.
TEST(FailWrite, ConcernsOneWrite) {
  const Texts all =
      endings(puts(2, [](World& world, Ref<Store> store) { world.faults().fail_write(1, store); }));
  EXPECT_EQ(all, (Texts{"Put{n: 1}, Put{n: 2}, fail_write store => 2", "Put{n: 1}, Put{n: 2} => 2",
                        "Put{n: 1}, fail_write store, Put{n: 2} => 1, 1 failed",
                        "fail_write store, Put{n: 1}, Put{n: 2} => 2, 1 failed"}));
}

// One disk fault is on at a time: a second needs a write between. F(w, b) executions with w writes to go and b faults
// left, none on: F(0, 0) = 1, F(0, b) = 2 (stop, or a fault that stays on), F(w, 0) = 1; one that is on goes with the
// next write: F(w, b) = F(w-1, b) + F(w-1, b-1). F(1,1) = 3, F(1,2) = 4, F(2,2) = 7.
TEST(FailWrite, OneAtATime) {
  const auto runs = [](int writes, std::uint32_t budget) {
    return endings(puts(writes,
                        [=](World& world, Ref<Store> store) { world.faults().fail_write(budget, store); }))
        .size();
  };
  EXPECT_EQ(runs(1, 1), 3U);
  EXPECT_EQ(runs(1, 2), 4U);
  EXPECT_EQ(runs(2, 2), 7U);
}

// It stays on while the actor is down.
TEST(FailWrite, OutlivesACrash) {
  const Texts all = endings(puts(1, [](World& world, Ref<Store> store) {
    world.to_crashed(ToCrashed::kept);
    world.faults().fail_write(1, store).crash(1, store).restart(1);
  }));
  const auto has = [&](const std::string& text) {
    return std::find(all.begin(), all.end(), text) != all.end();
  };
  EXPECT_TRUE(has("fail_write store, crash store, restart store, Put{n: 1} => -, 1 failed, found 0"));
  for (const std::string& text : all)
    EXPECT_EQ(text.find("crash store, fail_write"), std::string::npos) << text;
}

}  // namespace
}  // namespace gainsay::fail_write_test
