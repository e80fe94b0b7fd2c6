// FairnessKind: which endless executions count against liveness. Said on the command line, printed in every summary and
// kept in traces of loops that need another kind than the first.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gainsay {

enum class FairnessKind : std::uint8_t {
  weak,    // an event that stays possible is executed
  actor,   // an actor that can do something again and again does something, whatever it is; this is P#'s
  strong,  // an event that is possible again and again is executed
};

constexpr const char* fairness_name(FairnessKind kind) {
  switch (kind) {
    case FairnessKind::weak:
      return "weak";
    case FairnessKind::actor:
      return "actor";
    case FairnessKind::strong:
      break;
  }
  return "strong";
}

constexpr std::optional<FairnessKind> fairness_of(std::string_view name) {
  for (const FairnessKind kind : {FairnessKind::weak, FairnessKind::actor, FairnessKind::strong}) {
    if (name == fairness_name(kind)) return kind;
  }
  return std::nullopt;
}

}  // namespace gainsay
