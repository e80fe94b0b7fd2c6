#include "gainsay/execution/run/order_recorder.hpp"

#include <algorithm>

namespace gainsay {

Event pending_event(const Kernel& kernel, const Pending& pending) {
  const Envelope& envelope = kernel.envelope(pending.envelope);
  const std::uint64_t type = envelope.message == 0 ? 0 : kernel.value(envelope.message).type->name_hash;
  return {pending.id, envelope.kind, envelope.receiver, envelope.from, type, pending.parent};
}

Event alternative_event(const Kernel& kernel, const Network& network, const WorldState& world,
                        const Alternative& alternative) {
  Event event;
  if (alternative.kind <= EventKind::corrupt)
    event = pending_event(kernel, world.pending[alternative.target]);
  if (is_ordinary(alternative.kind)) return event;
  if (alternative.kind == EventKind::crash || alternative.kind == EventKind::restart)
    event.receiver = kernel.directory().id_of(alternative.target);
  event.kind = alternative.kind;
  event.id = network.fault_id(world, alternative);
  return event;
}

ExecutedEvent executed_event(const Kernel& kernel, const Event& event, EnvelopeId envelope,
                             const StepResult& result, std::span<const Pending> pending, std::uint32_t step) {
  ExecutedEvent executed;
  executed.event = event;
  executed.lost = is_ordinary(event.kind) && result.slot == Directory::no_slot;
  executed.changed = result.changed;
  executed.violated = result.failure != nullptr;
  if (envelope != 0 && kernel.envelope(envelope).message != 0) {
    const InternedValue& message = kernel.value(kernel.envelope(envelope).message);
    executed.message_type = message.type;
    executed.message = message.data;
  }
  for (const Pending& each : pending) {
    if (each.parent == step) executed.created.push_back(pending_event(kernel, each));
  }
  if (result.extras == nullptr) return executed;
  for (const HistoryOp& op : result.extras->history)
    (op.invocation ? executed.invokes : executed.responds) = true;
  for (const EnvelopeId told : result.extras->notifications) {
    const ActorId monitor = kernel.envelope(told).receiver;
    if (std::find(executed.notified.begin(), executed.notified.end(), monitor) == executed.notified.end())
      executed.notified.push_back(monitor);
  }
  return executed;
}

void OrderRecorder::after_step(const Execution& execution, const Event& event, const StepResult& result,
                               std::span<const Pending>) {
  const std::size_t step = execution.steps() - 1;
  GAINSAY_CHECK(step < prefixes_.size(), "every step before this one was watched");
  ExecutedEvent executed =
      executed_event(execution.kernel(), event, execution.records()[step].envelope, result,
                     execution.world().pending, static_cast<std::uint32_t>(step));
  const auto answers = execution.answers_of(step);
  executed.answers.assign(answers.begin(), answers.end());
  prefixes_.resize(step + 1);
  prefixes_.push_back(prefixes_[step].extended(std::move(executed), dependent_));
}

}  // namespace gainsay
