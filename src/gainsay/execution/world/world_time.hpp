// WorldTime: simulated time of a world. Which pending events may be next, and what is known of time when one was.
//
// A pending event comes in a window [lo, hi] after the moment at which it was made. An order of events is possible iff
// some assignment of times within the windows allows it; at equal times any order is. So an event may be next iff it
// can come no later than the last moment of every other that is ready, and that it was next says something about the
// times of all (time_class.hpp). What is not ready (orders, gates, cuts) holds up nobody: it comes when it is due or
// when it is ready, whatever is later. Whether it is due by then is a question, where both are possible. Faults come
// at any moment.
//
// `now` is a number only where a handler asks: then it is decided, and binds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "gainsay/execution/kernel/effects.hpp"
#include "gainsay/execution/world/alternative.hpp"
#include "gainsay/execution/world/time_log.hpp"
#include "gainsay/execution/world/world_state.hpp"

namespace gainsay {

class WorldTime {
 public:
  // Kernel::origin says how long ago things may be remembered. Where the origin is forgotten nobody can ask for the
  // time, and there are finitely many classes.
  explicit WorldTime(const Kernel& kernel);

  void begin(WorldState& world) const;
  static PendingWindow window(Duration least, Duration most) {
    return {std::min(static_cast<double>(least.count()), longest), most_of(most), 0};
  }
  // Of a timer, which is measured by the actor's own clock.
  PendingWindow timer_window(Slot slot, Duration least, Duration most) const {
    if (blueprint_.clock_drifts.empty()) [[likely]]
      return window(least, most);
    return drifting_window(slot, least, most);
  }

  // Strikes out what cannot be next. REQUIRES: a list of ready events.
  void keep_possible(const WorldState& world, std::vector<Alternative>& list);
  // Which pending events cannot be next, because of time or because they wait; of gaps it says nothing.
  const BitRow& early(const WorldState& world) {
    if (world.time.version() == 0 || early_version_ != world.time.version()) find_early(world);
    return early_;
  }
  std::size_t early_count() const { return early_count_; }  // of the last answer
  static bool nothing_waits(const WorldState& world) { return world.waiting == 0 && world.waited_count == 0; }
  // Places have changed.
  void forget() { early_version_ = 0; }
  // The pending event is next.
  [[gnu::always_inline]] void advance(WorldState& world, std::size_t place) {
    GAINSAY_CHECK(place < world.windows.size() && !world.waited[place], "what is next was ready");
    const PendingWindow& next = world.windows[place];
    advance(world, next.moment, next.lo);
  }
  // Something is next that may come at any moment.
  void advance_freely(WorldState& world) { advance(world, world.time.now(), 0); }
  // After a step, when it is known what is ready: whether what was not is due.
  [[gnu::always_inline]] void settle(WorldState& world, Asker& asker) {
    if (!nothing_waits(world)) settle_waiting(world, asker);
    if (!world.time.untils_known()) find_untils(world);
    world.time.set_version(++versions_);
    if (keeps_) keep_found(world);
  }
  // From now on demands on times are noted here; null: no more.
  void log(TimeLog* log) { log_ = log; }

  // What the actor's clock may show, its skew apart. REQUIRES: the origin is kept.
  TimeRange clock(const WorldState& world, Slot slot) const;
  // The same after the alternative has begun.
  TimeRange clock_at(const WorldState& world, const Alternative& alternative, Slot slot);
  // It shows this.
  void bind(WorldState& world, Slot slot, std::int64_t shown_ns) const;

  // The class as a value: for every pending event, in the order of `places`, what can be said of when it comes, in
  // relation to now and to each other. Equal values have equal futures.
  void write(const WorldState& world, std::span<const std::uint32_t> places, std::vector<double>& out) const;
  std::size_t written_size(std::size_t pending) const {
    const std::size_t moments = pending + 1 + (counts_origin() ? 1 : 0);
    return moments * moments + 3 * pending;
  }
  // The world of such a value. REQUIRES: its pending events are there, in the order of the value.
  void read(WorldState& world, std::span<const double> written) const;
  // What tells pending events apart, by position: `labels` say what they are, and the class when they come.
  void signatures(const WorldState& world, std::span<const std::uint64_t> labels,
                  std::vector<std::uint64_t>& out);
  // The hash of the class, whatever the order of the pending events is.
  std::uint64_t hash(const WorldState& world, std::span<const std::uint64_t> labels);

 private:
  // What was found is of no world until the step is over. Of the new moment it is at hand, if all demands stay: it is
  // now or `least` after `from`, whatever is later.
  [[gnu::always_inline]] void advance(WorldState& world, TimeClass::Moment from, double least) {
    TimeClass& time = world.time;
    keeps_ = early_version_ == time.version() && early_version_ != 0 && log_ == nullptr;
    if (!keeps_) [[unlikely]] {
      find_and_advance(world, from, least);
      return;
    }
    latest_version_ = early_version_ = 0;
    first_new_ = world.windows.size();
    something_came_ = false;
    const double latest = std::min(latest_.after[time.now()], latest_.after[from] - least);
    time.advance(latest_, from, least, world.steps + 1);
    if (latest_.after.size() < time.room()) [[unlikely]]
      latest_.after.resize(time.room());
    latest_.after[time.now()] = latest;
  }
  void find_and_advance(WorldState& world, TimeClass::Moment from, double least);
  // The step is over: what was found before it is put right, where that is less than to find it anew.
  void keep_found(const WorldState& world);
  void keep_early_behind(const WorldState& world, std::uint64_t was_early);
  void update_early(const WorldState& world, std::size_t w, std::uint64_t again);
  void find_early(const WorldState& world);
  std::span<const double> untils(const WorldState& world);
  void find_latest(const WorldState& world);
  void find_untils(WorldState& world);
  void settle_waiting(WorldState& world, Asker& asker);
  void settle_overdue(WorldState& world, std::size_t place);
  void end_wait(WorldState& world, std::size_t place, Asker& asker);
  void forget_far(WorldState& world);
  std::span<const std::uint32_t> places_of(const WorldState& world);
  // Longer spans are "for ever"; sums of shorter ones are exact.
  static constexpr double longest = 0x1p52;
  static double most_of(Duration span) {
    const auto count = static_cast<double>(span.count());
    return count >= longest ? TimeClass::never : count;
  }
  PendingWindow drifting_window(Slot slot, Duration least, Duration most) const;
  double drift_of(Slot slot) const;
  TimeRange shown(const WorldState& world, const TimeClass& time, Slot slot) const;

  void constrain(TimeClass& time, TimeClass::Moment a, TimeClass::Moment b, double most) const;
  bool may_wait_again(const WorldState& world) const;
  bool counts_origin() const { return kernel_.origin() == Kernel::Origin::counted; }

  const Kernel& kernel_;
  const Blueprint& blueprint_;
  bool messages_take_time_ = false;  // some message comes a while after it was sent at the earliest
  TimeLog* log_ = nullptr;
  std::uint64_t versions_;  // given so far; every WorldTime of a kernel gives others
  // What was found last, and the version of the class that it was found for.
  TimeClass::Latest latest_;
  std::uint64_t latest_version_ = 0;
  BitRow early_;
  std::size_t early_count_ = 0;
  std::uint64_t early_version_ = 0;
  // During a step: whether that was found for the world before it, which places are behind those that it had, and
  // whether something waits no more.
  bool keeps_ = false;
  bool something_came_ = false;
  std::size_t first_new_ = 0;
  // Scratch.
  std::vector<double> untils_;
  std::vector<double> written_;
  std::vector<std::uint32_t> places_;
  std::vector<std::uint32_t> positions_;
  std::vector<std::uint64_t> signatures_;
};

}  // namespace gainsay
