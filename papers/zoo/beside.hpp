// What comes of putting a paper's figures beside ours: where only one of us found a bug, and how many times faster ours
// is.
#pragma once

#include <string>
#include <vector>

#include "papers/zoo/row.hpp"
#include "papers/zoo/table.hpp"

namespace gainsay::tools::zoo {

// Rows beside which the paper says the opposite of what they say: found, or not. Empty: there is none.
std::string disagreements_text(const Table& table, const std::vector<Row>& rows);

// For every title: of what the paper gives runs and a time of, the fastest, and our row beside it. By runs, and by
// steps: there the paper is credited with its longest execution ("most steps") in every run. Empty: it gives no times.
std::string speed_text(const Table& table, const std::vector<Row>& rows);

}  // namespace gainsay::tools::zoo
