// What documents tell a person beside the events: names of choices, what was stored and read back.
#include <gtest/gtest.h>

#include "gainsay/execution/run/document.hpp"
#include "gainsay/execution/run/every_run.test.hpp"

namespace gainsay::remarks_test {
namespace {

struct Go {};
struct Page {
  int number = 0;
};

struct Keeper {
  using Receives = Messages<Go>;
  bool timed = false;
  int chosen = 0;
  void on(const Go&, Context& ctx) {
    const auto stored = ctx.recover<Page>();
    chosen = static_cast<int>(ctx.choose(3, "victim"));
    if (timed) (void)ctx.now();
    (void)ctx.choose(2);
    (void)ctx.flip("pause");
    (void)ctx.flip();
    ctx.persist(Page{stored ? stored->number + 1 : 7});
  }
};
struct Plain {
  using Receives = Messages<Go>;
  void on(const Go&, Context& ctx) { (void)ctx.choose(2); }
};

TraceDocument documented(const Blueprint& blueprint) {
  Execution execution(blueprint, {});
  DfsStrategy oldest_first;
  execution.run(oldest_first, *oldest_first.begin({}));
  return replay_steps(blueprint, execution.trace().decisions(), 100).document;
}

using Texts = std::vector<std::string>;

TEST(Remarks, ChoicesHaveNamesAndDisksHaveContents) {
  const TraceDocument document = documented(every_run::build([](World& world) {
    const auto keeper = world.spawn<Keeper>("keeper");
    world.send(keeper, Go{});
    world.send(keeper, Go{});
  }));
  ASSERT_EQ(document.steps.size(), 2U);
  EXPECT_EQ(document.steps[0].labels, (Texts{"victim", "", "pause?", "flip?"}));
  EXPECT_EQ(document.steps[0].disk, (Texts{"reads its disk: nothing is stored", "stores Page{number: 7}"}));
  EXPECT_EQ(document.steps[1].disk, (Texts{"reads Page{number: 7}", "stores Page{number: 8}"}));
}

// What time decides is among the choices of a step, and has no name.
TEST(Remarks, NamesBelongToTheHandlersQuestions) {
  const TraceDocument document = documented(every_run::build([](World& world) {
    world.simulated_time();
    world.latency(Duration(1), Duration(30));
    world.send(world.spawn("keeper", Keeper{.timed = true}), Go{});
  }));
  ASSERT_EQ(document.steps.size(), 1U);
  const DocumentStep& step = document.steps[0];
  ASSERT_EQ(step.labels.size(), step.choices.size());
  Texts names;
  bool read = false;
  for (std::size_t i = 0; i < step.choices.size(); ++i) {
    read = read || step.choices[i].is_time;
    if (step.choices[i].is_time || step.choices[i].late)
      EXPECT_EQ(step.labels[i], "");
    else
      names.push_back(step.labels[i]);
  }
  EXPECT_TRUE(read);
  EXPECT_EQ(names, (Texts{"victim", "", "pause?", "flip?"}));
}

TEST(Remarks, WithoutANameThereIsNoListOfNames) {
  const TraceDocument document =
      documented(every_run::build([](World& world) { world.send(world.spawn<Plain>("plain"), Go{}); }));
  ASSERT_EQ(document.steps.size(), 1U);
  EXPECT_EQ(document.steps[0].choices.size(), 1U);
  EXPECT_TRUE(document.steps[0].labels.empty());
}

}  // namespace
}  // namespace gainsay::remarks_test
