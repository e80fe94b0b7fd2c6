// Dependence: which pairs of events may not be swapped. A policy; searches reduce by it.
//
// Every executed event has a *footprint*: the places it touched, each in a way. Two events are dependent iff they
// touched one place in ways that exclude each other. Places are actors, budgets, mailboxes and, as the policy
// says, monitors, properties and the history of the clients. What an event does is decided by its own past, so its
// footprint does not change when independent events around it are swapped. Two executions are in the same *class*
// iff they have the same events (id and data choices) and order dependent ones alike.
//
//   receiver         one actor. Sound for local checks, deadlock and end states only.
//   properties       and events that notify one monitor, or change what one global property reads.
//   linearizability  and a step that completes an operation with a step that begins one.
//   keyed            one actor, and keys that meet (World::key), or one property of that actor: sound if handlers touch
//                    nothing that keys share.
//   semantic         as the properties ask, but two deliveries at one value actor are independent in a state
//                    where they can be swapped (EventSource::commute; execution/run/commute.cpp says when).
//   automatic        the weakest of the first three (and their union) that the scenario's properties allow.
//
// Where a property asks for the order of each client (sequential consistency), operations that servers begin and end
// for one client (Context::invoke_for) depend on each other, under every policy.
//
// Semantic independence holds in a state, not everywhere, so it is used where a state is at hand: for sleep sets only
// (Godefroid 1996, section 5). Let q sleep at s because all that follows s q was or will be seen, let m be executed at
// s, and let the two commute there. Then s m q and s q m are the same world with the same messages under way, so what
// follows s m q was seen: q sleeps on. What is wanted before a step is still decided by the actor, so whatever could be
// executed without the sleeper is, and its races are found. Classes are no longer told apart; final states and
// violations are all there. Tests compare them with an enumerator.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gainsay/strategy/effect_flags.hpp"
#include "gainsay/strategy/world_traits.hpp"
#include "gainsay/trace/event.hpp"
#include "gainsay/trace/message_key.hpp"

namespace gainsay {

enum class Dependence : std::uint8_t { automatic, receiver, properties, linearizability, keyed, semantic };

std::string_view dependence_name(Dependence policy);

// What a policy looks at, in a world.
struct DependenceRules {
  Dependence policy = Dependence::receiver;  // never automatic
  bool properties = false;                   // monitors and global properties are places
  bool own_properties = false;               // so are those of one actor: its steps need not meet otherwise
  bool histories = false;                    // completions and invocations exclude each other
  bool clients = false;                      // what is done for one client keeps its order
  bool keyed = false;
  bool semantic = false;
  bool unlisted_is_free = false;     // keyed: a type without a key depends on nothing (LiViola); else on all
  bool monitors_end_anyhow = false;  // monitors are there, and no places: how they end is not decided

  // What a complete search with these rules has decided.
  std::vector<std::string> sound_for() const;
};

// `automatic` looks at the scenario's properties.
DependenceRules rules_for(Dependence asked, const WorldTraits& world);

// A place and the way it was touched. Two touches of one place exclude each other unless both are `left` or both
// are `right`; keyed places also ask the keys.
struct Touch {
  enum class Way : std::uint8_t { write, left, right };
  std::uint64_t place = 0;
  Way way = Way::write;

  friend bool operator==(const Touch&, const Touch&) = default;
};

// What one event touched; the actor comes first. An event that touches too much depends on everything.
struct Footprint {
  static constexpr std::size_t touches_max = 12;

  std::array<Touch, touches_max> list{};
  std::uint8_t count = 0;
  bool everything = false;  // depends on every event (partition, heal)
  MessageKey key{};         // of the delivery, under keyed dependence

  std::span<const Touch> touches() const { return {list.data(), count}; }
  void clear() { *this = Footprint{}; }
  void add(Touch touch);
  // Also what the other one touched: of an event that may do the one or the other. REQUIRES: the same event.
  void add(const Footprint& other);
};

// `beside_actor`: the two are known to commute at the actor they share.
bool dependent(const Footprint& a, const Footprint& b, const DependenceRules& rules,
               bool beside_actor = false);

// The footprint of an executed event.
void footprint_of(const Event& event, const MessageKey& key, const EffectFlags& flags,
                  std::span<const Event> created, const WorldTraits& world, const DependenceRules& rules,
                  Footprint& out);

}  // namespace gainsay
