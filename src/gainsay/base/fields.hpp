// The fields of an aggregate, counted and tied.
//
// Boost.PFR does the tying. The counting is ours: PFR tries T{} with fewer and fewer initialisers, which makes GCC 12 fail
// (an internal error) on default member initialisers such as `std::map<std::string, int> m{{"a", 1}};`. Counting down from
// above, the first number of initialisers that fits is the number of fields, and no default initialiser is ever looked at.
#pragma once

#include <boost/pfr/core.hpp>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace gainsay::reflect {

inline constexpr std::size_t most_fields = 64;

namespace detail {

using boost::pfr::detail::ubiq_lref_constructor;
using boost::pfr::detail::ubiq_rref_constructor;

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  if constexpr (std::is_copy_constructible_v<T>) {
    return requires { T{ubiq_lref_constructor{I}...}; };
  } else {
    return requires { T{ubiq_rref_constructor{I}...}; };
  }
}

template <class T, std::size_t N>
constexpr std::size_t count_down() {
  if constexpr (N == 0 || std::is_empty_v<T>) {
    return 0;
  } else if constexpr (takes<T>(std::make_index_sequence<N>{})) {
    return N;
  } else {
    return count_down<T, N - 1>();
  }
}

}  // namespace detail

template <class T>
inline constexpr std::size_t field_count =
    detail::count_down<T, (sizeof(T) < most_fields ? sizeof(T) : most_fields)>();

template <std::size_t I, class T>
constexpr auto& get_field(T& object) {
  constexpr auto count = boost::pfr::detail::size_t_<field_count<std::remove_cv_t<T>>>{};
  return boost::pfr::detail::sequence_tuple::get<I>(boost::pfr::detail::tie_as_tuple(object, count));
}

template <std::size_t I, class T>
using field_type = std::remove_cvref_t<decltype(get_field<I>(std::declval<T&>()))>;

}  // namespace gainsay::reflect
