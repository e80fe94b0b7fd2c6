#include "gainsay/execution/world/time_class.hpp"

#include <algorithm>

namespace gainsay {
namespace {

// row[i] = min(row[i], add + other[i])
void tighten(double* row, double add, const double* other, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const double sum = add + other[i];
    row[i] = sum < row[i] ? sum : row[i];
  }
}

}  // namespace

void TimeClass::begin(bool keep_origin) {
  size_ = 0;
  make_room(1);
  size_ = 1;
  now_ = 0;
  origin_ = keep_origin ? 0 : nowhere;
  at(0, 0) = 0;
  holders_[0] = 0;
  stamps_[0] = 0;
  version_ = 0;
}

void TimeClass::make_room(std::size_t moments) {
  if (moments <= stride_ && holders_.size() >= moments) return;
  const std::size_t wider = std::max<std::size_t>(8, (moments + moments / 2 + 3) / 4 * 4);
  std::vector<double> bounds(wider * wider, never);
  for (std::size_t a = 0; a < size_; ++a)
    std::copy_n(bounds_.begin() + static_cast<std::ptrdiff_t>(a * stride_), size_,
                bounds.begin() + static_cast<std::ptrdiff_t>(a * wider));
  bounds_ = std::move(bounds);
  stride_ = wider;
  holders_.resize(wider, 0);
  stamps_.resize(wider, 0);
}

TimeClass::Moment TimeClass::release(Moment moment) {
  GAINSAY_CHECK(moment < size_ && holders_[moment] > 0, "who lets go of a moment held it");
  if (--holders_[moment] > 0 || moment == now_ || moment == origin_) return nowhere;
  const auto last = static_cast<Moment>(size_ - 1);
  --size_;
  if (moment == last) return nowhere;
  for (Moment b = 0; b < size_; ++b) at(moment, b) = at(last, b);
  for (Moment a = 0; a < size_; ++a) at(a, moment) = at(a, last);
  at(moment, moment) = 0;
  holders_[moment] = holders_[last];
  stamps_[moment] = stamps_[last];
  if (now_ == last) now_ = moment;
  if (origin_ == last) origin_ = moment;
  return last;
}

// What is after c by `until[c]` at most is after b by until[c] + (c, b). A moment whose own demand follows from those of
// others adds nothing to that, because the matrix is closed; so the tightest one comes first.
void TimeClass::find_latest(Latest& latest) const {
  GAINSAY_CHECK(latest.until.size() == size_, "every moment says how long");
  latest.after.assign(size_, never);
  latest.binding.clear();
  const auto bind = [&](Moment c) {
    tighten(latest.after.data(), latest.until[c], &bounds_[c * stride_], size_);
    latest.binding.push_back(c);
  };
  Moment tightest = now_;
  double least = never;
  for (Moment c = 0; c < size_; ++c) {
    const double from_now = latest.until[c] + most(c, now_);
    tightest = from_now < least ? c : tightest;
    least = from_now < least ? from_now : least;
  }
  if (least == never) return;
  bind(tightest);
  for (Moment c = 0; c < size_; ++c) {
    if (latest.until[c] < latest.after[c]) bind(c);
  }
}

// The new moment t is bounded from above by the row `after` (t - b) and from below by the column `lower` (a - t). A
// difference a - b can only get smaller by way of t, to lower[a] + after[b]. It does not where t adds nothing to the
// differences between a and the moments that bind, which `after` is made of: those rows are left alone.
void TimeClass::advance(const Latest& latest, Moment from, double least, std::uint32_t stamp) {
  GAINSAY_CHECK(latest.after.size() == size_ && from < size_, "the bounds are those of this class");
  GAINSAY_CHECK(latest.after[from] >= least && latest.after[now_] >= 0, "what comes next may be next");
  version_ = 0;
  make_room(size_ + 1);
  const auto next = static_cast<Moment>(size_);
  for (Moment a = 0; a < size_; ++a) {
    const double by_now = most(a, now_);
    const double by_from = most(a, from) - least;
    const double lower = by_from < by_now ? by_from : by_now;
    at(a, next) = lower;
    bool says_more = false;
    for (const Moment c : latest.binding) says_more = says_more || lower + latest.until[c] < most(a, c);
    if (says_more) tighten(&at(a, 0), lower, latest.after.data(), size_);
  }
  if (latest.after[now_] == 0 && most(now_, next) == 0) return;  // it is the same moment
  for (Moment b = 0; b < size_; ++b) at(next, b) = latest.after[b];
  at(next, next) = 0;
  holders_[next] = 0;
  stamps_[next] = stamp;
  ++size_;
  const Moment before = now_;
  now_ = next;
  if (holders_[before] > 0 || before == origin_) return;
  hold(before);
  release(before);  // moves the new moment to its place
}

void TimeClass::constrain(Moment a, Moment b, double most) {
  GAINSAY_CHECK(a < size_ && b < size_ && a != b, "two moments");
  GAINSAY_CHECK(allows(a, b, most), "a bound leaves something possible");
  if (this->most(a, b) <= most) return;
  for (Moment i = 0; i < size_; ++i) {
    const double to_a = i == a ? 0 : this->most(i, a);
    if (to_a == never) continue;
    if (to_a + most < this->most(i, b)) tighten(&at(i, 0), to_a + most, &bounds_[b * stride_], size_);
  }
}

void TimeClass::restore(std::size_t size, std::span<const double> bounds, Moment origin) {
  GAINSAY_CHECK(size > 0 && bounds.size() == size * size, "a square of bounds");
  size_ = 0;
  make_room(size);
  size_ = size;
  now_ = 0;
  origin_ = origin;
  for (std::size_t a = 0; a < size; ++a)
    std::copy_n(bounds.begin() + static_cast<std::ptrdiff_t>(a * size), size,
                bounds_.begin() + static_cast<std::ptrdiff_t>(a * stride_));
  std::fill(holders_.begin(), holders_.end(), 0U);
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
