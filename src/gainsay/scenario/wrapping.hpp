// Wrapping real code: production classes run in an actor and do not know about Gainsay.
//
// 1. The component talks to the outside through an interface with virtual functions. The wrapper implements it
//    and turns outbound calls into messages; `ContextSlot` gives it the Context of the running handler.
//      class Mock final : public NetworkEngine {
//        void send(NodeId to, const Report& report) override { slot_->send(nodes_[to], report); }
//      };
//      void on(const Report& r, gainsay::Context& ctx) { const auto in = slot_.lend(ctx); manager_.process(r); }
// 2. Its timers are off; the wrapper arms timers of its own (ctx.after) and calls the component when they fire.
// 3. Calls that block run on a fibre, `blocking`, or on a thread, `blocking_thread`, in a task of the wrapper
//    (scenario/task_actor.hpp). The kernel takes control back at every wait and gives it back when the strategy
//    says so; so there is one schedule, and it replays.
//      gainsay::Task<> run(gainsay::TaskContext& ctx) {
//        co_await gainsay::blocking(ctx, [&](gainsay::Blocking& fibre) {
//          MockStore store(ctx, fibre, store_);  // its get: return fibre_.wait(ctx_.call<Value>(...));
//          component_.main(store);
//        });
//      }
// See systems/extent_manager for the first two.
#pragma once

#include <chrono>
#include <functional>
#include <stdexcept>
#include <utility>

#include "gainsay/scenario/context_slot.hpp"  // IWYU pragma: export
#include "gainsay/scenario/when.hpp"

namespace gainsay {

// Lets blocking code wait. `blocking` passes it to the body.
class Blocking {
 public:
  // Yields to the kernel until the operation (a call, a receive, a sleep, a Task, when_any ...) has ended. REQUIRES:
  // called by the body, on its own fibre or thread.
  template <class Op> auto wait(Op operation) {
    auto whole = detail::operation_of(std::move(operation));
    pass(whole);
    return whole.result();
  }

 protected:
  ~Blocking() = default;
  virtual void pass(detail::Operation& operation) = 0;
};

// Wrapped code did not yield in time: it waits for something that Gainsay does not see, or never ends.
class StuckThread : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Runs a blocking body on a fibre. The body must wait only through `Blocking`.
Task<> blocking(TaskContext& ctx, std::function<void(Blocking&)> body);
// The same on a real thread, for code that needs one (a big stack, thread-local state) or that may not yield: if it
// neither waits nor ends for `patience` of real time, that is a violation. Such a thread cannot be stopped; it, its
// actor and their resources are leaked.
Task<> blocking_thread(TaskContext& ctx, std::function<void(Blocking&)> body,
                       std::chrono::milliseconds patience = std::chrono::seconds(10));

}  // namespace gainsay
