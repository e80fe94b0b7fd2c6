// Actors: what a user's struct must provide, and the static table that the kernel uses.
//
// An actor names the messages it takes, `using Receives = gainsay::Messages<A, B>;`, and has one `on` per
// message: `void on(const A&, gainsay::Context&)` (the Context may be left out). Optional members:
//   void on_start(Context&)               runs as the actor's first event; without it there is no start event
//   void on_restart(Context&)             runs when a crashed actor comes back (default: on_start again)
//   bool accepts(const M&) const          gates M: while false, the message stays pending and is not enabled
//   bool waiting() const                  true: it still expects something; quiescence is then a deadlock
//   std::string waiting() const           the same with a reason; empty means it does not wait
// An opaque actor may also have
//   std::uint64_t fingerprint() const     equal numbers mean equal states: loops and distinct states are then seen
//   Description describe() const          its state in words: traces show what a step changed
//   void on_crash()                       it loses what a crash loses, and a restart finds the same object; without
//                                         it a restart makes a new one
// A *value actor* is a reflected value (base/reflect.hpp). A *machine* is a value actor with a table of states
// instead of `on` (scenario/machine.hpp). An *opaque actor* is anything movable, made by a factory; one with
// `Task<> run(TaskContext&)` has tasks (scenario/task_actor.hpp).
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gainsay/base/print.hpp"
#include "gainsay/base/value_type.hpp"
#include "gainsay/scenario/machine.hpp"
#include "gainsay/scenario/unlisted_handler.hpp"
#include "gainsay/trace/event.hpp"

namespace gainsay {

class Context;
class TaskContext;
template <class T> class Task;

template <class... M> struct Messages {};

// An opaque actor's state in words, by name: {{"term", "3"}, {"log", "1:1 2:3"}}.
using Description = std::vector<std::pair<std::string, std::string>>;

// A message, timer or task step at the door of an actor that has tasks (scenario/task.hpp).
struct Arrival {
  EventKind kind = EventKind::deliver;
  ActorId from = nobody;
  std::uint32_t answers = 0;  // the number of the call that it replies to; 0: it is no reply
  const ValueType* type = nullptr;
  const void* message = nullptr;
};

enum class Expected : std::uint8_t { by_task, by_nobody, by_handler };

struct Handler {
  const ValueType* message = nullptr;
  // Null for machines, whose table says what an event does (scenario/machine_run.hpp).
  void (*handle)(void* actor, const void* message, Context& context) = nullptr;
  bool (*accepts)(const void* actor, const void* message) = nullptr;  // null: always
  bool is_const = false;                                              // it is a const member function
};

struct ActorType {
  std::string_view name;
  std::uint64_t name_hash = 0;
  const ValueType* value = nullptr;  // null for opaque actors
  std::span<const Handler> handlers;
  void (*on_start)(void* actor, Context& context) = nullptr;
  void (*on_restart)(void* actor, Context& context) = nullptr;
  // Empty: it does not wait.
  std::string (*waiting)(const void* actor, const ActorNames& names) = nullptr;
  // Actors with tasks: who takes an arrival now, and its taking; false: a handler shall take it.
  Expected (*expects)(const void* actor, const Arrival& arrival) = nullptr;
  // The number of the task that waits for it; 0: none does.
  std::uint32_t (*task_of)(const void* actor, const Arrival& arrival) = nullptr;
  bool (*arrive)(void* actor, const Arrival& arrival, Context& context) = nullptr;
  bool gated = false;
  bool monitor = false;                                  // scenario/monitor.hpp: notified, never sent to
  Heat (*heat)(const void* monitor) = nullptr;           // liveness monitors
  std::string (*awaits)(const void* monitor) = nullptr;  // what a hot one waits for; may be empty
  const MachineType* machine = nullptr;                  // null: no machine
  // Opaque actors: what only they can say of their state, and what they do of a crash themselves.
  std::uint64_t (*fingerprint)(const void* actor) = nullptr;
  Description (*describe)(const void* actor) = nullptr;
  void (*on_crash)(void* actor) = nullptr;

  const Handler* handler_of(const ValueType& message) const {
    for (const Handler& handler : handlers) {
      if (handler.message == &message) return &handler;
    }
    return nullptr;
  }
  // Lets one of the handlers take a message.
  void handle(const Handler& handler, void* actor, const void* message, Context& context) const {
    if (machine != nullptr) {
      run_machine(*machine, actor, static_cast<EventIndex>(&handler - handlers.data()), message, context);
    } else {
      handler.handle(actor, message, context);
    }
  }
};

// An opaque actor is made anew for every execution.
using OpaqueFactory = std::function<std::shared_ptr<void>()>;

namespace detail {

// Converts to exactly M: `on(const Num&)` must not be taken for a handler of whatever converts to Num.
template <class M> struct Exactly {
  template <class T>
    requires std::same_as<T, M>
  operator const T&() const;
};

template <class A, class M>
concept HandlesWithContext = requires(A& actor, Exactly<M> message, Context& context) {
  actor.on(message, context);
};
template <class A, class M>
concept HandlesAlone = requires(A& actor, Exactly<M> message) {
  actor.on(message);
};
template <class A, class M>
concept Gates = requires(const A& actor, Exactly<M> message) {
  { actor.accepts(message) } -> std::convertible_to<bool>;
};
// Whether `on` is exactly a const member function for M, and no other one that fits M as well. Of overloads that need a
// conversion besides, the compiler would say that the call is ambiguous.
template <class A, class M>
concept HandlesConst = requires {
  static_cast<void (A::*)(const M&, Context&) const>(&A::on);
}
|| (!HandlesWithContext<A, M> && requires { static_cast<void (A::*)(const M&) const>(&A::on); });
template <class A, class M>
concept HandlesMutable = requires {
  static_cast<void (A::*)(const M&, Context&)>(&A::on);
}
|| requires { static_cast<void (A::*)(M, Context&)>(&A::on); }
|| requires { static_cast<void (A::*)(const M&)>(&A::on); }
|| requires { static_cast<void (A::*)(M)>(&A::on); };
template <class A>
concept HasReceives = requires {
  typename A::Receives;
};

template <class A>
concept Waits = requires(const A& actor) {
  actor.waiting();
};
template <class A>
concept HasTasks = requires(A& actor, TaskContext& context) {
  { actor.run(context) } -> std::same_as<Task<void>>;
};
template <class A> class WithTasks;  // scenario/task_actor.hpp

template <class A> std::string waiting_text(const A& actor) {
  if constexpr (std::same_as<decltype(actor.waiting()), bool>) {
    return actor.waiting() ? "it is still waiting" : "";
  } else {
    return actor.waiting();
  }
}

template <class M, class... L> inline constexpr bool listed<M, Messages<L...>> = (std::same_as<M, L> || ...);

template <class A, class M> consteval bool require_handler() {
  static_assert(HandlesWithContext<A, M> || HandlesAlone<A, M>,
                "gainsay: the actor lists this message in `Receives` but has no `void on(const M&, "
                "gainsay::Context&)` for it");
  return true;
}

template <class A, class M> bool user_accepts(const void* actor, const void* message) {
  if constexpr (Gates<A, M>) {
    return static_cast<const A*>(actor)->accepts(*static_cast<const M*>(message));
  } else {
    return true;
  }
}

// A machine's table takes the place of `on`; what a state defers is gated.
template <class A, class M> Handler make_machine_handler() {
  static constexpr EventIndex event = event_index<M>(static_cast<typename MachineWorld<A>::Events*>(nullptr));
  Handler handler;
  handler.message = &reflect::value_type<M>();
  if (Gates<A, M> || machine_type<A>().defers(event)) {
    handler.accepts = [](const void* actor, const void* message) -> bool {
      return !machine_type<A>().is_deferred(actor, event) && user_accepts<A, M>(actor, message);
    };
  }
  return handler;
}

template <class A, class M> constexpr Handler make_handler() {
  static_assert(require_handler<A, M>());
  Handler handler;
  handler.message = &reflect::value_type<M>();
  handler.handle = [](void* actor, const void* message, Context& context) {
    if constexpr (HandlesWithContext<A, M>) {
      static_cast<A*>(actor)->on(*static_cast<const M*>(message), context);
    } else {
      static_cast<A*>(actor)->on(*static_cast<const M*>(message));
    }
  };
  if constexpr (Gates<A, M>) {
    handler.accepts = [](const void* actor, const void* message) -> bool {
      return static_cast<const A*>(actor)->accepts(*static_cast<const M*>(message));
    };
  }
  handler.is_const = HandlesConst<A, M> && !HandlesMutable<A, M>;
  return handler;
}

template <class A, class... M> std::span<const Handler> handlers_of(Messages<M...>) {
  if constexpr (is_machine<A>) {
    static const Handler table[] = {make_machine_handler<A, M>()..., Handler{}};
    return {table, sizeof...(M)};
  } else {
    static const Handler table[] = {make_handler<A, M>()..., Handler{}};
    return {table, sizeof...(M)};
  }
}

// A machine starts, and starts again, by entering its start state; `on_restart` runs before that.
template <class A> void make_machine(ActorType& type) {
  type.machine = &machine_type<A>();
  const auto start = [](void* actor, Context& context) { start_machine(machine_type<A>(), actor, context); };
  if (type.machine->states.empty() || !type.machine->states[type.machine->start].entry) return;
  type.on_start = start;
  if constexpr (!requires(A & actor, Context & context) { actor.on_restart(context); }) {
    type.on_restart = start;
  } else {
    type.on_restart = [](void* actor, Context& context) {
      static_cast<A*>(actor)->on_restart(context);
      start_machine(machine_type<A>(), actor, context);
    };
  }
}

template <class A> void set_opaque_hooks(ActorType& type) {
  if constexpr (requires(const A& actor) {
                  { actor.fingerprint() } -> std::same_as<std::uint64_t>;
                }) {
    type.fingerprint = [](const void* actor) { return static_cast<const A*>(actor)->fingerprint(); };
  }
  if constexpr (requires(const A& actor) {
                  { actor.describe() } -> std::convertible_to<Description>;
                }) {
    type.describe = [](const void* actor) -> Description { return static_cast<const A*>(actor)->describe(); };
  }
  if constexpr (requires(A & actor) { actor.on_crash(); }) {
    type.on_crash = [](void* actor) { static_cast<A*>(actor)->on_crash(); };
  }
}

template <class A> std::span<const Handler> listed_handlers() {
  static_assert(HasReceives<A>,
                "gainsay: the actor has no `Receives`, or it is private; add `using Receives = "
                "gainsay::Messages<A, B>;` (in a class, after `public:`)");
  if constexpr (HasReceives<A>) {
    if constexpr (!is_machine<A>) {
      static_assert(
          !has_unlisted_handler<A>(),
          "gainsay: the actor has an `on` for a message that is not in `Receives`, so nobody can send "
          "it; add the message to `Receives`, or give the function another name");
    }
    return handlers_of<A>(typename A::Receives{});
  } else {
    return {};
  }
}

template <class A> ActorType make_actor_type(const ValueType* value) {
  ActorType type;
  type.name = reflect::type_name<A>();
  type.name_hash = hash_text(reflect::full_type_name<A>());
  type.value = value;
  type.handlers = listed_handlers<A>();
  if constexpr (requires(A & actor, Context & context) { actor.on_start(context); }) {
    type.on_start = [](void* actor, Context& context) { static_cast<A*>(actor)->on_start(context); };
  }
  type.on_restart = type.on_start;
  if constexpr (requires(A & actor, Context & context) { actor.on_restart(context); }) {
    type.on_restart = [](void* actor, Context& context) { static_cast<A*>(actor)->on_restart(context); };
  }
  if constexpr (is_machine<A>) make_machine<A>(type);
  if constexpr (Waits<A>) {
    type.waiting = [](const void* actor, const ActorNames&) {
      return waiting_text(*static_cast<const A*>(actor));
    };
  }
  if (value == nullptr) set_opaque_hooks<A>(type);
  for (const Handler& handler : type.handlers) type.gated = type.gated || handler.accepts != nullptr;
  return type;
}

}  // namespace detail

// Whether A can be sent an M. A must be complete.
template <class A, class M>
concept Receives = detail::listed<M, typename A::Receives>;

template <class A> const ActorType& value_actor_type() {
  static_assert(!detail::HasTasks<A>, "gainsay: create an actor with `run` by world.wrap<A>(...)");
  static const ActorType type = detail::make_actor_type<A>(&reflect::value_type<A>());
  return type;
}

template <class A> const ActorType& opaque_actor_type() {
  static const ActorType type = [] {
    if constexpr (detail::HasTasks<A>) {
      return detail::WithTasks<A>::make_type();
    } else {
      return detail::make_actor_type<A>(nullptr);
    }
  }();
  return type;
}

namespace detail {

// What an opaque actor's factory makes; the pointer is to the A.
template <class A, class... Args> std::shared_ptr<void> make_opaque(const Args&... args) {
  if constexpr (HasTasks<A>) {
    return WithTasks<A>::make(args...);
  } else {
    const auto actor = std::make_shared<A>(args...);
    set_start(*actor);
    return actor;
  }
}

}  // namespace detail

}  // namespace gainsay
