// Histories as one self-contained HTML page: no server, no network, nothing beside it.
//
// The data is one JSON block in the page, drawn by its script: operations as bars, one lane for each process, the
// offending one marked and named; a linearization is drawn as a chain of points, and whatever the pointer is on says
// its place in it and the object's state after it. Histories that are ok come without a picture once there are many.
#pragma once

#include <string>
#include <vector>

#include "gainsay/report/history_report.hpp"

namespace gainsay {

struct HistoryPageOptions {
  std::size_t pictures_max = 50;  // files with a picture; what is violated comes first
  std::string title = "gainsay check";
};

std::string history_page(const std::vector<HistoryReport>& reports, const HistoryPageOptions& options = {});

}  // namespace gainsay
