// A server's disk as raft_io wants it: term and vote are durable at once, the log when an operation is done.
//
// Beside the disk there is a second, dumber account of what must be on it (the contract), kept from the operations
// that libraft asked for and was told of. Whoever loads the disk compares the two: a disk that does not keep its
// promises is a mistake of the test and not of libraft. What libraft must not ask for is checked here too.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "systems/libraft/messages.hpp"
#include "systems/libraft/settings.hpp"

namespace libraft {

struct Snapshot {
  std::uint64_t index = 0;
  std::uint64_t term = 0;
  std::string servers;
  std::uint64_t servers_index = 0;
  FsmState state;
};

// Equal for equal entries only, for all that matters here.
std::uint64_t digest(const Entry& entry);

struct DiskOp {
  enum class Kind : std::uint8_t { append, truncate, install };
  Kind kind = Kind::append;
  std::uint64_t number = 0;  // in the order in which they were asked for
  std::vector<Entry> entries;
  std::uint64_t from = 0;  // append: the index of the first entry; truncate: this index and all after it
  Snapshot snapshot;       // install
  // Of libraft, while the server is up.
  std::uint64_t term = 0;  // in which it was asked for
  void* request = nullptr;
  const void* raw = nullptr;
};

class Disk {
 public:
  explicit Disk(Backend backend = Backend::right) : backend_(backend) {}

  // Each gives a complaint, or "": asked by libraft.
  std::string set_term(std::uint64_t term);
  std::string set_vote(std::uint64_t vote);
  std::string ask(DiskOp& op);  // an operation goes into the queue; numbers it
  // It is done, whether or not libraft is told.
  std::string done(const DiskOp& op);
  // It failed: nothing of it is there. From now on to the next start libraft may think that entries are where they are
  // not, so their places are not compared.
  void failed(const DiskOp& op);
  // Only the first entries of an append are there; libraft was not told.
  std::string torn(const DiskOp& op, std::size_t entries);
  void take_snapshot(const Snapshot& snapshot, std::uint64_t trailing);
  // The machine went down: what is in no queue any more will never be done.
  void crashed();
  // What libraft loads, after it was compared with the contract.
  std::string check() const;

  std::uint64_t term() const { return term_; }
  std::uint64_t vote() const { return vote_; }
  std::uint64_t first() const { return first_; }
  std::uint64_t last() const { return first_ + log_.size() - 1; }
  const std::vector<Entry>& log() const { return log_; }
  const std::optional<Snapshot>& snapshot() const { return snapshot_; }
  bool empty() const { return term_ == 0 && log_.empty() && !snapshot_; }
  // Whether the entry is there, or in the snapshot.
  bool holds(std::uint64_t index, std::uint64_t term) const;
  // The index after the last entry, when all operations in the queue are done.
  std::uint64_t next_asked() const { return next_asked_; }
  std::string text() const;

 private:
  struct Contract {
    std::uint64_t term = 0;
    std::uint64_t vote = 0;
    std::map<std::uint64_t, std::uint64_t> log;  // digests by index
    std::uint64_t next = 1;                      // index of the entry that is stored next
    std::uint64_t next_number = 0;               // of the operation that must be done next
  };

  void write(const DiskOp& op);
  std::string promise(const DiskOp& op);

  Backend backend_;
  std::uint64_t term_ = 0;
  std::uint64_t vote_ = 0;
  std::uint64_t first_ = 1;
  std::vector<Entry> log_;
  std::optional<Snapshot> snapshot_;
  std::uint64_t numbers_ = 0;
  std::uint64_t next_asked_ = 1;
  bool failed_ = false;       // an append failed since the server started
  std::vector<DiskOp> held_;  // Backend::reordered_append: written after the next one
  std::size_t unsynced_ = 0;  // Backend::lost_write: entries at the end that a crash takes
  Contract contract_;
};

}  // namespace libraft
