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
  may_lie_further_ = other.may_lie_further_;
  free_ = other.free_;
  needed_ = other.needed_;
  bounds_ = other.bounds_;
  untils_ = other.untils_;
  holds_ = other.holds_;
}

void TimeClass::begin(bool keep_origin) {
  size_ = 0;
  make_room(1);
  size_ = 1;
  now_ = 0;
  origin_ = keep_origin ? 0 : nowhere;
  free_ = nowhere;
  needed_.assign(1, 0);
  at(0, 0) = 0;
  untils_[0] = never;
  holds_[0] = {};
  stale_ = 0;
  changes_.bounds = may_lie_further_ = true;
  version_ = 0;
}

void TimeClass::make_room(std::size_t moments) {
  if (moments <= stride_) return;
  const std::size_t wider = std::max<std::size_t>(8, (moments + moments / 4 + 3) / 4 * 4);
  // In place, the last column first: every run begins narrow, and its memory has been wider before.
  bounds_.resize(wider * wider, never);
  for (std::size_t b = size_; b-- > 1;)
    std::copy_backward(bounds_.data() + b * stride_, bounds_.data() + b * stride_ + size_,
                       bounds_.data() + b * wider + size_);
  stride_ = wider;
  untils_.resize(wider, never);
  holds_.resize(wider);
}

// That of the moment before, if nobody holds it, or of another one that nobody needs; else a new one.
TimeClass::Moment TimeClass::place_for_next() {
  if (holds_[now_].holders == 0 && now_ != origin_) return now_;
  if (free_ == nowhere) {
    make_room(size_ + 2);  // one more, for what is computed of it
    return static_cast<Moment>(size_++);
  }
  const Moment place = free_;
  GAINSAY_CHECK(place < size_ && !is_needed(place), "nobody needs the moment");
  free_ = holds_[place].rank;
  return place;
}

std::uint64_t TimeClass::forget_stale() {
  for (const Moment moment : needed_) {
    if ((stale_ & bit_of(moment)) != 0) forget_ends(moment);
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
    if (from_now > least || (from_now == least && stamp(c) >= stamp(tightest))) continue;
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
  if (c >= size_ || stamp(c) != latest.stamp || until[c] == never) c = likely_tightest(until);
  latest.tightest = c;
  latest.counts = bit_of(c);
  // Of all moments, also of those that are free and demand nothing: how many those are nobody can predict.
  const double of_c = until[c];
  for (std::size_t b = 0; b < width(); ++b) after[b] = of_c + bounds_[b * stride_ + c];
  unsigned tighter = 0;
  for (std::size_t b = 0; b < width(); ++b) tighter |= until[b] < after[b] ? 1U : 0U;
  latest.stamp = stamp(c);
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
  latest.stamp = stamp(latest.tightest);
}

// The new moment t is bounded from above by the row `after` (t - b) and from below by the column `lower` (a - t). A
// difference a - b can only get smaller by way of t, to lower[a] + after[b], and t is reached by way of now or of
// `from`. So where t says nothing new of now - b and of from - b, the column of b is left alone. Where now is not
// before what comes next could come it says nothing new at all, and t is bounded from below as now is.
void TimeClass::say(const Latest& latest, Moment from, double least, std::uint32_t stamp) {
  if (latest.after[now_] == 0) {  // it is the same moment
    may_lie_further_ = true;
    relate(from, now_, -least);
    return;
  }
  const std::size_t known = width();  // the new one may come after them
  const Moment before = now_;
  now_ = place_for_next();
  switch (stride_ == known ? stride_ : 0) {  // loops that always end at the same place end unnoticed
    case 8:
      say_of<8>(latest.after.data(), before, from, least, known);
      break;
    case 12:
      say_of<12>(latest.after.data(), before, from, least, known);
      break;
    default:
      say_of<0>(latest.after.data(), before, from, least, known);
  }
  at(now_, now_) = 0;
  untils_[now_] = never;
  Hold& hold = holds_[now_];
  hold.holders = hold.firsts = hold.nexts = hold.others = 0;
  hold.stamp = stamp;
  if (now_ != before) {
    hold.rank = static_cast<std::uint32_t>(needed_.size());
    needed_.push_back(now_);
  }
}

// The bounds of now, which comes next after `before`. `places`: how many there are, where they are few; else 0.
template <std::size_t places>
void TimeClass::say_of(const double* after, Moment before, Moment from, double least, std::size_t known) {
  const std::size_t stride = places == 0 ? stride_ : places;
  const std::size_t wide = places == 0 ? width() : places;
  double* const bounds = bounds_.data();
  double* const to_now = bounds + now_ * stride;
  const double* const to_before = bounds + before * stride;
  const double* const to_from = bounds + from * stride;
  if (to_before[from] <= -least) {  // it is due
    GAINSAY_CHECK(after[from] >= to_from[before], "now is not after what anything demands");
    if (now_ != before) copy(to_before, to_now, wide);
    double* from_now = bounds + now_;
    for (std::size_t b = 0; b < (places == 0 ? known : places); b += 4, from_now += 4 * stride) {
      for (std::size_t k = 0; k < 4; ++k) from_now[k * stride] = after[b + k];
    }
    return;
  }
  may_lie_further_ = true;
  double* const lower = bounds + size_ * stride;
  for (std::size_t a = 0; a < wide; a += 4) {
    for (std::size_t k = a; k < a + 4; ++k) {
      const double by_from = to_from[k] - least;
      lower[k] = by_from < to_before[k] ? by_from : to_before[k];
    }
  }
  const double from_before = lower[before];
  const double from_from = lower[from];
  for (const Moment b : needed_) {
    double* const each = bounds + b * stride;
    if (from_before + after[b] < each[before] || from_from + after[b] < each[from])
      tighten(each, after[b], lower, wide);
    each[now_] = after[b];
  }
  copy(lower, to_now, wide);
}

void TimeClass::constrain(Moment a, Moment b, double most) {
  GAINSAY_CHECK(a < size_ && b < size_ && a != b, "two moments");
  GAINSAY_CHECK(allows(a, b, most), "a bound leaves something possible");
  if (this->most(a, b) <= most) return;
  changes_.bounds = may_lie_further_ = true;
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
  for (const Moment moment : needed_) holds_[moment] = {.stamp = stamp(moment), .rank = moment};
  std::fill(untils_.begin(), untils_.end(), never);
  stale_ = 0;
  changes_.bounds = may_lie_further_ = true;
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
    GAINSAY_CHECK(is_needed(a) && needed_[holds_[a].rank] == a, "only what is needed is listed, once");
    GAINSAY_CHECK(most(a, a) == 0, "a moment is itself");
    for (const Moment b : needed_) {
      GAINSAY_CHECK(most(a, b) + most(b, a) >= 0, "some assignment of times is possible");
      for (const Moment c : needed_)
        GAINSAY_CHECK(most(a, c) <= most(a, b) + most(b, c), "no chain says more than an entry");
    }
  }
}

}  // namespace gainsay
