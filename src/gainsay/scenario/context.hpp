// Context: all that a handler may do besides changing its own fields.
//
// A handler is a function (self, local state, sender, message, answers to its questions) -> (local state',
// effects). Effects are values: they are collected through the HandlerPort and applied by the kernel after
// the handler has returned. Nothing else may decide what a handler does: no clock, no randomness, no globals;
// `--verify-determinism` looks for cheats.
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

// How an operation of a client ended.
enum class Completion : std::uint8_t {
  ok,       // it took effect and gave a result
  failed,   // it certainly did not take effect
  unknown,  // it may have taken effect, or may still do so
};

// An operation that a client has begun (Context::invoke). Plain data: keep it in a field.
struct Invocation {
  std::uint32_t number = 0;  // among the operations of this actor, from 0
};

// Who awaits a reply: the sender of a message, and which of its calls (scenario/task.hpp). A value, so that
// an actor may keep it and reply later.
struct Caller {
  ActorId actor = nobody;
  std::uint32_t call = 0;  // 0: it was a plain send
};

// What the kernel offers to a running handler, type-erased.
class HandlerPort {
 public:
  // Context::check was called: something is asked of the scenario.
  void note_check() { checked_ = true; }
  bool checked() const { return checked_; }

  virtual void send(ActorId to, const ValueType& type, const void* message) = 0;
  virtual void arm(Duration earliest, Duration latest, const ValueType& type, const void* message) = 0;
  virtual void cancel(const ValueType& type) = 0;
  virtual ActorId spawn(const ActorType& type, std::string_view name, const void* initial) = 0;
  virtual ActorId spawn_opaque(const ActorType& type, std::string_view name, OpaqueFactory make) = 0;
  // A fair coin is a choice among two values that no adversary makes.
  // The label is for the trace.
  virtual std::uint32_t choose(std::uint32_t among, bool coin, std::string_view label) = 0;
  virtual Time now() = 0;
  virtual void fail(std::string message) = 0;
  // The same for a property other than "check".
  virtual void fail_as(std::string property, std::string message) = 0;
  // False: it was not stored.
  virtual bool persist(const ValueType& type, const void* value) = 0;
  virtual const void* recover(const ValueType& type) = 0;
  virtual void halt() = 0;
  virtual void note(std::string text) = 0;
  virtual void notify(const ActorType& monitor, const ValueType& type, const void* event) = 0;
  virtual std::uint32_t invoke(const ValueType& type, const void* operation) = 0;
  // `type` is null where nothing came back.
  virtual void complete(std::uint32_t number, Completion how, const ValueType* type, const void* result) = 0;
  virtual void invoke_for(ActorId client, const ValueType& type, const void* operation) = 0;
  virtual void complete_for(ActorId client, Completion how, const ValueType* type, const void* result) = 0;
  // For tasks: a reply that finds the call it answers; a call, which is given its number; a step of a task,
  // due at once; taking back a timer or a step.
  virtual void reply(Caller to, const ValueType& type, const void* message) = 0;
  virtual std::uint32_t call(ActorId to, const ValueType& type, const void* message) = 0;
  virtual void task_step(const ValueType& type, const void* step) = 0;
  virtual void withdraw(EventKind kind, const ValueType& type, const void* message) = 0;
  // Whether a task that is made runs to its first await at once (World::eager_tasks).
  virtual bool eager_tasks() const = 0;
  // Something that is probably not meant; a hunt tells it once.
  virtual void warn(std::string text) = 0;
  // A violation with a property's name of its own.
  virtual void violate(std::string property, std::string message) = 0;
  virtual std::string name_of(ActorId actor) const = 0;
  // A machine went through an item of its table (scenario/machine_type.hpp).
  virtual void covered(const MachineType& type, std::uint32_t item) = 0;

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
  // The typed handle of the actor itself: `ctx.self(*this)`.
  template <class A> Ref<A> self(const A&) const { return Ref<A>(self_); }
  // Who sent the message being handled: an actor, or `gainsay::outside`; oneself for timers.
  ActorId sender() const { return sender_; }

  template <class A, class M> void send(Ref<A> to, const M& message) {
    static_assert(
        Receives<A, M>,
        "gainsay: the receiver does not accept this message; add it to its `Receives` and give it an `on`");
    port_->send(to, reflect::value_type<M>(), &message);
  }
  // To an actor whose type is not known here: a message it does not take is then a violation at run time.
  template <class M> void send(ActorId to, const M& message) {
    port_->send(to, reflect::value_type<M>(), &message);
  }
  template <class A, class M> void send(Group<A> to, const M& message) {
    for (const Ref<A> each : to) send(each, message);
  }
  // Answers the sender; a task that awaits its call gets exactly this answer. A reply to the outside world is
  // recorded and goes nowhere.
  template <class M> void reply(const M& message) { reply(caller(), message); }
  // Answers later: keep `caller()` of the request and reply to it from any handler.
  Caller caller() const { return {sender_, call_}; }
  template <class M> void reply(Caller to, const M& message) {
    port_->reply(to, reflect::value_type<M>(), &message);
  }

  // Arms a timer: a message to oneself that fires `after` from now or up to `slack` later (simulated time),
  // or at any moment (untimed). Arming a timer that is armed already with an equal message sets it anew.
  template <class M> void after(Duration after, const M& message, Duration slack = Duration(0)) {
    port_->arm(after, after > Duration::max() - slack ? Duration::max() : after + slack,
               reflect::value_type<M>(), &message);
  }
  // Disarms every timer of one's own that carries an M.
  template <class M> void cancel() { port_->cancel(reflect::value_type<M>()); }

  // Makes an actor that lives from now on; its handle can be sent around at once.
  template <class A> Ref<A> spawn(std::string_view name, const A& initial) {
    const A first = detail::at_start(initial);
    return Ref<A>(port_->spawn(value_actor_type<A>(), name, &first));
  }
  template <class A> Ref<A> spawn(const A& initial) { return spawn<A>(reflect::type_name<A>(), initial); }
  // The same for an opaque actor; the arguments are copied and used whenever the actor is made.
  template <class A, class... Args> Ref<A> wrap(std::string_view name, Args... args) {
    return Ref<A>(port_->spawn_opaque(opaque_actor_type<A>(), name,
                                      [args...] { return detail::make_opaque<A>(args...); }));
  }

  // A data choice: some value in [0, n), picked by the strategy. n = 0 is a violation. Traces say what was chosen
  // under the label.
  std::uint32_t choose(std::uint32_t n, std::string_view label = {}) {
    return port_->choose(n, false, label);
  }
  // A fair coin: picked by the strategy too, but an endless execution in which it always falls on the same side
  // does not count against liveness.
  bool flip(std::string_view label = {}) { return port_->choose(2, true, label) == 1; }
  // Simulated time on this actor's own clock; 0 where the world is untimed.
  Time now() const { return port_->now(); }

  // A failed check does not throw: the handler finishes, then the execution ends as violated.
  void check(bool condition, std::string_view message,
             const std::source_location& where = std::source_location::current()) {
    port_->note_check();
    if (!condition) fail_at(std::string(message), where);
  }
  // The same with a message that is only made when needed: `ctx.check(a == b, [&] { return ...; })`.
  template <class F>
    requires requires(F f) {
      { f() } -> std::convertible_to<std::string>;
    }
  void check(bool condition, F&& message,
             const std::source_location& where = std::source_location::current()) {
    port_->note_check();
    if (!condition) fail_at(message(), where);
  }

  // The same under a name of its own, where a wrapper tells several kinds of mistakes apart.
  void violate(std::string property, std::string message) {
    port_->violate(std::move(property), std::move(message));
  }

  // Durable state: what `persist` stored last survives a crash; everything else is lost with it. False where the
  // scenario plans disk faults (World::faults) and this is one: nothing was stored.
  template <class D> bool persist(const D& value) { return port_->persist(reflect::value_type<D>(), &value); }
  template <class D> std::optional<D> recover() {
    const void* stored = port_->recover(reflect::value_type<D>());
    return stored == nullptr ? std::nullopt : std::optional<D>(*static_cast<const D*>(stored));
  }

  // Tells a monitor of the world (scenario/monitor.hpp) that something happened; it handles it at once.
  template <class Monitor, class M> void notify(const M& event) {
    static_assert(
        detail::listed<M, typename Monitor::Observes>,
        "gainsay: the monitor does not observe this event; add it to its `Observes` and give it an `on`");
    port_->notify(monitor_type<Monitor>(), reflect::value_type<M>(), &event);
  }

  // The history of clients: what was asked and what came back, judged by world.linearizable<Spec>(). An operation
  // that is never completed may or may not have taken effect.
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

  // The same for a client that takes no steps of its own and has one operation at a time: the operation begins where
  // a server takes it, and whoever answers the client completes it.
  template <class Op> void invoke_for(ActorId client, const Op& operation) {
    port_->invoke_for(client, reflect::value_type<Op>(), &operation);
  }
  template <class Result> void complete_for(ActorId client, const Result& result) {
    port_->complete_for(client, Completion::ok, &reflect::value_type<Result>(), &result);
  }
  void complete_for(ActorId client, Completion how) { port_->complete_for(client, how, nullptr, nullptr); }

  // Takes no more messages; those that still arrive are lost.
  void halt() {
    port_->halt();
    if (machine_ != nullptr) machine_->halted();
  }

  // Machines only, and one of these in an action at most. They are done when the action has returned, before
  // anything else happens: the event is handled, the state is left for another, another is put on top of it,
  // or it is left for the one below.
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

  // A remark for the person who reads the trace.
  void note(std::string text) { port_->note(std::move(text)); }

 protected:
  HandlerPort& port() const { return *port_; }
  // A task's context outlives the handler calls that it is used in: each step binds it anew.
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
