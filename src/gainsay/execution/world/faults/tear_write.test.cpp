#include <gtest/gtest.h>

#include "gainsay/execution/world/faults/store.test.hpp"

namespace gainsay::tear_write_test {
namespace {

using disk_faults::puts;
using disk_faults::Saved;
using disk_faults::Store;
using every_run::endings;
using Texts = std::vector<std::string>;

Saved half(const Saved& before, const Saved& value) { return Saved{before.n * 10 + value.n + 500}; }

// Without an earlier value the function gets a default one: 0 * 10 + 1 + 500.
TEST(TearWrite, StoresWhatTheFunctionSaysAndTellsNobody) {
  EXPECT_EQ(
      endings(
          puts(1, [](World& world, Ref<Store> store) { world.faults().tear_write<Saved>(1, store, half); })),
      (Texts{"Put{n: 1}, tear_write store => 1", "Put{n: 1} => 1", "tear_write store, Put{n: 1} => 501"}));
}

TEST(TearWrite, SeesWhatWasStored) {
  EXPECT_EQ(endings(puts(
                2, [](World& world, Ref<Store> store) { world.faults().tear_write<Saved>(1, store, half); })),
            (Texts{"Put{n: 1}, Put{n: 2}, tear_write store => 2", "Put{n: 1}, Put{n: 2} => 2",
                   "Put{n: 1}, tear_write store, Put{n: 2} => 512",
                   "tear_write store, Put{n: 1}, Put{n: 2} => 2"}));
}

struct Other {};

// A value of a type that nobody can tear is stored as it is, and the fault waits for one that can be torn.
TEST(TearWrite, WaitsForItsType) {
  for (const std::string& text : endings(puts(1, [](World&world, Ref<Store> store) {
         world.faults().tear_write<Other>(1, store, [](const Other&, const Other& value) { return value; });
       })))
    EXPECT_EQ(text.substr(text.size() - 4), "=> 1");
}

TEST(TearWrite, AFunctionThatThrowsIsAViolation) {
  const auto runs = every_run::every_run(puts(1, [](World& world, Ref<Store> store) {
    world.faults().tear_write<Saved>(
        1, store, [](const Saved&, const Saved&) -> Saved { throw std::runtime_error("no idea"); });
  }));
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[2].trace.violation->property, "exception");
  EXPECT_NE(runs[2].trace.violation->message.find("no idea"), std::string::npos);
}

}  // namespace
}  // namespace gainsay::tear_write_test
