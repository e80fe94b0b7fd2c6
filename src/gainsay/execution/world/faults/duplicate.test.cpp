#include <gtest/gtest.h>

#include "gainsay/execution/world/faults/marks.test.hpp"

namespace gainsay::duplicate_test {
namespace {

using every_run::counts;
using every_run::every_run;
using every_run::OneRun;
using every_run::texts;
using fault_worlds::Mark;
using fault_worlds::marks;
using fault_worlds::Other;
using fault_worlds::Sink;
using Texts = std::vector<std::string>;

// f(n, b): n f(n-1, b) to deliver one, n f(n+1, b-1) to double one; f(0, b) = 1, f(n, 0) = n!.
TEST(Duplicate, DoublesUpToItsBudget) {
  const auto runs = [](std::size_t n, std::uint32_t budget) {
    return counts(marks(n, [budget](World& world) { world.faults().duplicate(budget); })).runs;
  };
  EXPECT_EQ(runs(1, 1), 1U + 2U);
  EXPECT_EQ(runs(2, 1), 2U * 3U + 2U * 6U);
  EXPECT_EQ(runs(1, 2), 1U + 18U);
  EXPECT_EQ(runs(1, 3), 1U + (2U * 19U + 2U * (3U * 18U + 3U * 24U)));  // f(2,2) = 2 f(1,2) + 2 f(3,1)
}

// Fifo, g(n, b): the head is delivered, any may be doubled and the copy goes to the end: g(n-1, b) + n g(n+1,
// b-1), g(n, 0) = g(0, b) = 1.
TEST(Duplicate, ACopyStandsAtTheEnd) {
  const auto runs = [](std::size_t n, std::uint32_t budget) {
    return counts(marks(n,
                        [budget](World& world) {
                          world.order(Delivery::fifo);
                          world.faults().duplicate(budget);
                        }))
        .runs;
  };
  EXPECT_EQ(runs(1, 1), 2U);
  EXPECT_EQ(runs(2, 1), 2U + 2U);
  EXPECT_EQ(runs(1, 2), 1U + 4U);
  EXPECT_EQ(texts(marks(2,
                        [](World& world) {
                          world.order(Delivery::mailbox);
                          world.faults().duplicate(1);
                        })),
            (Texts{"Mark{n: 0}, Mark{n: 1}", "Mark{n: 0}, duplicate Mark{n: 1}, Mark{n: 1}, Mark{n: 1}",
                   "duplicate Mark{n: 0}, Mark{n: 0}, Mark{n: 1}, Mark{n: 0}",
                   "duplicate Mark{n: 1}, Mark{n: 0}, Mark{n: 1}, Mark{n: 1}"}));
}

// One message that may be doubled and one that may not. Mark first: then 3 as above; Other first: Mark is
// left, 1; Other doubled first: three messages, 3! = 6.
TEST(Duplicate, OfOneTypeSparesTheOthers) {
  const auto runs = every_run([](World& world) {
    const auto sink = world.spawn<Sink>("sink");
    world.send(sink, Other{1});
    world.send(sink, Mark{2});
    world.faults().duplicate<Other>(1);
  });
  EXPECT_EQ(runs.size(), 10U);
  for (const OneRun& run : runs) {
    for (const Step& step : run.trace.steps) {
      if (step.event.kind != EventKind::duplicate) continue;
      EXPECT_EQ(step.event.type, reflect::value_type<Other>().name_hash);
    }
  }
}

}  // namespace
}  // namespace gainsay::duplicate_test
