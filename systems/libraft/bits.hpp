// Bits: what the commands of clients do, as a specification. Every command that adds something adds a bit of its own.
//
// It is a counter; but what was seen tells which commands came before, so that a history with many commands whose fate
// nobody knows is judged without trying all sets of them.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace libraft {

struct Bits {
  struct Add {
    std::int64_t bit;  // 1, 2, 4, ...; nobody else adds the same
  };
  struct Read {};
  using Op = std::variant<Add, Read>;
  using Result = std::int64_t;  // the sum, with the bit

  std::int64_t sum = 0;

  Result apply(const Op& op) {
    if (const auto* add = std::get_if<Add>(&op)) sum += add->bit;
    return sum;
  }
  static bool pure(const Op& op, const Result*) { return std::holds_alternative<Read>(op); }
  bool may_reach(const Op& op, const Result& result) const {
    const auto* add = std::get_if<Add>(&op);
    return (sum & ~result) == 0 && (add == nullptr || (sum & add->bit) == 0);
  }
  static bool resets(const Op&) { return false; }
  static std::string text(const Op& op, const Result* result) {
    const auto* add = std::get_if<Add>(&op);
    const std::string call = add == nullptr ? "read" : "add(" + std::to_string(add->bit) + ")";
    return result == nullptr ? call : call + " -> " + std::to_string(*result);
  }
  std::string state_text() const { return std::to_string(sum); }
};

}  // namespace libraft
