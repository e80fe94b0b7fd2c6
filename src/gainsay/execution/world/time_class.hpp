// TimeClass: what is known of the moments that still matter, as differences: a closed difference-bound matrix.
//
// The state classes of time Petri nets (Berthomieu and Diaz, IEEE Trans. Softw. Eng. 17(3), 1991). Theirs have the
// times of what is yet to happen as variables; ours have the moments at which pending events came into being, because
// events of one moment share a row then. Entry (a, b) is the greatest value of a - b that some assignment of times
// allows. The matrix is closed: no chain of entries says more than an entry does; so the least and greatest
// differences are read off it, and a new moment or bound costs O(n^2) for n moments, not O(n^3), and often O(n): rows
// that can say nothing new are not looked at.
//
// Bounds are whole nanoseconds in doubles, which are exact up to 2^53 of them (104 days) and of which two fit into a
// register. Invariant: closed, consistent, zero on the diagonal; `now` is one of the moments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gainsay/base/check.hpp"

namespace gainsay {

class TimeClass {
 public:
  using Moment = std::uint32_t;
  static constexpr Moment nowhere = ~Moment{0};
  static constexpr double never = std::numeric_limits<double>::infinity();

  // One moment, which is now, and the origin if that is to be kept.
  void begin(bool keep_origin);

  std::size_t size() const { return size_; }
  Moment now() const { return now_; }
  // The moment at which the execution began; `nowhere` if nobody asks for it.
  Moment origin() const { return origin_; }
  // The greatest possible value of a - b.
  double most(Moment a, Moment b) const { return bounds_[a * stride_ + b]; }

  std::uint32_t stamp(Moment moment) const { return stamps_[moment]; }

  // Something pending began at this moment, or has ended. A moment that nobody holds is forgotten: then the last one
  // takes its place, which is returned (`nowhere`: nothing moved).
  void hold(Moment moment) { ++holders_[moment]; }
  Moment release(Moment moment);

  // How late the next event may be. Whatever lies between now and that is possible.
  struct Latest {
    std::vector<double> until;    // by moment: what it demands itself; `never`: nothing
    std::vector<double> after;    // by moment: what all of them allow
    std::vector<Moment> binding;  // those whose demands say it all
  };
  // From `until`, all else.
  void find_latest(Latest& latest) const;
  // Whether something that comes at least `least` after `from` may be next.
  static bool may_be_next(const Latest& latest, Moment from, double least) {
    return least <= latest.after[from];
  }
  // It is next: a new moment, not before now, at least `least` after `from` and within `latest`, which was found for
  // this class; `stamp` is what it is called in logs. REQUIRES: may_be_next.
  void advance(const Latest& latest, Moment from, double least, std::uint32_t stamp = 0);
  // From now on a - b <= most. REQUIRES: that is possible.
  void constrain(Moment a, Moment b, double most);
  bool allows(Moment a, Moment b, double most) const { return this->most(b, a) + most >= 0; }

  // A number that only copies of this class have in common, so that what was computed of it need not be again; 0: it
  // has none. Who changes what such a result depends on gives it another.
  std::uint64_t version() const { return version_; }
  void set_version(std::uint64_t version) { version_ = version; }

  // --- for those who write classes down ---
  // A class of `size` moments with these bounds, row by row; the first one is now. REQUIRES: closed.
  void restore(std::size_t size, std::span<const double> bounds, Moment origin);
  // Forgets how long ago the moment was, as far as that is more than `far`. Whether it is more is not forgotten.
  void forget_beyond(Moment moment, double far);

  // Whether the invariants hold, from scratch; for tests.
  void check() const;

 private:
  double& at(Moment a, Moment b) { return bounds_[a * stride_ + b]; }
  void make_room(std::size_t moments);

  std::uint64_t version_ = 0;
  std::size_t size_ = 0;
  std::size_t stride_ = 0;
  Moment now_ = 0;
  Moment origin_ = nowhere;
  std::vector<double> bounds_;
  std::vector<std::uint32_t> holders_;
  std::vector<std::uint32_t> stamps_;  // no part of the class
};

}  // namespace gainsay
