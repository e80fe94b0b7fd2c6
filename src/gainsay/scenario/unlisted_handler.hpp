// A handler that was forgotten in `Receives` is a mistake that the compiler can name.
//
// An `on` whose message is not in `Receives` would never be called. The overloads of a name cannot be listed, but one
// can be asked for with an argument that converts to every type that is not in `Receives`: if anything takes it, it is
// a handler that was forgotten there. Several such handlers make the call ambiguous; beside a function that takes
// anything as the last resort, that too differs from none.
#pragma once

#include <concepts>
#include <type_traits>

namespace gainsay {

class Context;

namespace detail {

template <class M, class List> inline constexpr bool listed = false;

template <class List> struct Unlisted {
  template <class T>
    requires(!listed<T, List> && !std::same_as<T, Unlisted>)
  operator const T&() const;
};
struct Unrelated {};

// Whether A has anything of the name `on`: then the name is ambiguous beside another one.
struct WithOn {
  void on();
};
template <class A> struct BesideOn : A, WithOn {};
template <class A>
concept HasOn = !requires {
  &BesideOn<A>::on;
};

struct LastResort {};
template <class A> struct WithLastResort : A {
  using A::on;
  LastResort on(...);
};
template <class A, class... Args>
concept TakenByNobody = requires(WithLastResort<A>& actor, Args&... args) {
  { actor.on(args...) } -> std::same_as<LastResort>;
};

template <class A> consteval bool has_unlisted_handler() {
  if constexpr (!std::is_class_v<A> || std::is_final_v<A>) {
    return false;
  } else if constexpr (!HasOn<A>) {
    return false;
  } else if constexpr (!TakenByNobody<A, Unrelated> || !TakenByNobody<A, Unrelated, Context>) {
    return false;  // a template that takes whatever it is given
  } else {
    using Other = Unlisted<typename A::Receives>;
    return !TakenByNobody<A, Other> || !TakenByNobody<A, Other, Context>;
  }
}

}  // namespace detail
}  // namespace gainsay
