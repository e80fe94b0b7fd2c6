#include "gainsay/scenario/machine_run.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/value_type.hpp"
#include "gainsay/scenario/context.hpp"

namespace gainsay {
namespace {

using Kind = MachineRow::Kind;

// A machine that raises one event after another never comes to rest.
constexpr std::uint32_t most_raised_in_a_step = 10'000;

// An event that a machine raises: mostly a few bytes, which need no place of their own.
class RaisedEvent {
 public:
  RaisedEvent() = default;
  RaisedEvent(RaisedEvent&& other) noexcept
      : type_(std::exchange(other.type_, nullptr)), large_(std::move(other.large_)) {
    std::memcpy(small_, other.small_, sizeof(small_));
  }
  RaisedEvent& operator=(RaisedEvent&&) = delete;
  ~RaisedEvent() = default;

  void set(const ValueType& type, const void* event) {
    type_ = &type;
    if (is_small()) {
      std::memcpy(small_, event, type.size);
    } else {
      large_ = AnyValue(type, event);
    }
  }
  const ValueType& type() const { return *type_; }
  const void* data() const { return is_small() ? small_ : large_.data(); }

 private:
  bool is_small() const {
    return type_->trivial && type_->size <= sizeof(small_) && type_->alignment <= alignof(std::max_align_t);
  }

  const ValueType* type_ = nullptr;
  alignas(std::max_align_t) std::byte small_[32];
  AnyValue large_;
};

}  // namespace

class MachineRun final : public MachinePort {
 public:
  MachineRun(const MachineType& type, void* actor, Context& context)
      : type_(type), actor_(actor), context_(context), marks_(context.port_->coverage_of(type)) {
    context_.machine_ = this;
  }
  ~MachineRun() { context_.machine_ = nullptr; }
  MachineRun(const MachineRun&) = delete;
  MachineRun& operator=(const MachineRun&) = delete;

  void start() {
    if (!usable()) return;
    enter();
    settle();
  }
  void receive(EventIndex event, const void* message) {
    if (!usable()) return;
    covered(top());
    dispatch(event, message);
    settle();
  }

  void raise(const ValueType& type, const void* event) override {
    if (ask(Wish::raise, "raise")) raised_.set(type, event);
  }
  void go_to(std::uint64_t state_type, StateIndex state) override {
    if (ask(Wish::go_to, "go_to")) set_target(state_type, state);
  }
  void push(std::uint64_t state_type, StateIndex state) override {
    if (ask(Wish::push, "push")) set_target(state_type, state);
  }
  void pop() override { ask(Wish::pop, "pop"); }
  void halted() override { over_ = true; }

 private:
  enum class Wish : std::uint8_t { none, raise, go_to, push, pop };

  StateIndex top() const { return type_.stack.top(actor_); }
  std::string_view name(StateIndex state) const { return type_.states[state].name; }
  void covered(std::uint32_t item) {
    if (marks_ != nullptr) marks_[item] = 1;
  }
  // Who complains, and where: "server.2 (Server) in state 'leader'".
  std::string whoami() const {
    std::string text = fmt::format("{} ({}) in state '{}'", context_.port_->name_of(context_.self()),
                                   type_.name, name(top()));
    for (std::uint32_t level = type_.stack.depth(actor_); level-- > 0;)
      text += fmt::format("{} '{}'", level + 1 == type_.stack.depth(actor_) ? " upon" : ",",
                          name(type_.stack.at(actor_, level)));
    return text;
  }
  void complain(const char* property, std::string message) {
    over_ = true;
    context_.port_->fail_as(property, std::move(message));
  }
  // Tables are checked when a world is built; a machine that only a handler spawns is first met here.
  bool usable() {
    if (!type_.problems.empty()) complain("bad table", type_.problems.front());
    return !over_;
  }

  bool ask(Wish wish, const char* what) {
    if (leaving_) {
      complain(
          "bad transition",
          fmt::format(
              "{} calls ctx.{} while a state is being left; exit actions and go_to actions cannot do this",
              whoami(), what));
      return false;
    }
    if (wish_ != Wish::none) {
      complain("bad transition", fmt::format("{} calls ctx.{} after ctx.{} in one action; an action may call "
                                             "only one of raise, go_to, push and pop",
                                             whoami(), what, wish_name_));
      return false;
    }
    wish_ = wish;
    wish_name_ = what;
    return true;
  }
  void set_target(std::uint64_t state_type, StateIndex state) {
    target_ = state;
    if (state_type != type_.state_type) {
      complain("bad transition",
               fmt::format("{} calls ctx.{} with a state of another machine", whoami(), wish_name_));
    } else if (!declared(owner_) && !declared(top())) {
      complain("bad transition",
               fmt::format("{} calls ctx.{} with a state that its table does not declare; add may_{}({}) to "
                           "this state",
                           whoami(), wish_name_, wish_name_,
                           state < type_.states.size() ? name(state) : std::string_view("...")));
    }
  }
  // Whether the table says that `state` may lead to the target; remembers the item that this covers.
  bool declared(StateIndex state) {
    const MachineState& from = type_.states[state];
    const auto& targets = wish_ == Wish::push ? from.may_push : from.may_go_to;
    const auto& items = wish_ == Wish::push ? from.may_push_items : from.may_go_to_items;
    const auto found = std::find(targets.begin(), targets.end(), target_);
    if (found == targets.end()) return false;
    target_item_ = items[static_cast<std::size_t>(found - targets.begin())];
    return true;
  }

  void act(const MachineAction& action, const void* event, StateIndex owner) {
    owner_ = owner;
    if (action) action(actor_, event, context_);
  }
  void enter() {
    covered(top());
    act(type_.states[top()].entry, nullptr, top());
  }
  // Runs the exit of the top state, and the action of the go_to that leaves it.
  void leave(const MachineAction* then, const void* event) {
    leaving_ = true;
    act(type_.states[top()].exit, nullptr, top());
    if (then != nullptr && !over_) act(*then, event, top());
    leaving_ = false;
  }

  void dispatch(EventIndex event, const void* message) {
    covered(type_.event_item(event));
    const auto [row, owner, above] = type_.find(actor_, event);
    if (row == nullptr) {
      unhandled(*type_.events[event]);
      return;
    }
    if (row->kind != Kind::defer) covered(row->item);
    switch (row->kind) {
      case Kind::act:
        act(row->action, message, owner);
        return;
      case Kind::ignore:
        return;
      case Kind::defer:  // pending events wait outside; so this one was raised
        complain("bad transition",
                 fmt::format("{} raises {}, which state '{}' defers; a raised event cannot wait", whoami(),
                             type_.events[event]->name, name(owner)));
        return;
      default:
        break;
    }
    // States above the one that moves are left: they had nothing to say about this event.
    for (std::uint32_t left = 0; left < above && !over_; ++left) {
      leave(nullptr, nullptr);
      if (!over_) type_.stack.pop(actor_);
    }
    if (!over_) move(*row, message);
  }

  void move(const MachineRow& row, const void* message) {
    switch (row.kind) {
      case Kind::go_to:
        go(row.target, &row.action, message);
        return;
      case Kind::push:
        type_.stack.push(actor_, row.target);
        enter();
        return;
      case Kind::pop:
        act(row.action, message, top());
        if (over_) return;
        if (wish_ == Wish::none) {
          pop_top();
        } else {
          complain("bad transition", fmt::format("{} calls ctx.{} in the action of a pop, which already pops",
                                                 whoami(), wish_name_));
        }
        return;
      case Kind::halt:
        act(row.action, message, top());
        wish_ = Wish::none;
        context_.halt();
        return;
      default:
        GAINSAY_CHECK(false, "a row that moves");
    }
  }
  void go(StateIndex target, const MachineAction* action, const void* message) {
    leave(action, message);
    if (over_) return;
    type_.stack.replace(actor_, target);
    enter();
  }
  void pop_top() {
    if (type_.stack.depth(actor_) == 0) {
      complain("bad transition", fmt::format("{} pops a state that was never pushed", whoami()));
      return;
    }
    leave(nullptr, nullptr);
    if (!over_) type_.stack.pop(actor_);
  }

  // No state says anything about it.
  void unhandled(const ValueType& event) {
    if (&event != &reflect::value_type<Halt>()) {
      const std::string from = raising_ ? std::string("raised by itself")
                                        : "sent by " + context_.port_->name_of(context_.sender());
      complain("unhandled message", fmt::format("{} does not handle {} ({})", whoami(), event.name, from));
      return;
    }
    while (!over_) {
      leave(nullptr, nullptr);
      if (type_.stack.depth(actor_) == 0) break;
      type_.stack.pop(actor_);
    }
    if (!over_) context_.halt();
  }

  // Does what the actions ask for, until they ask for nothing.
  void settle() {
    std::uint32_t raised = 0;
    while (!over_ && wish_ != Wish::none) {
      if (++raised > most_raised_in_a_step) {
        complain("bad transition",
                 fmt::format("{} does not terminate: it raised events or changed states {} times in one step",
                             whoami(), most_raised_in_a_step));
        return;
      }
      const Wish wish = std::exchange(wish_, Wish::none);
      switch (wish) {
        case Wish::raise: {
          const RaisedEvent event = std::move(raised_);
          const EventIndex index = type_.event_of(event.type());
          raising_ = true;
          if (index == MachineType::no_event) {
            unhandled(event.type());
          } else {
            dispatch(index, event.data());
          }
          break;
        }
        case Wish::go_to:
          covered(target_item_);
          go(target_, nullptr, nullptr);
          break;
        case Wish::push:
          covered(target_item_);
          type_.stack.push(actor_, target_);
          enter();
          break;
        case Wish::pop:
          pop_top();
          break;
        case Wish::none:
          break;
      }
    }
  }

  const MachineType& type_;
  void* actor_;
  Context& context_;
  std::uint8_t* marks_;  // of its coverage; null: nobody wants to know
  Wish wish_ = Wish::none;
  const char* wish_name_ = "";
  RaisedEvent raised_;
  StateIndex target_ = 0;
  std::uint32_t target_item_ = 0;
  StateIndex owner_ = 0;  // the state whose action runs or ran last
  bool leaving_ = false;  // an exit, or the action of a go_to, is running
  bool raising_ = false;  // the event at hand was raised, not received
  bool over_ = false;     // halted, or something is wrong: nothing more is done
};

void start_machine(const MachineType& type, void* actor, Context& context) {
  MachineRun(type, actor, context).start();
}

void run_machine(const MachineType& type, void* actor, EventIndex event, const void* message,
                 Context& context) {
  MachineRun(type, actor, context).receive(event, message);
}

}  // namespace gainsay
