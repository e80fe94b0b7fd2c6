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
  // Faults of one kind stand in a row, mostly in one.
  struct Row {
    EventKind kind;
    std::size_t first;
    std::size_t end;
  };
  std::vector<Row> rows;
  std::vector<EventKind> kinds;
  for (std::size_t i = point.ordinary(); i < end;) {
    const Row row{point.kind(i), i, point.source().kind_end(i, end)};
    i = row.end;
    if (!counts(row.kind, crashes)) continue;
    rows.push_back(row);
    if (std::find(kinds.begin(), kinds.end(), row.kind) == kinds.end()) kinds.push_back(row.kind);
  }
  if (kinds.empty()) return no_fault;
  const EventKind kind = kinds[rng.below(kinds.size())];
  std::erase_if(rows, [&](const Row& row) { return row.kind != kind; });
  std::size_t targets = 0;
  for (const Row& row : rows) targets += row.end - row.first;
  std::size_t target = rng.below(targets);
  for (const Row& row : rows) {
    if (target < row.end - row.first) return row.first + target;
    target -= row.end - row.first;
  }
  GAINSAY_CHECK(false, "a fault of this kind is there");
  return no_fault;
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
