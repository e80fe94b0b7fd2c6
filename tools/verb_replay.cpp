#include <memory>

#include <CLI/CLI.hpp>

#include "gainsay/report/json.hpp"
#include "tools/arguments.hpp"
#include "tools/replay_trace.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

struct ReplayArguments {
  std::string trace;
  bool exact = false;
  bool json = false;
};

int replay(const ReplayArguments& arguments, const std::string& program) {
  required(arguments.trace, "replay needs a TRACE, a file that hunt or explore has written");
  const ReplayReport report =
      replay_trace(arguments.trace, arguments.exact ? Following::exact : Following::by_meaning);
  say(arguments.json ? json_text(report) : summary_text(report, program));
  return report.exit_code();
}

}  // namespace

Verb add_replay(CLI::App& app, const std::string& program) {
  auto arguments = std::make_shared<ReplayArguments>();
  add_positional(app, "TRACE", arguments->trace, "a file that hunt or explore has written");
  add_flag(app, "--exact", arguments->exact,
           "refuse a trace that differs in anything: payloads, changes, notes, texts");
  add_flag(app, "--json", arguments->json, "one JSON document on stdout");
  return [arguments, program] { return replay(*arguments, program); };
}

}  // namespace gainsay::tools
