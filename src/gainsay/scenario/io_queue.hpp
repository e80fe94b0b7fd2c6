// Asynchronous input and output of wrapped code, as events: what was asked for is done later, when the strategy says.
//
// An IoQueue is a device that does one thing after the other: a disk, a connection. While something is under way a
// timer `Done` of the actor is pending; the handler of Done takes the operation that is finished (`complete`) and
// calls the wrapped code back. Optionally a timer `Fails` is pending beside it, whose handler takes what has failed
// (`fail`). As they are events of their own types, strategies, swarms and budgets (World::timer_budget) weigh them
// like any others. A crash takes the timers away; what of the queue still happened is for the wrapper to choose:
//   void on_restart(Context& ctx) { for (Op& op : disk_.crash(ctx)) apply(op); }
//
// A TickClock is a clock that moves only when its actor's tick comes. Every actor has its own, so clocks of different
// actors drift as far as the schedule lets them.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "gainsay/base/check.hpp"
#include "gainsay/scenario/context.hpp"

namespace gainsay {

template <class Op, class Done, class Fails = void> class IoQueue {
 public:
  // Simulated time: an operation takes at least and at most so long.
  struct Latency {
    Duration least{0};
    Duration most{0};
  };

  IoQueue() = default;
  explicit IoQueue(Latency latency) : latency_(latency) {}

  // Whether operations may fail from now on.
  void may_fail(bool may) { may_fail_ = may; }

  void push(Context& ctx, Op operation) {
    operations_.push_back(std::move(operation));
    if (operations_.size() == 1) arm(ctx);
  }
  // The first operation, which has ended. REQUIRES: there is one; called by the handler of Done or Fails.
  Op complete(Context& ctx) {
    GAINSAY_CHECK(!operations_.empty(), "what ends was under way");
    Op first = std::move(operations_.front());
    operations_.pop_front();
    go_on(ctx);
    return first;
  }
  // The first `count` operations, which have failed together. REQUIRES: there are so many; as `complete`.
  std::vector<Op> fail(Context& ctx, std::size_t count) { return take(ctx, count); }
  // A crash: some of the first operations happened, the strategy chooses how many; the rest never did. Gives those that
  // happened. REQUIRES: called once after the crash.
  std::vector<Op> crash(Context& ctx) {
    std::vector<Op> all = take_all();
    rest_.clear();  // what an earlier crash took is not lost again
    if (all.empty()) return all;
    const std::uint32_t kept = ctx.choose(static_cast<std::uint32_t>(all.size()) + 1);
    rest_.assign(std::make_move_iterator(all.begin() + kept), std::make_move_iterator(all.end()));
    all.resize(kept);
    return all;
  }
  // After `crash`: what never happened, the first one first. A write that was under way may be torn.
  const std::vector<Op>& lost() const { return rest_; }
  // Everything, because nobody waits any longer.
  std::vector<Op> cancel(Context& ctx) {
    disarm(ctx);
    return take_all();
  }

  bool empty() const { return operations_.empty(); }
  std::size_t size() const { return operations_.size(); }
  const Op& operator[](std::size_t index) const { return operations_[index]; }
  auto begin() const { return operations_.begin(); }
  auto end() const { return operations_.end(); }

 private:
  void arm(Context& ctx) {
    ctx.after(latency_.least, Done{}, latency_.most - latency_.least);
    if constexpr (!std::is_void_v<Fails>) {
      if (may_fail_) ctx.after(latency_.least, Fails{}, latency_.most - latency_.least);
    }
  }
  void disarm(Context& ctx) {
    ctx.cancel<Done>();
    if constexpr (!std::is_void_v<Fails>) {
      if (may_fail_) ctx.cancel<Fails>();
    }
  }
  std::vector<Op> take(Context& ctx, std::size_t count) {
    GAINSAY_CHECK(count > 0 && count <= operations_.size(), "what ends was under way");
    const auto end = operations_.begin() + static_cast<std::ptrdiff_t>(count);
    std::vector<Op> taken(std::make_move_iterator(operations_.begin()), std::make_move_iterator(end));
    operations_.erase(operations_.begin(), end);
    go_on(ctx);
    return taken;
  }
  std::vector<Op> take_all() {
    std::vector<Op> all(std::make_move_iterator(operations_.begin()),
                        std::make_move_iterator(operations_.end()));
    operations_.clear();
    return all;
  }
  void go_on(Context& ctx) {
    if (!operations_.empty()) {
      arm(ctx);  // arming anew replaces the timer that has not fired
    } else if constexpr (!std::is_void_v<Fails>) {
      if (may_fail_) disarm(ctx);  // one of the two has fired
    }
  }

  Latency latency_;
  bool may_fail_ = false;
  std::deque<Op> operations_;
  std::vector<Op> rest_;
};

template <class Tick> class TickClock {
 public:
  explicit TickClock(std::chrono::milliseconds period) : period_(period) {}

  void start(Context& ctx) { ctx.after(period_, Tick{}); }
  // In the handler of Tick.
  void tick(Context& ctx) {
    now_ += period_;
    ctx.after(period_, Tick{});
  }
  std::chrono::milliseconds now() const { return now_; }

 private:
  std::chrono::milliseconds period_;
  std::chrono::milliseconds now_{0};
};

}  // namespace gainsay
