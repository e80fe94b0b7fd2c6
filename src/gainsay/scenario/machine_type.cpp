#include "gainsay/scenario/machine_type.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace gainsay {
namespace {

using Kind = MachineRow::Kind;

// What a row does, as an error message says it.
std::string_view doing(Kind kind) {
  switch (kind) {
    case Kind::none:
      break;
    case Kind::act:
      return "handled (on)";
    case Kind::go_to:
      return "handled (go_to)";
    case Kind::push:
      return "handled (push)";
    case Kind::pop:
      return "handled (pop)";
    case Kind::halt:
      return "handled (halt)";
    case Kind::defer:
      return "deferred";
    case Kind::ignore:
      return "ignored";
  }
  return "nothing";
}

bool moves(Kind kind) { return kind == Kind::go_to || kind == Kind::push; }

bool is_halt(const ValueType& event) { return &event == &reflect::value_type<Halt>(); }

}  // namespace

EventIndex MachineType::event_of(const ValueType& event) const {
  const auto found = std::find(events.begin(), events.end(), &event);
  return found == events.end() ? no_event : static_cast<EventIndex>(found - events.begin());
}

bool MachineType::defers(EventIndex event) const {
  for (StateIndex state = 0; state < states.size(); ++state) {
    if (!rows.empty() && row(state, event).kind == Kind::defer) return true;
  }
  return false;
}

bool MachineType::is_ever_hot() const {
  return std::any_of(states.begin(), states.end(),
                     [](const MachineState& state) { return state.heat == Heat::hot; });
}

MachineType::Found MachineType::find_below(const void* actor, EventIndex event) const {
  Found found;
  for (std::uint32_t level = stack.depth(actor); level-- > 0;) {
    ++found.above;
    found.owner = stack.at(actor, level);
    found.row = &row(found.owner, event);
    if (found.row->kind != Kind::none) return found;
  }
  return {};
}

bool MachineType::is_deferred(const void* actor, EventIndex event) const {
  const MachineRow* const found = find(actor, event).row;
  return found != nullptr && found->kind == Kind::defer;
}

std::string transition_text(const MachineType& type, const MachineTransition& transition) {
  const std::string_view from = type.states[transition.from].name;
  const std::string_view to = type.states[transition.to].name;
  const std::string on = transition.event == nullptr ? "" : fmt::format(" on {}", transition.event->name);
  switch (transition.kind) {
    case Kind::go_to:
      return fmt::format("{}{} -> {}", from, on, to);
    case Kind::push:
      return fmt::format("{}{} pushes {}", from, on, to);
    case Kind::pop:
      return fmt::format("{}{} pops", from, on);
    case Kind::halt:
      return fmt::format("{}{} halts", from, on);
    case Kind::ignore:
      return fmt::format("{} ignores {}", from, transition.event->name);
    default:
      return fmt::format("{}{}", from, on);
  }
}

MachineBuilder::MachineBuilder(MachineType& type, std::span<const std::string_view> state_names,
                               std::vector<const ValueType*> received)
    : type_(type), received_(received.size()) {
  type_.events = std::move(received);
  for (const std::string_view name : state_names) {
    type_.states.emplace_back();
    type_.states.back().name = name;
  }
  while (!type_.states.empty() && type_.states.back().name.empty()) type_.states.pop_back();
  if (type_.states.empty())
    problem("its enum of states has no enumerator with a value from 0 to 63; give it at least one");
}

std::string MachineBuilder::state_text(StateIndex state) const {
  if (state < type_.states.size() && !type_.states[state].name.empty())
    return fmt::format("'{}'", type_.states[state].name);
  return fmt::format("number {}", state);
}

void MachineBuilder::problem(std::string text) {
  type_.problems.push_back(fmt::format("machine '{}': {}", type_.name, text));
}

bool MachineBuilder::known(StateIndex state, const char* what) {
  if (state < type_.states.size() && !type_.states[state].name.empty()) return true;
  problem(fmt::format("{} names state {}, which is not an enumerator of its states (0 to 63)", what,
                      state_text(state)));
  return false;
}

void MachineBuilder::start(StateIndex state) {
  if (!known(state, "start")) return;
  if (started_)
    problem(fmt::format("two start states, {} and {}; a machine has one", state_text(type_.start),
                        state_text(state)));
  started_ = true;
  type_.start = state;
}

void MachineBuilder::describe(StateIndex state) {
  if (known(state, "in")) type_.states[state].described = true;
}

void MachineBuilder::entry(StateIndex state, MachineAction action) {
  if (state >= type_.states.size()) return;
  if (type_.states[state].entry) problem(fmt::format("state {} has two entry actions", state_text(state)));
  type_.states[state].entry = action;
}

void MachineBuilder::exit(StateIndex state, MachineAction action) {
  if (state >= type_.states.size()) return;
  if (type_.states[state].exit) problem(fmt::format("state {} has two exit actions", state_text(state)));
  type_.states[state].exit = action;
}

void MachineBuilder::heat(StateIndex state, Heat heat, std::string_view awaits) {
  if (state >= type_.states.size()) return;
  if (std::find(with_heat_.begin(), with_heat_.end(), state) != with_heat_.end())
    problem(fmt::format("state {} is said to be hot or cold twice", state_text(state)));
  with_heat_.push_back(state);
  type_.states[state].heat = heat;
  type_.states[state].awaits = awaits;
}

void MachineBuilder::row(StateIndex state, const ValueType& event, MachineRow row) {
  if (state >= type_.states.size()) return;
  if (moves(row.kind) && !known(row.target, row.kind == Kind::push ? "push" : "go_to")) return;
  EventIndex index = type_.event_of(event);
  if (index == MachineType::no_event) {
    index = static_cast<EventIndex>(type_.events.size());
    type_.events.push_back(&event);
  }
  const auto twice = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.state == state && entry.event == index;
  });
  if (twice != entries_.end()) {
    problem(twice->row.kind == row.kind
                ? fmt::format("in state {}, {} is {} twice; remove one", state_text(state), event.name,
                              doing(row.kind))
                : fmt::format("in state {}, {} is both {} and {}; keep one of them", state_text(state),
                              event.name, doing(twice->row.kind), doing(row.kind)));
    return;
  }
  entries_.push_back({state, index, std::move(row)});
}

void MachineBuilder::may_go_to(StateIndex state, StateIndex target) {
  if (state >= type_.states.size() || !known(target, "may_go_to")) return;
  type_.states[state].may_go_to.push_back(target);
}

void MachineBuilder::may_push(StateIndex state, StateIndex target) {
  if (state >= type_.states.size() || !known(target, "may_push")) return;
  type_.states[state].may_push.push_back(target);
}

void MachineBuilder::finish() {
  type_.rows.assign(type_.states.size() * type_.events.size(), {});
  for (Entry& entry : entries_)
    type_.rows[entry.state * type_.events.size() + entry.event] = std::move(entry.row);
  entries_.clear();
  number_items();
  if (!started_) {
    problem("it has no start state; add t.start(State::...)");
    return;
  }
  check_targets();
  check_reachable();
  check_pops();
  check_received();
  check_heat();
}

void MachineBuilder::number_items() {
  const std::uint32_t first = type_.first_transition_item();
  const auto add = [&](const MachineTransition& transition) {
    type_.transitions.push_back(transition);
    return first + static_cast<std::uint32_t>(type_.transitions.size() - 1);
  };
  for (StateIndex state = 0; state < type_.states.size(); ++state) {
    for (EventIndex event = 0; event < type_.events.size(); ++event) {
      MachineRow& row = type_.rows[state * type_.events.size() + event];
      if (row.kind == Kind::none || row.kind == Kind::defer) continue;
      row.item = add({state, type_.events[event], row.kind, moves(row.kind) ? row.target : state});
    }
    MachineState& described = type_.states[state];
    for (const StateIndex to : described.may_go_to)
      described.may_go_to_items.push_back(add({state, nullptr, Kind::go_to, to}));
    for (const StateIndex to : described.may_push)
      described.may_push_items.push_back(add({state, nullptr, Kind::push, to}));
  }
}

void MachineBuilder::check_targets() {
  if (!type_.states[type_.start].described)
    problem(fmt::format("it starts in state {0}, which the table does not describe; add t.in(State::...)",
                        state_text(type_.start)));
  for (const MachineTransition& transition : type_.transitions) {
    if (moves(transition.kind) && !type_.states[transition.to].described)
      problem(fmt::format("{}: the table does not describe state {}; add t.in(State::...)",
                          transition_text(type_, transition), state_text(transition.to)));
  }
}

void MachineBuilder::check_reachable() {
  std::vector<bool> reached(type_.states.size(), false);
  std::vector<StateIndex> todo = {type_.start};
  reached[type_.start] = true;
  while (!todo.empty()) {
    const StateIndex state = todo.back();
    todo.pop_back();
    for (const MachineTransition& transition : type_.transitions) {
      if (transition.from != state || !moves(transition.kind) || reached[transition.to]) continue;
      reached[transition.to] = true;
      todo.push_back(transition.to);
    }
  }
  for (StateIndex state = 0; state < type_.states.size(); ++state) {
    if (type_.states[state].name.empty() || reached[state]) continue;
    problem(
        fmt::format("state {} cannot be reached from the start state {}; add a go_to, push, may_go_to or "
                    "may_push that leads to it, or remove it",
                    state_text(state), state_text(type_.start)));
  }
}

// A state can be popped if it was pushed, or took the place of one that was.
void MachineBuilder::check_pops() {
  bool grown = true;
  while (grown) {
    grown = false;
    for (const MachineTransition& transition : type_.transitions) {
      const bool lifts = transition.kind == Kind::push ||
                         (transition.kind == Kind::go_to && type_.states[transition.from].can_be_pushed);
      if (!lifts || type_.states[transition.to].can_be_pushed) continue;
      type_.states[transition.to].can_be_pushed = true;
      grown = true;
    }
  }
  for (const MachineTransition& transition : type_.transitions) {
    if (transition.kind == Kind::pop && !type_.states[transition.from].can_be_pushed)
      problem(fmt::format("{}, but nothing ever pushes this state", transition_text(type_, transition)));
  }
}

void MachineBuilder::check_received() {
  for (EventIndex event = 0; event < received_; ++event) {
    if (is_halt(*type_.events[event])) continue;
    bool mentioned = false;
    for (StateIndex state = 0; state < type_.states.size(); ++state)
      mentioned = mentioned || type_.row(state, event).kind != Kind::none;
    if (!mentioned)
      problem(
          fmt::format("it receives {0}, but no state handles, defers or ignores it; add {0} to a state, or "
                      "remove it from `Receives`",
                      type_.events[event]->name));
  }
}

// Monitors are told of things and can neither keep them waiting nor stop listening; other machines have no heat.
void MachineBuilder::check_heat() {
  if (!type_.monitor) {
    for (const StateIndex state : with_heat_)
      problem(fmt::format("state {} is hot or cold, but the machine is not a monitor", state_text(state)));
    return;
  }
  for (StateIndex state = 0; state < type_.states.size(); ++state) {
    for (EventIndex event = 0; event < type_.events.size(); ++event) {
      const Kind kind = type_.row(state, event).kind;
      if (kind == Kind::defer)
        problem(fmt::format("state {} defers {}, but a monitor cannot defer events", state_text(state),
                            type_.events[event]->name));
      if (kind == Kind::halt)
        problem(fmt::format("state {} halts on {}, but a monitor cannot halt; ignore the events instead",
                            state_text(state), type_.events[event]->name));
    }
  }
}

void MachineRows::add(const ValueType& event, const MachineRow& row) {
  for (const StateIndex state : states_) builder_->row(state, event, row);
}
void MachineRows::add_entry(const MachineAction& action) {
  for (const StateIndex state : states_) builder_->entry(state, action);
}
void MachineRows::add_exit(const MachineAction& action) {
  for (const StateIndex state : states_) builder_->exit(state, action);
}
void MachineRows::add_heat(Heat heat, std::string_view awaits) {
  for (const StateIndex state : states_) builder_->heat(state, heat, awaits);
}
void MachineRows::add_may_go_to(std::span<const StateIndex> targets) {
  for (const StateIndex state : states_) {
    for (const StateIndex target : targets) builder_->may_go_to(state, target);
  }
}
void MachineRows::add_may_push(std::span<const StateIndex> targets) {
  for (const StateIndex state : states_) {
    for (const StateIndex target : targets) builder_->may_push(state, target);
  }
}

}  // namespace gainsay
