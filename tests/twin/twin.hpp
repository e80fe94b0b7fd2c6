// The dumb twin: a second, independent interpreter of table systems, written for obviousness.
//
// It keeps whole messages with the texts of their causes and explicit sets of what every actor and every
// message knows, copies states, and stores whole states in a std::set. Under queue order it sends the messages of a
// step one by one and keeps every order in which that may have happened. It shares no code with execution/ or
// explorer/. Semantics are those of ARCHITECTURE.md.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gainsay/trace/event.hpp"
#include "tests/twin/table_system.hpp"

namespace twin {

using gainsay::EventKind;

struct Item {
  bool timer = false;
  int from = -1;
  int to = 0;
  int type = 0;
  int ttl = 0;
  std::string cause;   // names the event in every schedule
  int number = 0;      // of its sending, in this execution
  std::set<int> past;  // sendings that happened before its own
  int doubled = 0;     // duplicates made of it
  int made = 0;        // simulated time: when; it comes between `lo` and `hi` later
  Span span{};
  int due = -1;  // when it comes; -1: not decided (tests/twin/timed.test.cpp)
  // Queue order:
  int id = 0;     // among all messages, copies too
  int batch = 0;  // the step that sends it
};

enum class Health { up, down, halted };

struct State {
  std::vector<int> local;
  std::vector<Health> health;
  std::vector<Item> pending;           // in the order of creation
  std::vector<std::set<int>> knows;    // by actor: sendings in its past
  std::vector<std::string> sequences;  // by actor: what it received
  int sendings = 0;
  int drops = 0, duplicates = 0, crashes = 0, restarts = 0, cuts = 0, ticks = 0;
  std::vector<int> falls;  // by actor: crashes and restarts so far
  int cut = -1;            // in force
  int cut_left = 0;        // steps until it heals by itself; 0: never
  int cut_ordinal = 0;
  int now = 0;  // simulated time
  // Queue order: every order in which messages that are pending may have been sent so far, by id. What is not in an
  // order is still to be sent in it.
  std::set<std::vector<int>> sent;
  int ids = 0;
  int batches = 0;
};

struct Move {
  EventKind kind = EventKind::deliver;
  int target = 0;  // of pending, actors or cuts
};

struct Moves {
  std::vector<Move> list;
  bool quiescent = false;
};

struct Outcome {
  State next;
  std::vector<std::uint32_t> answers;
  bool fails = false;
};

class Twin {
 public:
  explicit Twin(const Table& table) : table_(table) {
    queued_ = table.order == Delivery::queue ||
              std::any_of(table.links.begin(), table.links.end(),
                          [](const Link& link) { return link.order == Delivery::queue; });
  }

  State first() const {
    State state;
    const auto n = static_cast<std::size_t>(table_.actors);
    state.local.assign(n, 0);
    state.health.assign(n, Health::up);
    state.knows.resize(n);
    state.sequences.resize(n);
    state.falls.assign(n, 0);
    const Faults& faults = table_.faults;
    state.drops = faults.drops;
    state.duplicates = faults.duplicates;
    state.crashes = faults.crashes;
    state.restarts = faults.restarts;
    state.cuts = faults.cut_budget;
    state.ticks = table_.timer_budget;
    std::vector<int> ordinals(n, 0);
    for (const Pending& plan : table_.pending) {
      Item item{false, plan.from, plan.to, plan.type, table_.ttl, "", 0, {}, 0};
      item.cause = "start " + std::to_string(plan.to) + "." + std::to_string(ordinals[u(plan.to)]++);
      send(state, std::move(item));
    }
    std::vector<int> all;
    for (const Item& item : state.pending) all.push_back(item.id);
    state.sent = {all};
    return state;
  }

  Moves moves(const State& state) const {
    Moves moves;
    for (int i = 0; i < size(state); ++i) {
      const Item& item = state.pending[u(i)];
      if (may_happen(state, item) && (queued_ ? !turns(state, i).empty() : is_its_turn(state, i))) {
        const EventKind message = crosses(state, item) ? EventKind::lost : EventKind::deliver;
        moves.list.push_back({item.timer ? EventKind::timer : message, i});
      }
    }
    moves.quiescent = std::none_of(moves.list.begin(), moves.list.end(), [&](const Move& move) {
      return move.kind != EventKind::timer || table_.timers_keep_alive;
    });
    add_faults(state, moves);
    return moves;
  }

  // Every outcome of a move: one for each way to answer the handler's questions.
  std::vector<Outcome> outcomes(const State& state, const Move& move) const {
    std::vector<Outcome> all;
    if (gainsay::is_ordinary(move.kind)) {
      all = consume(state, move.target);
    } else {
      all.push_back({fault(state, move), {}, false});
    }
    for (Outcome& outcome : all) {
      State& next = outcome.next;
      if (next.cut_left == 0) continue;
      // A cut for so many steps ends when they have passed, or when nothing but faults is left to happen.
      if (move.kind != EventKind::partition) --next.cut_left;
      const Moves later = moves(next);
      const bool stuck = std::none_of(later.list.begin(), later.list.end(),
                                      [](const Move& each) { return gainsay::is_ordinary(each.kind); });
      if (next.cut_left == 0 || stuck) {
        next.cut = -1;
        next.cut_left = 0;
      }
    }
    return all;
  }

  // The invariant that complains, in the order in which Gainsay asks: those without a scope first.
  std::optional<std::string> complaint(const State& state, bool at_first) const {
    for (const bool scoped : {false, true}) {
      for (std::size_t i = 0; i < table_.invariants.size(); ++i) {
        if (!at_first && table_.invariants[i].scoped != scoped) continue;
        if (sums_up(state, table_.invariants[i])) return "invariant " + std::to_string(i);
      }
    }
    return std::nullopt;
  }
  std::optional<std::string> complaint_at_end(const State& state) const {
    for (std::size_t i = 0; i < table_.endings.size(); ++i) {
      if (sums_up(state, table_.endings[i])) return "ending " + std::to_string(i);
    }
    return std::nullopt;
  }

  bool comes_up(const State& state, const Invariant& invariant) const { return sums_up(state, invariant); }
  // The class of what may happen: equal messages on one link are one.
  static std::string event_class(const Item& item) { return payload(item); }

  // One step as a text, in the words in which a kernel's event can be put as well.
  std::string text(const State& state, const Move& move, const std::vector<std::uint32_t>& answers) const {
    int from = -2;
    int to = -2;
    if (concerns_message(move.kind)) {
      from = state.pending[u(move.target)].from;
      to = state.pending[u(move.target)].to;
    } else if (move.kind == EventKind::crash || move.kind == EventKind::restart) {
      to = move.target;
    }
    return step_text(move.kind, from, to, answers);
  }
  static bool concerns_message(EventKind kind) {
    return kind <= EventKind::corrupt || kind == EventKind::lost;
  }
  static std::string step_text(EventKind kind, int from, int to, const std::vector<std::uint32_t>& answers) {
    std::string text =
        std::string(gainsay::kind_name(kind)) + " " + std::to_string(from) + ">" + std::to_string(to);
    for (const std::uint32_t answer : answers) text += "?" + std::to_string(answer);
    return text + ";";
  }

  // A state without its history: equal texts are equal states.
  std::string canonical(const State& state) const {
    std::string text;
    for (int a = 0; a < table_.actors; ++a) {
      text += std::to_string(state.local[u(a)]) + "h" + std::to_string(static_cast<int>(state.health[u(a)])) +
              ",";
    }
    for (const int budget : {state.drops, state.duplicates, state.crashes, state.restarts, state.cuts,
                             state.ticks, state.cut, state.cut_left}) {
      text += "b" + std::to_string(budget);
    }
    std::multiset<std::string> parts;
    std::map<std::string, std::string> queues;
    for (const Item& item : state.pending) {
      switch (item.timer ? Delivery::unordered : order_of(item)) {
        case Delivery::unordered:
          parts.insert("free " + payload(item));
          break;
        case Delivery::fifo:
          queues["link " + std::to_string(item.from) + ">" + std::to_string(item.to)] += payload(item);
          break;
        case Delivery::mailbox:
          queues["box " + std::to_string(item.to)] += payload(item);
          break;
        case Delivery::causal:
          break;
        case Delivery::queue:
          parts.insert("queue " + payload(item));
          break;
      }
    }
    for (const std::vector<int>& order : state.sent) {
      if (!queued_) break;
      std::string line = "sent ";
      for (const int id : order) line += payload(with_id(state, id));
      parts.insert(line);
    }
    for (const auto& [name, content] : queues) parts.insert(name + ":" + content);
    add_causality(state, parts);
    for (const std::string& part : parts) text += "|" + part;
    return text;
  }

  // Whether it does not matter which of two pending items is taken: neither has a place in a queue or a past.
  bool equal(const Item& a, const Item& b) const {
    const bool causal = table_.order == Delivery::causal ||
                        std::any_of(table_.links.begin(), table_.links.end(),
                                    [](const Link& link) { return link.order == Delivery::causal; });
    return payload(a) == payload(b) && order_of(a) == Delivery::unordered && !causal && !queued_;
  }

 private:
  static std::size_t u(int i) { return static_cast<std::size_t>(i); }
  static int size(const State& state) { return static_cast<int>(state.pending.size()); }

  static std::string payload(const Item& item) {
    return (item.timer ? "t" : "m") + std::to_string(item.from) + ">" + std::to_string(item.to) + "." +
           std::to_string(item.type) + "." + std::to_string(item.ttl) + ";";
  }

  Delivery order_of(const Item& item) const {
    Delivery order = table_.order;
    for (const Link& link : table_.links) {
      if (link.from == item.from && link.to == item.to) order = link.order;
    }
    return order;
  }

  bool sums_up(const State& state, const Invariant& invariant) const {
    int sum = 0;
    for (const int a : invariant.scope) sum += state.local[u(a)];
    return sum == invariant.sum;
  }

  // What the messages and the actors know of messages on causal links, and who waits there for whom. Messages
  // are named by their payload and, where they stand in a queue, their rank among equal ones.
  void add_causality(const State& state, std::multiset<std::string>& parts) const {
    std::vector<std::string> names(state.pending.size());
    std::map<std::string, int> ranks;
    for (int i = 0; i < size(state); ++i) {
      const Item& item = state.pending[u(i)];
      names[u(i)] = payload(item);
      if (item.timer || order_of(item) == Delivery::unordered) continue;
      names[u(i)] += std::to_string(ranks[payload(item)]++);
    }
    const auto is_causal = [&](const Item& item) {
      return !item.timer && order_of(item) == Delivery::causal;
    };
    const auto known_by = [&](const std::set<int>& past) {
      std::set<std::string> known;
      for (int i = 0; i < size(state); ++i) {
        const Item& item = state.pending[u(i)];
        if (is_causal(item) && past.contains(item.number)) known.insert(names[u(i)]);
      }
      std::string text;
      for (const std::string& name : known) text += " " + name;
      return text;
    };
    for (int i = 0; i < size(state); ++i) {
      const Item& item = state.pending[u(i)];
      if (item.timer) continue;
      std::set<std::string> awaited;
      for (int j = 0; j < i && is_causal(item); ++j) {
        const Item& older = state.pending[u(j)];
        if (!older.timer && older.to == item.to && waits(item, older)) awaited.insert(names[u(j)]);
      }
      std::string text = names[u(i)] + " knows" + known_by(item.past) + " waits";
      for (const std::string& name : awaited) text += " " + name;
      parts.insert(text);
    }
    for (int a = 0; a < table_.actors; ++a) parts.insert(std::to_string(a) + known_by(state.knows[u(a)]));
  }

  static const Item& with_id(const State& state, int id) {
    return *std::find_if(state.pending.begin(), state.pending.end(),
                         [&](const Item& item) { return !item.timer && item.id == id; });
  }
  static bool has(const std::vector<int>& order, int id) {
    return std::find(order.begin(), order.end(), id) != order.end();
  }

  // Queue order. Whoever has messages to send may send the next of them.
  void send_on(State& state) const {
    std::vector<std::vector<int>> open(state.sent.begin(), state.sent.end());
    while (queued_ && !open.empty()) {
      const std::vector<int> order = open.back();
      open.pop_back();
      for (const Item& item : state.pending) {
        if (item.timer || has(order, item.id)) continue;
        const bool is_next = std::none_of(state.pending.begin(), state.pending.end(), [&](const Item& other) {
          return !other.timer && other.batch == item.batch && other.id < item.id && !has(order, other.id);
        });
        if (!is_next) continue;
        std::vector<int> longer = order;
        longer.push_back(item.id);
        if (state.sent.insert(longer).second) open.push_back(std::move(longer));
      }
    }
  }
  // The orders in which it is the turn of this item.
  std::set<std::vector<int>> turns(const State& state, int index) const {
    const Item& item = state.pending[u(index)];
    std::set<std::vector<int>> all;
    for (const std::vector<int>& order : state.sent) {
      if (item.timer) {
        all.insert(order);
      } else if (has(order, item.id)) {
        bool first = order_of(item) == Delivery::queue || is_its_turn(state, index);
        for (const int id : order) {
          if (id == item.id || order_of(item) != Delivery::queue) break;
          const Item& other = with_id(state, id);
          first = first && (other.to != item.to || order_of(other) != Delivery::queue ||
                            is_refused(state, other) || crosses(state, other));
        }
        if (first) all.insert(order);
      }
    }
    return all;
  }
  // Only orders in which the message has been sent are possible.
  void require_sent(State& state, int id) const {
    std::erase_if(state.sent, [&](const std::vector<int>& order) { return queued_ && !has(order, id); });
  }
  // The actor goes on: it has sent everything.
  void require_all_sent(State& state, int actor) const {
    for (const Item& item : state.pending) {
      if (!item.timer && item.from == actor) require_sent(state, item.id);
    }
  }
  static void forget_sent(State& state, int id) {
    std::set<std::vector<int>> left;
    for (std::vector<int> order : state.sent) {
      std::erase(order, id);
      left.insert(std::move(order));
    }
    state.sent = std::move(left);
  }

  void send(State& state, Item item) const {
    item.number = state.sendings++;
    item.id = state.ids++;
    item.batch = state.batches;
    put_in_time(state, item);
    if (item.from >= 0) {
      item.past = state.knows[u(item.from)];
      state.knows[u(item.from)].insert(item.number);
    }
    state.pending.push_back(std::move(item));
  }

  void put_in_time(const State& state, Item& item) const {
    if (!table_.timing.on) return;
    item.made = state.now;
    item.span = table_.timing.of(item.timer, item.from, item.to, item.type);
  }

  bool crosses(const State& state, const Item& item) const {
    if (state.cut < 0 || item.timer) return false;
    const Cut& cut = table_.faults.cuts[u(state.cut)];
    const auto in = [](const std::vector<int>& block, int actor) {
      return std::find(block.begin(), block.end(), actor) != block.end();
    };
    return (in(cut.left, item.from) && in(cut.right, item.to)) ||
           (in(cut.right, item.from) && in(cut.left, item.to));
  }

  bool is_refused(const State& state, const Item& item) const {
    return state.health[u(item.to)] == Health::up &&
           table_.rule(item.timer, item.to, state.local[u(item.to)], item.type).refused;
  }

  bool may_happen(const State& state, const Item& item) const {
    const Health health = state.health[u(item.to)];
    if (health == Health::down && !item.timer && table_.faults.kept) return false;
    if (is_refused(state, item)) return false;
    if (item.timer && state.ticks == 0) return false;
    return !crosses(state, item) || table_.faults.cuts[u(state.cut)].drops;
  }

  bool is_its_turn(const State& state, int index) const {
    const Item& item = state.pending[u(index)];
    if (item.timer) return true;
    for (int i = 0; i < size(state); ++i) {
      const Item& other = state.pending[u(i)];
      if (i >= index || other.timer || other.to != item.to || !waits(item, other)) continue;
      if (is_refused(state, other)) continue;  // what the receiver does not take is overtaken
      if (order_of(item) == Delivery::mailbox && crosses(state, other))
        continue;  // likewise what cannot get there
      return false;
    }
    return true;
  }

  // Whether an item waits for an older one to the same receiver. A copy made by a fault stands behind its
  // original and behind what was there when it was made.
  bool waits(const Item& item, const Item& older) const {
    switch (order_of(item)) {
      case Delivery::unordered:
        return false;
      case Delivery::fifo:
        return older.from == item.from;
      case Delivery::mailbox:
        return order_of(older) == Delivery::mailbox;
      case Delivery::queue:
        return false;  // see `turns`
      case Delivery::causal:
        if (order_of(older) != Delivery::causal) return false;
        // Nothing is known of the outside but the order of what it sends to one receiver.
        if (older.from < 0) return item.from < 0;
        return older.number == item.number || item.past.contains(older.number);
    }
    return false;
  }

  void add_faults(const State& state, Moves& moves) const {
    const std::size_t ordinary = moves.list.size();
    const Faults& faults = table_.faults;
    for (int i = 0; i < size(state); ++i) {
      const Item& item = state.pending[u(i)];
      const bool droppable = faults.droppable < 0 || (faults.droppable == 0) == (item.type == 0);
      if (state.drops > 0 && !item.timer && droppable) moves.list.push_back({EventKind::drop, i});
    }
    for (int i = 0; i < size(state); ++i) {
      if (state.duplicates > 0 && !state.pending[u(i)].timer) moves.list.push_back({EventKind::duplicate, i});
    }
    for (int a = 0; a < table_.actors; ++a) {
      if (state.crashes > 0 && state.health[u(a)] == Health::up) moves.list.push_back({EventKind::crash, a});
    }
    for (int a = 0; a < table_.actors; ++a) {
      if (state.restarts > 0 && state.health[u(a)] == Health::down)
        moves.list.push_back({EventKind::restart, a});
    }
    if (state.cut >= 0 && state.cut_left == 0) moves.list.push_back({EventKind::heal, state.cut});
    if (state.cut < 0 && state.cuts > 0) {
      for (int c = 0; c < static_cast<int>(faults.cuts.size()); ++c)
        moves.list.push_back({EventKind::partition, c});
    }
    const bool something = ordinary > 0 || moves.list.size() > ordinary;
    if (moves.quiescent && something) moves.list.push_back({EventKind::stop, 0});
  }

  State fault(const State& before, const Move& move) const {
    State state = before;
    const auto note = [&](int actor, const std::string& cause) {
      state.sequences[u(actor)] += "[" + cause + "]";
    };
    switch (move.kind) {
      case EventKind::drop:
        --state.drops;
        note(before.pending[u(move.target)].to, "drop " + before.pending[u(move.target)].cause);
        require_sent(state, before.pending[u(move.target)].id);
        forget_sent(state, before.pending[u(move.target)].id);
        state.pending.erase(state.pending.begin() + move.target);
        break;
      case EventKind::duplicate: {
        --state.duplicates;
        Item copy = before.pending[u(move.target)];
        copy.cause = "double " + std::to_string(state.pending[u(move.target)].doubled++) + " " + copy.cause;
        copy.doubled = 0;
        copy.due = -1;
        note(copy.to, copy.cause);
        require_sent(state, copy.id);
        copy.id = state.ids++;
        state.pending.push_back(copy);
        if (queued_) {
          std::set<std::vector<int>> longer;
          for (std::vector<int> order : state.sent) {
            order.push_back(copy.id);
            longer.insert(std::move(order));
          }
          state.sent = std::move(longer);
        }
        break;
      }
      case EventKind::crash:
        --state.crashes;
        require_all_sent(state, move.target);
        note(move.target, "crash " + std::to_string(state.falls[u(move.target)]++));
        state.health[u(move.target)] = Health::down;
        std::erase_if(state.pending, [&](const Item& item) { return item.timer && item.to == move.target; });
        break;
      case EventKind::restart:
        --state.restarts;
        require_all_sent(state, move.target);
        note(move.target, "restart " + std::to_string(state.falls[u(move.target)]++));
        state.health[u(move.target)] = Health::up;
        state.local[u(move.target)] = 0;
        break;
      case EventKind::partition:
      case EventKind::heal: {
        const bool cuts = move.kind == EventKind::partition;
        if (cuts) --state.cuts;
        state.cut = cuts ? move.target : -1;
        state.cut_left = cuts ? table_.faults.cuts[u(move.target)].steps : 0;
        const std::string cause = (cuts ? "cut " : "heal ") + std::to_string(move.target) + "." +
                                  std::to_string(state.cut_ordinal++);
        for (int a = 0; a < table_.actors; ++a) note(a, cause);
        break;
      }
      default:
        break;
    }
    send_on(state);
    return state;
  }

  std::vector<Outcome> consume(const State& before, int index) const {
    State state = before;
    const Item item = state.pending[u(index)];
    if (queued_) {
      state.sent = turns(before, index);
      if (!crosses(before, item)) require_all_sent(state, item.to);
      if (!item.timer) forget_sent(state, item.id);
    }
    state.pending.erase(state.pending.begin() + index);
    if (item.timer && state.ticks > 0) --state.ticks;
    const bool arrives = !crosses(before, item);
    if (arrives && !item.timer && state.health[u(item.to)] != Health::down) {
      std::set<int>& knows = state.knows[u(item.to)];
      knows.insert(item.past.begin(), item.past.end());
      if (item.from >= 0) knows.insert(item.number);
    }
    std::vector<Outcome> all;
    if (!arrives || state.health[u(item.to)] != Health::up) {
      state.sequences[u(item.to)] += "[" + item.cause + (arrives ? "]" : " lost]");
      send_on(state);
      all.push_back({std::move(state), {}, false});
      return all;
    }
    Effects effects;
    effects.next = state.local[u(item.to)];
    react(state, item, table_.rule(item.timer, item.to, state.local[u(item.to)], item.type).reactions,
          effects, all);
    return all;
  }

  struct Effects {
    int next = 0;
    std::vector<Sent> sends;
    std::vector<int> timers;  // armed types; -1: cancel
    std::vector<std::uint32_t> answers;
    bool fails = false;
    bool halts = false;
  };

  void react(const State& state, const Item& item, const std::vector<Reaction>& reactions,
             const Effects& so_far, std::vector<Outcome>& out) const {
    for (std::size_t answer = 0; answer < reactions.size(); ++answer) {
      const Reaction& reaction = reactions[answer];
      Effects effects = so_far;
      if (reactions.size() > 1) effects.answers.push_back(static_cast<std::uint32_t>(answer));
      effects.next = reaction.next;
      if (item.ttl > 0) {
        effects.sends.insert(effects.sends.end(), reaction.sends.begin(), reaction.sends.end());
        if (reaction.cancels) effects.timers.push_back(-1);
        effects.timers.insert(effects.timers.end(), reaction.arms.begin(), reaction.arms.end());
      }
      effects.fails = effects.fails || reaction.fails;
      effects.halts = effects.halts || reaction.halts;
      if (reaction.more.empty()) {
        out.push_back({after(state, item, effects), effects.answers, effects.fails});
      } else {
        react(state, item, reaction.more, effects, out);
      }
    }
  }

  State after(const State& before, const Item& item, const Effects& effects) const {
    State state = before;
    const int self = item.to;
    state.local[u(self)] = effects.next;
    if (effects.halts) state.health[u(self)] = Health::halted;
    std::string cause = item.cause;
    for (const std::uint32_t answer : effects.answers) cause += "?" + std::to_string(answer);
    state.sequences[u(self)] += "[" + cause + "]";
    int ordinal = 0;
    ++state.batches;
    for (const Sent& sent : effects.sends) {
      Item made{false, self, sent.to, sent.type, table_.left(item.ttl), "", 0, {}, 0};
      made.cause = "(" + cause + " m" + std::to_string(ordinal++) + ")";
      send(state, std::move(made));
    }
    ordinal = 0;
    for (const int type : effects.timers) {
      Item made{true, self, self, type, table_.left(item.ttl), "", 0, {}, 0};
      std::erase_if(state.pending, [&](const Item& other) {
        return other.timer && other.to == self && (type < 0 || (other.type == type && other.ttl == made.ttl));
      });
      if (type < 0) continue;
      made.cause = "(" + cause + " t" + std::to_string(ordinal++) + ")";
      put_in_time(state, made);
      state.pending.push_back(std::move(made));
    }
    send_on(state);
    return state;
  }

  const Table& table_;
  bool queued_ = false;
};

}  // namespace twin
