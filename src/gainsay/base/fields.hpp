// The fields of an aggregate, counted and tied.
//
// Boost.PFR does the tying. The counting is ours: PFR tries T{} with fewer and fewer initialisers, which
// makes GCC 12 fail (an internal error) on default member initialisers such as `std::map<std::string, int>
// m{{"a", 1}};`. Counting down from above, the first number of initialisers that fits is the number of
// fields, and no default initialiser is ever looked at.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <boost/pfr/core.hpp>

namespace gainsay::reflect {

inline constexpr std::size_t most_fields = 64;

namespace detail {

using boost::pfr::detail::ubiq_lref_constructor;
using boost::pfr::detail::ubiq_rref_constructor;

template <class T, std::size_t... I> constexpr bool takes(std::index_sequence<I...>) {
  if constexpr (std::is_copy_constructible_v<T>) {
    return requires { T{ubiq_lref_constructor{I}...}; };
  } else {
    return requires { T{ubiq_rref_constructor{I}...}; };
  }
}

template <class T, std::size_t N> constexpr std::size_t count_down() {
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

namespace detail {

// Converts to the base classes of T and to nothing else.
template <class T> struct OnlyBaseOf {
  template <class U>
    requires(std::is_base_of_v<U, T> && !std::is_same_v<U, T>)
  operator U&() const noexcept;
  template <class U>
    requires(std::is_base_of_v<U, T> && !std::is_same_v<U, T> && !std::is_copy_constructible_v<U>)
  operator U() const noexcept;
};

template <class T, std::size_t First, std::size_t... I>
constexpr bool takes_base(std::index_sequence<First, I...>) {
  if constexpr (std::is_copy_constructible_v<T>) {
    return requires { T{OnlyBaseOf<T>{}, ubiq_lref_constructor{I}...}; };
  } else {
    return requires { T{OnlyBaseOf<T>{}, ubiq_rref_constructor{I}...}; };
  }
}
template <class T> constexpr bool takes_base(std::index_sequence<>) { return false; }

template <class T, std::size_t... I> constexpr bool takes_no_lvalue(std::index_sequence<I...>) {
  return requires { T{ubiq_rref_constructor{I}...}; };
}

// T{any, any, {any, any, any}, any}.
template <class T, std::size_t... Before, std::size_t... Inside, std::size_t... After>
constexpr bool takes_nested(std::index_sequence<Before...>, std::index_sequence<Inside...>,
                            std::index_sequence<After...>) {
  if constexpr (std::is_copy_constructible_v<T>) {
    return requires {
      T{ubiq_lref_constructor{Before}...,
        {ubiq_lref_constructor{Inside}...},
        ubiq_lref_constructor{After}...};
    };
  } else {
    return requires {
      T{ubiq_rref_constructor{Before}...,
        {ubiq_rref_constructor{Inside}...},
        ubiq_rref_constructor{After}...};
    };
  }
}

// Whether the initialisers from `Before` on fill an array of `Size`: braces around them leave room for
// exactly the rest.
template <class T, std::size_t Count, std::size_t Before, std::size_t Size> constexpr bool array_of() {
  constexpr std::make_index_sequence<Before> before;
  constexpr std::make_index_sequence<Size> inside;
  return takes_nested<T>(before, inside, std::make_index_sequence<Count - Before - Size>{}) &&
         !takes_nested<T>(before, inside, std::make_index_sequence<Count - Before - Size + 1>{});
}

// A field that is no array can be `{}` with all the others given, unless it has no default; only then look
// closer.
template <class T, std::size_t Count, std::size_t Before> constexpr bool array_at() {
  if constexpr (takes_nested<T>(std::make_index_sequence<Before>{}, std::index_sequence<>{},
                                std::make_index_sequence<Count - Before - 1>{})) {
    return false;
  } else {
    return []<std::size_t... Size>(std::index_sequence<Size...>) {
      return (array_of<T, Count, Before, Size + 2>() || ...);
    }
    (std::make_index_sequence<Count - Before - 1>{});
  }
}

template <class T, std::size_t... Before> constexpr bool find_array(std::index_sequence<Before...>) {
  return (array_at<T, sizeof...(Before), Before>() || ...);
}

}  // namespace detail

// What keeps an aggregate from being tied. Asked before `get_field`, which can only fail with pages of
// errors.
template <class T>
inline constexpr bool has_base = detail::takes_base<T>(std::make_index_sequence<field_count<T>>{});
// A C array of two or more: its elements are counted as if they were fields.
template <class T>
inline constexpr bool has_array = detail::find_array<T>(std::make_index_sequence<field_count<T>>{});
template <class T>
inline constexpr bool has_reference = std::is_copy_constructible_v<T> && !std::is_copy_assignable_v<T> &&
                                      !detail::takes_no_lvalue<T>(std::make_index_sequence<field_count<T>>{});
template <class T>
inline constexpr bool has_too_many_fields =
    sizeof(T) > most_fields&& field_count<T> == most_fields&& detail::takes<T>(
                                                    std::make_index_sequence<most_fields + 1>{});

template <std::size_t I, class T> constexpr auto& get_field(T& object) {
  constexpr auto count = boost::pfr::detail::size_t_<field_count<std::remove_cv_t<T>>>{};
  return boost::pfr::detail::sequence_tuple::get<I>(boost::pfr::detail::tie_as_tuple(object, count));
}

template <std::size_t I, class T>
using field_type = std::remove_cvref_t<decltype(get_field<I>(std::declval<T&>()))>;

}  // namespace gainsay::reflect
