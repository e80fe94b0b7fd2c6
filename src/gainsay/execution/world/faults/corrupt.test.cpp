#include <gtest/gtest.h>

#include "gainsay/execution/world/faults/marks.test.hpp"

namespace gainsay::corrupt_test {
namespace {

using every_run::counts;
using every_run::texts;
using fault_worlds::Mark;
using fault_worlds::marks;
using fault_worlds::Other;
using fault_worlds::Sink;
using Texts = std::vector<std::string>;

// c(n, b) = n c(n-1, b) + n c(n, b-1), c(0, b) = 1, c(n, 0) = n!.
TEST(Corrupt, ChangesUpToItsBudget) {
  const auto plus_100 = [](const Mark& mark) { return Mark{mark.n + 100}; };
  const auto runs = [&](std::size_t n, std::uint32_t budget) {
    return counts(marks(n, [=](World& world) { world.faults().corrupt<Mark>(budget, plus_100); })).runs;
  };
  EXPECT_EQ(runs(1, 1), 2U);
  EXPECT_EQ(runs(1, 2), 3U);
  EXPECT_EQ(runs(2, 1), 2U * 2U + 2U * 2U);
  EXPECT_EQ(texts(marks(1, [&](World& world) { world.faults().corrupt<Mark>(2, plus_100); })),
            (Texts{"Mark{n: 0}", "corrupt Mark{n: 0}, Mark{n: 100}",
                   "corrupt Mark{n: 0}, corrupt Mark{n: 100}, Mark{n: 200}"}));
}

// A corrupted message keeps its place in a queue, and each type has its own function and budget.
TEST(Corrupt, KeepsThePlaceAndTheType) {
  EXPECT_EQ(texts([](World& world) {
              world.order(Delivery::fifo);
              const auto sink = world.spawn<Sink>("sink");
              world.send(sink, Mark{1});
              world.send(sink, Other{2});
              world.faults().corrupt<Mark>(0, [](const Mark&) { return Mark{99}; });
              world.faults().corrupt<Other>(1, [](const Other& other) { return Other{-other.n}; });
            }),
            (Texts{"Mark{n: 1}, Other{n: 2}", "Mark{n: 1}, corrupt Other{n: 2}, Other{n: -2}",
                   "corrupt Other{n: 2}, Mark{n: 1}, Other{n: -2}"}));
}

}  // namespace
}  // namespace gainsay::corrupt_test
