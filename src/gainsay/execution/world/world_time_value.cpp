// The class of times as a value (WorldTime::write, read, hash).
//
// Of what is ready and stays so, all that matters is when it comes: t in [max(c + lo, now), c + hi] for the moment c at
// which it was made. Of what waits, or may have to wait again, c itself, because how long it has been due decides what
// happens when it is ready; of messages that may be doubled too, because a copy comes in the same window at a time of
// its own. So the variables are now, t or c of every pending event, and the origin where it is kept. A world that was
// read from its value has the same future as the world that was written, question by question.
#include <algorithm>
#include <bit>
#include <numeric>

#include "gainsay/base/hash.hpp"
#include "gainsay/execution/world/world_time.hpp"

namespace gainsay {
namespace {

struct Variable {
  TimeClass::Moment moment = TimeClass::nowhere;
  double lo = 0;
  double hi = 0;
  bool from_now = false;  // it comes, and not before now
};

Variable variable_of(const WorldState& world, const PendingWindow& window, bool as_made) {
  if (window.moment == TimeClass::nowhere) return {world.time.now(), 0, 0, false};
  if (!as_made) return {window.moment, window.lo, window.hi, true};
  return {window.moment, 0, 0, false};
}

// The greatest possible value of a - b.
double difference_of(const TimeClass& time, const Variable& a, const Variable& b) {
  const double plain = a.hi + time.most(a.moment, b.moment) - b.lo;
  return b.from_now ? std::min(plain, a.hi + time.most(a.moment, time.now())) : plain;
}

std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value); }

}  // namespace

// Whether what is ready may have to wait: for a gate that closes, for the end of a cut, for a receiver that is down.
bool WorldTime::may_wait_again(const WorldState& world) const {
  const FaultPlan& faults = blueprint_.faults;
  return world.gated || !faults.partitions.empty() || faults.isolation.budget > 0 ||
         !blueprint_.timer_budgets.empty() ||
         (blueprint_.to_crashed == ToCrashed::kept && faults.crashes > 0);
}

void WorldTime::write(const WorldState& world, std::span<const std::uint32_t> places,
                      std::vector<double>& out) const {
  GAINSAY_CHECK(places.size() == world.pending.count(), "every pending event has a place");
  const TimeClass& time = world.time;
  const bool may_wait = may_wait_again(world);
  const bool may_double = !blueprint_.faults.duplicates.empty();
  const auto is_as_made = [&](std::uint32_t place) {
    const PendingWindow& window = world.windows[place];
    if (window.moment == TimeClass::nowhere) return false;
    return (may_double && world.pending[place].kind == EventKind::deliver) ||
           ((world.waited[place] || may_wait) && window.hi != TimeClass::never);
  };
  std::vector<Variable> variables{{time.now(), 0, 0, false}};
  for (const std::uint32_t place : places) {
    const PendingWindow& window = world.windows[place];
    variables.push_back(variable_of(world, window, is_as_made(place)));
  }
  if (counts_origin()) variables.push_back({time.origin(), 0, 0, false});
  for (std::size_t a = 0; a < variables.size(); ++a) {
    for (std::size_t b = 0; b < variables.size(); ++b)
      out.push_back(a == b ? 0 : difference_of(time, variables[a], variables[b]));
  }
  for (const std::uint32_t place : places) {
    const PendingWindow& window = world.windows[place];
    const bool as_made = is_as_made(place);
    const bool without_end = world.waited[place] && window.hi == TimeClass::never;
    const bool due = as_made && time.most(window.moment, time.now()) <= -window.lo;
    out.push_back(as_made && !due ? window.lo : 0);
    out.push_back(as_made ? window.hi : without_end ? TimeClass::never : 0);
    out.push_back(window.moment == TimeClass::nowhere ? 2 : world.waited[place] ? 1 : 0);
  }
}

void WorldTime::read(WorldState& world, std::span<const double> written) const {
  const std::size_t pending = world.pending.count();
  const bool origin = counts_origin();
  GAINSAY_CHECK(written.size() == written_size(pending), "a class of so many pending events");
  const std::size_t moments = pending + 1 + (origin ? 1 : 0);
  world.time.restore(moments, written.first(moments * moments),
                     origin ? static_cast<TimeClass::Moment>(pending + 1) : TimeClass::nowhere);
  world.windows.assign(world.pending.behind(), {});
  world.waited.clear();
  world.waited_count = 0;
  TimeClass::Moment next = 1;
  const double* rest = written.data() + moments * moments;
  for (const std::size_t place : world.pending.each_place()) {
    PendingWindow& window = world.windows[place];
    window.lo = rest[0];
    window.hi = rest[1];
    window.moment = next++;
    world.time.hold(window.moment, window.hi);
    if (rest[2] != 0) world.set_waited(place, true);
    rest += 3;
  }
  // Only now: a moment that is let go changes the names of others.
  rest = written.data() + moments * moments;
  for (const std::size_t place : world.pending.each_place()) {
    if (rest[2] == 2) world.set_moment(place, TimeClass::nowhere);
    rest += 3;
  }
}

// Pending events, by position, are put into an order that depends on what they are and on when they come, in relation
// to all others; then everything is folded in that order. Events that this does not tell apart keep their places: at
// worst a state is visited twice.
void WorldTime::signatures(const WorldState& world, std::span<const std::uint64_t> labels,
                           std::vector<std::uint64_t>& out) {
  const std::size_t count = world.pending.count();
  GAINSAY_CHECK(labels.size() == count, "every pending event has a label");
  written_.clear();
  write(world, places_of(world), written_);
  const std::size_t moments = count + 1 + (counts_origin() ? 1 : 0);
  const auto entry = [&](std::size_t a, std::size_t b) { return bits_of(written_[a * moments + b]); };
  out.assign(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t sum = 0;
    for (std::size_t j = 0; j < count; ++j) {
      if (j != i) sum += scramble(mix(mix(labels[j], entry(i + 1, j + 1)), entry(j + 1, i + 1)));
    }
    Hasher hasher(labels[i]);
    hasher.add(sum);
    hasher.add(entry(0, i + 1));
    hasher.add(entry(i + 1, 0));
    for (std::size_t k = 0; k < 3; ++k) hasher.add(bits_of(written_[moments * moments + 3 * i + k]));
    out[i] = hasher.finish();
  }
}

std::uint64_t WorldTime::hash(const WorldState& world, std::span<const std::uint64_t> labels) {
  signatures(world, labels, signatures_);
  const std::size_t count = world.pending.count();
  const std::size_t moments = count + 1 + (counts_origin() ? 1 : 0);
  const auto entry = [&](std::size_t a, std::size_t b) { return bits_of(written_[a * moments + b]); };
  positions_.resize(count);
  std::iota(positions_.begin(), positions_.end(), 0U);
  std::stable_sort(positions_.begin(), positions_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return signatures_[a] < signatures_[b]; });
  Hasher all(count);
  for (const std::uint32_t position : positions_) all.add(signatures_[position]);
  const auto row = [&](std::size_t of) {
    return of == 0 || of > count ? of : std::size_t{positions_[of - 1]} + 1;
  };
  for (std::size_t a = 0; a < moments; ++a) {
    for (std::size_t b = 0; b < moments; ++b) all.add(entry(row(a), row(b)));
  }
  return scramble(all.finish());
}

}  // namespace gainsay
