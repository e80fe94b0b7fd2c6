#include "tools/trace_sight.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/execution/run/document.hpp"
#include "gainsay/gainsay.hpp"
#include "gainsay/strategy/walks/random.hpp"

namespace gainsay::tools {
namespace {

using testing::Contains;
using testing::Field;

struct Note {
  int n = 0;
};
struct Page {
  int n = 0;
};
struct Writer {
  using Receives = Messages<Note>;
  Ref<Writer> other{nobody};
  int n = 0;
  void on(const Note& note, Context& ctx) {
    n = note.n;
    ctx.persist(Page{n});
    if (other != nobody && n < 3) ctx.send(other, Note{n + 1});
    if (n == 3) ctx.send(other, Note{9});  // pending to the end
    ctx.check(n < 3, "three");
  }
};

Blueprint two_writers() {
  World world("two_writers");
  const auto first = world.declare<Writer>("first");
  const auto second = world.spawn("second", Writer{first});
  world.init(first, Writer{second});
  world.send(first, Note{1});
  return world.take();
}

TraceDocument recorded(const Blueprint& blueprint) {
  Execution execution(blueprint, replay_options(100, std::nullopt));
  RandomStrategy strategy({});
  TraceDocument document = write_down(execution, strategy).document;
  document.steps_max = 100;
  return document;
}

TEST(TraceSight, StatesDisksAndWhatNeverArrives) {
  const Blueprint blueprint = two_writers();
  const TraceDocument document = recorded(blueprint);
  ASSERT_EQ(document.steps.size(), 3U);
  const SightOrReason looked = look_again(blueprint, document);
  ASSERT_TRUE(looked.sight) << looked.reason;
  const TraceSight& sight = *looked.sight;
  EXPECT_TRUE(sight.local);
  // Both at the start, then one after each step.
  ASSERT_EQ(sight.states.size(), 5U);
  EXPECT_EQ(sight.states[2].after, 1U);
  EXPECT_EQ(sight.states[2].text, "Writer{other: second, n: 1}");
  ASSERT_EQ(sight.disks.size(), 3U);
  EXPECT_EQ(sight.disks[2].text, "Page{n: 3}");
  ASSERT_EQ(sight.created.size(), 3U);
  EXPECT_EQ(sight.created[0].taken, 1U);
  EXPECT_EQ(sight.created[2].taken, std::nullopt);
  EXPECT_EQ(sight.created[2].text, "Note{n: 9} to second");
  ASSERT_EQ(sight.offers.size(), 3U);
  EXPECT_EQ(sight.offers[1].message, "Note{n: 2}");
  EXPECT_EQ(sight.offers[1].first, 1U);
}

TEST(TraceSight, AnotherProgramIsNoSight) {
  const Blueprint blueprint = two_writers();
  TraceDocument document = recorded(blueprint);
  document.steps[1].message = "Note{n: 7}";
  EXPECT_FALSE(look_again(blueprint, document).sight);
  document = recorded(blueprint);
  document.steps[1].id = EventId{7};
  const SightOrReason looked = look_again(blueprint, document);
  EXPECT_FALSE(looked.sight);
  EXPECT_EQ(looked.reason, "this program behaves differently from step 2 on");
}

}  // namespace
}  // namespace gainsay::tools
