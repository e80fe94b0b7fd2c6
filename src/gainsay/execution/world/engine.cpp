#include "gainsay/execution/world/engine.hpp"

#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include "gainsay/base/user_call.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

std::string current_exception_text() {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "something that is not a std::exception";
  }
}

Violation violation_of_exception(std::uint32_t step) {
  try {
    throw;
  } catch (const Divergence&) {
    throw;
  } catch (const UserError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const CallDied& died) {
    return {"fatal error",
            fmt::format("a gate (accepts), a factory or a fault function ended with {}", died.what()), nobody,
            step};
  } catch (...) {
    return {
        "exception",
        fmt::format("a gate (accepts), a factory or a fault function threw: {}", current_exception_text()),
        nobody, step};
  }
}

void Engine::clear() {
  GAINSAY_CHECK(own_ != nullptr, "only who owns a kernel clears it");
  own_->clear();
  front.forget();
  network.forget();
  hash.forget();
}

std::span<const Leaf> Engine::leaves_of(const WorldState& world, const Alternative& alternative) {
  const auto all = [&](CellId cell, EnvelopeId envelope) -> std::span<const Leaf> {
    if (world.timed) return front.leaves_at(cell, envelope, clock_at(world, alternative, envelope));
    const Front::Known& known = front.leaves(cell, envelope);
    return {known.begin(), known.end()};
  };
  if (is_ordinary(alternative.kind)) {
    const Pending& pending = world.pending[alternative.target];
    GAINSAY_CHECK(!world.is_live(pending.to), "a value actor");
    if (world.partition != 0 && network.cut(world, kernel().envelope(pending.envelope))) return {};
    return all(world.cells[pending.to], pending.envelope);
  }
  if (alternative.kind == EventKind::restart) {
    const CellId cell = front.restarted(world.cells[alternative.target]);
    if (kernel().cell(cell).type->on_restart == nullptr) return {};
    return all(cell, stepper.own_envelope(alternative.target, EventKind::restart));
  }
  if (alternative.kind == EventKind::recreate) {
    const CellId cell = front.recreated(world.cells[alternative.target]);
    if (kernel().cell(cell).type->on_start == nullptr) return {};
    return all(cell, stepper.own_envelope(alternative.target, EventKind::start));
  }
  return {};
}

// What the receiver's clock may show when it handles this.
TimeRange Engine::clock_at(const WorldState& world, const Alternative& alternative, EnvelopeId envelope) {
  if (kernel().origin() == Kernel::Origin::forgotten) return {};
  const Slot slot = network.route(envelope).to;
  const TimeRange range = network.time().clock_at(world, alternative, slot);
  return {range.earliest_ns + world.clock_jump(slot), range.latest_ns + world.clock_jump(slot)};
}

std::optional<Violation> Engine::judge_all(Judge& judge, const WorldReader& reader, const StepResult& result,
                                           std::uint32_t step) const {
  if (result.slot == Directory::no_slot) {
    if (result.failure == nullptr) return std::nullopt;
    return Violation{result.failure->property, result.failure->message, nobody, step};
  }
  const ActorId actor = kernel().directory().id_of(result.slot);
  if (result.failure != nullptr)
    return Violation{result.failure->property, result.failure->message, actor, step};
  if (result.changed && judge.concerned(actor)) {
    if (auto violation = judge.look(reader, actor, step)) return violation;
  }
  if (!result.monitors_changed) return std::nullopt;
  for (const EnvelopeId notification : result.extras->notifications) {
    const ActorId monitor = kernel().envelope(notification).receiver;
    if (!judge.concerned(monitor)) continue;
    if (auto violation = judge.look(reader, monitor, step)) return violation;
  }
  return std::nullopt;
}

HistoryEntry Engine::history_entry(const HistoryRecord& record) const {
  HistoryEntry entry;
  entry.actor = kernel().directory().id_of(record.slot);
  entry.process = record.op.client == nobody ? entry.actor : record.op.client;
  entry.number = record.op.number;
  entry.invocation = record.op.invocation;
  entry.how = record.op.how;
  entry.step = record.step;
  if (record.op.value != 0) {
    entry.type = kernel().value(record.op.value).type;
    entry.data = kernel().value(record.op.value).data;
  }
  return entry;
}

std::uint64_t Engine::trace_class(const WorldState& world) const {
  GAINSAY_CHECK(world.classes.size() == world.cells.size(), "every actor has a class");
  std::uint64_t sum = 0;
  for (Slot slot = 0; slot < world.classes.size(); ++slot) {
    if (world.classes[slot] != 0)
      sum += scramble(mix(world.classes[slot], kernel().directory().id_of(slot).raw + 1ULL));
  }
  return sum;
}

// --- StateReader ---

Slot StateReader::slot_of(ActorId actor) const {
  Slot slot = static_cast<Slot>(actor.raw);
  if (is_spawned(actor)) {
    const auto held = engine_.front.lock();
    slot = engine_.kernel().directory().slot_of(actor);
  } else if (actor.raw >= cells().size()) {
    return Directory::no_slot;
  }
  return slot < cells().size() && cells()[slot] != 0 ? slot : Directory::no_slot;
}

WorldReader::Status StateReader::status(ActorId actor) const {
  const Slot slot = slot_of(actor);
  if (slot == Directory::no_slot) return Status::absent;
  const CellId cell = cells()[slot];
  return cell == live_cell ? (*live_)[slot].status : engine_.kernel().cell(cell).status;
}

const ActorType* StateReader::type(ActorId actor) const {
  const Slot slot = slot_of(actor);
  if (slot == Directory::no_slot) return nullptr;
  const CellId cell = cells()[slot];
  return cell == live_cell ? (*live_)[slot].type : engine_.kernel().cell(cell).type;
}

const void* StateReader::other_state(ActorId actor) const {
  const Slot slot = slot_of(actor);
  if (slot == Directory::no_slot) return nullptr;
  const CellId cell = cells()[slot];
  return cell == live_cell ? (*live_)[slot].object() : engine_.kernel().cell(cell).data;
}

const void* StateReader::durable(ActorId actor, const ValueType& type) const {
  const Slot slot = slot_of(actor);
  if (slot == Directory::no_slot) return nullptr;
  const CellId cell = cells()[slot];
  if (cell == live_cell) {
    const AnyValue& stored = (*live_)[slot].durable;
    return stored.has_value() && &stored.type() == &type ? stored.data() : nullptr;
  }
  const ValueId stored = engine_.kernel().cell(cell).durable;
  if (stored == 0) return nullptr;
  const InternedValue& value = engine_.kernel().value(stored);
  return value.type == &type ? value.data : nullptr;
}

std::uint64_t StateReader::identity(ActorId actor) const {
  const Slot slot = slot_of(actor);
  if (slot == Directory::no_slot) return 0;
  if (cells()[slot] != live_cell) return engine_.kernel().cell_fingerprint(slot, cells()[slot]);
  GAINSAY_CHECK(live_ != nullptr && slot < live_->size(), "a live actor is there");
  return mix((*live_)[slot].past, actor.raw + 1);
}

bool StateReader::has_spawned() const { return cells().size() > engine_.blueprint().actors.size(); }

std::vector<ActorId> StateReader::actors() const {
  std::vector<ActorId> ids;
  for (Slot slot = 0; slot < cells().size(); ++slot) {
    if (cells()[slot] != 0 && !engine_.kernel().is_monitor(slot))
      ids.push_back(engine_.kernel().directory().id_of(slot));
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::string StateReader::name(ActorId actor) const {
  const auto held = engine_.front.lock();
  return engine_.kernel().directory().name_of(actor);
}

}  // namespace gainsay
