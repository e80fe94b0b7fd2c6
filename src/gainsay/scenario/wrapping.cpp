#include "gainsay/scenario/wrapping.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "gainsay/base/fibre.hpp"

namespace gainsay {
namespace {

// Awaits an operation that lives on another stack.
class Elsewhere {
 public:
  explicit Elsewhere(detail::Operation& operation) : operation_(operation) {}
  bool await_ready() const { return false; }
  template <class P> void await_suspend(std::coroutine_handle<P> awaiting) {
    detail::Strand& strand = *awaiting.promise().strand;
    strand.suspend(awaiting, operation_);
    operation_.begin(strand, strand);
  }
  void await_resume() const {}

 private:
  detail::Operation& operation_;
};

constexpr const char* not_inside =
    "Blocking::wait is called outside the body that `blocking` runs; only that body can be suspended";

class OnFibre final : public Blocking {
 public:
  explicit OnFibre(std::function<void(Blocking&)> body)
      : fibre_([this, body = std::move(body)] { body(*this); }) {}

  // Until the body waits (for what) or ends (null).
  detail::Operation* resume() {
    wanted_ = nullptr;
    fibre_.resume();
    return wanted_;
  }

 private:
  void pass(detail::Operation& operation) override {
    if (!fibre_.inside()) throw UserError(not_inside);
    wanted_ = &operation;
    fibre_.yield();
  }

  detail::Operation* wanted_ = nullptr;
  Fibre fibre_;
};

// What both threads share. The body's thread keeps it alive for as long as it runs.
class Baton final : public Blocking, public std::enable_shared_from_this<Baton> {
 public:
  explicit Baton(std::function<void(Blocking&)> body) : body_(std::move(body)) {}

  // The kernel's side: gives control away. False: it did not come back in time.
  bool pass_to_body(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    wanted_ = nullptr;
    body_runs_ = true;
    if (!thread_.joinable()) thread_ = std::thread([self = shared_from_this()] { self->run(); });
    changed_.notify_all();
    return changed_.wait_for(lock, patience, [&] { return !body_runs_; });
  }
  detail::Operation* wanted() const { return wanted_; }
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }
  bool finished() const { return finished_; }
  bool started() const { return thread_.joinable(); }
  void abandon() { abandoned_ = true; }
  void join() { thread_.join(); }
  void leave_alone() {
    const std::lock_guard lock(mutex_);
    abandoned_ = true;
    thread_.detach();
  }

 private:
  void run() {
    try {
      body_(*this);
    } catch (const Fibre::Abandoned&) {
    } catch (...) {
      error_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    finished_ = true;
    body_runs_ = false;
    changed_.notify_all();
  }

  void pass(detail::Operation& operation) override {
    std::unique_lock lock(mutex_);
    if (std::this_thread::get_id() != thread_.get_id() && thread_.joinable()) throw UserError(not_inside);
    if (abandoned_) throw Fibre::Abandoned{};
    wanted_ = &operation;
    body_runs_ = false;
    changed_.notify_all();
    changed_.wait(lock, [&] { return body_runs_; });
    if (abandoned_) throw Fibre::Abandoned{};
  }

  std::function<void(Blocking&)> body_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
  bool body_runs_ = false;
  bool abandoned_ = false;
  bool finished_ = false;
  detail::Operation* wanted_ = nullptr;
  std::exception_ptr error_;
};

class OnThread {
 public:
  OnThread(TaskContext& ctx, std::function<void(Blocking&)> body, std::chrono::milliseconds patience)
      : ctx_(ctx), patience_(patience), baton_(std::make_shared<Baton>(std::move(body))) {}
  OnThread(const OnThread&) = delete;
  OnThread& operator=(const OnThread&) = delete;
  ~OnThread() {
    if (stuck_ || !baton_->started()) return;
    constexpr int most_tries = 100;  // the body may catch Abandoned and wait again
    baton_->abandon();
    for (int i = 0; i < most_tries && !baton_->finished(); ++i) {
      if (!baton_->pass_to_body(patience_)) break;
    }
    if (baton_->finished()) {
      baton_->join();
    } else {
      stuck();
    }
  }

  detail::Operation* resume() {
    if (!baton_->pass_to_body(patience_)) {
      stuck();
      throw StuckThread(
          fmt::format("the wrapped code has not yielded for {} ms: it waits for something that Gainsay does "
                      "not see (a lock, a socket, another thread), or it never ends",
                      patience_.count()));
    }
    baton_->rethrow();
    return baton_->wanted();
  }

 private:
  // The thread may still use whatever the body refers to.
  void stuck() {
    stuck_ = true;
    baton_->leave_alone();
    ctx_.keep_for_ever();
  }

  TaskContext& ctx_;
  std::chrono::milliseconds patience_;
  std::shared_ptr<Baton> baton_;
  bool stuck_ = false;
};

}  // namespace

Task<> blocking(TaskContext&, std::function<void(Blocking&)> body) {
  OnFibre lane(std::move(body));
  while (detail::Operation* operation = lane.resume()) co_await Elsewhere(*operation);
}

Task<> blocking_thread(TaskContext& ctx, std::function<void(Blocking&)> body,
                       std::chrono::milliseconds patience) {
  OnThread lane(ctx, std::move(body), patience);
  while (detail::Operation* operation = lane.resume()) co_await Elsewhere(*operation);
}

}  // namespace gainsay
