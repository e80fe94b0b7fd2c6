// What there is to know about the terminal, if there is one.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#include "gainsay/report/progress.hpp"
#include "gainsay/report/show.hpp"

namespace gainsay::tools {

bool is_terminal(std::FILE* stream);
// Columns of the terminal behind the stream; without one, of $COLUMNS, else 100.
std::size_t terminal_columns(std::FILE* stream);
// Whether the locale of the user can print box-drawing characters.
bool speaks_utf8();

// For a diagram on stdout. `color` is "auto", "always" or "never"; auto minds NO_COLOR and TERM=dumb.
ShowOptions show_options(const std::string& color);
// For a live or plain line on stderr.
ProgressOptions progress_options();

}  // namespace gainsay::tools
