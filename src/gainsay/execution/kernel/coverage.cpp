#include "gainsay/execution/kernel/coverage.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

MachineCoverage report_of(const MachineType& type, const std::vector<bool>& seen) {
  GAINSAY_CHECK(seen.size() == type.items(), "one mark for each item");
  MachineCoverage out;
  out.machine = type.name;
  const auto count = [&](CoveredItems& items, std::uint32_t item, std::string text) {
    ++items.total;
    if (seen[item]) {
      ++items.seen;
    } else {
      items.never.push_back(std::move(text));
    }
  };
  for (StateIndex state = 0; state < type.states.size(); ++state) {
    if (type.states[state].described) count(out.states, state, std::string(type.states[state].name));
  }
  for (EventIndex event = 0; event < type.events.size(); ++event)
    count(out.events, type.event_item(event), std::string(type.events[event]->name));
  for (std::uint32_t i = 0; i < type.transitions.size(); ++i)
    count(out.transitions, type.first_transition_item() + i, transition_text(type, type.transitions[i]));
  return out;
}

}  // namespace

Coverage& Coverage::operator+=(const Coverage& other) {
  for (const Entry& entry : other.entries_) {
    std::vector<bool>& seen = of(*entry.type);
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = seen[i] || entry.seen[i];
  }
  return *this;
}

std::vector<MachineCoverage> Coverage::report(const Blueprint& blueprint) const {
  Coverage all = *this;
  for (const ActorPlan& actor : blueprint.actors) {
    if (actor.type->machine != nullptr) all.of(*actor.type->machine);
  }
  std::sort(all.entries_.begin(), all.entries_.end(),
            [](const Entry& a, const Entry& b) { return a.type->full_name < b.type->full_name; });
  std::vector<MachineCoverage> reports;
  for (const Entry& entry : all.entries_) {
    if (entry.type->problems.empty()) reports.push_back(report_of(*entry.type, entry.seen));
  }
  return reports;
}

}  // namespace gainsay
