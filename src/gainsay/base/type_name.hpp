// Names of types, enumerators and fields, read off the compiler's own spelling of a template argument.
//
// GCC and clang >= 16 spell the address of a field of an external object, which gives field names; older
// clangs get positional names (_0, _1, ...). Enumerators are looked for among the values 0..63.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include "gainsay/base/fields.hpp"

namespace gainsay::reflect {

namespace detail {

template <class T> constexpr std::string_view spelled_type() {
  std::string_view s = __PRETTY_FUNCTION__;
  const std::size_t begin = s.find("T = ") + 4;
  std::size_t end = s.find(';', begin);
  if (end == std::string_view::npos) end = s.rfind(']');
  return s.substr(begin, end - begin);
}

template <auto V> constexpr std::string_view spelled_value() {
  std::string_view s = __PRETTY_FUNCTION__;
  const std::size_t begin = s.find("V = ") + 4;
  std::size_t end = s.find(';', begin);
  if (end == std::string_view::npos) end = s.rfind(']');
  return s.substr(begin, end - begin);
}

constexpr std::string_view after_last_colon(std::string_view s) {
  std::size_t depth = 0;
  for (std::size_t i = s.size(); i-- > 0;) {
    if (s[i] == '>') ++depth;
    if (s[i] == '<') --depth;
    if (s[i] == ':' && depth == 0) return s.substr(i + 1);
  }
  return s;
}

constexpr bool is_identifier_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

constexpr bool is_identifier(std::string_view s) {
  if (s.empty() || !is_identifier_start(s.front())) return false;
  for (const char c : s) {
    if (!is_identifier_start(c) && !(c >= '0' && c <= '9')) return false;
  }
  return true;
}

template <class T> struct Box { const T value; };
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#endif
template <class T> extern const Box<T> phantom;

template <class T, std::size_t I> constexpr auto* phantom_field() { return &get_field<I>(phantom<T>.value); }
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

template <auto* P> constexpr std::string_view spelled_field() {
  std::string_view s = __PRETTY_FUNCTION__;
  std::size_t end = s.find(';');
  if (end == std::string_view::npos) end = s.rfind(']');
  s = s.substr(0, end);
  while (!s.empty() && !(is_identifier_start(s.back()) || (s.back() >= '0' && s.back() <= '9'))) {
    s.remove_suffix(1);
  }
  std::size_t i = s.size();
  while (i > 0 && (is_identifier_start(s[i - 1]) || (s[i - 1] >= '0' && s[i - 1] <= '9'))) --i;
  return s.substr(i);
}

inline constexpr std::string_view positional[] = {"_0",  "_1",  "_2",  "_3",  "_4",  "_5",  "_6",  "_7",
                                                  "_8",  "_9",  "_10", "_11", "_12", "_13", "_14", "_15",
                                                  "_16", "_17", "_18", "_19", "_20", "_21", "_22", "_23",
                                                  "_24", "_25", "_26", "_27", "_28", "_29", "_30", "_31"};

}  // namespace detail

// The type's name with its namespaces: "flush_race::Log".
template <class T> constexpr std::string_view full_type_name() { return detail::spelled_type<T>(); }

// The type's own name: "Log".
template <class T> constexpr std::string_view type_name() {
  return detail::after_last_colon(detail::spelled_type<T>());
}

template <class T, std::size_t I> constexpr std::string_view field_name() {
#if defined(__clang__) && __clang_major__ < 16
  return I < 32 ? detail::positional[I] : "_";
#else
  return detail::spelled_field<detail::phantom_field<T, I>()>();
#endif
}

namespace detail {

template <class E, int V> constexpr std::string_view enumerator_at() {
  // Without an enumerator it is spelled as a cast: `(ns::Colour)7`.
  const std::string_view name = after_last_colon(spelled_value<static_cast<E>(V)>());
  return is_identifier(name) ? name : std::string_view{};
}

template <class E, int... V> constexpr auto enumerator_table(std::integer_sequence<int, V...>) {
  return std::array<std::string_view, sizeof...(V)>{enumerator_at<E, V>()...};
}

// An enum without a fixed underlying type cannot be probed past its own range: casting there is undefined.
// Only the fixed ones, scoped or not, can be list-initialised from a number.
template <class E>
concept ProbeableEnum = std::is_enum_v<E> && requires {
  E{0};
};

}  // namespace detail

inline constexpr int enumerators_probed = 64;

// Names by value, empty where there is no enumerator.
template <class E> constexpr auto enumerators() {
  if constexpr (detail::ProbeableEnum<E>) {
    return detail::enumerator_table<E>(std::make_integer_sequence<int, enumerators_probed>{});
  } else {
    return std::array<std::string_view, 0>{};
  }
}

template <class E> inline constexpr auto enumerator_names = enumerators<E>();

template <class E> constexpr std::string_view enumerator_name(E e) {
  const auto value = static_cast<long long>(e);
  return value >= 0 && value < static_cast<long long>(enumerator_names<E>.size())
             ? enumerator_names<E>[static_cast<std::size_t>(value)]
             : std::string_view{};
}

}  // namespace gainsay::reflect
