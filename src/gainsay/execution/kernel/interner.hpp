// Interner: local states and messages as 32-bit ids, so that worlds are short rows of numbers.
//
// Three layers, each interned by content: values (a message, an actor's fields, a durable part), cells (all
// that is local to one actor: fields, durable part, how many actors it has spawned, whether it is up, its disk),
// envelopes (receiver, sender, message, kind, call). Ids depend on the order of discovery: they are never
// hashed, ordered by or printed; the content hashes are. What was asked for lately is found in one place
// before the index is searched: live actors make the same messages again and again.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "gainsay/execution/kernel/pool.hpp"
#include "gainsay/scenario/blueprint.hpp"
#include "gainsay/scenario/view.hpp"
#include "gainsay/trace/event.hpp"

namespace gainsay {

using Slot = std::uint32_t;        // dense index of an actor within a campaign
using ValueId = std::uint32_t;     // 0: no value
using CellId = std::uint32_t;      // 0: no actor
using EnvelopeId = std::uint32_t;  // 0: none

using ActorStatus = WorldReader::Status;

struct InternedValue {
  const ValueType* type = nullptr;
  void* data = nullptr;
  std::uint64_t hash = 0;
};

// What becomes of what an actor persists next. At most one disk fault is on at an actor.
enum class Disk : std::uint8_t {
  sound,
  fails,   // it is not stored, and the actor is told so
  tears,   // something else is stored
  caches,  // it is stored where a crash loses it
  cached,  // it was: `synced` is what a crash brings back
};

struct Cell {
  const ActorType* type = nullptr;
  ValueId value = 0;
  ValueId durable = 0;
  ValueId initial = 0;  // what a restart begins with
  std::uint32_t spawned = 0;
  std::uint32_t invoked = 0;  // operations begun (Context::invoke)
  ValueId synced = 0;         // Disk::cached only
  ActorStatus status = ActorStatus::absent;
  Disk disk = Disk::sound;
  std::uint64_t hash = 0;
  const void* data = nullptr;  // of `value`
};

struct alignas(64) Envelope {
  Slot to = 0;
  ValueId message = 0;  // 0 for start and restart
  ActorId receiver = nobody;
  ActorId from = nobody;
  std::uint32_t call = 0;  // a task's request: twice its number; the reply to it: one more; else 0
  EventKind kind = EventKind::deliver;
  std::uint64_t hash = 0;
  // Of `message`; null without one.
  const ValueType* type = nullptr;
  const void* data = nullptr;
  const Handler* handler = nullptr;  // of the receiver for this type, where it is an actor of the scenario
};
static_assert(sizeof(Envelope) == 64);

// Actors by slot. Those of the scenario come first; spawned ones are added when first seen and keep their
// slot.
class Directory {
 public:
  explicit Directory(const Blueprint& blueprint);

  // `no_slot` for an id that was never met.
  Slot slot_of(ActorId id) const { return id.raw < fixed_ ? static_cast<Slot>(id.raw) : slot_of_spawned(id); }
  // The same, but an id that only a spawned actor can have gets a place, should the actor ever appear.
  Slot place_of(ActorId id) { return id.raw < fixed_ ? static_cast<Slot>(id.raw) : place_of_spawned(id); }
  // Needs no lock: an actor was met before its id can be sent anything.
  bool has_spawned() const { return has_spawned_.load(std::memory_order_relaxed); }
  // Idempotent; `no_slot` where another actor has this id (its creator and number fold to the same 63 bits).
  Slot add_spawned(ActorId creator, std::uint32_t number, const std::string& label);
  ActorId id_of(Slot slot) const { return slot < fixed_ ? ActorId{slot} : entries_[slot].id; }
  const std::string& name_of(Slot slot) const { return entries_[slot].name; }
  std::string name_of(ActorId id) const;
  std::size_t size() const { return entries_.size(); }
  // Forgets the spawned actors. REQUIRES: no world is alive.
  void clear();

  static constexpr Slot no_slot = 0xffffffffU;

 private:
  struct Entry {
    ActorId id;
    std::string name;
    ActorId creator;           // spawned actors
    std::uint32_t number = 0;  // among what the creator spawned
  };

  Slot slot_of_spawned(ActorId id) const;
  Slot place_of_spawned(ActorId id);

  Slot add(Entry entry);

  std::size_t fixed_;
  StablePool<Entry> entries_;
  boost::unordered_flat_map<std::uint64_t, Slot> spawned_;
  std::atomic<bool> has_spawned_{false};
};

class Interner {
 public:
  // `actors`: those of the scenario, by slot.
  explicit Interner(const std::vector<ActorPlan>& actors);
  ~Interner();
  Interner(const Interner&) = delete;
  Interner& operator=(const Interner&) = delete;

  ValueId value(const ValueType& type, const void* data);
  // `hash` and `data` are filled in. Not copies: who copies what has just been written in parts waits for the parts.
  CellId cell(Cell& content);
  CellId cell(Cell&& content) { return cell(content); }
  // An envelope by its parts. REQUIRES: `receiver` is who has the place `to`.
  EnvelopeId envelope(ActorId from, Slot to, ActorId receiver, EventKind kind, ValueId message,
                      std::uint32_t call);
  // The same with a message that may be new.
  EnvelopeId envelope(ActorId from, Slot to, ActorId receiver, EventKind kind, const ValueType& type,
                      const void* message, std::uint32_t call);

  const InternedValue& value(ValueId id) const { return values_[id]; }
  const Cell& cell(CellId id) const { return cells_[id]; }
  const Envelope& envelope(EnvelopeId id) const { return envelopes_[id]; }
  std::uint64_t value_hash(ValueId id) const { return values_[id].hash; }
  // How many there are, with the one that stands for none.
  std::uint32_t values() const { return values_.size(); }
  std::uint32_t cells() const { return cells_.size(); }
  std::uint32_t envelopes() const { return envelopes_.size(); }

  // The hashes of contents, from the hashes of the values in them (0: no value).
  static std::uint64_t value_hash(const ValueType& type, const void* data) {
    return mix(type.name_hash, type.hash(data));
  }
  static std::uint64_t cell_hash(const Cell& content, std::uint64_t value, std::uint64_t durable,
                                 std::uint64_t initial, std::uint64_t synced);
  static std::uint64_t envelope_hash(const Envelope& content, std::uint64_t message);

  // An estimate of what the pools take.
  std::size_t bytes() const { return bytes_; }
  void clear();

 private:
  struct ValueKey {
    const ValueType* type;
    const void* data;
    std::uint64_t hash;
  };
  template <class Content> struct ByHash {
    using is_transparent = void;
    using is_avalanching = void;
    const StablePool<Content>* pool;
    std::size_t operator()(std::uint32_t id) const { return (*pool)[id].hash; }
    std::size_t operator()(const Content& content) const { return content.hash; }
    std::size_t operator()(const ValueKey& key) const { return key.hash; }
  };
  struct SameValue {
    using is_transparent = void;
    const StablePool<InternedValue>* pool;
    bool operator()(std::uint32_t a, std::uint32_t b) const { return a == b; }
    bool operator()(const ValueKey& key, std::uint32_t id) const;
    bool operator()(std::uint32_t id, const ValueKey& key) const { return (*this)(key, id); }
  };
  template <class Content> struct SameContent {
    using is_transparent = void;
    const StablePool<Content>* pool;
    bool operator()(std::uint32_t a, std::uint32_t b) const { return a == b; }
    bool operator()(const Content& content, std::uint32_t id) const { return same(content, (*pool)[id]); }
    bool operator()(std::uint32_t id, const Content& content) const { return same(content, (*pool)[id]); }
  };
  static constexpr unsigned late_bits = 15;  // a table of ids is small beside what they stand for

  ValueId value(const ValueType& type, const void* data, std::uint64_t hash);
  static bool same(const Cell& a, const Cell& b);
  static bool same(const Envelope& a, const Envelope& b);

  const std::vector<ActorPlan>& actors_;
  StablePool<InternedValue> values_;
  StablePool<Cell> cells_;
  StablePool<Envelope> envelopes_;
  boost::unordered_flat_set<std::uint32_t, ByHash<InternedValue>, SameValue> value_index_;
  boost::unordered_flat_set<std::uint32_t, ByHash<Cell>, SameContent<Cell>> cell_index_;
  boost::unordered_flat_set<std::uint32_t, ByHash<Envelope>, SameContent<Envelope>> envelope_index_;
  std::vector<EnvelopeId> late_envelopes_;  // 0: none
  std::vector<ValueId> late_values_;
  std::size_t bytes_ = 0;
};

}  // namespace gainsay
