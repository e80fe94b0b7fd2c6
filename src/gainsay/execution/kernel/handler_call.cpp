#include "gainsay/execution/kernel/handler_call.hpp"

#include <exception>

#include <fmt/format.h>

#include "gainsay/base/print.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay {

void HandlerCall::run(const ActorType& type, void* object, const Envelope& envelope, std::uint64_t call) {
  const bool request = (envelope.call & 1U) == 0;
  Context context(*this, kernel_.directory().id_of(self_), envelope.from, request ? envelope.call >> 1U : 0);
  try {
    UserCall running(call);
    running_ = &running;
    if (envelope.kind == EventKind::start) {
      if (type.on_start != nullptr) type.on_start(object, context);
      return;
    }
    if (envelope.kind == EventKind::restart) {
      if (type.on_restart != nullptr) type.on_restart(object, context);
      return;
    }
    if (type.arrive != nullptr && type.arrive(object, kernel_.arrival_of(envelope), context)) return;
    const Handler* const handler =
        envelope.handler != nullptr ? envelope.handler : type.handler_of(*envelope.type);
    if (handler == nullptr) {
      fail_as("unhandled message",
              fmt::format("{} does not receive {} (sent by {})", kernel_.directory().name_of(self_),
                          envelope.type->name, kernel_.directory().name_of(envelope.from)));
      return;
    }
    keeps_fields = handler->is_const && type.value != nullptr;
    type.handle(*handler, object, envelope.data, context);
  } catch (const CallDied& died) {
    fail_as("fatal error", fmt::format("{} ended with {}", doing(envelope), died.what()));
  } catch (const std::exception& error) {
    fail_as("exception", fmt::format("{} threw: {}", kernel_.directory().name_of(self_), error.what()));
  } catch (...) {
    fail_as("exception", fmt::format("{} threw something that is not a std::exception",
                                     kernel_.directory().name_of(self_)));
  }
  running_ = nullptr;
}

// Who was busy with what when it died.
std::string HandlerCall::doing(const Envelope& envelope) const {
  const std::string& name = kernel_.directory().name_of(self_);
  if (envelope.message == 0)
    return fmt::format("{} in {}", name, envelope.kind == EventKind::restart ? "on_restart" : "on_start");
  return fmt::format("{} handling {}", name, envelope.type->name);
}

std::string bad_send_text(const Kernel& kernel, Slot sender, const ValueType& message,
                          const std::string& to) {
  return fmt::format("{} sends {} to {}, which does not exist", kernel.directory().name_of(sender),
                     message.name, to);
}

void HandlerCall::send(ActorId to, const ValueType& type, const void* message) { post(to, type, message, 0); }

void HandlerCall::reply(Caller to, const ValueType& type, const void* message) {
  post(to.actor, type, message, to.call == 0 ? 0 : to.call * 2 + 1);
}

std::uint32_t HandlerCall::call(ActorId to, const ValueType& type, const void* message) {
  post(to, type, message, ++calls * 2);
  return calls;
}

void HandlerCall::task_step(const ValueType& type, const void* step) {
  TimerOp op;
  op.armed = kernel_.envelope_of(kernel_.directory().id_of(self_), self_, EventKind::task, &type, step);
  effects_.timers().push_back(op);
}

void HandlerCall::withdraw(EventKind kind, const ValueType& type, const void* message) {
  TimerOp op;
  op.armed = kernel_.envelope_of(kernel_.directory().id_of(self_), self_, kind, &type, message);
  op.withdrawn = true;
  effects_.timers().push_back(op);
}

void HandlerCall::post(ActorId to, const ValueType& type, const void* message, std::uint32_t tag) {
  if (to == outside) {
    effects_.rare().outside_replies.push_back(kernel_.interner().value(type, message));
    return;
  }
  const Slot slot = kernel_.directory_.place_of(to);
  if (slot != Directory::no_slot && kernel_.is_monitor(slot)) {
    fail_as("bad send",
            fmt::format("{} sends {} to monitor {}; use ctx.notify for monitors",
                        kernel_.directory().name_of(self_), type.name, kernel_.directory().name_of(to)));
    return;
  }
  if (slot == Directory::no_slot) {
    fail_as("bad send", bad_send_text(kernel_, self_, type, kernel_.directory().name_of(to)));
    return;
  }
  effects_.sends.push_back(
      kernel_.envelope_of(kernel_.directory().id_of(self_), slot, EventKind::deliver, &type, message, tag));
}

void HandlerCall::arm(Duration earliest, Duration latest, const ValueType& type, const void* message) {
  if (earliest < Duration(0) || latest < earliest) {
    fail_as("bad timer",
            fmt::format("{} arms a timer with a negative duration", kernel_.directory().name_of(self_)));
    return;
  }
  TimerOp op;
  op.armed = kernel_.envelope_of(kernel_.directory().id_of(self_), self_, EventKind::timer, &type, message);
  op.earliest = earliest;
  op.latest = latest;
  effects_.timers().push_back(op);
}

void HandlerCall::cancel(const ValueType& type) {
  TimerOp op;
  op.cancelled = &type;
  effects_.timers().push_back(op);
}

// Names the next actor that this one spawns, and reserves its place.
SpawnOp HandlerCall::next_spawned(const ActorType& type, std::string_view name) {
  SpawnOp op;
  op.type = &type;
  op.slot = kernel_.directory_.add_spawned(kernel_.directory().id_of(self_), spawned, std::string(name));
  if (op.slot == Directory::no_slot) {
    fail_as("bad spawn", fmt::format("{} spawns its actor number {}, whose id is already used by another "
                                     "spawned actor; spawn fewer actors, or spawn them from another actor",
                                     kernel_.directory().name_of(self_), spawned));
  }
  ++spawned;
  return op;
}

ActorId HandlerCall::finish_spawn(SpawnOp op) {
  if (op.slot == Directory::no_slot) return nobody;
  const ActorId creator = kernel_.directory().id_of(self_);
  if (op.type->on_start != nullptr)
    op.start = kernel_.envelope_of(creator, op.slot, EventKind::start, nullptr, nullptr);
  op.sent = static_cast<std::uint32_t>(effects_.sends.size());
  const ActorId id = kernel_.directory().id_of(op.slot);
  effects_.rare().spawns.push_back(std::move(op));
  return id;
}

ActorId HandlerCall::spawn(const ActorType& type, std::string_view name, const void* initial) {
  SpawnOp op = next_spawned(type, name);
  Cell cell;
  cell.type = &type;
  cell.value = kernel_.interner().value(*type.value, initial);
  cell.initial = cell.value;
  cell.status = ActorStatus::alive;
  op.cell = kernel_.interner().cell(cell);
  return finish_spawn(std::move(op));
}

ActorId HandlerCall::spawn_opaque(const ActorType& type, std::string_view name, OpaqueFactory make) {
  fleeting = true;
  SpawnOp op = next_spawned(type, name);
  op.make = std::move(make);
  return finish_spawn(std::move(op));
}

void HandlerCall::notify(const ActorType& monitor, const ValueType& type, const void* event) {
  const Slot slot = kernel_.monitor_slot(monitor);
  if (slot == Directory::no_slot) {
    fail_as("bad notify", fmt::format("{} notifies monitor {}, which this world does not have; add "
                                      "world.monitor<{}>(\"...\") to the scenario",
                                      kernel_.directory().name_of(self_), monitor.name, monitor.name));
    return;
  }
  effects_.notifications().push_back(
      kernel_.envelope_of(kernel_.directory().id_of(self_), slot, EventKind::deliver, &type, event));
}

void HandlerCall::add_history(HistoryOp op, const ValueType* type, const void* data) {
  if (type != nullptr) {
    op.value = kernel_.interner().value(*type, data);
    op.type = type;
    op.data = kernel_.value(op.value).data;
  }
  effects_.history().push_back(op);
}

std::uint32_t HandlerCall::invoke(const ValueType& type, const void* operation) {
  add_history({invoked, true}, &type, operation);
  return invoked++;
}

void HandlerCall::complete(std::uint32_t number, Completion how, const ValueType* type, const void* result) {
  if (number >= invoked) {
    fail_as("bad complete",
            fmt::format("{} completes its operation number {}, which it has not begun (ctx.invoke)",
                        kernel_.directory().name_of(self_), number));
    return;
  }
  add_history({number, false, how}, type, result);
}

void HandlerCall::invoke_for(ActorId client, const ValueType& type, const void* operation) {
  add_history({0, true, Completion::ok, 0, client}, &type, operation);
}

// Whether the client has begun one is seen where the history is put together: this actor cannot know.
void HandlerCall::complete_for(ActorId client, Completion how, const ValueType* type, const void* result) {
  add_history({0, false, how, 0, client}, type, result);
}

std::uint32_t HandlerCall::choose(std::uint32_t among, bool coin, std::string_view label) {
  if (among == 0) {
    fail_as("bad choice", fmt::format("{} calls ctx.choose(0): there is nothing to choose from",
                                      kernel_.directory().name_of(self_)));
    return 0;
  }
  if (among == 1) return 0;
  std::uint32_t answer = 0;
  if (asked.size() < answers.size()) {
    answer = answers[asked.size()];
    if (answer >= among) {
      fail_other_questions();
      answer = 0;
    }
  } else {
    answer = asker_.ask(among, coin);
    GAINSAY_CHECK(answer < among, "an answer is among the choices");
  }
  asked.push_back({answer, among, coin});
  if (kernel_.remarks_ != nullptr) {
    std::string text(label);
    if (coin) text = (text.empty() ? "flip" : text) + "?";
    kernel_.remarks_->labels.push_back(printable_utf8(text));
  }
  if (running_ != nullptr) running_->answered(answer);
  return answer;
}

void HandlerCall::require_same_questions() {
  if (asked.size() < answers.size()) fail_other_questions();
}

void HandlerCall::fail_other_questions() {
  fail_as("nondeterminism",
          fmt::format("a handler of {} makes different choices when it is run again with the same message in "
                      "the same state: it depends on something outside its fields and its Context",
                      kernel_.directory().name_of(self_)));
}

void HandlerCall::fail_otherwise() {
  fail_as("nondeterminism",
          fmt::format("a handler of {} does something else when it is run again with the same message in the "
                      "same state: it depends on something outside its fields and its Context",
                      kernel_.directory().name_of(self_)));
}

void HandlerCall::fail_mutable() {
  fail_as("mutable field",
          fmt::format("a const handler of {} changes a field: make the handler non-const, or the field not "
                      "mutable",
                      kernel_.directory().name_of(self_)));
}

Time HandlerCall::now() {
  if (!kernel_.blueprint().timed) return Time(0);
  fleeting = true;
  kernel_.note_clock_read();
  if (!read_ns_) read_ns_ = asker_.ask_time(clock_);
  Time local(*read_ns_);
  for (const auto& [actor, ahead] : kernel_.blueprint().clock_offsets) {
    if (actor == kernel_.directory().id_of(self_)) local += ahead;
  }
  return local;
}

void HandlerCall::fail(std::string message) {
  fail_as(kernel_.is_monitor(self_) ? kernel_.directory().name_of(self_) : "check", std::move(message));
}

void HandlerCall::violate(std::string property, std::string message) {
  fail_as(std::move(property), fmt::format("{}: {}", kernel_.directory().name_of(self_), message));
}

void HandlerCall::fail_as(std::string property, std::string message) {
  if (!effects_.failed()) effects_.rare().failure = Failure{std::move(property), std::move(message)};
}

bool HandlerCall::persist(const ValueType& type, const void* value) {
  const Tear* tear = nullptr;
  switch (disk) {
    case Disk::fails:
      disk = Disk::sound;
      remark_stored(type, value, ", but the write fails: nothing is stored");
      return false;
    case Disk::tears:
      for (const Tear& plan : kernel_.blueprint().faults.tears) {
        if (plan.type == &type) tear = &plan;
      }
      if (tear != nullptr) disk = Disk::sound;
      break;
    case Disk::caches:
      disk = Disk::cached;
      break;
    case Disk::sound:
    case Disk::cached:
      disk = Disk::sound;
      break;
  }
  if (tear == nullptr) {
    remark_stored(type, value, disk == Disk::cached ? ", but the disk only caches it: a crash loses it" : "");
    persisted = AnyValue(type, value);
  } else {
    // The old value may be `persisted` itself.
    AnyValue torn = tear->tear(durable_type == &type ? durable_data : nullptr, value);
    remark_stored(type, value, ", but the write is torn; stored is");
    if (kernel_.remarks_ != nullptr)
      kernel_.remarks_->disk.back() += ' ' + print(torn.type(), torn.data(), kernel_.names());
    persisted = std::move(torn);
  }
  durable_type = &type;
  durable_data = persisted.data();
  return true;
}

void HandlerCall::remark_stored(const ValueType& type, const void* value, std::string_view but) {
  if (kernel_.remarks_ == nullptr) return;
  kernel_.remarks_->disk.push_back(fmt::format("stores {}{}", print(type, value, kernel_.names()), but));
}

const void* HandlerCall::recover(const ValueType& type) {
  if (kernel_.remarks_ != nullptr && (durable_type == nullptr || durable_type == &type)) {
    kernel_.remarks_->disk.push_back(
        durable_type == nullptr ? "reads its disk: nothing is stored"
                                : fmt::format("reads {}", print(type, durable_data, kernel_.names())));
  }
  if (durable_type == nullptr) return nullptr;
  if (durable_type != &type) {
    fail_as("bad recover", fmt::format("{} persisted a {} and recovers a {}",
                                       kernel_.directory().name_of(self_), durable_type->name, type.name));
    return nullptr;
  }
  return durable_data;
}

}  // namespace gainsay
