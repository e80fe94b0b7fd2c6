// Register: one value, written and read. CasRegister: also compare-and-set, which says whether it took place.
#pragma once

#include <string>
#include <variant>

#include "gainsay/oracle/spec.hpp"
#include "gainsay/oracle/specs/common.hpp"

namespace gainsay::specs {

template <class V = Datum> struct Register {
  using Value = V;
  struct Read {};
  struct Write {
    V value;
  };
  using Op = std::variant<Read, Write>;
  using Result = std::variant<Done, V>;  // of a write, of a read

  V value{};

  Result apply(const Op& op) {
    if (const auto* write = std::get_if<Write>(&op)) {
      value = write->value;
      return Result(std::in_place_index<0>);
    }
    return Result(std::in_place_index<1>, value);
  }

  static bool pure(const Op& op, const Result*) { return std::holds_alternative<Read>(op); }

  static std::string text(const Op& op, const Result* result) {
    if (const auto* write = std::get_if<Write>(&op)) return "write(" + value_text(write->value) + ")";
    return result == nullptr ? "read" : "read -> " + value_text(std::get<1>(*result));
  }
  std::string state_text() const { return value_text(value); }
  std::string reason(const Op& op, const Result& observed) const {
    return text(op, &observed) + ", but the register holds " + value_text(value);
  }

  static constexpr Shape shape = Shape::single_register;
  static Role role(const Op& op, const Result* result) {
    if (const auto* write = std::get_if<Write>(&op)) return {Role::Kind::write, &write->value};
    if (result == nullptr) return {};
    return {Role::Kind::read, &std::get<1>(*result)};
  }
};

template <class V = Datum> struct CasRegister {
  using Value = V;
  struct Read {};
  struct Write {
    V value;
  };
  struct Cas {
    V expected;
    V value;
  };
  using Op = std::variant<Read, Write, Cas>;
  using Result = std::variant<Done, V, bool>;  // of a write, of a read, of a compare-and-set

  V value{};

  Result apply(const Op& op) {
    if (const auto* write = std::get_if<Write>(&op)) {
      value = write->value;
      return Result(std::in_place_index<0>);
    }
    if (const auto* cas = std::get_if<Cas>(&op)) {
      const bool equal = reflect::equal(value, cas->expected);
      if (equal) value = cas->value;
      return Result(std::in_place_index<2>, equal);
    }
    return Result(std::in_place_index<1>, value);
  }

  // A failed compare-and-set changes nothing; one that succeeded does, unless it puts back what it found.
  static bool pure(const Op& op, const Result* result) {
    if (const auto* cas = std::get_if<Cas>(&op)) {
      return reflect::equal(cas->expected, cas->value) || (result != nullptr && !std::get<2>(*result));
    }
    return std::holds_alternative<Read>(op);
  }

  static std::string text(const Op& op, const Result* result) {
    if (const auto* write = std::get_if<Write>(&op)) return "write(" + value_text(write->value) + ")";
    if (const auto* cas = std::get_if<Cas>(&op)) {
      const std::string call = "cas(" + value_text(cas->expected) + ", " + value_text(cas->value) + ")";
      return result == nullptr ? call : call + (std::get<2>(*result) ? " -> done" : " -> refused");
    }
    return result == nullptr ? "read" : "read -> " + value_text(std::get<1>(*result));
  }
  std::string state_text() const { return value_text(value); }
  std::string reason(const Op& op, const Result& observed) const {
    return text(op, &observed) + ", but the register holds " + value_text(value);
  }

  // Without any compare-and-set that took place, it is a register.
  static constexpr Shape shape = Shape::single_register;
  static Role role(const Op& op, const Result* result) {
    if (const auto* write = std::get_if<Write>(&op)) return {Role::Kind::write, &write->value};
    if (result == nullptr || std::holds_alternative<Cas>(op)) return {};
    return {Role::Kind::read, &std::get<1>(*result)};
  }
};

}  // namespace gainsay::specs
