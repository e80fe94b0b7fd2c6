// HandlerCall: one call of user code. It offers the HandlerPort, collects effects, and turns what goes wrong
// into a Failure.
#pragma once

#include <vector>

#include "gainsay/base/user_call.hpp"
#include "gainsay/execution/kernel/kernel.hpp"
#include "gainsay/scenario/context.hpp"

namespace gainsay {

// What a violation says that is noticed here or, for spawned actors, when the message is put into a world.
std::string bad_send_text(const Kernel& kernel, Slot sender, const ValueType& message, const std::string& to);

class HandlerCall final : public HandlerPort {
 public:
  HandlerCall(Kernel& kernel, Slot self, CallEffects& effects, Asker& asker, const TimeRange& clock)
      : kernel_(kernel), self_(self), effects_(effects), asker_(asker), clock_(clock) {}
  ~HandlerCall() {
    if (checked()) kernel_.note_check();
  }
  HandlerCall(const HandlerCall&) = delete;
  HandlerCall& operator=(const HandlerCall&) = delete;

  // Runs the handler that the envelope calls for. `call` names this call in every process (base/user_call.hpp).
  void run(const ActorType& type, void* object, const Envelope& envelope, std::uint64_t call);
  // Fails where the handler did not ask all the questions it asked when it ran before: it cheats.
  void require_same_questions();
  // Fails because the same call did something else.
  void fail_otherwise();
  // Fails because a const handler has changed a field, which must be a mutable one.
  void fail_mutable();

  void send(ActorId to, const ValueType& type, const void* message) override;
  void arm(Duration earliest, Duration latest, const ValueType& type, const void* message) override;
  void cancel(const ValueType& type) override;
  ActorId spawn(const ActorType& type, std::string_view name, const void* initial) override;
  ActorId spawn_opaque(const ActorType& type, std::string_view name, OpaqueFactory make) override;
  std::uint32_t choose(std::uint32_t among, bool coin, std::string_view label) override;
  Time now() override;
  void fail(std::string message) override;
  void fail_as(std::string property, std::string message) override;
  bool persist(const ValueType& type, const void* value) override;
  const void* recover(const ValueType& type) override;
  void halt() override { halted = true; }
  void note(std::string text) override { effects_.rare().notes.push_back(std::move(text)); }
  void reply(Caller to, const ValueType& type, const void* message) override;
  std::uint32_t call(ActorId to, const ValueType& type, const void* message) override;
  void task_step(const ValueType& type, const void* step) override;
  void withdraw(EventKind kind, const ValueType& type, const void* message) override;
  bool eager_tasks() const override { return kernel_.blueprint().eager_tasks; }
  void warn(std::string text) override { kernel_.warned(std::move(text)); }
  void violate(std::string property, std::string message) override;
  void notify(const ActorType& monitor, const ValueType& type, const void* event) override;
  std::uint32_t invoke(const ValueType& type, const void* operation) override;
  void complete(std::uint32_t number, Completion how, const ValueType* type, const void* result) override;
  void invoke_for(ActorId client, const ValueType& type, const void* operation) override;
  void complete_for(ActorId client, Completion how, const ValueType* type, const void* result) override;
  std::string name_of(ActorId actor) const override { return kernel_.directory().name_of(actor); }
  std::uint8_t* coverage_of(const MachineType& type) override { return kernel_.coverage_.marks(type); }

  // In and out: the hidden part of the local state.
  std::uint32_t spawned = 0;
  std::uint32_t invoked = 0;
  std::uint32_t calls = 0;
  bool halted = false;
  bool keeps_fields = false;  // a const handler of a value actor was called
  const ValueType* durable_type = nullptr;
  const void* durable_data = nullptr;
  AnyValue persisted;  // set by `persist`
  Disk disk = Disk::sound;
  // Answers given beforehand; later questions go to the asker and are appended.
  std::vector<std::uint32_t> answers;
  std::vector<DataChoice> asked;
  bool fleeting = false;  // the result depends on more than (cell, envelope, answers)

 private:
  void add_history(HistoryOp op, const ValueType* type, const void* data);
  void post(ActorId to, const ValueType& type, const void* message, std::uint32_t tag);
  void fail_other_questions();
  void remark_stored(const ValueType& type, const void* value, std::string_view but);
  std::string doing(const Envelope& envelope) const;
  SpawnOp next_spawned(const ActorType& type, std::string_view name);
  ActorId finish_spawn(SpawnOp op);

  Kernel& kernel_;
  Slot self_;
  CallEffects& effects_;
  Asker& asker_;
  const TimeRange& clock_;               // a copy, right after its parts were stored, would stall
  std::optional<std::int64_t> read_ns_;  // what it showed: time stands still while a handler runs
  UserCall* running_ = nullptr;
};

}  // namespace gainsay
