// TaskContext: what a task may do. It has all of Context, and operations to await: calls, messages, sleeps, other
// tasks.
//
// It belongs to the actor and stays valid across every co_await. `sender()`, `caller()` and `reply()` refer to the
// message that this task received last. Calls and receives that are not awaited do nothing.
#pragma once

#include <tuple>
#include <variant>

#include "gainsay/scenario/task.hpp"

namespace gainsay {
namespace detail {

// Whether a temporary M may stand in a co_await expression. GCC 12 destroys aggregates there twice, and with
// them whatever their fields own; names and trivial structs are safe.
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 14
template <class M>
inline constexpr bool survives_await =
    std::is_lvalue_reference_v<M> || !std::is_aggregate_v<M> || std::is_trivially_destructible_v<M>;
#else
template <class M> inline constexpr bool survives_await = true;
#endif

// Operations that are awaited as they stand.
template <class Op> class Awaitable : public Wait {
 public:
  bool await_ready() const { return false; }
  template <class P> void await_suspend(std::coroutine_handle<P> awaiting) {
    Strand& strand = *awaiting.promise().strand;
    strand.suspend(awaiting, *this);
    begin(strand, strand);
  }
  auto await_resume() { return static_cast<Op*>(this)->result(); }
};

// One of the messages M: itself where there is one, else a variant.
template <class... M> class Received {
 public:
  using Result =
      std::conditional_t<sizeof...(M) == 1, std::tuple_element_t<0, std::tuple<M...>>, std::variant<M...>>;
  static bool takes(const ValueType& type) { return ((&type == &reflect::value_type<M>()) || ...); }
  static std::string names() {
    std::string text;
    ((text += (text.empty() ? "" : " or ") + std::string(reflect::type_name<M>())), ...);
    return text;
  }
  void take(const ValueType& type, const void* message) {
    const auto one = [&]<class T>(const T* typed) {
      if (&type == &reflect::value_type<T>()) value_.emplace(*typed);
    };
    (one(static_cast<const M*>(message)), ...);
  }
  Result get() { return std::move(*value_); }

 private:
  std::optional<Result> value_;
};

// The message at hand is what the task received last.
void note_received(Strand& strand);

template <class... M> class Receive final : public Awaitable<Receive<M...>> {
 public:
  void begin(Strand& strand, Waiter& waiter) override {
    strand_ = &strand;
    this->enlist(strand, waiter);
  }
  bool wants(const Arrival& arrival) const override {
    return arrival.kind != EventKind::task && arrival.answers == 0 && Received<M...>::takes(*arrival.type);
  }
  bool take(const Arrival& arrival) override {
    received_.take(*arrival.type, arrival.message);
    note_received(*strand_);
    return true;
  }
  std::string describe(const ActorNames&) const override {
    return Received<M...>::names() + " (a task that may wait for ever must call ctx.background())";
  }
  auto result() { return received_.get(); }

 private:
  Strand* strand_ = nullptr;
  Received<M...> received_;
};

// The part of a call that does not depend on the reply's type.
class CallBase {
 public:
  CallBase(ActorId to, AnyValue request) : to_(to), request_(std::move(request)) {}

 protected:
  void send(TaskHost& host);
  bool answered_by(const Arrival& arrival) const {
    return arrival.kind == EventKind::deliver && arrival.answers == number_ && arrival.answers != 0;
  }
  std::string text(const ActorNames& names) const;
  void wrong_reply(const Strand& strand, const std::string& expected, const ValueType& got) const;

 private:
  ActorId to_;
  AnyValue request_;
  std::uint32_t number_ = 0;
};

template <class... R> class Call final : public Awaitable<Call<R...>>, private CallBase {
 public:
  using CallBase::CallBase;
  void begin(Strand& strand, Waiter& waiter) override {
    strand_ = &strand;
    this->enlist(strand, waiter);
    send(strand.host);
  }
  bool wants(const Arrival& arrival) const override { return answered_by(arrival); }
  bool take(const Arrival& arrival) override {
    const bool right = Received<R...>::takes(*arrival.type);
    if (right) {
      received_.take(*arrival.type, arrival.message);
    } else {
      wrong_reply(*strand_, Received<R...>::names(), *arrival.type);
    }
    return right;
  }
  std::string describe(const ActorNames& names) const override { return text(names); }
  auto result() { return received_.get(); }

 private:
  Strand* strand_ = nullptr;
  Received<R...> received_;
};

class Sleep final : public Awaitable<Sleep> {
 public:
  Sleep(Duration least, Duration slack) : least_(least), slack_(slack) {}
  Sleep(const Sleep&) = default;
  ~Sleep() override { Sleep::cancel(); }
  void begin(Strand& strand, Waiter& waiter) override;
  void cancel() override;
  bool wants(const Arrival& arrival) const override;
  bool take(const Arrival&) override { return true; }
  std::string describe(const ActorNames&) const override { return "the end of a sleep"; }
  bool stuck() const override { return false; }
  std::monostate result() const { return {}; }

 private:
  Duration least_;
  Duration slack_;
  TaskTimer timer_;
};

// Lets others go first.
class Yield {
 public:
  bool await_ready() const { return false; }
  template <class P> void await_suspend(std::coroutine_handle<P> awaiting) {
    Strand& strand = *awaiting.promise().strand;
    strand.suspend(awaiting, strand.step);
    strand.host.schedule(strand);
  }
  void await_resume() const {}
};

// Ends with the task; the result says whether it came to its end (false: it was cancelled).
class Join final : public Awaitable<Join> {
 public:
  explicit Join(std::uint32_t number) : number_(number) {}
  void begin(Strand& strand, Waiter& waiter) override;
  bool wants(const Arrival&) const override { return false; }
  bool take(const Arrival&) override { return true; }
  std::string describe(const ActorNames&) const override { return "the end of another task"; }
  bool result() const { return completed_; }
  // The task that is waited for has ended.
  bool waits_for(std::uint32_t number) const { return number == number_; }
  void task_ended(bool completed) {
    completed_ = completed;
    end();
  }

 private:
  std::uint32_t number_;
  bool completed_ = false;
};

}  // namespace detail

class TaskContext final : public Context {
 public:
  explicit TaskContext(TaskHost& host);

  // Sends the request. The result is what the receiver passes to ctx.reply, or a variant if several types are named:
  // `co_await ctx.call<Value, Missing>(store, Get{key})`.
  template <class... R, class A, class M> detail::Call<R...> call(Ref<A> to, M&& request) {
    static_assert(
        Receives<A, std::remove_cvref_t<M>>,
        "gainsay: the receiver does not accept this message; add it to its `Receives` and give it an `on`");
    return call<R...>(ActorId(to), std::forward<M>(request));
  }
  template <class... R, class M> detail::Call<R...> call(ActorId to, M&& request) {
    static_assert(sizeof...(R) > 0,
                  "gainsay: name the type of the reply: ctx.call<Reply>(actor, Request{...})");
    static_assert(detail::survives_await<M>,
                  "gainsay: this compiler destroys such a temporary twice in a co_await expression. Give the "
                  "request a name first: `const Put put{...}; co_await ctx.call<Done>(store, put);`");
    return detail::Call<R...>(to, AnyValue::of<std::remove_cvref_t<M>>(request));
  }
  // The next message (or ctx.after timer) of one of these types. Messages stay pending until a task asks for them;
  // if several tasks ask, the first one gets the message.
  template <class... M> detail::Receive<M...> receive() { return {}; }
  // Continues `least` from now or up to `slack` later (simulated time), or at any moment (untimed).
  detail::Sleep sleep(Duration least, Duration slack = Duration(0)) { return {least, slack}; }
  detail::Yield yield() { return {}; }

  // Starts a concurrent task. It begins in its own step, or immediately (World::eager_tasks).
  TaskHandle start(std::string name, Task<void> task);
  // `co_await ctx.join(handle)`: true if the task has finished, false if it was cancelled.
  detail::Join join(TaskHandle task) { return detail::Join(task.number_); }
  // This task may wait for ever; this is not a deadlock.
  void background();

  // The actor accepts no more messages; all its tasks end when the running one is suspended.
  void halt();
  // Never destroys the actor: a thread that cannot be stopped may still use it.
  void keep_for_ever();

 private:
  friend class TaskHost;
  friend class detail::CallBase;
  TaskHost& host_;
};

}  // namespace gainsay
