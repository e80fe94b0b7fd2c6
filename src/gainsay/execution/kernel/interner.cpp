#include "gainsay/execution/kernel/interner.hpp"

#include <new>
#include <utility>

#include <fmt/format.h>

namespace gainsay {

Directory::Directory(const Blueprint& blueprint) : fixed_(blueprint.actors.size()) {
  for (std::size_t i = 0; i < fixed_; ++i) entries_.push({ActorId{i}, blueprint.actors[i].name, nobody, 0});
}

void Directory::clear() {
  if (entries_.size() == fixed_) return;
  std::vector<Entry> fixed;
  for (std::uint32_t i = 0; i < fixed_; ++i) fixed.push_back(entries_[i]);
  entries_.clear();
  for (Entry& entry : fixed) entries_.push(std::move(entry));
  spawned_.clear();
  has_spawned_.store(false, std::memory_order_relaxed);
}

Slot Directory::add(Entry entry) {
  has_spawned_.store(true, std::memory_order_relaxed);
  return entries_.push(std::move(entry));
}

Slot Directory::slot_of_spawned(ActorId id) const {
  const auto found = spawned_.find(id.raw);
  return found == spawned_.end() ? no_slot : found->second;
}

Slot Directory::place_of_spawned(ActorId id) {
  const Slot known = slot_of(id);
  if (known != no_slot || !is_spawned(id)) return known;
  spawned_.emplace(id.raw, static_cast<Slot>(entries_.size()));
  return add({id, fmt::format("actor {:#x}", id.raw), nobody, 0});
}

Slot Directory::add_spawned(ActorId creator, std::uint32_t number, const std::string& label) {
  const ActorId id = spawned_id(creator, number, label);
  const auto [where, added] = spawned_.try_emplace(id.raw, static_cast<Slot>(entries_.size()));
  if (added) add({id, "", nobody, 0});
  Entry& entry = entries_[where->second];
  if (entry.creator == nobody) {  // its id stays: others may read it
    entry.name = fmt::format("{}/{}.{}", name_of(creator), label, number);
    entry.creator = creator;
    entry.number = number;
  }
  return entry.creator == creator && entry.number == number ? where->second : no_slot;
}

std::string Directory::name_of(ActorId id) const {
  if (id == outside) return "outside";
  if (id == nobody) return "nobody";
  const Slot slot = slot_of(id);
  return slot == no_slot ? fmt::format("actor {:#x}", id.raw) : entries_[slot].name;
}

Interner::Interner(const std::vector<ActorPlan>& actors)
    : actors_(actors),
      value_index_(0, ByHash<InternedValue>{&values_}, SameValue{&values_}),
      cell_index_(0, ByHash<Cell>{&cells_}, SameContent<Cell>{&cells_}),
      envelope_index_(0, ByHash<Envelope>{&envelopes_}, SameContent<Envelope>{&envelopes_}) {
  clear();
}

Interner::~Interner() { clear(); }

void Interner::clear() {
  for (std::uint32_t id = 1; id < values_.size(); ++id) {
    const InternedValue& value = values_[id];
    value.type->destroy(value.data);
    ::operator delete(value.data, std::align_val_t(value.type->alignment));
  }
  value_index_.clear();
  cell_index_.clear();
  envelope_index_.clear();
  values_.clear();
  cells_.clear();
  envelopes_.clear();
  values_.push({});
  cells_.push({});
  envelopes_.push({});
  late_envelopes_.assign(std::size_t{1} << late_bits, 0);
  late_values_.assign(std::size_t{1} << late_bits, 0);
  bytes_ = 0;
}

bool Interner::SameValue::operator()(const ValueKey& key, std::uint32_t id) const {
  const InternedValue& value = (*pool)[id];
  return value.hash == key.hash && value.type == key.type && value.type->equal(value.data, key.data);
}

ValueId Interner::value(const ValueType& type, const void* data) {
  const std::uint64_t hash = value_hash(type, data);
  ValueId& late = late_values_[hash >> (64U - late_bits)];
  if (!SameValue{&values_}(ValueKey{&type, data, hash}, late)) late = value(type, data, hash);
  return late;
}

ValueId Interner::value(const ValueType& type, const void* data, std::uint64_t hash) {
  const auto found = value_index_.find(ValueKey{&type, data, hash});
  if (found != value_index_.end()) return *found;
  void* copy = ::operator new(type.size, std::align_val_t(type.alignment));
  type.copy(copy, data);
  const ValueId id = values_.push({&type, copy, hash});
  value_index_.insert(id);
  bytes_ += type.size + type.heap_bytes(data) + 64;
  return id;
}

bool Interner::same(const Cell& a, const Cell& b) {
  return a.type == b.type && a.value == b.value && a.durable == b.durable && a.initial == b.initial &&
         a.spawned == b.spawned && a.invoked == b.invoked && a.synced == b.synced && a.status == b.status &&
         a.disk == b.disk;
}

std::uint64_t Interner::cell_hash(const Cell& content, std::uint64_t value, std::uint64_t durable,
                                  std::uint64_t initial, std::uint64_t synced) {
  Hasher hasher(content.type->name_hash);
  hasher.add(value);
  hasher.add(durable);
  hasher.add(initial);
  hasher.add((static_cast<std::uint64_t>(content.spawned) << 8) + static_cast<std::uint64_t>(content.status));
  if (content.invoked != 0) hasher.add(content.invoked);
  if (content.disk != Disk::sound) hasher.add(mix(static_cast<std::uint64_t>(content.disk), synced + 1));
  return hasher.finish();
}

std::uint64_t Interner::envelope_hash(const Envelope& content, std::uint64_t message) {
  Hasher hasher(static_cast<std::uint64_t>(content.kind) + 1);
  hasher.add(content.receiver.raw);
  hasher.add(content.from.raw);
  hasher.add(message);
  if (content.call != 0) hasher.add(content.call);
  return hasher.finish();
}

CellId Interner::cell(Cell& content) {
  const auto hash_of = [&](ValueId id) { return id == 0 ? 0 : values_[id].hash; };
  content.hash = cell_hash(content, hash_of(content.value), hash_of(content.durable),
                           hash_of(content.initial), hash_of(content.synced));
  content.data = values_[content.value].data;
  const auto found = cell_index_.find(content);
  if (found != cell_index_.end()) return *found;
  const CellId id = cells_.push(content);
  cell_index_.insert(id);
  bytes_ += sizeof(Cell) + 16;
  return id;
}

bool Interner::same(const Envelope& a, const Envelope& b) {
  return a.to == b.to && a.from == b.from && a.message == b.message && a.kind == b.kind && a.call == b.call;
}

// What live actors send is mostly known, and found without a look at the index of values.
EnvelopeId Interner::envelope(ActorId from, Slot to, ActorId receiver, EventKind kind, const ValueType& type,
                              const void* message, std::uint32_t call) {
  const std::uint64_t hash = value_hash(type, message);
  const std::uint64_t key = hash + to + (from.raw << 12U) + (static_cast<std::uint64_t>(call) << 24U);
  EnvelopeId& late = late_envelopes_[(key * 0x9e3779b97f4a7c15ULL) >> (64U - late_bits)];
  const Envelope& known = envelopes_[late];
  if (known.to != to || known.type != &type || known.from != from || known.call != call ||
      known.kind != kind || !type.equal(known.data, message)) [[unlikely]]
    late = envelope(from, to, receiver, kind, value(type, message, hash), call);
  return late;
}

EnvelopeId Interner::envelope(ActorId from, Slot to, ActorId receiver, EventKind kind, ValueId message,
                              std::uint32_t call) {
  Envelope content;
  content.to = to;
  content.message = message;
  content.receiver = receiver;
  content.from = from;
  content.call = call;
  content.kind = kind;
  const InternedValue& value = values_[message];  // of none: nothing
  content.type = value.type;
  content.data = value.data;
  content.hash = envelope_hash(content, value.hash);
  const auto found = envelope_index_.find(content);
  if (found != envelope_index_.end()) return *found;
  if (message != 0 && to < actors_.size()) content.handler = actors_[to].type->handler_of(*value.type);
  const EnvelopeId id = envelopes_.push(content);
  envelope_index_.insert(id);
  bytes_ += sizeof(Envelope) + 16;
  return id;
}

}  // namespace gainsay
