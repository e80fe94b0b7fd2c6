#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/report/progress.hpp"
#include "tools/arguments.hpp"
#include "tools/interrupt.hpp"
#include "tools/machine.hpp"
#include "tools/terminal.hpp"
#include "tools/verb.hpp"
#include "tools/zoo/measure.hpp"
#include "tools/zoo/plot.hpp"
#include "tools/zoo/print.hpp"
#include "tools/zoo/row.hpp"
#include "tools/zoo/table.hpp"

namespace gainsay::tools {
namespace {

using Clock = std::chrono::steady_clock;
using zoo::Budget;
using zoo::Row;
using zoo::Subject;
using zoo::Table;

struct ZooArguments {
  std::string table = "main";
  bool quick = false;
  std::string system;
  std::string strategy;
  std::string resume;
  std::string write;
  std::string results;
  std::string plot;
  bool json = false;
  bool quiet = false;
};

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UserError(fmt::format("{}: cannot be read", path));
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::trunc);
  file << text << std::flush;
  if (!file) throw UserError(fmt::format("{}: cannot be written", path));
}

// Rows that were measured before, kept in a file, one to a line. Without a path nothing is kept.
class Kept {
 public:
  explicit Kept(std::string path) : path_(std::move(path)) {
    if (path_.empty() || !std::filesystem::exists(path_)) return;
    std::ifstream file(path_);
    std::size_t number = 0;
    for (std::string line; std::getline(file, line);) {
      Row row = zoo::parse_row(line, fmt::format("{}:{}", path_, ++number));
      const std::string key = row.key;
      rows_.insert_or_assign(key, std::move(row));
    }
  }

  const Row* find(const std::string& key) const {
    const auto found = rows_.find(key);
    return found == rows_.end() ? nullptr : &found->second;
  }
  void add(const Row& row) {
    if (path_.empty()) return;
    std::ofstream file(path_, std::ios::app);
    file << zoo::row_line(row) << std::flush;
    if (!file) throw UserError(fmt::format("{}: cannot be written", path_));
  }

 private:
  std::string path_;
  std::map<std::string, Row> rows_;
};

// What the live line says; written by the one who measures, read by the watcher.
class ZooLine {
 public:
  explicit ZooLine(std::string table) : table_(std::move(table)) {}

  void now(std::size_t done, std::size_t cells, const std::string& cell) {
    const std::lock_guard lock(mutex_);
    done_ = done;
    cells_ = cells;
    cell_ = cell;
  }
  std::string text() const {
    const std::lock_guard lock(mutex_);
    const double elapsed_s = std::chrono::duration<double>(Clock::now() - started_).count();
    return fmt::format("zoo {}: {} of {} cells, {}, {:.0f} s so far", table_, done_, cells_, cell_,
                       elapsed_s);
  }

 private:
  std::string table_;
  Clock::time_point started_ = Clock::now();
  mutable std::mutex mutex_;
  std::size_t done_ = 0;
  std::size_t cells_ = 0;
  std::string cell_;
};

// A cell that is still to be measured; without a strategy it is that of `explore`.
struct Cell {
  const Subject* subject = nullptr;
  const zoo::StrategyPlan* strategy = nullptr;
  Budget budget;

  std::string strategy_name() const { return strategy == nullptr ? "explore" : strategy->name(); }
};

std::vector<Cell> cells_of(const Table& table, bool quick) {
  std::vector<Cell> cells;
  for (const Subject& subject : table.subjects) {
    for (const zoo::StrategyPlan& strategy : table.strategies)
      cells.push_back({&subject, &strategy, table.budget_of(subject, strategy, quick)});
    if (table.measure == Table::Measure::histories)
      cells.push_back({&subject, nullptr, table.budget_of(subject, {}, quick)});
  }
  return cells;
}

// Leaves what was asked for.
void keep_only(Table& table, const ZooArguments& arguments) {
  if (!arguments.system.empty()) {
    (void)find_scenario(arguments.system);
    std::erase_if(table.subjects, [&](const Subject& s) { return s.scenario != arguments.system; });
    if (table.subjects.empty())
      throw UserError(fmt::format("table '{}' has nothing about '{}'", table.name, arguments.system));
  }
  if (!arguments.strategy.empty()) {
    (void)find_strategy(arguments.strategy);
    std::erase_if(table.strategies,
                  [&](const zoo::StrategyPlan& s) { return s.strategy != arguments.strategy; });
    if (table.strategies.empty())
      throw UserError(fmt::format("table '{}' does not use '{}'", table.name, arguments.strategy));
  }
}

// 1: a fixed form was flagged. 3: cells are missing, or nobody found a bug. A table of histories only counts.
int exit_code(const Table& table, const zoo::Heading& heading, const std::vector<Row>& rows) {
  if (table.measure == Table::Measure::histories) return heading.complete ? 0 : 3;
  std::map<std::pair<std::string, std::string>, bool> found;
  for (const Row& row : rows) {
    bool& one = found[{row.system, row.bug}];
    one = one || row.found;
  }
  bool all_found = true;
  for (const auto& [subject, one] : found) {
    if (subject.second == "none" && one) return 1;
    if (subject.second != "none" && !one) all_found = false;
  }
  return heading.complete && all_found ? 0 : 3;
}

void write_results(const ZooArguments& arguments, const zoo::Heading& heading, const std::string& text,
                   const std::vector<Row>& rows) {
  if (!arguments.plot.empty()) {
    const std::string title =
        fmt::format("Runs to the first bug: median and quartiles over seeds ({}, commit {})", heading.date,
                    heading.commit);
    write_text(arguments.plot, zoo::first_bugs_svg(title, rows));
  }
  if (!arguments.write.empty())
    write_text(arguments.write,
               zoo::with_section(read_text(arguments.write), heading.table, text, arguments.write));
  if (arguments.results.empty()) return;
  std::filesystem::create_directories(arguments.results);
  const std::string path = fmt::format("{}/{}-{}.md", arguments.results, heading.date, heading.table);
  write_text(path, fmt::format("# {}, {}\n\n{}", heading.table, heading.date, text));
}

int zoo_verb(const ZooArguments& arguments) {
  Table table = zoo::find_table(arguments.table);
  keep_only(table, arguments);
  if (!arguments.write.empty())  // complains before any work is done
    (void)zoo::with_section(read_text(arguments.write), table.name, "", arguments.write);
  zoo::Heading heading{table.name, machine_text(), commit_text(), date_text(),
                       (arguments.quick ? table.budget.at_most(table.quick) : table.budget).text()};
  Kept kept(arguments.resume);
  const Interrupt interrupt;
  std::vector<Row> rows;
  {
    ZooLine line(table.name);
    std::optional<Progress> progress;
    if (!arguments.quiet) progress.emplace([&line] { return line.text(); }, progress_options());
    const std::vector<Cell> cells = cells_of(table, arguments.quick);
    for (std::size_t i = 0; i < cells.size() && !interrupt.flag()->load(); ++i) {
      const Cell& cell = cells[i];
      line.now(
          i, cells.size(),
          fmt::format("{} bug={} with {}", cell.subject->scenario, cell.subject->bug, cell.strategy_name()));
      if (const Row* known =
              kept.find(zoo::key_of(table, *cell.subject, cell.strategy_name(), cell.budget))) {
        rows.push_back(*known);
        continue;
      }
      const std::optional<Row> row =
          cell.strategy == nullptr
              ? zoo::measure_states(table, *cell.subject, cell.budget, interrupt.flag())
              : zoo::measure(table, *cell.subject, *cell.strategy, cell.budget, interrupt.flag());
      if (!row) continue;
      kept.add(*row);
      rows.push_back(*row);
    }
  }
  heading.complete = !interrupt.flag()->load();
  const std::string text = zoo::table_text(table, heading, rows);
  write_results(arguments, heading, text, rows);
  say(arguments.json ? zoo::rows_json(heading, rows) : text);
  return exit_code(table, heading, rows);
}

}  // namespace

Verb add_zoo(CLI::App& app, const std::string&) {
  auto arguments = std::make_shared<ZooArguments>();
  ZooArguments& a = *arguments;
  add_text(app, "--table", "NAME", a.table,
           fmt::format("which table (main): {}; or the path of a file", fmt::join(zoo::table_names(), ", ")));
  add_flag(app, "--quick", a.quick, "the table's small budgets, for a first look and for CI");
  add_text(app, "--system", "SCENARIO", a.system, "only this system");
  add_text(app, "--strategy", "NAME", a.strategy, "only this strategy");
  add_text(app, "--resume", "FILE", a.resume,
           "keep finished rows in this file, and do not measure again what is in it");
  add_text(app, "--write", "FILE", a.write,
           "put the table into this document, between its <!-- zoo NAME --> marks");
  add_text(app, "--results", "DIR", a.results, "write the table to DIR/<date>-<table>.md");
  add_text(app, "--plot", "FILE", a.plot, "draw the runs to the first bug of every strategy, as SVG");
  add_flag(app, "--json", a.json, "one JSON document on stdout");
  add_flag(app, "--quiet", a.quiet, "no progress");
  return [arguments] { return zoo_verb(*arguments); };
}

}  // namespace gainsay::tools
