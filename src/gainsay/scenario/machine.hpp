// Machines: P#'s state machines as value actors. A table says, for every state, what each event does.
//
//   struct Door {
//     enum class State { open, closed };
//     using Receives = gainsay::Messages<Push, Knock>;
//     gainsay::Machine<State> machine{};
//     int knocks = 0;
//
//     static void table(gainsay::Table<Door>& t) {
//       t.start(State::closed);
//       t.in(State::closed).on<Knock>(&Door::count).go_to<Push>(State::open);
//       t.in(State::open).entry(&Door::cheer).defer<Knock>().go_to<Push>(State::closed);
//     }
//     void count(const Knock&, gainsay::Context& ctx);
//     void cheer(gainsay::Context& ctx);
//   };
//
// An actor is a machine if it has a static `table` and a field `machine`. Actions are member functions or functions
// without captures; they take the actor, and may take the event and the Context. An event that neither the current
// state nor any state below it mentions is a violation. An action may end with one of ctx.raise(event),
// ctx.go_to(state), ctx.push(state), ctx.pop(), which takes effect when the action has returned, within the same
// step. The targets of ctx.go_to and ctx.push are declared, so that the table shows every transition. A monitor can
// also be a machine (scenario/monitor.hpp).
//
// After Deligiannis et al., "Asynchronous Programming, Analysis and Testing with State Machines" (PLDI 2015),
// section 3, and, for push and what a pushed state inherits, Desai et al., "P: Safe Asynchronous Event-Driven
// Programming" (PLDI 2013), section 3.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "gainsay/scenario/machine_run.hpp"
#include "gainsay/scenario/machine_type.hpp"

namespace gainsay {

template <class... M> struct Messages;
class MonitorContext;

namespace detail {

template <class A>
concept IsMonitor = requires {
  typename A::Observes;
};
// What reaches the machine, and what its actions may do.
template <class A> struct MachineWorld {
  using Events = typename A::Receives;
  using ActionContext = Context;
};
template <IsMonitor A> struct MachineWorld<A> {
  using Events = typename A::Observes;
  using ActionContext = MonitorContext;
};

}  // namespace detail

template <class A> class Table {
 public:
  using State = typename decltype(A::machine)::State;

  // The rules for one state, or for several.
  class Row : private MachineRows {
   public:
    // Runs whenever the state is entered; for the start state, as the machine's first event.
    template <class F> Row& entry(F action) {
      add_entry(bind_alone(action));
      return *this;
    }
    // Runs whenever the state is left: by a go_to, a pop, or a Halt.
    template <class F> Row& exit(F action) {
      add_exit(bind_alone(action));
      return *this;
    }
    // Monitors: hot, something still has to happen (`awaits`); or cold, nothing does. A state that is neither is
    // warm.
    Row& hot(std::string_view awaits = {}) {
      add_heat(Heat::hot, awaits);
      return *this;
    }
    Row& cold() {
      add_heat(Heat::cold, {});
      return *this;
    }
    // Handles the event and stays in the state.
    template <class M, class F> Row& on(F action) {
      return add<M>({MachineRow::Kind::act, 0, bind<M>(action)});
    }
    // Leaves the state, runs the action if there is one, and enters the other state.
    template <class M> Row& go_to(State target) {
      return add<M>({MachineRow::Kind::go_to, index(target), {}});
    }
    template <class M, class F> Row& go_to(State target, F action) {
      return add<M>({MachineRow::Kind::go_to, index(target), bind<M>(action)});
    }
    // Enters the other state on top of this one without leaving it.
    template <class M> Row& push(State target) { return add<M>({MachineRow::Kind::push, index(target), {}}); }
    // Runs the action if there is one and leaves the state; the state below is current again.
    template <class M> Row& pop() { return add<M>({MachineRow::Kind::pop, 0, {}}); }
    template <class M, class F> Row& pop(F action) {
      return add<M>({MachineRow::Kind::pop, 0, bind<M>(action)});
    }
    // Runs the action if there is one; then the machine accepts no more events.
    template <class M> Row& halt() { return add<M>({MachineRow::Kind::halt, 0, {}}); }
    template <class M, class F> Row& halt(F action) {
      return add<M>({MachineRow::Kind::halt, 0, bind<M>(action)});
    }
    // The events wait until the machine is in a state that does not defer them.
    template <class... M> Row& defer() {
      (add<M>({MachineRow::Kind::defer, 0, {}}), ...);
      return *this;
    }
    // Accepts the events without any effect.
    template <class... M> Row& ignore() {
      (add<M>({MachineRow::Kind::ignore, 0, {}}), ...);
      return *this;
    }
    // The targets of ctx.go_to and ctx.push in the actions of this state.
    template <class... S> Row& may_go_to(S... targets) {
      const StateIndex indices[] = {index(targets)...};
      add_may_go_to(indices);
      return *this;
    }
    template <class... S> Row& may_push(S... targets) {
      const StateIndex indices[] = {index(targets)...};
      add_may_push(indices);
      return *this;
    }

   private:
    friend class Table;
    using MachineRows::MachineRows;

    template <class M> Row& add(const MachineRow& row) {
      MachineRows::add(reflect::value_type<M>(), row);
      return *this;
    }
  };

  explicit Table(MachineBuilder& builder) : builder_(&builder) {}
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  void start(State state) { builder_->start(index(state)); }
  template <class... S> Row in(S... states) {
    static_assert(sizeof...(S) > 0 && (std::is_same_v<S, State> && ...),
                  "gainsay: `in` takes one or more states of this machine");
    (builder_->describe(index(states)), ...);
    return Row(*builder_, {index(states)...});
  }

 private:
  static StateIndex index(State state) { return static_cast<StateIndex>(state); }

  using ActionContext = typename detail::MachineWorld<A>::ActionContext;

  // Calls what was bound with the context that it may have.
  template <class F, class... Args>
  static void call(F f, void* actor, Context& context, const Args&... args) {
    if constexpr (std::is_invocable_v<F, A&, const Args&..., ActionContext&>) {
      if constexpr (std::is_same_v<ActionContext, Context>) {
        std::invoke(f, *static_cast<A*>(actor), args..., context);
      } else {
        ActionContext limited(context);
        std::invoke(f, *static_cast<A*>(actor), args..., limited);
      }
    } else {
      std::invoke(f, *static_cast<A*>(actor), args...);
    }
  }

  template <class F>
  static constexpr bool plain_function =
      std::is_member_function_pointer_v<F> || std::is_empty_v<F> || std::is_pointer_v<F>;

  template <class M, class F> static MachineAction bind(F f) {
    static_assert(plain_function<F>, "gainsay: an action may not capture anything; use the actor's fields");
    if constexpr (std::is_invocable_v<F, A&, const M&, ActionContext&> ||
                  std::is_invocable_v<F, A&, const M&>) {
      return {[](const std::byte* bound, void* actor, const void* event, Context& context) {
                call(MachineAction::unbound<F>(bound), actor, context, *static_cast<const M*>(event));
              },
              f};
    } else {
      static_assert(std::is_invocable_v<F, A&, ActionContext&> || std::is_invocable_v<F, A&>,
                    "gainsay: the action does not fit this event; it is called with `const M&, "
                    "gainsay::Context&` (a monitor's: `gainsay::MonitorContext&`), one of them, or neither");
      return bind_alone(f);
    }
  }
  template <class F> static MachineAction bind_alone(F f) {
    static_assert(plain_function<F>, "gainsay: an action may not capture anything; use the actor's fields");
    if constexpr (std::is_invocable_v<F, A&, ActionContext&> || std::is_invocable_v<F, A&>) {
      return {[](const std::byte* bound, void* actor, const void*, Context& context) {
                call(MachineAction::unbound<F>(bound), actor, context);
              },
              f};
    } else {
      static_assert(std::is_invocable_v<F, A&>,
                    "gainsay: an entry or exit is called with `gainsay::Context&` (a monitor's: "
                    "`gainsay::MonitorContext&`) or with nothing");
      return {};
    }
  }

  MachineBuilder* builder_;
};

namespace detail {

template <class T> inline constexpr bool is_machine_field = false;
template <class S> inline constexpr bool is_machine_field<Machine<S>> = true;

template <class A>
concept HasMachineField = requires(A& actor) {
  requires is_machine_field<std::remove_cvref_t<decltype(actor.machine)>>;
};
template <class A>
concept HasTable = requires {
  &A::table;
};

template <class A> consteval bool require_machine() {
  static_assert(HasMachineField<A>,
                "gainsay: the actor has a `table` but no field `gainsay::Machine<State> machine{};`");
  static_assert(HasTable<A>,
                "gainsay: the actor has a field `machine` but no `static void table(gainsay::Table<A>& t)`");
  static_assert(
      !requires(A & actor, Context & context) { actor.on_start(context); },
      "gainsay: a machine starts with the entry action of its start state; move `on_start` there");
  return HasMachineField<A> && HasTable<A>;
}

// Whether A wants to be a machine; what it lacks is then an error.
template <class A> inline constexpr bool is_machine = HasMachineField<A> || HasTable<A>;

template <class A> MachineType::Stack stack_of() {
  using State = typename Table<A>::State;
  MachineType::Stack stack;
  stack.depth = [](const void* actor) {
    return static_cast<std::uint32_t>(static_cast<const A*>(actor)->machine.below.size());
  };
  stack.at = [](const void* actor, std::uint32_t level) {
    const auto& machine = static_cast<const A*>(actor)->machine;
    return static_cast<StateIndex>(level < machine.below.size() ? machine.below[level] : machine.state);
  };
  stack.top = [](const void* actor) {
    return static_cast<StateIndex>(static_cast<const A*>(actor)->machine.state);
  };
  stack.replace = [](void* actor, StateIndex state) {
    static_cast<A*>(actor)->machine.state = static_cast<State>(state);
  };
  stack.push = [](void* actor, StateIndex state) {
    auto& machine = static_cast<A*>(actor)->machine;
    machine.below.push_back(machine.state);
    machine.state = static_cast<State>(state);
  };
  stack.pop = [](void* actor) {
    auto& machine = static_cast<A*>(actor)->machine;
    machine.state = machine.below.back();
    machine.below.pop_back();
  };
  return stack;
}

template <class A, class... M> MachineType make_machine_type(Messages<M...>*) {
  using State = typename Table<A>::State;
  MachineType type;
  type.name = reflect::type_name<A>();
  type.full_name = reflect::full_type_name<A>();
  type.state_type = hash_text(reflect::full_type_name<State>());
  type.stack = stack_of<A>();
  type.monitor = IsMonitor<A>;
  MachineBuilder builder(type, reflect::enumerator_names<State>(), {&reflect::value_type<M>()...});
  Table<A> table(builder);
  A::table(table);
  builder.finish();
  return type;
}

template <class A> const MachineType& machine_type() {
  static_assert(require_machine<A>());
  static const MachineType type =
      make_machine_type<A>(static_cast<typename MachineWorld<A>::Events*>(nullptr));
  return type;
}

// The place of M among what the machine receives, which is its event's index.
template <class M, class... L> constexpr EventIndex event_index(Messages<L...>*) {
  EventIndex index = 0;
  bool found = false;
  ((found = found || std::is_same_v<M, L>, index += found ? 0 : 1), ...);
  return index;
}

// Puts a machine into its first state; other actors stay as they are.
template <class A> void set_start(A& actor) {
  if constexpr (is_machine<A>) {
    if constexpr (require_machine<A>()) {
      actor.machine = {};
      const MachineType& type = machine_type<A>();
      if (type.problems.empty()) type.stack.replace(&actor, type.start);
    }
  }
}
template <class A> A at_start(A actor) {
  set_start(actor);
  return actor;
}

}  // namespace detail
}  // namespace gainsay
