#include "papers/zoo/columns.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay::tools::zoo {
namespace {

std::string count_text(const std::optional<double>& value) {
  if (!value) return "more";
  return *value == std::floor(*value) ? with_commas(static_cast<std::uint64_t>(*value))
                                      : fmt::format("{:.1f}", *value);
}

std::string first_bug_text(const Row& row) {
  if (row.found_by_seeds == 0) return "-";
  const Quartiles& q = row.runs_to_first_bug;
  if (row.seeds == 1 || !q.lower) return count_text(q.median);
  return fmt::format("{} ({} to {})", count_text(q.median), count_text(q.lower), count_text(q.upper));
}

std::string options_text(const Row& row) {
  std::string text;
  for (const auto& [name, value] : row.options)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

double mean(std::uint64_t sum, std::uint64_t count) {
  return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
}

struct Column {
  std::string name;
  std::string (*ours)(const Row&);
};

const std::vector<Column>& columns() {
  static const std::vector<Column> all = {
      {"subject", [](const Row& r) { return r.subject; }},
      {"system",
       [](const Row& r) { return r.options.empty() ? r.system : r.system + " " + options_text(r); }},
      {"options", options_text},
      {"bug", [](const Row& r) { return r.bug == "none" ? "-" : r.bug; }},
      // The budget stands at the end of the key (measure.hpp).
      {"limits",
       [](const Row& r) {
         return r.key.substr(r.key.rfind(" | ") == std::string::npos ? r.key.size() : r.key.rfind(" | ") + 3);
       }},
      {"strategy", [](const Row& r) { return "`" + r.strategy + "`"; }},
      {"found",
       [](const Row& r) { return r.found ? fmt::format("{} of {}", r.found_by_seeds, r.seeds) : "no"; }},
      {"runs to first bug", first_bug_text},
      {"time to first bug",
       [](const Row& r) {
         if (r.found_by_seeds == 0) return std::string("-");
         return r.time_to_first_bug_s.median ? time_text(*r.time_to_first_bug_s.median) : "more";
       }},
      {"steps of first bug",
       [](const Row& r) { return r.found_by_seeds == 0 ? "-" : count_text(r.steps_of_first_bug.median); }},
      {"buggy runs", [](const Row& r) { return percent(r.buggy_runs, r.runs); }},
      {"buggy %",
       [](const Row& r) { return r.runs == 0 ? "" : fmt::format("{:.2f}", 100 * r.buggy_share()); }},
      {"buggy", [](const Row& r) { return with_commas(r.buggy_runs); }},
      {"runs", [](const Row& r) { return with_commas(r.runs); }},
      {"steps", [](const Row& r) { return with_commas(r.steps); }},
      {"steps per run", [](const Row& r) { return fmt::format("{:.1f}", mean(r.steps, r.runs)); }},
      {"most steps", [](const Row& r) { return with_commas(r.steps_max); }},
      {"enabled", [](const Row& r) { return fmt::format("{:.2f}", mean(r.enabled_max_sum, r.runs)); }},
      {"most enabled", [](const Row& r) { return with_commas(r.enabled_max); }},
      {"chains", [](const Row& r) { return r.chains_mean ? fmt::format("{:.1f}", *r.chains_mean) : "-"; }},
      {"most chains", [](const Row& r) { return r.chains_max ? with_commas(*r.chains_max) : "-"; }},
      {"behaviours", [](const Row& r) { return with_commas(r.distinct); }},
      {"time", [](const Row& r) { return time_text(r.elapsed_s); }},
      {"runs/s", [](const Row& r) { return rate_text(r.runs_per_s()); }},
      {"guarantee", [](const Row& r) { return r.guarantee.empty() ? "-" : r.guarantee; }},
  };
  return all;
}

// Of ours and theirs together.
const std::string times_theirs = "times theirs";

}  // namespace

const std::vector<std::string>& column_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Column& column : columns()) list.push_back(column.name);
    list.push_back(times_theirs);
    return list;
  }();
  return names;
}

const std::vector<std::string>& default_columns() {
  static const std::vector<std::string> names = {
      "system", "bug",   "strategy",   "found", "runs to first bug", "buggy runs",
      "runs",   "steps", "behaviours", "time",  "guarantee"};
  return names;
}

std::string our_text(const std::string& column, const Row& row, const Figures* theirs) {
  if (column == times_theirs) {
    const std::optional<double> rate = theirs == nullptr ? std::nullopt : their_runs_per_s(*theirs);
    return rate ? rate_text(row.runs_per_s() / *rate) : "";
  }
  const auto found = std::find_if(columns().begin(), columns().end(),
                                  [&](const Column& known) { return known.name == column; });
  GAINSAY_CHECK(found != columns().end(), "columns were looked at when the table was read");
  return found->ours(row);
}

std::string their_text(const std::string& column, const std::string& label, const Figures& theirs) {
  if (column == "strategy") return "*" + label + ", paper*";
  if (const auto found = theirs.find(column); found != theirs.end()) return found->second;
  if (column == "runs/s") {
    const std::optional<double> rate = their_runs_per_s(theirs);
    return rate ? rate_text(*rate) : "";
  }
  return "";
}

std::optional<double> their_runs_per_s(const Figures& theirs) {
  const auto runs = theirs.find("runs");
  const auto time = theirs.find("time");
  if (runs == theirs.end() || time == theirs.end()) return std::nullopt;
  std::string duration = time->second;
  std::erase_if(duration, [](char c) { return c == ' ' || c == ','; });
  const std::optional<std::int64_t> nanoseconds = parse_duration(duration);
  const std::optional<double> count = number_in(runs->second);
  if (!nanoseconds || *nanoseconds <= 0 || !count) return std::nullopt;
  return *count / (static_cast<double>(*nanoseconds) * 1e-9);
}

std::optional<bool> they_found(const Figures& theirs) {
  if (const auto found = theirs.find("found"); found != theirs.end()) return found->second == "yes";
  for (const char* name : {"buggy %", "buggy", "NL"}) {
    if (const auto found = theirs.find(name); found != theirs.end()) {
      if (const std::optional<double> number = number_in(found->second)) return *number > 0;
    }
  }
  return std::nullopt;
}

std::optional<double> number_in(const std::string& text) {
  std::string digits = text;
  std::erase(digits, ',');
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end == digits.data()) return std::nullopt;
  return value;
}

std::string time_text(double seconds) {
  if (seconds < 0.001) return fmt::format("{:.2g} ms", seconds * 1000);
  if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1000);
  return seconds < 100 ? fmt::format("{:.1f} s", seconds) : fmt::format("{:.0f} s", seconds);
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "";
  const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (part < whole && share >= 99.95) return "over 99.9 %";  // never rounded up to all
  return share != 0 && share < 0.1 ? fmt::format("{:.1e} %", share) : fmt::format("{:.1f} %", share);
}

std::string rate_text(double value) {
  if (value >= 99.95) return with_commas(static_cast<std::uint64_t>(std::llround(value)));
  return value >= 9.995 ? fmt::format("{:.1f}", value) : fmt::format("{:.2f}", value);
}

}  // namespace gainsay::tools::zoo
