// Set: add says whether the element is new, remove whether it was there; contains; read gives all elements.
//
// Elements are judged apart unless somebody reads all of them.
#pragma once

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "gainsay/oracle/spec.hpp"
#include "gainsay/oracle/specs/common.hpp"

namespace gainsay::specs {

template <class V = Datum> struct Set {
  using Value = V;
  struct Add {
    V value;
  };
  struct Remove {
    V value;
  };
  struct Contains {
    V value;
  };
  struct Read {};
  using Op = std::variant<Add, Remove, Contains, Read>;
  using Result = std::variant<bool, std::set<V>>;  // of a read the second

  std::set<V> content;

  Result apply(const Op& op) {
    if (const auto* add = std::get_if<Add>(&op)) return content.insert(add->value).second;
    if (const auto* remove = std::get_if<Remove>(&op)) return content.erase(remove->value) == 1;
    if (const auto* contains = std::get_if<Contains>(&op)) return content.count(contains->value) == 1;
    return content;
  }

  static bool pure(const Op& op, const Result* result) {
    if (std::holds_alternative<Add>(op) || std::holds_alternative<Remove>(op))
      return result != nullptr && !std::get<bool>(*result);
    return true;
  }
  // Elements stay until somebody removes one.
  bool may_reach(const Op& op, const Result& result) const {
    if (!std::holds_alternative<Read>(op)) return true;
    const std::set<V>& seen = std::get<1>(result);
    for (const V& each : content) {
      if (seen.count(each) == 0) return false;
    }
    return true;
  }
  static bool resets(const Op& op) { return std::holds_alternative<Remove>(op); }
  static std::vector<V> keys(const Op& op) {
    if (const V* one = element_of(op)) return {*one};
    return {};
  }

  static std::string text(const Op& op, const Result* result) {
    static constexpr const char* names[] = {"add", "remove", "contains"};
    std::string call = "read";
    if (const V* one = element_of(op)) call = names[op.index()] + ("(" + value_text(*one) + ")");
    if (result == nullptr) return call;
    if (const auto* truth = std::get_if<bool>(result)) return call + (*truth ? " -> true" : " -> false");
    return call + " -> " + elements_text(std::get<1>(*result));
  }
  std::string state_text() const { return elements_text(content); }

  static constexpr Shape shape = Shape::element_set;
  static Role role(const Op& op, const Result* result) {
    const V* one = element_of(op);
    if (one == nullptr || (result == nullptr && std::holds_alternative<Contains>(op))) return {};
    if (result == nullptr)
      return {std::holds_alternative<Add>(op) ? Role::Kind::unknown_insert : Role::Kind::unknown_remove, one};
    const bool truth = std::get<bool>(*result);
    if (std::holds_alternative<Add>(op)) return {truth ? Role::Kind::insert : Role::Kind::present, one};
    if (std::holds_alternative<Remove>(op)) return {truth ? Role::Kind::remove : Role::Kind::absent, one};
    return {truth ? Role::Kind::present : Role::Kind::absent, one};
  }

 private:
  static const V* element_of(const Op& op) {
    if (const auto* add = std::get_if<Add>(&op)) return &add->value;
    if (const auto* remove = std::get_if<Remove>(&op)) return &remove->value;
    if (const auto* contains = std::get_if<Contains>(&op)) return &contains->value;
    return nullptr;
  }
  static std::string elements_text(const std::set<V>& elements) {
    std::string all;
    for (const V& each : elements) all += (all.empty() ? "" : " ") + value_text(each);
    return "{" + all + "}";
  }
};

}  // namespace gainsay::specs
