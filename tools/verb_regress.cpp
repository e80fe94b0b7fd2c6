#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/adapter/replay_trace.hpp"
#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/report/row.hpp"
#include "tools/arguments.hpp"
#include "tools/ci_report.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

using Json = nlohmann::ordered_json;

struct RegressArguments {
  std::string folder;
  CiFiles ci;
  Output output;
};

// What one trace of the folder came to.
struct Regression {
  std::string file;
  int code = 2;      // as of `replay`
  std::string name;  // "reproduced", "bad trace"
  std::string detail;
  std::string property;  // what is violated
  std::string command;   // what to do next; "" for nothing
};

Regression regression_of(const std::string& file, const std::string& program) {
  Regression row;
  row.file = file;
  try {
    const ReplayReport report = replay_trace(file, Following::by_meaning);
    row.code = report.exit_code();
    row.name = outcome_name(report.outcome);
    if (report.violation) row.property = report.violation->property;
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

Json json_of(const std::vector<Regression>& rows) {
  Json list = Json::array();
  for (const Regression& row : rows)
    list.push_back({{"trace_file", row.file},
                    {"outcome", row.name},
                    {"verdict", verdict_name(row.code == 0   ? Verdict::ok
                                             : row.code == 1 ? Verdict::violated
                                                             : Verdict::unknown)},
                    {"detail", row.detail},
                    {"command", row.command.empty() ? Json() : Json(row.command)}});
  return list;
}

int regress(const RegressArguments& arguments, const std::string& program) {
  required(arguments.folder, "regress needs a DIR, a folder with trace files");
  require_ci_writable(arguments.ci);
  std::vector<Regression> rows;
  std::array<std::size_t, 4> counts{};
  for (const std::string& file : traces_in(arguments.folder)) {
    rows.push_back(regression_of(file, program));
    const Regression& row = rows.back();
    ++counts.at(static_cast<std::size_t>(row.code));
    if (arguments.output.json || (arguments.output.quiet && row.code == 0)) continue;
    std::string line = fmt::format("{}: {}", row.name, row.file);
    if (!row.detail.empty()) line += fmt::format("\n  {}", clean(row.detail, false));
    if (!row.command.empty()) line += fmt::format("\n  {}", row.command);
    say(line + "\n");
  }
  if (arguments.ci.asked()) {
    std::vector<CiCase> cases;
    for (const Regression& row : rows) {
      cases.push_back({row.file, row.code, row.name + ": " + row.detail, row.command});
      if (row.code == 1) cases.back().findings.push_back({row.property, row.detail, false, {}, row.file});
    }
    write_ci(arguments.ci, "regress", "traces", cases);
  }
  if (arguments.output.json)
    say(json_of(rows).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  else
    say(fmt::format("{}: {} violated, {} not violated, {} unknown, {} bad\n", counted(rows.size(), "trace"),
                    counts[1], counts[0], counts[3], counts[2]));
  if (counts[1] > 0) return 1;
  if (counts[2] > 0) return 2;
  return counts[3] > 0 ? 3 : 0;
}

}  // namespace

Verb add_regress(CLI::App& app, const std::string& program) {
  auto arguments = std::make_shared<RegressArguments>();
  add_positional(app, "DIR", arguments->folder, "a folder with .trace files; subfolders are included");
  add_ci(app, arguments->ci);
  add_json(app, arguments->output);
  add_quiet(app, arguments->output, "print no line for traces that are not violated");
  return [arguments, program] { return regress(*arguments, program); };
}

}  // namespace gainsay::tools
