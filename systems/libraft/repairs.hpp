// What the wrapper does in place of a repaired libraft. The library itself stays as Debian ships it: a repair changes
// what reaches it or what it says, or hides from it what it would draw the wrong conclusion from. So a repair shows
// that a finding has the cause that is named, and that the rest of the harness raises no false alarm.
#pragma once

#include <vector>

extern "C" {
#include <raft.h>
}

#include "systems/libraft/messages.hpp"

namespace libraft {

// While it lives, libraft takes no server but one for having stored anything, so that it commits nothing by counting.
// A leader that has entries of earlier terms at its end must not (Raft paper, figure 8). REQUIRES: outlives the call.
class CountsNobody {
 public:
  CountsNobody(raft* server, raft_id but);
  ~CountsNobody();
  CountsNobody(const CountsNobody&) = delete;
  CountsNobody& operator=(const CountsNobody&) = delete;

 private:
  raft* server_;  // null: there is nothing to hide
  raft_progress* progress_ = nullptr;
  std::vector<raft_index> matched_;
};

// Without the entries that the receiver's own snapshot has replaced: they are committed, so they are the same.
AppendEntries without_compacted(AppendEntries message, const raft_log& log);

}  // namespace libraft
