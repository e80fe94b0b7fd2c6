// dpor-ds: dynamic partial-order reduction for distributed systems (DPOR-DS), naive and forced.
//
// Where an execution has ended, every pair of steps i < j at one actor with i not in the past of j's message is a
// branch at i. Naive: the first step after i that is j or in the past of j's message. Forced: all of that past, then
// j, then i again, executed in this order before the search is free. The paper has no test for branches that exist, and
// without one it never ends: here a branch is left out if the explored tree below i has its sequence as a path.
// Its happens-before must be read as "in the past of the message": with the order of one process in it, no pair of
// one process would ever be a branch.
//
// Without a bound it is complete in unordered worlds without gates and faults, under same-receiver dependence. With a
// bound on steps (`depth`, as in the paper) it is a heuristic: that no pair is left unreversed on explored executions
// does not mean that all states within the bound were seen.
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>

#include "gainsay/strategy/searches/reduction.hpp"

namespace gainsay {

struct DporDsOptions {
  bool naive = false;
  std::uint32_t depth = 0;
  std::uint64_t first = 0;

  static void describe(Describe<DporDsOptions>& d) {
    d.field(&DporDsOptions::naive, "branch on one event, instead of forcing the whole reversal");
    d.field(&DporDsOptions::depth, "cut executions after so many steps (0: never); then it is a heuristic");
    d.field(&DporDsOptions::first, "draw first choices from this seed (0: the oldest event first)");
  }
};

class DporDs final : public ReducingSearch {
 public:
  explicit DporDs(const DporDsOptions& options);

 protected:
  void at_state(std::size_t state) override;
  void at_end(const RunEnd& end) override;
  std::uint32_t next_branch(std::size_t state) override;
  std::uint32_t first_branch(std::size_t state) override;
  std::string shortcoming() const override;
  std::string statement() const override;

 private:
  using Sequence = std::vector<EventId>;
  struct Tree {
    std::vector<Sequence> forced;  // branches not yet started
    boost::unordered_flat_set<std::uint64_t>
        paths;  // hashes of all sequences explored or to be explored from here
  };
  void reverse(std::size_t i, std::size_t j);
  void note_paths();

  bool naive_;
  std::vector<Tree> trees_;  // by state
  Sequence script_;          // what is still to be executed of a branch, the next event last
  std::size_t branched_at_ = 0;
  bool violated_ = false;  // a violation cut an execution
};

StrategyInfo dpor_ds_strategy();

}  // namespace gainsay
