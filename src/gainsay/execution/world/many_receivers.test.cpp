// Delivery orders where there are more receivers than a byte can tell apart.
#include <gtest/gtest.h>

#include "gainsay/execution/run/every_run.test.hpp"
#include "gainsay/execution/world/receivers.test.hpp"

namespace gainsay::many_receivers_test {
namespace {

using every_run::Counts;
using every_run::counts;

using receivers::all_orders;
using receivers::Mark;
using receivers::Sink;

// Makes so many actors that the last one has the place of the sink plus 256, and writes to both.
struct Founder {
  using Receives = Messages<Mark>;
  Ref<Sink> sink;
  void on(const Mark& mark, Context& ctx) {
    Ref<Sink> last;
    for (int i = 0; i < 255; ++i) last = ctx.spawn("child", Sink{});
    ctx.send(last, mark);
    ctx.send(sink, mark);
  }
};

// Nothing orders messages to different receivers, whatever places they have: two executions.
TEST(ManyReceivers, PlacesThatLookAlikeAreDifferentReceivers) {
  for (const Delivery order : all_orders) {
    EXPECT_EQ(counts([order](World& world) {
                world.order(order);
                const auto sink = world.spawn<Sink>("sink");
                const auto founder = world.spawn("founder", Founder{sink});
                world.send(founder, Mark{1});
              }),
              (Counts{2, 1}));
  }
}

}  // namespace
}  // namespace gainsay::many_receivers_test
