// The columns that a table of the zoo may have: what a row says in each, and what a paper says in it.
//
// A paper's figures bear the names of the columns that they stand in ("buggy %", "runs", "time", ...). What it only
// implies is worked out: runs per second, and whether it found the bug. Our runs per second are of processor time: what
// else a machine does must not make us slower than we are.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "papers/zoo/row.hpp"

namespace gainsay::tools::zoo {

// What a paper says of one strategy, by column.
using Figures = std::map<std::string, std::string>;

const std::vector<std::string>& column_names();
// Those of a table that does not name its own.
const std::vector<std::string>& default_columns();

// `theirs` may be null.
std::string our_text(const std::string& column, const Row& row, const Figures* theirs);
// `label`: what the paper calls its strategy.
std::string their_text(const std::string& column, const std::string& label, const Figures& theirs);

// Nothing: the paper does not say.
std::optional<double> their_runs_per_s(const Figures& theirs);
std::optional<bool> they_found(const Figures& theirs);
// A number of a paper, "1,562" or "98.97 %" as well.
std::optional<double> number_in(const std::string& text);

// "1.2 ms", "34 s".
std::string time_text(double seconds);
// "12.6 %"; nothing where the whole is 0.
std::string percent(std::uint64_t part, std::uint64_t whole);
// Three digits that count: "0.12", "98.6", "12,345".
std::string rate_text(double value);

}  // namespace gainsay::tools::zoo
