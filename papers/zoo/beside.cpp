#include "papers/zoo/beside.hpp"

#include <fmt/format.h>

#include "gainsay/base/text.hpp"
#include "papers/zoo/columns.hpp"
#include "papers/zoo/print.hpp"

namespace gainsay::tools::zoo {
namespace {

using Cells = std::vector<std::vector<std::string>>;

std::string our_finding(const Row& row) {
  if (row.histories)
    return fmt::format("{} in {} runs", counted(row.histories->wrong, "wrong history", "wrong histories"),
                       with_commas(row.runs));
  if (row.seeds > 1)
    return fmt::format("{} of {} seeds, {} runs in all", row.found_by_seeds, row.seeds,
                       with_commas(row.runs));
  return fmt::format("{} of {} runs", with_commas(row.buggy_runs), with_commas(row.runs));
}

std::string their_finding(const Figures& theirs) {
  const auto figure = [&](const char* name) -> const std::string* {
    const auto found = theirs.find(name);
    return found == theirs.end() ? nullptr : &found->second;
  };
  const std::string* runs = figure("runs");
  const std::string of_runs = runs == nullptr ? "" : fmt::format(" of {} runs", *runs);
  if (const std::string* share = figure("buggy %")) return fmt::format("{} %{}", *share, of_runs);
  if (const std::string* count = figure("buggy")) return *count + of_runs;
  if (const std::string* wrong = figure("NL")) {
    const std::string* schedules = figure("S");
    return fmt::format("{} wrong {} in {} runs", *wrong, *wrong == "1" ? "history" : "histories",
                       schedules == nullptr ? "?" : *schedules);
  }
  return they_found(theirs).value_or(false) ? "found" + of_runs : "not found" + of_runs;
}

// What tells subjects of one title apart.
std::string subject_text(const Subject& subject) {
  std::string text = subject.title.empty() ? subject.scenario : subject.title;
  for (const auto& [name, value] : subject.options) text += fmt::format(" {}={}", name, value);
  return text;
}

}  // namespace

std::string disagreements_text(const Table& table, const std::vector<Row>& rows) {
  Cells cells = {{"found by", "subject", "bug", "strategy", "ours", "paper"}};
  for (const Subject& subject : table.subjects) {
    for (const Row& row : rows) {
      const Figures* theirs = subject.has(row) ? subject.beside(row) : nullptr;
      const std::optional<bool> they = theirs == nullptr ? std::nullopt : they_found(*theirs);
      if (!they || *they == row.found) continue;
      cells.push_back({row.found ? "ours" : "the paper", subject_text(subject),
                       row.bug == "none" ? "-" : row.bug, fmt::format("`{}`, *{}*", row.strategy, row.paper),
                       our_finding(row), their_finding(*theirs)});
    }
  }
  return cells.size() == 1 ? "" : markdown_table(cells);
}

std::string speed_text(const Table& table, const std::vector<Row>& rows) {
  struct Fastest {
    double rate = 0;
    const Row* row = nullptr;
    std::optional<double> longest;  // the paper's, of any strategy
  };
  std::vector<std::string> titles;
  std::map<std::string, Fastest> fastest;
  for (const Subject& subject : table.subjects) {
    for (const Row& row : rows) {
      const Figures* theirs = subject.has(row) ? subject.beside(row) : nullptr;
      const std::optional<double> rate = theirs == nullptr ? std::nullopt : their_runs_per_s(*theirs);
      if (!rate) continue;
      if (!fastest.contains(subject.title)) titles.push_back(subject.title);
      Fastest& known = fastest[subject.title];
      if (const auto n = theirs->find("most steps"); n != theirs->end()) known.longest = number_in(n->second);
      if (*rate <= known.rate) continue;
      known.rate = *rate;
      known.row = &row;
    }
  }
  if (titles.empty()) return "";
  Cells cells = {{"program", "paper", "runs/s", "most messages", "ours", "options", "runs/s", "steps per run",
                  "most steps", "times, by runs", "times, by steps"}};
  for (const std::string& title : titles) {
    const Fastest& best = fastest[title];
    const Row& row = *best.row;
    const auto ours = [&](const char* column) { return our_text(column, row, nullptr); };
    cells.push_back({title, row.paper, rate_text(best.rate),
                     best.longest ? with_commas(static_cast<std::uint64_t>(*best.longest)) : "-",
                     ours("strategy"), ours("options"), ours("runs/s"), ours("steps per run"),
                     ours("most steps"), rate_text(row.runs_per_s() / best.rate),
                     best.longest ? rate_text(row.steps_per_s() / (best.rate * *best.longest)) : "-"});
  }
  return markdown_table(cells);
}

}  // namespace gainsay::tools::zoo
