// Reflection of plain values: hash, equality and a visit by which printing, JSON and diffs are made.
//
// A *value* is: a number, bool, enum, string, duration, ActorId/Ref, optional, variant, pair, tuple, an
// ordered range (vector, array, deque, map, set, ...), a type that names its own members (`auto members()
// const { return std::tie(a, b); }`), or an aggregate of values (Boost.PFR). Everything is compared and
// hashed field by field: never by bytes (padding), never by the user's operator==; floats bit by bit.
// Pointers, views and unordered containers are refused: what they stand for, or the order in which they are
// read, is not part of the value.
#pragma once

#include <bit>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "gainsay/base/fields.hpp"
#include "gainsay/base/hash.hpp"
#include "gainsay/base/ids.hpp"
#include "gainsay/base/type_name.hpp"

namespace gainsay::reflect {

// Sees one value, depth first. A map's entries arrive as key, value, key, value, ...
class Visitor {
 public:
  virtual ~Visitor() = default;
  virtual void boolean(bool value) = 0;
  virtual void integer(std::int64_t value) = 0;
  virtual void natural(std::uint64_t value) = 0;
  virtual void floating(double value) = 0;
  virtual void text(std::string_view value) = 0;
  virtual void enumerator(std::string_view name, std::int64_t value) = 0;
  virtual void duration(std::int64_t nanoseconds) = 0;
  virtual void actor(ActorId id) = 0;
  virtual void nothing() = 0;
  virtual void begin_struct(std::string_view type) = 0;
  virtual void field(std::string_view name) = 0;
  virtual void end_struct() = 0;
  virtual void begin_list(std::size_t size) = 0;
  virtual void end_list() = 0;
  virtual void begin_map(std::size_t size) = 0;
  virtual void end_map() = 0;
};

namespace detail {

template <class T> inline constexpr bool is_optional = false;
template <class T> inline constexpr bool is_optional<std::optional<T>> = true;
template <class T> inline constexpr bool is_variant = false;
template <class... T> inline constexpr bool is_variant<std::variant<T...>> = true;
template <class T> inline constexpr bool is_tuple = false;
template <class... T> inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class A, class B> inline constexpr bool is_tuple<std::pair<A, B>> = true;
template <class T> inline constexpr bool is_duration = false;
template <class R, class P> inline constexpr bool is_duration<std::chrono::duration<R, P>> = true;

template <class T> inline constexpr bool is_group = false;
template <class A> inline constexpr bool is_group<Group<A>> = true;

template <class T>
concept HasMembers = requires(const T& t) {
  t.members();
};
template <class T>
concept Text = std::same_as<T, std::string>;
template <class T>
concept View = std::ranges::enable_view<T>;
template <class T>
concept Unordered = requires {
  typename T::hasher;
};
template <class T>
concept Range = requires(const T& t) {
  { t.begin() } -> std::input_iterator;
  t.end();
  t.size();
  typename T::value_type;
}
&&!View<T> && !Unordered<T>;
template <class T>
concept Keyed = Range<T> && requires {
  typename T::mapped_type;
};
template <class T>
concept Number = std::is_arithmetic_v<T>;
template <class T>
concept Actor = std::derived_from<T, ActorId>;
template <class T>
concept Leaf = Number<T> || std::is_enum_v<T> || Text<T> || Actor<T> || is_duration<T> ||
    std::same_as<T, std::monostate>;
template <class T>
concept Aggregate = std::is_aggregate_v<T> && std::is_class_v<T> && !Range<T> && !HasMembers<T>;

bool same_number(long double a, long double b);

// A struct as a visitor is shown it: its name and, for each field, the name, the place and how to visit that.
using VisitPart = void (*)(Visitor& visitor, const void* part);
void visit_struct(Visitor& visitor, std::string_view type, std::span<const std::string_view> names,
                  const void* const* parts, const VisitPart* visits);

}  // namespace detail

template <class T, class F> constexpr void for_each_field(T&& object, F&& visit_field) {
  using Object = std::remove_cvref_t<T>;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (visit_field(field_name<Object, I>(), get_field<I>(object)), ...);
  }
  (std::make_index_sequence<field_count<Object>>{});
}

template <class T> void hash_into(Hasher& hasher, const T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    hasher.add(std::bit_cast<std::uint64_t>(static_cast<double>(value)));
  } else if constexpr (detail::Number<T> || std::is_enum_v<T>) {
    hasher.add(static_cast<std::uint64_t>(value));
  } else if constexpr (detail::Text<T>) {
    hasher.add_text(value);
  } else if constexpr (detail::Actor<T>) {
    hasher.add(value.raw);
  } else if constexpr (detail::is_duration<T>) {
    hasher.add(static_cast<std::uint64_t>(value.count()));
  } else if constexpr (std::same_as<T, std::monostate>) {
    hasher.add(0);
  } else if constexpr (detail::is_optional<T>) {
    hasher.add(value.has_value() ? 1 : 0);
    if (value) hash_into(hasher, *value);
  } else if constexpr (detail::is_variant<T>) {
    hasher.add(value.index());
    std::visit([&](const auto& held) { hash_into(hasher, held); }, value);
  } else if constexpr (detail::is_tuple<T>) {
    std::apply([&](const auto&... part) { (hash_into(hasher, part), ...); }, value);
  } else if constexpr (detail::HasMembers<T>) {
    std::apply([&](const auto&... part) { (hash_into(hasher, part), ...); }, value.members());
  } else if constexpr (detail::Range<T>) {
    hasher.add(value.size());
    for (const typename T::value_type& element : value) hash_into(hasher, element);
  } else {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (hash_into(hasher, get_field<I>(value)), ...); }
    (std::make_index_sequence<field_count<T>>{});
  }
}

template <class T> bool equal(const T& a, const T& b) {
  if constexpr (std::same_as<T, long double>) {  // has padding bits, and more digits than its hash looks at
    return detail::same_number(a, b);
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::bit_cast<std::uint64_t>(static_cast<double>(a)) ==
           std::bit_cast<std::uint64_t>(static_cast<double>(b));
  } else if constexpr (detail::Leaf<T>) {
    return a == b;
  } else if constexpr (detail::is_optional<T>) {
    return a.has_value() == b.has_value() && (!a || reflect::equal(*a, *b));
  } else if constexpr (detail::is_variant<T>) {
    if (a.index() != b.index()) return false;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {  // by index: a type may be there twice
      return ((a.index() != I || reflect::equal(std::get<I>(a), std::get<I>(b))) && ...);
    }
    (std::make_index_sequence<std::variant_size_v<T>>{});
  } else if constexpr (detail::is_tuple<T>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (reflect::equal(std::get<I>(a), std::get<I>(b)) && ...);
    }
    (std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (detail::HasMembers<T>) {
    const auto left = a.members();
    const auto right = b.members();
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (reflect::equal(std::get<I>(left), std::get<I>(right)) && ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(left)>>{});
  } else if constexpr (detail::Range<T>) {
    if (a.size() != b.size()) return false;
    auto right = b.begin();
    for (const typename T::value_type& element : a) {
      const typename T::value_type& other = *right;
      if (!reflect::equal(element, other)) return false;
      ++right;
    }
    return true;
  } else {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (reflect::equal(get_field<I>(a), get_field<I>(b)) && ...);
    }
    (std::make_index_sequence<field_count<T>>{});
  }
}

// An estimate of the memory that a value owns beyond its own size: containers' elements, and their own in turn.
template <class T> std::size_t heap_bytes(const T& value) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    return 0;
  } else if constexpr (detail::Text<T>) {
    return value.size() > 15 ? value.size() : 0;
  } else if constexpr (detail::is_optional<T>) {
    return value ? reflect::heap_bytes(*value) : 0;
  } else if constexpr (detail::is_variant<T>) {
    return std::visit([](const auto& held) { return reflect::heap_bytes(held); }, value);
  } else if constexpr (detail::is_tuple<T>) {
    return std::apply([](const auto&... part) { return (std::size_t{0} + ... + reflect::heap_bytes(part)); },
                      value);
  } else if constexpr (detail::HasMembers<T>) {
    return std::apply([](const auto&... part) { return (std::size_t{0} + ... + reflect::heap_bytes(part)); },
                      value.members());
  } else if constexpr (detail::Range<T>) {
    std::size_t bytes =
        value.size() * (sizeof(typename T::value_type) + (requires { typename T::key_type; } ? 32 : 0));
    if constexpr (!std::is_trivially_copyable_v<typename T::value_type>) {
      for (const typename T::value_type& element : value) bytes += reflect::heap_bytes(element);
    }
    return bytes;
  } else if constexpr (detail::Aggregate<T>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (std::size_t{0} + ... + reflect::heap_bytes(get_field<I>(value)));
    }
    (std::make_index_sequence<field_count<T>>{});
  } else {
    return 0;
  }
}

template <class T> std::uint64_t hash(const T& value) {
  Hasher hasher;
  hash_into(hasher, value);
  return hasher.finish();
}

template <class T> void visit(Visitor& visitor, const T& value);

namespace detail {

template <class T> void visit_part(Visitor& visitor, const void* part) {
  reflect::visit(visitor, *static_cast<const T*>(part));
}

}  // namespace detail

template <class T> void visit(Visitor& visitor, const T& value) {
  if constexpr (std::same_as<T, bool>) {
    visitor.boolean(value);
  } else if constexpr (std::same_as<T, char>) {
    visitor.text(std::string_view(&value, 1));
  } else if constexpr (std::is_floating_point_v<T>) {
    visitor.floating(static_cast<double>(value));
  } else if constexpr (std::is_enum_v<T>) {
    visitor.enumerator(enumerator_name(value), static_cast<std::int64_t>(value));
  } else if constexpr (std::is_unsigned_v<T>) {
    visitor.natural(value);
  } else if constexpr (detail::Number<T>) {
    visitor.integer(value);
  } else if constexpr (detail::Text<T>) {
    visitor.text(value);
  } else if constexpr (detail::Actor<T>) {
    visitor.actor(value);
  } else if constexpr (detail::is_group<T>) {
    visitor.begin_list(value.size());
    for (const ActorId each : value) visitor.actor(each);
    visitor.end_list();
  } else if constexpr (detail::is_duration<T>) {
    visitor.duration(std::chrono::duration_cast<std::chrono::nanoseconds>(value).count());
  } else if constexpr (std::same_as<T, std::monostate>) {
    visitor.nothing();
  } else if constexpr (detail::is_optional<T>) {
    if (value) {
      reflect::visit(visitor, *value);
    } else {
      visitor.nothing();
    }
  } else if constexpr (detail::is_variant<T>) {
    std::visit([&](const auto& held) { reflect::visit(visitor, held); }, value);
  } else if constexpr (detail::is_tuple<T>) {
    visitor.begin_list(std::tuple_size_v<T>);
    std::apply([&](const auto&... part) { (reflect::visit(visitor, part), ...); }, value);
    visitor.end_list();
  } else if constexpr (detail::HasMembers<T>) {
    visitor.begin_struct(type_name<T>());
    std::size_t position = 0;
    std::apply(
        [&](const auto&... part) {
          ((visitor.field(position < 32 ? detail::positional[position] : "_"), ++position,
            reflect::visit(visitor, part)),
           ...);
        },
        value.members());
    visitor.end_struct();
  } else if constexpr (detail::Keyed<T>) {
    visitor.begin_map(value.size());
    for (const auto& entry : value) {
      reflect::visit(visitor, entry.first);
      reflect::visit(visitor, entry.second);
    }
    visitor.end_map();
  } else if constexpr (detail::Range<T>) {
    visitor.begin_list(value.size());
    for (const typename T::value_type& element : value) reflect::visit(visitor, element);
    visitor.end_list();
  } else {
    static constexpr std::string_view type = type_name<T>();
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      static constexpr detail::VisitPart visits[] = {&detail::visit_part<field_type<I, const T>>..., nullptr};
      const void* const parts[] = {&get_field<I>(value)..., nullptr};
      detail::visit_struct(visitor, type, field_names<T>(), parts, visits);
    }
    (std::make_index_sequence<field_count<T>>{});
  }
}

}  // namespace gainsay::reflect
