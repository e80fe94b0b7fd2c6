// Tables of the zoo: which systems are put under which strategies, with which budgets, read from a JSON file.
//
//   {
//     "about": "...",
//     "measure": "bugs",                                     or "first_bugs", "shares", "histories" (measure.hpp)
//     "columns": ["strategy", "buggy %", ...],               not of histories; columns.hpp has them all
//     "budget": {"runs": 20000, "time": "5s", "seeds": 10, "steps": 10000, "states": 1000000,
//                "fair_after": 500},
//     "quick": {"runs": 500, "seeds": 3},                    what `--quick` sets instead
//     "strategies": [{"strategy": "pctcp", "options": {"depth": "2"}, "budget": {...}, "paper": "LABEL"}, ...],
//     "every": true,                                         also every other scenario with an option `bug`
//     "subjects": [{"scenario": "paxos", "bug": "lowest", "options": {"proposers": "3"}, "budget": {...},
//                   "title": "...", "paper": {"LABEL": {"buggy %": "0.20", ...}, ...}}, ...]
//   }
//
// Subjects with the same title share a section, unless `subject` is a column. What a paper says stands under our row of
// the strategy with its label. A subject without a `bug` stands for every value of its scenario's option `bug` that no
// other subject names.
// Budgets are laid over each other: the table's, `quick`, the subject's, the strategy's; `quick` wins where it is less.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/base/options.hpp"
#include "papers/zoo/columns.hpp"
#include "papers/zoo/row.hpp"

namespace gainsay::tools::zoo {

struct Budget {
  std::optional<std::uint64_t> runs;
  std::optional<std::chrono::nanoseconds> time;
  std::optional<std::uint64_t> seeds;
  std::optional<std::uint64_t> steps;
  std::optional<std::uint64_t> states;  // of `explore`
  std::optional<std::uint64_t>
      fair_after;  // steps after which random strategies choose uniformly, for liveness

  // What the other one says wins.
  Budget with(const Budget& other) const;
  // The lesser of both.
  Budget at_most(const Budget& other) const;
  std::string text() const;
};

struct StrategyPlan {
  std::string strategy;
  OptionTexts options;
  Budget budget;
  std::string paper;  // what the paper calls its like; "": nothing

  std::string name() const;  // "delay delays=3"
};

// What a paper says: by the name of its algorithm, by column or, for histories, by symbol. Times are texts.
using PaperFigures = std::map<std::string, Figures>;

struct Subject {
  std::string title;
  std::string scenario;
  std::string bug;
  OptionTexts options;  // without the bug
  Budget budget;
  PaperFigures paper;

  OptionTexts all_options() const;
  bool has(const Row& row) const;
  // What the paper says beside this row; null: nothing.
  const Figures* beside(const Row& row) const;
};

struct Table {
  enum class Measure : std::uint8_t { bugs, first_bugs, shares, histories };

  std::string name;
  std::string about;
  Measure measure = Measure::bugs;
  std::vector<std::string> columns;
  Budget budget;
  Budget quick;
  std::vector<StrategyPlan> strategies;
  std::vector<Subject> subjects;

  Budget budget_of(const Subject& subject, const StrategyPlan& strategy, bool is_quick) const;
};

// Throws UserError that names `where` and what was expected. Scenarios and strategies must exist, but scenarios that a
// built-in table names and a user's program does not have are left out.
Table parse_table(const std::string& name, const std::string& text, const std::string& where, bool built_in);

// The name of a table that this program has, or the path of a file.
Table find_table(const std::string& name_or_path);
std::vector<std::string> table_names();

}  // namespace gainsay::tools::zoo
