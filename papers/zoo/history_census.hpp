// HistoryCensus: what the histories of many executions amount to, counted as in the tables of DS2
// (Al-Mahfoudh, Stutsman, Gopalakrishnan: "Efficient linearizability checking for actor-based systems", arXiv
// 2110.06407, appendix).
//
// A history is the sequence of invocations and responses of one execution. Two are the same if they agree entry by
// entry in kind, process, actor, arguments and value; each different one is judged once. Two histories are in one
// *precedence class* if their operations have the same results and the same order of "answered before begun": that
// is all that linearizability depends on, so a search that is sound for it meets every such class.
//
// Unlike the paper, incomplete histories are judged as well: what was never answered may have happened or not.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "gainsay/scenario/blueprint.hpp"

namespace gainsay {

class HistoryCensus {
 public:
  // Judges by the blueprint's history properties, which must outlive this.
  explicit HistoryCensus(const Blueprint& blueprint) : blueprint_(blueprint) {}

  // Adds the history of one execution; true if it is wrong.
  bool add(std::span<const HistoryEntry> history, const WorldReader& world);

  std::uint64_t histories() const { return histories_; }
  // Those in which some operation was never answered.
  std::uint64_t incomplete() const { return incomplete_; }
  std::uint64_t unique() const { return wrong_.size(); }
  // Different histories that no order of the operations explains.
  std::uint64_t wrong() const { return wrong_count_; }
  // Executions whose history is one of these.
  std::uint64_t wrong_executions() const { return wrong_executions_; }
  // How many different histories came before the first wrong one, and how many executions.
  std::optional<std::uint64_t> unique_before_wrong() const { return unique_before_wrong_; }
  std::optional<std::uint64_t> executions_before_wrong() const { return executions_before_wrong_; }
  // By their hashes, so that two censuses can be compared.
  const std::set<std::uint64_t>& precedence_classes() const { return precedence_classes_; }
  const std::set<std::uint64_t>& wrong_precedence_classes() const { return wrong_precedence_classes_; }
  // Time spent on judging.
  double judging_s() const { return judging_s_; }

 private:
  bool judge(std::span<const HistoryEntry> history, const WorldReader& world);

  const Blueprint& blueprint_;
  std::map<std::uint64_t, bool> wrong_;  // by hash of the history
  std::set<std::uint64_t> precedence_classes_;
  std::set<std::uint64_t> wrong_precedence_classes_;
  std::uint64_t histories_ = 0;
  std::uint64_t incomplete_ = 0;
  std::uint64_t wrong_count_ = 0;
  std::uint64_t wrong_executions_ = 0;
  std::optional<std::uint64_t> unique_before_wrong_;
  std::optional<std::uint64_t> executions_before_wrong_;
  double judging_s_ = 0;
};

// The precedence class of a history, as a hash of (operation and result of each process, who was answered before who
// began).
std::uint64_t precedence_class(std::span<const HistoryEntry> history);

}  // namespace gainsay
