// dpor-ds: dynamic partial-order reduction for distributed systems (DPOR-DS), naive and forced.
//
// Where an execution has ended, every pair of steps i < j at one actor with i not in the past of j's message is a
// branch at i. Naive: the first step after i that is j or in the past of j's message. Forced: all of that past, then
// j, then i again, executed in this order before the search is free. The paper has no test for branches that exist, and
// without one it never ends. Here explored executions are kept as a tree (hashes of its paths), and a branch is left
// out if the tree has its sequence as a path below i: when it is met, and again before it is followed, for it may have
// become one meanwhile. A run that leaves its sequence inside the tree is blocked. So no execution is made twice.
// Its happens-before must be read as "in the past of the message": with the order of one process in it, no pair of
// one process would ever be a branch.
//
// Without a bound it is complete in unordered worlds without gates and faults, under same-receiver dependence. With a
// bound on steps (`depth`, as in the paper) it is a heuristic: that no pair is left unreversed on explored executions
// does not mean that all states within the bound were seen. Memory of the forced form is in proportion to the tree.
//
// Figure 3 of the paper (e1 and e2 can come first, e2 leads to e3, e1 and e3 are dependent): its text says 3 paths for
// naive and 2 for forced. Its pseudo-code gives 3 for both, and so do we: forced goes from [e1 e2 e3] to [e2 e3 e1],
// where e1 follows e3 and could have come first; the sequence [e1 e3] below e2 is no path yet, so [e2 e1 e3] is made.
// That it is of the class of the first execution is what sleep sets know (sdpor: 2) and DPOR-DS does not.
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
  std::optional<std::uint32_t> only_answer(std::size_t state, std::size_t question) const override;
  std::string shortcoming() const override;
  std::string statement() const override;

 private:
  // An event that is to be executed, with the answers that its successors need.
  struct Forced {
    EventId id;
    bool answered = false;  // false: all answers are tried
    std::vector<std::uint32_t> answers;
    std::uint64_t answers_hash = 0;
  };
  using Sequence = std::vector<Forced>;
  struct Tree {
    std::vector<Sequence> forced;                    // branches not yet started
    boost::unordered_flat_set<std::uint64_t> known;  // hashes of all that were ever put into `forced`
    std::uint64_t path = 0;                          // hash of the execution up to this state
    bool again = false;                              // this state was reached before, by the same steps
  };
  void reverse(std::size_t i, std::size_t j);
  Sequence sequence_of(std::size_t i, std::size_t j) const;
  void note_paths();
  // Whether this sequence, its last two events with any answers, was executed from this state.
  bool is_path(std::size_t state, const Sequence& sequence) const;

  bool naive_;
  std::vector<Tree> trees_;  // by state
  Sequence script_;          // what is still to be executed of a branch, the next event last
  Forced current_;           // the event of the script that is being executed
  std::size_t current_state_ = 0;
  boost::unordered_flat_set<std::uint64_t>
      explored_;  // forced only: paths from the first state, and is_path's
  std::size_t branched_at_ = 0;
  bool violated_ = false;  // a violation cut an execution
};

StrategyInfo dpor_ds_strategy();

}  // namespace gainsay
