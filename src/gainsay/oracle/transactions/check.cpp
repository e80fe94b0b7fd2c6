#include "gainsay/oracle/transactions/check.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/oracle/transactions/analysis.hpp"

namespace gainsay {
namespace {

struct KindInfo {
  std::string_view name;
  std::string_view description;
  IsolationLevel from;  // the weakest level that forbids it
};

constexpr std::array<KindInfo, anomaly_kinds> kinds = {{
    {"garbage-read", "a value was read that nobody wrote", IsolationLevel::read_uncommitted},
    {"duplicate-elements", "an element is in a list twice", IsolationLevel::read_uncommitted},
    {"incompatible-order", "two reads of one list cannot both be right", IsolationLevel::read_uncommitted},
    {"G0", "writes of transactions are interleaved: a cycle of overwriting",
     IsolationLevel::read_uncommitted},
    {"G1a", "a value of an aborted transaction was read", IsolationLevel::read_committed},
    {"G1b", "an intermediate value of a transaction was read", IsolationLevel::read_committed},
    {"G1c", "transactions saw each other's writes in a circle", IsolationLevel::read_committed},
    {"dirty-update", "a transaction built on a value of an aborted one", IsolationLevel::read_committed},
    {"internal", "a transaction contradicts what it did or saw itself", IsolationLevel::snapshot_isolation},
    {"lost-update", "two transactions updated the same version", IsolationLevel::snapshot_isolation},
    {"G-single", "a cycle with exactly one read of something older", IsolationLevel::snapshot_isolation},
    {"G-nonadjacent", "a cycle in which no two reads of something older follow each other",
     IsolationLevel::snapshot_isolation},
    {"G2", "a cycle with at least two reads of something older", IsolationLevel::serializable},
}};

const KindInfo& info(AnomalyKind kind) { return kinds[static_cast<std::size_t>(kind)]; }

constexpr std::array<std::string_view, 6> level_names = {"read-uncommitted",     "read-committed",
                                                         "snapshot-isolation",   "serializable",
                                                         "session-serializable", "strict-serializable"};

std::string shortened_text(std::string text, std::size_t width) {
  if (text.size() > width) {
    text.resize(width > 3 ? width - 3 : 0);
    text += "...";
  }
  return text;
}

// Whether nothing was found that the level forbids.
bool is_clean(const TransactionReport& report, IsolationLevel level) {
  for (std::size_t i = 0; i < anomaly_kinds; ++i) {
    if (report.counts[i] > 0 && level >= kinds[i].from) return false;
  }
  return true;
}

bool has_edge(const Anomaly& anomaly, Dependency kind) {
  return std::any_of(anomaly.cycle.begin(), anomaly.cycle.end(),
                     [&](const DependencyEdge& edge) { return edge.kind == kind; });
}

}  // namespace

std::string_view anomaly_name(AnomalyKind kind) { return info(kind).name; }
std::string_view anomaly_description(AnomalyKind kind) { return info(kind).description; }
std::string_view isolation_name(IsolationLevel level) { return level_names[static_cast<std::size_t>(level)]; }
bool proscribed(AnomalyKind kind, IsolationLevel level) { return level >= info(kind).from; }

std::string anomaly_title(const Anomaly& anomaly) {
  std::string title(anomaly_name(anomaly.kind));
  if (has_edge(anomaly, Dependency::process)) title += "-process";
  if (has_edge(anomaly, Dependency::realtime)) title += "-realtime";
  return title;
}

TransactionReport check_transactions(const TransactionHistory& history, TransactionModel model,
                                     const TransactionOptions& options) {
  Analysis analysis(history, model, options);
  if (!analysis.broken_assumption().empty()) {
    analysis.report.unknown_because = analysis.broken_assumption();
    return std::move(analysis.report);
  }
  const auto stopped = [&] { return options.stop != nullptr && (*options.stop)(); };
  if (model == TransactionModel::list_append) {
    analyse_lists(analysis);
  } else {
    analyse_registers(analysis);
  }
  if (options.level == IsolationLevel::session_serializable) add_session_order(analysis);
  if (options.level == IsolationLevel::strict_serializable) add_realtime_order(analysis);
  analysis.graph.seal();
  TransactionReport& report = analysis.report;
  report.dependencies = analysis.graph.edge_count();
  const bool interrupted = stopped();
  if (!interrupted) find_cycles(analysis);
  if (!interrupted && options.level == IsolationLevel::snapshot_isolation && is_clean(report, options.level))
    order_unseen(analysis);
  std::stable_sort(report.anomalies.begin(), report.anomalies.end(),
                   [](const Anomaly& a, const Anomaly& b) { return a.kind < b.kind; });
  report.verdict = Verdict::ok;
  for (std::size_t i = 0; i < anomaly_kinds; ++i) {
    if (report.counts[i] == 0) continue;
    if (proscribed(static_cast<AnomalyKind>(i), options.level)) {
      report.verdict = Verdict::violated;
    } else {
      report.notes.push_back(fmt::format("{} was found, which {} allows: {}", kinds[i].name,
                                         isolation_name(options.level), kinds[i].description));
    }
  }
  if (report.verdict == Verdict::ok && model == TransactionModel::rw_register) {
    report.notes.emplace_back(
        "registers show only part of the order of their versions: ok means that no anomaly was found, not "
        "that the history is right (list-append is decided)");
  }
  if (interrupted && report.verdict == Verdict::ok) {
    report.verdict = Verdict::unknown;
    report.unknown_because = "stopped before cycles were searched for";
  }
  return std::move(report);
}

std::string transaction_name(std::uint32_t transaction) { return fmt::format("T{}", transaction + 1ULL); }

std::string transaction_text(const TransactionHistory& history, TransactionModel model,
                             std::uint32_t transaction, std::size_t width) {
  std::string text = "[";
  for (const MicroOp& op : history.ops(history.transactions()[transaction])) {
    if (text.size() > width) break;
    if (text.size() > 1) text += " ";
    const std::string& key = history.key_name(op.key);
    if (op.write) {
      text += fmt::format("[:{} {} {}]", model == TransactionModel::list_append ? "append" : "w", key,
                          history.value_name(op.value));
    } else if (!op.known) {
      text += fmt::format("[:r {} ?]", key);
    } else if (model == TransactionModel::rw_register) {
      text += fmt::format("[:r {} {}]", key, history.value_name(op.value));
    } else {
      text += fmt::format("[:r {} [", key);
      const auto list = history.list(op);
      for (std::size_t i = 0; i < list.size() && text.size() <= width; ++i)
        text += (i == 0 ? "" : " ") + history.value_name(list[i]);
      text += "]]";
    }
  }
  return shortened_text(text + "]", width);
}

std::string reason(const TransactionHistory& history, TransactionModel model, const DependencyEdge& edge) {
  const bool lists = model == TransactionModel::list_append;
  const std::string from = transaction_name(edge.from);
  const std::string to = transaction_name(edge.to);
  const std::string key = edge.key < history.key_count() ? history.key_name(edge.key) : "";
  const std::string& value = history.value_name(edge.value);
  const std::string& next = history.value_name(edge.next);
  const Transaction& first = history.transactions()[edge.from];
  const Transaction& second = history.transactions()[edge.to];
  std::string why;
  switch (edge.kind) {
    case Dependency::ww:
      why = lists ? fmt::format("{} appended {} to key {}, and {} appended {} after it", from, value, key, to,
                                next)
                  : fmt::format("{} wrote {} to key {}, and {} overwrote it with {}", from, value, key, to,
                                next);
      break;
    case Dependency::wr:
      why = lists ? fmt::format("{} read key {} up to {}, which {} appended", to, key, value, from)
                  : fmt::format("{} read {} from key {}, which {} wrote", to, value, key, from);
      break;
    case Dependency::rw:
      if (edge.value == no_element) {
        why = fmt::format("{} read key {} before anything was {} it, so before {} of {}", from, key,
                          lists ? "appended to" : "written to", next, to);
      } else {
        why = lists ? fmt::format("{} read key {} up to {}, so without {}, which {} appended", from, key,
                                  value, next, to)
                    : fmt::format("{} read {} from key {}, which {} overwrote with {}", from, value, key, to,
                                  next);
      }
      break;
    case Dependency::process:
      why = fmt::format("process {} executed them in this order", first.process);
      break;
    case Dependency::realtime:
      why = fmt::format("{} was complete before {} was invoked", from, to);
      if (second.line != 0) why += fmt::format(" in line {}", second.line);
      break;
    case Dependency::onward:
      GAINSAY_CHECK(false, "hubs do not stand in cycles");
  }
  constexpr std::array<std::string_view, 5> short_names = {"ww", "wr", "rw", "process order", "real time"};
  return fmt::format("{} < {}, because {} ({})", from, to, why,
                     short_names[static_cast<std::size_t>(edge.kind)]);
}

std::string explanation(const TransactionHistory& history, TransactionModel model, const Anomaly& anomaly) {
  std::string text =
      fmt::format("{} ({}): {}\n", anomaly_title(anomaly), anomaly_description(anomaly.kind), anomaly.what);
  constexpr std::size_t listed_max = 12;
  for (std::size_t i = 0; i < anomaly.transactions.size() && i < listed_max; ++i) {
    const std::uint32_t t = anomaly.transactions[i];
    const Transaction& transaction = history.transactions()[t];
    text += fmt::format("  {} = process {}{}: {}\n", transaction_name(t), transaction.process,
                        transaction.line != 0 ? fmt::format(", line {}", transaction.line) : "",
                        transaction_text(history, model, t));
  }
  if (anomaly.transactions.size() > listed_max)
    text += fmt::format("  and {} more\n", anomaly.transactions.size() - listed_max);
  for (const std::string& line : anomaly.because) text += "  " + line + "\n";
  if (!anomaly.because.empty()) text += "  so none of them can come first\n";
  return text;
}

}  // namespace gainsay
