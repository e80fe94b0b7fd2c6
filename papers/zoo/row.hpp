// One row of a table of the zoo: a system, a bug or none, a strategy, and what came of it.
//
// As JSON a row has the fields that every table has (system, bug, strategy, found, runs_to_first_bug, buggy_share,
// steps, elapsed_s) and those of its own kind. Rows are read back to go on with a table that was interrupted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/base/options.hpp"

namespace gainsay::tools::zoo {

struct Quartiles {
  std::optional<double> lower;  // nothing: more than the budget
  std::optional<double> median;
  std::optional<double> upper;
};

// Of numbers of which some are missing because they are larger than all others. Between two numbers, their mean.
Quartiles quartiles(std::vector<std::optional<double>> values);

// What histories amounted to; the symbols are those of DS2's tables.
struct HistoryFigures {
  std::uint64_t incomplete = 0;  // #IH
  std::uint64_t unique = 0;      // #UH
  std::uint64_t wrong = 0;       // #NL
  std::uint64_t precedence = 0;  // precedence classes
  std::uint64_t wrong_precedence = 0;
  double search_s = 0;                        // TS: with snapshots
  std::optional<double> stateless_s;          // ST: by executing again; searches only
  double judging_s = 0;                       // TC
  std::optional<std::uint64_t> before_wrong;  // #HF
  std::optional<double> to_wrong_s;           // TF
};

// What `explore` says of the same system.
struct StateFigures {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t end_states = 0;
};

struct Row {
  std::string key;       // of the cell, with its budget
  std::string measured;  // when and on what: "2026-11-17: AMD EPYC, 2 cores, Linux 6.1, commit abc, Release"
  std::string subject;
  std::string system;
  std::string bug;  // "none": a fixed form
  OptionTexts options;
  std::string strategy;
  std::string paper;  // what the paper calls its like
  bool found = false;
  std::uint64_t seeds = 0;
  std::uint64_t found_by_seeds = 0;
  Quartiles runs_to_first_bug;  // of each seed
  Quartiles time_to_first_bug_s;
  Quartiles steps_of_first_bug;  // of those seeds that found it
  std::uint64_t runs = 0;
  std::uint64_t blocked_runs = 0;
  std::uint64_t buggy_runs = 0;
  std::uint64_t steps = 0;
  std::uint64_t steps_max = 0;        // of the longest run
  std::uint64_t enabled_max = 0;      // most events that the strategy had before it
  std::uint64_t enabled_max_sum = 0;  // of each run the most, summed
  std::optional<double> chains_mean;  // where the strategy cuts causes into chains: those of a run
  std::optional<std::uint64_t> chains_max;
  std::uint64_t distinct = 0;
  bool complete = false;
  std::string guarantee;
  double elapsed_s = 0;
  double cpu_s = 0;  // of the processor: what an idle machine would take
  std::optional<HistoryFigures> histories;
  std::optional<StateFigures> states;

  double buggy_share() const {
    return runs == 0 ? 0 : static_cast<double>(buggy_runs) / static_cast<double>(runs);
  }
  double runs_per_s() const { return cpu_s <= 0 ? 0 : static_cast<double>(runs) / cpu_s; }
  double steps_per_s() const { return cpu_s <= 0 ? 0 : static_cast<double>(steps) / cpu_s; }
};

// One line.
std::string row_line(const Row& row);
// Throws UserError that names `where`.
Row parse_row(const std::string& line, const std::string& where);

// The document of `zoo --json`.
struct Heading {
  std::string table;
  std::string machine;
  std::string commit;
  std::string date;
  std::string budget;
  bool complete = true;  // no cell is missing
};
std::string rows_json(const Heading& heading, const std::vector<Row>& rows);

}  // namespace gainsay::tools::zoo
