// Actors with tasks: any class that has `gainsay::Task<> run(gainsay::TaskContext&)`, made by world.wrap<A>.
//
//   struct Client {
//     using Receives = gainsay::Messages<Stop>;  // may be left out: replies to calls need not be listed
//     gainsay::Ref<Store> store;
//     int seen = 0;
//     gainsay::Task<> run(gainsay::TaskContext& ctx) {
//       const Value value = co_await ctx.call<Value>(store, Get{"x"});
//       seen = value.number;
//     }
//   };
//   world.wrap<Client>("client", store);
//
// The actor starts with the first step of `run`. A message that has an `on` (which may take the TaskContext) goes
// there unless a task waits for it; a message without an `on` stays pending until a task receives it.
#pragma once

#include <string>

#include "gainsay/scenario/when.hpp"
#include "gainsay/scenario/wrapping.hpp"  // IWYU pragma: export

namespace gainsay::detail {

template <class A, class M>
concept HandlesWithTasks = requires(A& actor, Exactly<M> message, TaskContext& context) {
  actor.on(message, context);
};

// The actor and its tasks, which are destroyed before it.
template <class A> class WithTasks final : public A {
 public:
  template <class... Args> explicit WithTasks(const Args&... args) : A(args...) {}

  // Made by this, not by make_shared, because some are never destroyed (TaskContext::keep_for_ever).
  template <class... Args> static std::shared_ptr<A> make(const Args&... args) {
    return std::shared_ptr<A>(new WithTasks(args...), [](A* actor) {
      WithTasks* whole = static_cast<WithTasks*>(actor);
      if (!whole->tasks_.kept()) {
        delete whole;
      } else {
        keep_reachable(whole);
      }
    });
  }

  static ActorType make_type() {
    static_assert(
        !requires(A & actor, Context & context) { actor.on_start(context); },
        "gainsay: an actor with `Task<> run(TaskContext&)` starts there; move on_start into run");
    ActorType type;
    type.name = reflect::type_name<A>();
    type.name_hash = hash_text(reflect::full_type_name<A>());
    if constexpr (HasReceives<A>) type.handlers = handlers(typename A::Receives{});
    type.on_start = [](void* actor, Context& context) {
      WithTasks& self = of(actor);
      self.tasks_.begin_main(context, [&](TaskContext& tasks) { return self.run(tasks); });
    };
    type.on_restart = type.on_start;
    type.expects = [](const void* actor, const Arrival& arrival) { return of(actor).expects(arrival); };
    type.task_of = [](const void* actor, const Arrival& arrival) {
      return of(actor).tasks_.task_of(arrival);
    };
    type.arrive = [](void* actor, const Arrival& arrival, Context& context) {
      WithTasks& self = of(actor);
      return self.tasks_.arrive(arrival, context) || self.expects(arrival) == Expected::by_nobody;
    };
    type.waiting = [](const void* actor, const ActorNames& names) {
      if constexpr (Waits<A>) {
        const std::string own = waiting_text(static_cast<const A&>(of(actor)));
        if (!own.empty()) return own;
      }
      return of(actor).tasks_.waiting(names);
    };
    type.gated = true;
    return type;
  }

 private:
  static WithTasks& of(void* actor) { return *static_cast<WithTasks*>(static_cast<A*>(actor)); }
  static const WithTasks& of(const void* actor) {
    return *static_cast<const WithTasks*>(static_cast<const A*>(actor));
  }

  Expected expects(const Arrival& arrival) const {
    const Handler* handler = opaque_actor_type<A>().handler_of(*arrival.type);
    if (tasks_.expects(arrival)) {
      const bool gated = handler != nullptr && handler->accepts != nullptr && arrival.answers == 0;
      return !gated || handler->accepts(static_cast<const A*>(this), arrival.message) ? Expected::by_task
                                                                                      : Expected::by_nobody;
    }
    const bool ours = arrival.kind == EventKind::task || arrival.answers != 0 ||
                      arrival.type == &reflect::value_type<TaskTimer>();
    if (ours) return Expected::by_nobody;  // what waited for it is gone
    return handler != nullptr && handler->handle == nullptr ? Expected::by_nobody : Expected::by_handler;
  }

  template <class M> static Handler handler() {
    Handler handler;
    handler.message = &reflect::value_type<M>();
    if constexpr (HandlesWithTasks<A, M> || HandlesAlone<A, M>) {
      handler.handle = [](void* actor, const void* message, Context& context) {
        WithTasks& self = of(actor);
        self.tasks_.handle(context, [&]([[maybe_unused]] TaskContext& tasks) {
          if constexpr (HandlesWithTasks<A, M>) {
            self.on(*static_cast<const M*>(message), tasks);
          } else {
            self.on(*static_cast<const M*>(message));
          }
        });
      };
    }
    if constexpr (Gates<A, M>) {
      handler.accepts = [](const void* actor, const void* message) -> bool {
        return static_cast<const A*>(actor)->accepts(*static_cast<const M*>(message));
      };
    }
    return handler;
  }
  template <class... M> static std::span<const Handler> handlers(Messages<M...>) {
    static const Handler table[] = {handler<M>()..., Handler{}};
    return {table, sizeof...(M)};
  }

  TaskHost tasks_;
};

}  // namespace gainsay::detail
