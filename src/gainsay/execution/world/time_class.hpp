// TimeClass: what is known of the moments that still matter, as differences: a closed difference-bound matrix.
//
// The state classes of time Petri nets (Berthomieu and Diaz, IEEE Trans. Softw. Eng. 17(3), 1991). Theirs have the
// times of what is yet to happen as variables; ours have the moments at which pending events came into being, because
// events of one moment share a row then. Entry (a, b) is the greatest value of a - b that some assignment of times
// allows. The matrix is closed: no chain of entries says more than an entry does; so the least and greatest
// differences are read off it, and a new moment or bound costs O(n^2) for n moments, not O(n^3), and often O(n): what
// can say nothing new is not looked at, nor are moments that nobody needs; their places are used again.
//
// Bounds are whole nanoseconds in doubles, which are exact up to 2^53 of them (104 days) and of which two fit into a
// register. Entries (a, b) of one b lie side by side, in fours. Invariant: closed, consistent, zero on the diagonal;
// `now` is one of the moments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gainsay/base/check.hpp"
#include "gainsay/execution/world/least_sums.hpp"

namespace gainsay {

class TimeClass {
 public:
  using Moment = std::uint32_t;
  static constexpr Moment nowhere = ~Moment{0};
  static constexpr double never = std::numeric_limits<double>::infinity();

  TimeClass() = default;
  TimeClass(const TimeClass&) = default;
  TimeClass(TimeClass&&) = default;
  TimeClass& operator=(TimeClass&&) = default;
  ~TimeClass() = default;
  // Worlds without time are copied as if there were no class: that is one comparison, not five empty rows.
  TimeClass& operator=(const TimeClass& other) {
    if (size_ != 0 || other.size_ != 0) assign(other);
    return *this;
  }

  // One moment, which is now, and the origin if that is to be kept.
  void begin(bool keep_origin);

  // How many moments have a place; some may be free.
  std::size_t size() const { return size_; }
  // How many places there are.
  std::size_t room() const { return stride_; }
  Moment now() const { return now_; }
  // The moment at which the execution began; `nowhere` if nobody asks for it.
  Moment origin() const { return origin_; }
  // The greatest possible value of a - b.
  double most(Moment a, Moment b) const { return bounds_[b * stride_ + a]; }

  // Sets of moments are words; where there are many, some share a bit.
  static std::uint64_t bit_of(Moment moment) { return std::uint64_t{1} << moment % 64; }
  std::uint32_t stamp(Moment moment) const { return holds_[moment].stamp; }

  // Something pending that began at this moment, and comes `until` after it at the latest, is there, or has ended. A
  // moment that nobody holds is free for a new one.
  void hold(Moment moment, double until = never) {
    ++holds_[moment].holders;
    demand(moment, until);
  }
  void release(Moment moment, double until = never) {
    GAINSAY_CHECK(moment < size_ && holds_[moment].holders > 0, "who lets go of a moment held it");
    if (--holds_[moment].holders > 0) {
      ease(moment, until);
      return;
    }
    changes_.left |= bit_of(moment);
    forget_ends(moment);
    if (!is_needed(moment)) forget(moment);
  }
  // What holds the moment demands this, or does so no more.
  [[gnu::always_inline]] void demand(Moment moment, double until) {
    Hold& hold = holds_[moment];
    if (until == untils_[moment]) [[likely]] {
      hold.firsts += until == never ? 0U : 1U;
    } else if (until < untils_[moment]) {
      hold.others += hold.nexts;
      hold.next = untils_[moment];
      hold.nexts = hold.firsts;
      hold.firsts = 1;
      untils_[moment] = until;
    } else if (until != never) {
      demand_later(hold, until);
    }
  }
  // Who ends next is mostly known when the first end has left.
  [[gnu::always_inline]] void ease(Moment moment, double until) {
    if (until == never) return;
    Hold& hold = holds_[moment];
    if (until > untils_[moment]) {
      const bool was_next = hold.nexts > 0 && until == hold.next;
      GAINSAY_CHECK(was_next || hold.others > 0, "what is demanded no more was demanded");
      hold.nexts -= was_next ? 1U : 0U;
      hold.others -= was_next ? 0U : 1U;
      return;
    }
    GAINSAY_CHECK(hold.firsts > 0, "what is demanded no more was demanded");
    if (--hold.firsts > 0) return;
    changes_.left |= bit_of(moment);
    const bool unknown = hold.nexts == 0 && hold.others > 0;
    stale_ |= unknown ? bit_of(moment) : 0;
    const double next = hold.nexts > 0 ? hold.next : never;
    untils_[moment] = unknown ? until : next;  // all others are later
    hold.firsts = hold.nexts;
    hold.nexts = 0;
  }
  // By moment, how long after it the first of those that hold it comes at the latest. REQUIRES: untils_known.
  std::span<const double> untils() const { return {untils_.data(), stride_}; }
  bool untils_known() const { return stale_ == 0; }
  // Moments whose first end has left, and of the others it is not known which is first. They demand nothing until
  // everybody who holds one of them has said again what it demands.
  std::uint64_t forget_stale();

  // How late the next event may be, by moment: at most so long after it. What lies between now and that is possible.
  struct Latest {
    std::vector<double> after;  // by place; where there is no moment lies anything
    std::uint64_t counts = 0;   // moments, by `bit_of`, from whose demands all of it follows
    // Whose demand counted when it was found, and its stamp: where to begin the next time.
    Moment tightest = nowhere;
    std::uint32_t stamp = 0;
  };
  // What has happened since `advance` that a Latest from before may not know.
  struct Changes {
    std::uint64_t left = 0;  // moments whose first end is gone
    bool bounds = false;     // something else was said of times
  };
  const Changes& changes() const { return changes_; }
  // Whether some moment may lie further back than when this was last denied. Of an event that was due and came from
  // nothing that lies further back nothing like that is learnt.
  bool may_lie_further() const { return may_lie_further_; }
  void deny_further() { may_lie_further_ = false; }
  // `until` by place: what the moment there demands itself; `never`: nothing, or there is none.
  void find_latest(std::span<const double> until, Latest& latest) const {
    GAINSAY_CHECK(until.size() == stride_, "every moment says how long");
    if (latest.after.size() < stride_) [[unlikely]]
      latest.after.resize(stride_);
    if (stride_ <= least_sums::widest) [[likely]] {
      latest.counts = least_sums::find(stride_, until.data(), bounds_.data(), latest.after.data());
    } else {
      find_latest_of_many(until, latest);
    }
  }
  // Whether something that comes at least `least` after `from` may be next.
  static bool may_be_next(const Latest& latest, Moment from, double least) {
    return least <= latest.after[from];
  }
  // Whether it says nothing that something comes next at least `least` after `from`: it is due, and now is the latest
  // moment there is.
  bool says_nothing(const Latest& latest, Moment from, double least) const {
    return latest.after[now_] == 0 && most(from, now_) <= -least;
  }
  // It is next: a new moment, not before now, at least `least` after `from` and within `latest`, which was found for
  // this class; `stamp` is its name in logs. REQUIRES: may_be_next, and now is not after any `until`.
  //
  // For moments that were there before, `latest` gets no less by that. What is known of a - b can only get less by way
  // of the new moment t, to (a, t) + latest[b]; and nothing that demands, c, is further before t than it may be:
  // until[c] + (c, t) >= 0. So until[c] + (c, b) gets no less than latest[b]. And it stays as it is while the demands
  // stay from which it follows.
  [[gnu::always_inline]] void advance(const Latest& latest, Moment from, double least,
                                      std::uint32_t stamp = 0) {
    GAINSAY_CHECK(latest.after.size() >= room() && from < size_, "the bounds are those of this class");
    GAINSAY_CHECK(latest.after[from] >= least && latest.after[now_] >= 0, "what comes next may be next");
    version_ = 0;
    changes_ = {};
    if (!says_nothing(latest, from, least)) say(latest, from, least, stamp);
  }
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

  std::span<const Moment> needed() const { return needed_; }
  // Whether the invariants hold, from scratch; for tests.
  void check() const;

 private:
  // Who holds a moment, besides its `until`: the first end of all.
  struct Hold {
    double next = never;        // the first end behind that; REQUIRES: nexts > 0
    std::uint32_t holders = 0;  // how many there are
    std::uint32_t firsts = 0;   // how many of them end first
    std::uint32_t nexts = 0;    // how many end next; 0: if there are others, nobody knows who does
    std::uint32_t others = 0;   // how many end later
    std::uint32_t stamp = 0;    // no part of the class
    std::uint32_t rank = 0;  // where the moment stands in `needed_`; of one that is free: the next free one
  };
  double& at(Moment a, Moment b) { return bounds_[b * stride_ + a]; }
  // All (a, b), by a.
  double* column(Moment b) { return &bounds_[b * stride_]; }
  // How far loops go. Where there are few places, over all of them: how many are used nobody can predict.
  static constexpr std::size_t few = 12;
  std::size_t width() const { return stride_ <= few ? stride_ : (size_ + 3) / 4 * 4; }
  void make_room(std::size_t moments);
  void assign(const TimeClass& other);
  bool is_needed(Moment moment) const {
    return holds_[moment].holders > 0 || moment == now_ || moment == origin_;
  }
  // Nobody needs the moment.
  void forget(Moment moment) {
    const Moment last = needed_.back();
    needed_[holds_[moment].rank] = last;
    holds_[last].rank = holds_[moment].rank;
    needed_.pop_back();
    holds_[moment].rank = free_;
    free_ = moment;
  }
  void forget_ends(Moment moment) {
    untils_[moment] = never;
    Hold& hold = holds_[moment];
    hold.firsts = hold.nexts = hold.others = 0;
  }
  static void demand_later(Hold& hold, double until) {
    if (hold.nexts > 0 ? until == hold.next : hold.others == 0) {
      hold.next = until;
      ++hold.nexts;
    } else if (hold.nexts > 0 && until < hold.next) {
      hold.others += hold.nexts;
      hold.next = until;
      hold.nexts = 1;
    } else {
      ++hold.others;
    }
  }
  Moment place_for_next();
  void say(const Latest& latest, Moment from, double least, std::uint32_t stamp);
  template <std::size_t places>
  void say_of(const double* after, Moment before, Moment from, double least, std::size_t known);
  void relate(Moment a, Moment b, double most);
  void find_latest_of_many(std::span<const double> until, Latest& latest) const;
  Moment likely_tightest(std::span<const double> until) const;

  std::uint64_t version_ = 0;
  std::size_t size_ = 0;
  std::size_t stride_ = 0;  // a multiple of four; behind the last moment lies anything
  Moment now_ = 0;
  Moment origin_ = nowhere;
  Changes changes_;
  bool may_lie_further_ = true;
  std::uint64_t stale_ = 0;     // moments whose `until` is not known
  Moment free_ = nowhere;       // one that nobody needs
  std::vector<Moment> needed_;  // in any order
  std::vector<double> bounds_;
  std::vector<double> untils_;
  std::vector<Hold> holds_;
};

}  // namespace gainsay
