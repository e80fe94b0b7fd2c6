#include "gainsay/oracle/linearizability.hpp"

#include <cstdlib>
#include <ctime>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/oracle/linearizable/random_history.test.hpp"

namespace gainsay::linearizability_test {
namespace {

using namespace testing;  // NOLINT: the helpers of the header above

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Reg = specs::Register<int>;
using Cas = specs::CasRegister<int>;
using Stack = specs::Stack<int>;

Reg::Result value(int v) { return Reg::Result(std::in_place_index<1>, v); }
const Reg::Result written = Reg::Result(std::in_place_index<0>);

// write(1), then write(2), then a read that sees the first one; and bystanders before, after and beside it.
History stale_read() {
  History history;
  history.invoke("a", Reg::Op(Reg::Write{9}));
  history.ok("a", written);
  history.invoke("b", Reg::Op(Reg::Read{}));
  history.ok("b", value(9));
  history.invoke("a", Reg::Op(Reg::Write{1}));
  history.ok("a", written);
  history.invoke("a", Reg::Op(Reg::Write{2}));
  history.invoke("c", Reg::Op(Reg::Read{}));
  history.ok("a", written);
  history.invoke("b", Reg::Op(Reg::Read{}));
  history.ok("c", value(2));
  history.ok("b", value(1));
  history.invoke("a", Reg::Op(Reg::Write{3}));
  history.ok("a", written);
  return history;
}

TEST(Linearizability, AnEmptyHistoryIsLinearizable) {
  const CheckResult result = check_history<Reg>(History{});
  EXPECT_EQ(result.verdict, Verdict::ok);
  EXPECT_EQ(result.parts, 0U);
  EXPECT_TRUE(result.explanation.linearization.empty());
}

TEST(Linearizability, FailedOperationsDidNotHappen) {
  History history;
  history.invoke("a", Reg::Op(Reg::Write{1}));
  history.fail("a");
  history.invoke("a", Reg::Op(Reg::Read{}));
  history.ok("a", value(0));
  const CheckResult result = check_history<Reg>(history);
  EXPECT_EQ(result.verdict, Verdict::ok);
  EXPECT_EQ(result.operations, 1U);
  EXPECT_THAT(result.explanation.linearization, ElementsAre(1U));
}

TEST(Linearizability, AnUnknownOutcomeMayHappenAtAnyLaterTime) {
  History history;
  history.invoke("a", Reg::Op(Reg::Write{1}));
  history.info("a");
  for (const int seen : {0, 1, 1}) {
    history.invoke("b", Reg::Op(Reg::Read{}));
    history.ok("b", value(seen));
  }
  EXPECT_EQ(check_history<Reg>(history).verdict, Verdict::ok);
  history.invoke("b", Reg::Op(Reg::Read{}));
  history.ok("b", value(0));
  EXPECT_EQ(check_history<Reg>(history).verdict, Verdict::violated) << "it happened, and cannot be undone";
}

TEST(Linearizability, ExplainsWhatCannotBePlacedAndWhy) {
  const History history = stale_read();
  for (const auto algorithm : {CheckOptions::Algorithm::automatic, CheckOptions::Algorithm::depth_first,
                               CheckOptions::Algorithm::just_in_time}) {
    CheckOptions options;
    options.algorithm = algorithm;
    const CheckResult result = check_history<Reg>(history, options);
    EXPECT_EQ(result.verdict, Verdict::violated);
    ASSERT_TRUE(result.explanation.culprit.has_value()) << result.method;
    EXPECT_EQ(*result.explanation.culprit, 5U) << "the stale read";
    EXPECT_THAT(result.explanation.why, HasSubstr("b: read -> 1 cannot be placed"));
    EXPECT_THAT(result.explanation.why, HasSubstr("but the register holds 2"));
    // Without either write, or without the order between the second one and the read, there is an order.
    EXPECT_THAT(result.explanation.contradiction, ElementsAre(2U, 3U, 5U)) << result.method;
    EXPECT_TRUE(result.explanation.contradiction_is_minimal);
    ASSERT_FALSE(result.explanation.attempts.empty());
    EXPECT_EQ(result.explanation.attempts.front().state, "2");
  }
}

using Kv = specs::Kv<int, std::string>;

Kv::Result got(const std::string& text) { return Kv::Result(std::in_place_index<1>, text); }

void append_ok(History& history, const std::string& process, const std::string& text) {
  history.invoke(process, Kv::Op(Kv::Append{1, text}));
  history.ok(process, Kv::Result(std::in_place_index<0>));
}
void get_ok(History& history, const std::string& process, const std::string& text) {
  history.invoke(process, Kv::Op(Kv::Get{1}));
  history.ok(process, got(text));
}

// A search that looks ahead turns back at the first append already, because a later get has seen nothing of it. The
// get is to blame.
TEST(Linearizability, NamesTheStaleGetAndNotTheAppendsBeforeIt) {
  History history;
  append_ok(history, "a", "x");
  append_ok(history, "b", "y");
  get_ok(history, "a", "xy");
  append_ok(history, "a", "z");
  get_ok(history, "c", "");
  get_ok(history, "c", "xyz");
  for (const auto algorithm : {CheckOptions::Algorithm::automatic, CheckOptions::Algorithm::depth_first,
                               CheckOptions::Algorithm::just_in_time}) {
    CheckOptions options;
    options.algorithm = algorithm;
    const CheckResult result = check_history<Kv>(history, options);
    EXPECT_EQ(result.verdict, Verdict::violated);
    EXPECT_EQ(result.explanation.culprit, 4U);
    EXPECT_EQ(result.explanation.why,
              "c: get(1) -> \"\" cannot be placed: get(1) -> \"\", but the key holds \"xyz\"");
    ASSERT_EQ(result.explanation.attempts.size(), 1U);
    EXPECT_THAT(result.explanation.attempts.front().order, ElementsAre(0U, 1U, 2U, 3U));
    ASSERT_EQ(result.explanation.contradiction.size(), 2U) << "any append, and the get";
    EXPECT_EQ(result.explanation.contradiction.back(), 4U);
    EXPECT_TRUE(result.explanation.contradiction_is_minimal);
  }
}

// Whether what had returned by `position`, with some of what was under way then, can be put in order.
bool can_be_ordered_until(const History& history, std::uint64_t position, const SpecType& spec,
                          const AnyValue& initial) {
  std::vector<std::size_t> returned;
  std::vector<std::size_t> under_way;
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (history[i].status == OperationStatus::fail || history[i].invoked > position) continue;
    (history[i].returned <= position ? returned : under_way).push_back(i);
  }
  for (std::uint64_t some = 0; some < (1ULL << under_way.size()); ++some) {
    std::vector<std::size_t> kept = returned;
    for (std::size_t i = 0; i < under_way.size(); ++i) {
      if ((some >> i & 1U) != 0) kept.push_back(under_way[i]);
    }
    std::sort(kept.begin(), kept.end());
    if (Twin(history.restricted_to(kept), spec, initial).ok()) return true;
  }
  return false;
}

template <class S> std::size_t culprits_against_twin(const Play<S>& play, std::uint64_t runs) {
  const SpecType& spec = spec_type<S>();
  const AnyValue initial = AnyValue::of(play.initial);
  std::size_t found = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    Rng rng(23, run);
    const History history = random_history(rng, play, {.operations = 6, .lie_percent = 20});
    for (const auto algorithm :
         {CheckOptions::Algorithm::depth_first, CheckOptions::Algorithm::just_in_time}) {
      CheckOptions options;
      options.algorithm = algorithm;
      const CheckResult result = check_history(history, spec, initial, options);
      if (result.verdict != Verdict::violated) break;
      ++found;
      EXPECT_TRUE(result.explanation.culprit.has_value());
      if (!result.explanation.culprit) return found;
      const std::uint64_t returned = history[*result.explanation.culprit].returned;
      EXPECT_FALSE(can_be_ordered_until(history, returned, spec, initial)) << text_of(history, spec);
      EXPECT_TRUE(can_be_ordered_until(history, returned - 1, spec, initial)) << text_of(history, spec);
      EXPECT_THAT(result.explanation.why, HasSubstr(" cannot be placed: ")) << "with the reason";
      if (::testing::Test::HasFailure()) return found;
    }
  }
  return found;
}

// One key: parts that are judged apart have a culprit each.
TEST(Linearizability, TheCulpritIsTheFirstReturnThatNoOrderAccountsFor) {
  EXPECT_GT(culprits_against_twin(play_kv(1, 10), 2'000), 300U);
  EXPECT_GT(culprits_against_twin(play_kv(1, 50), 2'000), 300U);
  EXPECT_GT(culprits_against_twin(play_cas(), 1'000), 300U);
  EXPECT_GT(culprits_against_twin(play_log(), 1'000), 300U);
}

// A contradiction must be one whatever the other operations did, and none of it may be superfluous. Both are asked of
// the twin, which tries every order.
template <class S>
std::size_t contradictions_against_twin(const Play<S>& play, CheckOptions::Consistency consistency,
                                        bool whole_values = false) {
  const SpecType& spec = spec_type<S>();
  const AnyValue initial = AnyValue::of(play.initial);
  const bool by_process = consistency == CheckOptions::Consistency::sequential;
  CheckOptions options;
  options.consistency = consistency;
  std::size_t found = 0;
  for (std::uint64_t run = 0; run < 2'000; ++run) {
    Rng rng(11, run);
    const History history = random_history(rng, play, {.operations = 6, .lie_percent = 20});
    const CheckResult result = check_history(history, spec, initial, options);
    if (result.verdict != Verdict::violated) continue;
    ++found;
    const std::vector<std::size_t>& kept = result.explanation.contradiction;
    EXPECT_FALSE(kept.empty()) << text_of(history, spec);
    EXPECT_TRUE(result.explanation.contradiction_is_minimal);
    const auto with_only = [&](std::optional<std::size_t> without) {
      History weaker = history;
      for (std::size_t i = 0; i < history.size(); ++i) {
        const bool is_kept = std::find(kept.begin(), kept.end(), i) != kept.end() && i != without;
        if (!is_kept && history[i].status == OperationStatus::ok) weaker.forget_outcome(i);
      }
      return Twin(weaker, spec, initial, by_process).ok();
    };
    // Where values were taken out as a whole, it may be one only as long as the others are not forgotten.
    EXPECT_TRUE(!with_only(std::nullopt) || whole_values) << text_of(history, spec);
    for (const std::size_t each : kept)
      EXPECT_TRUE(with_only(each)) << each << "\n" << text_of(history, spec);
    if (::testing::Test::HasFailure()) return found;
  }
  return found;
}

TEST(Linearizability, ContradictionsAreSmallestOnes) {
  constexpr auto linearizable = CheckOptions::Consistency::linearizable;
  EXPECT_GT(contradictions_against_twin(play_cas(), linearizable), 300U);
  EXPECT_GT(contradictions_against_twin(play_kv(1, 10), linearizable), 300U);
  EXPECT_GT(contradictions_against_twin(play_kv(2, 50), linearizable), 200U);
  EXPECT_GT(contradictions_against_twin(play_queue(0), linearizable, true), 200U);
  EXPECT_GT(contradictions_against_twin(play_register(0), linearizable, true), 200U);
}

TEST(Linearizability, WhatNobodyWroteIsCalledThat) {
  History history;
  history.invoke("a", Reg::Op(Reg::Write{4}));
  history.ok("a", written);
  history.invoke("b", Reg::Op(Reg::Read{}));
  history.ok("b", value(9));
  const CheckResult result = check_history<Reg>(history);
  EXPECT_THAT(result.explanation.why, HasSubstr("read -> 9 cannot be placed: nobody wrote that value"));
  EXPECT_THAT(result.explanation.contradiction, ElementsAre(1U));
  // The initial value was there, though nobody wrote it.
  history.invoke("b", Reg::Op(Reg::Read{}));
  history.ok("b", value(0));
  const CheckResult stale = check_history<Reg>(history.restricted_to({0, 2}));
  EXPECT_EQ(stale.verdict, Verdict::violated);
  EXPECT_THAT(stale.explanation.why, Not(HasSubstr("nobody wrote")));
}

// A remove that was over before the value was put in: it alone is enough.
TEST(Linearizability, AContradictionOfAQueueIsMinimalByOperation) {
  using Queue = specs::Queue<int>;
  History history;
  history.invoke("a", Queue::Op(Queue::Dequeue{}));
  history.ok("a", Queue::Result{1});
  history.invoke("b", Queue::Op(Queue::Enqueue{1}));
  history.ok("b", Queue::Result{});
  const CheckResult result = check_history<Queue>(history);
  EXPECT_EQ(result.verdict, Verdict::violated);
  EXPECT_THAT(result.explanation.contradiction, ElementsAre(0U));
}

TEST(Linearizability, ContradictionsOfProcessOrderAreSmallestOnes) {
  constexpr auto sequential = CheckOptions::Consistency::sequential;
  EXPECT_GT(contradictions_against_twin(play_cas(), sequential), 200U);
  EXPECT_GT(contradictions_against_twin(play_kv(2, 50), sequential), 100U);
  EXPECT_GT(contradictions_against_twin(play_queue(0), sequential), 100U);
}

TEST(Linearizability, AContradictionOfAStackIsAFewOperations) {
  Rng rng(5);
  History history = random_history(
      rng, play_stack(0), {.operations = 60, .crash_percent = 0, .lie_percent = 0, .forget_percent = 0});
  for (const int each : {1000, 1001}) {
    history.invoke("q", Stack::Op(Stack::Push{each}));
    history.ok("q", Stack::Result{});
  }
  for (const int each : {1000, 1001}) {
    history.invoke("q", Stack::Op(Stack::Pop{}));
    history.ok("q", Stack::Result{each});
  }
  const CheckResult result = check_history<Stack>(history);
  EXPECT_EQ(result.verdict, Verdict::violated);
  EXPECT_EQ(result.method, "stack without duplicates");
  EXPECT_EQ(result.explanation.contradiction.size(), 3U) << "both pushes, and the pop of the lower one";
  EXPECT_TRUE(result.explanation.culprit.has_value());
  EXPECT_THAT(result.explanation.why, HasSubstr("pop -> 1000 cannot be placed"));
}

// An order that is only executed costs no copy of the object for each step: copies of 60,000 values, 120,000 times,
// would take minutes.
TEST(Linearizability, LongOrdersAreExecutedInPlace) {
  using Queue = specs::Queue<>;
  constexpr int count = 60'000;
  History history;
  for (int i = 0; i < count; ++i) {
    history.invoke("a", Queue::Op(Queue::Enqueue{Datum::of(i)}));
    history.ok("a", Queue::Result{});
  }
  for (int i = 0; i < count; ++i) {
    history.invoke("a", Queue::Op(Queue::Dequeue{}));
    history.ok("a", Queue::Result{Datum::of(i)});
  }
  const std::clock_t before = std::clock();
  EXPECT_EQ(check_history<Queue>(history).verdict, Verdict::ok);
  EXPECT_LT(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, 20);
}

// --- budgets -------------------------------------------------------------------------------------------------------

// Concurrent increments of different sizes and a read of one more than their sum: every subset must be tried.
History explosive(std::int64_t operations) {
  History history;
  using C = specs::Counter;
  std::int64_t sum = 0;
  const auto amount = [](std::int64_t i) { return (std::int64_t{1} << i) * 2 - (i % 2 == 0 ? 1 : 0); };
  for (std::int64_t i = 0; i < operations; ++i) history.invoke(std::to_string(i), C::Op(C::Add{amount(i)}));
  history.invoke("reader", C::Op(C::AddAndGet{0}));
  for (std::int64_t i = 0; i < operations; ++i) {
    history.ok(std::to_string(i), C::Result{});
    sum += amount(i);
  }
  history.ok("reader", C::Result{sum + 1});
  return history;
}

TEST(Budget, AHistoryBuiltToExplodeEndsAsUnknownWithinItsMemory) {
  const History history = explosive(30);
  CheckOptions options;
  options.memory_bytes_max = 16U << 20U;
  options.time_max = std::chrono::seconds(60);
  for (const auto algorithm : {CheckOptions::Algorithm::automatic, CheckOptions::Algorithm::depth_first,
                               CheckOptions::Algorithm::just_in_time}) {
    options.algorithm = algorithm;
    const CheckResult result = check_history<specs::Counter>(history, options);
    EXPECT_EQ(result.verdict, Verdict::unknown);
    EXPECT_THAT(result.unknown_because, HasSubstr("the memory (16"));
    EXPECT_LE(result.memory_bytes, 16U << 20U) << result.method;
    EXPECT_GE(result.memory_bytes, 8U << 20U) << "and most of it is used";
    EXPECT_LT(result.elapsed_s, 30);
    EXPECT_FALSE(result.explanation.attempts.empty()) << "what was found so far";
  }
}

TEST(Budget, TimeEndsASearch) {
  CheckOptions options;
  options.time_max = std::chrono::milliseconds(50);
  const CheckResult result = check_history<specs::Counter>(explosive(40), options);
  EXPECT_EQ(result.verdict, Verdict::unknown);
  EXPECT_EQ(result.unknown_because, "the time (50ms) is over");
  EXPECT_LT(result.elapsed_s, 5);
}

// Unlike time, steps are the same on every machine.
TEST(Budget, StepsEndASearch) {
  CheckOptions options;
  options.steps_max = 10'000;
  for (const auto consistency :
       {CheckOptions::Consistency::linearizable, CheckOptions::Consistency::sequential}) {
    options.consistency = consistency;
    const CheckResult result = check_history<specs::Counter>(explosive(40), options);
    EXPECT_EQ(result.verdict, Verdict::unknown);
    EXPECT_EQ(result.unknown_because, "the steps given are used up");
    EXPECT_TRUE(result.over_budget);
    EXPECT_LE(result.steps, 11'000U);
  }
}

// One step of this would take for ever.
struct Sleeper {
  struct Op {};
  using Result = int;
  int calls = 0;
  Result apply(const Op&, const StopToken& stop) {
    while (!stop.stopped()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return ++calls;
  }
};

TEST(Budget, TimeEndsALongRunningSpecification) {
  History history;
  history.invoke("a", Sleeper::Op{});
  history.ok("a", 1);
  CheckOptions options;
  options.time_max = std::chrono::milliseconds(30);
  const CheckResult result = check_history<Sleeper>(history, options);
  EXPECT_EQ(result.verdict, Verdict::unknown);
  EXPECT_EQ(result.unknown_because, "the time (30ms) is over");
}

int impure_answers = 0;  // what a specification must not look at
struct Impure {
  struct Op {};
  using Result = int;
  int last = 0;
  Result apply(const Op&) { return last = ++impure_answers % 3; }
};

TEST(Linearizability, AnImpureModelIsDetected) {
  History history;
  history.invoke("a", Impure::Op{});
  history.ok("a", 1);
  const CheckResult result = check_history<Impure>(history);
  EXPECT_EQ(result.verdict, Verdict::unknown);
  EXPECT_THAT(result.unknown_because, HasSubstr("the model is not a function"));
}

// --- threads ---------------------------------------------------------------------------------------------------------

TEST(Linearizability, ResultAndWitnessDoNotDependOnThreads) {
  const auto play = play_kv(6, 10);
  using S = specs::Kv<int, std::string>;
  for (std::uint64_t run = 0; run < 60; ++run) {
    Rng rng(17, run);
    const History history = random_history(
        rng, play,
        {.operations = 60, .processes = 4, .crash_percent = 4, .lie_percent = run % 2, .forget_percent = 0});
    CheckOptions one;
    CheckOptions many;
    many.jobs = 4;
    const CheckResult a = check_history<S>(history, one);
    const CheckResult b = check_history<S>(history, many);
    EXPECT_EQ(a.verdict, b.verdict);
    EXPECT_EQ(a.steps, b.steps);
    EXPECT_EQ(a.explanation.linearization, b.explanation.linearization);
    EXPECT_EQ(a.explanation.culprit, b.explanation.culprit);
    EXPECT_EQ(a.explanation.why, b.explanation.why);
    EXPECT_EQ(a.explanation.contradiction, b.explanation.contradiction);
    EXPECT_EQ(a.explanation.part, b.explanation.part);
    if (a.verdict == Verdict::ok) {
      EXPECT_EQ(fault_of(history, spec_type<S>(), AnyValue::of(S{}), a.explanation.linearization), "");
    }
  }
}

TEST(Linearizability, SequentialConsistencyIgnoresRealTime) {
  History history;
  history.invoke("a", Reg::Op(Reg::Write{1}));
  history.ok("a", written);
  history.invoke("b", Reg::Op(Reg::Read{}));
  history.ok("b", value(0));
  EXPECT_EQ(check_history<Reg>(history).verdict, Verdict::violated);
  CheckOptions options;
  options.consistency = CheckOptions::Consistency::sequential;
  EXPECT_EQ(check_history<Reg>(history, options).verdict, Verdict::ok);
  history.invoke("a", Reg::Op(Reg::Read{}));
  history.ok("a", value(0));
  const CheckResult result = check_history<Reg>(history, options);
  EXPECT_EQ(result.verdict, Verdict::violated) << "a process sees its own writes";
  EXPECT_EQ(result.explanation.culprit, 2U);
  EXPECT_THAT(result.explanation.contradiction, ElementsAre(0U, 2U)) << "not the read of another process";
  EXPECT_TRUE(result.explanation.contradiction_is_minimal);
}

}  // namespace
}  // namespace gainsay::linearizability_test
