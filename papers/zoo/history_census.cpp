#include "papers/zoo/history_census.hpp"

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>
#include <vector>

#include "gainsay/base/hash.hpp"

namespace gainsay {
namespace {

std::uint64_t value_hash(const HistoryEntry& entry) {
  return entry.type == nullptr ? 0 : mix(entry.type->name_hash, entry.type->hash(entry.data));
}

std::uint64_t history_hash(std::span<const HistoryEntry> history) {
  Hasher hasher(history.size());
  for (const HistoryEntry& entry : history) {
    hasher.add(entry.process.raw);
    hasher.add(entry.actor.raw);
    hasher.add((static_cast<std::uint64_t>(entry.number) << 8U) + (entry.invocation ? 4U : 0U) +
               static_cast<std::uint64_t>(entry.how));
    hasher.add(value_hash(entry));
  }
  return hasher.finish();
}

}  // namespace

std::uint64_t precedence_class(std::span<const HistoryEntry> history) {
  constexpr std::size_t not_yet = ~std::size_t{0};
  struct Interval {
    std::uint64_t asked = 0;
    std::uint64_t answered = 0;
    std::size_t begins = not_yet;
    std::size_t ends = not_yet;
  };
  std::map<std::pair<ActorId, std::uint32_t>, Interval> operations;  // in an order that no schedule changes
  for (std::size_t i = 0; i < history.size(); ++i) {
    const HistoryEntry& entry = history[i];
    Interval& operation = operations[{entry.process, entry.number}];
    (entry.invocation ? operation.asked : operation.answered) = mix(1, value_hash(entry));
    (entry.invocation ? operation.begins : operation.ends) = i;
  }
  Hasher hasher(operations.size());
  for (const auto& [name, a] : operations) {
    hasher.add(name.first.raw);
    hasher.add(name.second);
    hasher.add(a.asked);
    hasher.add(a.answered);
    for (const auto& [other, b] : operations) hasher.add(a.ends < b.begins ? 1 : 0);
  }
  return hasher.finish();
}

bool HistoryCensus::judge(std::span<const HistoryEntry> history, const WorldReader& world) {
  const auto started = std::chrono::steady_clock::now();
  const bool wrong =
      std::any_of(blueprint_.history_properties.begin(), blueprint_.history_properties.end(),
                  [&](const HistoryProperty& p) { return static_cast<bool>(p.check(history, world)); });
  judging_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return wrong;
}

bool HistoryCensus::add(std::span<const HistoryEntry> history, const WorldReader& world) {
  const auto began =
      std::count_if(history.begin(), history.end(), [](const HistoryEntry& e) { return e.invocation; });
  if (2 * began != static_cast<std::ptrdiff_t>(history.size())) ++incomplete_;
  const auto [known, fresh] = wrong_.try_emplace(history_hash(history), false);
  if (fresh) {
    known->second = judge(history, world);
    const std::uint64_t precedence = precedence_class(history);
    precedence_classes_.insert(precedence);
    if (known->second) {
      wrong_precedence_classes_.insert(precedence);
      ++wrong_count_;
    }
  }
  if (known->second) {
    ++wrong_executions_;
    if (!executions_before_wrong_) {
      executions_before_wrong_ = histories_;
      unique_before_wrong_ = wrong_.size() - 1;
    }
  }
  ++histories_;
  return known->second;
}

}  // namespace gainsay
