// Client histories of an execution (Context::invoke, Context::complete), judged by a specification:
// world.linearizable<Spec>() and world.sequentially_consistent<Spec>().
//
// Every execution that ends is judged. For linearizability, so is one that was cut off at the step bound, because
// every prefix of a linearizable history is linearizable. Open operations count as unknown, never as absent. An
// actor with several open operations counts as several processes; for sequential consistency, operations that it
// completed before beginning another keep their order. A history that cannot be judged within 256 MiB and 4 million
// steps of the specification, a second or so, is neither right nor wrong: such runs are counted.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "gainsay/base/value_type.hpp"
#include "gainsay/oracle/spec.hpp"
#include "gainsay/scenario/blueprint.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay {

// Converts client values to values of a specification; an empty value if they do not fit.
struct ClientTypes {
  const SpecType* spec = nullptr;
  AnyValue (*op)(const ValueType& type, const void* value) = nullptr;
  AnyValue (*result)(const ValueType& type, const void* value) = nullptr;
};

// Linearizability if real time counts, otherwise sequential consistency.
Complaint judge_client_history(std::span<const HistoryEntry> entries, const WorldReader& world,
                               const ClientTypes& types, const AnyValue& initial, bool real_time);

// The same as the check of a property, in a form that the judge recognises (oracle/judge.hpp).
struct ClientHistoryCheck {
  ClientTypes types;
  AnyValue initial;
  bool real_time = true;

  Complaint operator()(std::span<const HistoryEntry> entries, const WorldReader& world) const {
    return judge_client_history(entries, world, types, initial, real_time);
  }
};

namespace detail {

// A value of T, of one of its alternatives, or of what an optional T holds. An alternative's type must not stand in
// the variant twice.
template <class T> AnyValue client_value(const ValueType& type, const void* value);

template <class... Each>
AnyValue client_alternative(const std::variant<Each...>*, const ValueType& type, const void* value) {
  using Variant = std::variant<Each...>;
  AnyValue result;
  const auto attempt = [&]<class One>(const One*) {
    constexpr int times = (0 + ... + (std::is_same_v<One, Each> ? 1 : 0));
    if constexpr (times == 1) {
      if (!result.has_value() && &type == &reflect::value_type<One>())
        result = AnyValue::of(Variant(std::in_place_type<One>, *static_cast<const One*>(value)));
    }
  };
  (attempt(static_cast<const Each*>(nullptr)), ...);
  return result;
}

template <class T> AnyValue client_value(const ValueType& type, const void* value) {
  if (&type == &reflect::value_type<T>()) return AnyValue(type, value);
  if constexpr (reflect::detail::is_variant<T>) {
    return client_alternative(static_cast<const T*>(nullptr), type, value);
  } else if constexpr (reflect::detail::is_optional<T>) {
    using Held = typename T::value_type;
    if (&type == &reflect::value_type<Held>()) return AnyValue::of(T(*static_cast<const Held*>(value)));
  }
  return {};
}

template <class Spec> ClientTypes client_types() {
  return {&spec_type<Spec>(), &client_value<typename Spec::Op>, &client_value<typename Spec::Result>};
}

}  // namespace detail

template <class Spec>
void World::linearizable(std::string name, const Spec& initial, const std::source_location& where) {
  static_assert(Specification<Spec>, "a specification has Op, Result and apply (gainsay/oracle/spec.hpp)");
  history(std::move(name), ClientHistoryCheck{detail::client_types<Spec>(), AnyValue::of(initial), true},
          HistoryProperty::Reads::precedence, HistoryProperty::Prefixes::closed, where);
}

template <class Spec>
void World::sequentially_consistent(std::string name, const Spec& initial,
                                    const std::source_location& where) {
  static_assert(Specification<Spec>, "a specification has Op, Result and apply (gainsay/oracle/spec.hpp)");
  history(std::move(name), ClientHistoryCheck{detail::client_types<Spec>(), AnyValue::of(initial), false},
          HistoryProperty::Reads::clients, HistoryProperty::Prefixes::open, where);
}

}  // namespace gainsay
