#include <memory>

#include <CLI/CLI.hpp>

#include "gainsay/report/json.hpp"
#include "gainsay/report/show.hpp"
#include "gainsay/trace/trace_file.hpp"
#include "tools/arguments.hpp"
#include "tools/terminal.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

struct ShowArguments {
  std::string trace;
  std::optional<std::uint64_t> width;
  bool ascii = false;
  bool no_changes = false;
  bool list = false;
  Output output;
};

int show(const ShowArguments& arguments) {
  required(arguments.trace, "show needs a TRACE, a file that hunt or explore has written");
  const TraceDocument document = read_trace_file(arguments.trace);
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
  add_number(app, "--width", arguments->width, {40, 1000}, "columns of the picture (the terminal's)");
  add_flag(app, "--ascii", arguments->ascii, "no box-drawing characters");
  add_flag(app, "--no-changes", arguments->no_changes, "leave out what each step changed");
  add_color(app, arguments->output);
  add_flag(app, "--list", arguments->list, "one line per step instead of the picture");
  add_json(app, arguments->output);
  return [arguments] { return show(*arguments); };
}

}  // namespace gainsay::tools
