// Liveness on the whole graph: is there a reachable loop on which a monitor is hot all along and that a fair schedule
// can walk for ever (explorer/fair_loops.hpp)? Without one, in a complete search, every fair execution cools the
// monitor: a proof.
//
// The search keeps the records of hot states; afterwards they are expanded once more, now with their edges. Event
// classes are those of execution/world/world_hash.hpp, so what is found here is what an execution can show.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "gainsay/explorer/expander.hpp"
#include "gainsay/trace/trace.hpp"

namespace gainsay {

struct FoundLoop {
  Violation violation;
  std::vector<Decision> steps;  // the way there, and the loop once
};

class LoopSearch {
 public:
  // `hot`: records of all states in which some monitor is hot, in any order.
  LoopSearch(Shared& shared, std::vector<std::uint32_t> hot, std::uint64_t bytes_max,
             std::function<bool()> stopped);

  // A loop on which this monitor is hot; nothing where there is none, or where the search was cut.
  std::optional<FoundLoop> find(Slot monitor);
  bool out_of_memory() const { return out_of_memory_; }
  bool interrupted() const { return interrupted_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Node {
    std::uint64_t fingerprint;
    const std::uint32_t* words;
  };

  Shared& shared_;
  std::vector<std::uint32_t> hot_;
  std::vector<Node> nodes_;  // by fingerprint
  std::uint64_t bytes_max_;
  std::function<bool()> stopped_;
  std::uint64_t bytes_ = 0;
  bool out_of_memory_ = false;
  bool interrupted_ = false;
};

}  // namespace gainsay
