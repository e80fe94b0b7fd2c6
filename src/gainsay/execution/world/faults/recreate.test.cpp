#include <gtest/gtest.h>

#include "gainsay/execution/world/faults/endings.test.hpp"

namespace gainsay::recreate_test {
namespace {

using every_run::Counts;
using every_run::counts;
using every_run::endings;
using Texts = std::vector<std::string>;

struct Mark {
  int n = 0;
};
struct Ring {};
struct Saved {
  int n = 0;
};

struct Plain {
  using Receives = Messages<Mark>;
  int n = 0;
  void on(const Mark& mark, Context& ctx) {
    n = mark.n;
    ctx.persist(Saved{n});
  }
};

// "field, durable".
template <class A> void tell(World& world, Ref<A> actor) {
  world.finally("end", [actor](View view) -> Complaint {
    const auto saved = view.durable<Saved>(actor);
    return std::to_string(view[actor].n) + ", " + (saved ? std::to_string(saved->n) : "-");
  });
}

TEST(Recreate, FieldsAndDurablePartAreGone) {
  EXPECT_EQ(endings([](World& world) {
              const auto plain = world.spawn<Plain>("plain");
              world.send(plain, Mark{7});
              world.faults().recreate(1, plain);
              tell(world, plain);
            }),
            (Texts{"Mark{n: 7}, recreate plain => 0, -", "Mark{n: 7} => 7, 7",
                   "recreate plain, Mark{n: 7} => 7, 7"}));
}

// As a restart, but for the durable part; what is down comes back without a restart.
TEST(Recreate, OfWhatIsDown) {
  const Texts all = endings([](World& world) {
    const auto plain = world.spawn<Plain>("plain");
    world.send(plain, Mark{7});
    world.faults().crash(1, plain).recreate(1, plain);
    tell(world, plain);
  });
  EXPECT_EQ(all,
            (Texts{"Mark{n: 7}, crash plain, recreate plain => 0, -", "Mark{n: 7}, crash plain => 7, 7",
                   "Mark{n: 7}, recreate plain, crash plain => 0, -", "Mark{n: 7}, recreate plain => 0, -",
                   "Mark{n: 7} => 7, 7", "crash plain, Mark{n: 7}, recreate plain => 0, -",
                   "crash plain, Mark{n: 7} => 0, -", "crash plain, recreate plain, Mark{n: 7} => 7, 7",
                   "recreate plain, Mark{n: 7}, crash plain => 7, 7", "recreate plain, Mark{n: 7} => 7, 7",
                   "recreate plain, crash plain, Mark{n: 7} => 0, -"}));
}

struct Starter {
  using Receives = Messages<Ring>;
  int n = 0;  // starts and rings
  void on_start(Context& ctx) {
    ctx.check(!ctx.recover<Saved>(), "nothing durable is left");
    n = 1;
    ctx.persist(Saved{1});
    ctx.after(Duration(1), Ring{});
  }
  void on(const Ring&) { ++n; }
};

// The start is part of the step, also where it takes the place of one that has not happened. The old timer is gone:
// nobody counts to 3.
TEST(Recreate, StartsInTheSameStep) {
  EXPECT_EQ(endings([](World& world) {
              const auto starter = world.spawn<Starter>("starter");
              world.faults().recreate(1, starter);
              tell(world, starter);
            }),
            (Texts{"start starter, timer Ring, recreate starter, timer Ring => 2, 1",
                   "start starter, timer Ring => 2, 1", "start starter, recreate starter, timer Ring => 2, 1",
                   "recreate starter, timer Ring => 2, 1"}));
}

struct Child {
  using Receives = Messages<Mark>;
  void on(const Mark&) {}
};
struct Parent {
  using Receives = Messages<Mark>;
  void on(const Mark&, Context& ctx) { ctx.send(ctx.spawn("child", Child{}), Mark{}); }
};

// It is still the same creator: what it spawns now is not what it spawned before.
TEST(Recreate, SpawnsOthers) {
  const auto all = counts([](World& world) {
    const auto parent = world.spawn<Parent>("parent");
    world.order(Delivery::fifo);
    world.send(parent, Mark{1});
    world.send(parent, Mark{2});
    world.faults().recreate(1, parent);
  });
  EXPECT_GT(all.runs, 4U);  // and no two actors have one name: the kernel checks it
}

}  // namespace
}  // namespace gainsay::recreate_test
