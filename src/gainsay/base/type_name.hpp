// Names of types, enumerators and fields, read off the compiler's own spelling of a template argument.
//
// GCC and clang >= 16 spell the address of a field of an external object, which gives field names; older
// clangs get positional names (_0, _1, ...). Enumerators are looked for among the values 0..63. The compiler spells
// all of them at once and a program reads the spelling when it needs it: reading it while compiling is slow.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gainsay/base/fields.hpp"

namespace gainsay::reflect {

namespace detail {

template <class T> constexpr std::string_view spelling_with_type() { return __PRETTY_FUNCTION__; }

// What stands around the type is the same for all of them; so it need not be looked for.
inline constexpr std::size_t before_type = spelling_with_type<int>().find("int");
inline constexpr std::size_t after_type = spelling_with_type<int>().size() - before_type - 3;

template <class T> constexpr std::string_view spelled_type() {
  std::string_view s = spelling_with_type<T>();
  s.remove_prefix(before_type);
  s.remove_suffix(after_type);
  return s;
}

// All values, or all fields, in one spelling: `... V = {Colour::red, Colour::green, (Colour)2}]`.
template <class E, E... V> std::string_view spelled_values() { return __PRETTY_FUNCTION__; }
template <auto*... V> std::string_view spelled_fields() { return __PRETTY_FUNCTION__; }

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

constexpr std::string_view last_identifier(std::string_view s) {
  const auto is_part = [](char c) { return is_identifier_start(c) || (c >= '0' && c <= '9'); };
  while (!s.empty() && !is_part(s.back())) s.remove_suffix(1);
  std::size_t i = s.size();
  while (i > 0 && is_part(s[i - 1])) --i;
  return s.substr(i);
}

template <auto* P> constexpr std::string_view spelled_field() {
  std::string_view s = __PRETTY_FUNCTION__;
  std::size_t end = s.find(';');
  if (end == std::string_view::npos) end = s.rfind(']');
  return last_identifier(s.substr(0, end));
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

using Names = std::vector<std::string_view>;

// What spelled_values and spelled_fields say, read once for each type.
Names read_enumerators(std::string_view spelled);
Names read_fields(std::string_view spelled);

template <class E, int... V> std::string_view spell_enum(std::integer_sequence<int, V...>) {
  return spelled_values<E, static_cast<E>(V)...>();
}
template <class T, std::size_t... I> std::string_view spell_struct(std::index_sequence<I...>) {
  return spelled_fields<phantom_field<T, I>()...>();
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
template <class E> std::span<const std::string_view> enumerator_names() {
  if constexpr (detail::ProbeableEnum<E>) {
    static const detail::Names names = detail::read_enumerators(
        detail::spell_enum<E>(std::make_integer_sequence<int, enumerators_probed>{}));
    return names;
  } else {
    return {};
  }
}

template <class E> std::string_view enumerator_name(E e) {
  const std::span<const std::string_view> names = enumerator_names<E>();
  const auto value = static_cast<long long>(e);
  return value >= 0 && value < static_cast<long long>(names.size()) ? names[static_cast<std::size_t>(value)]
                                                                    : std::string_view{};
}

// The names of all fields, in order. `field_name` is for where the compiler must know one.
template <class T> std::span<const std::string_view> field_names() {
#if defined(__clang__) && __clang_major__ < 16
  static_assert(field_count<T> <= 32);
  return {detail::positional, field_count<T>};
#else
  static const detail::Names names =
      detail::read_fields(detail::spell_struct<T>(std::make_index_sequence<field_count<T>>{}));
  return names;
#endif
}

}  // namespace gainsay::reflect
