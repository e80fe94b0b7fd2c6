// What `pct` and `pctcp` share: priority change points, and the lessons that say how large executions are and
// for how many runs the bound holds.
//
// The bound of both (Burckhardt et al. 2010, section 2; Niksic 2019, corollary 6.9) is 1/(chains * n^(d-1)),
// where no execution has more than n steps. n is given or learned: it is the most that was seen before the
// current round of the campaign, and a scout goes before the first. A run that outgrows its n has no change
// points in its last part, and one that drew from a smaller n than the largest execution needs could not hit
// every bug: neither counts.
//
// What else a run draws is in the bound, or the bound is under a condition that is named. Faults that are drawn apart
// from the schedule, each step with a fixed probability f, where k steps of a run have the choice: a bug that needs
// none is hit with (1 - f)^k of the bound, and with half of that if it shows only where a run stops while a fault
// could go on. Data choices are uniform: a bug that needs one of k answers is hit with 1/k of the bound, so the bound
// is about bugs that need none. Crashes of pctcp share a budget: one that the bug does not need may take the place of
// one that it does. And an event must have the same chain in every schedule.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/learner.hpp"
#include "gainsay/strategy/run.hpp"

namespace gainsay {

// `count` different numbers of [1, n], every tuple as likely as every other; all of them if there are fewer.
// Entry i is where priority i + 1 is given.
std::vector<std::uint64_t> draw_change_points(std::uint64_t count, std::uint64_t n, Rng& rng);

// Change points, met in increasing order.
class ChangePoints {
 public:
  void draw(std::uint64_t count, std::uint64_t n, Rng& rng);
  // Entry i is where priority i + 1 is given. REQUIRES: different numbers.
  void set(const std::vector<std::uint64_t>& places);
  // The priority given at step `at` (from 1), 0 for none. REQUIRES: called with 1, 2, 3, ...
  std::uint64_t priority_at(std::uint64_t at) {
    return next_ < points_.size() && points_[next_].first == at ? points_[next_++].second : 0;
  }

 private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> points_;  // (where, priority), increasing
  std::size_t next_ = 0;
};

struct PriorityLessons final : Lessons {
  bool scouted = false;
  std::uint64_t runs = 0;
  std::uint64_t steps_max = 0;   // most events of a run
  std::uint64_t chains_max = 0;  // most chains of a run
  std::uint64_t chains_sum = 0;
  std::uint64_t outgrown = 0;          // runs with more events than their n
  std::uint64_t livelocked = 0;        // runs in which the livelock rule fired
  std::uint64_t fair = 0;              // runs that ended with a fair suffix
  std::uint64_t crowded = 0;           // runs in which two events of one chain were enabled at once
  bool timed = false;                  // in a world with simulated time
  bool queues = false;                 // in a world with queue order
  bool gated = false;                  // or with gates
  bool mailbox = true;                 // all links keep mailbox order
  bool asked = false;                  // some handler asked for a data choice
  bool tasks = false;                  // some chain was that of a task
  bool crashes = false;                // crashes are events, with a budget
  bool branched = false;               // some step caused several events, so that all but one began chains
  double fault_rate = 0;               // of faults that are drawn; 0: there are none
  std::uint64_t fault_points_max = 0;  // steps of a run at which one might have been
  bool stop_drawn = false;             // a run might have gone on with one where it stopped
  std::uint64_t scouted_chains = 0;    // most chains of a scout
  // Of an exhaustive campaign: indices done, by events and chains that they were made for.
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> indices_done;
  std::map<std::uint64_t, std::uint64_t> sound_by_n;  // runs that nothing above spoiled, by their n

  std::unique_ptr<Lessons> clone() const override { return std::make_unique<PriorityLessons>(*this); }
  void merge(const Lessons& later) override;
  bool save(ByteWriter& out) const override;
  bool load(ByteReader& in) override;
};

// What one run was like.
struct PriorityRun {
  std::uint64_t n = 0;  // its change points were drawn from [1, n]
  std::uint64_t steps = 0;
  std::uint64_t chains = 0;
  bool livelocked = false;
  bool fair = false;
  bool crowded = false;
  bool asked = false;
  bool tasks = false;
  bool branched = false;
  bool crashes = false;
  double fault_rate = 0;  // 0: no fault is drawn
  std::uint64_t fault_points = 0;
  bool stop_drawn = false;
  std::uint64_t index_chains = 0;  // of an exhaustive campaign: the chains its index was made for; 0: none
};
void add_run(PriorityLessons& lessons, const PriorityRun& run, const WorldTraits& world);

// 1/(chains * n^(d-1)) with what was learned; `given_n` 0: n is the most that was seen. `chain_name`: what the
// chains are, in words.
Guarantee priority_bound(const PriorityLessons& lessons, std::uint64_t depth, std::uint64_t given_n,
                         const std::string& chain_name);

// What every bound of this kind takes for granted of a scenario in which such things happen; one sentence each.
std::string_view assumes_no_answers();
std::string_view assumes_no_drawn_faults();
std::string_view assumes_no_other_crashes();
std::string_view assumes_fixed_chains();

// Schedule indices of `chains` chains and depth d: a chain, and d - 1 different numbers of [1, n]. At most 2^64 - 1.
std::uint64_t count_indices(std::uint64_t chains, std::uint64_t n, std::uint64_t depth);

// A campaign of `pct` or `pctcp`: what it has learned, and the change points and the randomness of its current run.
class PriorityCampaign final : public Learner {
 public:
  // `given_n` 0: learned, with a scout before the first run where there are change points.
  PriorityCampaign(std::uint64_t depth, std::uint64_t given_n) : depth_(depth), given_n_(given_n) {}

  bool needs_scout() const { return !learned_.scouted && (exhaustive_ || (given_n_ == 0 && depth_ > 1)); }
  // All schedule indices, one run each, instead of random ones. The whole again where an execution turns out larger.
  void exhaust() { exhaustive_ = true; }
  bool exhaustive() const { return exhaustive_; }
  // Of an exhaustive campaign: whether the current run has an index, and the chain that it puts below all others.
  bool has_index() const { return exhaustive_ && !scout_; }
  std::uint64_t lowest_chain() const { return lowest_chain_; }
  const WorldTraits& world() const { return world_; }
  // False: all indices are done.
  bool begin(const RunInfo& run);
  // `seen`: steps, chains, livelocked and crowded.
  void end(const RunEnd& end, PriorityRun seen);
  std::unique_ptr<Lessons> take_lessons() override;
  void learn(const Lessons& all) override;
  const PriorityLessons& learned() const { return learned_; }
  Guarantee guarantee(const std::string& chain_name) const {
    return exhaustive_ ? index_guarantee() : priority_bound(learned_, depth_, given_n_, chain_name);
  }

  Rng& rng() { return rng_; }
  ChangePoints& points() { return points_; }

 private:
  bool next_index();
  Guarantee index_guarantee() const;

  std::uint64_t depth_;
  std::uint64_t given_n_;
  bool exhaustive_ = false;
  PriorityLessons learned_;  // before this round
  PriorityLessons lessons_;  // since they were taken

  // The current run.
  Rng rng_{0};
  ChangePoints points_;
  WorldTraits world_;
  bool scout_ = false;
  std::uint64_t n_ = 0;

  // Exhaustive: what the indices are made for, and the next one.
  std::uint64_t n_of_indices_ = 0;
  std::uint64_t index_chains_ = 0;
  std::uint64_t next_index_ = 0;
  std::uint64_t lowest_chain_ = 0;
};

// "1,234 of 5,000 runs"
std::string share_of_runs(std::uint64_t part, std::uint64_t all);

}  // namespace gainsay
