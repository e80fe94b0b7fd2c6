// Monitors: small state machines that watch a scenario and say what must never happen or must happen in the end.
//
//   struct Repair {
//     using Observes = gainsay::Messages<NodeFailed, Repaired>;
//     std::set<int> missing;
//     void on(const NodeFailed& e) { missing.insert(e.node); }
//     void on(const Repaired& e, gainsay::MonitorContext& m) {
//       m.check(missing.contains(e.node), "repaired what was whole");
//       missing.erase(e.node);
//     }
//     bool hot() const { return !missing.empty(); }
//   };
//   world.monitor<Repair>("repair");           // in the scenario
//   ctx.notify<Repair>(NodeFailed{3});         // in any handler
//
// A notification is handled at once, before the step that notified ends. A monitor with `hot()` is a liveness
// monitor: whenever it is hot, something still has to happen; `std::string hot() const` says what (empty: cold).
// A monitor's fields are a reflected value and part of the world's state. It sends nothing, asks nothing and
// keeps no time.
#pragma once

#include "gainsay/scenario/context.hpp"

namespace gainsay {

// What a monitor may do besides changing its own fields.
class MonitorContext {
 public:
  explicit MonitorContext(Context& context) : context_(&context) {}

  // A failed check does not throw: the step finishes, then the execution ends as violated.
  void check(bool condition, std::string_view message) { context_->check(condition, message); }
  template <class F>
    requires requires(F f) {
      { f() } -> std::convertible_to<std::string>;
    }
  void check(bool condition, F&& message) { context_->check(condition, std::forward<F>(message)); }
  // Whose handler notified.
  ActorId notifier() const { return context_->sender(); }

 private:
  Context* context_;
};

namespace detail {

template <class A, class M>
concept ObservesWithContext = requires(A& monitor, Exactly<M> event, MonitorContext& context) {
  monitor.on(event, context);
};

template <class A, class M> constexpr Handler make_observer() {
  static_assert(
      ObservesWithContext<A, M> || HandlesAlone<A, M>,
      "gainsay: the monitor lists this event in `Observes` but has no `void on(const M&)` or `void on(const "
      "M&, gainsay::MonitorContext&)` for it");
  Handler handler;
  handler.message = &reflect::value_type<M>();
  handler.handle = [](void* monitor, const void* event, Context& context) {
    if constexpr (ObservesWithContext<A, M>) {
      MonitorContext limited(context);
      static_cast<A*>(monitor)->on(*static_cast<const M*>(event), limited);
    } else {
      static_cast<A*>(monitor)->on(*static_cast<const M*>(event));
    }
  };
  return handler;
}

template <class A, class... M> std::span<const Handler> observers_of(Messages<M...>) {
  static const Handler table[] = {make_observer<A, M>()..., Handler{}};
  return {table, sizeof...(M)};
}

template <class A> ActorType make_monitor_type() {
  static_assert(
      requires { typename A::Observes; },
      "gainsay: the monitor does not say what it observes; add `using Observes = gainsay::Messages<A, B>;`");
  ActorType type;
  type.name = reflect::type_name<A>();
  type.name_hash = hash_text(reflect::full_type_name<A>());
  type.value = &reflect::value_type<A>();
  type.handlers = observers_of<A>(typename A::Observes{});
  type.monitor = true;
  if constexpr (requires(const A& monitor) {
                  { monitor.hot() } -> std::same_as<bool>;
                }) {
    type.hot = [](const void* monitor) { return static_cast<const A*>(monitor)->hot(); };
    type.heat = [](const void*) { return std::string(); };
  } else if constexpr (requires(const A& monitor) { monitor.hot(); }) {
    type.hot = [](const void* monitor) { return !static_cast<const A*>(monitor)->hot().empty(); };
    type.heat = [](const void* monitor) -> std::string { return static_cast<const A*>(monitor)->hot(); };
  }
  return type;
}

}  // namespace detail

template <class A> const ActorType& monitor_type() {
  static const ActorType type = detail::make_monitor_type<A>();
  return type;
}

}  // namespace gainsay
