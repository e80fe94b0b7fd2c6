#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <sstream>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/base/whole_file.hpp"
#include "gainsay/report/progress.hpp"
#include "papers/zoo/beside.hpp"
#include "papers/zoo/experiment.hpp"
#include "papers/zoo/measure.hpp"
#include "papers/zoo/plot.hpp"
#include "papers/zoo/print.hpp"
#include "papers/zoo/prose.hpp"
#include "papers/zoo/row.hpp"
#include "papers/zoo/table.hpp"
#include "tools/arguments.hpp"
#include "tools/interrupt.hpp"
#include "tools/machine.hpp"
#include "tools/terminal.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

using Clock = std::chrono::steady_clock;
using zoo::Budget;
using zoo::Row;
using zoo::Subject;
using zoo::Table;

struct ZooArguments {
  std::vector<std::string> tables;
  bool quick = false;
  std::string system;
  std::string strategy;
  std::string resume;
  std::string write;
  std::string results;
  std::string plot;
  std::string prose;
  bool json = false;
  bool quiet = false;
};

// When and on what something is measured; the sources count as they are, also if they are not committed.
std::string origin_text() {
  static const std::string text =
      fmt::format("{}: {}, commit {}, {}", date_text(), machine_text(), commit_text(), GAINSAY_BUILD);
  return text;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UserError(fmt::format("{}: cannot be read", path));
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_text(const std::string& path, const std::string& text) { write_whole_file(path, "text", text); }

// Rows that were measured before, kept in a file, one to a line. Without a path nothing is kept.
class Kept {
 public:
  explicit Kept(std::string path) : path_(std::move(path)) {
    if (path_.empty() || !std::filesystem::exists(path_)) return;
    std::ifstream file(path_);
    std::size_t number = 0;
    for (std::string line; std::getline(file, line);) {
      // A line without an end was being written when the program was killed: its row is measured again.
      if (file.eof()) {
        std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - line.size());
        break;
      }
      if (zoo::KeptRows kept = zoo::parse_experiment_rows(line); !kept.key.empty()) {
        ++number;
        const std::string key = kept.key;
        experiments_.insert_or_assign(key, std::move(kept));
        continue;
      }
      Row row = zoo::parse_row(line, fmt::format("{}:{}", path_, ++number));
      const std::string key = row.key;
      rows_.insert_or_assign(key, std::move(row));
    }
  }

  const Row* find(const std::string& key) const {
    const auto found = rows_.find(key);
    return found == rows_.end() ? nullptr : &found->second;
  }
  const zoo::KeptRows* find_rows(const std::string& key) const {
    const auto found = experiments_.find(key);
    return found == experiments_.end() ? nullptr : &found->second;
  }
  void add(const Row& row) { append(zoo::row_line(row)); }
  void add(const zoo::KeptRows& rows) { append(zoo::experiment_line(rows)); }

 private:
  void append(const std::string& line) {
    if (path_.empty()) return;
    std::ofstream file(path_, std::ios::app);
    file << line << std::flush;
    if (!file) throw UserError(fmt::format("{}: cannot be written", path_));
  }

  std::string path_;
  std::map<std::string, Row> rows_;
  std::map<std::string, zoo::KeptRows> experiments_;
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

// Leaves what was asked for. False: nothing.
bool keep_only(Table& table, const ZooArguments& arguments) {
  if (!arguments.system.empty())
    std::erase_if(table.subjects, [&](const Subject& s) { return s.scenario != arguments.system; });
  if (!arguments.strategy.empty())
    std::erase_if(table.strategies,
                  [&](const zoo::StrategyPlan& s) { return s.strategy != arguments.strategy; });
  return !table.subjects.empty() && !table.strategies.empty();
}

// Of tables and of experiments.
std::vector<std::string> all_names() {
  std::vector<std::string> names = zoo::table_names();
  for (const zoo::Experiment& experiment : zoo::experiments()) names.push_back(experiment.name);
  return names;
}

// Without names: all that the document to be written has sections for, or else the main one.
std::vector<std::string> names_of_tables(const ZooArguments& arguments) {
  if (!arguments.tables.empty()) return arguments.tables;
  if (arguments.write.empty()) return {"main"};
  const std::string document = read_text(arguments.write);
  std::vector<std::string> names = all_names();
  std::erase_if(names, [&](const std::string& name) { return !zoo::has_section(document, name); });
  if (names.empty())
    throw UserError(
        fmt::format("{}: no section for any table; expected the lines '<!-- zoo NAME -->' and "
                    "'<!-- end zoo NAME -->' with one of {}",
                    arguments.write, fmt::join(all_names(), ", ")));
  return names;
}

// Experiments have systems and strategies of their own.
std::vector<zoo::Experiment> experiments_of(const ZooArguments& arguments) {
  std::vector<zoo::Experiment> experiments;
  if (!arguments.system.empty() || !arguments.strategy.empty()) return experiments;
  for (const std::string& name : names_of_tables(arguments)) {
    if (const zoo::Experiment* found = zoo::find_experiment(name)) experiments.push_back(*found);
  }
  return experiments;
}

std::vector<Table> tables_of(const ZooArguments& arguments) {
  if (!arguments.system.empty()) (void)find_scenario(arguments.system);  // complains
  if (!arguments.strategy.empty()) (void)find_strategy(arguments.strategy);
  std::vector<Table> tables;
  const std::vector<std::string> names = names_of_tables(arguments);
  for (const std::string& name : names) {
    if (zoo::find_experiment(name) != nullptr) continue;
    tables.push_back(zoo::find_table(name));
    if (!keep_only(tables.back(), arguments)) tables.pop_back();
  }
  if (tables.empty() && experiments_of(arguments).empty()) {
    const std::string names_text = fmt::format("{}", fmt::join(names, ", "));
    throw UserError(
        arguments.system.empty()
            ? fmt::format("table '{}' does not use '{}'", names_text, arguments.strategy)
            : fmt::format("table '{}' has nothing about '{}'{}", names_text, arguments.system,
                          arguments.strategy.empty() ? "" : " with '" + arguments.strategy + "'"));
  }
  if (tables.size() > 1 && !arguments.plot.empty())
    throw UserError("--plot draws one table; name it with --table");
  for (const Table& table : tables) {
    if (!arguments.write.empty())  // complains before any work is done
      (void)zoo::with_section(read_text(arguments.write), table.name, "", arguments.write);
  }
  return tables;
}

// What was measured of one table.
struct Measured {
  zoo::Heading heading;
  std::vector<Row> rows;
};

Measured measure_table(const Table& table, const ZooArguments& arguments, Kept& kept,
                       const Interrupt& interrupt) {
  Measured measured{{table.name, machine_text(), commit_text(), date_text(),
                     (arguments.quick ? table.budget.at_most(table.quick) : table.budget).text()},
                    {}};
  ZooLine line(table.name);
  std::optional<Progress> progress;
  if (!arguments.quiet) progress.emplace([&line] { return line.text(); }, progress_options());
  const std::vector<Cell> cells = cells_of(table, arguments.quick);
  for (std::size_t i = 0; i < cells.size() && !interrupt.flag()->load(); ++i) {
    const Cell& cell = cells[i];
    line.now(
        i, cells.size(),
        fmt::format("{} bug={} with {}", cell.subject->scenario, cell.subject->bug, cell.strategy_name()));
    if (const Row* known = kept.find(zoo::key_of(table, *cell.subject, cell.strategy_name(), cell.budget))) {
      measured.rows.push_back(*known);
      continue;
    }
    std::optional<Row> row =
        cell.strategy == nullptr
            ? zoo::measure_states(table, *cell.subject, cell.budget, interrupt.flag())
            : zoo::measure(table, *cell.subject, *cell.strategy, cell.budget, interrupt.flag());
    if (!row) continue;
    row->measured = origin_text();
    kept.add(*row);
    measured.rows.push_back(*row);
  }
  measured.heading.complete = !interrupt.flag()->load();
  return measured;
}

// 1: a fixed form was flagged. 3: cells are missing, or nobody found a bug. Only a table of bugs demands anything.
int exit_code(const Table& table, const Measured& measured) {
  if (table.measure != Table::Measure::bugs) return measured.heading.complete ? 0 : 3;
  std::map<std::pair<std::string, std::string>, bool> found;
  for (const Row& row : measured.rows) {
    bool& one = found[{row.system, row.bug}];
    one = one || row.found;
  }
  bool all_found = true;
  for (const auto& [subject, one] : found) {
    if (subject.second == "none" && one) return 1;
    if (subject.second != "none" && !one) all_found = false;
  }
  return measured.heading.complete && all_found ? 0 : 3;
}

std::string plot_of(const Measured& measured) {
  const std::string title =
      fmt::format("Runs to the first bug: median and quartiles over seeds ({}, commit {})",
                  measured.heading.date, measured.heading.commit);
  return zoo::first_bugs_svg(title, measured.rows);
}

// A table, and what can be said of it elsewhere in a document, each with its own section there.
struct Parts {
  std::string table;
  std::string negatives;
  std::string speed;

  std::string text() const {
    std::string all = table;
    if (!negatives.empty()) all += "\nFound by one and not by the other:\n\n" + negatives;
    if (!speed.empty()) all += "\nSpeed:\n\n" + speed;
    return all;
  }
};

void write_sections(const std::string& path, const Measured& measured, const Parts& parts) {
  const std::string& name = measured.heading.table;
  std::string document = zoo::with_section(read_text(path), name, parts.table, path);
  const auto put = [&](const std::string& part, const std::string& text) {
    const std::string section = name + " " + part;
    if (!zoo::has_section(document, section)) return false;
    document = zoo::with_section(document, section, text, path);
    return true;
  };
  put("negatives", parts.negatives.empty() ? "None.\n" : parts.negatives);
  put("speed", parts.speed);
  const std::string picture = "results/" + std::filesystem::path(name).stem().string() + ".svg";
  if (put("plot", fmt::format("![Runs to the first bug]({})\n", picture))) {
    const std::filesystem::path file = std::filesystem::path(path).parent_path() / picture;
    std::filesystem::create_directories(file.parent_path());
    write_text(file.string(), plot_of(measured));
  }
  write_text(path, document);
}

void write_results(const ZooArguments& arguments, const Measured& measured, const Parts& parts) {
  if (!arguments.plot.empty()) write_text(arguments.plot, plot_of(measured));
  if (!arguments.write.empty()) write_sections(arguments.write, measured, parts);
  if (arguments.results.empty()) return;
  std::filesystem::create_directories(arguments.results);
  const zoo::Heading& heading = measured.heading;
  const std::string path = fmt::format("{}/{}-{}.md", arguments.results, heading.date,
                                       std::filesystem::path(heading.table).stem().string());
  write_text(path, fmt::format("# {}, {}\n\n{}", heading.table, heading.date, parts.text()));
}

// The rows of an experiment, kept or measured, and what is said of them. Nothing: it was interrupted.
std::optional<std::string> do_experiment(const zoo::Experiment& experiment, const ZooArguments& arguments,
                                         Kept& kept, const Interrupt& interrupt) {
  const std::string key = experiment.name + (arguments.quick ? " quick" : "");
  zoo::KeptRows measured{key, origin_text(), {}};
  zoo::Rows& rows = measured.rows;
  if (const zoo::KeptRows* known = kept.find_rows(key)) {
    measured = *known;
  } else {
    ZooLine line(experiment.name);
    std::optional<Progress> progress;
    if (!arguments.quiet) progress.emplace([&line] { return line.text(); }, progress_options());
    rows = experiment.measure({arguments.quick, interrupt.flag()});
    if (interrupt.flag()->load()) return std::nullopt;
    kept.add(measured);
  }
  const zoo::Rendered rendered = experiment.render(rows);
  if (!arguments.write.empty()) {
    const std::string heading = fmt::format("{}. Measured on {}{}.\n\n", experiment.about, measured.measured,
                                            arguments.quick ? ", quick" : "");
    write_text(arguments.write, zoo::with_section(read_text(arguments.write), experiment.name,
                                                  heading + rendered.text, arguments.write));
    // The rows stay beside the document, so that a test can make the section again.
    const std::filesystem::path results = std::filesystem::path(arguments.write).parent_path() / "results";
    std::filesystem::create_directories(results);
    write_text((results / (experiment.name + ".json")).string(), zoo::rows_text(rows));
    for (const auto& [name, svg] : rendered.svgs) write_text((results / name).string(), svg);
  }
  return arguments.json ? rows.dump(2) + "\n" : rendered.text;
}

// The sentences of a document are made of its tables again. Throws UserError that names what is no longer true.
void write_prose(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  const zoo::Prose prose = zoo::with_prose(read_text(path), path, folder.parent_path().string());
  write_text(path, prose.document);
  if (prose.faults.empty()) return;
  say(fmt::format("{}\n", fmt::join(prose.faults, "\n")));
  throw UserError(
      fmt::format("{}: {} of its sentences contradict its tables; fix the sentences or the tables", path,
                  prose.faults.size()));
}

int zoo_verb(const ZooArguments& arguments) {
  if (!arguments.prose.empty()) {
    write_prose(arguments.prose);
    return 0;
  }
  const std::vector<Table> tables = tables_of(arguments);
  Kept kept(arguments.resume);
  const Interrupt interrupt;
  int code = 0;
  std::vector<std::string> said;
  for (const Table& table : tables) {
    if (interrupt.flag()->load()) break;
    const Measured measured = measure_table(table, arguments, kept, interrupt);
    const Parts parts{zoo::table_text(table, measured.heading, measured.rows),
                      zoo::disagreements_text(table, measured.rows), zoo::speed_text(table, measured.rows)};
    write_results(arguments, measured, parts);
    said.push_back(arguments.json ? zoo::rows_json(measured.heading, measured.rows) : parts.text());
    if (const int one = exit_code(table, measured); code != 1) code = one == 1 ? 1 : std::max(code, one);
  }
  for (const zoo::Experiment& experiment : experiments_of(arguments)) {
    if (interrupt.flag()->load()) break;
    const std::optional<std::string> text = do_experiment(experiment, arguments, kept, interrupt);
    if (text) said.push_back(*text);
  }
  if (interrupt.flag()->load()) code = std::max(code, 3);
  if (arguments.json && said.size() > 1) {
    say(fmt::format("[\n{}]\n", fmt::join(said, ",\n")));
  } else {
    say(fmt::format("{}", fmt::join(said, "\n")));
  }
  // Small budgets do not bear out what is said of the whole ones.
  if (!arguments.write.empty() && !arguments.quick) write_prose(arguments.write);
  return code;
}

Verb add_zoo(CLI::App& app, const std::string&) {
  auto arguments = std::make_shared<ZooArguments>();
  ZooArguments& a = *arguments;
  add_texts(
      app, "--table", "NAME", a.tables,
      fmt::format(
          "the table (main; with --write all tables of the document): {}; or the path of a file; repeatable",
          fmt::join(all_names(), ", ")));
  add_flag(app, "--quick", a.quick, "use the table's small budgets, for a first look and for CI");
  add_text(app, "--system", "SCENARIO", a.system, "only this system");
  add_text(app, "--strategy", "NAME", a.strategy, "only this strategy");
  add_text(app, "--resume", "FILE", a.resume,
           "keep finished rows in this file, and skip rows that are already in it");
  add_text(app, "--write", "FILE", a.write,
           "put the tables into this document, between its <!-- zoo NAME --> marks, and their numbers into "
           "its sentences");
  add_text(app, "--prose", "FILE", a.prose,
           "do not measure; only update the sentences of this document from its tables");
  add_text(app, "--results", "DIR", a.results, "write the table to DIR/<date>-<table>.md");
  add_text(app, "--plot", "FILE", a.plot, "draw the runs to the first bug of every strategy as SVG");
  add_flag(app, "--json", a.json, "one JSON document on stdout");
  add_flag(app, "--quiet", a.quiet, "no progress");
  return [arguments] { return zoo_verb(*arguments); };
}

const RegisterVerb registration{
    {"zoo", "run every strategy on every system and bug: what is found, and how fast; tables of papers",
     &add_zoo}};

}  // namespace
}  // namespace gainsay::tools
