// What happens to a server besides messages, and what the ledger is told of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "systems/libraft/messages.hpp"
#include "systems/libraft/settings.hpp"

namespace libraft {

// From the cluster, once.
struct Boot {
  Settings settings;
};

// Timers: a tick of the server's own clock, and what devices have done.
struct Tick {};
struct DiskDone {};
struct DiskFails {};
struct SendDone {};
struct SendFails {};
struct SnapshotStored {};
struct SnapshotNotStored {};
struct SnapshotLoaded {};
struct SnapshotNotLoaded {};
// Timers of a leader: a client asks for something, an operator does something.
struct ClientAsks {};
struct LeaderTransfers {};
struct MembersChange {};
// Timers of any server.
struct ShutsDown {};
struct StartsAgain {};
struct RunsOutOfMemory {};

// What the ledger sees of an entry.
struct Mark {
  std::uint64_t term = 0;
  std::uint64_t digest = 0;
};

struct Applied {
  std::uint64_t index = 0;
  std::uint64_t state = 0;  // a hash of it, after the entry
};

// Entries in a row.
struct Marks {
  std::uint64_t first = 0;   // the index of the first one
  std::uint64_t before = 0;  // appended: the term of the entry before it
  std::vector<Mark> marks;
  std::uint64_t term = 0;  // committed: of the server that says so
};

// It leads from now on, with this log.
struct Elected {
  std::uint64_t term = 0;
  Marks log;
};

// What has become of a server since somebody asked.
struct Report {
  std::vector<Elected> elected;
  std::vector<Marks> appended;
  std::vector<Marks> committed;  // what it has come to take for committed
  std::vector<Applied> applied;

  bool empty() const { return elected.empty() && appended.empty() && committed.empty() && applied.empty(); }
  void clear() {
    elected.clear();
    appended.clear();
    committed.clear();
    applied.clear();
  }
};

}  // namespace libraft
