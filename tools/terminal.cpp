#include "tools/terminal.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace gainsay::tools {
namespace {

constexpr std::size_t columns_without_terminal = 100;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : std::string_view(value);
}

}  // namespace

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) == 1 && environment("TERM") != "dumb"; }

std::size_t terminal_columns(std::FILE* stream) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const std::string_view text = environment("COLUMNS");
  std::size_t columns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
  const bool sensible =
      error == std::errc{} && end == text.data() + text.size() && columns > 0 && columns < 10'000;
  return sensible ? columns : columns_without_terminal;
}

bool speaks_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view locale = environment(name);
    if (locale.empty()) continue;
    return locale.find("UTF-8") != std::string_view::npos || locale.find("utf8") != std::string_view::npos ||
           locale.find("utf-8") != std::string_view::npos || locale.find("UTF8") != std::string_view::npos;
  }
  return true;  // nobody says anything: files, pipes and today's terminals
}

ShowOptions show_options(const std::string& color) {
  ShowOptions show;
  show.width = terminal_columns(stdout);
  show.ascii = !speaks_utf8();
  show.color =
      color == "always" || (color == "auto" && is_terminal(stdout) && environment("NO_COLOR").empty());
  return show;
}

ProgressOptions progress_options() {
  ProgressOptions options;
  options.terminal = is_terminal(stderr);
  options.columns = [] { return terminal_columns(stderr); };
  return options;
}

}  // namespace gainsay::tools
