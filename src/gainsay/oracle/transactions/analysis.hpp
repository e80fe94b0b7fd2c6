// Analysis: what both kinds of transactions (lists, registers) share while they are checked: who wrote which value,
// which transactions count as committed, and the anomalies found so far.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/oracle/transactions/check.hpp"
#include "gainsay/oracle/transactions/dependency_graph.hpp"
#include "gainsay/oracle/transactions/history.hpp"

namespace gainsay {

struct WriteOf {
  std::uint32_t transaction = 0;
  bool last = true;  // the last one of its transaction to this key: others are intermediate
};

struct CommittedWrite {
  KeyId key = 0;
  std::uint32_t transaction = 0;
  ElementId value = no_element;
};

class Analysis {
 public:
  Analysis(const TransactionHistory& the_history, TransactionModel the_model,
           const TransactionOptions& the_options);

  // Why nothing can be concluded, if so: two writes of one value to one key.
  const std::string& broken_assumption() const { return broken_assumption_; }

  const WriteOf* writer(KeyId key, ElementId value) const;
  // Committed as far as anybody knows: told to the client, or seen by somebody.
  bool committed(std::uint32_t transaction) const { return committed_[transaction]; }
  bool aborted(std::uint32_t transaction) const {
    return history.transactions()[transaction].status == TransactionStatus::aborted;
  }
  // Somebody has read a value of this transaction, so it took place.
  void observed(std::uint32_t transaction) {
    if (!aborted(transaction)) committed_[transaction] = true;
  }
  // By key, then in the order of the history; only the last write of a transaction to a key, if `last_only`.
  std::vector<CommittedWrite> committed_writes(bool last_only) const;

  void found(AnomalyKind kind, std::string what, std::vector<std::uint32_t> transactions,
             DependencyCycle cycle = {});
  void note(std::string text) { report.notes.push_back(std::move(text)); }

  const TransactionHistory& history;
  const TransactionModel model;
  const TransactionOptions& options;
  TransactionReport report;
  DependencyGraph graph;

 private:
  static std::uint64_t place(KeyId key, ElementId value) {
    return static_cast<std::uint64_t>(key) << 32 | value;
  }

  std::vector<bool> committed_;
  boost::unordered_flat_map<std::uint64_t, WriteOf> writers_;
  std::string broken_assumption_;
  std::vector<std::uint32_t> shown_ = std::vector<std::uint32_t>(anomaly_kinds, 0);
};

// Each adds the anomalies that are no cycles, and the dependencies that follow from values.
void analyse_lists(Analysis& analysis);
void analyse_registers(Analysis& analysis);
// Adds the order of processes or of real time among committed transactions.
void add_session_order(Analysis& analysis);
void add_realtime_order(Analysis& analysis);
// The last of `transactions` of each process before the next one, as pairs of indices into `transactions`.
using OrderedPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
OrderedPairs session_pairs(const TransactionHistory& history, const std::vector<std::uint32_t>& transactions);
// Who was complete before who was invoked, without pairs that follow from others.
OrderedPairs realtime_pairs(const TransactionHistory& history,
                            const std::vector<std::uint32_t>& transactions);
// Searches the complete graph.
void find_cycles(Analysis& analysis);

// One line for an edge: "T1 < T2, because ...".
std::string reason(const TransactionHistory& history, TransactionModel model, const DependencyEdge& edge);

}  // namespace gainsay
