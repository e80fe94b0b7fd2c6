#include "gainsay/oracle/linearizable/contradiction.hpp"

#include <algorithm>
#include <functional>

#include "gainsay/base/check.hpp"
#include "gainsay/oracle/linearizable/fast.hpp"

namespace gainsay::linearizable {
namespace {

constexpr std::uint64_t steps_each_min = 20'000;
constexpr std::uint64_t steps_all = 2'000'000;
constexpr std::uint64_t operations_per_step = 8;  // preparing so many costs about as much as a step

using Unit = std::vector<std::uint32_t>;  // operations that are kept or left out together

class Shrinker {
 public:
  // `violated(kept)`: still wrong with only these units; unknown counts as not known to be.
  using Ask = std::function<Verdict(const std::vector<Unit>& kept)>;
  explicit Shrinker(Ask ask) : ask_(std::move(ask)) {}

  // A subset of the units that is violated and, where every answer was known, 1-minimal; none if all together are
  // not known to be violated.
  std::vector<Unit> shrink(std::vector<Unit> units) {
    units = latest(std::move(units));
    if (units.empty()) return units;
    for (std::size_t chunk = std::max<std::size_t>(units.size() / 2, 1);; chunk = (chunk + 1) / 2) {
      bool removed = false;
      doubtful_ = false;
      for (std::size_t begin = 0; begin < units.size() && units.size() > 1;) {
        std::vector<Unit> fewer(units.begin(), units.begin() + static_cast<std::ptrdiff_t>(begin));
        const std::size_t end = std::min(units.size(), begin + chunk);
        fewer.insert(fewer.end(), units.begin() + static_cast<std::ptrdiff_t>(end), units.end());
        if (!fewer.empty() && is_violated(fewer)) {
          units = std::move(fewer);
          removed = true;
        } else {
          begin = end;
        }
      }
      if (chunk == 1 && !removed) return units;
    }
  }

  bool is_minimal() const { return !doubtful_; }

 private:
  // Contradictions are mostly near the operation that shows them, the last one: as many of the last as needed,
  // doubled until it suffices.
  std::vector<Unit> latest(std::vector<Unit> units) {
    for (std::size_t count = 4; count < units.size(); count *= 2) {
      std::vector<Unit> last(units.end() - static_cast<std::ptrdiff_t>(count), units.end());
      if (is_violated(last)) return last;
    }
    if (!is_violated(units)) units.clear();
    return units;
  }
  bool is_violated(const std::vector<Unit>& kept) {
    const Verdict verdict = ask_(kept);
    if (verdict == Verdict::unknown) doubtful_ = true;
    return verdict == Verdict::violated;
  }

  Ask ask_;
  bool doubtful_ = false;
};

}  // namespace

Contradiction smallest_contradiction(const History& history, const Part& part, const SpecType& spec,
                                     const AnyValue& initial, CheckOptions::Consistency consistency,
                                     const PartResult& violated, const Budget& budget) {
  GAINSAY_CHECK(violated.verdict == Verdict::violated, "there is something to explain");
  Contradiction found;
  const std::uint64_t steps_each = std::max(steps_each_min, violated.steps * 4);
  CheckOptions options;
  options.explain = false;
  const bool real_time = consistency == CheckOptions::Consistency::linearizable;

  std::vector<Unit> units;
  if (real_time) units = value_groups(history, part, spec);
  const bool by_value = !units.empty();
  // What was invoked after the operation that cannot be placed had returned does not matter. What was under way
  // does: the search knows its result. So does whatever may have happened before one of these returned.
  const std::uint64_t last = real_time && violated.culprit ? history[*violated.culprit].returned : never;
  std::uint64_t last_return = 0;
  for (const std::uint32_t each : part) {
    if (by_value || history[each].status != OperationStatus::ok || history[each].invoked >= last) continue;
    units.push_back({each});
    last_return = std::max(last_return, history[each].returned);
  }
  Part matters;
  for (const std::uint32_t each : part) {
    if (!real_time || history[each].invoked < last_return) matters.push_back(each);
  }
  const auto affordable = [&](const Part& prepared) {
    found.steps += prepared.size() / operations_per_step;
    return found.steps <= steps_all && !budget.is_over();
  };
  const auto whole_values = [&](const std::vector<Unit>& kept) {
    Part smaller;
    for (const Unit& unit : kept) smaller.insert(smaller.end(), unit.begin(), unit.end());
    std::sort(smaller.begin(), smaller.end());
    if (!affordable(smaller)) return Verdict::unknown;
    const PartResult again = judge(history, smaller, spec, initial, options, budget.with_steps(steps_each));
    found.steps += again.steps;
    return again.verdict;
  };
  const auto forgetting = [&](const std::vector<Unit>& kept) {
    if (!affordable(matters)) return Verdict::unknown;
    std::vector<bool> forgotten(history.size(), true);
    for (const Unit& unit : kept) forgotten[unit.front()] = false;
    const Budget some = budget.with_steps(steps_each);
    const PartResult again = real_time
                                 ? judge_by_search(history, matters, spec, initial, options, some, &forgotten)
                                 : judge_sequential(history, matters, spec, initial, some, &forgotten);
    found.steps += again.steps;
    return again.verdict;
  };
  if (!by_value) {
    std::sort(units.begin(), units.end(), [&](const Unit& a, const Unit& b) {
      return history[a.front()].returned < history[b.front()].returned;
    });
  }
  Shrinker shrinker(by_value ? Shrinker::Ask(whole_values) : Shrinker::Ask(forgetting));
  units = shrinker.shrink(std::move(units));
  bool minimal = shrinker.is_minimal();
  // What is left of whole values may hold operations whose results do not matter: whatever all others did, or, where
  // that is not enough, with operations on other values left out.
  if (by_value && !units.empty()) {
    Part values;
    for (const Unit& unit : units) values.insert(values.end(), unit.begin(), unit.end());
    std::sort(values.begin(), values.end());
    std::vector<Unit> single;
    for (const std::uint32_t each : values) {
      if (history[each].status != OperationStatus::ok) continue;
      single.push_back({each});
      last_return = std::max(last_return, history[each].returned);
    }
    std::sort(single.begin(), single.end(), [&](const Unit& a, const Unit& b) {
      return history[a.front()].returned < history[b.front()].returned;
    });
    matters.clear();
    for (const std::uint32_t each : part) {
      if (history[each].invoked < last_return) matters.push_back(each);
    }
    if (forgetting(single) != Verdict::violated) matters = std::move(values);
    Shrinker by_operation(forgetting);
    single = by_operation.shrink(std::move(single));
    minimal = minimal && by_operation.is_minimal() && !single.empty();
    if (!single.empty()) units = std::move(single);
  }
  for (const Unit& unit : units) found.operations.insert(found.operations.end(), unit.begin(), unit.end());
  std::sort(found.operations.begin(), found.operations.end());
  found.is_minimal = minimal && !units.empty();
  return found;
}

}  // namespace gainsay::linearizable
