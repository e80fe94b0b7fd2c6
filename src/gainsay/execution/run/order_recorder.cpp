#include "gainsay/execution/run/order_recorder.hpp"

#include <algorithm>

namespace gainsay {

ExecutedEvent executed_event(const Engine& engine, const Event& event, EnvelopeId envelope,
                             const StepResult& result, const PendingRow& pending, std::uint32_t step) {
  const Kernel& kernel = engine.kernel();
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
    if (each.parent == step) executed.created.push_back(engine.event_of(each));
  }
  if (result.extras == nullptr) return executed;
  for (const HistoryOp& op : result.extras->history) {
    (op.invocation ? executed.invokes : executed.responds) = true;
    executed.clients.push_back(op.client == nobody ? kernel.directory().id_of(result.slot) : op.client);
  }
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
      executed_event(execution.engine(), event, execution.records()[step].envelope, result,
                     execution.world().pending, static_cast<std::uint32_t>(step));
  const auto answers = execution.answers_of(step);
  executed.answers.assign(answers.begin(), answers.end());
  prefixes_.resize(step + 1);
  prefixes_.push_back(prefixes_[step].extended(std::move(executed), dependent_));
}

}  // namespace gainsay
