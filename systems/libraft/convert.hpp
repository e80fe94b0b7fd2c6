// Between the structs of raft.h and values. What is made for libraft is allocated from the heap in use.
#pragma once

#include <string>
#include <vector>

extern "C" {
#include <raft.h>
}

#include "systems/libraft/disk.hpp"
#include "systems/libraft/messages.hpp"

namespace libraft {

// Addresses of servers are their ids, in digits; they live for ever.
const char* address_of(std::uint64_t id);

Entry entry_of(const raft_entry& raw);
std::string servers_of(const raft_configuration& raw);
FsmState state_of(const raft_buffer& raw);
Snapshot snapshot_of(const raft_snapshot& raw);

// An array of entries whose payloads are in one batch, as raft_io::load and received messages have them; null for none.
raft_entry* make_entries(const std::vector<Entry>& entries);
void make_configuration(const std::string& servers, raft_configuration& raw);
raft_buffer make_state(const FsmState& state);
raft_snapshot* make_snapshot(const Snapshot& snapshot);

}  // namespace libraft
