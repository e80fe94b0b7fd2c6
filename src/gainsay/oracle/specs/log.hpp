// Log: append an entry and learn its position, read the entry at a position, or read all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gainsay/oracle/spec.hpp"
#include "gainsay/oracle/specs/common.hpp"

namespace gainsay::specs {

template <class V = Datum> struct Log {
  struct Append {
    V value;
  };
  struct ReadAt {
    std::int64_t position;
  };
  struct Read {};
  using Op = std::variant<Append, ReadAt, Read>;
  // Of an append its position, counted from 0; of a read at a position the entry, if there is one; all entries.
  using Result = std::variant<std::int64_t, std::optional<V>, std::vector<V>>;

  std::vector<V> entries;

  Result apply(const Op& op) {
    if (const auto* append = std::get_if<Append>(&op)) {
      entries.push_back(append->value);
      return Result(std::in_place_index<0>, static_cast<std::int64_t>(entries.size()) - 1);
    }
    if (const auto* at = std::get_if<ReadAt>(&op)) {
      if (at->position < 0 || at->position >= static_cast<std::int64_t>(entries.size()))
        return Result(std::in_place_index<1>, std::nullopt);
      return Result(std::in_place_index<1>, entries[static_cast<std::size_t>(at->position)]);
    }
    return Result(std::in_place_index<2>, entries);
  }

  static bool pure(const Op& op, const Result*) { return !std::holds_alternative<Append>(op); }

  bool may_reach(const Op& op, const Result& result) const {
    if (std::holds_alternative<Read>(op)) return may_become(entries, std::get<2>(result));
    if (std::holds_alternative<Append>(op)) {
      const auto* at = std::get_if<0>(&result);
      return at != nullptr && static_cast<std::int64_t>(entries.size()) <= *at;
    }
    const std::int64_t position = std::get<ReadAt>(op).position;
    if (position < 0 || position >= static_cast<std::int64_t>(entries.size())) return true;
    const std::optional<V>& seen = std::get<1>(result);
    return seen.has_value() && reflect::equal(entries[static_cast<std::size_t>(position)], *seen);
  }
  static bool resets(const Op&) { return false; }

  static std::string text(const Op& op, const Result* result) {
    if (const auto* append = std::get_if<Append>(&op)) {
      const std::string call = "append(" + value_text(append->value) + ")";
      return result == nullptr ? call : call + " -> at " + std::to_string(std::get<0>(*result));
    }
    if (const auto* at = std::get_if<ReadAt>(&op)) {
      const std::string call = "read(" + std::to_string(at->position) + ")";
      if (result == nullptr) return call;
      const std::optional<V>& entry = std::get<1>(*result);
      return call + " -> " + (entry ? value_text(*entry) : std::string("nothing"));
    }
    return result == nullptr ? "read" : "read -> " + entries_text(std::get<2>(*result));
  }
  std::string state_text() const { return entries_text(entries); }

 private:
  static std::string entries_text(const std::vector<V>& entries) {
    std::string all;
    for (const V& each : entries) all += (all.empty() ? "" : " ") + value_text(each);
    return "[" + all + "]";
  }
};

}  // namespace gainsay::specs
