#include "gainsay/report/history_report.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/report/row.hpp"

namespace gainsay {
namespace {

constexpr std::size_t steps_shown = 12;  // of an order, in words

std::string cut(const std::string& text, std::size_t width) {
  return shortened(clean(text, false), width, "…");
}

// Which operations a picture shows, and where.
class TimelineWindow {
 public:
  TimelineWindow(const History& history, const SpecType& spec, const CheckResult& result,
                 const HistoryReportOptions& options)
      : history_(history), spec_(spec), explanation_(result.explanation), options_(options) {
    choose();
    place();
  }

  const std::vector<std::size_t>& operations() const { return chosen_; }
  std::optional<std::size_t> bar_of(std::size_t operation) const {
    const auto found = std::lower_bound(chosen_.begin(), chosen_.end(), operation);
    if (found == chosen_.end() || *found != operation) return std::nullopt;
    return static_cast<std::size_t>(found - chosen_.begin());
  }
  double at(std::uint64_t position) const {
    const auto found = std::lower_bound(moments_.begin(), moments_.end(), position);
    return static_cast<double>(found - moments_.begin());
  }
  double end() const { return static_cast<double>(moments_.size()); }
  std::string left_out() const {
    const std::size_t rest = history_.size() - chosen_.size();
    if (rest == 0) return "";
    return fmt::format(
        "{} of {} operations are shown; {} are omitted: {}", with_commas(chosen_.size()),
        with_commas(history_.size()), with_commas(rest),
        explanation_.culprit ? "those of other objects, or far from the violation" : "the later ones");
  }

 private:
  std::set<std::uint64_t> keys_of(std::size_t operation) const {
    std::set<std::uint64_t> keys;
    if (spec_.keys == nullptr) return keys;
    for (const AnyValue& key : spec_.keys(history_[operation].op.data()))
      keys.insert(key.type().hash(key.data()));
    return keys;
  }

  void choose() {
    std::set<std::size_t> taken(explanation_.contradiction.begin(), explanation_.contradiction.end());
    while (taken.size() > options_.bars_max) taken.erase(taken.begin());
    if (explanation_.culprit) taken.insert(*explanation_.culprit);
    // Then by distance in time to the offending operation, or from the beginning.
    const std::uint64_t middle = explanation_.culprit ? history_[*explanation_.culprit].invoked : 0;
    const std::uint64_t end = explanation_.culprit ? history_[*explanation_.culprit].returned : 0;
    const auto distance = [&](std::size_t index) -> std::uint64_t {
      const Operation& operation = history_[index];
      if (operation.invoked > end) return 4 * (operation.invoked - end);  // what comes later matters less
      if (operation.returned < middle) return middle - operation.returned;
      return operation.returned == never && operation.invoked < middle ? (middle - operation.invoked) / 2 : 0;
    };
    const std::set<std::uint64_t> wanted =
        explanation_.culprit ? keys_of(*explanation_.culprit) : std::set<std::uint64_t>{};
    std::vector<std::pair<std::uint64_t, std::size_t>> others;
    for (std::size_t i = 0; i < history_.size(); ++i) {
      if (taken.contains(i)) continue;
      if (!wanted.empty()) {
        const auto keys = keys_of(i);
        const bool shared = keys.empty() || std::any_of(keys.begin(), keys.end(), [&](std::uint64_t key) {
                              return wanted.contains(key);
                            });
        if (!shared) continue;
      }
      others.emplace_back(distance(i), i);
    }
    std::sort(others.begin(), others.end());
    for (const auto& [how_far, index] : others) {
      if (taken.size() >= options_.bars_max) break;
      taken.insert(index);
    }
    chosen_.assign(taken.begin(), taken.end());
  }

  void place() {
    for (const std::size_t index : chosen_) {
      moments_.push_back(history_[index].invoked);
      if (history_[index].returned != never) moments_.push_back(history_[index].returned);
    }
    std::sort(moments_.begin(), moments_.end());
    moments_.erase(std::unique(moments_.begin(), moments_.end()), moments_.end());
  }

  const History& history_;
  const SpecType& spec_;
  const Explanation& explanation_;
  const HistoryReportOptions& options_;
  std::vector<std::size_t> chosen_;     // ascending
  std::vector<std::uint64_t> moments_;  // positions that are shown
};

class Reporter {
 public:
  Reporter(const History& history, const SpecType& spec, const AnyValue& initial, const CheckResult& result,
           const HistoryReportOptions& options)
      : history_(history),
        spec_(spec),
        initial_(initial),
        result_(result),
        explanation_(result.explanation),
        options_(options),
        window_(history, spec, result, options) {}

  HistoryReport make() {
    report_.verdict = result_.verdict;
    report_.method = result_.method;
    report_.operations = result_.operations;
    report_.parts = result_.parts;
    report_.steps = result_.steps;
    report_.elapsed_s = result_.elapsed_s;
    report_.left_out = window_.left_out();
    for (const std::size_t index : window_.operations()) report_.bars.push_back(bar(index));
    if (result_.verdict == Verdict::ok) {
      report_.linearization_length = explanation_.linearization.size();
      for (const std::size_t index : explanation_.linearization) {
        if (report_.linearization.size() == options_.linearization_max) break;
        report_.linearization.push_back(index + 1);
      }
      add_order(explanation_.linearization, "", {});
    }
    for (const Explanation::Attempt& attempt : explanation_.attempts)
      add_order(attempt.order, attempt.state, attempt.next);
    if (result_.verdict == Verdict::violated) explain_violation();
    if (result_.verdict == Verdict::unknown) {
      report_.reason = result_.unknown_because;
      explain_orders();
    }
    if (report_.operations == 0)
      report_.notes.push_back("no operation in it took effect, so nothing was checked");
    return std::move(report_);
  }

 private:
  std::string text(std::size_t index) const {
    const Operation& operation = history_[index];
    const void* result = operation.result.has_value() ? operation.result.data() : nullptr;
    return cut(spec_.text(operation.op.data(), result), options_.text_max);
  }
  // "read -> 3 by process 2 (line 12)".
  std::string named(std::size_t index) const {
    const Operation& operation = history_[index];
    return fmt::format("{} by process {}{}", text(index), clean(history_.process_name(operation), false),
                       operation.source.empty() ? "" : fmt::format(" ({})", operation.source));
  }

  HistoryBar bar(std::size_t index) const {
    const Operation& operation = history_[index];
    HistoryBar result;
    result.number = index + 1;
    result.process = clean(history_.process_name(operation), false);
    result.text = text(index);
    result.source = operation.source;
    result.begin = window_.at(operation.invoked);
    result.open = operation.returned == never;
    result.end = result.open ? window_.end() : window_.at(operation.returned);
    result.failed = operation.status == OperationStatus::fail;
    result.offending = explanation_.culprit == index;
    result.contradicts =
        std::binary_search(explanation_.contradiction.begin(), explanation_.contradiction.end(), index);
    return result;
  }

  // The object's state after each operation of the order; stops where a specification allows more than one.
  void add_order(const std::vector<std::size_t>& order, const std::string& state,
                 const std::vector<Explanation::Attempt::Next>& next) {
    HistoryOrder shown;
    shown.length = order.size();
    shown.state = cut(state, options_.text_max);
    AnyValue now = initial_;
    bool known = true;
    double at = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Operation& operation = history_[order[i]];
      if (known) known = step(now, operation);
      const auto place = window_.bar_of(order[i]);
      const bool listed = i + steps_shown >= order.size();
      if (!place && !listed) continue;
      const std::string after = known ? cut(spec_.state_text(now.data()), options_.text_max) : "";
      if (listed) shown.steps.push_back(text(order[i]) + (after.empty() ? "" : "   now " + after));
      if (!place) continue;
      // The earliest point that the order and the operation's own beginning allow.
      at = std::max(at + 0.08, window_.at(operation.invoked) + 0.25);
      shown.points.push_back({*place, i + 1, at, after});
    }
    for (const Explanation::Attempt::Next& each : next)
      shown.next.push_back(named(each.operation) + (each.why.empty()
                                                        ? ": fits, but nothing fits after it"
                                                        : ": " + cut(each.why, 2 * options_.text_max)));
    report_.orders.push_back(std::move(shown));
  }

  bool step(AnyValue& now, const Operation& operation) const {
    const void* observed = operation.result.has_value() ? operation.result.data() : nullptr;
    if (spec_.deterministic) return spec_.advance(now.data(), operation.op.data(), observed, StopToken{});
    AnyValue after;
    std::size_t count = 0;
    spec_.step(now.data(), operation.op.data(), observed, StopToken{}, [&](const void* next) {
      if (count++ == 0) after = AnyValue(*spec_.state, next);
    });
    if (count != 1) return false;
    now = std::move(after);
    return true;
  }

  void explain_violation() {
    if (explanation_.culprit) report_.offending = named(*explanation_.culprit);
    const std::string why = cut(explanation_.why, 4 * options_.text_max);
    report_.reason = !why.empty() ? why : report_.offending + " cannot be placed";
    const std::string part = cut(explanation_.part, options_.text_max);
    if (report_.offending.empty()) {
      if (!part.empty()) report_.explanation.push_back("It concerns " + part + ".");
    } else if (result_.consistency == CheckOptions::Consistency::sequential) {
      report_.explanation.push_back(fmt::format(
          "{} cannot be placed: it does not fit after the longest order found.", report_.offending));
    } else {
      report_.explanation.push_back(
          fmt::format("{} cannot be placed: everything{} that returned before it can be ordered, but not "
                      "together with it.",
                      report_.offending, part.empty() ? "" : " about " + part));
    }
    // Where one operation is wrong by itself, orders have nothing to do with it.
    if (explanation_.contradiction.size() == 1) {
      report_.explanation.push_back("This operation alone is wrong, whatever the others did:");
    } else {
      explain_orders();
      if (explanation_.contradiction.empty()) return;
      report_.explanation.push_back(fmt::format(
          "These {} operations alone cannot all be right{}:", explanation_.contradiction.size(),
          explanation_.contradiction_is_minimal ? "; without any one of them there is no contradiction"
                                                : ""));
    }
    constexpr std::size_t listed_max = 20;
    for (std::size_t i = 0; i < explanation_.contradiction.size() && i < listed_max; ++i)
      report_.explanation.push_back(
          fmt::format("  #{} {}", explanation_.contradiction[i] + 1, named(explanation_.contradiction[i])));
    if (explanation_.contradiction.size() > listed_max)
      report_.explanation.push_back(
          fmt::format("  and {} more", explanation_.contradiction.size() - listed_max));
  }

  void explain_orders() {
    if (report_.orders.empty()) return;
    const HistoryOrder& longest = report_.orders.front();
    report_.explanation.push_back(fmt::format(
        "The longest order found has {} operation{}{}:", longest.length, longest.length == 1 ? "" : "s",
        longest.length > longest.steps.size() ? fmt::format("; the last {} are", longest.steps.size()) : ""));
    for (std::size_t i = 0; i < longest.steps.size(); ++i)
      report_.explanation.push_back(
          fmt::format("  {}. {}", longest.length - longest.steps.size() + i + 1, longest.steps[i]));
    constexpr std::size_t next_max = 8;
    for (std::size_t i = 0; i < longest.next.size() && i < next_max; ++i)
      report_.explanation.push_back("  then not " + longest.next[i]);
    if (longest.next.size() > next_max)
      report_.explanation.push_back(fmt::format("  nor {} more", longest.next.size() - next_max));
  }

  const History& history_;
  const SpecType& spec_;
  const AnyValue& initial_;
  const CheckResult& result_;
  const Explanation& explanation_;
  const HistoryReportOptions& options_;
  TimelineWindow window_;
  HistoryReport report_;
};

}  // namespace

HistoryReport history_report(const History& history, const SpecType& spec, const AnyValue& initial,
                             const CheckResult& result, const HistoryReportOptions& options) {
  return Reporter(history, spec, initial, result, options).make();
}

HistoryReport history_report(const TransactionHistory& history, TransactionModel model,
                             const TransactionReport& result, const TransactionOptions& checked,
                             const HistoryReportOptions& options) {
  HistoryReport report;
  report.verdict = result.verdict;
  report.method = "dependency cycles";
  report.consistency = isolation_name(checked.level);
  report.operations = history.transactions().size();
  report.steps = result.dependencies;
  report.notes = result.notes;
  report.reason = result.unknown_because;
  std::set<std::uint32_t> shown;
  for (const Anomaly& anomaly : result.anomalies) {
    const bool forbidden = proscribed(anomaly.kind, checked.level);
    if (forbidden && report.reason.empty())
      report.reason = fmt::format("{}: {}", anomaly_title(anomaly), cut(anomaly.what, 2 * options.text_max));
    if (forbidden && report.offending.empty() && !anomaly.transactions.empty())
      report.offending = anomaly_title(anomaly) + " of " + transaction_name(anomaly.transactions.front());
    const std::string text = explanation(history, model, anomaly);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      report.explanation.push_back(clean(text.substr(at, end - at), false));
      at = end + 1;
    }
    for (const std::uint32_t t : anomaly.transactions) {
      if (shown.size() < options.bars_max) shown.insert(t);
    }
  }
  for (std::size_t i = 0; i < anomaly_kinds; ++i) {
    const auto listed = static_cast<std::uint64_t>(
        std::count_if(result.anomalies.begin(), result.anomalies.end(),
                      [&](const Anomaly& each) { return static_cast<std::size_t>(each.kind) == i; }));
    if (result.counts[i] > listed)
      report.notes.push_back(fmt::format("{} of {} cases of {} are listed", listed, result.counts[i],
                                         anomaly_name(static_cast<AnomalyKind>(i))));
  }
  std::vector<std::uint64_t> moments;
  for (const std::uint32_t t : shown) {
    moments.push_back(history.transactions()[t].invoked);
    if (history.transactions()[t].completed != not_completed)
      moments.push_back(history.transactions()[t].completed);
  }
  std::sort(moments.begin(), moments.end());
  const auto at = [&](std::uint64_t position) {
    return static_cast<double>(std::lower_bound(moments.begin(), moments.end(), position) - moments.begin());
  };
  for (const std::uint32_t t : shown) {
    const Transaction& transaction = history.transactions()[t];
    HistoryBar bar;
    bar.number = t + 1ULL;
    bar.process = clean(transaction.process, false);
    bar.text = cut(transaction_name(t) + " " + transaction_text(history, model, t, options.text_max),
                   options.text_max);
    if (transaction.line != 0) bar.source = fmt::format("line {}", transaction.line);
    bar.begin = at(transaction.invoked);
    bar.open = transaction.completed == not_completed;
    bar.end = bar.open ? static_cast<double>(moments.size()) : at(transaction.completed);
    bar.failed = transaction.status == TransactionStatus::aborted;
    if (!result.anomalies.empty()) {
      const auto& first = result.anomalies.front().transactions;
      bar.offending = bar.contradicts = std::find(first.begin(), first.end(), t) != first.end();
    }
    report.bars.push_back(std::move(bar));
  }
  if (shown.size() < history.transactions().size() && !shown.empty()) {
    report.left_out = fmt::format("{} of {} transactions are shown: those that are part of an anomaly",
                                  with_commas(shown.size()), with_commas(history.transactions().size()));
  }
  if (history.transactions().empty())
    report.notes.push_back("it has no transactions, so nothing was checked");
  return report;
}

int exit_code(const std::vector<HistoryReport>& reports) {
  const auto any = [&](auto condition) { return std::any_of(reports.begin(), reports.end(), condition); };
  if (any([](const HistoryReport& each) { return !each.error.empty(); })) return 2;
  if (any([](const HistoryReport& each) { return each.verdict == Verdict::violated; })) return 1;
  return any([](const HistoryReport& each) { return each.verdict == Verdict::unknown; }) ? 3 : 0;
}

}  // namespace gainsay
