#include "gainsay/oracle/client_history.hpp"

#include <deque>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"
#include "gainsay/oracle/names_only.test.hpp"
#include "gainsay/oracle/specs/counter.hpp"
#include "gainsay/oracle/specs/register.hpp"

namespace gainsay::client_history_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Reg = specs::Register<int>;

// What clients leave behind, one entry for each step.
class Entries {
 public:
  template <class Op> Entries& invoke(std::uint64_t process, std::uint32_t number, const Op& op) {
    return add(process, number, true, Completion::ok, AnyValue::of(op));
  }
  template <class Result> Entries& ok(std::uint64_t process, std::uint32_t number, const Result& result) {
    return add(process, number, false, Completion::ok, AnyValue::of(result));
  }
  Entries& ended(std::uint64_t process, std::uint32_t number, Completion how) {
    return add(process, number, false, how, AnyValue{});
  }

  std::string complaint(bool real_time = true) const {
    const Complaint complaint = judged<Reg>(real_time);
    return complaint ? complaint.text() : "";
  }
  template <class Spec> Complaint judged(bool real_time = true) const {
    return judge_client_history(entries_, NamesOnly{}, detail::client_types<Spec>(), AnyValue::of(Spec{}),
                                real_time);
  }

 private:
  Entries& add(std::uint64_t process, std::uint32_t number, bool invocation, Completion how, AnyValue value) {
    HistoryEntry entry;
    entry.process = ActorId{process};
    entry.number = number;
    entry.invocation = invocation;
    entry.how = how;
    entry.step = static_cast<std::uint32_t>(entries_.size());
    if (value.has_value()) {
      values_.push_back(std::move(value));
      entry.type = &values_.back().type();
      entry.data = values_.back().data();
    }
    entries_.push_back(entry);
    return *this;
  }

  std::vector<HistoryEntry> entries_;
  std::deque<AnyValue> values_;
};

Reg::Result value(int v) { return Reg::Result(std::in_place_index<1>, v); }

TEST(ClientHistory, AnEmptyOneAndAnHonestOneAreRight) {
  EXPECT_EQ(Entries{}.complaint(), "");
  Entries entries;
  entries.invoke(1, 0, Reg::Write{4})
      .ended(1, 0, Completion::ok)
      .invoke(2, 0, Reg::Read{})
      .ok(2, 0, value(4));
  EXPECT_EQ(entries.complaint(), "");
}

TEST(ClientHistory, AStaleReadIsAComplaintWithItsContradiction) {
  Entries entries;
  entries.invoke(1, 0, Reg::Write{4})
      .ended(1, 0, Completion::ok)
      .invoke(2, 0, Reg::Read{})
      .ok(2, 0, value(0));
  const std::string complaint = entries.complaint();
  EXPECT_THAT(complaint, HasSubstr("not linearizable: client 2: read -> 0 cannot be placed"));
  EXPECT_THAT(complaint, HasSubstr("these contradict each other:"));
  EXPECT_THAT(complaint, HasSubstr("\n  client 1: write(4) (invoked in step 1)"));
  EXPECT_THAT(complaint, HasSubstr("\n  client 2: read -> 0 (invoked in step 3)"));
  EXPECT_EQ(entries.complaint(false), "") << "nothing but real time orders the two clients";
}

TEST(ClientHistory, AClientThatDoesNotSeeItsOwnWriteIsWrongWithoutRealTimeAsWell) {
  Entries entries;
  entries.invoke(1, 0, Reg::Write{4})
      .ended(1, 0, Completion::ok)
      .invoke(1, 1, Reg::Read{})
      .ok(1, 1, value(0));
  EXPECT_THAT(entries.complaint(false), HasSubstr("not sequentially consistent: client 1: read -> 0"));
  EXPECT_THAT(entries.complaint(false), HasSubstr("\n  client 1: write(4) (invoked in step 1)"));
}

TEST(ClientHistory, WhatIsNotCompletedMayHaveHappenedOrNot) {
  for (const bool completed_as_unknown : {false, true}) {
    for (const int seen : {0, 4}) {
      Entries entries;
      entries.invoke(1, 0, Reg::Write{4});
      if (completed_as_unknown) entries.ended(1, 0, Completion::unknown);
      entries.invoke(2, 0, Reg::Read{}).ok(2, 0, value(seen));
      EXPECT_EQ(entries.complaint(), "") << seen;
      // It is not dropped, and cannot be undone: what was seen once stays.
      entries.invoke(2, 1, Reg::Read{}).ok(2, 1, value(0));
      EXPECT_EQ(entries.complaint().empty(), seen == 0);
    }
  }
}

TEST(ClientHistory, WhatFailedDidNotHappen) {
  Entries entries;
  entries.invoke(1, 0, Reg::Write{4}).ended(1, 0, Completion::failed);
  entries.invoke(2, 0, Reg::Read{}).ok(2, 0, value(4));
  EXPECT_THAT(entries.complaint(), HasSubstr("read -> 4 cannot be placed"));
}

TEST(ClientHistory, AnActorMayHaveSeveralOperationsUnderWay) {
  Entries entries;
  entries.invoke(1, 0, Reg::Write{4}).invoke(1, 1, Reg::Write{5}).ended(1, 1, Completion::ok);
  entries.ended(1, 0, Completion::ok).invoke(2, 0, Reg::Read{}).ok(2, 0, value(4));
  EXPECT_EQ(entries.complaint(), "");
  entries.invoke(2, 1, Reg::Read{}).ok(2, 1, value(5));
  EXPECT_THAT(entries.complaint(), HasSubstr("client 1/1: write(5)")) << "its second one at a time";
}

TEST(ClientHistory, AClientsOrderHoldsBesideAnOperationThatWasNeverAnswered) {
  Entries entries;
  entries.invoke(1, 0, Reg::Read{});
  entries.invoke(1, 1, Reg::Write{1}).ended(1, 1, Completion::ok);
  entries.invoke(1, 2, Reg::Read{}).ok(1, 2, value(0));
  EXPECT_THAT(entries.complaint(false), HasSubstr("not sequentially consistent"));
  // What was under way at once is in no order.
  Entries together;
  together.invoke(1, 0, Reg::Write{1})
      .invoke(1, 1, Reg::Read{})
      .ok(1, 1, value(0))
      .ended(1, 0, Completion::ok);
  EXPECT_EQ(together.complaint(false), "");
}

// The definition, by every order: of one client, what was completed before another was begun comes first; what was
// never completed may come anywhere after what was completed before it, or nowhere.
class EveryOrder {
 public:
  struct Op {
    std::uint64_t client = 0;
    bool write = false;
    int value = 0;
    int invoked = 0;
    int returned = -1;  // never
  };
  explicit EveryOrder(std::vector<Op> ops) : ops_(std::move(ops)), done_(ops_.size(), false) {}

  bool exists(int value = 0) {
    bool complete = true;
    for (std::size_t i = 0; i < ops_.size(); ++i) complete = complete && (done_[i] || ops_[i].returned < 0);
    if (complete) return true;
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      if (done_[i] || !may_be_next(i)) continue;
      if (!ops_[i].write && ops_[i].returned >= 0 && ops_[i].value != value) continue;
      done_[i] = true;
      const bool found = exists(ops_[i].write ? ops_[i].value : value);
      done_[i] = false;
      if (found) return true;
    }
    return false;
  }

 private:
  bool may_be_next(std::size_t i) const {
    for (std::size_t j = 0; j < ops_.size(); ++j) {
      if (done_[j] || ops_[j].client != ops_[i].client || ops_[j].returned < 0) continue;
      if (ops_[j].returned < ops_[i].invoked) return false;
    }
    return true;
  }

  std::vector<Op> ops_;
  std::vector<bool> done_;
};

TEST(ClientHistory, SequentialConsistencyOfBusyClientsIsExact) {
  std::size_t right = 0;
  constexpr std::size_t runs = 4000;
  for (std::uint64_t run = 0; run < runs; ++run) {
    Rng rng(5, run);
    Entries entries;
    std::vector<EveryOrder::Op> ops;
    std::vector<std::pair<std::uint32_t, std::size_t>> open;  // number, place in ops
    std::uint32_t numbers[2] = {0, 0};
    const std::size_t count = 3 + rng.below(4);
    for (int moment = 0; ops.size() < count || (!open.empty() && rng.chance(3, 4)); ++moment) {
      if (ops.size() < count && (open.empty() || rng.chance(1, 2))) {
        EveryOrder::Op op;
        op.client = rng.below(2);
        op.write = rng.chance(1, 2);
        op.value = op.write ? static_cast<int>(1 + rng.below(2)) : static_cast<int>(rng.below(3));
        op.invoked = moment;
        const std::uint32_t number = numbers[op.client]++;
        if (op.write) {
          entries.invoke(op.client, number, Reg::Write{op.value});
        } else {
          entries.invoke(op.client, number, Reg::Read{});
        }
        open.emplace_back(number, ops.size());
        ops.push_back(op);
      } else if (!open.empty()) {
        const std::size_t which = rng.below(open.size());
        EveryOrder::Op& op = ops[open[which].second];
        op.returned = moment;
        if (op.write) {
          entries.ended(op.client, open[which].first, Completion::ok);
        } else {
          entries.ok(op.client, open[which].first, value(op.value));
        }
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
      }
    }
    const bool expected = EveryOrder(ops).exists();
    right += expected ? 1 : 0;
    ASSERT_EQ(entries.complaint(false).empty(), expected) << "run " << run << "\n"
                                                          << entries.complaint(false);
  }
  EXPECT_GT(right, runs / 10);
  EXPECT_LT(right, runs - runs / 10);
}

TEST(ClientHistory, ASecondCompletionIsAComplaint) {
  Entries entries;
  entries.invoke(1, 0, Reg::Write{4}).ended(1, 0, Completion::ok).ended(1, 0, Completion::ok);
  EXPECT_EQ(entries.complaint(),
            "client 1 completed operation 0, which it has not invoked or has completed before");
}

TEST(ClientHistory, ValuesOfAnotherSpecificationAreNamed) {
  Entries wrong_op;
  wrong_op.invoke(1, 0, specs::Counter::Add{1});
  EXPECT_THAT(wrong_op.complaint(), HasSubstr("which is not an operation of the specification; expected"));
  Entries wrong_result;
  wrong_result.invoke(1, 0, Reg::Read{}).ok(1, 0, std::string("four"));
  EXPECT_THAT(wrong_result.complaint(), HasSubstr("which is not a result of the specification; expected"));
}

// 30 adds of which nobody knows whether they happened, and a sum that none of their 2^30 sets makes.
TEST(ClientHistory, WhatTakesTooLongIsNeitherRightNorWrong) {
  Entries entries;
  for (std::uint32_t i = 0; i < 30; ++i)
    entries.invoke(i, 0, specs::Counter::Add{(std::int64_t{1} << i) * 2});
  entries.invoke(99, 0, specs::Counter::Read{})
      .ok(99, 0, specs::Counter::Result((std::int64_t{1} << 31) - 1));
  const Complaint complaint = entries.judged<specs::Counter>();
  ASSERT_TRUE(complaint);
  EXPECT_TRUE(complaint.is_unjudged()) << complaint.text();
  EXPECT_THAT(complaint.text(), HasSubstr("the history of 31 operations could not be judged: "));
}

TEST(ClientHistory, BystandersAreNoPartOfTheContradiction) {
  // The read saw a value that nobody wrote: it alone is the contradiction, however many others there are.
  Entries entries;
  for (std::uint32_t i = 0; i < 30; ++i) entries.invoke(1, i, Reg::Write{4}).ended(1, i, Completion::ok);
  entries.invoke(2, 0, Reg::Read{}).ok(2, 0, value(9));
  EXPECT_THAT(entries.complaint(), Not(HasSubstr("write(4)")));
}

}  // namespace
}  // namespace gainsay::client_history_test
