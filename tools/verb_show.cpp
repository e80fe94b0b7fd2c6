#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
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
  std::optional<std::uint64_t> from;
  std::optional<std::uint64_t> to;
  std::optional<std::uint64_t> around;
  std::vector<std::string> actors;
  std::string format;
  Output output;
};

constexpr std::uint64_t steps_around = 10;  // before and after

void choose_steps(const ShowArguments& arguments, const TraceDocument& document, ShowOptions& options) {
  const auto refuse_beyond = [&](const char* name, std::optional<std::uint64_t> step) {
    if (!step || *step <= document.steps.size()) return;
    throw UserError(fmt::format("{}: {} {} is after the last step; the trace has {}", arguments.trace, name,
                                *step, counted(document.steps.size(), "step")));
  };
  refuse_beyond("--from", arguments.from);
  refuse_beyond("--around", arguments.around);
  if (arguments.around && (arguments.from || arguments.to))
    throw UserError("--around cannot be used with --from or --to");
  if (arguments.around) {
    options.from = *arguments.around > steps_around ? *arguments.around - steps_around : 1;
    options.to = *arguments.around + steps_around;
  }
  if (arguments.from) options.from = *arguments.from;
  if (arguments.to) options.to = *arguments.to;
  if (options.from > options.to)
    throw UserError(fmt::format("--from {} is after --to {}", options.from, options.to));
  for (const std::string& actor : arguments.actors) {
    if (std::find(document.actors.begin(), document.actors.end(), actor) == document.actors.end())
      throw UserError(fmt::format("{}: no actor is named '{}'; the trace has {}", arguments.trace, actor,
                                  fmt::join(document.actors, ", ")));
  }
  options.actors = arguments.actors;
}

int show(const ShowArguments& arguments) {
  required(arguments.trace, "show needs a TRACE, a file written by hunt or explore");
  const TraceDocument document = read_trace_file(arguments.trace);
  if (!arguments.other.empty() && arguments.html.empty())
    throw UserError("two traces can only be compared in an HTML page: add --html FILE");
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
  choose_steps(arguments, document, options);
  say(arguments.list ? event_list(document, options) : space_time_diagram(document, options));
  return 0;
}

}  // namespace

Verb add_show(CLI::App& app) {
  auto arguments = std::make_shared<ShowArguments>();
  add_positional(app, "TRACE", arguments->trace, "a trace file written by hunt or explore");
  add_positional(app, "OTHER", arguments->other, "another trace to compare with, in an HTML page");
  add_text(app, "--html", "FILE", arguments->html, "write a self-contained HTML page");
  add_number(app, "--width", arguments->width, {40, 1000},
             "width of the diagram in columns (the terminal's)");
  add_flag(app, "--ascii", arguments->ascii, "no box-drawing characters");
  add_flag(app, "--no-changes", arguments->no_changes, "do not show what each step changed");
  add_number(app, "--from", arguments->from, {1, ~std::uint64_t{0}}, "the first step to show (1)");
  add_number(app, "--to", arguments->to, {1, ~std::uint64_t{0}}, "the last step to show (the last one)");
  add_number(app, "--around", arguments->around, {1, ~std::uint64_t{0}},
             "the ten steps before and after this one");
  add_texts(app, "--actor", "NAME", arguments->actors, "only steps of this actor; repeatable");
  add_color(app, arguments->output);
  add_flag(app, "--list", arguments->list, "one line per step instead of the diagram");
  add_word(app, "--format", {"shiviz", "chrome"}, arguments->format,
           "print to stdout for another viewer: ShiViz, or Perfetto and chrome://tracing");
  add_json(app, arguments->output);
  return [arguments] { return show(*arguments); };
}

}  // namespace gainsay::tools
