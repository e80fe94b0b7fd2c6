// Trace: what happened in one execution, step by step, and the verdict on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gainsay/trace/decision.hpp"
#include "gainsay/trace/event.hpp"
#include "gainsay/trace/fairness.hpp"

namespace gainsay {

// `suspected`: a monitor has been hot for very long, which proves nothing.
enum class Verdict : std::uint8_t { ok, violated, unknown, suspected };

constexpr const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "ok";
    case Verdict::violated:
      return "violated";
    case Verdict::suspected:
      return "suspected";
    case Verdict::unknown:
      break;
  }
  return "unknown";
}

// What broke: a property of the scenario, or one of the things that are always wrong. Those are violations of
// properties with reserved names (`violation_name`), so that files and summaries need no other field.
enum class ViolationKind : std::uint8_t {
  property,
  check,              // Context::check
  unhandled_message,  // by its receiver
  exception,          // thrown by code of the scenario
  bad_send,
  bad_transition,  // of a machine
  nondeterminism,  // the same execution, made again, was another one
  fatal_error,     // code of the scenario ended the process, or did not return
};
// The property's name; "" for `ViolationKind::property`, which has names of its own.
std::string_view violation_name(ViolationKind kind);

// What was broken, by whom and when. `property` is the name the summary groups by.
struct Violation {
  std::string property;
  std::string message;
  ActorId actor = nobody;
  std::uint32_t step = no_step;  // the step after which it was noticed; no_step: before the first
  // Liveness. The steps from `loop_from` to `step` can be repeated for ever, which is fair in this sense; or the
  // monitor has been hot since before step `hot_from`, longer than allowed: a suspicion.
  std::uint32_t loop_from = no_step;
  std::uint32_t hot_from = no_step;
  FairnessKind fairness = FairnessKind::weak;

  bool is_suspicion() const { return hot_from != no_step; }

  ViolationKind kind() const;
  bool is_nondeterminism() const { return kind() == ViolationKind::nondeterminism; }

  friend bool operator==(const Violation&, const Violation&) = default;
};

// What happened in one step; decision.hpp has what another execution can follow.
struct Step {
  Event event;
  std::vector<DataChoice> choices;

  friend bool operator==(const Step&, const Step&) = default;
};

struct Trace {
  std::vector<Step> steps;
  std::optional<Violation> violation;

  // The same execution, to be followed.
  std::vector<Decision> decisions() const {
    std::vector<Decision> list;
    for (const Step& step : steps) list.push_back(decision_of(step.event, step.choices));
    return list;
  }

  friend bool operator==(const Trace&, const Trace&) = default;
};

}  // namespace gainsay
