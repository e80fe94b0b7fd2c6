// What explore refuses, and what it says then.
#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "gainsay/base/complaint.test.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay::explore_refusals_test {
namespace {

struct Add {};

std::string refusal(const std::function<void(World&)>& body, const ExploreOptions& options = {}) {
  return complaint_of([&] { explore(Scenario::of("tiny", body), {}, options); });
}

class Opaque {
 public:
  using Receives = Messages<Add>;
  void on(const Add&) {}

 private:
  std::unique_ptr<int> secret_;
};

struct OpaqueParent {
  using Receives = Messages<Add>;
  void on(const Add&, Context& ctx) { ctx.wrap<Opaque>("child"); }
};

TEST(Explore, RefusesWhatItCannotDo) {
  EXPECT_EQ(refusal([](World& world) { world.wrap<Opaque>("o"); }),
            "scenario 'tiny' has opaque actors (world.wrap): their states cannot be stored; use hunt");
  EXPECT_NE(refusal([](World& world) {
              world.send(world.spawn<OpaqueParent>("p"), Add{});
            }).find("explore does not support"),
            std::string::npos);
  EXPECT_EQ(refusal([](World& world) { world.spawn<OpaqueParent>("p"); }, {.workers = 0}),
            "--jobs must be at least 1");
}

}  // namespace
}  // namespace gainsay::explore_refusals_test
