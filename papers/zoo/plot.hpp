// A picture of a table of bugs: the runs to the first bug of every strategy, one line for each bug, as SVG.
//
// The axis is logarithmic. A disc is the median over seeds, the bar around it goes from quartile to quartile; a ring at
// the right edge stands for more runs than the budget had.
#pragma once

#include <string>
#include <vector>

#include "papers/zoo/row.hpp"

namespace gainsay::tools::zoo {

std::string first_bugs_svg(const std::string& title, const std::vector<Row>& rows);

}  // namespace gainsay::tools::zoo
