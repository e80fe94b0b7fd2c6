// TaskHost: the tasks of one actor, what each of them waits for, and the trampoline that resumes them.
//
// A task is a chain of coroutines (the innermost is suspended) that runs from one suspension to the next in
// one step of the execution: the delivery, timer or task step that ended its waiting. Between steps the
// strategy decides, so the tasks of an actor interleave as P#'s intra-machine tasks do (Deligiannis et al.,
// "Uncovering Bugs in Distributed Storage Systems during Testing (Not in Production!)", FAST 2016, section
// 2.1). Coroutines are resumed in a loop here and never by symmetric transfer, which GCC 12 does not turn
// into a tail call in every mode. An actor's tasks are destroyed before the actor is; a task that is
// abandoned (its actor halts or goes away, it is cancelled, it lost a when_any) is destroyed where it is
// suspended.
#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gainsay/base/print.hpp"
#include "gainsay/scenario/context.hpp"

namespace gainsay {

class TaskHost;
class TaskContext;

// What the kernel's events of tasks carry: a step that is due at once, and the end of a sleep.
struct TaskStep {
  std::string task;
  std::uint32_t number = 0;
};
struct TaskTimer {
  std::string task;
  std::uint32_t number = 0;
};

namespace detail {

class Strand;
class Operation;

// Remembers an object that is never destroyed, so that nobody takes it for a leak.
void keep_reachable(void* object);

// Who is told that an operation has ended.
class Waiter {
 public:
  virtual void completed(Operation& operation) = 0;

 protected:
  ~Waiter() = default;
};

// Something that a task can wait for. It lives in the frame of the coroutine that awaits it.
class Operation {
 public:
  Operation() = default;
  Operation(const Operation&) = default;
  Operation& operator=(const Operation&) = delete;
  virtual ~Operation() = default;

  virtual void begin(Strand& strand, Waiter& waiter) = 0;
  // Nobody waits for it any more. Idempotent.
  virtual void cancel() = 0;
  virtual bool failed() const { return false; }  // it ended with an exception
  // "the reply of server to Get", for a person.
  virtual std::string describe(const ActorNames& names) const = 0;
  // Whether it cannot end where nothing more happens. Armed timers may still fire.
  virtual bool stuck() const { return true; }
};

// An operation that one arrival ends.
class Wait : public Operation {
 public:
  Wait() = default;
  Wait(const Wait&) noexcept {}  // only what has not begun is moved
  ~Wait() override { withdraw(); }

  virtual bool wants(const Arrival& arrival) const = 0;
  virtual bool take(const Arrival& arrival) = 0;  // false: it is a violation, and the task goes no further
  void cancel() override { withdraw(); }
  bool pending() const { return host_ != nullptr; }
  std::uint32_t task() const { return task_; }  // the number of the task that waits
  void end();                                   // withdraws it and tells the waiter

 protected:
  void enlist(Strand& strand, Waiter& waiter);
  void withdraw();
  TaskHost* host() const { return host_; }  // null: it waits no more

 private:
  TaskHost* host_ = nullptr;  // while enlisted there
  Waiter* waiter_ = nullptr;
  std::uint32_t task_ = 0;
};

// A task that is to go on (or begin) in a step of its own.
class DueStep final : public Wait {
 public:
  void due(TaskHost& host, Strand& strand);
  void begin(Strand&, Waiter&) override {}
  void cancel() override;
  ~DueStep() override { DueStep::cancel(); }
  bool wants(const Arrival& arrival) const override;
  bool take(const Arrival&) override { return true; }
  std::string describe(const ActorNames&) const override { return "its turn"; }
  bool stuck() const override { return false; }

 private:
  TaskStep step_;
};

// What all coroutines of tasks have in common.
struct PromiseBase {
  Strand* strand = nullptr;
  std::coroutine_handle<> continuation;  // of the coroutine that awaits this one; none: the task's outermost
  std::exception_ptr error;
  // By which task it was made (its number; 0: by none), and how often that had awaited something by then.
  std::uint32_t maker = 0;
  std::uint64_t made_at = 0;

  PromiseBase() = default;
  // Made by a call with these arguments; a context among them says by whom.
  template <class... Args> explicit PromiseBase(Args&... args) { (note_maker(args), ...); }
  // The task awaits this coroutine, as a part of itself.
  void awaited_by(Strand& strand);

  std::suspend_always initial_suspend() noexcept { return {}; }
  struct Final {
    bool await_ready() noexcept { return false; }
    template <class P> void await_suspend(std::coroutine_handle<P> ended) noexcept { ended.promise().end(); }
    void await_resume() noexcept {}
  };
  Final final_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { error = std::current_exception(); }
  void end() noexcept;

 private:
  void note_maker(TaskContext& context);
  template <class A> void note_maker(A&) {}
};

// One task: a chain of coroutines and where it stands. Whoever made it owns the coroutines.
class Strand final : public Waiter {
 public:
  Strand(TaskHost& task_host, std::string task_name, Caller last_received);
  Strand(const Strand&) = delete;
  Strand& operator=(const Strand&) = delete;

  // The coroutine at the end of the chain waits for an operation.
  void suspend(std::coroutine_handle<> innermost, Operation& operation) {
    ++awaits;
    suspended = innermost;
    waits_for = &operation;
  }
  void completed(Operation&) override;
  // Whether it can do nothing where nothing more happens, and what it waits for.
  bool stuck() const { return waits_for != nullptr && !step.pending() && waits_for->stuck(); }
  std::string describe(const ActorNames& names) const;

  TaskHost& host;
  std::uint32_t number;  // among the actor's tasks, from 1
  std::string name;
  Caller received;  // of the message that the task received last: whom ctx.reply answers
  std::coroutine_handle<> suspended;
  Operation* waits_for = nullptr;
  DueStep step;
  std::uint64_t awaits = 0;    // how often it has awaited something
  std::uint32_t children = 0;  // tasks that when_all and when_any made for it
  bool background = false;
  bool finished = false;
  std::function<void()> on_finish;  // after its last step
};

}  // namespace detail

template <class T> class Task;

// A task that was started: to cancel it, to ask whether it has ended, and to wait for that.
class TaskHandle {
 public:
  TaskHandle() = default;
  bool done() const;
  // The task goes no further; what its coroutines hold is destroyed when the running task is suspended.
  void cancel();

 private:
  friend class TaskHost;
  friend class TaskContext;
  TaskHandle(TaskHost& host, std::uint32_t number) : host_(&host), number_(number) {}
  TaskHost* host_ = nullptr;
  std::uint32_t number_ = 0;
};

class TaskHost {
 public:
  TaskHost();
  ~TaskHost();
  TaskHost(const TaskHost&) = delete;
  TaskHost& operator=(const TaskHost&) = delete;

  // --- for the actor's table (scenario/task_actor.hpp) ---
  // Runs `handler` with the tasks' context in force.
  void handle(const Context& context, const std::function<void(TaskContext&)>& handler);
  void begin_main(const Context& context, const std::function<Task<void>(TaskContext&)>& main);
  bool expects(const Arrival& arrival) const { return wanted(arrival) != nullptr; }
  // The number of the task that takes it; 0: none.
  std::uint32_t task_of(const Arrival& arrival) const {
    const detail::Wait* wait = wanted(arrival);
    return wait == nullptr ? 0 : wait->task();
  }
  bool arrive(const Arrival& arrival, const Context& context);
  std::string waiting(const ActorNames& names) const;

  // --- for operations ---
  TaskContext& context() { return *context_; }
  HandlerPort& port();
  std::uint32_t next_number() { return ++numbers_; }
  std::uint32_t next_task() { return ++tasks_; }
  void enlist(detail::Wait& wait) { waits_.push_back(&wait); }
  void withdraw(detail::Wait& wait);
  // The strand's waiting is over: it goes on in this step if that is what the step is for, else in one of its
  // own.
  void wake(detail::Strand& strand);
  void schedule(detail::Strand& strand);
  // A new task: it begins in a step of its own or, where tasks are eager, now.
  void begin(detail::Strand& strand);
  // The running task of the context's actor; null: there is none.
  static detail::Strand* at_hand(const TaskContext& context);
  // The running task waits for the end of another.
  void joins(const detail::Strand& strand, std::uint32_t number);
  void warn(const detail::Strand& strand, const std::string& text);
  void suspend_next(std::coroutine_handle<> next) { next_ = next; }
  detail::Strand* running() const { return running_; }
  TaskHandle start(std::string name, Task<void> task);
  bool done(std::uint32_t number) const;
  bool was_cancelled(std::uint32_t number) const;
  void cancel(std::uint32_t number);
  void halt_after_step() { halting_ = true; }
  void keep_for_ever() { kept_ = true; }
  bool kept() const { return kept_; }

 private:
  struct Started;

  detail::Wait* wanted(const Arrival& arrival) const;
  Started* find(std::uint32_t number) const;
  void enter(const Context& context);
  void leave();
  void resume(detail::Strand& strand);
  void ended(std::uint32_t number);
  void remove(std::uint32_t number);

  std::unique_ptr<TaskContext> context_;
  std::vector<detail::Wait*> waits_;   // the oldest first
  std::uint32_t numbers_ = 0;          // of sleeps, steps and tasks that were started
  std::uint32_t tasks_ = 0;            // of all tasks
  std::coroutine_handle<> next_;       // what the trampoline resumes next
  detail::Strand* running_ = nullptr;  // during a step
  detail::Strand* woken_ = nullptr;    // whom the arrival at hand continues
  bool arriving_ = false;
  bool halting_ = false;
  bool kept_ = false;
  std::vector<std::uint32_t> cancelled_;  // tasks that were cancelled
  std::vector<std::uint32_t> doomed_;     // to be destroyed when the step ends
  std::vector<std::unique_ptr<Started>> started_;
};

}  // namespace gainsay
