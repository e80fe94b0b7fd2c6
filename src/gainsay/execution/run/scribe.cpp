#include "gainsay/execution/run/scribe.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "gainsay/base/changes.hpp"
#include "gainsay/base/print.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/execution/run/document.hpp"
#include "gainsay/execution/world/budgets.hpp"
#include "gainsay/execution/world/faults/cut.hpp"
#include "gainsay/execution/world/faults/faults.hpp"
#include "gainsay/oracle/heat.hpp"
#include "gainsay/scenario/task_host.hpp"

namespace gainsay {
namespace {

ActorNames names_of(const Execution& execution) {
  return [&execution](ActorId id) { return execution.kernel().directory().name_of(id); };
}

std::string message_text(const Execution& execution, EnvelopeId id) {
  const Envelope& envelope = execution.kernel().envelope(id);
  if (envelope.message == 0) return "";
  const InternedValue& message = execution.kernel().value(envelope.message);
  if (message.type == &reflect::value_type<TaskStep>()) {
    return static_cast<const TaskStep*>(message.data)->task;
  }
  if (message.type == &reflect::value_type<TaskTimer>()) {
    return fmt::format("sleep of {}", static_cast<const TaskTimer*>(message.data)->task);
  }
  return print(*message.type, message.data, names_of(execution));
}

// The receiver's fields as they are now, where they can be copied.
AnyValue state_of(const Execution& execution, ActorId actor) {
  const ActorType* type = execution.type(actor);
  if (type == nullptr || type->value == nullptr) return {};
  return AnyValue(*type->value, execution.state(actor));
}

// The same of an opaque actor that can say it in words.
Description description_of(const Execution& execution, ActorId actor) {
  const ActorType* type = execution.type(actor);
  if (type == nullptr || type->describe == nullptr) return {};
  return type->describe(execution.state(actor));
}

// What is not the same in both, in the order of the second.
std::vector<std::string> changed_lines(const Description& before, const Description& after) {
  std::vector<std::string> lines;
  const auto find = [](const Description& where, const std::string& name) {
    return std::find_if(where.begin(), where.end(), [&](const auto& line) { return line.first == name; });
  };
  for (const auto& [name, text] : after) {
    const auto was = find(before, name);
    if (was == before.end()) {
      lines.push_back(printable_utf8(fmt::format("{}: {}", name, text)));
    } else if (was->second != text) {
      lines.push_back(printable_utf8(fmt::format("{}: {} -> {}", name, was->second, text)));
    }
  }
  std::vector<std::string> gone;
  for (const auto& line : before) {
    if (find(after, line.first) == after.end()) gone.push_back(line.first);
  }
  if (!gone.empty()) lines.push_back(printable_utf8(fmt::format("gone: {}", fmt::join(gone, ", "))));
  return lines;
}

// Writes down every step.
class Scribe final : public Execution::Observer {
 public:
  Scribe(TraceDocument& document, Execution& execution)
      : document_(document),
        kernel_(execution.kernel()),
        execution_(execution),
        conditions_(execution.kernel().blueprint().liveness()) {
    kernel_.listen(&remarks_);
    execution_.observe(this);
  }
  ~Scribe() override {
    kernel_.listen(nullptr);
    execution_.observe(nullptr);
  }
  Scribe(const Scribe&) = delete;
  Scribe& operator=(const Scribe&) = delete;

  void before_step(const Execution& execution, const Event& event) override {
    before_ = state_of(execution, event.receiver);
    described_ = description_of(execution, event.receiver);
    remarks_ = {};
    partition_ = execution.world().partition;
    heat_ = execution.world().heat;
  }

  void after_step(const Execution& execution, const Event& event, const StepResult& result,
                  std::span<const Pending> created) override {
    const StepRecord& record = execution.records().back();
    DocumentStep step;
    step.id = event.id;
    step.kind = event.kind;
    step.parent = event.parent;
    if (event.receiver != nobody) step.to = execution.name(event.receiver);
    if (event.kind != EventKind::start && event.sender != nobody) step.from = execution.name(event.sender);
    if (record.envelope != 0) step.message = message_text(execution, record.envelope);
    const FaultPlan& faults = execution.kernel().blueprint().faults;
    if (event.kind == EventKind::partition || event.kind == EventKind::heal) {
      step.message =
          partition_text(execution, event.kind == EventKind::heal ? partition_ - 1 : record.target);
    } else if (event.kind == EventKind::lost) {
      step.cut = cut_name(execution.kernel().blueprint(), partition_);
    } else if (event.kind == EventKind::isolate) {
      step.to = execution.name(execution.kernel().directory().id_of(record.target));
      step.message =
          fmt::format("for {} step{}", faults.isolation.steps, faults.isolation.steps == 1 ? "" : "s");
    } else if (event.kind == EventKind::jump_clock) {
      const Duration by = faults.clock_jumps[plan_of(execution.kernel().blueprint(), record.target)].by;
      step.message = fmt::format("by {}", duration_text(by.count()));
    }
    const auto answers = execution.answers_of(execution.steps() - 1);
    step.choices.assign(answers.begin(), answers.end());
    step.disk = std::move(remarks_.disk);
    step.labels = labels_of(step.choices);
    const AnyValue after = state_of(execution, event.receiver);
    if (before_.has_value() && after.has_value() && &before_.type() == &after.type()) {
      step.changes = changes(after.type(), before_.data(), after.data(), names_of(execution));
    }
    for (std::string& line : changed_lines(described_, description_of(execution, event.receiver)))
      step.changes.push_back(std::move(line));
    for (const Pending& pending : created) step.sent.push_back(sent_text(execution, pending));
    if (result.extras != nullptr) {
      for (const ValueId reply : result.extras->outside_replies()) {
        const InternedValue& value = execution.kernel().value(reply);
        step.sent.push_back(
            fmt::format("{} to outside", print(*value.type, value.data, names_of(execution))));
      }
      for (const EnvelopeId told : result.extras->notifications) {
        step.notes.push_back(fmt::format("tells monitor {} {}",
                                         execution.name(execution.kernel().envelope(told).receiver),
                                         message_text(execution, told)));
      }
      for (const HistoryOp& op : result.extras->history) step.notes.push_back(history_text(execution, op));
      for (const std::string& note : result.extras->notes()) step.notes.push_back(printable_utf8(note));
    }
    note_heat(execution, step);
    document_.steps.push_back(std::move(step));
  }

 private:
  // One for each choice; none at all where no choice has a name. Only a handler's questions can have one.
  std::vector<std::string> labels_of(const std::vector<DataChoice>& choices) const {
    std::vector<std::string> labels;
    std::size_t asked = 0;
    bool any = false;
    for (const DataChoice& choice : choices) {
      const bool named = !choice.is_time && !choice.late && asked < remarks_.labels.size();
      labels.push_back(named ? remarks_.labels[asked++] : std::string{});
      any = any || !labels.back().empty();
    }
    return any && asked == remarks_.labels.size() ? labels : std::vector<std::string>{};
  }

  // What has become hotter or cooler.
  void note_heat(const Execution& execution, DocumentStep& step) const {
    const Blueprint& blueprint = execution.kernel().blueprint();
    for (const LivenessCondition& condition : conditions_) {
      const Heat before = heat_[condition.row].heat();
      const Heat now = heat_of(blueprint, condition, execution);
      if (now == before) continue;
      const std::string text = heat_text(blueprint, condition, execution);
      if (condition.is_monitor()) {
        const char* word = now == Heat::hot ? "hot" : now == Heat::warm ? "warm" : "cold";
        step.notes.push_back(fmt::format("monitor {} is {} now{}", condition.name, word, text));
      } else {
        step.notes.push_back(
            fmt::format("'{}' {} now{}", condition.name, now == Heat::hot ? "does not hold" : "holds", text));
      }
    }
  }

  static std::string history_text(const Execution& execution, const HistoryOp& op) {
    std::string text;
    if (op.type != nullptr) text = print(*op.type, op.data, names_of(execution));
    const std::string which = op.client == nobody
                                  ? fmt::format("operation {}", op.number)
                                  : fmt::format("the operation of {}", execution.name(op.client));
    if (op.invocation) return fmt::format("begins {}: {}", which, text);
    switch (op.how) {
      case Completion::ok:
        return fmt::format("{} ends: {}", which, text.empty() ? "done" : text);
      case Completion::failed:
        return fmt::format("{} failed: it did not happen", which);
      case Completion::unknown:
        return fmt::format("{} ends unknown: it may have happened", which);
    }
    return "";
  }

  static std::string sent_text(const Execution& execution, const Pending& pending) {
    const Envelope& envelope = execution.kernel().envelope(pending.envelope);
    const std::string to = execution.name(envelope.receiver);
    if (envelope.kind == EventKind::start) return fmt::format("spawns {}", to);
    const std::string text = message_text(execution, pending.envelope);
    if (envelope.kind == EventKind::timer) return fmt::format("timer {}", text);
    if (envelope.kind == EventKind::task) return fmt::format("task {} is ready", text);
    return fmt::format("{} to {}", text, to);
  }

  static std::string partition_text(const Execution& execution, std::uint32_t index) {
    const PartitionPlan& plan = execution.kernel().blueprint().faults.partitions[index];
    if (plan.links.nodes() > 0) return plan.name;  // the blocks are nodes, and the name says which are cut
    std::vector<std::string> blocks;
    for (const auto& block : plan.blocks) {
      std::vector<std::string> members;
      for (const ActorId id : block) members.push_back(execution.name(id));
      blocks.push_back(fmt::format("{}", fmt::join(members, " ")));
    }
    return fmt::format("{}: {}", plan.name, fmt::join(blocks, " | "));
  }

  TraceDocument& document_;
  Kernel& kernel_;
  Execution& execution_;
  Remarks remarks_;  // of the step that is being made
  AnyValue before_;
  Description described_;
  std::uint32_t partition_ = 0;
  std::vector<LivenessCondition> conditions_;
  std::vector<HeatSpan> heat_;  // before the step
};

// Timers that are armed where nothing can happen any more, and do not fire because their budget is spent. Each type of
// an actor is named once.
std::vector<std::string> held_timers(const Execution& execution) {
  const Blueprint& blueprint = execution.kernel().blueprint();
  std::vector<std::string> held;
  if (blueprint.timer_budgets.empty()) return held;
  const Budgets budgets(blueprint);
  for (const Pending& pending : execution.world().pending) {
    if (pending.kind != EventKind::timer) continue;
    const Envelope& envelope = execution.kernel().envelope(pending.envelope);
    const ValueType& type = *envelope.type;
    const std::size_t budget = budgets.timer(type);
    if (budget == Budgets::none || execution.world().budgets[budget] > 0) continue;
    const std::string text =
        fmt::format("timer {} of {} is armed but cannot fire: its budget of {} is spent", type.name,
                    execution.name(envelope.receiver), budgets.initial()[budget]);
    if (std::find(held.begin(), held.end(), text) == held.end()) held.push_back(text);
  }
  return held;
}

std::string_view ending_text(Ending ending) {
  switch (ending) {
    case Ending::quiescent:
      return "quiescent";
    case Ending::violated:
      return "violated";
    case Ending::step_bound:
      return "step bound";
    case Ending::interrupted:
      return "interrupted";
    case Ending::blocked:
      return "blocked";
  }
  return "";
}

}  // namespace

std::string message_of(const Event& event, const Execution& execution) {
  for (const Pending& pending : execution.world().pending) {
    if (pending.id == event.id) return message_text(execution, pending.envelope);
  }
  return "";
}

Replay write_down(Execution& execution, Strategy& strategy) {
  Replay replay;
  const bool timed = execution.kernel().blueprint().timed;
  replay.document.timed = timed;
  TimeLog times;
  if (timed) execution.engine().network.time().log(&times);
  Scribe scribe(replay.document, execution);
  strategy.begin({});
  try {
    replay.outcome = execution.run(strategy, Keep{});
  } catch (const Divergence& divergence) {
    replay.diverged_at = divergence.step;
  }
  if (timed) {
    execution.engine().network.time().log(nullptr);
    std::vector<DocumentStep>& written = replay.document.steps;
    const std::vector<std::int64_t> earliest = times.earliest(written.size());
    for (std::size_t i = 0; i < written.size(); ++i) written[i].time_ns = earliest[i];
  }
  for (const ActorId id : execution.actors()) replay.document.actors.push_back(execution.name(id));
  const auto& violation = replay.outcome.violation;
  const bool at_end =
      violation && shows_where(execution.kernel().blueprint(), *violation) == Shows::at_the_end;
  if (!replay.diverged_at && (at_end || replay.outcome.ending == Ending::quiescent))
    replay.document.held = held_timers(execution);
  replay.document.violation = replay.outcome.violation;
  if (replay.outcome.violation && replay.outcome.violation->actor != nobody)
    replay.document.violating_actor = execution.name(replay.outcome.violation->actor);
  replay.document.end = replay.diverged_at ? "diverged" : ending_text(replay.outcome.ending);
  return replay;
}

}  // namespace gainsay
