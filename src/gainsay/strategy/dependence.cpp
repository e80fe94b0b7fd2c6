#include "gainsay/strategy/dependence.hpp"

#include <array>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"

namespace gainsay {
namespace {

// Places by kind; the kind is in the hash, so that an actor is no monitor.
enum class PlaceKind : std::uint64_t { actor = 1, budget, mailbox, monitor, property, history, client };

std::uint64_t place(PlaceKind kind, std::uint64_t which) {
  return scramble(mix(static_cast<std::uint64_t>(kind), which));
}

void touch_bits(Footprint& out, PlaceKind kind, std::uint64_t bits) {
  for (std::uint64_t i = 0; bits != 0; ++i, bits >>= 1U) {
    if ((bits & 1U) != 0) out.add(Touch{place(kind, i), Touch::Way::write});
  }
}

bool exclude(Touch::Way a, Touch::Way b) {
  return a == Touch::Way::write || b == Touch::Way::write || a != b;
}

}  // namespace

std::string_view dependence_name(Dependence policy) {
  static constexpr std::array<std::string_view, 6> names = {"automatic",       "receiver", "properties",
                                                            "linearizability", "keyed",    "semantic"};
  return names[static_cast<std::size_t>(policy)];
}

DependenceRules rules_for(Dependence asked, const WorldTraits& world) {
  DependenceRules rules;
  rules.policy = asked;
  rules.clients = world.client_order;
  switch (asked) {
    case Dependence::automatic:
      rules.properties = world.global_properties;
      rules.histories = world.histories;
      rules.policy = world.histories           ? Dependence::linearizability
                     : world.global_properties ? Dependence::properties
                                               : Dependence::receiver;
      break;
    case Dependence::receiver:
      break;
    case Dependence::properties:
      rules.properties = true;
      break;
    case Dependence::linearizability:
      rules.properties = world.global_properties;
      rules.histories = true;
      break;
    case Dependence::keyed:
      rules.keyed = true;
      rules.properties = world.global_properties || world.own_properties;
      rules.own_properties = world.own_properties;
      rules.histories = world.histories;
      break;
    case Dependence::semantic:
      rules.semantic = true;
      rules.properties = world.global_properties;
      rules.histories = world.histories;
      break;
  }
  rules.monitors_end_anyhow = world.monitors && !rules.properties;
  return rules;
}

std::vector<std::string> DependenceRules::sound_for() const {
  std::vector<std::string> kinds = {"checks", "deadlock",
                                    monitors_end_anyhow ? "end states of actors" : "end states"};
  if (properties) kinds.insert(kinds.end(), {"invariants", "goals", "monitors"});
  if (histories || clients) kinds.emplace_back("histories");
  return kinds;
}

void Footprint::add(Touch touch) {
  for (const Touch& known : touches()) {
    if (known == touch) return;
  }
  if (count == touches_max) {
    everything = true;
    return;
  }
  list[count++] = touch;
}

void Footprint::add(const Footprint& other) {
  everything = everything || other.everything;
  for (const Touch& touch : other.touches()) add(touch);
}

bool dependent(const Footprint& a, const Footprint& b, const DependenceRules& rules, bool beside_actor) {
  if (a.everything || b.everything) return true;
  for (std::size_t i = 0; i < a.count; ++i) {
    for (std::size_t j = 0; j < b.count; ++j) {
      if (a.list[i].place != b.list[j].place || !exclude(a.list[i].way, b.list[j].way)) continue;
      const bool at_actor = i == 0 && j == 0;
      if (at_actor && (beside_actor || (rules.keyed && !keys_meet(a.key, b.key, rules.unlisted_is_free))))
        continue;
      return true;
    }
  }
  return false;
}

void footprint_of(const Event& event, const MessageKey& key, const EffectFlags& flags,
                  std::span<const Event> created, const WorldTraits& world, const DependenceRules& rules,
                  Footprint& out) {
  out.clear();
  out.key = key;
  if (event.kind != EventKind::deliver && rules.keyed) out.key.kind = MessageKey::Kind::any;
  if (event.receiver == nobody || world.counts_steps) {
    out.everything = true;
    return;
  }
  out.add(Touch{place(PlaceKind::actor, event.receiver.raw), Touch::Way::write});
  if (flags.budget != 0) out.add(Touch{place(PlaceKind::budget, flags.budget), Touch::Way::write});
  // Sends to one mailbox are ordered by it; on links that keep an order, a duplicate goes behind what was sent.
  // A message that is changed keeps its place.
  const bool duplicates = world.budgets[static_cast<std::size_t>(EventKind::duplicate)] > 0;
  if ((world.mailboxes || (world.ordered && duplicates)) && event.kind != EventKind::corrupt) {
    const bool queues = world.mailboxes || event.kind == EventKind::duplicate;
    for (const Event& sent : created) {
      if (sent.kind == EventKind::deliver)
        out.add(Touch{place(PlaceKind::mailbox, sent.receiver.raw),
                      queues ? Touch::Way::write : Touch::Way::left});
    }
  }
  if (rules.properties) {
    touch_bits(out, PlaceKind::monitor, flags.monitors);
    touch_bits(out, PlaceKind::property, flags.properties);
    if (rules.own_properties) touch_bits(out, PlaceKind::property, flags.own_properties);
  }
  if (rules.clients) touch_bits(out, PlaceKind::client, flags.clients);
  if (rules.histories) {
    const bool ordered = world.history_order;
    const std::uint64_t history = place(PlaceKind::history, 0);
    if (flags.responded) out.add(Touch{history, ordered ? Touch::Way::write : Touch::Way::left});
    if (flags.invoked) out.add(Touch{history, ordered ? Touch::Way::write : Touch::Way::right});
  }
}

}  // namespace gainsay
