// The twin: the same constraints in a list, closed from scratch (Floyd and Warshall), and all whole assignments of
// small times.
#include "gainsay/execution/world/time_class.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"
#include "gainsay/execution/world/time_log.hpp"

namespace gainsay::time_class_test {
namespace {

// A pending event: made at a moment, comes between `lo` and `hi` later.
struct Event {
  std::uint32_t made = 0;  // number of the moment
  int lo = 0;
  int hi = 0;
};

// x_a - x_b <= most, over all moments that ever were.
struct Bound {
  std::size_t a = 0;
  std::size_t b = 0;
  double most = 0;
};

using Matrix = std::vector<std::vector<double>>;

Matrix closed(std::size_t moments, const std::vector<Bound>& bounds) {
  Matrix m(moments, std::vector<double>(moments, TimeClass::never));
  for (std::size_t i = 0; i < moments; ++i) m[i][i] = 0;
  for (const Bound& each : bounds) m[each.a][each.b] = std::min(m[each.a][each.b], each.most);
  for (std::size_t k = 0; k < moments; ++k) {
    for (std::size_t i = 0; i < moments; ++i) {
      for (std::size_t j = 0; j < moments; ++j) m[i][j] = std::min(m[i][j], m[i][k] + m[k][j]);
    }
  }
  return m;
}

bool consistent(const Matrix& m) {
  for (std::size_t i = 0; i < m.size(); ++i) {
    if (m[i][i] < 0) return false;
  }
  return true;
}

// A random run of a class beside its list of bounds.
class Pair {
 public:
  explicit Pair(std::uint64_t seed) : rng_(seed) {
    time_.begin(true);
    numbers_ = {0};
    add(1 + below(3));
  }

  void step() {
    TimeClass::Latest latest;
    std::vector<double> until(time_.room(), TimeClass::never);
    for (const Event& each : events_) {
      double& at = until[place_of(each.made)];
      at = std::min<double>(at, each.hi);
    }
    if (!time_.untils_known()) {
      const std::uint64_t stale = time_.forget_stale();
      for (const Event& each : events_) {
        const TimeClass::Moment made = place_of(each.made);
        if ((stale & TimeClass::bit_of(made)) != 0) time_.demand(made, each.hi);
      }
    }
    for (std::size_t i = 0; i < until.size(); ++i) EXPECT_EQ(time_.untils()[i], until[i]) << "the first end";
    time_.find_latest(time_.untils(), latest);
    std::vector<std::size_t> possible;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const bool may = TimeClass::may_be_next(latest, place_of(events_[i].made), events_[i].lo);
      std::vector<Bound> with = bounds_;
      demand(with, events_[i]);
      EXPECT_EQ(may, consistent(closed(moments_ + 1, with))) << "may be next";
      if (may) possible.push_back(i);
    }
    ASSERT_FALSE(possible.empty()) << "something may always be next";
    const std::size_t chosen = possible[rng_.below(possible.size())];
    const Event event = events_[chosen];
    demand(bounds_, event);
    ++moments_;
    const TimeClass::Moment before = time_.now();
    const Matrix known = differences();  // of free places: anything
    const TimeClass::Moment from = place_of(event.made);
    const double of_next = std::min(latest.after[before], latest.after[from] - event.lo);
    time_.advance(latest, from, event.lo);
    expect_latest_holds(latest, of_next, known);
    events_.erase(events_.begin() + static_cast<std::ptrdiff_t>(chosen));
    name_now(before);
    time_.release(place_of(event.made), event.hi);
    add(below(3));
    if (below(4) == 0) narrow();
    compare();
  }
  bool done() const { return events_.empty(); }

  std::uint64_t in_place = 0;  // how often the new moment took the place of an old one
  std::uint64_t learned = 0;   // how often a step said something of other moments

 private:
  int below(int n) { return static_cast<int>(rng_.below(static_cast<std::uint64_t>(n))); }

  // What it means that the event is next.
  void demand(std::vector<Bound>& bounds, const Event& event) const {
    const std::size_t next = moments_;
    bounds.push_back({now_, next, 0});
    bounds.push_back({event.made, next, -static_cast<double>(event.lo)});
    for (const Event& each : events_) bounds.push_back({next, each.made, static_cast<double>(each.hi)});
  }
  TimeClass::Moment place_of(std::size_t number) const {
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      if (numbers_[i] == number) return static_cast<TimeClass::Moment>(i);
    }
    ADD_FAILURE() << "moment " << number << " was forgotten";
    return 0;
  }
  // The moment that has just come has a place of its own, or that of one that nobody needs; or it is the same moment,
  // and keeps its name.
  void name_now(TimeClass::Moment before) {
    const Matrix m = closed(moments_, bounds_);
    const std::size_t next = moments_ - 1;
    const bool same = m[now_][next] == 0 && m[next][now_] == 0;
    EXPECT_TRUE(!same || (time_.size() == numbers_.size() && time_.now() == before))
        << "one moment has one place";
    if (same) return;
    if (time_.now() < numbers_.size()) {
      const std::size_t taken = numbers_[time_.now()];
      EXPECT_TRUE(std::none_of(events_.begin(), events_.end(), [&](const Event& each) {
        return each.made == taken;
      })) << "nobody needs the one that was there";
      EXPECT_NE(taken, 0U) << "the origin is kept";
      ++in_place;
    }
    now_ = next;
    numbers_.resize(time_.size());
    numbers_[time_.now()] = now_;
  }
  void add(int count) {
    for (int i = 0; i < count; ++i) {
      const int lo = below(4);
      events_.push_back({static_cast<std::uint32_t>(now_), lo, lo + below(5)});
      time_.hold(time_.now(), events_.back().hi);
    }
  }
  Matrix differences() const {
    Matrix m(time_.size(), std::vector<double>(time_.size(), 0));
    for (TimeClass::Moment a = 0; a < time_.size(); ++a) {
      for (TimeClass::Moment b = 0; b < time_.size(); ++b) m[a][b] = time_.most(a, b);
    }
    return m;
  }
  // While all demands stay: of moments that were there before; one of them may have made room for what is now.
  void expect_latest_holds(const TimeClass::Latest& latest, double of_next, const Matrix& known) {
    TimeClass::Latest again;
    time_.find_latest(time_.untils(), again);
    bool new_of_others = false;
    for (const TimeClass::Moment b : time_.needed()) {
      EXPECT_EQ(again.after[b], b == time_.now() ? of_next : latest.after[b]) << "what was found holds";
      for (const TimeClass::Moment a : time_.needed()) {
        if (a != time_.now() && b != time_.now()) new_of_others |= known[a][b] != time_.most(a, b);
      }
    }
    learned += new_of_others ? 1 : 0;
  }
  // It is decided how late it is.
  void narrow() {
    if (time_.now() == time_.origin()) return;
    const double earliest = -time_.most(time_.origin(), time_.now());
    const double latest = time_.most(time_.now(), time_.origin());
    const double shown = earliest + below(static_cast<int>(latest - earliest) + 1);
    time_.constrain(time_.now(), time_.origin(), shown);
    time_.constrain(time_.origin(), time_.now(), -shown);
    bounds_.push_back({now_, 0, shown});
    bounds_.push_back({0, now_, -shown});
  }
  void compare() {
    time_.check();
    const Matrix m = closed(moments_, bounds_);
    ASSERT_TRUE(consistent(m));
    for (const TimeClass::Moment a : time_.needed()) {
      for (const TimeClass::Moment b : time_.needed())
        EXPECT_EQ(time_.most(a, b), m[numbers_[a]][numbers_[b]]);
    }
    for (const Event& each : events_) EXPECT_EQ(time_.most(place_of(each.made), place_of(each.made)), 0);
  }

  Rng rng_;
  TimeClass time_;
  std::vector<Event> events_;
  std::vector<Bound> bounds_;
  std::size_t moments_ = 1;
  std::size_t now_ = 0;
  std::vector<std::size_t> numbers_;  // by place: the moment's number
};

TEST(TimeClass, IsWhatClosingFromScratchGives) {
  std::uint64_t in_place = 0;
  std::uint64_t learned = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Pair pair(seed);
    for (int i = 0; i < 12 && !pair.done() && !testing::Test::HasFailure(); ++i) pair.step();
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    in_place += pair.in_place;
    learned += pair.learned;
  }
  EXPECT_GT(in_place, 1000U);
  EXPECT_GT(learned, 1000U);
}

// Three events of one moment, all orders of them: possible iff some whole times within the windows are in that order.
TEST(TimeClass, AllowsTheOrdersThatSomeTimesAllow) {
  Rng rng(7);
  for (int round = 0; round < 500; ++round) {
    std::vector<Event> events;
    for (int i = 0; i < 3; ++i) {
      const int lo = static_cast<int>(rng.below(6));
      events.push_back({0, lo, lo + static_cast<int>(rng.below(5))});
    }
    std::vector<int> order{0, 1, 2};
    do {
      bool some = false;
      for (int a = events[0].lo; a <= events[0].hi; ++a) {
        for (int b = events[1].lo; b <= events[1].hi; ++b) {
          for (int c = events[2].lo; c <= events[2].hi; ++c) {
            const int times[] = {a, b, c};
            some = some || (times[order[0]] <= times[order[1]] && times[order[1]] <= times[order[2]]);
          }
        }
      }
      TimeClass time;
      time.begin(true);
      for (int i = 0; i < 3; ++i) time.hold(0);
      bool possible = true;
      for (std::size_t i = 0; i < 3 && possible; ++i) {
        TimeClass::Latest latest;
        std::vector<double> until(time.room(), TimeClass::never);
        double& first = until[time.origin()];
        for (std::size_t j = i; j < 3; ++j)
          first = std::min<double>(first, events[static_cast<std::size_t>(order[j])].hi);
        time.find_latest(until, latest);
        const int lo = events[static_cast<std::size_t>(order[i])].lo;
        possible = TimeClass::may_be_next(latest, time.origin(), lo);
        if (possible) time.advance(latest, time.origin(), lo);
      }
      EXPECT_EQ(possible, some);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(TimeClass, ForgetsMomentsThatNobodyHolds) {
  TimeClass time;
  time.begin(false);
  time.hold(time.now());
  TimeClass::Latest latest;
  for (int i = 0; i < 100; ++i) {
    std::vector<double> until(time.room(), TimeClass::never);
    std::fill_n(until.begin(), time.size(), 10.0);
    time.find_latest(until, latest);
    const TimeClass::Moment from = time.now();
    time.advance(latest, from, 5);
    time.release(from);
    time.hold(time.now());
    ASSERT_LE(time.size(), 2U);
  }
}

// How long ago something was made is forgotten as far as it is more than 5; that it may be less is not.
TEST(TimeClass, ForgetsWhatLiesBeyond) {
  TimeClass time;
  time.begin(false);
  const TimeClass::Moment made = time.now();
  time.hold(made);
  TimeClass::Latest latest;
  std::vector<double> until(time.room(), TimeClass::never);
  until[made] = 20;
  time.find_latest(until, latest);
  time.advance(latest, made, 3);
  EXPECT_EQ(time.most(time.now(), made), 20);
  time.forget_beyond(made, 25);
  EXPECT_EQ(time.most(time.now(), made), 20);
  time.forget_beyond(made, 5);
  EXPECT_EQ(time.most(time.now(), made), TimeClass::never);
  EXPECT_EQ(time.most(made, time.now()), -3);
  time.check();
}

TEST(TimeLog, FindsTheLeastTimes) {
  TimeLog log;
  log.demand(0, 1, -5);   // step 0 comes at 5 or later
  log.demand(1, 2, 0);    // step 1 not before it
  log.demand(0, 2, -30);  // and at 30 or later
  log.demand(2, 1, 10);   // but at most 10 after it
  EXPECT_EQ(log.earliest(2), (std::vector<std::int64_t>{20, 30}));
}

}  // namespace
}  // namespace gainsay::time_class_test
