// Checks a history of transactions for anomalies, after Kingsbury and Alvaro, "Elle" (VLDB 2020), with the
// phenomena of Adya's "Weak Consistency" (1999).
//
// Lists that transactions append to show the order of their versions, so from what was read follows who depends on
// whom (sections 3 and 4 of Elle). Registers show less: the initial value comes before all others, a transaction that
// reads a value and writes the same key puts its own directly after it, and, where the level demands it, the order of
// processes or of real time orders versions. Every dependency holds in every serial order, so a cycle proves that
// there is none. For lists the reverse holds, too: without an anomaly there is a serial order, and below that a
// history that snapshot isolation allows; the order of appends that nobody has read is searched for there, and a note
// says so where that was given up. For registers the reverse does not hold, and a note says so.
//
// Assumed, and checked first: no value is written to a key twice. Where that is broken the verdict is unknown.
// Unlike Elle: a value of a register that nobody wrote is taken for its initial value if nothing contradicts that.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gainsay/oracle/transactions/dependency_graph.hpp"
#include "gainsay/oracle/transactions/history.hpp"
#include "gainsay/trace/trace.hpp"

namespace gainsay {

enum class TransactionModel : std::uint8_t { list_append, rw_register };

// What is demanded, from the weakest; what each adds stands in `proscribed`.
enum class IsolationLevel : std::uint8_t {
  read_uncommitted,
  read_committed,
  snapshot_isolation,
  serializable,
  session_serializable,  // and each process sees its transactions in order
  strict_serializable,   // and real time is respected
};

enum class AnomalyKind : std::uint8_t {
  garbage_read,
  duplicate_elements,
  incompatible_order,
  g0,
  g1a,
  g1b,
  g1c,
  dirty_update,
  internal,
  lost_update,
  g_single,
  g_nonadjacent,
  g2,
};
constexpr std::size_t anomaly_kinds = 13;

std::string_view anomaly_name(AnomalyKind kind);         // "G-single"
std::string_view anomaly_description(AnomalyKind kind);  // one sentence
std::string_view isolation_name(IsolationLevel level);   // "snapshot-isolation"
bool proscribed(AnomalyKind kind, IsolationLevel level);

struct Anomaly {
  AnomalyKind kind = AnomalyKind::g0;
  std::string what;                         // in words; of a cycle: which transactions
  std::vector<std::uint32_t> transactions;  // that take part, as numbered in the history, from 0
  DependencyCycle cycle;                    // empty unless it is one
  std::vector<std::string> because;         // a line for each edge of the cycle
};

struct TransactionOptions {
  IsolationLevel level = IsolationLevel::serializable;
  std::size_t shown_max = 8;                    // of each kind; all are counted
  std::uint64_t visits_max = 100'000'000;       // of the search for short cycles
  const std::function<bool()>* stop = nullptr;  // asked now and then
};

struct TransactionReport {
  Verdict verdict = Verdict::unknown;
  std::vector<Anomaly> anomalies;  // by kind, the strongest first
  std::vector<std::uint64_t> counts = std::vector<std::uint64_t>(anomaly_kinds, 0);  // of cycles: components
  std::vector<std::string> notes;  // what was assumed, and what was left out
  std::string unknown_because;
  std::size_t dependencies = 0;
};

TransactionReport check_transactions(const TransactionHistory& history, TransactionModel model,
                                     const TransactionOptions& options = {});

// "G-single-realtime": with what besides values its cycle needs.
std::string anomaly_title(const Anomaly& anomaly);
// "T3": transactions are numbered from 1 for people.
std::string transaction_name(std::uint32_t transaction);
// "[[:append 3 1] [:r 2 [4 8]]]", at most about `width` characters.
std::string transaction_text(const TransactionHistory& history, TransactionModel model,
                             std::uint32_t transaction, std::size_t width = 120);
// What was found, in words, several lines: the anomaly, its transactions, and why each stands before the next.
std::string explanation(const TransactionHistory& history, TransactionModel model, const Anomaly& anomaly);

}  // namespace gainsay
