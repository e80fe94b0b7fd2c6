// MachineType: a machine's table as plain data, type-erased: states, events, what each event does in each
// state.
//
// A state and an event select one row by two indices; that is all a dispatch looks up. The builder collects
// the rows that a user's `table` function gives (scenario/machine.hpp), checks them, and numbers what a
// campaign can cover. It never throws: what is wrong with a table is kept in `problems` and reported when a
// world is built with it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gainsay/base/value_type.hpp"

namespace gainsay {

class Context;

// How a liveness monitor feels: something still has to happen (hot), what had to happen has happened (cold), or neither
// (warm). An endless fair execution is wrong if the monitor is hot again and again and cold only a finite number of
// times.
enum class Heat : std::uint8_t { cold, warm, hot };

// The states a machine is in: the one on top, and those that it was pushed upon. A plain value like any other
// field; the table of the machine says in which state it starts.
template <class S> struct Machine {
  static_assert(std::is_enum_v<S>, "gainsay: the states of a machine must be an enum class");
  using State = S;

  S state{};
  std::vector<S> below{};  // the lowest first; empty unless something was pushed
};

// Unless a state says otherwise, this event makes a machine leave all its states and halt.
struct Halt {};

// A function of the actor, the event and the Context, and nothing else. What it calls is a pointer to a function or to
// a member function, kept as bytes: a std::function for each action is what would take long to compile.
class MachineAction {
 public:
  using Call = void (*)(const std::byte* bound, void* actor, const void* event, Context& context);

  MachineAction() = default;
  template <class F> MachineAction(Call call, const F& bound) : call_(call) {
    static_assert(std::is_trivially_copyable_v<F> && sizeof(F) <= sizeof(bound_),
                  "gainsay: an action may not capture anything; use the actor's fields");
    std::memcpy(bound_, &bound, sizeof(F));
  }
  // What was bound, in the call.
  template <class F> static F unbound(const std::byte* bound) {
    std::array<std::byte, sizeof(F)> bytes;
    std::memcpy(bytes.data(), bound, sizeof(F));
    return std::bit_cast<F>(bytes);
  }

  explicit operator bool() const { return call_ != nullptr; }
  void operator()(void* actor, const void* event, Context& context) const {
    call_(bound_, actor, event, context);
  }

 private:
  Call call_ = nullptr;
  alignas(void*) std::byte bound_[16] = {};
};
using StateIndex = std::uint32_t;
using EventIndex = std::uint32_t;

struct MachineRow {
  enum class Kind : std::uint8_t { none, act, go_to, push, pop, halt, defer, ignore };

  Kind kind = Kind::none;
  StateIndex target = 0;   // of go_to and push
  MachineAction action;    // act; go_to, pop and halt: optional
  std::uint32_t item = 0;  // what is covered when it is taken
};

struct MachineState {
  std::string_view name;  // empty: no enumerator has this value
  bool described = false;
  bool can_be_pushed = false;  // some other state may lie below it
  Heat heat = Heat::warm;      // of monitors
  std::string awaits;          // of a hot state: what still has to happen; may be empty
  MachineAction entry;
  MachineAction exit;
  std::vector<StateIndex> may_go_to;  // by ctx.go_to, in the order in which they were declared
  std::vector<StateIndex> may_push;   // by ctx.push
  std::vector<std::uint32_t> may_go_to_items;
  std::vector<std::uint32_t> may_push_items;
};

// One arrow of the diagram, one item of the coverage.
struct MachineTransition {
  StateIndex from = 0;
  const ValueType* event = nullptr;  // null: by ctx.go_to or ctx.push
  MachineRow::Kind kind = MachineRow::Kind::none;
  StateIndex to = 0;  // `from` where the state stays
};

struct MachineType {
  // How the state stack of an actor is read and written.
  struct Stack {
    std::uint32_t (*depth)(const void* actor) = nullptr;                 // how many states lie below the top
    StateIndex (*at)(const void* actor, std::uint32_t level) = nullptr;  // 0: the lowest, depth: the top
    StateIndex (*top)(const void* actor) = nullptr;
    void (*replace)(void* actor, StateIndex state) = nullptr;  // the top
    void (*push)(void* actor, StateIndex state) = nullptr;
    void (*pop)(void* actor) = nullptr;
  };

  static constexpr EventIndex no_event = ~EventIndex{0};

  std::string_view name;
  std::string_view full_name;
  std::uint64_t state_type = 0;          // names the enum
  std::vector<const ValueType*> events;  // what it receives, in that order; then what it only raises
  std::vector<MachineState> states;      // by the enumerator's value
  StateIndex start = 0;
  std::vector<MachineRow> rows;  // of (state, event) at state * events.size() + event
  std::vector<MachineTransition> transitions;
  std::vector<std::string> problems;  // what is wrong with the table; a machine with problems never runs
  bool monitor = false;               // it watches: nothing can wait for it, and it does not halt
  Stack stack;

  const MachineRow& row(StateIndex state, EventIndex event) const {
    return rows[state * events.size() + event];
  }
  EventIndex event_of(const ValueType& type) const;  // `no_event`: the table does not know it
  bool defers(EventIndex event) const;               // in some state
  bool is_ever_hot() const;                          // some state is
  const MachineState& state_of(const void* actor) const { return states[stack.top(actor)]; }
  // Whether the actor, as it is now, keeps this event waiting.
  bool is_deferred(const void* actor, EventIndex event) const;
  // The row that handles the event: of the highest state that says anything about it. Null: none does.
  struct Found {
    const MachineRow* row = nullptr;
    StateIndex owner = 0;     // that state
    std::uint32_t above = 0;  // so many states stand upon it
  };
  Found find(const void* actor, EventIndex event) const {
    const StateIndex top = stack.top(actor);
    const MachineRow& its = row(top, event);
    return its.kind != MachineRow::Kind::none ? Found{&its, top, 0} : find_below(actor, event);
  }
  // The same where the top state says nothing.
  Found find_below(const void* actor, EventIndex event) const;

  // Items of the coverage: states by their value, then events, then transitions.
  std::uint32_t event_item(EventIndex event) const {
    return static_cast<std::uint32_t>(states.size()) + event;
  }
  std::uint32_t first_transition_item() const {
    return static_cast<std::uint32_t>(states.size() + events.size());
  }
  std::size_t items() const { return first_transition_item() + transitions.size(); }
};

// "follower on Timeout -> candidate", "leader ignores Timeout", ...
std::string transition_text(const MachineType& type, const MachineTransition& transition);

class MachineBuilder {
 public:
  MachineBuilder(MachineType& type, std::span<const std::string_view> state_names,
                 std::vector<const ValueType*> received);

  void start(StateIndex state);
  void describe(StateIndex state);
  void entry(StateIndex state, MachineAction action);
  void exit(StateIndex state, MachineAction action);
  void heat(StateIndex state, Heat heat, std::string_view awaits);
  void row(StateIndex state, const ValueType& event, MachineRow row);
  void may_go_to(StateIndex state, StateIndex target);
  void may_push(StateIndex state, StateIndex target);
  // Orders the rows by state and event, numbers the items, looks for mistakes.
  void finish();

 private:
  struct Entry {
    StateIndex state = 0;
    EventIndex event = 0;
    MachineRow row;
  };

  bool known(StateIndex state, const char* what);
  std::string state_text(StateIndex state) const;
  void problem(std::string text);
  void check_targets();
  void check_reachable();
  void check_pops();
  void check_received();
  void check_heat();
  void number_items();

  MachineType& type_;
  std::size_t received_;
  std::vector<Entry> entries_;
  std::vector<StateIndex> with_heat_;  // the table says of them that they are hot or cold
  bool started_ = false;
};

// What a table says of several states at once.
class MachineRows {
 protected:
  MachineRows(MachineBuilder& builder, std::vector<StateIndex> states)
      : builder_(&builder), states_(std::move(states)) {}

  void add(const ValueType& event, const MachineRow& row);
  void add_entry(const MachineAction& action);
  void add_exit(const MachineAction& action);
  void add_heat(Heat heat, std::string_view awaits);
  void add_may_go_to(std::span<const StateIndex> targets);
  void add_may_push(std::span<const StateIndex> targets);

 private:
  MachineBuilder* builder_;
  std::vector<StateIndex> states_;
};

}  // namespace gainsay
