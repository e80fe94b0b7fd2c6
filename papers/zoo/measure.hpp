// Measures single cells of a table: one subject under one strategy within a budget.
//
// `bugs`: for every seed 1, 2, ... a hunt up to the first bug, for the runs that it took; then one hunt with the first
// seed over the whole budget, for the share of buggy runs, steps, behaviours, time and the guarantee. Searches have no
// use for seeds. A fixed form gets one hunt with the budget of all seeds together. `first_bugs`: only the hunts up to
// the first bug; runs, steps and time are those of all of them. `shares`: only the one over the whole budget, also for
// fixed forms. `histories`: one search that counts histories, with snapshots, and one that executes prefixes again.
#pragma once

#include <atomic>

#include "papers/zoo/row.hpp"
#include "papers/zoo/table.hpp"

namespace gainsay::tools::zoo {

// What identifies a cell, so that it need not be measured again.
std::string key_of(const Table& table, const Subject& subject, const std::string& strategy,
                   const Budget& budget);

// Nothing where `stop` was set before it was done.
std::optional<Row> measure(const Table& table, const Subject& subject, const StrategyPlan& strategy,
                           const Budget& budget, const std::atomic<bool>* stop);

// The states of the subject, as a row of strategy "explore". Nothing where it was stopped, or where the subject cannot
// be explored.
std::optional<Row> measure_states(const Table& table, const Subject& subject, const Budget& budget,
                                  const std::atomic<bool>* stop);

}  // namespace gainsay::tools::zoo
