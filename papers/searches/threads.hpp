// threads: nobody controls the schedule. Messages and timers sleep in real threads, one for each actor, and what wakes
// up first is next: a stress test of the same system, to compare controlled testing with.
//
// A message sleeps for a time drawn from 0 to `latency_us`, a timer for `timer_us`, a task that goes on not at all;
// sleeping begins when the event is there.
// Handlers are executed one at a time, so what the threads of a program do to each other within a handler is not in it.
// Values that handlers ask for are drawn. An event that may not be delivered yet (links with an order, what a receiver
// refuses) waits after its sleep. Which order comes of it is the business of the operating system: nothing can be
// repeated by its seed, so the strategy is in no list; `register_threads` makes it known to who wants to measure it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "gainsay/base/options.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

struct ThreadsOptions {
  std::uint32_t latency_us = 200;
  std::uint32_t timer_us = 5'000;

  static void describe(Describe<ThreadsOptions>& d) {
    d.field(&ThreadsOptions::latency_us, "the longest that a message sleeps, in microseconds")
        .range(1, 1'000'000);
    d.field(&ThreadsOptions::timer_us, "how long a timer sleeps, in microseconds").range(1, 10'000'000);
  }
};

// Those who sleep.
class Sleepers {
 public:
  using Clock = std::chrono::steady_clock;

  ~Sleepers();
  void sleep(ActorId actor, EventId event, Clock::time_point until);
  // Who has woken up and was not taken, in this order. Waits until there are more than `known`.
  std::vector<EventId> woken(std::size_t known);
  // It has been delivered.
  void take(EventId event);
  // Those who are still asleep never wake up.
  void forget_all();

 private:
  struct Sleeper {
    std::thread thread;
    std::multimap<Clock::time_point, EventId> until;
    std::condition_variable changed;
  };
  void run(Sleeper& sleeper);

  std::mutex mutex_;
  std::condition_variable woke_;
  std::map<std::uint64_t, std::unique_ptr<Sleeper>> sleepers_;  // by actor
  std::vector<EventId> woken_;
  bool stopping_ = false;
};

class ThreadsWalk final : public Strategy {
 public:
  explicit ThreadsWalk(const ThreadsOptions& options) : options_(options) {}

  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;
  // Every sleep ends, and those who wake up are served in turn.
  bool fair() const override { return true; }

 private:
  ThreadsOptions options_;
  Sleepers sleepers_;
  Rng rng_{0};
  std::set<std::uint64_t> asleep_;  // events that were put to sleep in this run
};

void register_threads();

}  // namespace gainsay
