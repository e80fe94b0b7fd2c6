#include "gainsay/execution/run/recording.hpp"

namespace gainsay {

void Recording::begin_fault(const WorldState& world, const Alternative& chosen) {
  GAINSAY_CHECK(is_fault(chosen.kind), "stop is not recorded");
  StepRecord record;
  record.id = engine_.id_of(world, chosen);
  record.envelope = engine_.envelope_of(world, chosen);
  if (record.envelope != 0) record.parent = world.pending[chosen.target].parent;
  record.target = chosen.target;
  record.answers_end = answer_count();
  record.kind = chosen.kind;
  steps_.push_back(record);
}

void Recording::cut(std::size_t steps) {
  GAINSAY_CHECK(steps <= steps_.size(), "a recording is cut, not extended");
  answers_.resize(answers_before(steps));
  steps_.resize(steps);
  std::size_t entries = history_.size();
  while (entries > 0 && history_[entries - 1].step >= steps) --entries;
  history_.resize(entries);
}

Event Recording::event_of(const StepRecord& record) const {
  Event event;
  if (record.envelope != 0) {
    Pending pending;
    pending.envelope = record.envelope;
    pending.parent = record.parent;
    event = engine_.event_of(pending);
  }
  if (is_fault(record.kind) && fault_of(record.kind).subject == FaultSubject::actor)
    event.receiver = engine_.kernel().directory().id_of(actor_of(engine_.blueprint(), record.target));
  event.id = record.id;
  event.kind = record.kind;
  return event;
}

Trace Recording::trace() const {
  Trace trace;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const auto answers = answers_of(i);
    trace.steps.push_back({event_of(steps_[i]), {answers.begin(), answers.end()}});
  }
  return trace;
}

}  // namespace gainsay
