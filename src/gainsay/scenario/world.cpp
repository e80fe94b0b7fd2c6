#include "gainsay/scenario/world.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "gainsay/base/text.hpp"

namespace gainsay {

Faults& Faults::partition(std::string name, std::vector<Actors> blocks, std::uint32_t for_steps, bool drops) {
  PartitionPlan plan;
  plan.name = std::move(name);
  for (const Actors& block : blocks) plan.blocks.push_back(block.ids());
  plan.steps = for_steps;
  plan.drops = drops;
  plan_->partitions.push_back(std::move(plan));
  if (plan_->partition_events == 0) plan_->partition_events = 1;
  return *this;
}

Faults& Faults::partitions(const family::Cuts& cuts, const std::vector<Actors>& nodes, Cutting cutting) {
  plan_->said.push_back("partitions(family)");
  plan_->cuts = std::make_shared<const family::Cuts>(cuts);
  plan_->cut_groups = nodes.size();
  plan_->partition_events = cutting.rounds * static_cast<std::uint32_t>(cuts.phases.size());
  for (std::uint32_t phase = 0; phase < cuts.phases.size(); ++phase) {
    for (const family::Cut& cut : cuts.phases[phase]) {
      PartitionPlan plan;
      plan.name = cut.name;
      for (const Actors& node : nodes) plan.blocks.push_back(node.ids());
      plan.links = cut.links;
      plan.phase = phase;
      plan.steps = cutting.for_steps;
      plan.drops = cutting.drops;
      plan_->partitions.push_back(std::move(plan));
    }
  }
  return *this;
}

Faults& Faults::isolate(std::uint32_t budget, const Actors& whom, std::uint32_t for_steps, bool drops) {
  plan_->said.push_back("isolate");
  plan_->isolation.whom = whom.ids();
  plan_->isolation.budget = budget;
  plan_->isolation.steps = for_steps;
  plan_->isolation.drops = drops;
  return *this;
}

Faults& Faults::recreate(std::uint32_t budget, const Actors& whom) {
  plan_->said.push_back("recreate");
  plan_->recreation = {whom.ids(), budget};
  return *this;
}

Faults& Faults::fail_write(std::uint32_t budget, const Actors& whom) {
  plan_->said.push_back("fail_write");
  plan_->failing_writes = {whom.ids(), budget};
  return *this;
}

Faults& Faults::lose_write(std::uint32_t budget, const Actors& whom) {
  plan_->said.push_back("lose_write");
  plan_->losing_writes = {whom.ids(), budget};
  return *this;
}

Faults& Faults::jump_clock(std::uint32_t budget, const Actors& whom, Duration by) {
  ClockJump plan;
  plan.whom = whom.ids();
  plan.budget = budget;
  plan.by = by;
  plan_->clock_jumps.push_back(std::move(plan));
  return *this;
}

namespace {

using Fail = std::function<void(const std::string& what)>;

// No message may draw on two budgets of one kind.
void check_budgets_apart(const std::vector<MessageFault>& plans, const char* kind, const Fail& fail) {
  for (std::size_t i = 0; i < plans.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const std::string again = fmt::format("faults().{} is planned twice", kind);
      if (plans[i].types.empty() && plans[j].types.empty()) fail(again + "; plan it once, with one budget");
      if (plans[i].types.empty() || plans[j].types.empty())
        fail(again + ": for all messages and for some types; name the types in both");
      for (const ValueType* type : plans[i].types) {
        if (plans[j].concerns(*type))
          fail(fmt::format("faults().{}<{}> is planned twice; plan it once, with one budget", kind,
                           type->name));
      }
    }
  }
}

// Sorts the actors of a plan, each of them once. Offers follow this order.
void settle_actors(std::vector<ActorId>& whom, const char* what, const std::vector<ActorPlan>& actors,
                   const Fail& fail) {
  for (const ActorId id : whom) {
    if (id.raw >= actors.size())
      fail(fmt::format("{} is planned for an actor that is not in this world", what));
    if (actors[id.raw].type->monitor)
      fail(fmt::format("{} is planned for monitor '{}'", what, actors[id.raw].name));
  }
  std::sort(whom.begin(), whom.end());
  whom.erase(std::unique(whom.begin(), whom.end()), whom.end());
}

void check_faults(FaultPlan& faults, const std::vector<ActorPlan>& actors, bool timed, const Fail& fail) {
  check_budgets_apart(faults.drops, "drop", fail);
  check_budgets_apart(faults.duplicates, "duplicate", fail);
  settle_actors(faults.crashable, "a crash", actors, fail);
  settle_actors(faults.isolation.whom, "an isolation", actors, fail);
  settle_actors(faults.recreation.whom, "a recreation", actors, fail);
  settle_actors(faults.failing_writes.whom, "a failing write", actors, fail);
  for (Tear& tear : faults.tears) settle_actors(tear.whom, "a torn write", actors, fail);
  settle_actors(faults.losing_writes.whom, "a lost write", actors, fail);
  for (ClockJump& jump : faults.clock_jumps) settle_actors(jump.whom, "a clock's jump", actors, fail);
  if (faults.isolation.budget > 0 && faults.isolation.steps == 0)
    fail("faults().isolate needs a number of steps, at least 1; for a cut without an end, use a partition");
  if (faults.losing_writes.budget > 0 && faults.crashes == 0)
    fail("faults().lose_write has no effect without crashes; add faults().crash");
  if (!faults.clock_jumps.empty() && !timed) fail("faults().jump_clock needs world.simulated_time()");
}

}  // namespace

ActorId World::add(std::string name, const ActorType& type) {
  const ActorId id{static_cast<std::uint32_t>(blueprint_.actors.size())};
  blueprint_.actors.push_back({std::move(name), &type, {}, {}});
  return id;
}

ActorId World::add_group(const std::string& name, std::size_t n, const ActorType& type) {
  ActorId first = nobody;
  for (std::size_t i = 0; i < n; ++i) {
    const ActorId id = add(name + "." + std::to_string(i), type);
    if (i == 0) first = id;
  }
  blueprint_.groups.push_back({name, first, static_cast<std::uint32_t>(n)});
  return first;
}

void World::set_initial(ActorId actor, AnyValue initial) {
  if (actor.raw >= blueprint_.actors.size()) throw UserError("world.init: this actor is not in this world");
  blueprint_.actors[actor.raw].initial = std::move(initial);
}

void World::add_property(Property::Kind kind, std::string name, const Actors& scope,
                         std::function<Complaint(View)> check, const SourcePlace& where) {
  if (where.is_known()) blueprint_.places.emplace_back(name, where);
  blueprint_.properties.push_back({kind, std::move(check), scope.ids(), std::move(name), false});
}

void World::reached(std::string name, const Actors& scope, std::function<bool(View)> goal) {
  add_property(Property::Kind::reached, std::move(name), scope,
               [goal = std::move(goal)](View view) -> Complaint {
                 return goal(view) ? Complaint{} : Complaint("not reached");
               });
}

void World::order(const Actors& from, const Actors& to, Delivery order) {
  for (const ActorId f : from.ids()) {
    for (const ActorId t : to.ids()) blueprint_.link_orders.push_back({f, t, order});
  }
}

void World::latency(Duration least, Duration most) { blueprint_.latency = {least, most}; }

void World::latency(const Actors& from, const Actors& to, Duration least, Duration most) {
  for (const ActorId f : from.ids()) {
    for (const ActorId t : to.ids()) blueprint_.link_latencies.push_back({f, t, {least, most}});
  }
}

void World::clock_offset(const Actors& whom, Duration ahead) {
  for (const ActorId id : whom.ids()) blueprint_.clock_offsets.emplace_back(id, ahead);
}

void World::clock_drift(const Actors& whom, double parts_per_million) {
  for (const ActorId id : whom.ids()) blueprint_.clock_drifts.push_back({id, parts_per_million});
}

Blueprint World::take() {
  const auto fail = [&](const std::string& what) {
    throw UserError(fmt::format("scenario '{}': {}", blueprint_.scenario, what));
  };
  const std::size_t n = blueprint_.actors.size();
  const auto known = [&](ActorId id) { return id.raw < n; };
  if (std::all_of(blueprint_.actors.begin(), blueprint_.actors.end(),
                  [](const ActorPlan& actor) { return actor.type->monitor; }))
    fail("it has no actors; spawn at least one");
  std::set<std::string> names;
  std::vector<const ActorType*> monitors;
  for (const ActorPlan& actor : blueprint_.actors) {
    const bool second = std::find(monitors.begin(), monitors.end(), actor.type) != monitors.end();
    if (actor.type->monitor) monitors.push_back(actor.type);
    if (actor.type->monitor && second)
      fail(fmt::format("monitor '{}' is the second of type {}; a world has at most one monitor of each type",
                       actor.name, actor.type->name));
    if (printable_utf8(actor.name) != actor.name)
      fail(fmt::format("the name of actor '{}' is not UTF-8 text", printable_utf8(actor.name)));
    if (!names.insert(actor.name).second) fail(fmt::format("two actors are named '{}'", actor.name));
    if (actor.type->machine != nullptr && !actor.type->machine->problems.empty()) {
      fail(actor.type->machine->problems.front());
    }
    if (actor.type->value != nullptr && !actor.initial.has_value()) {
      fail(fmt::format("actor '{}' was declared but never given a state; call world.init", actor.name));
    }
  }
  for (const MessagePlan& message : blueprint_.messages) {
    if (!known(message.to)) fail("a message is sent to an actor that is not in this world");
    if (message.from != outside && !known(message.from))
      fail("a message comes from an actor that is not in this world");
  }
  std::set<std::string> properties;
  for (const ActorPlan& actor : blueprint_.actors) {
    if (actor.type->monitor) properties.insert(actor.name);
  }
  for (const HistoryProperty& property : blueprint_.history_properties) {
    if (!properties.insert(property.name).second)
      fail(fmt::format("two properties are named '{}'", property.name));
  }
  std::vector<const ValueType*> viewed;
  for (const Abstraction& abstraction : blueprint_.abstractions) {
    if (std::find(viewed.begin(), viewed.end(), abstraction.type) != viewed.end())
      fail(fmt::format("{} has two views", abstraction.type->name));
    viewed.push_back(abstraction.type);
  }
  for (const Property& property : blueprint_.properties) {
    if (!property.is_another && !properties.insert(property.name).second)
      fail(fmt::format("two properties are named '{}'", property.name));
    for (const ActorId id : property.scope) {
      if (!known(id))
        fail(fmt::format("property '{}' reads an actor that is not in this world", property.name));
    }
  }
  const auto check_window = [&](const Window& window) {
    if (window.lo < Duration(0) || window.hi < window.lo)
      fail("a latency must be a range 0 <= least <= most");
  };
  const auto check_link = [&](ActorId from, ActorId to, const char* what) {
    if ((from != outside && !known(from)) || !known(to))
      fail(fmt::format("{} is given for a link with an actor that is not in this world", what));
  };
  for (const LinkOrder& link : blueprint_.link_orders) check_link(link.from, link.to, "an order");
  for (const LinkLatency& link : blueprint_.link_latencies) check_link(link.from, link.to, "a latency");
  for (const auto& [id, ahead] : blueprint_.clock_offsets) {
    if (!known(id)) fail("a clock offset is given for an actor that is not in this world");
  }
  std::set<ActorId> drifting;
  for (const ClockDrift& drift : blueprint_.clock_drifts) {
    if (!known(drift.actor)) fail("a clock drift is given for an actor that is not in this world");
    if (!(drift.parts_per_million >= 0 && drift.parts_per_million <= 500'000))
      fail("a clock drift must be between 0 and 500000 parts per million");
    if (!drifting.insert(drift.actor).second)
      fail(fmt::format("two clock drifts are given for actor '{}'", blueprint_.actors[drift.actor.raw].name));
  }
  check_window(blueprint_.latency);
  for (const LinkLatency& link : blueprint_.link_latencies) check_window(link.latency);
  check_faults(blueprint_.faults, blueprint_.actors, blueprint_.timed, fail);
  const auto is_queue = [](const LinkOrder& link) { return link.order == Delivery::queue; };
  const bool queues = blueprint_.order == Delivery::queue ||
                      std::any_of(blueprint_.link_orders.begin(), blueprint_.link_orders.end(), is_queue);
  if (blueprint_.timed && queues) fail("queue order does not support simulated time; use mailbox order");
  std::set<std::string> said;
  for (const std::string& kind : blueprint_.faults.said) {
    if (!said.insert(kind).second)
      fail(fmt::format("faults().{} is planned twice; plan it once, with one budget", kind));
  }
  if (blueprint_.faults.restarts_obliged) {
    if (said.contains("restart"))
      fail(
          "faults().restarts_eventually already allows as many restarts as crashes; remove faults().restart");
    if (blueprint_.faults.crashes == 0) fail("faults().restarts_eventually needs crashes");
    blueprint_.faults.restarts = blueprint_.faults.crashes;
  }
  if (blueprint_.faults.heals_obliged && blueprint_.faults.partitions.empty())
    fail("faults().heals_eventually needs partitions");
  if (blueprint_.faults.restarts > 0 && blueprint_.faults.crashes == 0)
    fail("faults().restart has no effect without crashes; add faults().crash");
  if (const FaultPlan& faults = blueprint_.faults; faults.cuts) {
    if (faults.cut_groups != faults.cuts->nodes)
      fail(fmt::format("faults().partitions has a family of {} nodes, but lists actors for {}",
                       faults.cuts->nodes, faults.cut_groups));
    for (const PartitionPlan& partition : faults.partitions) {
      if (partition.links.nodes() == 0)
        fail(fmt::format(
            "partition '{}' and a family of partitions are both planned; add it to the family, or remove one",
            partition.name));
    }
  }
  for (const PartitionPlan& partition : blueprint_.faults.partitions) {
    if (partition.blocks.size() < 2)
      fail(fmt::format("partition '{}' needs at least two blocks", partition.name));
    std::set<ActorId> seen;
    for (const auto& block : partition.blocks) {
      for (const ActorId id : block) {
        if (!known(id))
          fail(fmt::format("partition '{}' names an actor that is not in this world", partition.name));
        if (!seen.insert(id).second)
          fail(fmt::format("partition '{}' has an actor in two blocks", partition.name));
      }
    }
  }
  return std::move(blueprint_);
}

}  // namespace gainsay
