#include "gainsay/oracle/linearizability.hpp"

#include <algorithm>
#include <atomic>

#include "gainsay/base/parallel.hpp"
#include "gainsay/oracle/linearizable/contradiction.hpp"
#include "gainsay/oracle/linearizable/part.hpp"
#include "gainsay/oracle/linearizable/partition.hpp"

namespace gainsay {
namespace {

using linearizable::NamedPart;
using linearizable::PartResult;

// Judges every part, the first ones first. A violated part calls off those after it, never those before: the
// first violated part is the same whatever the number of threads.
class Parts {
 public:
  Parts(const History& history, const SpecType& spec, const AnyValue& initial, const CheckOptions& options,
        const Budget& budget, const std::vector<NamedPart>& parts)
      : history_(history), spec_(spec), initial_(initial), options_(options), budget_(budget), parts_(parts) {
    results_.resize(parts.size());
    workers_ = std::clamp<std::size_t>(options.jobs, 1, std::max<std::size_t>(parts.size(), 1));
  }

  std::vector<PartResult> run() {
    run_together(static_cast<unsigned>(workers_), [this](unsigned) { work(); });
    // Memory was shared among the threads: who ran out of it gets all of it now.
    for (std::size_t i = 0; workers_ > 1 && i < parts_.size() && i < lowest_violated_; ++i) {
      if (results_[i].out_of_memory) results_[i] = judge(i, budget_.memory_bytes_max());
      if (results_[i].verdict == Verdict::violated) lowest_violated_ = i;
    }
    return std::move(results_);
  }

  // The first violated part, or as many as there are.
  std::size_t lowest_violated() const { return std::min(lowest_violated_.load(), parts_.size()); }

 private:
  PartResult judge(std::size_t index, std::uint64_t bytes_max) {
    const Budget mine = budget_.with_memory(bytes_max).called_off_below(lowest_violated_, index);
    if (options_.consistency == CheckOptions::Consistency::sequential)
      return linearizable::judge_sequential(history_, parts_[index].operations, spec_, initial_, mine,
                                            nullptr);
    return linearizable::judge(history_, parts_[index].operations, spec_, initial_, options_, mine);
  }

  void work() {
    try {
      for (std::size_t i = next_++; i < parts_.size(); i = next_++) {
        if (i > lowest_violated_) return;
        results_[i] = judge(i, budget_.memory_bytes_max() / workers_);
        if (results_[i].verdict != Verdict::violated) continue;
        std::size_t lowest = lowest_violated_;
        while (i < lowest && !lowest_violated_.compare_exchange_weak(lowest, i)) {
        }
      }
    } catch (...) {
      next_ = parts_.size();  // nobody begins another part
      throw;
    }
  }

  const History& history_;
  const SpecType& spec_;
  const AnyValue& initial_;
  const CheckOptions& options_;
  const Budget& budget_;
  const std::vector<NamedPart>& parts_;
  std::size_t workers_ = 1;
  std::vector<PartResult> results_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> lowest_violated_{static_cast<std::size_t>(-1)};
};

Role role_of(const SpecType& spec, const Operation& operation) {
  return spec.role(operation.op.data(), operation.result.has_value() ? operation.result.data() : nullptr);
}

// Whether the operation saw a value that nobody put there and that was not there at first.
bool saw_what_nobody_wrote(const History& history, std::size_t index, const SpecType& spec,
                           const AnyValue& initial) {
  if (spec.role == nullptr || spec.value == nullptr || !history[index].result.has_value()) return false;
  const Role seen = role_of(spec, history[index]);
  if (seen.kind != Role::Kind::read && seen.kind != Role::Kind::remove && seen.kind != Role::Kind::present)
    return false;
  for (const Operation& each : history.operations()) {
    if (each.status == OperationStatus::fail) continue;
    const Role role = role_of(spec, each);
    const bool puts = role.kind == Role::Kind::write || role.kind == Role::Kind::insert ||
                      role.kind == Role::Kind::unknown_insert;
    if (puts && spec.value->equal(role.value, seen.value)) return false;
    const void* result = each.result.has_value() ? each.result.data() : nullptr;
    if (role.kind == Role::Kind::other && !spec.pure(each.op.data(), result)) return false;
  }
  CheckOptions alone;
  alone.explain = false;
  return check_history(history.restricted_to({index}), spec, initial, alone).verdict == Verdict::violated;
}

std::string why(const History& history, const SpecType& spec, const AnyValue& initial,
                const Explanation& explanation) {
  if (!explanation.culprit) return {};
  const Operation& culprit = history[*explanation.culprit];
  std::string text =
      history.process_name(culprit) + ": " +
      spec.text(culprit.op.data(), culprit.result.has_value() ? culprit.result.data() : nullptr) +
      " cannot be placed";
  if (saw_what_nobody_wrote(history, *explanation.culprit, spec, initial))
    return text + ": nobody wrote that value, and it was not there at first";
  std::vector<std::string> reasons;
  for (const Explanation::Attempt& attempt : explanation.attempts) {
    for (const Explanation::Attempt::Next& next : attempt.next) {
      if (next.operation != *explanation.culprit || next.why.empty()) continue;
      if (std::find(reasons.begin(), reasons.end(), next.why) == reasons.end()) reasons.push_back(next.why);
    }
  }
  const std::size_t shown = std::min<std::size_t>(reasons.size(), 3);
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? ": " : "; or ") + reasons[i];
  if (reasons.size() > shown) text += "; and " + std::to_string(reasons.size() - shown) + " more";
  return text;
}

}  // namespace

CheckResult check_history(const History& history, const SpecType& spec, const AnyValue& initial,
                          const CheckOptions& options) {
  Budget budget = Budget(options.time_max, options.memory_bytes_max).until(options.stop);
  if (options.steps_max) budget = budget.with_steps(*options.steps_max);
  const bool take_apart = options.consistency == CheckOptions::Consistency::linearizable;
  const std::vector<NamedPart> parts = linearizable::partition(history, spec, take_apart);
  CheckResult result;
  result.consistency = options.consistency;
  result.parts = parts.size();
  for (const NamedPart& each : parts) result.operations += each.operations.size();
  Parts judged(history, spec, initial, options, budget, parts);
  std::vector<PartResult> results = judged.run();
  const std::size_t violated = judged.lowest_violated();

  // What came after the first violated part may or may not have been looked at: it does not count.
  const std::size_t counted = std::min(violated + 1, parts.size());
  const PartResult* decisive = nullptr;
  for (std::size_t i = 0; i < counted; ++i) {
    result.steps += results[i].steps;
    result.memory_bytes = std::max(result.memory_bytes, results[i].bytes);
    if (results[i].verdict == Verdict::unknown && decisive == nullptr) decisive = &results[i];
  }
  if (violated < parts.size()) decisive = &results[violated];
  result.verdict = decisive != nullptr ? decisive->verdict : Verdict::ok;
  if (decisive == nullptr) {
    std::vector<std::vector<std::size_t>> orders;
    for (PartResult& each : results) orders.push_back(std::move(each.linearization));
    if (take_apart) {
      result.explanation.linearization = linearizable::merge_orders(history, orders);
    } else if (!orders.empty()) {
      result.explanation.linearization = std::move(orders.front());
    }
    if (!results.empty()) result.method = results.back().method;
    result.elapsed_s = budget.elapsed_s();
    return result;
  }
  const auto which = static_cast<std::size_t>(decisive - results.data());
  result.method = decisive->method;
  result.unknown_because = decisive->unknown_because;
  result.over_budget = decisive->over_budget;
  result.explanation.part = parts[which].key;
  result.explanation.attempts = decisive->attempts;
  result.explanation.culprit = decisive->culprit;
  if (result.verdict == Verdict::violated) {
    if (options.explain) {
      linearizable::Contradiction smallest = linearizable::smallest_contradiction(
          history, parts[which].operations, spec, initial, options.consistency, *decisive, budget);
      result.explanation.contradiction = std::move(smallest.operations);
      result.explanation.contradiction_is_minimal = smallest.is_minimal;
      // A fast path knows that there is no order, not how far one gets: the contradiction is small enough to see.
      if (!result.explanation.culprit && take_apart && !result.explanation.contradiction.empty()) {
        const linearizable::Part few(result.explanation.contradiction.begin(),
                                     result.explanation.contradiction.end());
        PartResult seen =
            linearizable::judge_by_search(history, few, spec, initial, options, budget, nullptr);
        result.explanation.attempts = std::move(seen.attempts);
        result.explanation.culprit = seen.culprit;
      }
    }
    result.explanation.why = why(history, spec, initial, result.explanation);
  }
  result.elapsed_s = budget.elapsed_s();
  return result;
}

CheckResult check_history(const History& history, const Model& model, const CheckOptions& options) {
  return check_history(model.typed(history), *model.spec, model.initial, options);
}

}  // namespace gainsay
