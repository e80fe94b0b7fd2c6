// Kernel: handlers as functions. It runs a handler on an interned local state and remembers the result.
//
// A memo entry is a tree of the questions the handler asked (data choices); its leaves are Transitions. User
// code runs once per distinct (local state, envelope, answers), not once per global step. A handler that
// reads the simulated clock, asks for a value among very many, or spawns an opaque actor is executed every
// time instead. Live actors are called in place. What is remembered must be a function: the first calls are made twice,
// in a search of all states every one, and a handler that does something else the second time is told on. One kernel
// serves one thread; the explorer shares one under its own mutex (ids and transitions never move).
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <memory_resource>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/base/flat_row.hpp"
#include "gainsay/execution/kernel/coverage.hpp"
#include "gainsay/execution/kernel/derivation.hpp"
#include "gainsay/execution/kernel/effects.hpp"
#include "gainsay/execution/kernel/live_actor.hpp"

namespace gainsay {

// Local steps and gates that were computed and not remembered: their keys (`step_key`).
struct FreshSteps {
  std::vector<std::uint64_t> steps;
  std::vector<std::uint64_t> gates;
};

class HandlerCall;

class Kernel {
 public:
  explicit Kernel(const Blueprint& blueprint);

  const Blueprint& blueprint() const { return blueprint_; }
  const Interner& interner() const { return interner_; }
  Interner& interner() { return interner_; }
  const Directory& directory() const { return directory_; }
  const Envelope& envelope(EnvelopeId id) const { return interner_.envelope(id); }
  const Cell& cell(CellId id) const { return interner_.cell(id); }
  const InternedValue& value(ValueId id) const { return interner_.value(id); }

  // The first cell of a value actor of the scenario.
  CellId initial_cell(Slot slot);
  EnvelopeId envelope_of(ActorId from, Slot to, EventKind kind, const ValueType* type, const void* message,
                         std::uint32_t call = 0);

  // What the envelope does to the cell; valid until the next call.
  const Transition& transition(CellId cell, EnvelopeId envelope, Asker& asker, const TimeRange& clock) {
    const Transition* known = at_hand(cell, envelope);
    return known != nullptr ? *known : look_up(cell, envelope, asker, clock);
  }
  // The same where it is not at hand.
  const Transition& look_up(CellId cell, EnvelopeId envelope, Asker& asker, const TimeRange& clock) {
    return look_up(step_key(cell, envelope), asker, clock);
  }
  // The same where it is at hand; null: it is not.
  const Transition* at_hand(CellId cell, EnvelopeId envelope) const {
    const std::uint64_t key = step_key(cell, envelope);
    const Remembered& line = cache_[cache_index(key)];
    return line.key == key ? &line.transition : nullptr;
  }
  // It will be asked for in a moment.
  [[gnu::always_inline]] void prefetch(CellId cell, EnvelopeId envelope) const {
    __builtin_prefetch(&cache_[cache_index(step_key(cell, envelope))]);
  }
  // The same where nothing is asked and the result is remembered, valid until `clear`; null where not.
  const Transition* only_transition(CellId cell, EnvelopeId envelope);
  // All that can come of it, in the order of ChoicePath; valid until `clear`. Of a clock that is read: the earliest and
  // the latest.
  const Leaves& leaves(CellId cell, EnvelopeId envelope, const TimeRange& clock = {});
  // All that was asked for so far, in no order: visit(cell, envelope, leaves).
  template <class Visit> void each_leaves(const Visit& visit) const {
    for (const auto& [key, leaves] : leaves_)
      visit(static_cast<CellId>(key >> 32U), static_cast<EnvelopeId>(key), *leaves);
  }
  // Calls a live actor's handler. False: what properties and gates read of it is what it was, because the handler is
  // const.
  bool call_live(LiveActor& actor, Slot slot, EnvelopeId envelope, Asker& asker, const TimeRange& clock,
                 CallEffects& effects);

  // Whether the actor lets this envelope in now.
  bool accepts(CellId cell, EnvelopeId envelope);
  bool accepts(const LiveActor& actor, EnvelopeId envelope) const;
  // An envelope as an actor with tasks sees it. REQUIRES: it carries a message.
  Arrival arrival_of(const Envelope& envelope) const;

  // The place of the world's monitor of this type; `no_slot` where it has none.
  Slot monitor_slot(const ActorType& type) const {
    for (const Slot slot : monitors_) {
      if (blueprint_.actors[slot].type == &type) return slot;
    }
    return Directory::no_slot;
  }
  // For printing values.
  ActorNames names() const {
    return [this](ActorId id) { return directory_.name_of(id); };
  }
  bool is_monitor(Slot slot) const { return slot < is_monitor_.size() && is_monitor_[slot] != 0; }
  const std::vector<Slot>& monitors() const { return monitors_; }

  // The cell after a crash, and after the restart that follows (before on_restart runs).
  CellId crashed(CellId cell);
  CellId restarted(CellId cell);
  // The cell of an actor that begins anew (before on_start runs).
  CellId recreated(CellId cell);
  CellId with_disk(CellId cell, Disk disk);
  // An event of an actor for itself that carries nothing: a start, a restart.
  EnvelopeId own_envelope(Slot slot, EventKind kind);
  // What the scenario makes of a message that is corrupted. REQUIRES: it says so of its type.
  EnvelopeId corrupted(EnvelopeId envelope);

  // From now on leaves that are computed, and whatever else interns something new, are noted here; null: no more.
  // `transition` is not: nobody asks for one while a search goes on.
  void record(Derivations* derivations) { derivations_ = derivations; }
  // Notes `how` if `act` interns something new, and gives what it gives. For acts outside of the kernel.
  template <class Act> auto noted(const Derivation& how, const Act& act) {
    const std::uint64_t before = interned();
    const auto result = act();
    if (derivations_ != nullptr && interned() != before) derivations_->push_back(how);
    return result;
  }
  // Repeats an act of a kernel; false where there is nothing to act on, or the act is not one of the kernel's.
  bool derive(const Derivation& how);
  KernelDigest digest() const;

  // From now on every call that is remembered is made twice.
  void repeat_all_calls() { repeats_left_ = UINT32_MAX; }

  // From now on what live handlers store, read back and call their choices is noted here; null: no more.
  void listen(Remarks* remarks) { remarks_ = remarks; }
  // Whether some handler has checked something; it outlives `clear`.
  bool checked() const { return checked_.load(std::memory_order_relaxed); }
  void note_check() {
    if (!checked()) checked_.store(true, std::memory_order_relaxed);
  }
  // Whether some handler has asked for the time; it outlives `clear`.
  bool clock_read() const { return clock_read_.load(std::memory_order_relaxed); }
  void note_clock_read() { clock_read_.store(true, std::memory_order_relaxed); }
  // The moment at which an execution began: nobody needs it; who asks for the time does; and worlds that differ in it
  // alone are different.
  enum class Origin : std::uint8_t { forgotten, kept, counted };
  void keep_origin(Origin origin) { origin_ = origin; }
  Origin origin() const { return origin_; }

  // What numbers of classes of times begin with (TimeClass::version): worlds of one kernel go from engine to engine,
  // and each of those counts for itself.
  std::uint64_t new_time_versions() const {
    return (time_versions_.fetch_add(1, std::memory_order_relaxed) + 1) << 40U;
  }

  // From now on every step and gate that is computed is noted here; null: no more.
  void watch(FreshSteps* fresh) { fresh_ = fresh; }

  std::uint64_t handler_calls() const { return handler_calls_; }
  std::uint64_t handler_calls(Slot slot) const {
    return slot < calls_by_slot_.size() ? calls_by_slot_[slot] : 0;
  }
  // Of all handlers that were called so far; it outlives `clear`.
  const Coverage& coverage() const { return coverage_; }
  // What handlers were warned of, in all runs so far.
  const std::set<std::string>& warnings() const { return warnings_; }
  void warned(std::string text) { warnings_.insert(std::move(text)); }
  // Forgets everything interned and remembered. REQUIRES: no world is alive.
  void clear();
  std::size_t bytes() const { return interner_.bytes() + remembered_bytes_ + directory_.size() * 96; }

  // Position-dependent hash of an actor's cell: one summand of a world's fingerprint.
  std::uint64_t cell_fingerprint(Slot slot, CellId cell) const {
    return scramble(mix(interner_.cell(cell).hash, directory_.id_of(slot).raw + 1ULL));
  }

 private:
  friend class HandlerCall;

  // node: 0 unknown; even: leaf, transition (node >> 1); odd: question (node >> 1).
  using Node = std::uint32_t;
  struct Question {
    std::uint32_t among = 0;
    bool coin = false;
    std::vector<Node> children;
  };
  struct alignas(32) Remembered {
    std::uint64_t key =
        0;  // with `asks_bit`: the handler asks something, and `transition.next` is the first question
    Transition transition;
  };
  static_assert(sizeof(Remembered) == 32);
  static constexpr std::uint64_t asks_bit = std::uint64_t{1} << 63U;  // cells are below 2^30 (StablePool)
  struct KeyHash {
    using is_avalanching = void;
    std::size_t operator()(std::uint64_t key) const { return mix(key, 0x5bd1e995); }
  };

  static constexpr int cache_bits = 15;
  static constexpr std::size_t cache_size = std::size_t{1} << cache_bits;
  static constexpr std::uint32_t most_remembered_answers = 64;
  static std::size_t cache_index(std::uint64_t key) {
    return (key * 0x9e3779b97f4a7c15ULL) >> (64 - cache_bits);
  }

  const Transition& look_up(std::uint64_t key, Asker& asker, const TimeRange& clock);
  const Transition& execute(std::uint64_t key, std::vector<std::uint32_t> answers, Asker& asker,
                            const TimeRange& clock);
  const Transition& lost(std::uint64_t key);
  void prepare(HandlerCall& call, const Cell& before) const;
  Cell after_call(const HandlerCall& call, const Cell& before, const void* object);
  bool does_the_same_again(const HandlerCall& call, const Transition& transition, const Cell& before,
                           const Envelope& envelope, std::uint64_t name, const TimeRange& clock);
  void remember(std::uint64_t key, std::span<const DataChoice> path, Node leaf);
  Transition kept(const Transition& transition);
  void count_call(Slot slot) {
    ++handler_calls_;
    if (slot >= calls_by_slot_.size()) [[unlikely]]
      calls_by_slot_.resize(slot + 1, 0);
    ++calls_by_slot_[slot];
  }
  std::uint64_t interned() const {
    return std::uint64_t{interner_.values()} + interner_.cells() + interner_.envelopes() + directory_.size();
  }

  const Blueprint& blueprint_;
  Directory directory_;
  Interner interner_;
  std::unique_ptr<Remembered[]> cache_;
  boost::unordered_flat_map<std::uint64_t, Node, KeyHash> memo_;
  boost::unordered_flat_map<std::uint64_t, bool, KeyHash> gates_;
  boost::unordered_flat_map<std::uint64_t, std::unique_ptr<Leaves>, KeyHash> leaves_;
  // Of handlers that read the clock: by key and by what it may show.
  std::map<std::tuple<std::uint64_t, std::int64_t, std::int64_t>, Leaves> leaves_at_;
  StablePool<Transition> transitions_;
  StablePool<Question> questions_;
  std::pmr::monotonic_buffer_resource effects_;  // those that are remembered
  std::vector<std::unique_ptr<RareEffects>> rare_effects_;
  Transition fleeting_;
  CallEffects fleeting_effects_;
  // Monitors are called while the effects of whoever notified them are being applied: they have their own.
  CallEffects monitor_effects_;
  std::vector<Slot> monitors_;
  std::vector<std::uint8_t> is_monitor_;  // by slot of the scenario
  std::vector<CellId> initial_cells_;
  std::uint64_t handler_calls_ = 0;
  std::vector<std::uint64_t> calls_by_slot_;
  std::uint32_t repeats_left_ = 256;
  std::size_t remembered_bytes_ = 0;
  Coverage coverage_;
  std::set<std::string> warnings_;
  FreshSteps* fresh_ = nullptr;
  Remarks* remarks_ = nullptr;
  Derivations* derivations_ = nullptr;
  std::atomic<bool> checked_{false};
  std::atomic<bool> clock_read_{false};
  mutable std::atomic<std::uint64_t> time_versions_{0};
  Origin origin_ = Origin::kept;
};

}  // namespace gainsay
