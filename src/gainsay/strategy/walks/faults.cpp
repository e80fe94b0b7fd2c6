#include "gainsay/strategy/walks/faults.hpp"

#include <algorithm>
#include <vector>

namespace gainsay {
namespace {

bool counts(EventKind kind, CrashesAre crashes) {
  return crashes == CrashesAre::faults || !is_crash_or_restart(kind);
}

// An index among the alternatives from the first fault to `end`: kind first, then target; `no_fault`: none is
// there.
std::size_t random_fault(const ChoicePoint& point, std::size_t end, Rng& rng, CrashesAre crashes) {
  std::vector<EventKind> kinds;
  for (std::size_t i = point.ordinary(); i < end; ++i) {
    const EventKind kind = point.kind(i);
    if (counts(kind, crashes) && std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
      kinds.push_back(kind);
  }
  if (kinds.empty()) return no_fault;
  const EventKind kind = kinds[rng.below(kinds.size())];
  std::vector<std::size_t> targets;
  for (std::size_t i = point.ordinary(); i < end; ++i) {
    if (point.kind(i) == kind) targets.push_back(i);
  }
  return targets[rng.below(targets.size())];
}

}  // namespace

std::size_t roll_possible_fault(const ChoicePoint& point, double rate, Rng& rng, CrashesAre crashes) {
  const std::size_t count = point.size();
  if (point.ordinary() > 0) {
    if (rng.unit() >= rate) return no_fault;
    return random_fault(point, count, rng, crashes);
  }
  if (crashes == CrashesAre::events) {
    for (std::size_t i = 0; i < count; ++i) {
      if (is_crash_or_restart(point.kind(i))) return no_fault;
    }
  }
  if (point.kind(count - 1) != EventKind::stop) return random_fault(point, count, rng, crashes);
  return count == 1 || rng.chance(1, 2) ? count - 1 : random_fault(point, count - 1, rng, crashes);
}

}  // namespace gainsay
