// OrderRecorder: watches an execution and keeps its TraceOrder, prefix by prefix, so that searches may go back.
#pragma once

#include <vector>

#include "gainsay/execution/run/execution.hpp"
#include "gainsay/trace/trace_order.hpp"

namespace gainsay {

// What a step did; `pending` is what was pending after it, and `step` its number. Answers are left to the caller.
ExecutedEvent executed_event(const Engine& engine, const Event& event, EnvelopeId envelope,
                             const StepResult& result, const PendingRow& pending, std::uint32_t step);

class OrderRecorder final : public Execution::Observer {
 public:
  // `dependent` must outlive the recorder.
  explicit OrderRecorder(const Dependent& dependent) : dependent_(dependent) {}

  void after_step(const Execution& execution, const Event& event, const StepResult& result,
                  std::span<const Pending> created) override;
  // Of the last run.
  const TraceOrder& order_of(const Execution& execution) const { return prefixes_[execution.steps()]; }

 private:
  const Dependent& dependent_;
  std::vector<TraceOrder> prefixes_{TraceOrder{}};  // by number of steps
};

}  // namespace gainsay
