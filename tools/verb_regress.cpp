#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/base/whole_file.hpp"
#include "gainsay/report/row.hpp"
#include "tools/arguments.hpp"
#include "tools/replay_trace.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

struct RegressArguments {
  std::string folder;
  std::string junit;
  bool quiet = false;
};

// What one trace of the folder came to.
struct Regression {
  std::string file;
  int code = 2;      // as of `replay`
  std::string name;  // "reproduced", "bad trace"
  std::string detail;
  std::string command;  // what to do next; "" for nothing
};

std::vector<std::string> traces_in(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw UserError(fmt::format("{}: expected a folder with trace files", folder));
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (entry.path().extension() == ".trace") files.push_back(entry.path().string());
  }
  if (error)
    throw UserError(fmt::format("{}: {}; expected a folder with trace files", folder, error.message()));
  if (files.empty())
    throw UserError(fmt::format("{}: no file ends with .trace; nothing was replayed", folder));
  std::sort(files.begin(), files.end());
  return files;
}

Regression regression_of(const std::string& file, const std::string& program) {
  Regression row;
  row.file = file;
  try {
    const ReplayReport report = replay_trace(file, Following::by_meaning);
    row.code = report.exit_code();
    row.name = outcome_name(report.outcome);
    if (report.violation)
      row.detail = fmt::format("{}: {}", report.violation->property, report.violation->message);
    if (report.outcome == ReplayReport::Outcome::diverged) {
      row.detail = fmt::format("step {}: {}", report.step, report.divergence);
      row.command = find_again_command(report.recorded, program);
    } else if (row.code == 1) {
      row.command = shell_command({program, "show", file});
    }
  } catch (const UserError& error) {
    row.name = "bad trace";
    row.detail = error.what();
  }
  return row;
}

std::string xml(std::string_view text) {
  std::string out;
  for (const char c : clean(text, false)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// What CI servers read: a trace that is violated is a failure, one that says nothing any more is an error.
std::string junit_text(const std::vector<Regression>& rows) {
  const auto count = [&](auto is) { return std::count_if(rows.begin(), rows.end(), is); };
  const auto failures = count([](const Regression& row) { return row.code == 1; });
  const auto errors = count([](const Regression& row) { return row.code > 1; });
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format("<testsuite name=\"gainsay regress\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n",
                     rows.size(), failures, errors);
  for (const Regression& row : rows) {
    out += fmt::format("  <testcase classname=\"traces\" name=\"{}\"", xml(row.file));
    if (row.code == 0) {
      out += "/>\n";
      continue;
    }
    const char* const element = row.code == 1 ? "failure" : "error";
    out += fmt::format(">\n    <{} message=\"{}\">{}</{}>\n  </testcase>\n", element,
                       xml(row.name + ": " + row.detail), xml(row.command), element);
  }
  return out + "</testsuite>\n";
}

int regress(const RegressArguments& arguments, const std::string& program) {
  required(arguments.folder, "regress needs a DIR, a folder with trace files");
  if (!arguments.junit.empty()) require_writable(arguments.junit, "report");
  std::vector<Regression> rows;
  std::array<std::size_t, 4> counts{};
  for (const std::string& file : traces_in(arguments.folder)) {
    rows.push_back(regression_of(file, program));
    const Regression& row = rows.back();
    ++counts.at(static_cast<std::size_t>(row.code));
    if (arguments.quiet && row.code == 0) continue;
    std::string line = fmt::format("{}: {}", row.name, row.file);
    if (!row.detail.empty()) line += fmt::format("\n  {}", clean(row.detail, false));
    if (!row.command.empty()) line += fmt::format("\n  {}", row.command);
    say(line + "\n");
  }
  if (!arguments.junit.empty()) write_whole_file(arguments.junit, "report", junit_text(rows));
  say(fmt::format("{}: {} violated, {} not, {} unknown, {} bad\n", counted(rows.size(), "trace"), counts[1],
                  counts[0], counts[3], counts[2]));
  if (counts[1] > 0) return 1;
  if (counts[2] > 0) return 2;
  return counts[3] > 0 ? 3 : 0;
}

}  // namespace

Verb add_regress(CLI::App& app, const std::string& program) {
  auto arguments = std::make_shared<RegressArguments>();
  add_positional(app, "DIR", arguments->folder,
                 "a folder with files that end with .trace; folders in it too");
  add_text(app, "--junit", "FILE", arguments->junit, "write a JUnit report for a CI server");
  add_flag(app, "--quiet", arguments->quiet, "no line for traces that are not violated");
  return [arguments, program] { return regress(*arguments, program); };
}

}  // namespace gainsay::tools
