// Ledger: judges Raft's safety properties from what the servers report of themselves.
//
// Election safety: one leader in a term. Log matching: entries of the same index and term are the same and follow
// entries of the same term (by induction their logs are equal up to there). Commit safety: nobody ever takes two
// different entries for committed at one index. Leader completeness: a leader has all that was committed in earlier
// terms; one that is elected late, in a term that others have left, need not. State machine safety: after the same
// index all servers are in the same state.
//
// There is one for each execution. Reports are many, so it is no monitor that is notified by messages: the properties
// ask the servers themselves, after every step.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "systems/libraft/events.hpp"

namespace libraft {

enum class Safety : std::uint8_t { election, log_matching, leader_completeness, commit, state_machine };
inline constexpr std::size_t safety_properties = 5;
const char* name_of(Safety property);

class Ledger {
 public:
  void add(std::uint32_t server, const Report& report);
  // What is wrong, "" for nothing.
  const std::string& complaint(Safety property) const {
    return complaints_[static_cast<std::size_t>(property)];
  }

 private:
  struct Known {
    Mark mark;
    std::uint64_t before = 0;  // the term of the entry before it
  };

  void blame(Safety property, std::string text);
  void elected(std::uint32_t server, const Elected& report);
  void appended(std::uint32_t server, const Marks& entries);
  void committed(std::uint32_t server, const Marks& entries);

  std::map<std::uint64_t, std::uint32_t> leaders_;                    // by term
  std::map<std::pair<std::uint64_t, std::uint64_t>, Known> entries_;  // by index and term
  struct Committed {
    Mark mark;
    std::uint64_t in_term = 0;  // of the first server that took it for committed; 0: not known
  };
  std::vector<Committed> committed_;   // by index
  std::vector<std::uint64_t> states_;  // by index, after it; 0: not known
  std::array<std::string, safety_properties> complaints_;
};

}  // namespace libraft
