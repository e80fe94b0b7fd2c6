#include "gainsay/report/diagram.hpp"

#include <vector>

#include <fmt/format.h>

namespace gainsay {
namespace {

using Kind = MachineRow::Kind;

// Names of events may be those of templates.
std::string mermaid_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "#lt;";
    } else if (c == '>') {
      out += "#gt;";
    } else if (c == ':' || c == ';') {
      out += ' ';
    } else {
      out += c;
    }
  }
  return out;
}

std::string dot_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// What stands inside a state: its entry and exit, and what events do there that lead to no other state.
std::vector<std::string> inside(const MachineType& machine, StateIndex state) {
  std::vector<std::string> lines;
  if (machine.states[state].entry) lines.emplace_back("entry");
  if (machine.states[state].exit) lines.emplace_back("exit");
  for (EventIndex event = 0; event < machine.events.size(); ++event) {
    const std::string_view name = machine.events[event]->name;
    switch (machine.row(state, event).kind) {
      case Kind::act:
        lines.push_back(fmt::format("on {}", name));
        break;
      case Kind::pop:
        lines.push_back(fmt::format("pops on {}", name));
        break;
      case Kind::defer:
        lines.push_back(fmt::format("defers {}", name));
        break;
      case Kind::ignore:
        lines.push_back(fmt::format("ignores {}", name));
        break;
      default:
        break;
    }
  }
  return lines;
}

std::string arrow_label(const MachineTransition& transition) {
  const std::string event(transition.event == nullptr ? "" : transition.event->name);
  if (transition.kind == Kind::push) return event.empty() ? "push" : "push on " + event;
  if (transition.kind == Kind::halt) return "halt on " + event;
  return event;
}

bool is_arrow(const MachineTransition& transition) {
  return transition.kind == Kind::go_to || transition.kind == Kind::push || transition.kind == Kind::halt;
}

std::string mermaid(const MachineType& machine) {
  std::string out = fmt::format("%% {}\nstateDiagram-v2\n  [*] --> {}\n", machine.full_name,
                                machine.states[machine.start].name);
  for (StateIndex state = 0; state < machine.states.size(); ++state) {
    if (!machine.states[state].described) continue;
    out += fmt::format("  {}\n", machine.states[state].name);
    for (const std::string& line : inside(machine, state))
      out += fmt::format("  {} : {}\n", machine.states[state].name, mermaid_text(line));
  }
  for (const MachineTransition& transition : machine.transitions) {
    if (!is_arrow(transition)) continue;
    const std::string label = arrow_label(transition);
    out += fmt::format("  {} --> {}{}{}\n", machine.states[transition.from].name,
                       transition.kind == Kind::halt ? "[*]" : machine.states[transition.to].name,
                       label.empty() ? "" : " : ", mermaid_text(label));
  }
  return out;
}

std::string dot(const MachineType& machine) {
  std::string out =
      fmt::format("digraph {} {{\n  node [shape=box, style=rounded];\n  \"(start)\" [shape=point];\n",
                  dot_quoted(machine.full_name));
  bool halts = false;
  for (StateIndex state = 0; state < machine.states.size(); ++state) {
    if (!machine.states[state].described) continue;
    // A line feed in a label is written \n, which quoting would spoil.
    std::string label(machine.states[state].name);
    for (const std::string& line : inside(machine, state)) label += "\n" + line;
    std::string quoted_label = dot_quoted(label);
    for (std::size_t at = 0; (at = quoted_label.find('\n', at)) != std::string::npos;)
      quoted_label.replace(at, 1, "\\n");
    out += fmt::format("  {} [label={}];\n", dot_quoted(machine.states[state].name), quoted_label);
  }
  for (const MachineTransition& transition : machine.transitions)
    halts = halts || transition.kind == Kind::halt;
  if (halts) out += "  \"(halt)\" [shape=doublecircle, label=\"\", width=0.15];\n";
  out += fmt::format("  \"(start)\" -> {};\n", dot_quoted(machine.states[machine.start].name));
  for (const MachineTransition& transition : machine.transitions) {
    if (!is_arrow(transition)) continue;
    out += fmt::format(
        "  {} -> {} [label={}{}];\n", dot_quoted(machine.states[transition.from].name),
        transition.kind == Kind::halt ? "\"(halt)\"" : dot_quoted(machine.states[transition.to].name),
        dot_quoted(arrow_label(transition)), transition.kind == Kind::push ? ", style=dashed" : "");
  }
  return out + "}\n";
}

}  // namespace

std::string machine_diagram(const MachineType& machine, DiagramFormat format) {
  return format == DiagramFormat::dot ? dot(machine) : mermaid(machine);
}

}  // namespace gainsay
