#include <gtest/gtest.h>

#include "gainsay/execution/world/faults/store.test.hpp"

namespace gainsay::lose_write_test {
namespace {

using disk_faults::puts;
using disk_faults::Store;
using every_run::endings;
using Texts = std::vector<std::string>;

// The end of the execution with these events.
std::string end_of(const Texts& all, const std::string& events) {
  for (const std::string& text : all) {
    if (text.substr(0, text.find(" => ")) == events) return text.substr(text.find(" => ") + 4);
  }
  return "there is no such execution";
}

TEST(LoseWrite, ACrashLosesWhatWasAnswered) {
  const Texts all = endings(puts(1, [](World& world, Ref<Store> store) {
    world.faults().lose_write(1, store).crash(1, store).restart(1);
  }));
  EXPECT_EQ(end_of(all, "lose_write store, Put{n: 1}"), "1");  // nobody sees it without a crash
  EXPECT_EQ(end_of(all, "lose_write store, Put{n: 1}, crash store"), "-");
  EXPECT_EQ(end_of(all, "lose_write store, Put{n: 1}, crash store, restart store"), "-, found 0");
  EXPECT_EQ(end_of(all, "Put{n: 1}, lose_write store, crash store, restart store"), "1, found 1");
  EXPECT_EQ(end_of(all, "Put{n: 1}, crash store, restart store"), "1, found 1");
}

// What is written later has everything on the disk; what was there before comes back.
TEST(LoseWrite, ConcernsTheLastWriteBeforeTheCrash) {
  const Texts all = endings(puts(2, [](World& world, Ref<Store> store) {
    world.faults().lose_write(1, store).crash(1, store).restart(1);
  }));
  EXPECT_EQ(end_of(all, "lose_write store, Put{n: 1}, Put{n: 2}, crash store, restart store"), "2, found 2");
  EXPECT_EQ(end_of(all, "Put{n: 1}, lose_write store, Put{n: 2}, crash store, restart store"), "1, found 1");
}

}  // namespace
}  // namespace gainsay::lose_write_test
