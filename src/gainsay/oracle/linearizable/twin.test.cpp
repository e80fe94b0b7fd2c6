// The checker against a twin that tries every order, on tens of thousands of small random histories of each
// specification, and its algorithms against each other on larger ones.
#include <cstdlib>

#include <gtest/gtest.h>

#include "gainsay/oracle/linearizable/random_history.test.hpp"

namespace gainsay::twin_test {
namespace {

using namespace testing;  // NOLINT: the helpers of the header above

using Algorithm = CheckOptions::Algorithm;
using Consistency = CheckOptions::Consistency;

std::size_t how_many(std::size_t by_default) {
  return std::getenv("GAINSAY_LONG") != nullptr ? by_default * 5 : by_default;
}

CheckOptions options_for(Algorithm algorithm, Consistency consistency = Consistency::linearizable) {
  CheckOptions options;
  options.algorithm = algorithm;
  options.consistency = consistency;
  options.explain = false;
  return options;
}

struct Seen {
  std::size_t ok = 0;
  std::size_t violated = 0;
  std::size_t fast = 0;
};

template <class S> Seen against_twin(const Play<S>& play, std::size_t runs, HistoryShape shape = {}) {
  const SpecType& spec = spec_type<S>();
  const AnyValue initial = AnyValue::of(play.initial);
  Seen seen;
  for (std::size_t run = 0; run < runs; ++run) {
    Rng rng(20'251, run);
    shape.operations = 1 + run % 7;
    const History history = random_history(rng, play, shape);
    const Twin twin(history, spec, initial);
    ++(twin.ok() ? seen.ok : seen.violated);
    const Verdict expected = twin.ok() ? Verdict::ok : Verdict::violated;
    for (const Algorithm algorithm :
         {Algorithm::automatic, Algorithm::depth_first, Algorithm::just_in_time}) {
      const CheckResult result = check_history(history, spec, initial, options_for(algorithm));
      EXPECT_EQ(result.verdict, expected) << "run " << run << ", " << result.method << "\n"
                                          << text_of(history, spec);
      if (result.verdict == Verdict::ok && twin.ok()) {
        EXPECT_EQ(fault_of(history, spec, initial, result.explanation.linearization), "")
            << "run " << run << ", " << result.method << "\n"
            << text_of(history, spec);
      }
      if (algorithm == Algorithm::automatic && result.method.find("without duplicates") != std::string::npos)
        ++seen.fast;
      if (::testing::Test::HasFailure()) return seen;
    }
    const Twin process_twin(history, spec, initial, true);
    const CheckResult result =
        check_history(history, spec, initial, options_for(Algorithm::automatic, Consistency::sequential));
    EXPECT_EQ(result.verdict, process_twin.ok() ? Verdict::ok : Verdict::violated)
        << "sequential consistency, run " << run << "\n"
        << text_of(history, spec);
    if (result.verdict == Verdict::ok && process_twin.ok()) {
      EXPECT_EQ(fault_of(history, spec, initial, result.explanation.linearization, true), "")
          << text_of(history, spec);
    }
    if (::testing::Test::HasFailure()) return seen;
  }
  EXPECT_GT(seen.ok, runs / 20);
  EXPECT_GT(seen.violated, runs / 50);
  return seen;
}

constexpr std::size_t small_runs = 20'000;

TEST(Twin, Register) { against_twin(play_register(3), how_many(small_runs)); }
TEST(Twin, RegisterWithoutDuplicates) {
  EXPECT_GT(against_twin(play_register(0), how_many(small_runs)).fast, small_runs / 2);
}
TEST(Twin, CasRegister) { against_twin(play_cas(), how_many(small_runs)); }
TEST(Twin, KvWithPuts) { against_twin(play_kv(2, 50), how_many(small_runs)); }
TEST(Twin, KvWithAppends) { against_twin(play_kv(1, 10), how_many(small_runs)); }
TEST(Twin, MultiRegister) { against_twin(play_multi(), how_many(small_runs)); }
TEST(Twin, Mutex) { against_twin(play_mutex(), how_many(small_runs)); }
TEST(Twin, Set) { against_twin(play_set(2, false), how_many(small_runs)); }
TEST(Twin, SetWithReads) { against_twin(play_set(3, true), how_many(small_runs)); }
TEST(Twin, Queue) { against_twin(play_queue(3), how_many(small_runs)); }
TEST(Twin, QueueWithoutDuplicates) {
  EXPECT_GT(against_twin(play_queue(0), how_many(small_runs)).fast, small_runs / 4);
}
TEST(Twin, Stack) { against_twin(play_stack(3), how_many(small_runs)); }
TEST(Twin, StackWithoutDuplicates) {
  EXPECT_GT(against_twin(play_stack(0), how_many(small_runs)).fast, small_runs / 4);
}
TEST(Twin, PriorityQueue) { against_twin(play_priority_queue(3), how_many(small_runs)); }
TEST(Twin, PriorityQueueWithoutDuplicates) {
  EXPECT_GT(against_twin(play_priority_queue(0), how_many(small_runs)).fast, small_runs / 4);
}
TEST(Twin, PriorityQueueGreatestFirst) { against_twin(play_priority_queue_max(0), how_many(small_runs)); }
TEST(Twin, Counter) { against_twin(play_counter(), how_many(small_runs)); }
TEST(Twin, Log) { against_twin(play_log(), how_many(small_runs)); }
TEST(Twin, NondeterministicBag) { against_twin(play_bag(), how_many(small_runs)); }
TEST(Twin, ManyCrashes) {
  against_twin(play_cas(), how_many(small_runs / 2), {.crash_percent = 50, .lie_percent = 30});
  against_twin(play_register(2), how_many(small_runs / 2), {.crash_percent = 50, .lie_percent = 30});
  against_twin(play_queue(0), how_many(small_runs / 2), {.crash_percent = 50, .lie_percent = 30});
}

// --- larger histories: the algorithms against each other ---------------------------------------------------------

// Every algorithm, on histories that are too large for the twin; how many the fast path decided.
template <class S> Seen against_search(const Play<S>& play, std::size_t runs, HistoryShape shape) {
  const SpecType& spec = spec_type<S>();
  const AnyValue initial = AnyValue::of(play.initial);
  Seen seen;
  for (std::size_t run = 0; run < runs; ++run) {
    Rng rng(7, run);
    shape.processes = 2 + run % 3;
    const History history = random_history(rng, play, shape);
    CheckOptions search = options_for(Algorithm::depth_first);
    search.time_max = std::chrono::seconds(5);
    const CheckResult slow = check_history(history, spec, initial, search);
    const CheckResult fast = check_history(history, spec, initial, options_for(Algorithm::automatic));
    EXPECT_NE(slow.verdict, Verdict::unknown);
    ++(slow.verdict == Verdict::ok ? seen.ok : seen.violated);
    if (fast.method.find("without duplicates") != std::string::npos || fast.method == "one element of a set")
      ++seen.fast;
    EXPECT_EQ(fast.verdict, slow.verdict) << "run " << run << ", " << fast.method << "\n"
                                          << text_of(history, spec);
    for (const CheckResult* each : {&fast, &slow}) {
      if (each->verdict != Verdict::ok) continue;
      EXPECT_EQ(fault_of(history, spec, initial, each->explanation.linearization), "") << each->method;
    }
    if (::testing::Test::HasFailure()) return seen;
  }
  return seen;
}

TEST(FastPaths, AgreeWithTheSearchOnLargerHistories) {
  const HistoryShape honest{.operations = 18, .crash_percent = 3, .lie_percent = 0, .forget_percent = 0};
  HistoryShape lying = honest;
  lying.lie_percent = 5;
  for (const HistoryShape& shape : {honest, lying}) {
    const std::size_t runs = how_many(1'500);
    EXPECT_GT(against_search(play_register(0), runs, shape).fast, runs / 2);
    EXPECT_GT(against_search(play_queue(0), runs, shape).fast, runs / 3);
    EXPECT_GT(against_search(play_stack(0), runs, shape).fast, runs / 3);
    EXPECT_GT(against_search(play_priority_queue(0), runs, shape).fast, runs / 3);
    EXPECT_GT(against_search(play_set(12, false), runs, shape).fast, runs / 3);
  }
}

// Results exchanged between operations that overlap: wrong orders of right values, where the fast paths differ most.
template <class S> void against_swaps(const Play<S>& play, std::size_t runs) {
  const SpecType& spec = spec_type<S>();
  const AnyValue initial = AnyValue::of(play.initial);
  Seen seen;
  for (std::size_t run = 0; run < runs; ++run) {
    Rng rng(99, run);
    const History truth = random_history(rng, play,
                                         {.operations = 10 + run % 8,
                                          .processes = 3 + run % 3,
                                          .crash_percent = 0,
                                          .lie_percent = 0,
                                          .forget_percent = 0});
    std::vector<std::pair<AnyValue, AnyValue>> values;
    std::vector<std::size_t> removes;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      values.emplace_back(truth[i].op, truth[i].result);
      const bool is_remove = static_cast<const typename S::Op*>(truth[i].op.data())->index() == 1;
      if (is_remove && truth[i].status == OperationStatus::ok) removes.push_back(i);
    }
    for (std::size_t swap = 0; swap < 1 + run % 3 && removes.size() > 1; ++swap) {
      const std::size_t one = rng.below(removes.size() - 1);
      std::swap(values[removes[one]].second, values[removes[one + 1]].second);
    }
    const History history = truth.with_values(std::move(values));
    const CheckResult slow = check_history(history, spec, initial, options_for(Algorithm::depth_first));
    const CheckResult fast = check_history(history, spec, initial, options_for(Algorithm::automatic));
    ++(slow.verdict == Verdict::ok ? seen.ok : seen.violated);
    EXPECT_EQ(fast.verdict, slow.verdict) << "run " << run << ", " << fast.method << "\n"
                                          << text_of(history, spec);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(seen.ok, runs / 20);
  EXPECT_GT(seen.violated, runs / 20);
}

TEST(FastPaths, AgreeWithTheSearchWhereResultsWereExchanged) {
  against_swaps(play_queue(0), how_many(2'000));
  against_swaps(play_stack(0), how_many(2'000));
  against_swaps(play_priority_queue(0), how_many(2'000));
}

TEST(Searches, AgreeOnLargerHistories) {
  const HistoryShape shape{
      .operations = 22, .processes = 4, .crash_percent = 20, .lie_percent = 2, .forget_percent = 5};
  const auto all = [&](const auto& play) {
    using S = std::decay_t<decltype(play.initial)>;
    for (std::size_t run = 0; run < how_many(100); ++run) {
      Rng rng(3, run);
      const History history = random_history(rng, play, shape);
      const CheckResult a = check_history<S>(history, options_for(Algorithm::depth_first), play.initial);
      const CheckResult b = check_history<S>(history, options_for(Algorithm::just_in_time), play.initial);
      EXPECT_EQ(a.verdict, b.verdict) << "run " << run << "\n" << text_of(history, spec_type<S>());
      if (::testing::Test::HasFailure()) return;
      if (a.verdict == Verdict::violated) {
        EXPECT_EQ(a.explanation.culprit, b.explanation.culprit)
            << "the first return that cannot be placed is a fact";
      }
    }
  };
  all(play_cas());
  all(play_register(3));
  all(play_kv(2, 10));
  all(play_mutex());
  all(play_counter());
  all(play_log());
}

}  // namespace
}  // namespace gainsay::twin_test
