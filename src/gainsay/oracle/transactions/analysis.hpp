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
  bool last = true;                 // the last one of its transaction to this key: others are intermediate
  ElementId previous = no_element;  // the one before it of its transaction to this key
};

struct CommittedWrite {
  KeyId key = 0;
  std::uint32_t transaction = 0;
  ElementId value = no_element;
};

// Appends to one key, each by another transaction, that nobody has read: their order is not known.
struct UnseenWrites {
  KeyId key = 0;
  std::vector<DependencyGraph::Writer> writers;  // two or more
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
  std::vector<UnseenWrites> unseen;  // lists only

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
// The last of `transactions` of each process whose end it was told of before the next one, as pairs of indices into
// `transactions`.
using OrderedPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
OrderedPairs session_pairs(const TransactionHistory& history, const std::vector<std::uint32_t>& transactions);
// Who was complete before who was invoked, without pairs that follow from others.
OrderedPairs realtime_pairs(const TransactionHistory& history,
                            const std::vector<std::uint32_t>& transactions);
// Searches the complete graph.
void find_cycles(Analysis& analysis);
// Snapshot isolation forbids that two transactions write one key at once, so it asks for an order of the appends that
// nobody has read: one without a cycle in which no two rw edges are adjacent. Looks for it where find_cycles found
// nothing; a note where it gave up. (Serial orders need no such search: any that fits puts them in order.)
void order_unseen(Analysis& analysis);

// One line for an edge: "T1 < T2, because ...".
std::string reason(const TransactionHistory& history, TransactionModel model, const DependencyEdge& edge);

}  // namespace gainsay
