// Blueprint: a scenario's world as plain data: what the builder (scenario/world.hpp) collects and the kernel
// reads.
//
// It is made once per campaign and never changes during it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gainsay/scenario/context.hpp"
#include "gainsay/scenario/view.hpp"

namespace gainsay {

// In which order messages may be delivered.
enum class Delivery : std::uint8_t {
  unordered,  // any pending message may be next
  fifo,       // per link (sender, receiver): in the order they were sent
  causal,     // a message waits for every message to the same receiver whose sending happened before its own
  mailbox,    // per receiver: in the order they were sent, whoever sent them
};

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

struct TimerBudget {
  const ValueType* type = nullptr;
  std::uint32_t budget = 0;
};

struct Corruption {
  const ValueType* type = nullptr;
  std::function<AnyValue(const void* message)> change;
  std::uint32_t budget = 0;
};

struct PartitionPlan {
  std::string name;
  std::vector<std::vector<ActorId>>
      blocks;               // actors in different blocks cannot reach each other; others reach everybody
  std::uint32_t steps = 0;  // heals by itself after so many steps; 0: lasts until a heal event
  bool drops = false;       // messages that cross are lost when delivered; else they wait
};

struct FaultPlan {
  std::uint32_t drops = 0;
  std::uint32_t duplicates = 0;
  std::uint32_t crashes = 0;
  std::uint32_t restarts = 0;
  std::uint32_t partition_events = 0;
  std::vector<const ValueType*> droppable;   // empty: every message
  std::vector<const ValueType*> duplicable;  // empty: every message
  std::vector<ActorId> crashable;
  std::vector<Corruption> corruptions;
  std::vector<PartitionPlan> partitions;
  std::vector<std::string> said;  // which kinds were planned, to notice one that is planned twice

  bool any() const {
    return drops > 0 || duplicates > 0 || crashes > 0 || !corruptions.empty() ||
           (partition_events > 0 && !partitions.empty());
  }
};

struct Property {
  enum class Kind : std::uint8_t { always, finally, reached };

  Kind kind = Kind::always;
  std::string name;
  std::vector<ActorId> scope;            // what it reads; empty: anything
  std::function<Complaint(View)> check;  // reached: a complaint means "not yet"
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
};

// Judges the history of a whole execution, or of its beginning; must not depend on anything else.
struct HistoryProperty {
  // What of the order of entries decides: all of it; only which operation ended before which other one began; or
  // only the order of each client.
  enum class Reads : std::uint8_t { order, precedence, clients };

  std::string name;
  std::function<Complaint(std::span<const HistoryEntry>, const WorldReader&)> check;
  Reads reads = Reads::order;
};

// What a message is about, for keyed dependence: a key, any key, or nothing that matters to others.
struct MessageKeyPlan {
  enum class Kind : std::uint8_t { key, any, none };

  const ValueType* type = nullptr;
  Kind kind = Kind::key;
  std::function<std::uint64_t(const void* message)> key;
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
  Window latency;
  std::vector<LinkLatency> link_latencies;
  std::vector<std::pair<ActorId, Duration>> clock_offsets;
  std::vector<TimerBudget> timer_budgets;
  bool timers_keep_alive = true;
  ToCrashed to_crashed = ToCrashed::lost;
  FaultPlan faults;
  std::vector<Property> properties;
  std::vector<HistoryProperty> history_properties;
  std::vector<Abstraction> abstractions;
  std::vector<MessageKeyPlan> message_keys;

  bool has_liveness() const {
    for (const ActorPlan& actor : actors) {
      if (actor.type->hot != nullptr) return true;
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
