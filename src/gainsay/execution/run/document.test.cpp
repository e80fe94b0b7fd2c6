#include "gainsay/execution/run/document.hpp"

#include <gtest/gtest.h>

#include "gainsay/execution/run/every_run.test.hpp"
#include "gainsay/strategy/follow/approximate.hpp"

namespace gainsay::document_test {
namespace {

struct Mark {};
struct Go {};
struct Hit {};
struct Miss {};

struct Sink {
  using Receives = Messages<Hit, Miss>;
  int hits = 0;
  void on(const Hit&) { ++hits; }
  void on(const Miss&) {}
};

// What it does with Go, and to whom, depends on what came before; the id of the message that it sends does not.
struct Relay {
  using Receives = Messages<Mark, Go>;
  Ref<Sink> left;
  Ref<Sink> right;
  bool by_type = false;
  bool marked = false;
  void on(const Mark&) { marked = true; }
  void on(const Go&, Context& ctx) {
    if (by_type && !marked) {
      ctx.send(left, Miss{});
    } else {
      ctx.send(marked ? left : right, Hit{});
    }
  }
};

Blueprint relaying(bool by_type) {
  return every_run::build([by_type](World& world) {
    const auto left = world.spawn<Sink>("left");
    const auto right = world.spawn<Sink>("right");
    const auto relay = world.spawn("relay", Relay{left, right, by_type});
    world.send(relay, Mark{});
    world.send(relay, Go{});
  });
}

// Mark, Go, then the Hit at `left`.
std::vector<Decision> recorded(const Blueprint& blueprint) {
  Execution execution(blueprint, {});
  DfsStrategy oldest_first;
  execution.run(oldest_first, *oldest_first.begin({}));
  return execution.trace().decisions();
}

// Without Mark the message has the same id, and is another one: it is not what was recorded.
TEST(Decisions, AreNotFollowedToAnotherReceiverOrType) {
  for (const bool by_type : {false, true}) {
    const Blueprint blueprint = relaying(by_type);
    std::vector<Decision> steps = recorded(blueprint);
    ASSERT_EQ(steps.size(), 3U);
    EXPECT_FALSE(replay_steps(blueprint, steps, 10).diverged_at);
    steps.erase(steps.begin());
    const Replay replay = replay_steps(blueprint, steps, 10);
    EXPECT_EQ(replay.diverged_at, 1U);
    EXPECT_NE(replay.divergence.find("not possible here"), std::string::npos) << replay.divergence;
    // By its id alone it would have been followed.
    steps[1].receiver.reset();
    steps[1].type.reset();
    const Replay by_id = replay_steps(blueprint, steps, 2);
    EXPECT_FALSE(by_id.diverged_at) << by_id.divergence;
    EXPECT_EQ(by_id.document.steps.at(1).to, by_type ? "left" : "right");
  }
}

TEST(Decisions, ThatAreAnotherEventNowAreSkipped) {
  const Blueprint blueprint = relaying(false);
  std::vector<Decision> steps = recorded(blueprint);
  steps.erase(steps.begin());
  Execution execution(blueprint, {});
  ApproximateStrategy strategy(steps);
  execution.run(strategy, *strategy.begin({}));
  EXPECT_EQ(strategy.skipped(), 1U);
}

TEST(Decisions, OfADocumentKnowTheScenariosActors) {
  const Blueprint blueprint = relaying(false);
  const std::vector<Decision> steps = recorded(blueprint);
  TraceDocument document = replay_steps(blueprint, steps, 10).document;
  std::vector<Decision> read = decisions_of(document, blueprint);
  ASSERT_EQ(read.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read[i].id, steps[i].id);
    EXPECT_EQ(read[i].kind, steps[i].kind);
    EXPECT_EQ(read[i].receiver, steps[i].receiver);
    EXPECT_EQ(read[i].type, std::nullopt);
  }
  read.erase(read.begin());
  EXPECT_EQ(replay_steps(blueprint, read, 10).diverged_at, 1U);
  document.steps[2].to = "relay/sink.0";
  EXPECT_EQ(decisions_of(document, blueprint)[2].receiver, std::nullopt);
}

// --- timers whose budget is spent ---

struct Retry {};
struct Beat {};
// Sends a hit each time its timer fires, which it arms again.
struct Retrier {
  using Receives = Messages<Go, Retry, Beat>;
  Ref<Sink> sink;
  void on(const Go&, Context& ctx) {
    ctx.after(Duration(1), Retry{});
    ctx.after(Duration(1), Beat{});
  }
  void on(const Retry&, Context& ctx) {
    ctx.send(sink, Hit{});
    ctx.after(Duration(1), Retry{});
  }
  void on(const Beat&) {}
};

Blueprint retrying(std::uint32_t budget, int enough) {
  return every_run::build([=](World& world) {
    const auto sink = world.spawn<Sink>("sink");
    const auto retrier = world.spawn("retrier", Retrier{sink});
    world.timer_budget<Retry>(budget);
    world.timer_budget<Beat>(2);
    world.send(retrier, Go{});
    world.finally("enough", [=](View view) -> Complaint {
      return view[sink].hits >= enough ? Complaint{} : Complaint{"too few"};
    });
  });
}

Replay first_run(const Blueprint& blueprint) {
  Execution execution(blueprint, {});
  DfsStrategy oldest_first;
  execution.run(oldest_first, *oldest_first.begin({}));
  return replay_steps(blueprint, execution.trace().decisions(), 100);
}

TEST(Documents, SayWhichTimersDoNotFireBecauseTheirBudgetIsSpent) {
  const std::vector<std::string> held{
      "timer Retry of retrier is armed but cannot fire: its budget of 2 is spent"};
  const Replay wrong = first_run(retrying(2, 3));
  ASSERT_TRUE(wrong.outcome.violation);
  EXPECT_EQ(wrong.document.held, held);
  const Replay right = first_run(retrying(2, 2));
  EXPECT_FALSE(right.outcome.violation);
  EXPECT_EQ(right.document.end, "quiescent");
  EXPECT_EQ(right.document.held, held);
  // Without a budget of its own nothing holds it back; Beat fired once of two times.
  EXPECT_TRUE(replay_steps(retrying(2, 3), {}, 100).document.held.empty());
}

}  // namespace
}  // namespace gainsay::document_test
