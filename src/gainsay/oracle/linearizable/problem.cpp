#include "gainsay/oracle/linearizable/problem.hpp"

#include <algorithm>
#include <queue>

#include "gainsay/base/hash.hpp"

namespace gainsay::linearizable {
namespace {

using Required = Problem::Required;
using Crashed = Problem::Crashed;

// A slot for each required operation that none of those overlapping it has; returns how many there are.
std::uint32_t give_slots(std::vector<Required>& required, const std::vector<std::uint32_t>& by_invocation) {
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free;
  std::uint32_t slots = 0;
  std::size_t returned = 0;  // required operations that have returned by now
  for (const std::uint32_t each : by_invocation) {
    while (required[returned].returned < required[each].invoked) free.push(required[returned++].slot);
    if (free.empty()) free.push(slots++);
    required[each].slot = free.top();
    free.pop();
  }
  return slots;
}

void list_candidates(Problem& problem, const std::vector<std::uint32_t>& by_invocation) {
  std::vector<std::uint32_t> pending;  // ascending: by return
  std::size_t invoked = 0;
  problem.candidates_begin.push_back(0);
  for (std::uint32_t base = 0; base < problem.end(); ++base) {
    while (invoked < by_invocation.size() &&
           problem.required[by_invocation[invoked]].invoked < problem.required[base].returned) {
      const std::uint32_t added = by_invocation[invoked++];
      pending.insert(std::upper_bound(pending.begin(), pending.end(), added), added);
    }
    problem.candidates.insert(problem.candidates.end(), pending.begin(), pending.end());
    problem.candidates_begin.push_back(problem.candidates.size());
    GAINSAY_CHECK(!pending.empty() && pending.front() == base, "the first to return is pending");
    pending.erase(pending.begin());
  }
}

void look_ahead(Problem& problem, const History& history) {
  const std::uint32_t end = problem.end();
  problem.next_observer.assign(end + 1, end);
  for (std::uint32_t i = end; i-- > 0;)
    problem.next_observer[i] = problem.required[i].pure ? i : problem.next_observer[i + 1];
  std::vector<std::uint64_t> resets;
  for (const Required& each : problem.required) {
    if (each.resets) resets.push_back(each.invoked);
  }
  for (const Crashed& each : problem.crashed) {
    if (!each.resets) continue;
    for (const std::uint32_t operation : each.operations) resets.push_back(history[operation].invoked);
  }
  std::sort(resets.begin(), resets.end());
  problem.next_reset.assign(end + 1, never);
  for (std::uint32_t i = 0; i < end; ++i) {
    const auto next = std::upper_bound(resets.begin(), resets.end(), problem.required[i].returned);
    if (next != resets.end()) problem.next_reset[i] = *next;
  }
}

}  // namespace

std::uint64_t Problem::bytes() const {
  return required.capacity() * sizeof(Required) + candidates.capacity() * 4 +
         candidates_begin.capacity() * 8 + next_observer.capacity() * 4 + next_reset.capacity() * 8 +
         crashed.size() * 128;
}

Problem make_problem(const History& history, const std::vector<std::uint32_t>& operations,
                     const SpecType& spec, StateSpace& space, const std::vector<bool>* forgotten) {
  Problem problem;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> crashes;  // class and operation, by invocation
  for (const std::uint32_t index : operations) {
    const Operation& each = history[index];
    GAINSAY_CHECK(each.status != OperationStatus::fail, "what failed did not happen");
    const bool is_crashed =
        each.status == OperationStatus::info || (forgotten != nullptr && (*forgotten)[index]);
    const bool fits_anywhere = (is_crashed || !each.result.has_value()) && spec.pure(each.op.data(), nullptr);
    if (is_crashed) {
      if (!fits_anywhere) crashes.emplace_back(space.op_class(each.op, AnyValue{}), index);
    } else if (fits_anywhere) {
      problem.anywhere.push_back(index);
    } else {
      const std::uint32_t cls = space.op_class(each.op, each.result);
      problem.required.push_back(
          {index, cls, 0, space.pure(cls), space.resets(cls), each.invoked, each.returned, 0});
    }
  }
  space.start();
  problem.goal = problem.observers_end = static_cast<std::uint32_t>(problem.required.size());
  std::sort(problem.required.begin(), problem.required.end(),
            [](const Required& a, const Required& b) { return a.returned < b.returned; });
  std::vector<std::uint32_t> by_invocation(problem.required.size());
  for (std::uint32_t i = 0; i < problem.end(); ++i) {
    by_invocation[i] = i;
    problem.required[i].zobrist = scramble(mix(i + 1, 0x5eed));
  }
  std::sort(by_invocation.begin(), by_invocation.end(), [&](std::uint32_t a, std::uint32_t b) {
    return problem.required[a].invoked < problem.required[b].invoked;
  });
  problem.mask_words = (give_slots(problem.required, by_invocation) + 63) / 64;
  list_candidates(problem, by_invocation);

  // Classes in the order of their first operation; what is invoked after every return is of no use.
  std::stable_sort(crashes.begin(), crashes.end(), [&](const auto& a, const auto& b) {
    return history[a.second].invoked < history[b.second].invoked;
  });
  std::size_t most = 0;
  for (const auto& [cls, operation] : crashes) {
    const auto after =
        std::upper_bound(problem.required.begin(), problem.required.end(), history[operation].invoked,
                         [](std::uint64_t invoked, const Required& each) { return invoked < each.returned; });
    if (after == problem.required.end()) continue;
    auto known = std::find_if(problem.crashed.begin(), problem.crashed.end(),
                              [cls = cls](const Crashed& each) { return each.cls == cls; });
    if (known == problem.crashed.end()) {
      problem.crashed.push_back({cls, space.resets(cls), {}, {}});
      known = std::prev(problem.crashed.end());
    }
    known->operations.push_back(operation);
    known->from_base.push_back(static_cast<std::uint32_t>(after - problem.required.begin()));
    most = std::max(most, known->operations.size());
  }
  problem.lanes = Lanes::for_counts(problem.crashed.size(), most);
  if (space.looks_ahead()) look_ahead(problem, history);
  return problem;
}

}  // namespace gainsay::linearizable
