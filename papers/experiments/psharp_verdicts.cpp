// P#'s small tests of liveness and of transitions, as a table of verdicts: what each asks, what P# answers, and what
// explore, a random hunt and dfs answer here.
//
// The programs are our own and as small as the question; P#'s answers follow from its rules: hot, cold and unmarked
// (warm) states, a cycle is fair if every machine that is enabled on it is scheduled on it and every fair coin falls
// both ways, and a monitor that is hot where the program ends is a bug; exit, action, entry, in this order.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/scenario/world.hpp"
#include "papers/zoo/experiment.hpp"
#include "papers/zoo/print.hpp"

namespace gainsay::tools::zoo {
namespace psharp {

// --- liveness ---

struct Ask {};
struct Give {};
struct Pause {};

// Cold, hot while a user waits, and neither after a pause.
struct Watch {
  enum class State { served, waiting, between };
  using Observes = Messages<Ask, Give, Pause>;
  MonitorMachine<State> machine{};
  static void table(gainsay::Table<Watch>& t) {
    t.start(State::served);
    t.in(State::served).cold().go_to<Ask>(State::waiting).ignore<Give, Pause>();
    t.in(State::waiting).hot().go_to<Give>(State::served).go_to<Pause>(State::between).ignore<Ask>();
    t.in(State::between).go_to<Ask>(State::waiting).go_to<Give>(State::served).ignore<Pause>();
  }
};

struct Tick {};
enum class Says { ask, give, pause };
enum class Leaves { never, by_coin, by_choice };  // the loop

// Says one thing at each tick: first the beginning, then the loop, again and again; nothing to say ends it.
struct Teller {
  using Receives = Messages<Tick>;
  std::vector<std::vector<Says>> beginning{};
  std::vector<std::vector<Says>> loop{};
  Leaves leaves = Leaves::never;
  std::uint32_t at = 0;
  void on(const Tick&, Context& ctx) {
    const bool begins = at < beginning.size();
    const std::size_t place = begins ? at : at - beginning.size();
    for (const Says what : begins ? beginning[place] : loop[place]) {
      if (what == Says::ask) ctx.notify<Watch>(Ask{});
      if (what == Says::give) ctx.notify<Watch>(Give{});
      if (what == Says::pause) ctx.notify<Watch>(Pause{});
    }
    const bool left =
        leaves == Leaves::by_coin ? ctx.flip() : leaves == Leaves::by_choice && ctx.choose(2) == 1;
    if (left) return ctx.notify<Watch>(Give{});
    ++at;
    if (at == beginning.size() + loop.size()) at = static_cast<std::uint32_t>(beginning.size());
    if (at < beginning.size() || !loop.empty()) ctx.send(ctx.self(*this), Tick{});
  }
};

// --- transitions ---

struct Go {};
struct Late {};
struct Deep {};
struct Raise {};
struct Own {};

struct Subject {
  enum class State { first, second, above };
  using Receives = Messages<Go, Late, Deep, Raise, Halt>;
  Machine<State> machine{};
  std::string log{};
  static void table(gainsay::Table<Subject>& t) {
    t.start(State::first);
    t.in(State::first)
        .entry([](Subject& s) { s.log += "enter1 "; })
        .exit([](Subject& s) { s.log += "leave1 "; })
        .go_to<Go>(State::second, [](Subject& s) { s.log += "go "; })
        .defer<Late>()
        .ignore<Deep>()
        .on<Raise>([](Subject& s, Context& ctx) {
          ctx.raise(Own{});
          s.log += "raised ";
        })
        .go_to<Own>(State::second);
    t.in(State::second)
        .entry([](Subject& s) { s.log += "enter2 "; })
        .exit([](Subject& s) { s.log += "leave2 "; })
        .on<Late>([](Subject& s) { s.log += "late "; })
        .push<Deep>(State::above)
        .go_to<Go>(State::second);
    t.in(State::above)
        .entry([](Subject& s) { s.log += "enter3 "; })
        .exit([](Subject& s) { s.log += "leave3 "; })
        .pop<Deep>();
  }
};

// --- programs ---

struct Program {
  const char* kind;
  const char* name;
  const char* answer;  // P#'s: "none", "at the end", "for ever", "unhandled"
  std::function<void(World&)> body;
};

Program teller(const char* name, const char* answer, const std::vector<Teller>& tellers) {
  return {"liveness", name, answer, [tellers](World& world) {
            world.order(Delivery::mailbox);
            world.monitor<Watch>("watch");
            for (std::size_t i = 0; i < tellers.size(); ++i)
              world.send(world.spawn("teller." + std::to_string(i), tellers[i]), Tick{});
          }};
}

template <class... Events>
Program subject(const char* name, const char* answer, const std::string& log, Events... events) {
  return {"transitions", name, answer, [=](World& world) {
            world.order(Delivery::fifo);
            const auto machine = world.spawn<Subject>("machine");
            (world.send(machine, events), ...);
            world.finally("what P# does", [=](View v) -> Complaint {
              return v[machine].log == log ? Complaint{} : Complaint("it did " + v[machine].log);
            });
          }};
}

std::vector<Program> programs() {
  const auto ask = Says::ask, give = Says::give, pause = Says::pause;
  return {
      teller("hot where the program ends", "at the end", {{.beginning = {{ask}}}}),
      teller("cold where the program ends", "none", {{.beginning = {{ask, give}}}}),
      teller("warm where the program ends", "none", {{.beginning = {{ask, pause}}}}),
      teller("a loop that is hot and cold in turn", "none", {{.loop = {{ask}, {give}}}}),
      teller("a loop that stays hot", "for ever", {{.beginning = {{ask}}, .loop = {{}}}}),
      teller("a loop that is hot and warm in turn, never cold", "for ever", {{.loop = {{ask}, {pause}}}}),
      teller("a loop that stays warm", "none", {{.beginning = {{ask, pause}}, .loop = {{}}}}),
      teller("a loop that is hot within its steps and warm after them", "for ever",
             {{.loop = {{ask, pause}}}}),
      teller("a hot loop that a fair coin ends", "none",
             {{.beginning = {{ask}}, .loop = {{}}, .leaves = Leaves::by_coin}}),
      teller("a hot loop that an adversary may end", "for ever",
             {{.beginning = {{ask}}, .loop = {{}}, .leaves = Leaves::by_choice}}),
      teller("a hot loop beside a server that serves again and again", "none",
             {{.beginning = {{ask}}, .loop = {{}}}, {.loop = {{give}}}}),
      teller("a hot loop beside a server that may serve too early", "for ever",
             {{.beginning = {{ask}}, .loop = {{}}}, {.beginning = {{give}}}}),
      subject("exit, action and entry, in this order", "none", "enter1 leave1 go enter2 ", Go{}),
      subject("a transition to the same state leaves and enters it", "none",
              "enter1 leave1 go enter2 leave2 enter2 ", Go{}, Go{}),
      subject("a deferred event waits for another state", "none", "enter1 leave1 go enter2 late ", Late{},
              Go{}),
      subject("an ignored event is dropped", "none", "enter1 leave1 go enter2 ", Deep{}, Go{}),
      subject("a raised event comes before all that is in the queue", "none",
              "enter1 raised leave1 enter2 late ", Raise{}, Late{}),
      subject("a push does not leave, a pop does not enter", "none",
              "enter1 leave1 go enter2 enter3 leave3 late ", Go{}, Deep{}, Deep{}, Late{}),
      subject("a pushed state inherits actions", "none", "enter1 leave1 go enter2 enter3 late ", Go{}, Deep{},
              Late{}),
      subject("an event that the state does not know", "unhandled", "", Go{}, Raise{}),
      subject("halt leaves all states, and later events are lost", "none",
              "enter1 leave1 go enter2 enter3 leave3 leave2 ", Go{}, Deep{}, Halt{}, Late{}),
  };
}

std::string answer_of(const std::vector<FoundViolation>& violations) {
  if (violations.empty()) return "none";
  const Violation& violation = violations[0].violation;
  if (violation.property == "unhandled message") return "unhandled";
  if (violation.property != "watch") return violation.property;
  if (violation.is_suspicion()) return "suspected";
  return violation.loop_from == no_step ? "at the end" : "for ever";
}

}  // namespace psharp

namespace {

Rows measure_verdicts(const ExperimentHow& how) {
  Rows rows = Rows::array();
  for (const psharp::Program& program : psharp::programs()) {
    if (how.stopped()) return rows;
    const Scenario scenario = Scenario::of("psharp", program.body);
    ExploreOptions exploring;
    exploring.fairness = FairnessKind::actor;
    HuntOptions hunting;
    hunting.strategy = "random";
    hunting.fairness = FairnessKind::actor;
    hunting.runs = 20;
    hunting.steps_max = 1200;
    hunting.keep_going = true;
    HuntOptions searching = hunting;
    searching.strategy = "dfs";
    searching.runs = 5000;
    rows.push_back({{"kind", program.kind},
                    {"program", program.name},
                    {"psharp", program.answer},
                    {"explore", psharp::answer_of(explore(scenario, {}, exploring).violations)},
                    {"random", psharp::answer_of(hunt(scenario, {}, hunting).violations)},
                    {"dfs", psharp::answer_of(hunt(scenario, {}, searching).violations)}});
  }
  return rows;
}

Rendered render_verdicts(const Rows& rows) {
  std::vector<std::vector<std::string>> cells = {
      {"about", "program", "P#", "`explore`", "`random`", "`dfs`"}};
  std::vector<std::string> differences;
  for (const Rows& row : rows) {
    cells.emplace_back();
    for (const char* column : {"kind", "program", "psharp", "explore", "random", "dfs"})
      cells.back().push_back(row[column].get<std::string>());
    for (const char* how : {"explore", "random", "dfs"}) {
      if (row[how] != row["psharp"])
        differences.push_back(fmt::format("`{}` in \"{}\" ({})", how, row["program"].get<std::string>(),
                                          row[how].get<std::string>()));
    }
  }
  return {
      "The programs are our own, as small as the question that a test of P# asks, and P#'s answers are what "
      "its "
      "rules say; P# was not run. *At the end*: a monitor is hot where the program ends; *for ever*: a fair "
      "cycle on which it is never cold; *unhandled*: the event is an error. Fairness is P#'s (`--fairness "
      "actor`). "
      "Of the transitions \"none\" means that all that the machine did, in its order, is what P# "
      "promises.\n\n" +
          markdown_table(cells) +
          fmt::format(
              "\nOf {} verdicts {} are P#'s{}\n", 3 * rows.size(), 3 * rows.size() - differences.size(),
              differences.empty()
                  ? "."
                  : fmt::format("; others: {}. A random walk would have to choose to go on for hundreds "
                                "of steps: it never does, and what it did not see is no proof.",
                                fmt::join(differences, ", "))),
      {}};
}

const RegisterExperiment verdicts_registration{{"psharp-verdicts",
                                                "Small tests of liveness and transitions, as P# has them",
                                                &measure_verdicts, &render_verdicts}};

}  // namespace
}  // namespace gainsay::tools::zoo
