#include "tools/zoo/print.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay::tools::zoo {
namespace {

using Cells = std::vector<std::vector<std::string>>;

std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "";
  const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  return share != 0 && share < 0.1 ? fmt::format("{:.1e} %", share) : fmt::format("{:.1f} %", share);
}

std::string or_dash(const std::optional<std::uint64_t>& value) { return value ? with_commas(*value) : "-"; }

// --- histories ---

const std::vector<std::string> history_columns = {"algorithm", "#S",   "#IH",  "#UH", "#NL",
                                                  "NL/UH",     "UH/S", "NL/S", "TS",  "ST",
                                                  "TC",        "TT",   "#HF",  "TF",  "guarantee"};

std::vector<std::string> history_cells(const Row& row) {
  const HistoryFigures& h = *row.histories;
  std::string schedules = with_commas(row.runs);
  if (row.blocked_runs > 0) schedules += fmt::format(" +{}", with_commas(row.blocked_runs));
  return {"`" + row.strategy + "`",
          schedules,
          with_commas(h.incomplete),
          with_commas(h.unique),
          with_commas(h.wrong),
          percent(h.wrong, h.unique),
          percent(h.unique, row.runs),
          percent(h.wrong, row.runs),
          time_text(h.search_s),
          h.stateless_s ? time_text(*h.stateless_s) : "-",
          time_text(h.judging_s),
          time_text(h.search_s + h.judging_s),
          or_dash(h.before_wrong),
          h.to_wrong_s ? time_text(*h.to_wrong_s) : "-",
          row.complete ? row.guarantee : "no"};
}

std::uint64_t number_of(std::string text) {
  std::erase(text, ',');
  return text.empty() ? 0 : std::stoull(text);
}

// The paper's total is its time of search: judging took no time that it could measure.
std::vector<std::string> paper_cells(const std::string& algorithm,
                                     const std::map<std::string, std::string>& figures) {
  const auto figure = [&](const std::string& symbol) {
    const auto found = figures.find(symbol);
    return found == figures.end() ? std::string("-") : found->second;
  };
  const std::uint64_t schedules = number_of(figure("S"));
  const std::uint64_t unique = number_of(figure("UH"));
  const std::uint64_t wrong = number_of(figure("NL"));
  return {"*" + algorithm + ", paper*",
          figure("S"),
          figure("IH"),
          figure("UH"),
          figure("NL"),
          percent(wrong, unique),
          percent(unique, schedules),
          percent(wrong, schedules),
          figure("TS"),
          figure("ST"),
          "0:00",
          figure("TS"),
          figure("HF"),
          "0:00",
          ""};
}

std::string histories_text(const Subject& subject, const std::vector<const Row*>& rows) {
  std::string text = fmt::format("### {}\n\n", subject.title);
  Cells cells = {history_columns};
  std::string states;
  for (const Row* row : rows) {
    if (row->histories) {
      cells.push_back(history_cells(*row));
      const auto theirs = subject.paper.find(row->paper);
      if (theirs != subject.paper.end()) cells.push_back(paper_cells(theirs->first, theirs->second));
    }
    if (row->states) {
      states =
          fmt::format("\n`explore`, without histories: {}{} states, {} transitions, {} end states, {}.\n",
                      row->complete ? "" : "more than ", with_commas(row->states->states),
                      with_commas(row->states->transitions), with_commas(row->states->end_states),
                      time_text(row->elapsed_s));
    }
  }
  return text + markdown_table(cells) + states;
}

// --- bugs ---

std::string count_text(const std::optional<double>& value) {
  if (!value) return "more";
  return *value == std::floor(*value) ? with_commas(static_cast<std::uint64_t>(*value))
                                      : fmt::format("{:.1f}", *value);
}

std::string first_bug_text(const Row& row) {
  if (row.found_by_seeds == 0) return "-";
  const Quartiles& q = row.runs_to_first_bug;
  if (row.seeds == 1) return count_text(q.median);
  return fmt::format("{} ({} to {})", count_text(q.median), count_text(q.lower), count_text(q.upper));
}

const std::vector<std::string> bug_columns = {
    "system", "bug",   "strategy",   "found", "runs to first bug", "buggy runs",
    "runs",   "steps", "behaviours", "time",  "guarantee"};

std::vector<std::string> bug_cells(const Row& row) {
  std::string system = row.system;
  for (const auto& [name, value] : row.options) system += fmt::format(" {}={}", name, value);
  return {system,
          row.bug == "none" ? "-" : row.bug,
          "`" + row.strategy + "`",
          row.found ? fmt::format("{} of {}", row.found_by_seeds, row.seeds) : "no",
          first_bug_text(row),
          percent(row.buggy_runs, row.runs),
          with_commas(row.runs),
          with_commas(row.steps),
          with_commas(row.distinct),
          time_text(row.elapsed_s),
          row.guarantee.empty() ? "-" : row.guarantee};
}

}  // namespace

std::string markdown_table(const Cells& cells) {
  std::vector<std::size_t> widths;
  for (const auto& row : cells) {
    widths.resize(std::max(widths.size(), row.size()), 3);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string text;
  for (std::size_t r = 0; r < cells.size(); ++r) {
    text += "|";
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string cell = i < cells[r].size() ? cells[r][i] : "";
      text += " " + cell + std::string(widths[i] - display_width(cell), ' ') + " |";
    }
    text += "\n";
    if (r > 0) continue;
    text += "|";
    for (const std::size_t width : widths) text += std::string(width + 2, '-') + "|";
    text += "\n";
  }
  return text;
}

std::string time_text(double seconds) {
  if (seconds < 0.001) return fmt::format("{:.2g} ms", seconds * 1000);
  if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1000);
  return seconds < 100 ? fmt::format("{:.1f} s", seconds) : fmt::format("{:.0f} s", seconds);
}

std::string table_text(const Table& table, const Heading& heading, const std::vector<Row>& rows) {
  std::string text = fmt::format("{}.\n\nMeasured on {}: {}, commit {}. Budget of a cell: {}.{}\n\n",
                                 table.about, heading.date, heading.machine, heading.commit, heading.budget,
                                 heading.complete ? "" : " **Interrupted: cells are missing.**");
  if (table.measure == Table::Measure::bugs) {
    Cells cells = {bug_columns};
    for (const Row& row : rows) cells.push_back(bug_cells(row));
    return text + markdown_table(cells);
  }
  bool first = true;
  for (const Subject& subject : table.subjects) {
    std::vector<const Row*> of_subject;
    for (const Row& row : rows) {
      if (row.subject == subject.title && row.system == subject.scenario) of_subject.push_back(&row);
    }
    if (of_subject.empty()) continue;
    text += (first ? "" : "\n") + histories_text(subject, of_subject);
    first = false;
  }
  return text;
}

std::string with_section(const std::string& document, const std::string& name, const std::string& section,
                         const std::string& where) {
  const std::string opening = fmt::format("<!-- zoo {} -->\n", name);
  const std::string closing = fmt::format("<!-- end zoo {} -->", name);
  const std::size_t begin = document.find(opening);
  const std::size_t end = begin == std::string::npos ? begin : document.find(closing, begin);
  if (end == std::string::npos)
    throw UserError(
        fmt::format("{}: no section for table '{}'; expected the lines '<!-- zoo {} -->' and '{}'", where,
                    name, name, closing));
  return document.substr(0, begin + opening.size()) + "\n" + section + "\n" + document.substr(end);
}

}  // namespace gainsay::tools::zoo
