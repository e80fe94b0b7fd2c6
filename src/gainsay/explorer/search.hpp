// Search: the states of one world, breadth first, level by level and segment by segment.
//
// Between two segments no worker runs: there the table grows, the frontier goes to disk, limits are looked at and
// checkpoints are written. A search that was stopped anywhere, or whose process died, goes on from a checkpoint with
// the result of one that was never interrupted: the table, the frontier and all counts are in it, and how the kernel
// came to its ids (execution/kernel/derivation.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gainsay/base/budget.hpp"
#include "gainsay/base/facts.hpp"
#include "gainsay/explorer/checkpoint_file.hpp"
#include "gainsay/explorer/expander.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/explorer/liveness.hpp"
#include "gainsay/explorer/parts.hpp"

namespace gainsay {

// Why states were left out, as the result says it. The first three are those of every Budget.
enum class Left : std::uint8_t { nothing, interrupted, time, memory, states, depth, violation, bits };

class Search {
 public:
  // `facts` says of which search a checkpoint is.
  Search(const Blueprint& blueprint, const ExploreOptions& options, const Facts& facts,
         Kernel::Origin origin);

  // Takes the place of a search that was interrupted. REQUIRES: nothing has been done yet; the origin has been read.
  void go_on_from(CheckpointReader& in);
  void run();

  // Whether a handler asked for the time although it had been forgotten when the execution began.
  bool needs_origin() const {
    return shared_.kernel.clock_read() && shared_.kernel.origin() == Kernel::Origin::forgotten;
  }

  void fill(ExploreResult& result);
  // Looks for loops that violate liveness.
  void search_loops();
  const std::vector<FoundLoop>& loops() const { return loops_; }
  bool notified(std::size_t monitor) const;
  bool worth_searching_loops() const {
    return left_ != Left::interrupted && left_ != Left::time && (sightings_.empty() || options_.keep_going);
  }

  const Sightings& sightings() const { return sightings_; }
  Shared& shared() { return shared_; }
  bool reached(std::size_t property) const;

 private:
  unsigned workers() const { return static_cast<unsigned>(expanders_.size()); }
  void begin();
  bool begin_level();
  void end_level();
  std::vector<LevelCount> levels_so_far() const;
  void expand_level();
  std::uint64_t expected_additions(std::uint64_t pending) const;
  bool make_room(std::uint64_t additions);
  void expand_segment(std::vector<Block>& blocks);
  void put_back(const std::vector<Part>& left, std::vector<Block>& blocks);
  void collect();
  std::uint64_t hot_bytes() const;
  std::uint64_t symmetry_bytes() const;
  std::uint64_t transitions() const;
  std::uint64_t end_states() const;
  std::set<std::string> asymmetric() const;
  void note_progress();
  void fill_symmetry(ExploreResult& result) const;

  void keep_checkpoint();
  void write(CheckpointWriter& out) const;
  void write_counts(CheckpointWriter& out) const;
  void write_table(CheckpointWriter& out) const;
  void write_frontier(CheckpointWriter& out, const Frontier& frontier) const;
  void write_hot(CheckpointWriter& out) const;
  void read_kernel(CheckpointReader& in);
  void read_counts(CheckpointReader& in);
  void read_table(CheckpointReader& in);
  void read_frontier(CheckpointReader& in, Frontier& frontier);
  void read_hot(CheckpointReader& in);

  const ExploreOptions& options_;
  const Facts facts_;
  const Budget budget_;
  Derivations derivations_;  // empty where no checkpoint is asked for
  Shared shared_;
  std::vector<std::unique_ptr<Expander>> expanders_;
  Frontier frontier_;  // of the level that is being expanded
  Frontier next_;
  bool begun_ = false;
  bool in_level_ = false;    // the level is not expanded to its end
  LevelCount before_level_;  // states and transitions when it began
  std::uint64_t depth_ = 0;
  std::vector<LevelCount> levels_;
  std::uint16_t level_ = 0;
  std::uint64_t most_bytes_ = 0;
  double new_per_pending_ = 1;  // states that the last segment added for each pending event
  Left left_ = Left::nothing;
  std::vector<FoundLoop> loops_;
  std::vector<std::string> live_;  // conditions that no loop violates
  Sightings sightings_;
  std::map<std::string, std::uint64_t> sighting_depth_;
  double next_checkpoint_s_ = 0;
  std::string checkpoint_error_;
};

}  // namespace gainsay
