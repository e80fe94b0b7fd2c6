// Counter: add a number (possibly negative), read the sum, or both in one step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "gainsay/oracle/spec.hpp"

namespace gainsay::specs {

struct Counter {
  struct Add {
    std::int64_t amount;
  };
  struct Read {};
  struct AddAndGet {
    std::int64_t amount;
  };
  using Op = std::variant<Add, Read, AddAndGet>;
  using Result = std::optional<std::int64_t>;  // nothing for add

  std::int64_t sum = 0;

  Result apply(const Op& op) {
    if (const auto* add = std::get_if<Add>(&op)) {
      sum = plus(add->amount);
      return std::nullopt;
    }
    if (const auto* both = std::get_if<AddAndGet>(&op)) sum = plus(both->amount);
    return sum;
  }

  static bool pure(const Op& op, const Result*) {
    if (const auto* add = std::get_if<Add>(&op)) return add->amount == 0;
    if (const auto* both = std::get_if<AddAndGet>(&op)) return both->amount == 0;
    return true;
  }
  // It grows while nobody takes away. Amounts that could wrap around count as taking away.
  bool may_reach(const Op& op, const Result& result) const {
    return std::holds_alternative<Add>(op) || !result || sum <= *result;
  }
  static bool resets(const Op& op) {
    const std::int64_t amount = std::visit(
        [](const auto& each) -> std::int64_t {
          if constexpr (requires { each.amount; }) {
            return each.amount;
          } else {
            return 0;
          }
        },
        op);
    return amount < 0 || amount > (std::int64_t{1} << 40);
  }
  static std::string text(const Op& op, const Result* result) {
    if (const auto* add = std::get_if<Add>(&op)) return "add(" + std::to_string(add->amount) + ")";
    std::string call = "read";
    if (const auto* both = std::get_if<AddAndGet>(&op))
      call = "add_and_get(" + std::to_string(both->amount) + ")";
    return result == nullptr || !*result ? call : call + " -> " + std::to_string(**result);
  }
  std::string state_text() const { return std::to_string(sum); }
  std::string reason(const Op& op, const Result& observed) const {
    return text(op, &observed) + ", but the counter stands at " + std::to_string(sum);
  }

 private:
  // Wraps around as machines do; a history may hold any numbers.
  std::int64_t plus(std::int64_t amount) const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(amount));
  }
};

}  // namespace gainsay::specs
