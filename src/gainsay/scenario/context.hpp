// Context: everything that a handler may do besides changing its own fields.
//
// A handler is a function (self, local state, sender, message, answers to its choices) -> (local state', effects).
// Effects are values: the HandlerPort collects them and the kernel applies them after the handler has returned. A
// handler must depend on nothing else: no clock, no random numbers, no globals. `--verify-determinism` looks for
// violations of this rule.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "gainsay/scenario/actor.hpp"
#include "gainsay/scenario/machine_run.hpp"
#include "gainsay/scenario/source_place.hpp"
#include "gainsay/scenario/time.hpp"

namespace gainsay {

template <class M> const ActorType& monitor_type();  // scenario/monitor.hpp

// How a client's operation ended.
enum class Completion : std::uint8_t {
  ok,       // it took effect and gave a result
  failed,   // it certainly did not take effect
  unknown,  // it may have taken effect, or may still do so
};

// An operation that a client has begun (Context::invoke). Plain data: keep it in a field.
struct Invocation {
  std::uint32_t number = 0;  // among the operations of this actor, from 0
};

// Who waits for a reply: the sender of a message, and which of its calls (scenario/task.hpp). An actor may store it
// and reply later.
struct Caller {
  ActorId actor = nobody;
  std::uint32_t call = 0;  // 0: it was a plain send
};

// What the kernel provides to a running handler, type-erased.
class HandlerPort {
 public:
  // Context::check was called, so the scenario checks something.
  void note_check() { checked_ = true; }
  bool checked() const { return checked_; }

  virtual void send(ActorId to, const ValueType& type, const void* message) = 0;
  virtual void arm(Duration earliest, Duration latest, const ValueType& type, const void* message) = 0;
  virtual void cancel(const ValueType& type) = 0;
  virtual ActorId spawn(const ActorType& type, std::string_view name, const void* initial) = 0;
  virtual ActorId spawn_opaque(const ActorType& type, std::string_view name, OpaqueFactory make) = 0;
  // A fair coin is a choice between two values that no adversary makes. The label is for the trace.
  virtual std::uint32_t choose(std::uint32_t among, bool coin, std::string_view label) = 0;
  virtual Time now() = 0;
  virtual void fail(std::string message) = 0;
  // The same for a property other than "check".
  virtual void fail_as(std::string property, std::string message) = 0;
  // Returns false if it was not stored.
  virtual bool persist(const ValueType& type, const void* value) = 0;
  virtual const void* recover(const ValueType& type) = 0;
  virtual void halt() = 0;
  virtual void note(std::string text) = 0;
  virtual void notify(const ActorType& monitor, const ValueType& type, const void* event) = 0;
  virtual std::uint32_t invoke(const ValueType& type, const void* operation) = 0;
  // `type` is null if there is no result.
  virtual void complete(std::uint32_t number, Completion how, const ValueType* type, const void* result) = 0;
  virtual void invoke_for(ActorId client, const ValueType& type, const void* operation) = 0;
  virtual void complete_for(ActorId client, Completion how, const ValueType* type, const void* result) = 0;
  // For tasks: a reply to a call; a call, which gets its number; a step of a task, due immediately; cancelling a
  // timer or a step.
  virtual void reply(Caller to, const ValueType& type, const void* message) = 0;
  virtual std::uint32_t call(ActorId to, const ValueType& type, const void* message) = 0;
  virtual void task_step(const ValueType& type, const void* step) = 0;
  virtual void withdraw(EventKind kind, const ValueType& type, const void* message) = 0;
  // Whether a new task immediately runs to its first await (World::eager_tasks).
  virtual bool eager_tasks() const = 0;
  // A probable mistake; a hunt reports it once.
  virtual void warn(std::string text) = 0;
  // A violation under its own property name.
  virtual void violate(std::string property, std::string message) = 0;
  virtual std::string name_of(ActorId actor) const = 0;
  // Where a machine marks the items of its table that it goes through (scenario/machine_type.hpp); null: nobody wants
  // to know.
  virtual std::uint8_t* coverage_of(const MachineType& type) = 0;

 protected:
  ~HandlerPort() = default;

 private:
  bool checked_ = false;
};

class Context {
 public:
  Context(HandlerPort& port, ActorId self, ActorId sender, std::uint32_t call = 0)
      : port_(&port), self_(self), sender_(sender), call_(call) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  ActorId self() const { return self_; }
  // The typed handle of this actor: `ctx.self(*this)`.
  template <class A> Ref<A> self(const A&) const { return Ref<A>(self_); }
  // The sender of the current message: an actor, or `gainsay::outside`; for timers, the actor itself.
  ActorId sender() const { return sender_; }

  template <class A, class M> void send(Ref<A> to, const M& message) {
    static_assert(
        Receives<A, M>,
        "gainsay: the receiver does not accept this message; add it to its `Receives` and give it an `on`");
    port_->send(to, reflect::value_type<M>(), &message);
  }
  // To an actor whose type is not known here. A message that it does not accept is a violation at run time.
  template <class M> void send(ActorId to, const M& message) {
    port_->send(to, reflect::value_type<M>(), &message);
  }
  template <class A, class M> void send(Group<A> to, const M& message) {
    for (const Ref<A> each : to) send(each, message);
  }
  // Answers the sender; a task that awaits its call gets exactly this answer. A reply to the outside is recorded but
  // not delivered.
  template <class M> void reply(const M& message) { reply(caller(), message); }
  // To answer later, keep `caller()` of the request and reply to it from any handler.
  Caller caller() const { return {sender_, call_}; }
  template <class M> void reply(Caller to, const M& message) {
    port_->reply(to, reflect::value_type<M>(), &message);
  }

  // Arms a timer: a message to the actor itself that fires `after` from now or up to `slack` later (simulated time),
  // or at any moment (untimed). Arming a timer again with an equal message resets it.
  template <class M> void after(Duration after, const M& message, Duration slack = Duration(0)) {
    port_->arm(after, after > Duration::max() - slack ? Duration::max() : after + slack,
               reflect::value_type<M>(), &message);
  }
  // Cancels every timer of this actor that carries an M.
  template <class M> void cancel() { port_->cancel(reflect::value_type<M>()); }

  // Creates an actor; its handle can be used immediately.
  template <class A> Ref<A> spawn(std::string_view name, const A& initial) {
    const A first = detail::at_start(initial);
    return Ref<A>(port_->spawn(value_actor_type<A>(), name, &first));
  }
  template <class A> Ref<A> spawn(const A& initial) { return spawn<A>(reflect::type_name<A>(), initial); }
  // The same for an opaque actor; the arguments are copied and used whenever the actor is constructed.
  template <class A, class... Args> Ref<A> wrap(std::string_view name, Args... args) {
    return Ref<A>(port_->spawn_opaque(opaque_actor_type<A>(), name,
                                      [args...] { return detail::make_opaque<A>(args...); }));
  }

  // A data choice: a value in [0, n), picked by the strategy. n = 0 is a violation. Traces show the choice under its
  // label.
  std::uint32_t choose(std::uint32_t n, std::string_view label = {}) {
    return port_->choose(n, false, label);
  }
  // A fair coin, also picked by the strategy. An infinite execution in which it always shows the same side does not
  // violate liveness.
  bool flip(std::string_view label = {}) { return port_->choose(2, true, label) == 1; }
  // Simulated time on this actor's clock; 0 in untimed worlds.
  Time now() const { return port_->now(); }

  // A failed check does not throw: the handler finishes, then the execution ends with a violation.
  void check(bool condition, std::string_view message,
             const std::source_location& where = std::source_location::current()) {
    port_->note_check();
    if (!condition) fail_at(std::string(message), where);
  }
  // The same with a message that is created only if needed: `ctx.check(a == b, [&] { return ...; })`.
  template <class F>
    requires requires(F f) {
      { f() } -> std::convertible_to<std::string>;
    }
  void check(bool condition, F&& message,
             const std::source_location& where = std::source_location::current()) {
    port_->note_check();
    if (!condition) fail_at(message(), where);
  }

  // A violation under its own name, for wrappers that distinguish several kinds of errors.
  void violate(std::string property, std::string message) {
    port_->violate(std::move(property), std::move(message));
  }

  // Durable state: the last value passed to `persist` survives a crash; everything else is lost. Returns false if a
  // disk fault (World::faults) prevented the write.
  template <class D> bool persist(const D& value) { return port_->persist(reflect::value_type<D>(), &value); }
  template <class D> std::optional<D> recover() {
    const void* stored = port_->recover(reflect::value_type<D>());
    return stored == nullptr ? std::nullopt : std::optional<D>(*static_cast<const D*>(stored));
  }

  // Notifies a monitor of the world (scenario/monitor.hpp), which handles the event immediately.
  template <class Monitor, class M> void notify(const M& event) {
    static_assert(
        detail::listed<M, typename Monitor::Observes>,
        "gainsay: the monitor does not observe this event; add it to its `Observes` and give it an `on`");
    port_->notify(monitor_type<Monitor>(), reflect::value_type<M>(), &event);
  }

  // Client history: operations and their results, judged by world.linearizable<Spec>(). An operation that never
  // completes may or may not have taken effect.
  template <class Op> Invocation invoke(const Op& operation) {
    return {port_->invoke(reflect::value_type<Op>(), &operation)};
  }
  template <class Result> void complete(Invocation operation, const Result& result) {
    port_->complete(operation.number, Completion::ok, &reflect::value_type<Result>(), &result);
  }
  // Ends an operation without a result.
  void complete(Invocation operation, Completion how) {
    port_->complete(operation.number, how, nullptr, nullptr);
  }

  // The same for a client that takes no steps and has one operation at a time: a server begins the operation when it
  // accepts it, and whoever answers the client completes it.
  template <class Op> void invoke_for(ActorId client, const Op& operation) {
    port_->invoke_for(client, reflect::value_type<Op>(), &operation);
  }
  template <class Result> void complete_for(ActorId client, const Result& result) {
    port_->complete_for(client, Completion::ok, &reflect::value_type<Result>(), &result);
  }
  void complete_for(ActorId client, Completion how) { port_->complete_for(client, how, nullptr, nullptr); }

  // The actor accepts no more messages; those that still arrive are lost.
  void halt() {
    port_->halt();
    if (machine_ != nullptr) machine_->halted();
  }

  // Machines only; at most one of these per action. They take effect when the action has returned, before anything
  // else: handle the event, go to another state, push another state, or pop this one.
  template <class E> void raise(const E& event) {
    if (in_machine("raise")) machine_->raise(reflect::value_type<E>(), &event);
  }
  template <class S> void go_to(S state) {
    if (in_machine("go_to")) machine_->go_to(state_type<S>(), static_cast<StateIndex>(state));
  }
  template <class S> void push(S state) {
    if (in_machine("push")) machine_->push(state_type<S>(), static_cast<StateIndex>(state));
  }
  void pop() {
    if (in_machine("pop")) machine_->pop();
  }

  // A remark for readers of the trace.
  void note(std::string text) { port_->note(std::move(text)); }

 protected:
  HandlerPort& port() const { return *port_; }
  // A task's context outlives the handler calls in which it is used: each step rebinds it.
  void bind(const Context& step) {
    port_ = step.port_;
    self_ = step.self_;
    bind_sender(step.caller());
  }
  void bind_sender(Caller sender) {
    sender_ = sender.actor;
    call_ = sender.call;
  }

 private:
  friend class MachineRun;

  bool in_machine(const char* what) {
    if (machine_ == nullptr)
      port_->fail_as("bad transition",
                     std::string("ctx.") + what + " is called by an actor that is not a machine");
    return machine_ != nullptr;
  }
  template <class S> static constexpr std::uint64_t state_type() {
    static_assert(std::is_enum_v<S>, "gainsay: a state of a machine is a value of its enum of states");
    return hash_text(reflect::full_type_name<S>());
  }
  void fail_at(std::string message, const std::source_location& where) {
    note_failed_check(message, where);
    port_->fail(std::move(message));
  }

  HandlerPort* port_;
  ActorId self_;
  ActorId sender_;
  std::uint32_t call_;
  MachinePort* machine_ = nullptr;  // while an action of a machine runs
};

}  // namespace gainsay
