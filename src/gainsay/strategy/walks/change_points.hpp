// What `pct` and `pctcp` share: priority change points, and the lessons that say how large executions are and
// for how many runs the bound holds.
//
// The bound of both (Burckhardt et al. 2010, section 2; Niksic 2019, corollary 6.9) is 1/(chains * n^(d-1)),
// where no execution has more than n steps. n is given or learned: it is the most that was seen before the
// current round of the campaign, and a scout goes before the first. A run that outgrows its n has no change
// points in its last part, and one that drew from a smaller n than the largest execution needs could not hit
// every bug: neither counts.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
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
  std::uint64_t outgrown = 0;    // runs with more events than their n
  std::uint64_t livelocked = 0;  // runs in which the livelock rule fired
  std::uint64_t fair = 0;        // runs that ended with a fair suffix
  std::uint64_t crowded = 0;     // runs in which two events of one chain were enabled at once
  bool timed = false;            // in a world with simulated time
  bool gated = false;            // or with gates
  bool mailbox = true;           // all links keep mailbox order
  std::map<std::uint64_t, std::uint64_t> sound_by_n;  // runs that nothing above spoiled, by their n

  std::unique_ptr<Lessons> clone() const override { return std::make_unique<PriorityLessons>(*this); }
  void merge(const Lessons& later) override;
};

// What one run was like.
struct PriorityRun {
  std::uint64_t n = 0;  // its change points were drawn from [1, n]
  std::uint64_t steps = 0;
  std::uint64_t chains = 0;
  bool livelocked = false;
  bool fair = false;
  bool crowded = false;
};
void add_run(PriorityLessons& lessons, const PriorityRun& run, const WorldTraits& world);

// 1/(chains * n^(d-1)) with what was learned; `given_n` 0: n is the most that was seen. `chain_name`: what the
// chains are, in words.
Guarantee priority_bound(const PriorityLessons& lessons, std::uint64_t depth, std::uint64_t given_n,
                         const std::string& chain_name);

// A campaign of `pct` or `pctcp`: what it has learned, and the change points and the randomness of its current run.
class PriorityCampaign final : public Learner {
 public:
  // `given_n` 0: learned, with a scout before the first run where there are change points.
  PriorityCampaign(std::uint64_t depth, std::uint64_t given_n) : depth_(depth), given_n_(given_n) {}

  bool needs_scout() const { return given_n_ == 0 && depth_ > 1 && !learned_.scouted; }
  void begin(const RunInfo& run);
  // `seen`: steps, chains, livelocked and crowded.
  void end(const RunEnd& end, PriorityRun seen);
  std::unique_ptr<Lessons> take_lessons() override;
  void learn(const Lessons& all) override;
  const PriorityLessons& learned() const { return learned_; }
  Guarantee guarantee(const std::string& chain_name) const {
    return priority_bound(learned_, depth_, given_n_, chain_name);
  }

  Rng& rng() { return rng_; }
  ChangePoints& points() { return points_; }

 private:
  std::uint64_t depth_;
  std::uint64_t given_n_;
  PriorityLessons learned_;  // before this round
  PriorityLessons lessons_;  // since they were taken

  // The current run.
  Rng rng_{0};
  ChangePoints points_;
  WorldTraits world_;
  bool scout_ = false;
  std::uint64_t n_ = 0;
};

// "1,234 of 5,000 runs"
std::string share_of_runs(std::uint64_t part, std::uint64_t all);

}  // namespace gainsay
