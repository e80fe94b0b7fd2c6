// Datum: a small generic value (nothing, a truth value, a number, a text, a list), and Call: a function's name
// with its argument.
//
// What readers of history files produce: they know syntax, not models. A model (models.hpp) turns a Call and the
// Datum that came back into its own typed operation and result, and complains where they do not fit.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gainsay {

struct Datum {
  using List = std::vector<Datum>;

  std::variant<std::monostate, bool, std::int64_t, std::string, List> held;

  static Datum nil() { return {}; }
  static Datum of(bool value) { return {value}; }
  static Datum of(std::int64_t value) { return {value}; }
  static Datum of(int value) { return {std::int64_t{value}}; }
  static Datum of(std::string value) { return {std::move(value)}; }
  static Datum of(const char* value) { return {std::string(value)}; }
  static Datum of(List value) { return {std::move(value)}; }

  bool is_nil() const { return held.index() == 0; }
  const bool* boolean() const { return std::get_if<bool>(&held); }
  const std::int64_t* integer() const { return std::get_if<std::int64_t>(&held); }
  const std::string* text() const { return std::get_if<std::string>(&held); }
  const List* list() const { return std::get_if<List>(&held); }

  // Kinds in the order of the variant, then by value; lists element by element.
  friend bool operator==(const Datum& a, const Datum& b) { return a.held == b.held; }
  friend bool operator<(const Datum& a, const Datum& b) { return a.held < b.held; }
};

// `nil`, `true`, `3`, `"x"`, `[1 "a"]`.
std::string to_text(const Datum& datum);

// The n-th element of a list, or nothing.
const Datum* element(const Datum& datum, std::size_t n);

// An operation as a file says it: `cas` with `[2 1]`.
struct Call {
  std::string function;
  Datum argument;
};

// `cas [2 1]`; `read` where there is no argument.
std::string to_text(const Call& call);

}  // namespace gainsay
