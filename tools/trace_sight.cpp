#include "tools/trace_sight.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/adapter/recorded_world.hpp"
#include "gainsay/execution/run/document.hpp"
#include "gainsay/strategy/follow/replay.hpp"
#include "tools/onlooker.hpp"

namespace gainsay::tools {

void find_judged(const Blueprint& blueprint, const TraceDocument& document, TraceSight& sight) {
  if (!document.violation) return;
  sight.local = document.violation->kind() != ViolationKind::property;
  for (const Property& property : blueprint.properties) {
    if (property.name != document.violation->property) continue;
    for (const ActorId actor : property.scope) {
      if (actor.raw < blueprint.actors.size()) sight.judged.push_back(blueprint.actors[actor.raw].name);
    }
    sight.local = property.kind == Property::Kind::always && !property.is_global();
  }
}

SightOrReason look_again(const Blueprint& blueprint, const TraceDocument& document) {
  const std::size_t steps_max = std::max<std::size_t>(document.steps_max, document.steps.size());
  Execution execution(blueprint, replay_options(steps_max, document.violation));
  TraceSight sight;
  ReplayStrategy recorded(decisions_of(document, blueprint));
  Onlooker onlooker(execution, recorded, sight);
  const Replay replay = write_down(execution, onlooker);
  // A trace that ends before the execution does is shown as far as it goes.
  const std::size_t followed = replay.document.steps.size();
  if (followed < document.steps.size())
    return {std::nullopt, fmt::format("this program behaves differently from step {} on", followed + 1)};
  const bool same =
      std::equal(document.steps.begin(), document.steps.end(), replay.document.steps.begin(),
                 [](const DocumentStep& a, const DocumentStep& b) {
                   return a.id == b.id && a.kind == b.kind && a.to == b.to && a.message == b.message;
                 });
  if (!same || followed > document.steps.size())
    return {std::nullopt, "this program behaves differently in these steps"};
  onlooker.finish();
  find_judged(blueprint, document, sight);
  return {std::move(sight), ""};
}

SeenTrace seen_trace(const std::string& file, const TraceDocument& document) {
  SeenTrace seen{document, file, std::nullopt, {}};
  SightOrReason looked;
  try {
    looked = look_again(recorded_world(file, document), document);
  } catch (const UserError& error) {
    looked.reason = error.what();
  }
  seen.sight = std::move(looked.sight);
  if (!seen.sight)
    seen.notes.push_back(
        fmt::format("States are missing, because only the trace file could be used: {}.", looked.reason));
  return seen;
}

}  // namespace gainsay::tools
