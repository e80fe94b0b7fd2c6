// Sequential specifications: what an object does when it is used by one client at a time.
//
// A specification is a plain struct. Its fields are the state; a default-constructed one is the initial state.
//
//   struct Register {
//     struct Read {};
//     struct Write { int value; };
//     using Op = std::variant<Read, Write>;
//     using Result = std::optional<int>;          // what a read says; nothing for a write
//     int value = 0;
//     Result apply(const Op& op);                 // a function of state and operation: no clock, no chance
//   };
//
// State, Op and Result are values (base/reflect.hpp): copied, hashed and compared field by field. Operations are
// total: one that cannot be done says so in its result and changes nothing (a mutex that is held answers false).
//
// Optional members, each of which lets the checker do more:
//   Result apply(const Op&, const StopToken&)       for long-running ones: ask stopped(), then return anything
//   vector<pair<Result, Spec>> outcomes(const Op&) const   instead of apply: all that is allowed (nondeterminism)
//   static bool pure(const Op&, const Result*)      true: with this result (null: with every result) the operation
//                                                   leaves *every* state in which it is allowed as it is
//                                                   (null: and it is allowed in every state)
//   static K key(const Op&)                         the object is a family of independent ones, this touches one
//   static vector<K> keys(const Op&)                the same for operations on several; empty: may touch all
//   static bool matches(const Op&, const Result& observed, const Result& said)     if == is too strict
//   static string text(const Op&, const Result*)    `cas(2, 1) -> false`; null: the operation alone
//   string reason(const Op&, const Result&) const   why this result is not what the specification says here
//   bool may_reach(const Op&, const Result&) const   false: no sequence of operations that do not `resets` leads
//                                                   from here to a state in which this operation says this
//   static bool resets(const Op&)                   what may undo growth: a put among appends
//   static constexpr Shape shape; static Role role(const Op&, const Result*)       see Shape
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gainsay/base/print.hpp"
#include "gainsay/base/value_type.hpp"

namespace gainsay {

// Whether a check should end. Long-running specifications ask it; a result given after it said yes is ignored.
class StopToken {
 public:
  StopToken() = default;
  explicit StopToken(std::function<bool()> asked) : asked_(std::move(asked)) {}
  bool stopped() const { return asked_ && asked_(); }

 private:
  std::function<bool()> asked_;
};

// Well-known objects, for which histories without duplicate values are judged in O(n log n). A specification that
// names its shape promises to behave as follows, whatever else it can do; `Role::other` sends the history to the
// search.
enum class Shape : std::uint8_t {
  none,
  single_register,  // write, read (of the last value written; of the initial value before)
  element_set,      // insert, remove, contains; results are truth values; one element at a time
  queue,            // insert, remove (the oldest), remove_nothing
  stack,            // insert, remove (the newest), remove_nothing
  priority_queue,   // insert, remove (the first by `less`), remove_nothing
};

// What an operation with a known result is in terms of its shape. `value` points into the operation or result.
struct Role {
  enum class Kind : std::uint8_t {
    write,           // and
    read,            // of single_register; the initial value is what the initial state says
    insert,          // changed the object
    remove,          // took out `value`
    remove_nothing,  // found it empty
    present,         // saw that `value` is inside, and changed nothing
    absent,          // saw that `value` is not inside, and changed nothing
    unknown_insert,  // result not known
    unknown_remove,  // result not known: takes what is there
    other,
  };
  Kind kind = Kind::other;
  const void* value = nullptr;
};

namespace detail {

template <class S>
concept Deterministic = requires(S state, const typename S::Op& op) {
  { state.apply(op) } -> std::convertible_to<typename S::Result>;
};
template <class S>
concept Stoppable = requires(S state, const typename S::Op& op, const StopToken& stop) {
  { state.apply(op, stop) } -> std::convertible_to<typename S::Result>;
};
template <class S>
concept Nondeterministic = requires(const S& state, const typename S::Op& op) {
  { state.outcomes(op) } -> std::convertible_to<std::vector<std::pair<typename S::Result, S>>>;
};

}  // namespace detail

template <class S>
concept Specification = std::copyable<S> && std::default_initializable<S> && requires {
  typename S::Op;
  typename S::Result;
} &&(detail::Deterministic<S> || detail::Stoppable<S> || detail::Nondeterministic<S>);

// One static table per specification, by which the checker handles it without knowing its type.
struct SpecType {
  bool deterministic;
  const ValueType* state;
  const ValueType* op;
  const ValueType* result;
  AnyValue (*initial)();
  // Calls `next` for every state that `op` with the observed result (null: any) may lead to.
  void (*step)(const void* state, const void* op, const void* observed, const StopToken& stop,
               const std::function<void(const void* state)>& next);
  // The same in place, for orders that are only executed; false if the result is not the observed one. Null for
  // nondeterministic ones.
  bool (*advance)(void* state, const void* op, const void* observed, const StopToken& stop);
  bool (*pure)(const void* op, const void* result);
  // Both null where the specification knows nothing about the future.
  bool (*may_reach)(const void* state, const void* op, const void* result);
  bool (*resets)(const void* op);
  // What the operation touches, as values; empty: everything. Null where the object cannot be taken apart.
  std::vector<AnyValue> (*keys)(const void* op);
  std::string (*text)(const void* op, const void* result);
  std::string (*state_text)(const void* state);
  std::string (*reason)(const void* state, const void* op, const void* observed, const StopToken& stop);
  Shape shape;
  Role (*role)(const void* op, const void* result);
  const ValueType* value;                              // the type of Role::value; null without a shape
  bool (*less)(const void* value, const void* other);  // priority_queue only
};

namespace detail {

template <class S>
bool result_matches(const typename S::Op& op, const typename S::Result& observed,
                    const typename S::Result& said) {
  if constexpr (requires { S::matches(op, observed, said); }) {
    return S::matches(op, observed, said);
  } else {
    (void)op;
    return reflect::equal(observed, said);
  }
}

// What the object says, which it has become.
template <class S> typename S::Result spec_apply(S& state, const typename S::Op& op, const StopToken& stop) {
  if constexpr (Stoppable<S>) {
    return state.apply(op, stop);
  } else {
    (void)stop;
    return state.apply(op);
  }
}

template <class S>
bool spec_advance(void* state, const void* op, const void* observed, const StopToken& stop) {
  const auto& what = *static_cast<const typename S::Op*>(op);
  const typename S::Result said = spec_apply<S>(*static_cast<S*>(state), what, stop);
  return observed == nullptr ||
         result_matches<S>(what, *static_cast<const typename S::Result*>(observed), said);
}

template <class S>
void spec_step(const void* state, const void* op, const void* observed, const StopToken& stop,
               const std::function<void(const void*)>& next) {
  const S& before = *static_cast<const S*>(state);
  if constexpr (Nondeterministic<S>) {
    (void)stop;
    const auto& what = *static_cast<const typename S::Op*>(op);
    const auto* seen = static_cast<const typename S::Result*>(observed);
    for (const std::pair<typename S::Result, S>& outcome : before.outcomes(what)) {
      if (seen == nullptr || result_matches<S>(what, *seen, outcome.first)) next(&outcome.second);
    }
  } else {
    S after = before;
    if (spec_advance<S>(&after, op, observed, stop)) next(&after);
  }
}

template <class S> std::string spec_text(const void* op, const void* result) {
  const auto& what = *static_cast<const typename S::Op*>(op);
  const auto* said = static_cast<const typename S::Result*>(result);
  if constexpr (requires { S::text(what, said); }) {
    return S::text(what, said);
  } else {
    return said == nullptr ? print(what) : print(what) + " -> " + print(*said);
  }
}

template <class S> std::string spec_state_text(const void* state) {
  const S& here = *static_cast<const S*>(state);
  if constexpr (requires { here.state_text(); }) {
    return here.state_text();
  } else {
    return print(here);
  }
}

template <class S>
std::string spec_reason(const void* state, const void* op, const void* observed, const StopToken& stop) {
  (void)stop;
  const S& here = *static_cast<const S*>(state);
  const auto& what = *static_cast<const typename S::Op*>(op);
  const auto& seen = *static_cast<const typename S::Result*>(observed);
  if constexpr (requires { here.reason(what, seen); }) {
    return here.reason(what, seen);
  } else {
    std::string said;
    if constexpr (Nondeterministic<S>) {
      for (const auto& outcome : here.outcomes(what))
        said += (said.empty() ? "" : " or ") + spec_text<S>(&what, &outcome.first);
      if (said.empty()) said = "nothing is allowed";
    } else {
      S after = here;
      const typename S::Result answer = spec_apply<S>(after, what, stop);
      said = spec_text<S>(&what, &answer);
    }
    return "in state " + spec_state_text<S>(state) + " the model says " + said;
  }
}

template <class S> std::vector<AnyValue> spec_keys(const void* op) {
  const auto& what = *static_cast<const typename S::Op*>(op);
  std::vector<AnyValue> all;
  if constexpr (requires { S::key(what); }) {
    all.push_back(AnyValue::of(S::key(what)));
  } else if constexpr (requires { S::keys(what); }) {
    for (const auto& key : S::keys(what)) all.push_back(AnyValue::of(key));
  }
  return all;
}

template <class S> constexpr bool has_keys = requires(const typename S::Op& op) { S::key(op); }
|| requires(const typename S::Op& op) { S::keys(op); };

template <class S>
constexpr bool has_future = requires(const S& state, const typename S::Op& op,
                                     const typename S::Result& result) {
  state.may_reach(op, result);
  S::resets(op);
};

template <class S> bool spec_may_reach(const void* state, const void* op, const void* result) {
  if constexpr (has_future<S>) {
    return static_cast<const S*>(state)->may_reach(*static_cast<const typename S::Op*>(op),
                                                   *static_cast<const typename S::Result*>(result));
  } else {
    return state != nullptr && op != nullptr && result != nullptr;
  }
}

template <class S> bool spec_resets(const void* op) {
  if constexpr (has_future<S>) {
    return S::resets(*static_cast<const typename S::Op*>(op));
  } else {
    return op != nullptr;
  }
}

template <class S> constexpr Shape shape_of() {
  if constexpr (requires { S::shape; }) {
    return S::shape;
  } else {
    return Shape::none;
  }
}

template <class S> constexpr auto advance_of() -> decltype(SpecType::advance) {
  if constexpr (Nondeterministic<S>) {
    return nullptr;
  } else {
    return &spec_advance<S>;
  }
}

template <class S> const ValueType* shape_value() {
  if constexpr (shape_of<S>() != Shape::none) {
    return &reflect::value_type<typename S::Value>();
  } else {
    return nullptr;
  }
}

template <class S> bool spec_less(const void* a, const void* b) {
  if constexpr (shape_of<S>() == Shape::priority_queue) {
    return S::less(*static_cast<const typename S::Value*>(a), *static_cast<const typename S::Value*>(b));
  } else {
    return a < b;
  }
}

}  // namespace detail

template <Specification S> const SpecType& spec_type() {
  static const SpecType table{
      !detail::Nondeterministic<S>,
      &reflect::value_type<S>(),
      &reflect::value_type<typename S::Op>(),
      &reflect::value_type<typename S::Result>(),
      [] { return AnyValue::of(S{}); },
      &detail::spec_step<S>,
      detail::advance_of<S>(),
      [](const void* op, const void* result) -> bool {
        const auto& what = *static_cast<const typename S::Op*>(op);
        const auto* said = static_cast<const typename S::Result*>(result);
        if constexpr (requires { S::pure(what, said); }) {
          return S::pure(what, said);
        } else {
          (void)what;
          (void)said;
          return false;
        }
      },
      detail::has_future<S> ? &detail::spec_may_reach<S> : nullptr,
      detail::has_future<S> ? &detail::spec_resets<S> : nullptr,
      detail::has_keys<S> ? &detail::spec_keys<S> : nullptr,
      &detail::spec_text<S>,
      &detail::spec_state_text<S>,
      &detail::spec_reason<S>,
      detail::shape_of<S>(),
      [](const void* op, const void* result) -> Role {
        if constexpr (detail::shape_of<S>() != Shape::none) {
          return S::role(*static_cast<const typename S::Op*>(op),
                         static_cast<const typename S::Result*>(result));
        } else {
          (void)op;
          (void)result;
          return {};
        }
      },
      detail::shape_value<S>(),
      &detail::spec_less<S>,
  };
  return table;
}

}  // namespace gainsay
