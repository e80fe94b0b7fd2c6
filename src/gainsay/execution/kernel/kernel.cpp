#include "gainsay/execution/kernel/kernel.hpp"

#include <algorithm>

#include <boost/container/small_vector.hpp>

#include "gainsay/execution/kernel/handler_call.hpp"
#include "gainsay/execution/world/choice_path.hpp"

namespace gainsay {
namespace {

constexpr std::uint64_t gate_call =
    0x67617465;  // tells the call of a gate from that of the handler behind it

// Copies the values to `place`, which is behind them afterwards.
template <class Value> std::span<const Value> put(void*& place, std::span<const Value> values) {
  constexpr std::size_t aligned = alignof(Value) - 1;
  auto* const first = reinterpret_cast<Value*>((reinterpret_cast<std::uintptr_t>(place) + aligned) &
                                               ~std::uintptr_t{aligned});
  Value* const end = std::uninitialized_copy(values.begin(), values.end(), first);
  place = end;
  return {first, end};
}

}  // namespace

Kernel::Kernel(const Blueprint& blueprint)
    : blueprint_(blueprint),
      directory_(blueprint),
      interner_(blueprint.actors),
      cache_(new Remembered[cache_size]) {
  for (Slot slot = 0; slot < blueprint.actors.size(); ++slot) {
    is_monitor_.push_back(blueprint.actors[slot].type->monitor ? 1 : 0);
    if (is_monitor(slot)) monitors_.push_back(slot);
  }
  clear();
}

void Kernel::clear() {
  std::fill_n(cache_.get(), cache_size, Remembered{});
  memo_.clear();
  gates_.clear();
  leaves_.clear();
  leaves_at_.clear();
  transitions_.clear();
  questions_.clear();
  effects_.release();
  rare_effects_.clear();
  interner_.clear();
  directory_.clear();
  initial_cells_.assign(blueprint_.actors.size(), 0);
  transitions_.push({});
  questions_.push({});
  remembered_bytes_ = 0;
}

CellId Kernel::initial_cell(Slot slot) {
  CellId& known = initial_cells_[slot];
  if (known == 0) {
    const ActorPlan& plan = blueprint_.actors[slot];
    Cell cell;
    cell.type = plan.type;
    cell.value = interner_.value(plan.initial.type(), plan.initial.data());
    cell.initial = cell.value;
    cell.status = ActorStatus::alive;
    known = interner_.cell(cell);
  }
  return known;
}

EnvelopeId Kernel::envelope_of(ActorId from, Slot to, EventKind kind, const ValueType* type,
                               const void* message, std::uint32_t call) {
  const ActorId receiver = directory_.id_of(to);
  if (type == nullptr) return interner_.envelope(from, to, receiver, kind, 0, call);
  return interner_.envelope(from, to, receiver, kind, *type, message, call);
}

const Transition& Kernel::look_up(std::uint64_t key, Asker& asker, const TimeRange& clock) {
  Remembered& line = cache_[cache_index(key)];
  Node node = line.transition.next;
  if (line.key != (key | asks_bit)) {
    const auto found = memo_.find(key);
    if (found == memo_.end()) return execute(key, {}, asker, clock);
    node = found->second;
    if ((node & 1U) != 0) {
      line.key = key | asks_bit;
      line.transition.next = node;
    }
  }
  boost::container::small_vector<std::uint32_t, 16> answers;
  while ((node & 1U) != 0) {
    const Question& question = questions_[node >> 1U];
    const std::uint32_t answer = asker.ask(question.among, question.coin);
    GAINSAY_CHECK(answer < question.among, "an answer is among the choices");
    answers.push_back(answer);
    node = question.children[answer];
    if (node == 0) return execute(key, {answers.begin(), answers.end()}, asker, clock);
  }
  const Transition& transition = transitions_[node >> 1U];
  if (answers.empty()) line = {key, transition};
  return transition;
}

const Transition& Kernel::execute(std::uint64_t key, std::vector<std::uint32_t> answers, Asker& asker,
                                  const TimeRange& clock) {
  const auto cell_id = static_cast<CellId>(key >> 32U);
  const auto envelope_id = static_cast<EnvelopeId>(key);
  const Cell before = interner_.cell(cell_id);
  const Envelope envelope = interner_.envelope(envelope_id);
  if (before.status != ActorStatus::alive) return lost(key);
  count_call(envelope.to);
  if (fresh_ != nullptr) fresh_->steps.push_back(key);

  const bool monitor = before.type->monitor;
  CallEffects& effects = monitor ? monitor_effects_ : fleeting_effects_;
  effects.clear();
  HandlerCall call(*this, envelope.to, effects, asker, clock);
  call.answers = std::move(answers);
  prepare(call, before);
  AnyValue object(*before.type->value, interner_.value(before.value).data);
  std::uint64_t name = mix(cell_fingerprint(envelope.to, cell_id), envelope.hash);
  if (blueprint_.timed) name = mix(name, static_cast<std::uint64_t>(clock.earliest_ns));
  call.run(*before.type, object.data(), envelope, name);
  call.require_same_questions();
  Cell after = after_call(call, before, object.data());
  if (call.keeps_fields && after.value != before.value) call.fail_mutable();

  Transition transition;
  transition.next = interner_.cell(after);
  transition.changed = transition.next != cell_id;
  transition.sends = effects.sends.data();
  transition.sends_count = static_cast<std::uint32_t>(effects.sends.size());
  transition.to_spawned = std::any_of(effects.sends.begin(), effects.sends.end(), [&](EnvelopeId out) {
    return is_spawned(interner_.envelope(out).receiver);
  });

  bool remembered = !call.fleeting;
  for (const DataChoice& choice : call.asked)
    remembered = remembered && choice.among <= most_remembered_answers;
  transition.extras = effects.extras();
  if (remembered && repeats_left_ > 0 && !effects.failed() && remarks_ == nullptr) {
    --repeats_left_;
    if (!does_the_same_again(call, transition, before, envelope, name, clock)) call.fail_otherwise();
    transition.extras = effects.extras();
  }
  if (!remembered) {
    fleeting_ = transition;
    return fleeting_;
  }
  transition = kept(transition);
  const std::uint32_t id = transitions_.push(transition);
  remember(key, call.asked, id << 1U);
  remembered_bytes_ += sizeof(Transition) + 32;
  if (call.asked.empty()) cache_[cache_index(key)] = {key, transition};
  return transitions_[id];
}

// The hidden part of the local state.
void Kernel::prepare(HandlerCall& call, const Cell& before) const {
  call.spawned = before.spawned;
  call.invoked = before.invoked;
  call.disk = before.disk;
  if (before.durable == 0) return;
  call.durable_type = interner_.value(before.durable).type;
  call.durable_data = interner_.value(before.durable).data;
}

Cell Kernel::after_call(const HandlerCall& call, const Cell& before, const void* object) {
  Cell after = before;
  after.value = interner_.value(*before.type->value, object);
  after.spawned = call.spawned;
  after.invoked = call.invoked;
  if (call.persisted.has_value())
    after.durable = interner_.value(call.persisted.type(), call.persisted.data());
  // A disk that caches took the first value that the handler persisted.
  if (call.disk != Disk::cached) after.synced = 0;
  if (call.disk == Disk::cached && before.disk == Disk::caches) after.synced = before.durable;
  after.disk = call.disk;
  if (call.halted) after.status = ActorStatus::halted;
  return after;
}

// Whether another call with the same answers comes to the same. Notes do not count.
bool Kernel::does_the_same_again(const HandlerCall& call, const Transition& transition, const Cell& before,
                                 const Envelope& envelope, std::uint64_t name, const TimeRange& clock) {
  CallEffects effects;
  ChoicePath unasked;
  HandlerCall again(*this, envelope.to, effects, unasked, clock);
  for (const DataChoice& choice : call.asked) again.answers.push_back(choice.answer);
  prepare(again, before);
  AnyValue object(*before.type->value, interner_.value(before.value).data);
  again.run(*before.type, object.data(), envelope, name);
  const Extras& first = transition.rest();
  const Extras* const found = effects.extras();
  const Extras& second = found != nullptr ? *found : no_extras;
  const auto same = [](const auto& a, const auto& b, const auto& equal) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
  };
  return !effects.failed() &&
         same(again.asked, call.asked,
              [](const DataChoice& a, const DataChoice& b) {
                return a.among == b.among && a.coin == b.coin;
              }) &&
         interner_.cell(after_call(again, before, object.data())) == transition.next &&
         same(effects.sends, transition.outs(), std::equal_to<>()) &&
         same(second.notifications, first.notifications, std::equal_to<>()) &&
         same(second.outside_replies(), first.outside_replies(), std::equal_to<>()) &&
         same(second.timers, first.timers, std::equal_to<>()) &&
         same(second.spawns(), first.spawns(),
              [](const SpawnOp& a, const SpawnOp& b) { return a.slot == b.slot && a.cell == b.cell; }) &&
         same(second.history, first.history, [](const HistoryOp& a, const HistoryOp& b) {
           return a.number == b.number && a.invocation == b.invocation && a.value == b.value;
         });
}

// What arrives at an actor that is down or has halted has no effect.
const Transition& Kernel::lost(std::uint64_t key) {
  Transition transition;
  transition.next = static_cast<CellId>(key >> 32U);
  remembered_bytes_ += sizeof(Transition) + 32;
  const std::uint32_t id = transitions_.push(transition);
  remember(key, {}, id << 1U);
  return transitions_[id];
}

void Kernel::remember(std::uint64_t key, std::span<const DataChoice> path, Node leaf) {
  Node* place = &memo_[key];
  for (const DataChoice& choice : path) {
    if (*place == 0) {
      const std::uint32_t id =
          questions_.push({choice.among, choice.coin, std::vector<Node>(choice.among, 0)});
      *place = (id << 1U) | 1U;
      remembered_bytes_ += sizeof(Question) + choice.among * sizeof(Node);
    }
    Question& question = questions_[*place >> 1U];
    if ((*place & 1U) == 0 || question.among != choice.among || question.coin != choice.coin)
      return;  // a cheating handler: the first answer stands
    place = &question.children[choice.answer];
  }
  *place = leaf;
}

// A copy whose parts stay until `clear`, in one piece of memory: a step reads them all.
Transition Kernel::kept(const Transition& transition) {
  Transition copy = transition;
  if (transition.extras == nullptr) {
    if (transition.sends_count == 0) return copy;
    const std::span<const EnvelopeId> sends = transition.outs();
    void* place = effects_.allocate(sends.size_bytes(), alignof(EnvelopeId));
    remembered_bytes_ += sends.size_bytes();
    copy.sends = put(place, sends).data();
    return copy;
  }
  const Extras& extras = *transition.extras;
  const std::size_t bytes = sizeof(Extras) + transition.outs().size_bytes() +
                            extras.notifications.size_bytes() + alignof(TimerOp) +
                            extras.timers.size_bytes() + extras.history.size_bytes();
  void* place = effects_.allocate(bytes, alignof(Extras));
  remembered_bytes_ += bytes;
  Extras* const whole = ::new (place) Extras;
  place = whole + 1;
  copy.extras = whole;
  copy.sends = put(place, transition.outs()).data();
  whole->notifications = put(place, extras.notifications);
  whole->timers = put(place, extras.timers);
  whole->history = put(place, extras.history);
  if (extras.rare != nullptr) {
    rare_effects_.push_back(std::make_unique<RareEffects>(*extras.rare));
    whole->rare = rare_effects_.back().get();
    remembered_bytes_ += sizeof(RareEffects) + 64;
  }
  return copy;
}

const Leaves& Kernel::leaves(CellId cell, EnvelopeId envelope, const TimeRange& clock) {
  const std::uint64_t key = step_key(cell, envelope);
  if (const auto known = leaves_.find(key); known != leaves_.end()) return *known->second;
  const std::tuple at(key, clock.earliest_ns, clock.latest_ns);
  if (const auto known = leaves_at_.find(at); known != leaves_at_.end()) return known->second;
  const Envelope& taken = interner_.envelope(envelope);
  auto leaves = std::make_unique<Leaves>();
  ChoicePath path;
  bool reads = false;
  do {
    path.rewind();
    path.answers_hash = 0;
    path.time_read.reset();
    const Transition& found = look_up(key, path, clock);
    Leaf& leaf = leaves->emplace_back();
    leaf.transition = &found == &fleeting_ ? kept(found) : found;
    leaf.cell_delta = cell_fingerprint(taken.to, found.next) - cell_fingerprint(taken.to, cell);
    leaf.delta = leaf.cell_delta - taken.hash;
    for (const EnvelopeId out : found.outs()) leaf.delta += interner_.envelope(out).hash;
    leaf.answers = path.answers();
    leaf.answers_hash = path.answers_hash;
    leaf.time_read = path.time_read;
    reads = reads || path.time_read.has_value();
    remembered_bytes_ += sizeof(Leaf) + path.answers().size() * sizeof(DataChoice);
  } while (path.advance());
  remembered_bytes_ += sizeof(Leaves) + 24;
  if (derivations_ != nullptr) {
    derivations_->push_back(
        {DerivationKind::leaves, cell, envelope, 0, 0, clock.earliest_ns, clock.latest_ns});
  }
  if (reads) return leaves_at_.emplace(at, std::move(*leaves)).first->second;
  return *leaves_.emplace(key, std::move(leaves)).first->second;
}

const Transition* Kernel::only_transition(CellId cell, EnvelopeId envelope) {
  ChoicePath path;
  const Transition& leaf = look_up(step_key(cell, envelope), path, {});
  return &leaf == &fleeting_ || !path.answers().empty() ? nullptr : &leaf;
}

bool Kernel::call_live(LiveActor& actor, Slot slot, EnvelopeId envelope_id, Asker& asker,
                       const TimeRange& clock, CallEffects& effects) {
  const Envelope& envelope = interner_.envelope(envelope_id);  // it never moves
  count_call(slot);
  HandlerCall call(*this, slot, effects, asker, clock);
  call.spawned = actor.spawned;
  call.invoked = actor.invoked;
  call.calls = actor.calls;
  call.disk = actor.disk;
  if (actor.durable.has_value()) {
    call.durable_type = &actor.durable.type();
    call.durable_data = actor.durable.data();
  }
  // Nothing hashes what is inside: a live actor is what its calls have made of it.
  actor.past = mix(mix(actor.past, envelope.hash), static_cast<std::uint64_t>(clock.earliest_ns));
  call.run(*actor.type, actor.object(), envelope, mix(actor.past, directory_.id_of(slot).raw));
  for (const DataChoice& choice : call.asked) actor.past = mix(actor.past, choice.answer + 1ULL);
  actor.spawned = call.spawned;
  actor.invoked = call.invoked;
  actor.calls = call.calls;
  if (call.disk != Disk::cached && actor.synced.has_value()) actor.synced = AnyValue{};
  if (call.disk == Disk::cached && actor.disk == Disk::caches) actor.synced = actor.durable;
  actor.disk = call.disk;
  const bool stored = call.persisted.has_value();
  if (stored) actor.durable = std::move(call.persisted);
  if (call.halted) actor.status = ActorStatus::halted;
  return !call.keeps_fields || call.halted || stored;
}

bool Kernel::accepts(CellId cell_id, EnvelopeId envelope_id) {
  const Cell& cell = interner_.cell(cell_id);
  const Envelope& envelope = interner_.envelope(envelope_id);
  if (!cell.type->gated || envelope.message == 0) return true;
  const std::uint64_t key = step_key(cell_id, envelope_id);
  const auto found = gates_.find(key);
  if (found != gates_.end()) return found->second;
  const Handler* handler = cell.type->handler_of(*envelope.type);
  const UserCall running(mix(mix(cell.hash, envelope.hash), gate_call));
  const bool accepted =
      handler == nullptr || handler->accepts == nullptr || handler->accepts(cell.data, envelope.data);
  gates_.emplace(key, accepted);
  if (fresh_ != nullptr) fresh_->gates.push_back(key);
  remembered_bytes_ += 24;
  return accepted;
}

bool Kernel::accepts(const LiveActor& actor, EnvelopeId envelope_id) const {
  const Envelope& envelope = interner_.envelope(envelope_id);
  if (!actor.type->gated || envelope.message == 0) return true;
  if (actor.type->expects != nullptr) {
    const Expected expected = actor.type->expects(actor.object(), arrival_of(envelope));
    if (expected != Expected::by_handler) return expected == Expected::by_task;
  }
  const Handler* const handler =
      envelope.handler != nullptr ? envelope.handler : actor.type->handler_of(*envelope.type);
  const UserCall running(mix(mix(actor.past, envelope.hash), gate_call));
  return handler == nullptr || handler->accepts == nullptr || handler->accepts(actor.object(), envelope.data);
}

Arrival Kernel::arrival_of(const Envelope& envelope) const {
  const std::uint32_t answers = (envelope.call & 1U) != 0 ? envelope.call >> 1U : 0;
  return {envelope.kind, envelope.from, answers, envelope.type, envelope.data};
}

CellId Kernel::crashed(CellId cell_id) {
  Cell cell = interner_.cell(cell_id);
  GAINSAY_CHECK(cell.status == ActorStatus::alive, "only a living actor crashes");
  cell.status = ActorStatus::crashed;
  if (cell.disk == Disk::cached) {
    cell.durable = cell.synced;
    cell.synced = 0;
    cell.disk = Disk::sound;
  }
  return noted({DerivationKind::crashed, cell_id}, [&] { return interner_.cell(cell); });
}

CellId Kernel::restarted(CellId cell_id) {
  Cell cell = interner_.cell(cell_id);
  GAINSAY_CHECK(cell.status == ActorStatus::crashed, "only a crashed actor restarts");
  cell.status = ActorStatus::alive;
  cell.value = cell.initial;
  return noted({DerivationKind::restarted, cell_id}, [&] { return interner_.cell(cell); });
}

CellId Kernel::recreated(CellId cell_id) {
  Cell cell = interner_.cell(cell_id);
  GAINSAY_CHECK(cell.status == ActorStatus::alive || cell.status == ActorStatus::crashed,
                "what has halted stays so");
  cell.status = ActorStatus::alive;
  cell.value = cell.initial;
  cell.durable = 0;
  cell.synced = 0;
  cell.disk = Disk::sound;
  return noted({DerivationKind::recreated, cell_id}, [&] { return interner_.cell(cell); });
}

CellId Kernel::with_disk(CellId cell_id, Disk disk) {
  Cell cell = interner_.cell(cell_id);
  GAINSAY_CHECK(cell.disk == Disk::sound && disk != Disk::cached, "one disk fault at a time");
  cell.disk = disk;
  return noted({DerivationKind::with_disk, cell_id, 0, static_cast<std::uint32_t>(disk)},
               [&] { return interner_.cell(cell); });
}

EnvelopeId Kernel::own_envelope(Slot slot, EventKind kind) {
  return noted({DerivationKind::own_envelope, 0, 0, slot, static_cast<std::uint64_t>(kind)},
               [&] { return envelope_of(directory_.id_of(slot), slot, kind, nullptr, nullptr); });
}

EnvelopeId Kernel::corrupted(EnvelopeId envelope_id) {
  const Envelope envelope = interner_.envelope(envelope_id);
  const InternedValue& message = interner_.value(envelope.message);
  const std::vector<Corruption>& plans = blueprint_.faults.corruptions;
  const auto plan = std::find_if(plans.begin(), plans.end(),
                                 [&](const Corruption& each) { return each.type == message.type; });
  GAINSAY_CHECK(plan != plans.end(), "the scenario says how this type is corrupted");
  const AnyValue changed = plan->change(message.data);
  return noted({DerivationKind::corrupted, 0, envelope_id}, [&] {
    return envelope_of(envelope.from, envelope.to, EventKind::deliver, &changed.type(), changed.data(),
                       envelope.call);
  });
}

}  // namespace gainsay
