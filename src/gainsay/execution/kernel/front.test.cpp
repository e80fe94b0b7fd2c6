#include "gainsay/execution/kernel/front.hpp"

#include <gtest/gtest.h>

#include "gainsay/execution/run/every_run.test.hpp"

namespace gainsay::front_test {
namespace {

struct Mark {
  int n = 0;
};

struct OddOnly {
  using Receives = Messages<Mark>;
  int got = 0;
  bool accepts(const Mark& mark) const { return mark.n % 2 == 1; }
  void on(const Mark& mark) { got += mark.n; }
};

// More envelopes than the cache of gates has lines: many share one, and each gets its own answer.
TEST(Front, AGateAnswersEachEnvelopeForItself) {
  const Blueprint blueprint = every_run::build([](World& world) { world.spawn<OddOnly>("odd"); });
  Kernel kernel(blueprint);
  Front front(kernel);
  const CellId cell = kernel.initial_cell(0);
  for (int round = 0; round < 2; ++round) {
    int let_in = 0;
    for (int n = 0; n < 10'000; ++n) {
      const Mark mark{n};
      const EnvelopeId envelope =
          kernel.envelope_of(outside, 0, EventKind::deliver, &reflect::value_type<Mark>(), &mark);
      let_in += front.accepts(cell, envelope) ? 1 : 0;
      ASSERT_EQ(front.accepts(cell, envelope), n % 2 == 1) << n;
    }
    EXPECT_EQ(let_in, 5'000);
  }
}

}  // namespace
}  // namespace gainsay::front_test
