// Task<T>: a coroutine of an actor, written as straight-line code.
//
//   gainsay::Task<int> read(gainsay::TaskContext& ctx, std::string key) {
//     const Value value = co_await ctx.call<Value>(store, Get{key});
//     co_return value.number;
//   }
//
// `co_await read(ctx, "x")` runs it as part of the awaiting task; `ctx.start("reader", ...)`, `when_all` and
// `when_any` create separate tasks that interleave. A Task does nothing until then: if it is created early and
// awaited only after something else, it has not run meanwhile, and a hunt warns about it. An exception leaves a Task
// like a function call; if nobody awaits the task, it is a violation. Take the arguments of coroutines by value: a
// reference must outlive every suspension. With GCC 12, do not use temporary structs that own memory (strings,
// vectors) in a co_await expression, as in `co_await f(Put{"x"})`: the compiler destroys them twice. Give them a
// name first; otherwise TaskContext::call does not compile.
#pragma once

#include <optional>
#include <utility>

#include "gainsay/base/check.hpp"
#include "gainsay/scenario/task_host.hpp"

namespace gainsay {

template <class T = void> class Task;

namespace detail {

template <class T> struct Promise : PromiseBase {
  using PromiseBase::PromiseBase;
  Task<T> get_return_object();
  template <class U> void return_value(U&& result) { value.emplace(std::forward<U>(result)); }
  T take() {
    if (error) std::rethrow_exception(error);
    return std::move(*value);
  }
  std::optional<T> value;
};

template <> struct Promise<void> : PromiseBase {
  using PromiseBase::PromiseBase;
  Task<void> get_return_object();
  void return_void() noexcept {}
  void take() const {
    if (error) std::rethrow_exception(error);
  }
};

}  // namespace detail

template <class T> class [[nodiscard]] Task {
 public:
  using promise_type = detail::Promise<T>;
  using Handle = std::coroutine_handle<promise_type>;

  Task() = default;
  explicit Task(Handle handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  // Awaits it as a part of the task that awaits: it begins and ends in that task's steps.
  class Awaiter {
   public:
    explicit Awaiter(Handle child) : child_(child) {}
    bool await_ready() const noexcept { return false; }
    template <class P> void await_suspend(std::coroutine_handle<P> parent) {
      GAINSAY_CHECK(child_ && !child_.done(), "a Task is awaited once");
      detail::Strand* strand = parent.promise().strand;
      child_.promise().awaited_by(*strand);
      child_.promise().strand = strand;
      child_.promise().continuation = parent;
      strand->host.suspend_next(child_);
    }
    T await_resume() { return child_.promise().take(); }

   private:
    Handle child_;
  };
  Awaiter operator co_await() && { return Awaiter(handle_); }

  Handle handle() const { return handle_; }

 private:
  Handle handle_;
};

namespace detail {

template <class T> Task<T> Promise<T>::get_return_object() {
  return Task<T>(std::coroutine_handle<Promise<T>>::from_promise(*this));
}
inline Task<void> Promise<void>::get_return_object() {
  return Task<void>(std::coroutine_handle<Promise<void>>::from_promise(*this));
}

}  // namespace detail
}  // namespace gainsay
