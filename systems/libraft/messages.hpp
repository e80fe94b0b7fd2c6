// What libraft servers say to each other, as values: raft.h has pointers, a message of Gainsay has none.
//
// One type for each kind of RPC, so that traces are readable and faults and weights can tell them apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace libraft {

enum class EntryKind : std::uint8_t { none, command, barrier, change };

// A client's command: its amount is added to the counter; the id is there to tell commands apart.
struct Command {
  std::int64_t amount = 0;
  std::int64_t id = 0;
};

struct Entry {
  std::uint64_t term = 0;
  EntryKind kind = EntryKind::none;
  Command command;
  std::string servers;  // of a configuration: "1v 2v 3s" (voter, standby, spare)
};

struct AppendEntries {
  std::uint64_t term = 0;
  std::uint64_t prev_index = 0;
  std::uint64_t prev_term = 0;
  std::uint64_t commit = 0;
  std::vector<Entry> entries;
};
struct AppendResult {
  std::uint64_t term = 0;
  std::uint64_t rejected = 0;
  std::uint64_t last_index = 0;
};
struct RequestVote {
  std::uint64_t term = 0;
  std::uint64_t last_index = 0;
  std::uint64_t last_term = 0;
  bool disrupt_leader = false;
  bool pre_vote = false;
};
struct VoteResult {
  std::uint64_t term = 0;
  bool granted = false;
  std::uint8_t pre_vote = 0;
};
// The counter and a hash of all commands that made it.
struct FsmState {
  std::int64_t sum = 0;
  std::uint64_t past = 0;
};
struct InstallSnapshot {
  std::uint64_t term = 0;
  std::uint64_t last_index = 0;
  std::uint64_t last_term = 0;
  std::string servers;
  std::uint64_t servers_index = 0;
  FsmState state;
};
struct TimeoutNow {
  std::uint64_t term = 0;
  std::uint64_t last_index = 0;
  std::uint64_t last_term = 0;
};

}  // namespace libraft
