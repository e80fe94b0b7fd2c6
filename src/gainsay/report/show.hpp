// The execution as a picture in the terminal: actors are columns, time runs down, one row per step.
//
//    step cause   handler      logger       terminator
//       1        ▶●            │            │             Request
//       2    ◂1   ○────────────┼───────────▶●             Finish
//       3    ◂2   │            ●◀───────────○             Flush
//                 │            │            │               open: true -> false
//
// A message is drawn where it arrives, from the column of its sender; `cause` is the step that sent it. What
// it carries and what it changed stands to the right. Where the columns do not fit, the same is told as a
// list.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gainsay/trace/document.hpp"

namespace gainsay {

struct ShowOptions {
  std::size_t width = 100;  // columns of the terminal; at least 40, and room for the numbers and some words
  bool ascii = false;
  bool color = false;
  bool changes = true;  // what each step changed in its receiver
  bool sent = false;    // what each step sent, delivered later or not
  // Which steps: numbered from 1, both ends included; of these actors alone, if any are named.
  std::size_t from = 1;
  std::size_t to = ~std::size_t{0};
  std::vector<std::string> actors{};
};

// Everything: title, picture, verdict. No line is wider than the width.
std::string space_time_diagram(const TraceDocument& document, const ShowOptions& options = {});

// One line per step, however long, and nothing else.
std::string event_list(const TraceDocument& document, const ShowOptions& options = {});

// A choice of a step: "chose 2 of 0..3", "victim: 2 of 0..3", "pause: true", "the clock shows 3 ms".
std::string choice_text(const DocumentStep& step, std::size_t index);

}  // namespace gainsay
