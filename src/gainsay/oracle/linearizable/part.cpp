#include "gainsay/oracle/linearizable/part.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"
#include "gainsay/oracle/linearizable/fast.hpp"
#include "gainsay/oracle/linearizable/search.hpp"

namespace gainsay::linearizable {
namespace {

constexpr std::uint64_t first_share_steps = 1U << 16U;

// The operations that could come next after an attempt, each with the reason why it does not fit.
Explanation::Attempt describe(const Problem& problem, StateSpace& space, const Reached& reached) {
  Explanation::Attempt attempt;
  attempt.order = operations_of(problem, reached.order);
  attempt.state = space.text(reached.state);
  if (reached.base >= problem.end()) return attempt;
  const Moves moves(problem, space);
  const Position at{reached.base, reached.state, 0};
  for (std::size_t c = problem.candidates_begin[at.base]; c < problem.candidates_begin[at.base + 1]; ++c) {
    const std::uint32_t i = problem.candidates[c];
    if (moves.is_placed(at, reached.placed_words.data(), i)) continue;
    const Problem::Required& each = problem.required[i];
    const std::optional<bool> fits = space.fits(at.state, each.cls);
    if (!fits) break;  // the time is over
    attempt.next.push_back({each.operation, *fits ? std::string{} : space.reason(at.state, each.cls)});
  }
  return attempt;
}

SearchOutcome search(const Problem& problem, StateSpace& space, const CheckOptions& options,
                     const Budget& budget, PartResult& result, std::vector<Reached>& furthest) {
  using Algorithm = CheckOptions::Algorithm;
  std::unique_ptr<Search> first;
  std::unique_ptr<Search> second;
  if (options.algorithm != Algorithm::just_in_time) first = depth_first(problem, space, budget);
  if (options.algorithm == Algorithm::just_in_time) second = just_in_time(problem, space, budget);
  SearchOutcome outcome = SearchOutcome::paused;
  const Search* last = nullptr;
  for (std::uint64_t share = first_share_steps; outcome == SearchOutcome::paused; share *= 2) {
    for (Search* each : {first.get(), second.get()}) {
      if (each == nullptr || outcome != SearchOutcome::paused) continue;
      const std::uint64_t left = budget.steps_max() - std::min(budget.steps_max(), space.steps());
      if (left == 0) break;
      outcome = each->run(std::min(share, left));
      last = each;
      result.method = each == first.get() ? "depth first" : "just in time";
    }
    result.bytes = space.bytes() + (first ? first->bytes() : 0) + (second ? second->bytes() : 0);
    if (result.bytes > budget.search_bytes_max() && outcome == SearchOutcome::paused)
      outcome = SearchOutcome::no_memory;
    if (space.steps() >= budget.steps_max()) break;
    if (options.algorithm == Algorithm::automatic && second == nullptr && outcome == SearchOutcome::paused)
      second = just_in_time(problem, space, budget);
  }
  if (outcome == SearchOutcome::found) {
    result.linearization = operations_of(problem, last->order());
    return outcome;
  }
  for (const Search* each : {first.get(), second.get()}) {
    if (each == nullptr || (outcome == SearchOutcome::none && each != last)) continue;
    std::vector<Reached> theirs = each->furthest();
    if (theirs.empty() || (!furthest.empty() && theirs.front().base <= furthest.front().base)) continue;
    furthest = std::move(theirs);
  }
  return outcome;
}

// Steps that looking for an explanation may take, beside four times what the verdict took.
constexpr std::uint64_t explain_steps_min = 20'000;

// How many returns an order can account for, by searches with nearer and nearer goals; nothing where one of them did
// not end. REQUIRES: `reached` of them are known to be, and all of them are not.
std::optional<std::uint32_t> most_returns(Problem problem, StateSpace& space, const CheckOptions& options,
                                          const Budget& budget, std::uint64_t steps, std::uint32_t reached) {
  std::uint32_t not_reached = problem.end();
  for (std::uint32_t stride = 1; reached + 1 < not_reached; stride *= 2) {
    // Wide steps until one is too wide: mostly the contradiction is near, and short searches are cheap.
    const bool narrowing = not_reached < static_cast<std::uint32_t>(problem.required.size());
    problem.goal = narrowing
                       ? reached + (not_reached - reached) / 2
                       : std::min(reached + stride, static_cast<std::uint32_t>(problem.required.size()) - 1);
    PartResult ignored;
    std::vector<Reached> furthest;
    const Budget some = budget.with_steps(space.steps() + steps);
    const SearchOutcome outcome = search(problem, space, options, some, ignored, furthest);
    if (outcome == SearchOutcome::found) {
      reached = problem.goal;
    } else if (outcome == SearchOutcome::none) {
      not_reached = problem.goal;
    } else {
      return std::nullopt;
    }
  }
  return reached;
}

// A search that looks ahead gives up long before the operation that cannot be placed. So: how far can one get, and
// where does one stand there?
void explain_looking_ahead(PartResult& result, const Problem& problem, StateSpace& space,
                           const CheckOptions& options, const Budget& budget,
                           std::vector<Reached>& furthest) {
  const std::uint64_t steps = std::max(explain_steps_min, space.steps() * 4);
  const std::uint32_t known = furthest.empty() ? 0 : furthest.front().base;
  const auto reached = most_returns(problem, space, options, budget, steps, known);
  if (!reached) return;
  result.culprit = problem.required[*reached].operation;
  Problem up_to_it = problem;
  up_to_it.goal = *reached + 1;
  up_to_it.observers_end = *reached;
  PartResult ignored;
  std::vector<Reached> seen;
  const Budget some = budget.with_steps(space.steps() + steps);
  const SearchOutcome outcome = search(up_to_it, space, options, some, ignored, seen);
  GAINSAY_CHECK(outcome != SearchOutcome::found, "what no order accounts for");
  if (!seen.empty() && seen.front().base == *reached) furthest = std::move(seen);
}

void explain(PartResult& result, const Problem& problem, StateSpace& space, const CheckOptions& options,
             const Budget& budget, std::vector<Reached> furthest) {
  if (result.verdict == Verdict::violated) {
    if (space.looks_ahead()) {
      if (options.explain) explain_looking_ahead(result, problem, space, options, budget, furthest);
    } else if (!furthest.empty()) {
      result.culprit = problem.required[furthest.front().base].operation;
    }
  }
  for (const Reached& each : furthest) result.attempts.push_back(describe(problem, space, each));
}

}  // namespace

PartResult judge(const History& history, const Part& part, const SpecType& spec, const AnyValue& initial,
                 const CheckOptions& options, const Budget& budget) {
  if (options.algorithm == CheckOptions::Algorithm::automatic) {
    if (std::optional<PartResult> fast = judge_fast(history, part, spec, initial)) return *std::move(fast);
  }
  return judge_by_search(history, part, spec, initial, options, budget, nullptr);
}

PartResult judge_by_search(const History& history, const Part& part, const SpecType& spec,
                           const AnyValue& initial, const CheckOptions& options, const Budget& budget,
                           const std::vector<bool>* forgotten) {
  PartResult result;
  StateSpace space(spec, initial, budget);
  const Problem problem = make_problem(history, part, spec, space, forgotten);
  std::vector<Reached> furthest;
  switch (search(problem, space, options, budget, result, furthest)) {
    case SearchOutcome::found: {
      result.verdict = Verdict::ok;
      if (forgotten != nullptr) break;  // some may stand after the return that was forgotten
      std::vector<std::vector<std::size_t>> orders{std::move(result.linearization)};
      for (const std::uint32_t each : problem.anywhere) orders.push_back({each});
      result.linearization = merge_orders(history, orders);
      break;
    }
    case SearchOutcome::none:
      result.verdict = Verdict::violated;
      break;
    case SearchOutcome::paused:
      result.unknown_because = budget.text(StopReason::steps);
      break;
    case SearchOutcome::no_time:
      result.unknown_because = budget.text(budget.over());
      break;
    case SearchOutcome::no_memory:
      result.unknown_because = budget.text(StopReason::memory);
      result.out_of_memory = true;
      break;
    case SearchOutcome::broken:
      result.unknown_because =
          space.impure_because().empty() ? budget.text(budget.over()) : space.impure_because();
      break;
  }
  result.over_budget = result.verdict == Verdict::unknown && space.impure_because().empty();
  result.steps = space.steps();
  if (result.verdict != Verdict::ok) explain(result, problem, space, options, budget, std::move(furthest));
  return result;
}

std::vector<std::size_t> merge_orders(const History& history,
                                      const std::vector<std::vector<std::size_t>>& orders) {
  struct Taken {
    std::uint64_t point;
    std::size_t order;
    std::size_t operation;
  };
  std::vector<Taken> all;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    std::uint64_t point = 0;
    for (const std::size_t operation : orders[i]) {
      point = std::max(point, history[operation].invoked);
      GAINSAY_CHECK(point < history[operation].returned, "an order of the history");
      all.push_back({point, i, operation});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Taken& a, const Taken& b) {
    return a.point != b.point ? a.point < b.point : a.order < b.order;
  });
  std::vector<std::size_t> merged;
  merged.reserve(all.size());
  for (const Taken& each : all) merged.push_back(each.operation);
  return merged;
}

}  // namespace gainsay::linearizable
