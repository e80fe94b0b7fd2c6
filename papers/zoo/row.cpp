#include "papers/zoo/row.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/base/check.hpp"

namespace gainsay::tools::zoo {
namespace {

using Json = nlohmann::ordered_json;

template <class T> Json or_null(const std::optional<T>& value) { return value ? Json(*value) : Json(); }
template <class T> std::optional<T> or_nothing(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional<T>(json.get<T>());
}

Json quartiles_json(const Quartiles& q) { return {or_null(q.lower), or_null(q.median), or_null(q.upper)}; }
Quartiles quartiles_of(const Json& json) {
  return {or_nothing<double>(json.at(0)), or_nothing<double>(json.at(1)), or_nothing<double>(json.at(2))};
}

Json histories_json(const HistoryFigures& h) {
  Json json;
  json["incomplete"] = h.incomplete;
  json["unique"] = h.unique;
  json["wrong"] = h.wrong;
  json["precedence_classes"] = h.precedence;
  json["wrong_precedence_classes"] = h.wrong_precedence;
  json["search_s"] = h.search_s;
  json["stateless_s"] = or_null(h.stateless_s);
  json["judging_s"] = h.judging_s;
  json["before_wrong"] = or_null(h.before_wrong);
  json["to_wrong_s"] = or_null(h.to_wrong_s);
  return json;
}

HistoryFigures histories_of(const Json& json) {
  HistoryFigures h;
  h.incomplete = json.at("incomplete");
  h.unique = json.at("unique");
  h.wrong = json.at("wrong");
  h.precedence = json.at("precedence_classes");
  h.wrong_precedence = json.at("wrong_precedence_classes");
  h.search_s = json.at("search_s");
  h.stateless_s = or_nothing<double>(json.at("stateless_s"));
  h.judging_s = json.at("judging_s");
  h.before_wrong = or_nothing<std::uint64_t>(json.at("before_wrong"));
  h.to_wrong_s = or_nothing<double>(json.at("to_wrong_s"));
  return h;
}

Json json_of(const Row& row) {
  Json json;
  json["system"] = row.system;
  json["bug"] = row.bug == "none" || row.bug.empty() ? Json() : Json(row.bug);
  json["strategy"] = row.strategy;
  json["found"] = row.found;
  json["runs_to_first_bug"] = or_null(row.runs_to_first_bug.median);
  json["buggy_share"] = row.buggy_share();
  json["steps"] = row.steps;
  json["elapsed_s"] = row.elapsed_s;
  json["cpu_s"] = row.cpu_s;
  json["runs_to_first_bug_quartiles"] = quartiles_json(row.runs_to_first_bug);
  json["time_to_first_bug_s_quartiles"] = quartiles_json(row.time_to_first_bug_s);
  json["steps_of_first_bug_quartiles"] = quartiles_json(row.steps_of_first_bug);
  json["seeds"] = row.seeds;
  json["found_by_seeds"] = row.found_by_seeds;
  json["runs"] = row.runs;
  json["blocked_runs"] = row.blocked_runs;
  json["buggy_runs"] = row.buggy_runs;
  json["steps_max"] = row.steps_max;
  json["enabled_max"] = row.enabled_max;
  json["enabled_max_sum"] = row.enabled_max_sum;
  json["chains_mean"] = or_null(row.chains_mean);
  json["chains_max"] = or_null(row.chains_max);
  json["distinct_traces"] = row.distinct;
  json["complete"] = row.complete;
  json["guarantee"] = row.guarantee;
  json["subject"] = row.subject;
  json["options"] = Json::object();
  for (const auto& [name, value] : row.options) json["options"][name] = value;
  if (!row.paper.empty()) json["paper"] = row.paper;
  if (row.histories) json["histories"] = histories_json(*row.histories);
  if (row.states) {
    json["states"] = row.states->states;
    json["transitions"] = row.states->transitions;
    json["end_states"] = row.states->end_states;
  }
  return json;
}

}  // namespace

Quartiles quartiles(std::vector<std::optional<double>> values) {
  if (values.empty()) return {};
  const auto rank = [](const std::optional<double>& value) {
    return value.value_or(std::numeric_limits<double>::infinity());
  };
  std::sort(values.begin(), values.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  const auto at = [&](double share) -> std::optional<double> {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = place > static_cast<double>(below) ? below + 1 : below;
    if (!values[below] || !values[above]) return std::nullopt;
    return *values[below] + (*values[above] - *values[below]) * (place - static_cast<double>(below));
  };
  return {at(0.25), at(0.5), at(0.75)};
}

std::string row_line(const Row& row) {
  Json json = json_of(row);
  json["key"] = row.key;
  json["measured"] = row.measured;
  return json.dump() + "\n";
}

Row parse_row(const std::string& line, const std::string& where) {
  try {
    const Json json = Json::parse(line);
    Row row;
    row.key = json.at("key");
    row.measured = json.at("measured");
    row.subject = json.at("subject");
    row.system = json.at("system");
    row.bug = json.at("bug").is_null() ? "none" : json.at("bug").get<std::string>();
    for (const auto& [name, value] : json.at("options").items()) row.options.emplace_back(name, value);
    row.strategy = json.at("strategy");
    row.paper = json.contains("paper") ? json["paper"].get<std::string>() : "";
    row.found = json.at("found");
    row.seeds = json.at("seeds");
    row.found_by_seeds = json.at("found_by_seeds");
    row.runs_to_first_bug = quartiles_of(json.at("runs_to_first_bug_quartiles"));
    row.time_to_first_bug_s = quartiles_of(json.at("time_to_first_bug_s_quartiles"));
    row.steps_of_first_bug = quartiles_of(json.at("steps_of_first_bug_quartiles"));
    row.runs = json.at("runs");
    row.blocked_runs = json.at("blocked_runs");
    row.buggy_runs = json.at("buggy_runs");
    row.steps = json.at("steps");
    row.steps_max = json.at("steps_max");
    row.enabled_max = json.at("enabled_max");
    row.enabled_max_sum = json.at("enabled_max_sum");
    row.chains_mean = or_nothing<double>(json.at("chains_mean"));
    row.chains_max = or_nothing<std::uint64_t>(json.at("chains_max"));
    row.distinct = json.at("distinct_traces");
    row.complete = json.at("complete");
    row.guarantee = json.at("guarantee");
    row.elapsed_s = json.at("elapsed_s");
    row.cpu_s = json.at("cpu_s");
    if (json.contains("histories")) row.histories = histories_of(json["histories"]);
    if (json.contains("states"))
      row.states = StateFigures{json.at("states"), json.at("transitions"), json.at("end_states")};
    return row;
  } catch (const Json::exception&) {
    throw UserError(
        fmt::format("{}: not a row of the zoo; give --resume a file written by zoo, or a new file", where));
  }
}

std::string rows_json(const Heading& heading, const std::vector<Row>& rows) {
  Json json;
  json["table"] = heading.table;
  json["machine"] = heading.machine;
  json["commit"] = heading.commit;
  json["date"] = heading.date;
  json["budget"] = heading.budget;
  json["complete"] = heading.complete;
  json["rows"] = Json::array();
  for (const Row& row : rows) json["rows"].push_back(json_of(row));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gainsay::tools::zoo
