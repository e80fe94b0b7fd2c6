#include "papers/zoo/print.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "papers/zoo/columns.hpp"

namespace gainsay::tools::zoo {
namespace {

using Cells = std::vector<std::vector<std::string>>;

std::string opening_of(const std::string& name) { return fmt::format("<!-- zoo {} -->\n", name); }

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

// The paper's total is its time of search: judging took no time that it could measure.
std::vector<std::string> paper_cells(const std::string& algorithm, const Figures& figures) {
  const auto figure = [&](const std::string& symbol) {
    const auto found = figures.find(symbol);
    return found == figures.end() ? std::string("-") : found->second;
  };
  const auto count = [&](const std::string& symbol) {
    return static_cast<std::uint64_t>(number_in(figure(symbol)).value_or(0));
  };
  const std::uint64_t schedules = count("S");
  const std::uint64_t unique = count("UH");
  const std::uint64_t wrong = count("NL");
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
      if (const Figures* theirs = subject.beside(*row)) cells.push_back(paper_cells(row->paper, *theirs));
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

// Rows of subjects with one title; all of them where the title is a column.
std::string rows_text(const Table& table, const std::string* title, const std::vector<Row>& rows) {
  Cells cells = {table.columns};
  for (const Subject& subject : table.subjects) {
    if (title != nullptr && subject.title != *title) continue;
    for (const Row& row : rows) {
      if (!subject.has(row)) continue;
      const Figures* theirs = subject.beside(row);
      cells.emplace_back();
      for (const std::string& column : table.columns) cells.back().push_back(our_text(column, row, theirs));
      if (theirs == nullptr) continue;
      cells.emplace_back();
      for (const std::string& column : table.columns)
        cells.back().push_back(their_text(column, row.paper, *theirs));
    }
  }
  return cells.size() == 1 ? "" : markdown_table(cells);
}

std::string bugs_text(const Table& table, const std::vector<Row>& rows) {
  const bool titled = std::any_of(table.subjects.begin(), table.subjects.end(),
                                  [](const Subject& subject) { return !subject.title.empty(); });
  const bool is_column =
      std::find(table.columns.begin(), table.columns.end(), "subject") != table.columns.end();
  if (!titled || is_column) return rows_text(table, nullptr, rows);
  std::string text;
  std::vector<std::string> done;
  for (const Subject& subject : table.subjects) {
    if (std::find(done.begin(), done.end(), subject.title) != done.end()) continue;
    done.push_back(subject.title);
    const std::string section = rows_text(table, &subject.title, rows);
    if (!section.empty())
      text += fmt::format("{}### {}\n\n{}", text.empty() ? "" : "\n", subject.title, section);
  }
  return text;
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

// Rows of one table may have been measured at different times (--resume): each origin once, with its rows.
std::string measured_text(const std::vector<Row>& rows) {
  std::vector<std::pair<std::string, std::size_t>> origins;
  for (const Row& row : rows) {
    const auto known = std::find_if(origins.begin(), origins.end(),
                                    [&](const auto& origin) { return origin.first == row.measured; });
    if (known == origins.end()) {
      origins.emplace_back(row.measured, 1);
    } else {
      ++known->second;
    }
  }
  if (origins.empty()) return "Nothing was measured.";
  if (origins.size() == 1) return fmt::format("Measured on {}.", origins.front().first);
  std::string text = "Measured on";
  for (const auto& [origin, count] : origins)
    text += fmt::format("{} {} ({} of {} rows)", text.ends_with(")") ? ", and on" : "", origin, count,
                        rows.size());
  return text + ".";
}

std::string table_text(const Table& table, const Heading& heading, const std::vector<Row>& rows) {
  std::string text =
      fmt::format("{}.\n\n{} Budget of a cell: {}.{}\n\n", table.about, measured_text(rows), heading.budget,
                  heading.complete ? "" : " **Interrupted: cells are missing.**");
  if (table.measure != Table::Measure::histories) return text + bugs_text(table, rows);
  bool first = true;
  for (const Subject& subject : table.subjects) {
    std::vector<const Row*> of_subject;
    for (const Row& row : rows) {
      if (subject.has(row)) of_subject.push_back(&row);
    }
    if (of_subject.empty()) continue;
    text += (first ? "" : "\n") + histories_text(subject, of_subject);
    first = false;
  }
  return text;
}

bool has_section(const std::string& document, const std::string& name) {
  return document.find(opening_of(name)) != std::string::npos;
}

std::string with_section(const std::string& document, const std::string& name, const std::string& section,
                         const std::string& where) {
  const std::string opening = opening_of(name);
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
