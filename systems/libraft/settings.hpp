// What differs from run to run: drawn when an execution begins, the same for all servers of it.
#pragma once

#include <cstdint>

namespace libraft {

// How the disk of a server misbehaves against the contract of raft_io; for tests of the contract's monitor.
enum class Backend : std::uint8_t { right, reordered_append, forgotten_vote, lost_write };

// Which defects of libraft the wrapper makes up for, through raft.h alone (repairs.hpp).
struct Repairs {
  bool commits = false;       // a leader commits by counting only entries of its own term
  bool answers = false;       // a follower acknowledges no more than what it was sent
  bool late_answers = false;  // an append that is done in a later term is not acknowledged
  bool transfers = false;     // the request of a transfer lives until its send is done
  bool compacted = false;     // a follower is not given again what its own snapshot has replaced
};

struct Settings {
  std::uint32_t voters = 3;              // servers 1 to n; the others begin with an empty disk
  std::uint32_t election_ticks = 3;      // of a server's clock, at least, until it stands for election
  std::uint32_t snapshot_threshold = 0;  // entries; 0: no snapshots
  std::uint32_t snapshot_trailing = 0;
  bool pre_vote = false;
  bool one_leader = false;     // server 1 is elected and leads for ever
  std::uint32_t requests = 4;  // of clients, at a time; 0: none
  bool barriers = false;
  bool transfers = false;
  bool changes = false;
  bool closes = false;  // servers are shut down in good order, and started again
  bool disk_fails = false;
  bool snapshot_fails = false;
  bool send_fails = false;
  bool no_memory = false;  // now and then an allocation fails
  bool tears = false;      // a crash may leave the first entries of an append on the disk
  bool majority = false;   // strict: what is committed is on the disks of a majority
  bool old_terms = false;  // strict: no entry of an old term is committed by counting
  Backend backend = Backend::right;
  Repairs repairs;
};

}  // namespace libraft
