#include "gainsay/scenario/task_host.hpp"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "gainsay/scenario/idle_port.hpp"
#include "gainsay/scenario/task_context.hpp"
#include "gainsay/scenario/wrapping.hpp"

namespace gainsay {
namespace {

// Destructors of abandoned coroutines may use it.
IdlePort idle_port;

// The property that an exception breaks, and what it says.
std::pair<std::string, std::string> verdict_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const StuckThread& stuck) {
    return {"stuck", stuck.what()};
  } catch (const std::exception& known) {
    return {"exception", fmt::format("threw: {}", known.what())};
  } catch (...) {
    return {"exception", "threw something that is not a std::exception"};
  }
}

}  // namespace

namespace detail {

void keep_reachable(void* object) {
  static std::mutex mutex;
  static auto* const kept = new std::vector<void*>();  // outlives everything
  const std::lock_guard lock(mutex);
  kept->push_back(object);
}

void Wait::enlist(Strand& strand, Waiter& waiter) {
  GAINSAY_CHECK(host_ == nullptr, "an operation begins once");
  host_ = &strand.host;
  waiter_ = &waiter;
  task_ = strand.number;
  host_->enlist(*this);
}

void Wait::withdraw() {
  if (host_ == nullptr) return;
  host_->withdraw(*this);
  host_ = nullptr;
}

void Wait::end() {
  GAINSAY_CHECK(host_ != nullptr, "an operation ends once");
  withdraw();
  waiter_->completed(*this);
}

void DueStep::due(TaskHost& host, Strand& strand) {
  step_ = {strand.name, host.next_number()};
  enlist(strand, strand);
  host.port().task_step(reflect::value_type<TaskStep>(), &step_);
}

void DueStep::cancel() {
  if (pending()) host()->port().withdraw(EventKind::task, reflect::value_type<TaskStep>(), &step_);
  withdraw();
}

bool DueStep::wants(const Arrival& arrival) const {
  return arrival.kind == EventKind::task &&
         static_cast<const TaskStep*>(arrival.message)->number == step_.number;
}

Strand::Strand(TaskHost& task_host, std::string task_name, Caller last_received)
    : host(task_host), number(task_host.next_task()), name(std::move(task_name)), received(last_received) {}

void PromiseBase::note_maker(TaskContext& context) {
  const Strand* const running = TaskHost::at_hand(context);
  if (running == nullptr) return;
  maker = running->number;
  made_at = running->awaits;
}

void PromiseBase::awaited_by(Strand& by) {
  if (maker == by.number && made_at != by.awaits)
    by.host.warn(by,
                 "awaits a Task that it created before awaiting something else: the Task did not run "
                 "meanwhile. Start it (ctx.start, when_all), or create it where it is awaited");
  ++by.awaits;
}

void PromiseBase::end() noexcept {
  if (continuation) {
    strand->host.suspend_next(continuation);
  } else {
    strand->finished = true;
  }
}

void Strand::completed(Operation&) { host.wake(*this); }

std::string Strand::describe(const ActorNames& names) const {
  const std::string what = waits_for == nullptr ? "its turn" : waits_for->describe(names);
  return fmt::format("task '{}' waits for {}", name, what);
}

void note_received(Strand& strand) { strand.received = strand.host.context().caller(); }

void CallBase::send(TaskHost& host) { number_ = host.port().call(to_, request_.type(), request_.data()); }

std::string CallBase::text(const ActorNames& names) const {
  return fmt::format("the reply of {} to {}", names(to_), print(request_.type(), request_.data(), names));
}

void CallBase::wrong_reply(const Strand& strand, const std::string& expected, const ValueType& got) const {
  strand.host.port().violate("unexpected reply",
                             fmt::format("task '{}' called with {} and expects {}, but the reply is {}",
                                         strand.name, request_.type().name, expected, got.name));
}

void Sleep::begin(Strand& strand, Waiter& waiter) {
  timer_ = {strand.name, strand.host.next_number()};
  enlist(strand, waiter);
  const Duration latest = least_ > Duration::max() - slack_ ? Duration::max() : least_ + slack_;
  strand.host.port().arm(least_, latest, reflect::value_type<TaskTimer>(), &timer_);
}

void Sleep::cancel() {
  if (pending()) host()->port().withdraw(EventKind::timer, reflect::value_type<TaskTimer>(), &timer_);
  withdraw();
}

bool Sleep::wants(const Arrival& arrival) const {
  return arrival.kind == EventKind::timer && arrival.type == &reflect::value_type<TaskTimer>() &&
         static_cast<const TaskTimer*>(arrival.message)->number == timer_.number;
}

void Join::begin(Strand& strand, Waiter& waiter) {
  enlist(strand, waiter);
  strand.host.joins(strand, number_);
  if (strand.host.done(number_)) task_ended(!strand.host.was_cancelled(number_));
}

}  // namespace detail

// --- TaskHost ---

// A task that nobody awaits: the actor's `run`, and what was started.
struct TaskHost::Started {
  Started(TaskHost& host, std::uint32_t number_, std::string name, Caller received, Task<void> task_)
      : number(number_), strand(host, std::move(name), received), task(std::move(task_)) {}

  std::uint32_t number;
  std::uint32_t by =
      0;  // the number of the task that started it, and how often that had awaited something by then
  std::uint64_t at = 0;
  detail::Strand strand;
  Task<void> task;  // destroyed before the strand, which its frames refer to
};

TaskHost::TaskHost() : context_(std::make_unique<TaskContext>(*this)) {}

TaskHost::~TaskHost() {
  while (!started_.empty()) started_.pop_back();
  GAINSAY_CHECK(waits_.empty(), "what tasks wait for goes with them");
}

HandlerPort& TaskHost::port() { return context_->port(); }

void TaskHost::withdraw(detail::Wait& wait) {
  const auto found = std::find(waits_.begin(), waits_.end(), &wait);
  GAINSAY_CHECK(found != waits_.end(), "what waits is enlisted");
  waits_.erase(found);
}

detail::Wait* TaskHost::wanted(const Arrival& arrival) const {
  for (detail::Wait* wait : waits_) {
    if (wait->wants(arrival)) return wait;
  }
  return nullptr;
}

TaskHost::Started* TaskHost::find(std::uint32_t number) const {
  for (const auto& each : started_) {
    if (each->number == number) return each.get();
  }
  return nullptr;
}

bool TaskHost::done(std::uint32_t number) const {
  const Started* started = find(number);
  return started == nullptr || started->strand.finished;
}

bool TaskHost::was_cancelled(std::uint32_t number) const {
  return std::find(cancelled_.begin(), cancelled_.end(), number) != cancelled_.end();
}

TaskHandle TaskHost::start(std::string name, Task<void> task) {
  GAINSAY_CHECK(task.handle() && !task.handle().done(), "a Task is started once");
  started_.push_back(
      std::make_unique<Started>(*this, next_number(), std::move(name), context_->caller(), std::move(task)));
  Started& started = *started_.back();
  const std::uint32_t number = started.number;
  if (running_ != nullptr) {
    started.by = running_->number;
    started.at = running_->awaits;
  }
  started.task.handle().promise().strand = &started.strand;
  started.strand.suspended = started.task.handle();
  started.strand.on_finish = [this, number] { ended(number); };
  begin(started.strand);  // which may end it
  return {*this, number};
}

void TaskHost::cancel(std::uint32_t number) {
  if (done(number) || was_cancelled(number)) return;
  cancelled_.push_back(number);
  doomed_.push_back(number);
}

void TaskHost::schedule(detail::Strand& strand) { strand.step.due(*this, strand); }

// An eager task runs inside the step, and inside the task, that makes it.
void TaskHost::begin(detail::Strand& strand) {
  if (!port().eager_tasks()) {
    schedule(strand);
    return;
  }
  GAINSAY_CHECK(!arriving_, "a task is made by a task or by a handler");
  detail::Strand* const maker = std::exchange(running_, nullptr);
  const std::coroutine_handle<> next = std::exchange(next_, {});
  const Caller caller = context_->caller();
  resume(strand);  // which may end it
  context_->bind_sender(caller);
  next_ = next;
  running_ = maker;
}

detail::Strand* TaskHost::at_hand(const TaskContext& context) { return context.host_.running(); }

void TaskHost::warn(const detail::Strand& strand, const std::string& text) {
  port().warn(fmt::format("actor '{}', task '{}' {}", port().name_of(context_->self()), strand.name, text));
}

// A task that is joined before its starter has done anything else runs beside nothing of it, unless there are others.
void TaskHost::joins(const detail::Strand& strand, std::uint32_t number) {
  const Started* started = find(number);
  if (started == nullptr || started->by != strand.number || started->at + 1 != strand.awaits) return;
  for (const auto& other : started_) {
    if (other.get() != started && &other->strand != &strand && !other->strand.finished) return;
  }
  warn(strand, fmt::format("joins task '{}' right after starting it: they never run concurrently. Await it "
                           "(co_await), or do something before the join",
                           started->strand.name));
}

void TaskHost::wake(detail::Strand& strand) {
  if (running_ == &strand) {
    next_ = strand.suspended;
  } else if (arriving_ && woken_ == nullptr) {
    woken_ = &strand;
  } else {
    schedule(strand);
  }
}

// --- steps ---

void TaskHost::enter(const Context& context) { context_->bind(context); }

void TaskHost::leave() {
  for (std::size_t i = 0; i < doomed_.size(); ++i) remove(doomed_[i]);
  doomed_.clear();
  if (halting_) {
    while (!started_.empty()) started_.pop_back();
  }
  context_->bind(Context(idle_port, context_->self(), nobody));
}

void TaskHost::handle(const Context& context, const std::function<void(TaskContext&)>& handler) {
  enter(context);
  handler(*context_);
  leave();
}

// The actor's first task begins with the actor's start: that is its step.
void TaskHost::begin_main(const Context& context, const std::function<Task<void>(TaskContext&)>& main) {
  enter(context);
  arriving_ = true;
  started_.push_back(
      std::make_unique<Started>(*this, next_number(), "run", context.caller(), main(*context_)));
  Started& started = *started_.back();
  arriving_ = false;
  started.task.handle().promise().strand = &started.strand;
  started.strand.suspended = started.task.handle();
  started.strand.on_finish = [this, number = started.number] { ended(number); };
  resume(started.strand);
  leave();
}

bool TaskHost::arrive(const Arrival& arrival, const Context& context) {
  detail::Wait* wait = wanted(arrival);
  if (wait == nullptr) return false;
  enter(context);
  if (wait->take(arrival)) {
    arriving_ = true;
    wait->end();
    arriving_ = false;
    if (detail::Strand* strand = std::exchange(woken_, nullptr)) resume(*strand);
  }
  leave();
  return true;
}

// The trampoline: one task, from where it is suspended to where it is suspended again.
void TaskHost::resume(detail::Strand& strand) {
  GAINSAY_CHECK(running_ == nullptr && strand.suspended, "one suspended task runs at a time");
  running_ = &strand;
  strand.waits_for = nullptr;
  context_->bind_sender(strand.received);
  next_ = std::exchange(strand.suspended, {});
  while (next_) {
    const std::coroutine_handle<> now = std::exchange(next_, {});
    now.resume();
  }
  running_ = nullptr;
  if (strand.finished) {
    strand.on_finish();  // which may destroy it
  } else if (strand.waits_for == nullptr) {
    port().violate("bad await", fmt::format("task '{}' awaits something that Gainsay cannot resume; await "
                                            "only Tasks and operations of TaskContext, when_all and when_any",
                                            strand.name));
  }
}

void TaskHost::ended(std::uint32_t number) {
  Started* started = find(number);
  const std::exception_ptr error = started->task.handle().promise().error;
  if (error) {
    const auto [property, text] = verdict_of(error);
    port().violate(property,
                   fmt::format("task '{}'{} {}", started->strand.name, property == "stuck" ? ":" : "", text));
  }
  remove(number);
}

// Destroys a task and tells those who wait for its end.
void TaskHost::remove(std::uint32_t number) {
  const auto at = std::find_if(started_.begin(), started_.end(),
                               [&](const auto& each) { return each->number == number; });
  if (at == started_.end()) return;
  const std::unique_ptr<Started> gone = std::move(*at);
  started_.erase(at);
  std::vector<detail::Join*> joins;
  for (detail::Wait* wait : waits_) {
    auto* join = dynamic_cast<detail::Join*>(wait);
    if (join != nullptr && join->waits_for(number)) joins.push_back(join);
  }
  for (detail::Join* join : joins) join->task_ended(!was_cancelled(number));
}

std::string TaskHost::waiting(const ActorNames& names) const {
  std::string text;
  for (const auto& started : started_) {
    if (started->strand.background || !started->strand.stuck()) continue;
    text += (text.empty() ? "" : "; ") + started->strand.describe(names);
  }
  return text;
}

// --- TaskHandle, TaskContext ---

bool TaskHandle::done() const { return host_ == nullptr || host_->done(number_); }
void TaskHandle::cancel() {
  if (host_ != nullptr) host_->cancel(number_);
}

TaskContext::TaskContext(TaskHost& host) : Context(idle_port, nobody, nobody), host_(host) {}

TaskHandle TaskContext::start(std::string name, Task<void> task) {
  return host_.start(std::move(name), std::move(task));
}

void TaskContext::background() {
  if (detail::Strand* running = host_.running()) running->background = true;
}

void TaskContext::keep_for_ever() { host_.keep_for_ever(); }

void TaskContext::halt() {
  Context::halt();
  host_.halt_after_step();
}

}  // namespace gainsay
