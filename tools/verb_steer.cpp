// steer: a person plays the scheduler, in a page or in a terminal.
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/adapter/recorded_world.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/model/graph_search.hpp"
#include "gainsay/report/steer_page.hpp"
#include "gainsay/trace/trace_file.hpp"
#include "tools/arguments.hpp"
#include "tools/interrupt.hpp"
#include "tools/model_source.hpp"
#include "tools/steer_server.hpp"
#include "tools/steer_session.hpp"
#include "tools/steer_terminal.hpp"
#include "tools/terminal.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

using Json = nlohmann::ordered_json;

struct SteerArguments {
  std::string scenario;
  OptionTexts options;
  std::string trace;
  std::optional<std::uint64_t> at;
  std::optional<std::uint64_t> state;
  std::uint64_t steps_max = 10'000;
  std::uint64_t port = 0;
  std::string out = "steered.trace";
  bool terminal = false;
  bool quiet = false;
};

SteerSession begun(const SteerArguments& arguments, const std::string& program) {
  if (!arguments.trace.empty()) {
    const TraceDocument document = read_trace_file(arguments.trace);
    if (!arguments.scenario.empty() && arguments.scenario != document.scenario)
      throw UserError(fmt::format("{}: the trace is for scenario '{}', not '{}'", arguments.trace,
                                  document.scenario, arguments.scenario));
    if (!arguments.options.empty())
      throw UserError("--option cannot be used with --trace: the trace has its own options");
    SteerSession session(find_scenario(document.scenario), document.options, arguments.steps_max);
    session.follow(document, arguments.at ? static_cast<std::size_t>(*arguments.at) : document.steps.size());
    return session;
  }
  if (arguments.at) throw UserError("--at needs --trace FILE");
  required(arguments.scenario, fmt::format("steer needs a SCENARIO, or --trace FILE; `{} list` shows them",
                                           shell_command({program})));
  const Scenario& scenario = find_scenario(arguments.scenario);
  check_options(arguments.options, scenario);
  build_world(scenario, arguments.options);
  SteerSession session(scenario, arguments.options, arguments.steps_max);
  if (!arguments.state) return session;
  ModelSource source;
  source.name = arguments.scenario;
  source.options = arguments.options;
  source.quiet = arguments.quiet;
  source.without_histories = true;
  const LoadedModel model = load_model(source, "steer");
  if (*arguments.state >= model.graph().nodes())
    throw UserError(
        fmt::format("--state '{}': expected a state below {}", *arguments.state, model.graph().nodes()));
  const TestPath path = path_to_node(model.graph(), static_cast<GraphNode>(*arguments.state));
  std::vector<DescribedEvent> events;
  for (const GraphEdge edge : path.edges) {
    const GraphEvent& event = *model.graph().event_of(edge);
    events.push_back({event.kind, event.receiver, event.sender, event.message, event.answers});
  }
  session.walk(events);
  return session;
}

// What the page asks for, and what it is told.
class SteerPages {
 public:
  SteerPages(SteerSession& session, std::string save_as) : session_(session), save_as_(std::move(save_as)) {}

  LocalAnswer answer(const LocalRequest& request) {
    if (request.path == "/" && !request.post) return {200, "text/html; charset=utf-8", steer_page(moment())};
    if (request.path == "/do" && request.post) {
      std::string problem;
      std::string saved;
      try {
        saved = act(Json::parse(request.body));
      } catch (const UserError& error) {
        problem = error.what();
      } catch (const Json::exception&) {
        return {400, "text/plain", "not understood\n"};
      }
      return {200, "application/json", steer_moment_json(moment(), problem, saved)};
    }
    return {404, "text/plain", "no such page\n"};
  }
  bool is_over() const { return over_; }

 private:
  SteerMoment moment() const {
    return {session_.shown(), session_.possible(),       session_.ended(), session_.at_hand(),
            save_as_,         SteerSession::strategies()};
  }
  // What was saved, if that was asked for.
  std::string act(const Json& request) {
    const std::string action = request.at("action");
    if (action == "take") {
      session_.take(request.at("id").get<std::string>(), request.at("kind").get<std::string>());
    } else if (action == "undo") {
      session_.undo();
    } else if (action == "jump") {
      session_.jump(request.at("steps").get<std::size_t>());
    } else if (action == "answer") {
      session_.answer(request.at("step").get<std::size_t>(), request.at("question").get<std::size_t>(),
                      request.at("value").get<std::uint32_t>());
    } else if (action == "go") {
      session_.go_on(request.at("strategy").get<std::string>(), request.at("seed").get<std::uint64_t>(),
                     request.at("steps").get<std::size_t>());
    } else if (action == "save") {
      return write_trace_file(save_as_, session_.document());
    } else if (action == "quit") {
      over_ = true;
    } else {
      throw UserError(fmt::format("unknown action '{}'", action));
    }
    return "";
  }

  SteerSession& session_;
  std::string save_as_;
  bool over_ = false;
};

int steer(const SteerArguments& arguments, const std::string& program) {
  SteerSession session = begun(arguments, program);
  if (arguments.terminal) {
    steer_terminal(session, std::cin, show_options("auto"), arguments.out);
    return 0;
  }
  SteerPages pages(session, arguments.out);
  LocalServer* running = nullptr;
  LocalServer server(
      [&](const LocalRequest& request) {
        LocalAnswer answer = pages.answer(request);
        if (pages.is_over()) running->stop();
        return answer;
      },
      static_cast<std::uint16_t>(arguments.port));
  running = &server;
  const Interrupt interrupt;
  say(fmt::format("Open {}\nOnly this address works, and only on this machine. Press Ctrl-C to stop.\n",
                  server.address()));
  server.run(interrupt.flag());
  return 0;
}

}  // namespace

Verb add_steer(CLI::App& app, const std::string& program) {
  auto arguments = std::make_shared<SteerArguments>();
  SteerArguments& a = *arguments;
  add_positional(app, "SCENARIO", a.scenario, "the scenario; `list` shows all");
  add_options(app, a.options, "a scenario option; repeatable");
  add_text(app, "--trace", "FILE", a.trace, "start with the steps of a trace");
  add_number(app, "--at", a.at, {0, 1'000'000'000}, "start after this step of the trace (the last)");
  add_number(app, "--state", a.state, {0, UINT32_MAX},
             "start in the state with this number, as in `graph` and `explore --html`");
  add_number(app, "--steps", a.steps_max, {1, 1'000'000}, "maximum number of steps (10000)");
  add_text(app, "--out", "FILE", a.out, "file for the saved execution (steered.trace)");
  add_flag(app, "--terminal", a.terminal, "type commands in the terminal instead of using a browser");
  add_number(app, "--port", a.port, {0, 65535}, "port on 127.0.0.1 (any free port)");
  add_flag(app, "--quiet", a.quiet, "print no progress while searching for the state");
  return [arguments, program] { return steer(*arguments, program); };
}

}  // namespace gainsay::tools
