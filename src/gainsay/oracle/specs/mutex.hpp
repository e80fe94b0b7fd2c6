// Mutex: acquire answers whether it was free, release whether it was held. It does not know by whom.
#pragma once

#include <string>
#include <variant>

#include "gainsay/oracle/spec.hpp"

namespace gainsay::specs {

struct Mutex {
  struct Acquire {};
  struct Release {};
  using Op = std::variant<Acquire, Release>;
  using Result = bool;

  bool held = false;

  Result apply(const Op& op) {
    const bool wants = std::holds_alternative<Acquire>(op);
    if (held == wants) return false;
    held = wants;
    return true;
  }

  static bool pure(const Op&, const Result* result) { return result != nullptr && !*result; }

  static std::string text(const Op& op, const Result* result) {
    const std::string call = std::holds_alternative<Acquire>(op) ? "acquire" : "release";
    return result == nullptr || *result ? call : call + " -> refused";
  }
  std::string state_text() const { return held ? "held" : "free"; }
  std::string reason(const Op& op, const Result& observed) const {
    return text(op, &observed) + ", but the mutex is " + state_text();
  }
};

}  // namespace gainsay::specs
