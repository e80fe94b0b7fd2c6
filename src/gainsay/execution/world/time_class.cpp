#include "gainsay/execution/world/time_class.hpp"

#include <algorithm>

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
  untils_known_ = other.untils_known_;
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
  at(0, 0) = 0;
  holders_[0] = 0;
  stamps_[0] = 0;
  end_all(0);
  untils_known_ = true;
  version_ = 0;
}

void TimeClass::make_room(std::size_t moments) {
  if (moments <= stride_) return;
  const std::size_t wider = std::max<std::size_t>(8, (moments + moments / 2 + 3) / 4 * 4);
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
}

TimeClass::Moment TimeClass::forget(Moment moment) {
  GAINSAY_CHECK(holders_[moment] == 0 && moment != now_ && moment != origin_, "nobody needs the moment");
  const auto last = static_cast<Moment>(size_ - 1);
  --size_;
  if (moment == last) return nowhere;
  copy(column(last), column(moment), width());
  for (Moment b = 0; b < size_; ++b) at(moment, b) = at(last, b);
  at(moment, moment) = 0;
  untils_[moment] = untils_[last];
  ends_[moment] = ends_[last];
  holders_[moment] = holders_[last];
  stamps_[moment] = stamps_[last];
  if (now_ == last) now_ = moment;
  if (origin_ == last) origin_ = moment;
  return last;
}

void TimeClass::forget_untils() {
  for (Moment moment = 0; moment < size_; ++moment) end_all(moment);
  untils_known_ = true;
}

void TimeClass::note_until(Moment moment, double until) {
  GAINSAY_CHECK(moment < size_ && holders_[moment] > 0, "who says how long holds the moment");
  --holders_[moment];
  hold(moment, until);
}

// Whose demand comes first after now; of equal ones that of the oldest, after which all others were made.
TimeClass::Moment TimeClass::likely_tightest(std::span<const double> until) const {
  const double* to_now = &bounds_[now_ * stride_];
  Moment tightest = now_;
  double least = until[now_];
  for (Moment c = 0; c < size_; ++c) {
    const double from_now = until[c] + to_now[c];
    if (from_now > least || (from_now == least && stamps_[c] >= stamps_[tightest])) continue;
    tightest = c;
    least = from_now;
  }
  return tightest;
}

// What is after c by `until[c]` at most is after b by until[c] + (c, b). A moment whose demand follows from those of
// others adds nothing to that, because the matrix is closed. Often one demand says it all, and for a while the same.
void TimeClass::find_latest(std::span<const double> until, Latest& latest) const {
  GAINSAY_CHECK(until.size() == size_, "every moment says how long");
  if (latest.after.size() < stride_) latest.after.resize(stride_);
  double* after = latest.after.data();
  Moment c = latest.tightest;
  if (c >= size_ || stamps_[c] != latest.stamp || until[c] == never) c = likely_tightest(until);
  latest.tightest = c;
  const std::size_t size = size_;
  const std::size_t stride = stride_;
  const double* untils = until.data();
  const double by_tightest = untils[c];
  const double* entry = &bounds_[c];
  for (std::size_t b = 0; b < size; ++b, entry += stride) after[b] = by_tightest + *entry;
  for (std::size_t other = 0; other < size; ++other) {
    if (untils[other] >= after[other]) [[likely]]
      continue;
    latest.tightest = static_cast<Moment>(other);
    entry = &bounds_[other];
    for (std::size_t b = 0; b < size; ++b, entry += stride) {
      const double by_other = untils[other] + *entry;
      after[b] = by_other < after[b] ? by_other : after[b];
    }
  }
  latest.stamp = stamps_[latest.tightest];
}

// The new moment t is bounded from above by the row `after` (t - b) and from below by the column `lower` (a - t). A
// difference a - b can only get smaller by way of t, to lower[a] + after[b], and t is reached by way of now or of
// `from`. So where t says nothing new of now - b and of from - b, the column of b is left alone. Of from - b it says
// nothing new where now is not before what comes next could come.
TimeClass::Said TimeClass::say(const Latest& latest, Moment from, double least, std::uint32_t stamp,
                               bool last) {
  const bool due = most(from, now_) <= -least;
  if (latest.after[now_] == 0) {  // it is the same moment
    constrain(from, now_, -least);
    return Said::something;
  }
  const Moment before = now_;
  const bool leaves = holders_[before] == 0 && before != origin_;
  const bool in_place = last && !leaves && from != before && from != origin_;
  make_room(size_ + 1);
  const auto next = static_cast<Moment>(size_);
  const Moment place = in_place ? from : next;
  const std::size_t wide = width();
  const double* after = latest.after.data();
  double* lower = column(next);
  const double* to_now = column(now_);
  const double* to_from = column(from);
  if (due) {
    copy(to_now, lower, wide);
  } else {
    for (std::size_t a = 0; a < wide; a += 4) {
      for (std::size_t k = a; k < a + 4; ++k) {
        const double by_from = to_from[k] - least;
        lower[k] = by_from < to_now[k] ? by_from : to_now[k];
      }
    }
  }
  const std::size_t size = size_;
  const std::size_t stride = stride_;
  double* each = bounds_.data();
  if (due) {
    bool more = false;
    for (std::size_t b = 0; b < size; ++b, each += stride) {
      more |= after[b] < each[before];
      each[place] = after[b];
    }
    GAINSAY_CHECK(!more, "now is not after what anything demands");
  } else {
    const double from_now = lower[before];
    const double from_from = lower[from];
    for (std::size_t b = 0; b < size; ++b, each += stride) {
      if (from_now + after[b] < each[before] || from_from + after[b] < each[from])
        tighten(each, after[b], lower, wide);
      each[place] = after[b];
    }
  }
  if (in_place) copy(lower, column(place), wide);
  at(place, place) = 0;
  holders_[place] = 0;
  stamps_[place] = stamp;
  end_all(place);
  now_ = place;
  if (in_place) return Said::in_place;
  ++size_;
  if (leaves) forget(before);  // moves the new moment to its place
  return Said::something;
}

void TimeClass::constrain(Moment a, Moment b, double most) {
  GAINSAY_CHECK(a < size_ && b < size_ && a != b, "two moments");
  GAINSAY_CHECK(allows(a, b, most), "a bound leaves something possible");
  if (this->most(a, b) <= most) return;
  for (Moment j = 0; j < size_; ++j) {
    const double from_a = most + this->most(b, j);
    if (from_a < this->most(a, j)) tighten(column(j), from_a, column(a), width());
  }
}

void TimeClass::restore(std::size_t size, std::span<const double> bounds, Moment origin) {
  GAINSAY_CHECK(size > 0 && bounds.size() == size * size, "a square of bounds");
  size_ = 0;
  make_room(size);
  size_ = size;
  now_ = 0;
  origin_ = origin;
  for (Moment a = 0; a < size; ++a) {
    for (Moment b = 0; b < size; ++b) at(a, b) = bounds[a * size + b];
  }
  std::fill(holders_.begin(), holders_.end(), 0U);
  forget_untils();
  version_ = 0;
}

// Maximal constants, as for timed automata (Behrmann, Bouyer, Larsen and Pelanek 2006), for one moment c: where now is
// at most `far` after it, b - c is at most far + (b, now), so a greater bound says nothing there. Where now is further
// away, it may as well be far + 1 (times are whole), and such a bound allows that. The other differences are kept.
void TimeClass::forget_beyond(Moment moment, double far) {
  GAINSAY_CHECK(moment < size_ && moment != now_ && moment != origin_, "a moment of the past");
  bool changed = false;
  for (Moment b = 0; b < size_; ++b) {
    if (b == moment || most(b, moment) == never || most(b, moment) <= far + most(b, now_)) continue;
    at(b, moment) = never;
    changed = true;
  }
  if (!changed) return;
  std::vector<double> column(size_, never);
  for (Moment b = 0; b < size_; ++b) {
    for (Moment k = 0; k < size_; ++k)
      column[b] = std::min(column[b], (k == moment ? never : most(b, k)) + most(k, moment));
  }
  for (Moment b = 0; b < size_; ++b) {
    if (b != moment) at(b, moment) = column[b];
  }
}

void TimeClass::check() const {
  GAINSAY_CHECK(size_ > 0 && now_ < size_ && (origin_ == nowhere || origin_ < size_), "now is there");
  for (Moment a = 0; a < size_; ++a) {
    GAINSAY_CHECK(most(a, a) == 0, "a moment is itself");
    for (Moment b = 0; b < size_; ++b) {
      GAINSAY_CHECK(most(a, b) + most(b, a) >= 0, "some assignment of times is possible");
      for (Moment c = 0; c < size_; ++c)
        GAINSAY_CHECK(most(a, c) <= most(a, b) + most(b, c), "no chain says more than an entry");
    }
  }
}

}  // namespace gainsay
