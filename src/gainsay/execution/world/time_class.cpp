#include "gainsay/execution/world/time_class.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace gainsay {
namespace {

// column[i] = min(column[i], add + other[i]). Fours of entries, so that no loop has an end to take care of.
inline void tighten(double* column, double add, const double* other, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 4) {
    for (std::size_t k = i; k < i + 4; ++k) {
      const double sum = add + other[k];
      column[k] = sum < column[k] ? sum : column[k];
    }
  }
}

inline void copy(const double* from, double* to, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 4) {
    for (std::size_t k = i; k < i + 4; ++k) to[k] = from[k];
  }
}

}  // namespace

void TimeClass::assign(const TimeClass& other) {
  version_ = other.version_;
  size_ = other.size_;
  stride_ = other.stride_;
  now_ = other.now_;
  origin_ = other.origin_;
  stale_ = other.stale_;
  changes_ = other.changes_;
  free_ = other.free_;
  needed_ = other.needed_;
  ranks_ = other.ranks_;
  bounds_ = other.bounds_;
  untils_ = other.untils_;
  ends_ = other.ends_;
  holders_ = other.holders_;
  stamps_ = other.stamps_;
}

void TimeClass::begin(bool keep_origin) {
  size_ = 0;
  make_room(1);
  size_ = 1;
  now_ = 0;
  origin_ = keep_origin ? 0 : nowhere;
  free_ = nowhere;
  needed_.assign(1, 0);
  ranks_[0] = 0;
  at(0, 0) = 0;
  holders_[0] = 0;
  stamps_[0] = 0;
  untils_[0] = never;
  ends_[0] = 0;
  stale_ = 0;
  changes_.bounds = true;
  version_ = 0;
}

void TimeClass::make_room(std::size_t moments) {
  if (moments <= stride_) return;
  const std::size_t wider = std::max<std::size_t>(8, (moments + moments / 4 + 3) / 4 * 4);
  std::vector<double> bounds(wider * wider, never);
  for (std::size_t b = 0; b < size_; ++b)
    std::copy_n(bounds_.begin() + static_cast<std::ptrdiff_t>(b * stride_), size_,
                bounds.begin() + static_cast<std::ptrdiff_t>(b * wider));
  bounds_ = std::move(bounds);
  stride_ = wider;
  untils_.resize(wider, never);
  ends_.resize(wider, 0);
  holders_.resize(wider, 0);
  stamps_.resize(wider, 0);
  ranks_.resize(wider, 0);
}

// That of the moment before, if nobody holds it, or of another one that nobody needs; else a new one.
TimeClass::Moment TimeClass::place_for_next() {
  if (holders_[now_] == 0 && now_ != origin_) return now_;
  if (free_ == nowhere) {
    make_room(size_ + 2);  // one more, for what is computed of it
    return static_cast<Moment>(size_++);
  }
  const Moment place = free_;
  GAINSAY_CHECK(place < size_ && !is_needed(place), "nobody needs the moment");
  free_ = ends_[place];
  return place;
}

std::uint64_t TimeClass::forget_stale() {
  for (const Moment moment : needed_) {
    if ((stale_ & bit_of(moment)) == 0) continue;
    untils_[moment] = never;
    ends_[moment] = 0;
  }
  return std::exchange(stale_, 0);
}

// Whose demand comes first after now; of equal ones that of the oldest, after which all others were made.
TimeClass::Moment TimeClass::likely_tightest(std::span<const double> until) const {
  const double* to_now = &bounds_[now_ * stride_];
  Moment tightest = now_;
  double least = until[now_];
  for (const Moment c : needed_) {
    const double from_now = until[c] + to_now[c];
    if (from_now > least || (from_now == least && stamps_[c] >= stamps_[tightest])) continue;
    tightest = c;
    least = from_now;
  }
  return tightest;
}

// What is after c by `until[c]` at most is after b by until[c] + (c, b). A moment whose demand follows from those of
// others adds nothing to that, because the matrix is closed. Often one demand says it all, and for a while the same.
void TimeClass::find_latest_of_many(std::span<const double> until, Latest& latest) const {
  double* after = latest.after.data();
  Moment c = latest.tightest;
  if (c >= size_ || stamps_[c] != latest.stamp || until[c] == never) c = likely_tightest(until);
  latest.tightest = c;
  latest.counts = bit_of(c);
  // Of all moments, also of those that are free and demand nothing: how many those are nobody can predict.
  const double of_c = until[c];
  for (std::size_t b = 0; b < width(); ++b) after[b] = of_c + bounds_[b * stride_ + c];
  unsigned tighter = 0;
  for (std::size_t b = 0; b < width(); ++b) tighter |= until[b] < after[b] ? 1U : 0U;
  latest.stamp = stamps_[c];
  if (tighter == 0) [[likely]]
    return;
  for (const Moment other : needed_) {
    if (until[other] >= after[other]) continue;
    latest.tightest = other;
    latest.counts |= bit_of(other);
    for (const Moment b : needed_) {
      const double by_other = until[other] + most(other, b);
      after[b] = by_other < after[b] ? by_other : after[b];
    }
  }
  latest.stamp = stamps_[latest.tightest];
}

// The new moment t is bounded from above by the row `after` (t - b) and from below by the column `lower` (a - t). A
// difference a - b can only get smaller by way of t, to lower[a] + after[b], and t is reached by way of now or of
// `from`. So where t says nothing new of now - b and of from - b, the column of b is left alone. Where now is not
// before what comes next could come it says nothing new at all, and t is bounded from below as now is.
void TimeClass::say(const Latest& latest, Moment from, double least, std::uint32_t stamp) {
  if (latest.after[now_] == 0) {  // it is the same moment
    relate(from, now_, -least);
    return;
  }
  const Moment before = now_;
  const bool due = most(from, before) <= -least;
  const std::size_t known = width();  // the new one may come after them
  const Moment place = place_for_next();
  const std::size_t stride = stride_;
  const std::size_t wide = width();
  const double* after = latest.after.data();
  double* bounds = bounds_.data();
  if (due) {
    GAINSAY_CHECK(after[from] >= most(before, from), "now is not after what anything demands");
    if (place != before) copy(column(before), column(place), wide);
    double* to_place = bounds + place;
    for (std::size_t b = 0; b < known; b += 4, to_place += 4 * stride) {
      for (std::size_t k = 0; k < 4; ++k) to_place[k * stride] = after[b + k];
    }
  } else {
    double* lower = column(static_cast<Moment>(size_));
    const double* to_now = column(before);
    const double* to_from = column(from);
    for (std::size_t a = 0; a < wide; a += 4) {
      for (std::size_t k = a; k < a + 4; ++k) {
        const double by_from = to_from[k] - least;
        lower[k] = by_from < to_now[k] ? by_from : to_now[k];
      }
    }
    const double from_now = lower[before];
    const double from_from = lower[from];
    for (const Moment b : needed_) {
      double* each = bounds + b * stride;
      if (from_now + after[b] < each[before] || from_from + after[b] < each[from])
        tighten(each, after[b], lower, wide);
      each[place] = after[b];
    }
    copy(lower, column(place), wide);
  }
  at(place, place) = 0;
  holders_[place] = 0;
  stamps_[place] = stamp;
  untils_[place] = never;
  ends_[place] = 0;
  if (place != before) {
    ranks_[place] = static_cast<std::uint32_t>(needed_.size());
    needed_.push_back(place);
  }
  now_ = place;
}

void TimeClass::constrain(Moment a, Moment b, double most) {
  GAINSAY_CHECK(a < size_ && b < size_ && a != b, "two moments");
  GAINSAY_CHECK(allows(a, b, most), "a bound leaves something possible");
  if (this->most(a, b) <= most) return;
  changes_.bounds = true;
  relate(a, b, most);
}

void TimeClass::relate(Moment a, Moment b, double most) {
  for (const Moment j : needed_) {
    const double from_a = most + this->most(b, j);
    if (from_a < this->most(a, j)) tighten(column(j), from_a, column(a), width());
  }
}

void TimeClass::restore(std::size_t size, std::span<const double> bounds, Moment origin) {
  GAINSAY_CHECK(size > 0 && bounds.size() == size * size, "a square of bounds");
  size_ = 0;
  make_room(size + 1);
  size_ = size;
  now_ = 0;
  origin_ = origin;
  for (Moment a = 0; a < size; ++a) {
    for (Moment b = 0; b < size; ++b) at(a, b) = bounds[a * size + b];
  }
  free_ = nowhere;
  needed_.resize(size);
  std::iota(needed_.begin(), needed_.end(), 0U);
  std::iota(ranks_.begin(), ranks_.end(), 0U);
  std::fill(holders_.begin(), holders_.end(), 0U);
  std::fill(ends_.begin(), ends_.end(), 0U);
  std::fill(untils_.begin(), untils_.end(), never);
  stale_ = 0;
  changes_.bounds = true;
  version_ = 0;
}

// Maximal constants, as for timed automata (Behrmann, Bouyer, Larsen and Pelanek 2006), for one moment c: where now is
// at most `far` after it, b - c is at most far + (b, now), so a greater bound says nothing there. Where now is further
// away, it may as well be far + 1 (times are whole), and such a bound allows that. The other differences are kept.
void TimeClass::forget_beyond(Moment moment, double far) {
  GAINSAY_CHECK(moment < size_ && moment != now_ && moment != origin_, "a moment of the past");
  bool changed = false;
  for (const Moment b : needed_) {
    if (b == moment || most(b, moment) == never || most(b, moment) <= far + most(b, now_)) continue;
    at(b, moment) = never;
    changed = true;
  }
  if (!changed) return;
  changes_.bounds = true;
  std::vector<double> column(size_, never);
  for (const Moment b : needed_) {
    for (const Moment k : needed_)
      column[b] = std::min(column[b], (k == moment ? never : most(b, k)) + most(k, moment));
  }
  for (const Moment b : needed_) {
    if (b != moment) at(b, moment) = column[b];
  }
}

void TimeClass::check() const {
  GAINSAY_CHECK(size_ > 0 && now_ < size_ && (origin_ == nowhere || origin_ < size_), "now is there");
  std::size_t needed = 0;
  for (Moment moment = 0; moment < size_; ++moment) needed += is_needed(moment) ? 1 : 0;
  GAINSAY_CHECK(needed == needed_.size(), "what is needed is listed");
  for (const Moment a : needed_) {
    GAINSAY_CHECK(is_needed(a) && needed_[ranks_[a]] == a, "only what is needed is listed, once");
    GAINSAY_CHECK(most(a, a) == 0, "a moment is itself");
    for (const Moment b : needed_) {
      GAINSAY_CHECK(most(a, b) + most(b, a) >= 0, "some assignment of times is possible");
      for (const Moment c : needed_)
        GAINSAY_CHECK(most(a, c) <= most(a, b) + most(b, c), "no chain says more than an entry");
    }
  }
}

}  // namespace gainsay
