#include "gainsay/model/conform_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/print.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay {
namespace {

const ConformMap& map_of(const ConformSubject& subject) {
  static const ConformMap nothing;
  return subject.map != nullptr ? *subject.map : nothing;
}

// The same type on both sides: compared as it is.
ActorMap identity_map(const ActorType& type) {
  ActorMap map;
  map.type = type.name_hash;
  map.type_name = type.name;
  map.view = map.model = type.value;
  map.to_model = map.of_model = [value = type.value](const void* actor) { return AnyValue(*value, actor); };
  map.same = [value = type.value](const void* actor, const void* view) { return value->equal(actor, view); };
  return map;
}

bool takes(const Blueprint& world, const ValueType& message) {
  return std::ranges::any_of(world.actors, [&](const ActorPlan& actor) {
    return !actor.type->monitor && actor.type->handler_of(message) != nullptr;
  });
}

}  // namespace

ConformPlan::ConformPlan(const ConformSubject& subject)
    : subject_(subject),
      model_(subject.model != nullptr ? subject.model->build(subject.graph.options) : Blueprint{}),
      implementation_(subject.implementation.build(subject.options)) {
  if (of_tlc()) {
    pair_with_tlc();
    return;
  }
  if (!graph().has_events() && graph().edges() > 0)
    throw UserError(
        fmt::format("the graph of '{}' has no events, so nothing can be executed; make it with `graph {}`",
                    graph().name, graph().name));
  pair_actors();
  check_worlds();
  check_messages();
  find_columns();
}

void ConformPlan::pair_with_tlc() {
  const ConformMap& map = map_of(subject_);
  const std::string& name = implementation_.scenario;
  if (map.tlc_event() == nullptr)
    throw UserError(
        fmt::format("the map does not say which event of '{}' an edge of the graph '{}' is: "
                    "GAINSAY_CONFORM({}) needs map.tlc_event(...)",
                    name, graph().name, name));
  if (!graph().has_values() || !graph().has_events())
    throw UserError(fmt::format(
        "the graph '{}' has no values of variables or no labels, which conform compares", graph().name));
  for (Slot slot = 0; slot < implementation_.actors.size(); ++slot) {
    const ActorPlan& actor = implementation_.actors[slot];
    const ActorMap* how = map.actor_map(*actor.type, true);
    if (how != nullptr) pairs_.push_back({slot, slot, how});
  }
  if (pairs_.empty())
    throw UserError(
        fmt::format("the map does not say what an actor of '{}' is in the graph '{}': GAINSAY_CONFORM({}) "
                    "needs map.tlc_actor<...>(...)",
                    name, graph().name, name));
  event_columns_.assign(graph().events.size(), no_column);
  column_pairs_.assign(graph().columns.size(), pairs_.size());
}

void ConformPlan::pair_actors() {
  const ConformMap& map = map_of(subject_);
  model_slots_.assign(implementation_.actors.size(), Directory::no_slot);
  for (const auto& [from, to] : map.renamed()) {
    if (std::ranges::none_of(implementation_.actors, [&](const ActorPlan& a) { return a.name == from; }))
      throw UserError(fmt::format("the map of '{}' renames '{}', which it does not have",
                                  implementation_.scenario, from));
  }
  for (Slot slot = 0; slot < model_.actors.size(); ++slot) {
    const ActorPlan& actor = model_.actors[slot];
    if (actor.type->monitor) continue;
    const auto found = std::ranges::find_if(implementation_.actors, [&](const ActorPlan& each) {
      return map.model_name(each.name) == actor.name;
    });
    if (found == implementation_.actors.end())
      throw UserError(
          fmt::format("the graph is for scenario '{}', whose actor '{}' has no counterpart in '{}': compare "
                      "with another scenario, or use map.rename(\"...\", \"{}\")",
                      model_.scenario, actor.name, implementation_.scenario, actor.name));
    const auto place = static_cast<Slot>(found - implementation_.actors.begin());
    const ActorMap* how = map.actor_map(*found->type);
    if (how == nullptr && found->type == actor.type && found->type->value != nullptr) {
      identities_.push_back(std::make_unique<ActorMap>(identity_map(*found->type)));
      how = identities_.back().get();
    }
    if (how == nullptr)
      throw UserError(
          fmt::format("the map does not say what {} '{}' of '{}' is in the model: GAINSAY_CONFORM({}) needs "
                      "map.actor<{}>(...)",
                      found->type->name, found->name, implementation_.scenario, implementation_.scenario,
                      found->type->name));
    if (how->model != actor.type->value)
      throw UserError(fmt::format("the map of '{}' makes {} '{}' a {}, but '{}' of the model '{}' is a {}",
                                  implementation_.scenario, found->type->name, found->name,
                                  how->model == nullptr ? "state of TLC's" : how->model->name, actor.name,
                                  model_.scenario, actor.type->name));
    pairs_.push_back({slot, place, how});
    model_slots_[place] = slot;
  }
  for (Slot slot = 0; slot < implementation_.actors.size(); ++slot) {
    const ActorPlan& actor = implementation_.actors[slot];
    if (!actor.type->monitor && model_slots_[slot] == Directory::no_slot)
      throw UserError(fmt::format("actor '{}' of '{}' has no counterpart in the model '{}'", actor.name,
                                  implementation_.scenario, model_.scenario));
  }
}

void ConformPlan::check_worlds() const {
  if (model_.timed || implementation_.timed) throw UserError("conform does not support simulated time");
  const auto same_links = [](const LinkOrder& a, const LinkOrder& b) { return a.order == b.order; };
  if (model_.order != implementation_.order ||
      !std::ranges::equal(model_.link_orders, implementation_.link_orders, same_links))
    throw UserError(fmt::format("'{}' and its model '{}' deliver messages in different orders (world.order)",
                                implementation_.scenario, model_.scenario));
  if (!model_.faults.any()) return;
  const bool same_places =
      std::ranges::all_of(pairs_, [](const Pair& pair) { return pair.model == pair.implementation; });
  if (!implementation_.faults.any() || !same_places)
    throw UserError(fmt::format(
        "the model '{}' plans faults: '{}' must plan the same ones and have its actors in the same order",
        model_.scenario, implementation_.scenario));
}

void ConformPlan::check_messages() const {
  const ConformMap& map = map_of(subject_);
  for (const ActorPlan& actor : implementation_.actors) {
    if (actor.type->monitor) continue;
    for (const Handler& handler : actor.type->handlers) {
      if (map.message_map(*handler.message) == nullptr && !takes(model_, *handler.message))
        throw UserError(
            fmt::format("the map does not say what message {} of '{}' is in the model '{}': "
                        "GAINSAY_CONFORM({}) needs map.message<{}>(...)",
                        handler.message->name, implementation_.scenario, model_.scenario,
                        implementation_.scenario, handler.message->name));
    }
  }
}

void ConformPlan::find_columns() {
  const StateGraph& graph = subject_.graph;
  const auto differs = [&](const std::string& what) {
    throw UserError(
        fmt::format("the graph does not match the current scenario '{}': {}; make it again with `graph {}`",
                    model_.scenario, what, model_.scenario));
  };
  column_pairs_.assign(graph.columns.size(), pairs_.size());
  for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
    const std::string& name = model_.actors[pairs_[pair].model].name;
    const auto column = std::ranges::find(graph.columns, name);
    if (graph.has_values() && column == graph.columns.end())
      differs(fmt::format("it has no actor '{}'", name));
    if (column != graph.columns.end())
      column_pairs_[static_cast<std::size_t>(column - graph.columns.begin())] = pair;
  }
  event_columns_.assign(graph.events.size(), no_column);
  for (std::size_t event = 0; event < graph.events.size(); ++event) {
    const auto column = std::ranges::find(graph.columns, graph.events[event].receiver);
    if (column != graph.columns.end() && is_ordinary(graph.events[event].kind))
      event_columns_[event] = static_cast<std::uint32_t>(column - graph.columns.begin());
  }
}

AnyValue ConformPlan::to_model(const ValueType& type, const void* message) const {
  const MessageMap* map = map_of(subject_).message_map(type);
  if (map == nullptr) return AnyValue(type, message);
  AnyValue mapped = map->to_model(message);
  if (!takes(model_, mapped.type()))
    throw UserError(fmt::format("the map of '{}' makes {} a {}, which no actor of the model '{}' accepts",
                                implementation_.scenario, type.name, mapped.type().name, model_.scenario));
  return mapped;
}

}  // namespace gainsay
