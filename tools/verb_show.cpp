#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "gainsay/base/whole_file.hpp"
#include "gainsay/report/json.hpp"
#include "gainsay/report/show.hpp"
#include "gainsay/report/trace_export.hpp"
#include "gainsay/report/trace_page.hpp"
#include "gainsay/trace/trace_file.hpp"
#include "tools/arguments.hpp"
#include "tools/terminal.hpp"
#include "tools/trace_sight.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

struct ShowArguments {
  std::string trace;
  std::string other;
  std::string html;
  std::optional<std::uint64_t> width;
  bool ascii = false;
  bool no_changes = false;
  bool list = false;
  std::string format;
  Output output;
};

int show(const ShowArguments& arguments) {
  required(arguments.trace, "show needs a TRACE, a file that hunt or explore has written");
  const TraceDocument document = read_trace_file(arguments.trace);
  if (!arguments.other.empty() && arguments.html.empty())
    throw UserError("two traces are shown side by side in a page: add --html FILE");
  if (!arguments.html.empty()) {
    const SeenTrace seen = seen_trace(arguments.trace, document);
    const std::string page =
        arguments.other.empty()
            ? trace_page(seen)
            : comparison_page(seen, seen_trace(arguments.other, read_trace_file(arguments.other)));
    write_whole_file(arguments.html, "page", page);
    say(fmt::format("wrote {}\n", arguments.html));
    return 0;
  }
  if (!arguments.format.empty()) {
    say(arguments.format == "shiviz" ? shiviz_text(document) : chrome_trace_text(document));
    return 0;
  }
  if (arguments.output.json) {
    say(json_text(document));
    return 0;
  }
  ShowOptions options = show_options(arguments.output.color);
  if (arguments.width) options.width = *arguments.width;
  if (arguments.ascii) options.ascii = true;
  options.changes = !arguments.no_changes;
  say(arguments.list ? event_list(document, options) : space_time_diagram(document, options));
  return 0;
}

}  // namespace

Verb add_show(CLI::App& app) {
  auto arguments = std::make_shared<ShowArguments>();
  add_positional(app, "TRACE", arguments->trace, "a file that hunt or explore has written");
  add_positional(app, "OTHER", arguments->other, "another trace to compare it with, in a page");
  add_text(app, "--html", "FILE", arguments->html,
           "write a page to look at in a browser: one file, needs no server and no network");
  add_number(app, "--width", arguments->width, {40, 1000}, "columns of the picture (the terminal's)");
  add_flag(app, "--ascii", arguments->ascii, "no box-drawing characters");
  add_flag(app, "--no-changes", arguments->no_changes, "leave out what each step changed");
  add_color(app, arguments->output);
  add_flag(app, "--list", arguments->list, "one line per step instead of the picture");
  add_word(app, "--format", {"shiviz", "chrome"}, arguments->format,
           "on stdout, for another viewer: ShiViz, or Perfetto and chrome://tracing");
  add_json(app, arguments->output);
  return [arguments] { return show(*arguments); };
}

}  // namespace gainsay::tools
