// Messages that are changed where they lie: all complete searches and their certificates count the same classes.
#include <vector>

#include <gtest/gtest.h>

#include "gainsay/explorer/certify.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay::corrupted_test {
namespace {

struct Go {};
struct Parcel {
  int n = 0;
};
struct Box {
  using Receives = Messages<Parcel>;
  std::vector<int> got;
  void on(const Parcel& parcel) { got.push_back(parcel.n); }
};
struct Sender {
  using Receives = Messages<Go>;
  Ref<Box> box;
  void on(const Go&, Context& ctx) { ctx.send(box, Parcel{3}); }
};

// A changed message keeps its place in the mailbox, so it does not matter whether the other one was sent before. Four
// classes: nothing is changed, the first message is, or the second is, before or after the first was taken.
TEST(Corrupted, AMessageThatIsCorruptedInAMailboxKeepsItsPlace) {
  for (const bool last : {false, true}) {
    const Scenario scenario = Scenario::of("box", [last](World& world) {
      const auto box = world.spawn<Box>("box");
      const auto sender = world.spawn<Sender>("sender", Sender{box});
      world.order(Delivery::mailbox);
      if (!last) world.send(box, Parcel{1});
      world.send(sender, Go{});
      if (last) world.send(box, Parcel{1});
      world.faults().corrupt<Parcel>(1, [](const Parcel& parcel) { return Parcel{parcel.n + 10}; });
    });
    for (const char* first : {"0", "1", "2", "3", "4", "5"}) {
      HuntOptions options;
      options.strategy = "sdpor";
      options.strategy_options = {{"first", first}};
      const CertifiedHunt certified = certified_hunt(scenario, {}, options);
      ASSERT_TRUE(certified.certificate) << certified.refused_because;
      EXPECT_EQ(certified.result.classes, certified.certificate->classes->count)
          << "first=" << first << " last=" << last;
      EXPECT_EQ(verify(*certified.certificate, scenario.build({}), {}).verdict, Verdict::ok);
    }
  }
}

}  // namespace
}  // namespace gainsay::corrupted_test
