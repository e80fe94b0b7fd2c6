#include "systems/libraft/ledger.hpp"

namespace libraft {
namespace {

std::string named(std::uint32_t id) { return "server " + std::to_string(id); }

template <class T> T& at(std::vector<T>& row, std::uint64_t index) {
  if (index >= row.size()) row.resize(index + 1);
  return row[index];
}

bool same(const Mark& a, const Mark& b) { return a.term == b.term && a.digest == b.digest; }

}  // namespace

const char* name_of(Safety property) {
  static constexpr std::array<const char*, safety_properties> names{
      "election safety", "log matching", "leader completeness", "commit safety", "state machine safety"};
  return names[static_cast<std::size_t>(property)];
}

void Ledger::blame(Safety property, std::string text) {
  std::string& complaint = complaints_[static_cast<std::size_t>(property)];
  if (complaint.empty()) complaint = std::move(text);
}

void Ledger::elected(std::uint32_t server, const Elected& report) {
  const auto [where, first] = leaders_.emplace(report.term, server);
  if (!first && where->second != server)
    blame(Safety::election, named(where->second) + " and " + named(server) + " both lead in term " +
                                std::to_string(report.term));
  for (std::uint64_t index = report.log.first; index < committed_.size(); ++index) {
    if (committed_[index].in_term == 0 || committed_[index].in_term >= report.term) continue;
    const std::uint64_t place = index - report.log.first;
    if (place < report.log.marks.size() && same(report.log.marks[place], committed_[index].mark)) continue;
    blame(Safety::leader_completeness, named(server) + " leads in term " + std::to_string(report.term) +
                                           " without the committed entry " + std::to_string(index));
    return;
  }
}

void Ledger::appended(std::uint32_t server, const Marks& entries) {
  std::uint64_t before = entries.before;
  std::uint64_t index = entries.first;
  for (const Mark& mark : entries.marks) {
    const auto [where, fresh] = entries_.emplace(std::pair(index, mark.term), Known{mark, before});
    if (!fresh && (!same(where->second.mark, mark) || where->second.before != before))
      blame(Safety::log_matching, named(server) + " appends another entry " + std::to_string(index) +
                                      " of term " + std::to_string(mark.term) + " than there was before");
    before = mark.term;
    ++index;
  }
}

void Ledger::committed(std::uint32_t server, const Marks& entries) {
  std::uint64_t index = entries.first;
  for (const Mark& mark : entries.marks) {
    Committed& known = at(committed_, index);
    if (known.in_term == 0) known = {mark, entries.term};
    if (!same(known.mark, mark))
      blame(Safety::commit, named(server) + " takes another entry " + std::to_string(index) +
                                " for committed than was committed before");
    ++index;
  }
}

void Ledger::add(std::uint32_t server, const Report& report) {
  for (const Elected& each : report.elected) elected(server, each);
  for (const Marks& each : report.appended) appended(server, each);
  for (const Marks& each : report.committed) committed(server, each);
  for (const Applied& each : report.applied) {
    std::uint64_t& known = at(states_, each.index);
    if (known == 0) known = each.state;
    if (known != each.state)
      blame(Safety::state_machine,
            named(server) + " is in another state after entry " + std::to_string(each.index));
  }
}

}  // namespace libraft
