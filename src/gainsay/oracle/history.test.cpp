#include "gainsay/oracle/history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/oracle/datum.hpp"

namespace gainsay::history_test {
namespace {

using ::testing::HasSubstr;

template <class F> std::string complaint(F&& act) {
  try {
    act();
  } catch (const HistoryError& error) {
    return error.what();
  }
  return "(none)";
}

History::Where at(std::int64_t time_ns, std::string source = {}) { return {time_ns, std::move(source), {}}; }

TEST(History, OperationsAreIntervalsOfPositions) {
  History history;
  history.invoke("a", 1);
  history.invoke("b", 2);
  history.ok("b", 20);
  history.info("a");
  history.invoke("b", 3);
  history.fail("b");
  history.invoke("c", 4);
  ASSERT_EQ(history.size(), 4U);
  EXPECT_EQ(history[0].status, OperationStatus::info);
  EXPECT_EQ(history[0].returned, never);
  EXPECT_EQ(history[1].status, OperationStatus::ok);
  EXPECT_EQ(history[1].invoked, 1U);
  EXPECT_EQ(history[1].returned, 2U);
  EXPECT_EQ(history[2].status, OperationStatus::fail);
  EXPECT_EQ(history[3].status, OperationStatus::info) << "what never returned may have happened";
  EXPECT_TRUE(history.is_open("c"));
  EXPECT_FALSE(history.is_open("a"));
  EXPECT_EQ(history.process_name(history[3]), "c");
}

TEST(History, RefusesWhatCannotHaveHappened) {
  History history;
  history.invoke("a", AnyValue::of(1), {{}, "log:1", 7});
  EXPECT_THAT(complaint([&] { history.invoke("a", AnyValue::of(1), at(0, "log:2")); }),
              HasSubstr("log:2: process a invokes again while its operation at log:1 has not returned"));
  EXPECT_THAT(complaint([&] { history.ok("b", 1); }), HasSubstr("without an invocation before it"));
  EXPECT_THAT(complaint([&] {
                history.invoke("b", AnyValue::of(1), {{}, {}, 7});
              }),
              HasSubstr("ids must be unique"));
  EXPECT_THAT(complaint([&] {
                history.ok("a", AnyValue::of(1), {{}, {}, 8});
              }),
              HasSubstr("its open operation is 7"));
  history.ok("a", AnyValue::of(1), at(100));
  EXPECT_THAT(complaint([&] { history.ok("a", 1); }), HasSubstr("without an invocation before it"));
  EXPECT_THAT(complaint([&] { history.invoke("b", AnyValue::of(1), at(99, "log:9")); }),
              HasSubstr("log:9: the clock goes back, from 100 ns to 99 ns"));
  EXPECT_EQ(history.size(), 1U) << "what was refused left nothing behind";
}

Operation interval(std::uint32_t process, std::int64_t from, std::optional<std::int64_t> to) {
  Operation operation;
  operation.process = process;
  operation.invoked_ns = from;
  operation.returned_ns = to;
  operation.status = to ? OperationStatus::ok : OperationStatus::info;
  operation.op = AnyValue::of(1);
  return operation;
}

TEST(History, IntervalsThatTouchAreConcurrent) {
  std::vector<Operation> operations;
  operations.push_back(interval(0, 10, 20));
  operations.push_back(interval(1, 5, 10));
  operations.push_back(interval(0, 20, {}));
  const History history = History::from_intervals({"a", "b"}, std::move(operations));
  ASSERT_EQ(history.size(), 3U);
  EXPECT_EQ(history[0].process, 1U) << "operations stand in the order of invocation";
  EXPECT_LT(history[1].invoked, history[0].returned) << "at equal times the invocation comes first";
  EXPECT_EQ(history[2].returned, never);
}

TEST(History, IntervalsAreValidated) {
  const auto build = [](Operation a, Operation b) {
    std::vector<Operation> both;
    both.push_back(std::move(a));
    both.push_back(std::move(b));
    return complaint([&] { History::from_intervals({"a", "b"}, std::move(both)); });
  };
  EXPECT_THAT(build(interval(0, 10, 5), interval(1, 0, 1)), HasSubstr("the clock goes back"));
  EXPECT_THAT(build(interval(0, 0, 10), interval(0, 5, 20)), HasSubstr("one operation at a time"));
  EXPECT_THAT(build(interval(0, 0, 10), interval(2, 5, 20)), HasSubstr("process is not among those listed"));
  Operation a = interval(0, 0, 10);
  Operation b = interval(1, 0, 10);
  a.id = b.id = 3;
  EXPECT_THAT(build(a, b), HasSubstr("used twice"));
  a.invoked_ns.reset();
  EXPECT_THAT(build(a, interval(1, 0, 1)), HasSubstr("time of its invocation is missing"));
}

TEST(History, ForgettingAnOutcomeLeavesAnOperationThatMayHaveHappened) {
  History history;
  history.invoke("a", 1);
  history.ok("a", 2);
  history.forget_outcome(0);
  EXPECT_EQ(history[0].status, OperationStatus::info);
  EXPECT_EQ(history[0].returned, never);
  EXPECT_FALSE(history[0].result.has_value());
}

}  // namespace
}  // namespace gainsay::history_test
