#include "systems/libraft/repairs.hpp"

#include <algorithm>
#include <utility>

namespace libraft {

CountsNobody::CountsNobody(raft* server, raft_id but) : server_(server) {
  if (server_ == nullptr || server_->state != RAFT_LEADER) {
    server_ = nullptr;
    return;
  }
  progress_ = server_->leader_state.progress;
  for (unsigned i = 0; i < server_->configuration.n; ++i) {
    matched_.push_back(progress_[i].match_index);
    if (server_->configuration.servers[i].id != but) progress_[i].match_index = 0;
  }
}

// Where the members have changed in the meantime, or it leads no more, libraft has made a new row by itself.
CountsNobody::~CountsNobody() {
  if (server_ == nullptr || server_->state != RAFT_LEADER) return;
  if (server_->leader_state.progress != progress_ || server_->configuration.n != matched_.size()) return;
  for (std::size_t i = 0; i < matched_.size(); ++i)
    progress_[i].match_index = std::max(progress_[i].match_index, matched_[i]);
}

AppendEntries without_compacted(AppendEntries message, const raft_log& log) {
  if (message.prev_index >= log.offset) return message;
  // The first entry that is still there is the one before the new ones now.
  const bool empty = log.front == log.back;
  const std::uint64_t first = empty ? log.snapshot.last_index : log.offset + 1;
  const std::uint64_t last = message.prev_index + message.entries.size();
  const std::uint64_t cut = std::min(first, last) - message.prev_index;
  message.entries.erase(message.entries.begin(), message.entries.begin() + static_cast<std::ptrdiff_t>(cut));
  message.prev_index = first;
  message.prev_term = empty ? log.snapshot.last_term : log.entries[log.front].term;
  return message;
}

}  // namespace libraft
