#include "gainsay/execution/run/document.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "gainsay/strategy/follow/replay.hpp"

namespace gainsay {

std::string describe(const DocumentStep& step) {
  std::string text(kind_name(step.kind));
  if (!step.message.empty()) text += " " + step.message;
  if (!step.from.empty() && step.from != step.to) text += " from " + step.from;
  if (!step.to.empty()) text += (scheduled_as(step.kind) == EventKind::deliver ? " to " : " at ") + step.to;
  return text;
}

std::string describe(const Event& event, const Execution& execution) {
  std::string text(kind_name(event.kind));
  if (const std::string message = message_of(event, execution); !message.empty()) text += " " + message;
  if (event.sender != nobody && event.sender != event.receiver)
    text += " from " + execution.name(event.sender);
  if (event.receiver != nobody)
    text +=
        (scheduled_as(event.kind) == EventKind::deliver ? " to " : " at ") + execution.name(event.receiver);
  return text;
}

std::vector<Decision> decisions_of(const TraceDocument& document, const Blueprint& blueprint) {
  std::map<std::string_view, ActorId> actors;
  for (std::size_t i = 0; i < blueprint.actors.size(); ++i)
    actors.emplace(blueprint.actors[i].name, ActorId{i});
  std::vector<Decision> decisions;
  for (const DocumentStep& step : document.steps) {
    Decision decision;
    decision.kind = step.kind;
    decision.id = step.id;
    if (const auto actor = actors.find(step.to); actor != actors.end()) decision.receiver = actor->second;
    decision.answers = step.choices;
    decisions.push_back(std::move(decision));
  }
  return decisions;
}

ExecutionOptions replay_options(std::size_t steps_max, const std::optional<Violation>& recorded) {
  ExecutionOptions options;
  options.liveness.expected = recorded;
  options.liveness.watch = recorded.has_value();
  options.memo = false;
  options.steps_max = steps_max;
  return options;
}

Shows shows_where(const Blueprint& blueprint, const Violation& violation) {
  if (violation.loop_from != no_step || violation.hot_from != no_step) return Shows::in_a_loop;
  const auto named = [&](const auto& each) { return each.name == violation.property; };
  for (const HistoryProperty& property : blueprint.history_properties) {
    if (!named(property)) continue;
    return property.prefixes == HistoryProperty::Prefixes::closed ? Shows::in_a_prefix : Shows::at_the_end;
  }
  for (const Property& property : blueprint.properties) {
    if (!named(property)) continue;
    const bool at_end = property.kind == Property::Kind::finally || property.is_liveness();
    return at_end ? Shows::at_the_end : Shows::in_a_step;
  }
  const bool hot = std::any_of(blueprint.actors.begin(), blueprint.actors.end(), [&](const ActorPlan& plan) {
    return named(plan) && plan.type->heat != nullptr;
  });
  return hot || violation.property == "deadlock" ? Shows::at_the_end : Shows::in_a_step;
}

namespace {

// One that shows in a prefix ends with the steps.
std::size_t replay_bound(const Blueprint& blueprint, const std::optional<Violation>& violation,
                         std::size_t steps, std::size_t steps_max) {
  const bool ends = violation && shows_where(blueprint, *violation) == Shows::in_a_prefix;
  return ends ? std::max<std::size_t>(steps, 1) : steps_max;
}

}  // namespace

Replay replay_steps(const Blueprint& blueprint, const std::vector<Decision>& steps, std::size_t steps_max,
                    const std::optional<Violation>& recorded) {
  const std::size_t bound = replay_bound(blueprint, recorded, steps.size(), steps_max);
  Execution execution(blueprint, replay_options(bound, recorded));
  ReplayStrategy strategy(steps);
  Replay replay = write_down(execution, strategy);
  if (!replay.diverged_at) return replay;
  std::vector<std::string> enabled;
  for (const Event& event : strategy.enabled_at_divergence()) enabled.push_back(describe(event, execution));
  if (*replay.diverged_at >= steps.size()) {
    replay.divergence = "the recorded execution ends here, but this one continues";
  } else if (enabled.empty()) {
    replay.divergence = "the handler makes different choices than the recorded one";
  } else {
    replay.divergence = "the recorded event is not possible here";
  }
  if (!enabled.empty()) replay.divergence += fmt::format(" (possible: {})", fmt::join(enabled, "; "));
  return replay;
}

namespace {

// Whether two steps agree in all that is not compared elsewhere. Traces of earlier versions have neither labels nor
// what was stored.
bool is_same_otherwise(DocumentStep a, DocumentStep b) {
  if (a.labels.empty() || b.labels.empty()) a.labels = b.labels;
  if (a.disk.empty() || b.disk.empty()) a.disk = b.disk;
  return a == b;
}

}  // namespace

std::optional<DocumentDifference> first_difference(const TraceDocument& recorded,
                                                   const TraceDocument& executed) {
  const std::size_t common = std::min(recorded.steps.size(), executed.steps.size());
  for (std::size_t i = 0; i < common; ++i) {
    const DocumentStep& a = recorded.steps[i];
    const DocumentStep& b = executed.steps[i];
    if (describe(a) != describe(b)) {
      return DocumentDifference{
          i, fmt::format("the trace has '{}', this execution has '{}'", describe(a), describe(b))};
    }
    const auto list = [](const std::vector<std::string>& lines) {
      return lines.empty() ? std::string("nothing") : fmt::format("{}", fmt::join(lines, ", "));
    };
    if (a.changes != b.changes) {
      return DocumentDifference{i, fmt::format("'{}' changed {} in the trace and {} in this execution",
                                               describe(a), list(a.changes), list(b.changes))};
    }
    if (a.sent != b.sent) {
      return DocumentDifference{i, fmt::format("'{}' sent {} in the trace and {} in this execution",
                                               describe(a), list(a.sent), list(b.sent))};
    }
    if (!is_same_otherwise(a, b))
      return DocumentDifference{i, fmt::format("'{}' differs in its cause, time or notes", describe(a))};
  }
  if (recorded.steps.size() != executed.steps.size()) {
    return DocumentDifference{common, fmt::format("the trace has {} steps, this execution has {}",
                                                  recorded.steps.size(), executed.steps.size())};
  }
  const auto verdict = [](const TraceDocument& d) {
    return d.violation ? fmt::format("{}: {}", d.violation->property, d.violation->message) : "no violation";
  };
  if (verdict(recorded) != verdict(executed)) {
    return DocumentDifference{common, fmt::format("the trace ends with '{}', this execution ends with '{}'",
                                                  verdict(recorded), verdict(executed))};
  }
  return std::nullopt;
}

std::optional<Violation> find_nondeterminism(const Blueprint& blueprint, const std::vector<Decision>& steps,
                                             std::size_t steps_max,
                                             const std::optional<Violation>& recorded) {
  // What a second call has shown ended the execution: what would come after it says nothing.
  const bool shown = recorded && recorded->is_nondeterminism();
  if (shown) steps_max = steps.size();
  const Replay first = replay_steps(blueprint, steps, steps_max, recorded);
  const Replay second = replay_steps(blueprint, steps, steps_max, recorded);
  const auto blame = [](std::size_t step, const std::string& what) {
    return Violation{std::string(violation_name(ViolationKind::nondeterminism)),
                     "the same execution, run twice, differs: " + what +
                         "; a handler depends on something outside its fields and its Context (a static or "
                         "global variable, "
                         "the clock, randomness, an address)",
                     nobody, static_cast<std::uint32_t>(step)};
  };
  for (const Replay* replay : {&first, &second}) {
    if (replay->diverged_at) {
      return blame(*replay->diverged_at,
                   fmt::format("step {}: {}{}", *replay->diverged_at + 1, replay->divergence,
                               shown ? "; " + recorded->message : ""));
    }
  }
  if (const auto difference = first_difference(first.document, second.document)) {
    std::string what = difference->what;
    if (difference->step < first.document.steps.size() && difference->step < second.document.steps.size()) {
      const DocumentStep& a = first.document.steps[difference->step];
      const DocumentStep& b = second.document.steps[difference->step];
      for (std::size_t i = 0; i < std::max(a.changes.size(), b.changes.size()); ++i) {
        const std::string left = i < a.changes.size() ? a.changes[i] : "(unchanged)";
        const std::string right = i < b.changes.size() ? b.changes[i] : "(unchanged)";
        if (left != right) {
          what = fmt::format("step {}, actor {}, event {}: field {} in one, {} in the other",
                             difference->step + 1, a.to, describe(a), left, right);
          break;
        }
      }
      if (what == difference->what)
        what = fmt::format("step {}, actor {}: {}", difference->step + 1, a.to, what);
    }
    return blame(difference->step, what);
  }
  return std::nullopt;
}

}  // namespace gainsay
