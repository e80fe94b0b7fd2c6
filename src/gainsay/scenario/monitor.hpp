// Monitors: small state machines that watch a scenario and check what must never happen or must eventually happen.
//
//   struct Repair {
//     using Observes = gainsay::Messages<NodeFailed, Repaired>;
//     std::set<int> missing;
//     void on(const NodeFailed& e) { missing.insert(e.node); }
//     void on(const Repaired& e, gainsay::MonitorContext& m) {
//       m.check(missing.contains(e.node), "repaired a node that had not failed");
//       missing.erase(e.node);
//     }
//     bool hot() const { return !missing.empty(); }
//   };
//   world.monitor<Repair>("repair");           // in the scenario
//   ctx.notify<Repair>(NodeFailed{3});         // in any handler
//
// A notification is handled immediately, before the notifying step ends. A monitor with `hot()` is a liveness
// monitor: while it is hot, something still has to happen; `std::string hot() const` says what (empty: not hot).
// When it is not hot it is cold, unless it also has `bool cold() const`: then neither hot nor cold is warm. An
// infinite fair execution on which it is hot infinitely often and never cold is a violation; staying warm for ever
// is not. A monitor's fields are a reflected value and part of the world's state. It cannot send, choose or use
// timers.
//
// A monitor can also be a machine (scenario/machine.hpp). Its table says which states are hot and which are cold:
//
//   struct Lease {
//     enum class State { free, taken, expiring };
//     using Observes = gainsay::Messages<Taken, Expiring, Freed>;
//     gainsay::MonitorMachine<State> machine{};
//     static void table(gainsay::Table<Lease>& t) {
//       t.start(State::free);
//       t.in(State::free).cold().go_to<Taken>(State::taken);
//       t.in(State::taken).go_to<Expiring>(State::expiring).go_to<Freed>(State::free);   // warm
//       t.in(State::expiring).hot("the lease must end").go_to<Freed>(State::free);
//     }
//   };
//
// Its actions take a MonitorContext. The entry action of its start state runs before the first step.
#pragma once

#include "gainsay/scenario/context.hpp"

namespace gainsay {

// What a monitor may do besides changing its own fields.
class MonitorContext {
 public:
  explicit MonitorContext(Context& context) : context_(&context) {}

  // A failed check does not throw: the step finishes, then the execution ends with a violation.
  void check(bool condition, std::string_view message,
             const std::source_location& where = std::source_location::current()) {
    context_->check(condition, message, where);
  }
  template <class F>
    requires requires(F f) {
      { f() } -> std::convertible_to<std::string>;
    }
  void check(bool condition, F&& message,
             const std::source_location& where = std::source_location::current()) {
    context_->check(condition, std::forward<F>(message), where);
  }
  // The same under its own name, for a monitor that checks several properties.
  void violate(std::string property, std::string message) {
    context_->violate(std::move(property), std::move(message));
  }
  // The actor whose handler notified.
  ActorId notifier() const { return context_->sender(); }

  // Machines only, as for actors: Context::raise, go_to, push, pop.
  template <class E> void raise(const E& event) { context_->raise(event); }
  template <class S> void go_to(S state) { context_->go_to(state); }
  template <class S> void push(S state) { context_->push(state); }
  void pop() { context_->pop(); }

 private:
  Context* context_;
};

// The states of a monitor that is a machine.
template <class S> using MonitorMachine = Machine<S>;

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
  if constexpr (is_machine<A>) {
    static const Handler table[] = {make_machine_handler<A, M>()..., Handler{}};
    return {table, sizeof...(M)};
  } else {
    static const Handler table[] = {make_observer<A, M>()..., Handler{}};
    return {table, sizeof...(M)};
  }
}

template <class A>
concept SaysWhenHot = requires(const A& monitor) {
  monitor.hot();
};
template <class A>
concept SaysWhenCold = requires(const A& monitor) {
  { monitor.cold() } -> std::same_as<bool>;
};

template <class A> std::string hot_text(const A& monitor) {
  if constexpr (std::same_as<decltype(monitor.hot()), bool>) {
    return "";
  } else {
    return monitor.hot();
  }
}

// Hot wins if a monitor is both.
template <SaysWhenHot A> Heat heat_of(const A& monitor) {
  bool hot = false;
  if constexpr (std::same_as<decltype(monitor.hot()), bool>) {
    hot = monitor.hot();
  } else {
    hot = !monitor.hot().empty();
  }
  if (hot) return Heat::hot;
  if constexpr (SaysWhenCold<A>) return monitor.cold() ? Heat::cold : Heat::warm;
  return Heat::cold;
}

template <class A> void make_monitor_machine(ActorType& type) {
  type.machine = &machine_type<A>();
  if (type.machine->states.empty() || !type.machine->problems.empty()) return;
  if (type.machine->states[type.machine->start].entry)
    type.on_start = [](void* monitor, Context& context) {
      start_machine(machine_type<A>(), monitor, context);
    };
  if (!type.machine->is_ever_hot()) return;
  type.heat = [](const void* monitor) { return machine_type<A>().state_of(monitor).heat; };
  type.awaits = [](const void* monitor) { return machine_type<A>().state_of(monitor).awaits; };
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
  if constexpr (is_machine<A>) {
    static_assert(!SaysWhenHot<A>,
                  "gainsay: the table of a monitor's machine says which states are hot; remove `hot()`");
    make_monitor_machine<A>(type);
  } else if constexpr (SaysWhenHot<A>) {
    type.heat = [](const void* monitor) { return heat_of(*static_cast<const A*>(monitor)); };
    type.awaits = [](const void* monitor) { return hot_text(*static_cast<const A*>(monitor)); };
  } else {
    static_assert(!SaysWhenCold<A>, "gainsay: a monitor with `cold()` needs `hot()` as well");
  }
  return type;
}

}  // namespace detail

template <class A> const ActorType& monitor_type() {
  static const ActorType type = detail::make_monitor_type<A>();
  return type;
}

}  // namespace gainsay
