#include "tools/onlooker.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gainsay/base/text.hpp"
#include "gainsay/execution/run/document.hpp"

namespace gainsay::tools {
namespace {

constexpr std::size_t offers_max = 400;  // more are not written down

// Whether the page reads the text as one value: brackets match, and nothing outside of them separates values.
bool is_one_value(std::string_view text) {
  std::string open;
  for (const char c : text) {
    if (c == '"' || static_cast<unsigned char>(c) < 0x20U) return false;
    if ((c == ',' || c == ':') && open.empty()) return false;
    if (c == '{' || c == '[' || c == '(') open += c == '{' ? '}' : c == '[' ? ']' : ')';
    if (c != '}' && c != ']' && c != ')') continue;
    if (open.empty() || open.back() != c) return false;
    open.pop_back();
  }
  return open.empty() && !text.empty();
}

// What an opaque actor says of itself, as values are printed: `Server{role: leader, term: 3}`.
std::string description_text(std::string_view type, const Description& description) {
  std::vector<std::string> parts;
  for (const auto& [name, text] : description)
    parts.push_back(fmt::format("{}: {}", is_one_value(name) ? name : gainsay::quoted(name),
                                is_one_value(text) ? text : gainsay::quoted(text)));
  return printable_utf8(fmt::format("{}{{{}}}", type, fmt::join(parts, ", ")));
}

}  // namespace

Onlooker::Onlooker(Execution& execution, Strategy& inner, TraceSight& sight)
    : execution_(execution), inner_(inner), sight_(sight) {
  for (const Slot slot : execution.kernel().monitors())
    sight.monitors.push_back(
        execution.kernel().directory().name_of(execution.kernel().directory().id_of(slot)));
}

std::size_t Onlooker::choose(const ChoicePoint& point) {
  if (point.is_value()) return inner_.choose(point);
  look_at_actors();
  Alternatives offer;
  execution_.engine().network.offer(execution_.world(), offer);
  note_offers(offer, static_cast<std::uint32_t>(point.step()));
  const std::size_t index = inner_.choose(point);
  if (index < offer.count) {
    const Alternative chosen = offer.at(execution_.world(), index);
    if (concerns_pending(chosen))
      taken_[execution_.world().pending[chosen.target].id.raw] = static_cast<std::uint32_t>(point.step());
  }
  return index;
}

void Onlooker::executed(const Event& event, const EffectFlags& flags, std::span<const Event> created) {
  if (inner_.needs().executed) inner_.executed(event, flags, created);
  touched_ = event.receiver;
  const auto step = static_cast<std::uint32_t>(execution_.steps() - 1);
  for (const Event& each : created) {
    sight_.created.push_back(
        {step, each.id, each.kind, execution_.name(each.receiver), created_text(each), std::nullopt});
  }
}

void Onlooker::finish() {
  look_at_actors();
  for (TraceSight::Created& each : sight_.created) {
    const auto taken = taken_.find(each.id.raw);
    if (taken != taken_.end() && taken->second > each.step) each.taken = taken->second;
  }
  for (const auto& [key, offer] : open_) sight_.offers.push_back(offer);
  std::sort(sight_.offers.begin(), sight_.offers.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.first, a.last, a.id.raw, a.kind) < std::tuple(b.first, b.last, b.id.raw, b.kind);
  });
  note_operations();
}

std::vector<TraceSight::Offer> Onlooker::possible_now() const {
  Alternatives offer;
  execution_.engine().network.offer(execution_.world(), offer);
  std::vector<TraceSight::Offer> list;
  for (std::size_t i = 0; i < offer.count; ++i)
    list.push_back(offer_of(offer.at(execution_.world(), i), steps()));
  return list;
}

ActorNames Onlooker::names() const {
  return [this](ActorId id) { return execution_.kernel().directory().name_of(id); };
}

std::string Onlooker::created_text(const Event& event) const {
  const std::string message = message_of(event, execution_);
  const std::string to = execution_.name(event.receiver);
  if (event.kind == EventKind::start) return "start of " + to;
  if (event.kind == EventKind::timer) return "timer " + message;
  if (event.kind == EventKind::task) return "task " + message;
  return message + " to " + to;
}

// A step changes its receiver, monitors that it tells, and what it spawns.
void Onlooker::look_at_actors() {
  const Kernel& kernel = execution_.kernel();
  for (const ActorId actor : execution_.actors()) {
    const Slot slot = kernel.directory().slot_of(actor);
    const bool seen = states_.contains(actor.raw);
    if (seen && actor != touched_ && !kernel.is_monitor(slot)) continue;
    note(states_[actor.raw], sight_.states, actor, state_text(actor));
    const WorldState& world = execution_.world();
    if (slot < world.live.size() && world.live[slot].exists()) {
      const std::string stored = disk_text(world.live[slot]);
      if (!stored.empty() || disks_.contains(actor.raw)) note(disks_[actor.raw], sight_.disks, actor, stored);
    }
  }
  touched_ = nobody;
  look_at_monitors();
}

void Onlooker::note(std::string& last, std::vector<TraceSight::Text>& list, ActorId actor,
                    const std::string& text) const {
  if (text == last) return;
  last = text;
  list.push_back({steps(), execution_.name(actor), text});
}

std::string Onlooker::state_text(ActorId actor) const {
  const ActorType* type = execution_.type(actor);
  const void* state = execution_.state(actor);
  if (type == nullptr || state == nullptr) return "";
  if (type->value != nullptr) return print(*type->value, state, names());
  if (type->describe != nullptr) return description_text(type->name, type->describe(state));
  if (type->waiting != nullptr) {
    const std::string waiting = type->waiting(state, names());
    return waiting.empty() ? "does not wait" : waiting;
  }
  return "";
}

std::string Onlooker::disk_text(const LiveActor& actor) const {
  if (!actor.durable.has_value()) return "";
  return print(actor.durable.type(), actor.durable.data(), names());
}

void Onlooker::look_at_monitors() {
  const auto monitors = execution_.kernel().monitors();
  warmth_.resize(monitors.size());
  for (std::size_t m = 0; m < monitors.size(); ++m) {
    const ActorId id = execution_.kernel().directory().id_of(monitors[m]);
    const ActorType* type = execution_.type(id);
    const void* state = execution_.state(id);
    if (type == nullptr || type->heat == nullptr || state == nullptr) continue;
    const Heat heat = type->heat(state);
    const auto warmth = heat == Heat::hot    ? TraceSight::Warmth::hot
                        : heat == Heat::warm ? TraceSight::Warmth::warm
                                             : TraceSight::Warmth::cold;
    const std::string text =
        heat == Heat::hot && type->awaits != nullptr ? type->awaits(state) : std::string();
    const auto now = std::pair(warmth, text);
    if (warmth_[m] && *warmth_[m] == now) continue;
    warmth_[m] = now;
    sight_.heat.push_back({steps(), m, now.first, text});
  }
}

// What is possible again and again is one row.
void Onlooker::note_offers(const Alternatives& offer, std::uint32_t step) {
  const Engine& engine = execution_.engine();
  const WorldState& world = execution_.world();
  std::map<std::pair<std::uint64_t, EventKind>, TraceSight::Offer> now;
  for (std::size_t i = 0; i < std::min(offer.count, offers_max); ++i) {
    const Alternative each = offer.at(world, i);
    if (each.kind == EventKind::stop) continue;
    const std::pair key(engine.id_of(world, each).raw, each.kind);
    if (const auto before = open_.find(key); before != open_.end()) {
      now.insert(open_.extract(before));
    } else {
      now.emplace(key, offer_of(each, step));
    }
    now.find(key)->second.last = step;
  }
  for (const auto& [key, gone] : open_) sight_.offers.push_back(gone);
  open_ = std::move(now);
}

TraceSight::Offer Onlooker::offer_of(const Alternative& each, std::uint32_t step) const {
  const Engine& engine = execution_.engine();
  const WorldState& world = execution_.world();
  TraceSight::Offer out{each.kind, "", "", "", EventId{}, step, step};
  if (each.kind == EventKind::stop) return out;
  const Event event = engine.event_of(world, each);
  out.id = event.id;
  if (event.receiver != nobody) out.to = execution_.name(event.receiver);
  if (event.kind != EventKind::start && event.sender != nobody) out.from = execution_.name(event.sender);
  if (concerns_pending(each))
    out.message = message_of(engine.event_of(world.pending[each.target]), execution_);
  if (each.kind == EventKind::isolate)
    out.to = execution_.name(execution_.kernel().directory().id_of(each.target));
  if (each.kind == EventKind::partition) out.message = engine.blueprint().faults.partitions[each.target].name;
  return out;
}

void Onlooker::note_operations() {
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::size_t> open;
  for (const HistoryEntry& entry : execution_.history()) {
    const std::pair key(static_cast<std::uint64_t>(entry.process.raw), entry.number);
    const std::string text = entry.type == nullptr ? "" : print(*entry.type, entry.data, names());
    if (entry.invocation) {
      open[key] = sight_.operations.size();
      sight_.operations.push_back({execution_.name(entry.process), text, "", entry.step, no_step, ""});
    } else if (const auto begun = open.find(key); begun != open.end()) {
      TraceSight::ClientOperation& operation = sight_.operations[begun->second];
      operation.end = entry.step;
      operation.result = text;
      operation.how = entry.how == Completion::ok       ? "ok"
                      : entry.how == Completion::failed ? "failed"
                                                        : "unknown";
    }
  }
}

}  // namespace gainsay::tools
