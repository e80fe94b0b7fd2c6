#include "gainsay/execution/world/world_time.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gainsay {
namespace {

// How far a search looks where nothing says how late it may be.
constexpr double unbounded_ns = 3600e9;

bool is_overdue(const WorldState& world, const PendingWindow& window) {
  return window.moment == TimeClass::nowhere ||
         world.time.most(window.moment, world.time.now()) <= -window.hi;
}

}  // namespace

WorldTime::WorldTime(const Kernel& kernel)
    : kernel_(kernel), blueprint_(kernel.blueprint()), versions_(kernel.new_time_versions()) {
  messages_take_time_ =
      blueprint_.latency.lo > Duration::zero() ||
      std::any_of(blueprint_.link_latencies.begin(), blueprint_.link_latencies.end(),
                  [](const LinkLatency& link) { return link.latency.lo > Duration::zero(); });
}

void WorldTime::begin(WorldState& world) const {
  const bool origin = kernel_.origin() != Kernel::Origin::forgotten;
  world.time.begin(origin);
  world.readings.clear();
  if (!origin) return;
  for (const ClockDrift& drift : blueprint_.clock_drifts) {
    world.readings.push_back({static_cast<Slot>(drift.actor.raw), world.time.now(), 0});
    world.time.hold(world.time.now());
  }
}

double WorldTime::drift_of(Slot slot) const {
  for (const ClockDrift& drift : blueprint_.clock_drifts) {
    if (drift.actor.raw == slot) return drift.parts_per_million * 1e-6;
  }
  return 0;
}

// What a drifting clock calls a second takes between 1 / (1 + drift) and 1 / (1 - drift) of them.
PendingWindow WorldTime::drifting_window(Slot slot, Duration least, Duration most) const {
  PendingWindow made = window(least, most);
  const double drift = drift_of(slot);
  if (drift == 0) return made;
  made.lo = std::floor(made.lo / (1 + drift));
  if (made.hi != TimeClass::never) made.hi = std::ceil(made.hi / (1 - drift));
  return made;
}

// By moment, how long after it the first of what is ready and began there comes at the latest.
std::span<const double> WorldTime::untils(const WorldState& world) {
  const bool ended = world.time.version() != 0 || nothing_waits(world);  // the last step has
  if (ended && world.time.untils_known()) return world.time.untils();
  untils_.assign(world.time.room(), TimeClass::never);
  for (const std::size_t place : world.pending.each_place()) {
    const PendingWindow& window = world.windows[place];
    if (!world.is_ready(place) || world.waited[place]) continue;
    double& until = untils_[window.moment];
    until = std::min(until, window.hi);
  }
  return untils_;
}

// By moment, the latest that what is ready allows for the next event.
void WorldTime::find_latest(const WorldState& world) {
  if (world.time.version() != 0 && latest_version_ == world.time.version()) return;
  latest_version_ = world.time.version();
  keeps_ = false;
  world.time.find_latest(untils(world), latest_);
}

void WorldTime::keep_possible(const WorldState& world, std::vector<Alternative>& list) {
  find_latest(world);
  std::erase_if(list, [&](const Alternative& each) {
    const PendingWindow& window = world.windows[each.target];
    // What was waiting a moment ago is looked at again when the step has ended.
    return !world.waited[each.target] && !TimeClass::may_be_next(latest_, window.moment, window.lo);
  });
}

// Of a word of places: which are early, where that is asked again of some. What may come at once never is: now is not
// before its moment.
[[gnu::always_inline]] inline void WorldTime::update_early(const WorldState& world, std::size_t w,
                                                           std::uint64_t again) {
  const std::uint64_t waits = world.waits.word(w);
  GAINSAY_CHECK(waits == world.waited.word(w), "a step has ended");
  const std::uint64_t ready = world.pending.places().word(w) & ~waits;
  std::uint64_t early = (early_.word(w) & ready & ~again) | waits;
  const PendingWindow* windows = world.windows.data() + w * 64;
  const double* after = latest_.after.data();
  const std::uint64_t at_once = messages_take_time_ ? 0 : ~world.own.word(w);
  bits::each(ready & again & ~at_once, [&](std::size_t index) {
    const PendingWindow& window = windows[index];
    early |= static_cast<std::uint64_t>(window.lo > after[window.moment] ? 1 : 0) << index;
  });
  early_.set_word(w, early);
  early_count_ += bits::count(early);
}

void WorldTime::find_early(const WorldState& world) {
  find_latest(world);
  early_.clear();
  early_count_ = 0;
  for (std::size_t w = 0; w < world.pending.places().words(); ++w) update_early(world, w, ~std::uint64_t{0});
  early_version_ = world.time.version();
}

// `latest_` gets no less for what was there before (TimeClass::advance). So what was not early is not early; and what
// was, is, unless it waited or a demand has left that counted. What is made now is after everything else, so that its
// end concerns nobody but what is made with it. And what waits no more concerns nobody: as nothing had to be said of
// whether it is late, now is not after its end, and of all that was demanded now is the latest that there may be.
void WorldTime::keep_found(const WorldState& world) {
  keeps_ = false;
  const TimeClass& time = world.time;
  const TimeClass::Changes& changes = time.changes();
  if (changes.bounds) return;
  const TimeClass::Moment now = time.now();
  const bool stays = (changes.left & latest_.counts) == 0;
  if (!stays) {
    time.find_latest(time.untils(), latest_);
  } else if (const double until = time.untils()[now]; until <= latest_.after[now]) {
    latest_.after[now] = until;
    latest_.counts |= TimeClass::bit_of(now);
  }
  const std::uint64_t was_early = stays && !something_came_ ? 0 : ~std::uint64_t{0};  // is to be asked again
  early_count_ = 0;
  const std::uint64_t made = first_new_ < 64 ? ~bits::below(first_new_) : 0;
  update_early(world, 0, (early_.word(0) & was_early) | made);
  if (!world.pending.places().is_short()) [[unlikely]]
    keep_early_behind(world, was_early);
  latest_version_ = early_version_ = time.version();
}

// The same behind the first word.
void WorldTime::keep_early_behind(const WorldState& world, std::uint64_t was_early) {
  for (std::size_t w = 1; w < world.pending.places().words(); ++w) {
    const std::uint64_t made = first_new_ <= w * 64       ? ~std::uint64_t{0}
                               : first_new_ < w * 64 + 64 ? ~bits::below(first_new_ % 64)
                                                          : 0;
    update_early(world, w, (early_.word(w) & was_early) | made);
  }
}

void WorldTime::find_and_advance(WorldState& world, TimeClass::Moment from, double least) {
  find_latest(world);
  const std::uint32_t stamp = world.steps + 1;
  if (log_ != nullptr) [[unlikely]] {
    const std::span<const double> until = untils(world);
    for (TimeClass::Moment c = 0; c < world.time.size(); ++c) {
      if (until[c] != TimeClass::never) log_->demand(stamp, world.time.stamp(c), until[c]);
    }
    log_->demand(world.time.stamp(from), stamp, -least);
    log_->demand(world.time.stamp(world.time.now()), stamp, 0);
  }
  world.time.advance(latest_, from, least, stamp);
}

void WorldTime::constrain(TimeClass& time, TimeClass::Moment a, TimeClass::Moment b, double most) const {
  if (log_ != nullptr) log_->demand(time.stamp(a), time.stamp(b), most);
  time.constrain(a, b, most);
}

// Mostly the last end of one moment has left, and a few others hold it.
void WorldTime::find_untils(WorldState& world) {
  const std::uint64_t stale = world.time.forget_stale();
  const PendingWindow* windows = world.windows.data();
  const BitRow& places = world.pending.places();
  for (std::size_t w = 0; w < places.words(); ++w) {
    bits::each(places.word(w) & ~world.waited.word(w), [&](std::size_t index) {
      const PendingWindow& window = windows[w * 64 + index];
      if ((stale & TimeClass::bit_of(window.moment)) != 0) world.time.demand(window.moment, window.hi);
    });
  }
}

// Of what has waited before, only what may lie further back now may have become due.
void WorldTime::settle_waiting(WorldState& world, Asker& asker) {
  bool all = world.time.may_lie_further();
  world.time.deny_further();
  for (std::size_t w = 0; w < world.pending.places().words(); ++w) {
    const std::uint64_t waits = world.waits.word(w);
    const std::uint64_t waited = world.waited.word(w);
    for (std::uint64_t left = all ? waits | waited : waits ^ waited; left != 0;) {
      const auto index = static_cast<std::size_t>(std::countr_zero(left));
      left &= left - 1;
      const std::size_t place = w * 64 + index;
      if ((waits >> index & 1U) != 0) {
        if ((waited >> index & 1U) == 0) world.set_waited(place, true);
        settle_overdue(world, place);
        continue;
      }
      end_wait(world, place, asker);
      if (all || !world.time.may_lie_further()) continue;
      all = true;  // something was said of times
      left = (waits | waited) & ~bits::below(index) & ~bits::bit(index);
    }
  }
  if (world.time.origin() == TimeClass::nowhere && world.waited_count > 0) forget_far(world);
}

// How long something has been due says nothing.
[[gnu::always_inline]] inline void WorldTime::settle_overdue(WorldState& world, std::size_t place) {
  const PendingWindow& window = world.windows[place];
  if (window.moment != TimeClass::nowhere && is_overdue(world, window)) [[unlikely]]
    world.set_moment(place, TimeClass::nowhere);
}

void WorldTime::end_wait(WorldState& world, std::size_t place, Asker& asker) {
  something_came_ = true;
  const PendingWindow window = world.windows[place];
  const TimeClass::Moment now = world.time.now();
  bool late = is_overdue(world, window);
  if (!late && world.time.most(now, window.moment) > window.hi) {
    late = asker.ask_late();
    if (late) {
      constrain(world.time, window.moment, now, -window.hi);
    } else {
      constrain(world.time, now, window.moment, window.hi);
    }
  }
  if (late) world.set_window(place, now, 0, 0);
  GAINSAY_CHECK(late || !keeps_ || world.time.changes().bounds || window.hi >= latest_.after[window.moment],
                "what waits no more demands nothing that is not demanded already");
  world.set_waited(place, false);
}

std::span<const std::uint32_t> WorldTime::places_of(const WorldState& world) {
  places_.clear();
  for (const std::size_t place : world.pending.each_place())
    places_.push_back(static_cast<std::uint32_t>(place));
  return places_;
}

// In the form of a value, so that it does not depend on how the world was reached.
void WorldTime::forget_far(WorldState& world) {
  GAINSAY_CHECK(world.time.origin() == TimeClass::nowhere, "nobody asks how long ago things were");
  const std::span<const std::uint32_t> places = places_of(world);
  written_.clear();
  write(world, places, written_);
  read(world, written_);
  for (const std::uint32_t place : places) {
    const PendingWindow& window = world.windows[place];
    if (world.waited[place] && window.moment != TimeClass::nowhere && window.hi != TimeClass::never)
      world.time.forget_beyond(window.moment, window.hi);
  }
}

// --- clocks ---

TimeRange WorldTime::shown(const WorldState& world, const TimeClass& time, Slot slot) const {
  GAINSAY_CHECK(time.origin() != TimeClass::nowhere, "who is asked for the time knows the beginning");
  TimeClass::Moment since = time.origin();
  double before = 0;
  const double drift = drift_of(slot);
  for (const ClockReading& reading : world.readings) {
    if (reading.slot != slot) continue;
    since = reading.moment;
    before = static_cast<double>(reading.shown_ns);
  }
  const double least = -time.most(since, time.now());
  const double most = time.most(time.now(), since);
  const double earliest = before + std::floor(least * (1 - drift));
  const double latest =
      most == TimeClass::never ? earliest + unbounded_ns : before + std::ceil(most * (1 + drift));
  return {static_cast<std::int64_t>(earliest), static_cast<std::int64_t>(latest)};
}

TimeRange WorldTime::clock(const WorldState& world, Slot slot) const {
  return shown(world, world.time, slot);
}

TimeRange WorldTime::clock_at(const WorldState& world, const Alternative& alternative, Slot slot) {
  find_latest(world);
  TimeClass after = world.time;
  if (is_ordinary(alternative.kind)) {
    const PendingWindow& window = world.windows[alternative.target];
    after.advance(latest_, window.moment, window.lo);
  } else {
    after.advance(latest_, after.now(), 0);
  }
  return shown(world, after, slot);
}

void WorldTime::bind(WorldState& world, Slot slot, std::int64_t shown_ns) const {
  TimeClass& time = world.time;
  const TimeClass::Moment now = time.now();
  for (ClockReading& reading : world.readings) {
    if (reading.slot != slot) continue;
    // Which spans the clock may have shown as this one.
    const double drift = drift_of(slot);
    const auto span = static_cast<double>(shown_ns - reading.shown_ns);
    double least = std::floor(span / (1 + drift)) - 1;
    while (std::ceil(least * (1 + drift)) < span) ++least;
    double most = std::ceil(span / (1 - drift)) + 2;
    while (std::floor(most * (1 - drift)) > span) --most;
    if (reading.moment != now) {
      constrain(time, now, reading.moment, most);
      constrain(time, reading.moment, now, -std::max(least, 0.0));
    }
    reading.shown_ns = shown_ns;
    world.move_reading(reading, now);
    return;
  }
  if (now == time.origin()) return;
  constrain(time, now, time.origin(), static_cast<double>(shown_ns));
  constrain(time, time.origin(), now, -static_cast<double>(shown_ns));
}

}  // namespace gainsay
