#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/report/history_report.hpp"

namespace gainsay {
namespace {

using Json = nlohmann::ordered_json;

Json report_json(const HistoryReport& report) {
  Json object;
  object["file"] = report.file;
  object["model"] = report.model;
  object["format"] = report.format;
  object["consistency"] = report.consistency;
  object["operations"] = report.operations;
  object["verdict"] = verdict_name(report.verdict);
  object["error"] = report.error.empty() ? Json() : Json(report.error);
  object["reason"] = report.reason;
  object["elapsed_s"] = report.elapsed_s;
  object["steps"] = report.steps;
  object["parts"] = report.parts;
  object["method"] = report.method;
  std::string text;
  for (const std::string& line : report.explanation) text += line + "\n";
  object["explanation"] = text;
  object["notes"] = report.notes;
  object["offending"] = Json();
  Json contradiction = Json::array();
  for (const HistoryBar& bar : report.bars) {
    if (!bar.offending && !bar.contradicts) continue;
    const Json operation = {
        {"number", bar.number}, {"process", bar.process}, {"text", bar.text}, {"source", bar.source}};
    if (bar.offending && object["offending"].is_null()) object["offending"] = operation;
    if (bar.contradicts) contradiction.push_back(operation);
  }
  object["contradiction"] = std::move(contradiction);
  object["linearization"] = report.linearization;
  object["linearization_length"] = report.linearization_length;
  return object;
}

}  // namespace

std::string json_text(const std::vector<HistoryReport>& reports) {
  Json list = Json::array();
  for (const HistoryReport& report : reports) list.push_back(report_json(report));
  return list.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gainsay
