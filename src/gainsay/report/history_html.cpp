#include "gainsay/report/history_html.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/base/text.hpp"
#include "gainsay/report/page.hpp"

namespace gainsay {
namespace {

using Json = nlohmann::ordered_json;

Json bar_json(const HistoryBar& bar) {
  return {{"number", bar.number},       {"process", bar.process},
          {"text", bar.text},           {"source", bar.source},
          {"begin", bar.begin},         {"end", bar.end},
          {"open", bar.open},           {"failed", bar.failed},
          {"offending", bar.offending}, {"contradicts", bar.contradicts}};
}

Json order_json(const HistoryOrder& order) {
  Json points = Json::array();
  for (const HistoryOrder::Point& point : order.points)
    points.push_back({{"bar", point.bar}, {"place", point.place}, {"at", point.at}, {"state", point.state}});
  return {
      {"length", order.length}, {"state", order.state}, {"next", order.next}, {"points", std::move(points)}};
}

// What the page says of one file; `picture`: with its operations.
Json report_json(const HistoryReport& report, const std::string& id, bool picture) {
  Json out = {{"id", id}, {"file", report.file}, {"verdict", report.word()}};
  if (!report.error.empty()) {
    out["error"] = report.error;
    return out;
  }
  out["facts"] = fmt::format("{} {}, {} operations, {} steps, {:.3f} s", report.consistency, report.model,
                             with_commas(report.operations), with_commas(report.steps), report.elapsed_s);
  out["offending"] = report.offending;
  out["reason"] = report.reason;
  out["notes"] = report.notes;
  if (!report.left_out.empty()) out["notes"].push_back(report.left_out);
  if (!picture && !report.bars.empty()) out["notes"].push_back("Not drawn: too many files.");
  out["explanation"] = report.explanation;
  out["bars"] = Json::array();
  out["orders"] = Json::array();
  if (!picture) return out;
  for (const HistoryBar& bar : report.bars) out["bars"].push_back(bar_json(bar));
  for (const HistoryOrder& order : report.orders) out["orders"].push_back(order_json(order));
  return out;
}

}  // namespace

std::string history_page(const std::vector<HistoryReport>& reports, const HistoryPageOptions& options) {
  // What is wrong first.
  std::vector<std::size_t> order(reports.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto rank = [&](std::size_t i) {
    return !reports[i].error.empty()                 ? 1
           : reports[i].verdict == Verdict::violated ? 0
           : reports[i].verdict == Verdict::unknown  ? 2
                                                     : 3;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  Json histories = Json::array();
  std::string without_script = summary_line(reports) + "\n";
  for (std::size_t place = 0; place < order.size(); ++place) {
    const HistoryReport& report = reports[order[place]];
    without_script += fmt::format("{}  {}  {}\n", report.word(), report.file,
                                  report.error.empty() ? report.reason : report.error);
    histories.push_back(report_json(report, fmt::format("history-{}", place), place < options.pictures_max));
  }
  const Json data = {{"kind", "history"},
                     {"title", options.title},
                     {"summary", summary_line(reports)},
                     {"histories", std::move(histories)}};
  return html_page(options.title, without_script, data.dump(-1, ' ', true, Json::error_handler_t::replace));
}

}  // namespace gainsay
