#include "papers/searches/threads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay::threads_test {

struct Tick {};
struct Word {
  int n = 0;
};
struct Listener {
  using Receives = Messages<Word, Tick>;
  std::vector<int> heard;
  void on_start(Context& ctx) { ctx.after(std::chrono::seconds(1), Tick{}); }
  void on(const Word& word) { heard.push_back(word.n); }
  void on(const Tick&) { heard.push_back(-1); }
};

HuntResult threaded(const Scenario& scenario, std::uint64_t runs,
                    const std::function<void(const Execution&, const RunOutcome&)>& watch) {
  register_threads();
  HuntOptions how;
  how.strategy = "threads";
  how.strategy_options = {{"latency_us", "50"}, {"timer_us", "20000"}};
  how.runs = runs;
  how.keep_going = true;
  how.watch = watch;
  return hunt(scenario, {}, how);
}

// Everything is delivered, once, and a timer that sleeps longer than all messages comes last.
TEST(Threads, DeliverEverythingWhenItsSleepEnds) {
  const Scenario scenario = Scenario::of("words", [](World& world) {
    const auto listener = world.spawn<Listener>("listener");
    for (int i = 0; i < 5; ++i) world.send(listener, Word{i});
    world.finally("all heard", [listener](View v) -> Complaint {
      if (v[listener].heard.size() != 6) return "somebody was not heard";
      return {};
    });
  });
  std::set<std::vector<std::uint64_t>> orders;
  const HuntResult result = threaded(scenario, 12, [&](const Execution& execution, const RunOutcome&) {
    std::vector<std::uint64_t> order;
    const auto& steps = execution.records();
    for (const auto& step : steps) order.push_back(step.id.raw);
    EXPECT_EQ(steps.size(), 7U);  // a start, five words, a tick
    EXPECT_EQ(steps.back().kind, EventKind::timer);
    orders.insert(order);
  });
  EXPECT_EQ(result.runs, 12U);
  EXPECT_EQ(result.buggy_runs, 0U);
  EXPECT_GT(orders.size(), 1U);  // 12 times the same of 720 orders: below 720^-11
}

TEST(Sleepers, WakeUpInTheOrderOfTheirTimes) {
  Sleepers sleepers;
  const auto now = Sleepers::Clock::now();
  sleepers.sleep(ActorId{1}, EventId{10}, now + std::chrono::milliseconds(40));
  sleepers.sleep(ActorId{1}, EventId{11}, now + std::chrono::milliseconds(1));
  EXPECT_EQ(sleepers.woken(0), std::vector<EventId>{EventId{11}});
  sleepers.take(EventId{11});
  EXPECT_EQ(sleepers.woken(0), std::vector<EventId>{EventId{10}});
  // Not 40: on some virtual machines the clocks of two threads are a tick (4 ms) or two apart.
  EXPECT_GE(Sleepers::Clock::now() - now, std::chrono::milliseconds(30));
  sleepers.sleep(ActorId{2}, EventId{12}, now);
  sleepers.forget_all();
  sleepers.sleep(ActorId{2}, EventId{13}, now);
  EXPECT_EQ(sleepers.woken(0), std::vector<EventId>{EventId{13}});
}

}  // namespace gainsay::threads_test
