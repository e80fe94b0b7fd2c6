// Blueprint: a scenario's world as plain data: what the builder (scenario/world.hpp) collects and the kernel
// reads.
//
// It is made once per campaign and never changes during it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gainsay/family/partitions/cuts.hpp"
#include "gainsay/scenario/context.hpp"
#include "gainsay/scenario/message_pairs.hpp"
#include "gainsay/scenario/source_place.hpp"
#include "gainsay/scenario/view.hpp"
#include "gainsay/trace/delivery.hpp"
#include "gainsay/trace/message_key.hpp"

namespace gainsay {

enum class ToCrashed : std::uint8_t { lost, kept };

struct ActorPlan {
  std::string name;
  const ActorType* type = nullptr;
  AnyValue initial;    // value actors
  OpaqueFactory make;  // opaque actors
};

// Actors that were made together (world.group, or world.declare of several).
struct GroupPlan {
  std::string name;
  ActorId first = nobody;
  std::uint32_t count = 0;
};

struct MessagePlan {
  ActorId from = outside;
  ActorId to = nobody;
  AnyValue message;
};

struct LinkOrder {
  ActorId from;
  ActorId to;
  Delivery order = Delivery::unordered;
};

struct Window {
  Duration lo{0};
  Duration hi{0};
};

struct LinkLatency {
  ActorId from;
  ActorId to;
  Window latency;
};

// Of a clock that runs too fast or too slow, by so much at most.
struct ClockDrift {
  ActorId actor;
  double parts_per_million = 0;
};

struct TimerBudget {
  const ValueType* type = nullptr;
  std::uint32_t budget = 0;
};

struct Corruption {
  const ValueType* type = nullptr;
  std::function<AnyValue(const void* message)> change;
  std::uint32_t budget = 0;
};

// Of messages: all kinds where `types` is empty.
struct MessageFault {
  std::vector<const ValueType*> types;
  std::uint32_t budget = 0;

  bool concerns(const ValueType& type) const {
    for (const ValueType* each : types) {
      if (each == &type) return true;
    }
    return types.empty();
  }
};

// Of actors.
struct ActorFault {
  std::vector<ActorId> whom;
  std::uint32_t budget = 0;
};

struct Isolation : ActorFault {
  std::uint32_t steps = 0;  // it ends after so many
  bool drops = false;       // as PartitionPlan
};

// What is stored instead of a value that was to be persisted; `before` is what was stored until then, or null.
struct Tear : ActorFault {
  const ValueType* type = nullptr;
  std::function<AnyValue(const void* before, const void* value)> tear;
};

struct ClockJump : ActorFault {
  Duration by{0};
};

struct PartitionPlan {
  std::string name;
  std::vector<std::vector<ActorId>>
      blocks;               // actors in different blocks cannot reach each other; others reach everybody
  family::Links links{};    // between blocks: which of them are cut; of no nodes: all of them
  std::uint32_t phase = 0;  // of a family (FaultPlan::cuts)
  std::uint32_t steps = 0;  // heals by itself after so many steps; 0: lasts until a heal event
  bool drops = false;       // messages that cross are lost when delivered; else they wait
};

struct FaultPlan {
  std::vector<MessageFault> drops;       // no message is concerned by two of them
  std::vector<MessageFault> duplicates;  // likewise
  std::uint32_t crashes = 0;
  std::uint32_t restarts = 0;
  bool restarts_obliged = false;  // who is down comes back in the end
  bool heals_obliged = false;     // a cut that lasts until it is healed is healed in the end
  std::uint32_t partition_events = 0;
  std::vector<ActorId> crashable;
  std::vector<Corruption> corruptions;
  std::vector<PartitionPlan> partitions;
  std::shared_ptr<const family::Cuts> cuts{};  // the family that the partitions are, phase by phase
  std::size_t cut_groups = 0;                  // so many groups of actors were given for its nodes
  Isolation isolation;
  ActorFault recreation;
  ActorFault failing_writes;
  std::vector<Tear> tears;  // by type
  ActorFault losing_writes;
  std::vector<ClockJump> clock_jumps;
  std::vector<std::string> said;  // which kinds were planned, to notice one that is planned twice

  bool any() const {
    const auto some = [](const auto& plans) {
      for (const auto& plan : plans) {
        if (plan.budget > 0) return true;
      }
      return false;
    };
    return some(drops) || some(duplicates) || crashes > 0 || !corruptions.empty() ||
           (partition_events > 0 && !partitions.empty()) || isolation.budget > 0 || recreation.budget > 0 ||
           failing_writes.budget > 0 || some(tears) || losing_writes.budget > 0 || some(clock_jumps);
  }
  std::uint32_t phases() const { return cuts ? static_cast<std::uint32_t>(cuts->phases.size()) : 1; }
  // Whether some partition ends after a number of steps: then every step matters to it.
  bool counts_steps() const {
    if (isolation.budget > 0) return true;
    if (partition_events == 0) return false;
    for (const PartitionPlan& plan : partitions) {
      if (plan.steps > 0) return true;
    }
    return false;
  }
};

struct Property {
  enum class Kind : std::uint8_t { always, finally, reached, always_eventually, eventually_always };

  Kind kind = Kind::always;
  std::function<Complaint(View)> check;  // reached: a complaint means "not yet"
  std::vector<ActorId> scope;            // what it reads; empty: anything
  std::string name;
  bool is_another = false;  // the same property as the one before, of another actor

  // About endless executions, and about where one ends.
  bool is_liveness() const { return kind == Kind::always_eventually || kind == Kind::eventually_always; }
  // Whether more than one actor decides it: then it is seen in some orders of independent events and not in others.
  // What one actor alone decides is seen in every execution of a trace class.
  bool is_global() const {
    if (kind == Kind::finally || is_liveness()) return false;
    if (scope.empty()) return true;
    for (const ActorId actor : scope) {
      if (actor != scope.front()) return true;
    }
    return false;
  }
};

// What endless executions are asked for: that a monitor cools, or that a property of the world holds again and again
// or, from some moment on, for ever. All are one question: can it be hot again and again and never be cold? A property
// is hot where it does not hold; where it does, `always_eventually` is cold and `eventually_always` warm.
struct LivenessCondition {
  std::string name;
  std::size_t row = 0;       // of WorldState::heat
  ActorId monitor = nobody;  // nobody: it is a property,
  std::size_t property = 0;  // of the blueprint's properties

  bool is_monitor() const { return monitor != nobody; }
};

// One entry of a history: a client began an operation, or it ended.
struct HistoryEntry {
  ActorId process = nobody;
  ActorId actor = nobody;    // whose handler made the entry: the process itself, or a server
  std::uint32_t number = 0;  // of the operation, among those of this process
  bool invocation = true;
  Completion how = Completion::ok;  // of a completion
  const ValueType* type = nullptr;  // of the operation or its result; null: a completion without a result
  const void* data = nullptr;
  std::uint32_t step = 0;  // the step that made it
  // A number by which the value is known again until Judge::forget; 0: it has none. Nothing else is said by it.
  std::uint32_t value = 0;
};

// Judges a history; must not depend on anything else.
struct HistoryProperty {
  // What of the order of entries decides: all of it; only which operation ended before which other one began; or
  // only the order of each client.
  enum class Reads : std::uint8_t { order, precedence, clients };
  // Whether every beginning of a history that is right is right as well. Then an execution that was cut is judged
  // too, and a violation ends where it becomes certain. Sequential consistency is not of that kind: a value may be
  // read before it is written, as long as somebody writes it later.
  enum class Prefixes : std::uint8_t { closed, open };

  std::string name;
  std::function<Complaint(std::span<const HistoryEntry>, const WorldReader&)> check;
  Reads reads = Reads::order;
  Prefixes prefixes = Prefixes::closed;
};

// What messages of one type are about, for keyed dependence.
struct MessageKeyPlan {
  const ValueType* type = nullptr;
  MessageKey::Kind kind = MessageKey::Kind::key;
  std::function<std::uint64_t(const void* message)> key;  // where the kind is `key`
  bool reads = false;
};

// What matters of a value where an execution is asked whether it came back to where it was.
struct Abstraction {
  const ValueType* type = nullptr;
  std::function<AnyValue(const void* value)> view;
};

struct Blueprint {
  std::string scenario;
  std::vector<ActorPlan> actors;
  std::vector<GroupPlan> groups;
  std::vector<MessagePlan> messages;
  Delivery order = Delivery::unordered;
  std::vector<LinkOrder> link_orders;
  bool timed = false;
  bool eager_tasks = false;  // a task that is made runs to its first await at once
  Window latency;
  std::vector<LinkLatency> link_latencies;
  std::vector<std::pair<ActorId, Duration>> clock_offsets;
  std::vector<ClockDrift> clock_drifts;
  std::vector<TimerBudget> timer_budgets;
  bool timers_keep_alive = true;
  ToCrashed to_crashed = ToCrashed::lost;
  FaultPlan faults;
  std::vector<Property> properties;
  std::vector<HistoryProperty> history_properties;
  std::vector<Abstraction> abstractions;
  std::vector<MessageKeyPlan> message_keys;
  std::shared_ptr<StatedPairs> message_pairs;               // null: nothing is said of pairs
  std::vector<std::pair<std::string, SourcePlace>> places;  // of properties and monitors, by name

  bool has_keys() const { return !message_keys.empty() || message_pairs != nullptr; }
  // What the scenario says of a message. Null: there is no message.
  MessageKey key_of(const ValueType* type, const void* message) const {
    MessageKey key;
    for (const MessageKeyPlan& plan : message_keys) {
      if (plan.type != type) continue;
      key = {plan.kind, plan.kind == MessageKey::Kind::key ? plan.key(message) : 0, plan.reads};
      break;
    }
    if (message_pairs == nullptr || type == nullptr) return key;
    if (const auto number = message_pairs->number_of(*type, message)) {
      key.pairs = message_pairs.get();
      key.message = *number;
    }
    return key;
  }
  // Monitors first, then properties. Rows are counted for all monitors, in their order, and for liveness properties.
  std::vector<LivenessCondition> liveness() const {
    std::vector<LivenessCondition> conditions;
    std::size_t row = 0;
    for (std::size_t i = 0; i < actors.size(); ++i) {
      if (!actors[i].type->monitor) continue;
      if (actors[i].type->heat != nullptr) conditions.push_back({actors[i].name, row, ActorId{i}, 0});
      ++row;
    }
    for (std::size_t i = 0; i < properties.size(); ++i) {
      if (properties[i].is_liveness()) conditions.push_back({properties[i].name, row++, nobody, i});
    }
    return conditions;
  }
  // How many rows there are.
  std::size_t liveness_rows() const {
    std::size_t rows = 0;
    for (const ActorPlan& actor : actors) rows += actor.type->monitor ? 1 : 0;
    for (const Property& property : properties) rows += property.is_liveness() ? 1 : 0;
    return rows;
  }
  bool has_liveness() const {
    for (const ActorPlan& actor : actors) {
      if (actor.type->heat != nullptr) return true;
    }
    for (const Property& property : properties) {
      if (property.is_liveness()) return true;
    }
    return false;
  }
  bool has_opaque() const {
    for (const ActorPlan& actor : actors) {
      if (actor.type->value == nullptr) return true;
    }
    return false;
  }
};

}  // namespace gainsay
