#include "gainsay/explorer/reference_dependence.hpp"

#include <algorithm>

namespace gainsay {
namespace {

bool contains(const std::vector<ActorId>& actors, ActorId actor) {
  return std::find(actors.begin(), actors.end(), actor) != actors.end();
}

// Whether the event changed something that the property reads.
bool is_seen_by(const Property& property, const ExecutedEvent& executed) {
  const bool anything = property.scope.empty();
  if (executed.changed && (anything || contains(property.scope, executed.event.receiver))) return true;
  return std::any_of(executed.notified.begin(), executed.notified.end(),
                     [&](ActorId monitor) { return anything || contains(property.scope, monitor); });
}

bool share_a_monitor(const ExecutedEvent& a, const ExecutedEvent& b) {
  return std::any_of(a.notified.begin(), a.notified.end(),
                     [&](ActorId monitor) { return contains(b.notified, monitor); });
}

bool share_a_client(const ExecutedEvent& a, const ExecutedEvent& b) {
  return std::any_of(a.clients.begin(), a.clients.end(),
                     [&](ActorId client) { return contains(b.clients, client); });
}

bool is_mailbox(const Blueprint& blueprint, const Event& message) {
  Delivery order = blueprint.order;
  for (const LinkOrder& link : blueprint.link_orders) {
    if (link.from == message.sender && link.to == message.receiver) order = link.order;
  }
  return order == Delivery::mailbox;
}

// Whether both send to one mailbox.
bool share_a_mailbox(const Blueprint& blueprint, const ExecutedEvent& a, const ExecutedEvent& b) {
  // What is changed keeps its place.
  if (a.event.kind == EventKind::corrupt || b.event.kind == EventKind::corrupt) return false;
  for (const Event& one : a.created) {
    if (one.kind != EventKind::deliver || !is_mailbox(blueprint, one)) continue;
    for (const Event& other : b.created) {
      if (other.kind == EventKind::deliver && other.receiver == one.receiver && is_mailbox(blueprint, other))
        return true;
    }
  }
  return false;
}

}  // namespace

ReferenceRules rules_of(const Blueprint& blueprint) {
  ReferenceRules rules;
  rules.properties = std::any_of(blueprint.properties.begin(), blueprint.properties.end(),
                                 [](const Property& property) { return property.is_global(); }) ||
                     std::any_of(blueprint.actors.begin(), blueprint.actors.end(),
                                 [](const ActorPlan& plan) { return plan.type->monitor; });
  for (const HistoryProperty& property : blueprint.history_properties) {
    rules.histories = rules.histories || property.reads != HistoryProperty::Reads::clients;
    rules.history_order = rules.history_order || property.reads == HistoryProperty::Reads::order;
    rules.clients = rules.clients || property.reads == HistoryProperty::Reads::clients;
  }
  return rules;
}

Dependent reference_dependence(const Blueprint& blueprint, const ReferenceRules& rules) {
  std::vector<Property> global;
  for (const Property& property : blueprint.properties) {
    if (rules.properties && property.is_global()) global.push_back(property);
  }
  const bool all = rules.swappable && blueprint.faults.counts_steps();
  return
      [rules, all, global = std::move(global), &blueprint](const ExecutedEvent& a, const ExecutedEvent& b) {
        if (all || same_receiver(a, b)) return true;
        if (rules.properties) {
          if (share_a_monitor(a, b)) return true;
          for (const Property& property : global) {
            if (is_seen_by(property, a) && is_seen_by(property, b)) return true;
          }
        }
        if (rules.histories) {
          if ((a.responds && b.invokes) || (a.invokes && b.responds)) return true;
          if (rules.history_order && (a.responds || a.invokes) && (b.responds || b.invokes)) return true;
        }
        if (rules.clients && share_a_client(a, b)) return true;
        return rules.swappable && share_a_mailbox(blueprint, a, b);
      };
}

}  // namespace gainsay
