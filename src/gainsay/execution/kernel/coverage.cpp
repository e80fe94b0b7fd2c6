#include "gainsay/execution/kernel/coverage.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

MachineCoverage report_of(const MachineType& type, const std::vector<std::uint8_t>& seen) {
  GAINSAY_CHECK(seen.size() == type.items(), "one mark for each item");
  MachineCoverage out;
  out.machine = type.name;
  const auto count = [&](CoveredItems& items, std::uint32_t item, std::string text) {
    ++items.total;
    if (seen[item] != 0) {
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

void Coverage::save(ByteWriter& out) const {
  out.number(entries_.size());
  for (const Entry& entry : entries_) {
    out.text(entry.type->full_name);
    out.bits({entry.seen.begin(), entry.seen.end()});
  }
}

void Coverage::load(ByteReader& in) {
  for (std::size_t left = in.count(); left > 0; --left) {
    const std::string name = in.text();
    const std::vector<bool> seen = in.bits();
    loaded_[name].assign(seen.begin(), seen.end());
  }
}

void Coverage::find(const MachineType& type) {
  last_type_ = &type;
  last_ = 0;
  while (last_ < entries_.size() && entries_[last_].type != &type) ++last_;
  if (last_ == entries_.size()) {
    entries_.push_back({&type, std::vector<std::uint8_t>(type.items(), 0)});
    if (!loaded_.empty()) adopt_loaded(entries_.back());
  }
  last_marks_ = entries_[last_].seen.data();
}

void Coverage::adopt_loaded(Entry& entry) {
  const auto found = loaded_.find(entry.type->full_name);
  if (found == loaded_.end()) return;
  if (found->second.size() == entry.seen.size()) entry.seen = found->second;
  loaded_.erase(found);
}

Coverage& Coverage::operator+=(const Coverage& other) {
  for (const auto& [name, seen] : other.loaded_) {
    const auto known = std::find_if(entries_.begin(), entries_.end(), [&, &n = name](const Entry& entry) {
      return entry.type->full_name == n;
    });
    std::vector<std::uint8_t>& all = known == entries_.end() ? loaded_[name] : known->seen;
    if (all.size() < seen.size() && known == entries_.end()) all.resize(seen.size(), 0);
    for (std::size_t i = 0; i < std::min(all.size(), seen.size()); ++i) all[i] |= seen[i];
  }
  for (const Entry& entry : other.entries_) {
    std::vector<std::uint8_t>& seen = of(*entry.type);
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i] |= entry.seen[i];
  }
  return *this;
}

std::vector<MachineCoverage> Coverage::report(const Blueprint& blueprint) const {
  Coverage all = *this;
  for (const ActorPlan& actor : blueprint.actors) {
    if (actor.type->machine != nullptr) all.of(*actor.type->machine);
  }
  all.last_type_ = nullptr;  // it will stand elsewhere
  std::sort(all.entries_.begin(), all.entries_.end(),
            [](const Entry& a, const Entry& b) { return a.type->full_name < b.type->full_name; });
  std::vector<MachineCoverage> reports;
  for (const Entry& entry : all.entries_) {
    if (entry.type->problems.empty()) reports.push_back(report_of(*entry.type, entry.seen));
  }
  return reports;
}

}  // namespace gainsay
