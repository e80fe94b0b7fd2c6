#include "papers/searches/threads.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"
#include "gainsay/strategy/catalogue.hpp"

namespace gainsay {

// --- those who sleep ---

Sleepers::~Sleepers() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (auto& [actor, sleeper] : sleepers_) sleeper->changed.notify_all();
  }
  for (auto& [actor, sleeper] : sleepers_) sleeper->thread.join();
}

void Sleepers::run(Sleeper& sleeper) {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (sleeper.until.empty()) {
      sleeper.changed.wait(lock);
      continue;
    }
    const auto first = sleeper.until.begin();
    if (Clock::now() < first->first) {
      // By value: what it waits for may be forgotten meanwhile.
      const Clock::time_point until = first->first;
      sleeper.changed.wait_until(lock, until);
      continue;
    }
    woken_.push_back(first->second);
    sleeper.until.erase(first);
    woke_.notify_all();
  }
}

void Sleepers::sleep(ActorId actor, EventId event, Clock::time_point until) {
  const std::lock_guard lock(mutex_);
  GAINSAY_CHECK(!stopping_, "nobody falls asleep at the end");
  std::unique_ptr<Sleeper>& sleeper = sleepers_[actor.raw];
  if (sleeper == nullptr) {
    sleeper = std::make_unique<Sleeper>();
    sleeper->thread = std::thread([this, &self = *sleeper] { run(self); });
  }
  sleeper->until.emplace(until, event);
  sleeper->changed.notify_all();
}

std::vector<EventId> Sleepers::woken(std::size_t known) {
  std::unique_lock lock(mutex_);
  woke_.wait(lock, [&] { return woken_.size() > known; });
  return woken_;
}

void Sleepers::take(EventId event) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find(woken_.begin(), woken_.end(), event);
  GAINSAY_CHECK(found != woken_.end(), "what is taken has woken up");
  woken_.erase(found);
}

void Sleepers::forget_all() {
  const std::lock_guard lock(mutex_);
  for (auto& [actor, sleeper] : sleepers_) sleeper->until.clear();
  woken_.clear();
}

// --- the strategy ---

std::optional<Keep> ThreadsWalk::begin(const RunInfo& run) {
  rng_ = Rng(run.seed, run.index);
  sleepers_.forget_all();
  asleep_.clear();
  return Keep{};
}

std::size_t ThreadsWalk::choose(const ChoicePoint& point) {
  if (point.is_value()) return rng_.below(point.size());
  if (point.ordinary() == 0) return point.may_stop() ? point.size() - 1 : rng_.below(point.size());
  const Sleepers::Clock::time_point now = Sleepers::Clock::now();
  for (std::size_t i = 0; i < point.source().pending_count(); ++i) {
    const Event event = point.source().pending_event(i);
    if (!asleep_.insert(event.id.raw).second) continue;
    std::uint64_t us = rng_.below(options_.latency_us + 1);
    if (event.kind == EventKind::timer) us = options_.timer_us;
    if (event.kind == EventKind::task) us = 0;
    sleepers_.sleep(event.receiver, event.id, now + std::chrono::microseconds(us));
  }
  // The first that has woken up and may be delivered. Timers that were cancelled never are.
  for (std::size_t known = 0;;) {
    const std::vector<EventId> woken = sleepers_.woken(known);
    GAINSAY_CHECK(woken.size() > known, "somebody has woken up");
    for (std::size_t w = known; w < woken.size(); ++w) {
      for (std::size_t i = 0; i < point.ordinary(); ++i) {
        if (point.event(i).id != woken[w]) continue;
        sleepers_.take(woken[w]);
        return i;
      }
    }
    known = woken.size();
  }
}

void register_threads() {
  static const RegisterStrategy registration{StrategyInfo::of<ThreadsOptions>(
      "threads", "real threads and sleeps decide; nothing can be repeated", StrategyKind::random,
      [](const ThreadsOptions& options) { return std::make_unique<ThreadsWalk>(options); })};
}

}  // namespace gainsay
