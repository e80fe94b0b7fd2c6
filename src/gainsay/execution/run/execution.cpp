#include "gainsay/execution/run/execution.hpp"

#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include "gainsay/execution/world/faults/faults.hpp"

namespace gainsay {
namespace {

// Strategies may be a user's own.
void require_choice(std::size_t index, std::size_t count) {
  if (index >= count)
    throw UserError(fmt::format("the strategy chose alternative {} of {} (they count from 0)", index, count));
}

}  // namespace

std::string foreign_exception_text(const std::string& what) {
  return fmt::format("a gate (accepts), a factory or a fault's function threw: {}", what);
}

std::string current_exception_text() {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "something that is not a std::exception";
  }
}

Execution::Execution(const Blueprint& blueprint, ExecutionOptions options)
    : blueprint_(blueprint),
      options_(options),
      kernel_(blueprint),
      network_(kernel_),
      stepper_(kernel_, network_),
      hash_(kernel_, network_),
      judge_(blueprint),
      visibility_(blueprint),
      liveness_(kernel_, network_, options.liveness, options.steps_max) {
  if (!options.memo) stepper_.make_all_live();
  judges_monitors_ = std::any_of(kernel_.monitors().begin(), kernel_.monitors().end(), [this](Slot slot) {
    return judge_.concerned(kernel_.directory().id_of(slot));
  });
  silent_monitors_ = kernel_.monitors().size();
  notified_monitors_.assign(kernel_.monitors().size(), false);
  heated_monitors_.assign(kernel_.monitors().size(), false);
}

Execution::~Execution() = default;

// Handlers and properties are guarded where they are called; what else the scenario brings (gates, factories,
// functions that corrupt) is guarded here.
RunOutcome Execution::run(Strategy& strategy, const Keep& keep) {
  try {
    return run_to_end(strategy, keep);
  } catch (const Divergence&) {
    throw;
  } catch (const UserError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    const auto step = records_.empty() ? no_step : static_cast<std::uint32_t>(records_.size() - 1);
    const std::string text = foreign_exception_text(current_exception_text());
    return finish(Ending::violated, Violation{"exception", text, nobody, step});
  }
}

RunOutcome Execution::run_to_end(Strategy& strategy, const Keep& keep) {
  strategy_ = &strategy;
  diverged_ = false;
  enabled_max_ = 0;
  needs_ = strategy.needs();
  restore(keep);
  liveness_.begin(world_, strategy.fair());
  if (records_.empty()) {
    if (auto violation = judge_.look(*this, nobody, no_step))
      return finish(Ending::violated, std::move(violation));
  }
  while (true) {
    plain_ = stepper_.plain(world_);
    if (plain_ && !needs_.backtracking && !needs_.executed && observer_ == nullptr && forced_.empty() &&
        records_.size() < liveness_.due()) {
      if (auto outcome = run_plain(strategy)) return *outcome;
      continue;
    }
    if (plain_) {
      if (world_.pending.empty()) return finish(Ending::quiescent, std::nullopt);
    } else {
      network_.enabled(world_, alternatives_);
      if (alternatives_.list.empty()) return finish(Ending::quiescent, std::nullopt);
    }
    if (records_.size() >= liveness_.due()) {
      if (auto violation = look_at_liveness(strategy)) return finish(Ending::violated, std::move(violation));
    }
    if (records_.size() >= options_.steps_max) {
      // A quiescent world may end here; what faults would still do there is not known.
      if (plain_ || !alternatives_.quiescent) return finish(Ending::step_bound, std::nullopt);
      RunOutcome outcome = finish(Ending::quiescent, std::nullopt);
      outcome.cut = true;
      return outcome;
    }
    if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) {
      return finish(Ending::interrupted, std::nullopt);
    }
    const std::optional<Alternative> decision = decide(strategy);
    if (!decision) return finish(cut_, std::nullopt);
    const Alternative chosen = *decision;
    if (chosen.kind == EventKind::stop) return finish(Ending::quiescent, std::nullopt);
    if (needs_.backtracking) take_snapshot();
    const StepResult result = needs_.executed || observer_ != nullptr ? perform_watched(strategy, chosen)
                                                                      : perform(strategy, chosen);
    if (diverged_) throw Divergence{records_.size() - 1};
    if (result.extras != nullptr) note_extras(result);
    if (result.failure != nullptr || result.changed || result.monitors_changed) {
      if (auto violation = judge_step(result)) return finish(Ending::violated, std::move(violation));
    }
  }
}

inline bool Execution::settled(Slot slot) const {
  // Actors of the scenario have their id as slot; no property has a spawned actor in its scope.
  return judge_.settled(ActorId{slot}, [this](ActorId actor) {
    const CellId cell = world_.cells[actor.raw];
    return cell == live_cell ? 0 : cell;
  });
}

// The same loop for the common case: nobody watches, and every pending event is enabled. Nothing: the world
// is no longer plain.
std::optional<RunOutcome> Execution::run_plain(Strategy& strategy) {
  while (stepper_.plain(world_)) {
    const std::size_t count = world_.pending.size();
    if (count == 0) return finish(Ending::quiescent, std::nullopt);
    const std::size_t step = records_.size();
    if (step >= std::min(options_.steps_max, liveness_.due())) [[unlikely]] {
      if (step < liveness_.due()) return finish(Ending::step_bound, std::nullopt);
      return std::nullopt;
    }
    if ((step & 0x3fU) == 0x3fU && options_.stop != nullptr &&
        options_.stop->load(std::memory_order_relaxed)) {
      return finish(Ending::interrupted, std::nullopt);
    }
    enabled_max_ = std::max(enabled_max_, count);
    const std::size_t index = strategy.choose(ChoicePoint::events(*this, step, count, count));
    require_choice(index, count);
    const Pending pending = world_.pending[index];
    const EnvelopeBrief brief = kernel_.brief(pending.envelope);
    records_.push_back({pending.id, pending.envelope, pending.parent, static_cast<std::uint32_t>(index),
                        static_cast<std::uint32_t>(answers_.size()), brief.kind});
    const Slot slot = brief.to;
    StepResult result;
    stepper_.step_plain(world_, index, pending, brief, *this, result);
    records_.back().answers_end = static_cast<std::uint32_t>(answers_.size());
    if (slot >= steps_by_slot_.size()) [[unlikely]]
      steps_by_slot_.resize(slot + 1, 0);
    ++steps_by_slot_[slot];
    if (diverged_) [[unlikely]]
      throw Divergence{step};
    if (result.extras != nullptr) [[unlikely]]
      note_extras(result);
    if (result.failure != nullptr || (result.changed && !settled(slot)) ||
        (result.monitors_changed && judges_monitors_)) {
      if (auto violation = judge_step(result)) return finish(Ending::violated, std::move(violation));
    }
  }
  return std::nullopt;
}

// Brings the world to where the kept prefix ends, or to the nearest point before it from where the rest is
// followed.
void Execution::restore(const Keep& keep) {
  GAINSAY_CHECK(keep.steps <= records_.size() && (keep.decisions == 0 || keep.steps < records_.size()),
                "the kept prefix is part of the last execution");
  kept_steps_ = keep.steps;
  // Loops may have begun before the snapshot: then the way from where they were not yet looked for is gone again.
  while (!snapshot_steps_.empty() &&
         (snapshot_steps_.back() > keep.steps ||
          !liveness_.is_fresh(snapshots_[snapshot_steps_.size() - 1], snapshot_steps_.back())))
    snapshot_steps_.pop_back();
  const bool from_start = snapshot_steps_.empty();
  const std::size_t from = from_start ? 0 : snapshot_steps_.back();
  const auto answers_before = [&](std::size_t step) {
    return step == 0 ? 0 : records_[step - 1].answers_end;
  };
  const std::size_t forced_end = keep.steps + (keep.decisions > 0 ? 1 : 0);
  const std::size_t answers_end = answers_before(keep.steps) + (keep.decisions > 0 ? keep.decisions - 1 : 0);
  forced_.assign(records_.begin(), records_.begin() + static_cast<std::ptrdiff_t>(forced_end));
  forced_answers_.assign(answers_.begin() + static_cast<std::ptrdiff_t>(answers_before(from)),
                         answers_.begin() + static_cast<std::ptrdiff_t>(answers_end));
  next_forced_answer_ = 0;
  answers_.resize(answers_before(from));
  records_.resize(from);
  while (!history_.empty() && history_.back().step >= from) history_.pop_back();
  if (!from_start) {
    world_ = snapshots_[snapshot_steps_.size() - 1];
    return;
  }
  const bool opaque = std::any_of(initial_.live.begin(), initial_.live.end(),
                                  [](const LiveActor& a) { return a.is_opaque(); });
  if (!initial_made_ || opaque) {
    stepper_.initial(initial_);
    initial_made_ = true;
  }
  world_ = initial_;
}

bool Execution::can_snapshot() const {
  return std::none_of(world_.live.begin(), world_.live.end(),
                      [](const LiveActor& actor) { return actor.is_opaque(); });
}

void Execution::take_snapshot() {
  const std::size_t count = plain_ ? world_.pending.size() : alternatives_.list.size();
  if (count < 2 || options_.backtracking != Backtracking::snapshots || !can_snapshot()) return;
  if (!snapshot_steps_.empty() && snapshot_steps_.back() == records_.size()) return;
  // Deep executions keep every 64th: the steps between are followed again, and memory stays in proportion.
  if (snapshot_steps_.size() >= 1024 && records_.size() % 64 != 0) return;
  if (snapshots_.size() == snapshot_steps_.size()) snapshots_.emplace_back();
  snapshots_[snapshot_steps_.size()] = world_;
  snapshot_steps_.push_back(records_.size());
}

// The alternative that a recorded step was.
Alternative Execution::follow(const StepRecord& record) const {
  const std::size_t count = plain_ ? world_.pending.size() : alternatives_.list.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Alternative candidate =
        plain_ ? Alternative{kernel_.envelope(world_.pending[i].envelope).kind, static_cast<std::uint32_t>(i)}
               : alternatives_.list[i];
    if (candidate.kind == record.kind && gainsay::event_of(kernel_, world_, candidate).id == record.id)
      return candidate;
  }
  throw Divergence{records_.size()};
}

// Nothing: the strategy ends the run here, as `cut_` says.
std::optional<Alternative> Execution::decide(Strategy& strategy) {
  if (records_.size() < forced_.size()) return follow(forced_[records_.size()]);
  const std::size_t count = plain_ ? world_.pending.size() : alternatives_.list.size();
  const std::size_t ordinary = plain_ ? count : alternatives_.ordinary;
  const bool may_stop = !plain_ && alternatives_.list.back().kind == EventKind::stop;
  enabled_max_ = std::max(enabled_max_, may_stop ? count - 1 : count);
  const std::size_t index = strategy.choose(ChoicePoint::events(*this, records_.size(), count, ordinary));
  if (index == blocked_run || index == cut_run) {
    cut_ = index == blocked_run ? Ending::blocked : Ending::step_bound;
    return std::nullopt;
  }
  require_choice(index, count);
  if (!plain_) return alternatives_.list[index];
  return Alternative{kernel_.envelope(world_.pending[index].envelope).kind,
                     static_cast<std::uint32_t>(index)};
}

std::uint32_t Execution::answer_to(std::uint32_t among, bool coin) {
  std::uint32_t answer = 0;
  if (next_forced_answer_ < forced_answers_.size()) {
    const DataChoice& kept = forced_answers_[next_forced_answer_++];
    if (kept.among != among) {
      diverged_ = true;
    } else {
      answer = kept.answer;
    }
  } else {
    // No exception may pass through the user's handler, which is free to catch everything.
    try {
      const std::size_t index = strategy_->choose(ChoicePoint::value(records_.size() - 1, among));
      require_choice(index, among);
      answer = static_cast<std::uint32_t>(index);
    } catch (const Divergence&) {
      diverged_ = true;
    }
  }
  answers_.push_back({answer, among, coin});
  return answer;
}

void Execution::record_step(const Alternative& chosen) {
  StepRecord record;
  record.kind = chosen.kind;
  record.target = chosen.target;
  record.answers_end = static_cast<std::uint32_t>(answers_.size());
  if (concerns_pending(chosen)) {
    const Pending& pending = world_.pending[chosen.target];
    record.id = pending.id;
    record.envelope = pending.envelope;
    record.parent = pending.parent;
  }
  if (is_fault(chosen.kind)) record.id = fault_id(world_, chosen);
  records_.push_back(record);
}

StepResult Execution::perform(Strategy&, const Alternative& chosen) {
  record_step(chosen);
  const StepResult result = stepper_.step(world_, chosen, *this);
  records_.back().answers_end = static_cast<std::uint32_t>(answers_.size());
  if (result.slot != Directory::no_slot) {
    if (result.slot >= steps_by_slot_.size()) steps_by_slot_.resize(result.slot + 1, 0);
    ++steps_by_slot_[result.slot];
  }
  return result;
}

// The same for those who want to know what each step did.
StepResult Execution::perform_watched(Strategy& strategy, const Alternative& chosen) {
  const Event event = gainsay::event_of(kernel_, world_, chosen);
  if (observer_ != nullptr) observer_->before_step(*this, event);
  StepResult result;
  try {
    result = perform(strategy, chosen);
  } catch (...) {  // by a factory or a fault's function: the step happened
    if (observer_ != nullptr) observer_->after_step(*this, event, {}, {});
    throw;
  }
  const auto step = static_cast<std::uint32_t>(records_.size() - 1);
  std::size_t first = world_.pending.size();
  while (first > 0 && world_.pending[first - 1].parent == step) --first;
  const std::span<const Pending> created(world_.pending.data() + first, world_.pending.size() - first);
  if (observer_ != nullptr) observer_->after_step(*this, event, result, created);
  if (needs_.executed && step >= kept_steps_) {
    created_.clear();
    for (const Pending& pending : created) created_.push_back(gainsay::event_of(kernel_, pending));
    strategy.executed(event, flags_of(records_.back(), result), created_);
  }
  return result;
}

std::optional<Violation> Execution::judge_step(const StepResult& result) {
  const auto step = static_cast<std::uint32_t>(records_.size() - 1);
  const ActorId actor = kernel_.directory().id_of(result.slot);
  if (result.failure != nullptr)
    return Violation{result.failure->property, result.failure->message, actor, step};
  if (result.changed && judge_.concerned(actor)) {
    if (auto violation = judge_.look(*this, actor, step)) return violation;
  }
  if (!result.monitors_changed) return std::nullopt;
  for (const EnvelopeId notification : result.extras->notifications) {
    const ActorId monitor = kernel_.envelope(notification).receiver;
    if (!judge_.concerned(monitor)) continue;
    if (auto violation = judge_.look(*this, monitor, step)) return violation;
  }
  return std::nullopt;
}

std::optional<Violation> Execution::look_at_liveness(const Strategy& strategy) {
  const auto enabled = [this]() -> std::span<const std::uint64_t> {
    enabled_classes_.clear();
    const auto add = [this](const Pending& pending) {
      enabled_classes_.push_back(liveness_.class_of(pending.envelope));
    };
    if (plain_) {
      for (const Pending& pending : world_.pending) add(pending);
    } else {
      for (std::size_t i = 0; i < alternatives_.ordinary; ++i)
        add(world_.pending[alternatives_.list[i].target]);
    }
    return enabled_classes_;
  };
  const auto done = [this](std::uint32_t step) -> LassoWatch::Done {
    const StepRecord& record = records_[step];
    return {is_ordinary(record.kind) ? liveness_.class_of(record.envelope) : 0, answers_of(step)};
  };
  return liveness_.look(
      {world_, *this, records_.size(), strategy.fair(), enabled, done, [this] { return trace().steps; }});
}

// Remembers what a step said to monitors and to the history.
void Execution::note_extras(const StepResult& result) {
  for (const HistoryOp& op : result.extras->history)
    history_.push_back({static_cast<std::uint32_t>(records_.size() - 1), result.slot, op});
  if (!result.notified) return;
  if (silent_monitors_ > 0) note_notified(*result.extras);
  if (!result.monitors_changed) return;
  liveness_.feel(world_);
  for (std::size_t m = 0; m < heated_monitors_.size(); ++m) {
    if (world_.hot_since[m] != no_step) heated_monitors_[m] = true;
  }
}

void Execution::note_notified(const Extras& extras) {
  for (const EnvelopeId notification : extras.notifications) {
    const Slot monitor = kernel_.brief(notification).to;
    for (std::size_t m = 0; m < notified_monitors_.size(); ++m) {
      if (kernel_.monitors()[m] != monitor || notified_monitors_[m]) continue;
      notified_monitors_[m] = true;
      --silent_monitors_;
    }
  }
}

std::vector<HistoryEntry> Execution::history() const {
  std::vector<HistoryEntry> entries;
  for (const HistoryRecord& record : history_) {
    HistoryEntry entry;
    entry.actor = kernel_.directory().id_of(record.slot);
    entry.process = record.op.client == nobody ? entry.actor : record.op.client;
    entry.number = record.op.number;
    entry.invocation = record.op.invocation;
    entry.how = record.op.how;
    entry.step = record.step;
    if (record.op.value != 0) {
      entry.type = kernel_.value(record.op.value).type;
      entry.data = kernel_.value(record.op.value).data;
    }
    entries.push_back(entry);
  }
  return entries;
}

RunOutcome Execution::finish(Ending ending, std::optional<Violation> violation) {
  RunOutcome outcome;
  outcome.steps = records_.size();
  outcome.enabled_max = enabled_max_;
  outcome.fair = strategy_->fair();
  const std::uint32_t last = records_.empty() ? no_step : static_cast<std::uint32_t>(records_.size() - 1);
  if (ending == Ending::quiescent) violation = judge_.look_at_end(*this, last);
  // The beginning of a history that is right is right: one that was cut is judged too.
  const bool says_nothing = ending == Ending::interrupted || ending == Ending::blocked;
  if (!violation && !says_nothing && options_.judge_histories && !blueprint_.history_properties.empty())
    violation = judge_.look_at_history(history(), *this, last);
  if (violation) ending = Ending::violated;
  outcome.ending = ending;
  outcome.violation = std::move(violation);
  std::uint64_t sum = 0;
  for (Slot slot = 0; slot < world_.classes.size(); ++slot) {
    if (world_.classes[slot] != 0)
      sum += scramble(mix(world_.classes[slot], kernel_.directory().id_of(slot).raw + 1ULL));
  }
  outcome.trace_class = sum;
  return outcome;
}

void Execution::tidy(std::size_t most_bytes) {
  if (options_.memo) {
    for (Slot slot = 0; slot < steps_by_slot_.size(); ++slot) {
      const std::uint64_t calls = kernel_.handler_calls(slot);
      if (stepper_.is_live(slot) || calls <= 4096 || calls * 4 <= steps_by_slot_[slot]) continue;
      stepper_.make_live(slot);
      initial_made_ = false;
    }
  }
  if (kernel_.bytes() <= most_bytes) return;
  snapshot_steps_.clear();
  snapshots_.clear();
  history_.clear();
  initial_ = WorldState{};
  world_ = WorldState{};
  initial_made_ = false;
  kernel_.clear();
  judge_.forget();
  liveness_.forget();
}

// --- events ---

Event Execution::event_of(const StepRecord& record) const {
  Event event;
  if (record.envelope != 0)
    event = gainsay::event_of(kernel_, Pending{record.id, record.envelope, record.parent});
  if (is_fault(record.kind) && fault_of(record.kind).subject == FaultSubject::actor)
    event.receiver = kernel_.directory().id_of(actor_of(blueprint_, record.target));
  event.id = record.id;
  event.kind = record.kind;
  return event;
}

Event Execution::event_at(std::size_t index) const {
  return plain_ ? gainsay::event_of(kernel_, world_.pending[index])
                : gainsay::event_of(kernel_, world_, alternatives_.list[index]);
}

std::optional<std::uint64_t> Execution::world_fingerprint() const {
  if (!hash_.possible(world_)) return std::nullopt;
  return hash_.of(world_);
}

std::span<const DataChoice> Execution::answers_of(std::size_t step) const {
  const std::size_t begin = step == 0 ? 0 : records_[step - 1].answers_end;
  return {answers_.data() + begin, records_[step].answers_end - begin};
}

Trace Execution::trace() const {
  Trace trace;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const auto answers = answers_of(i);
    trace.steps.push_back({event_of(records_[i]), {answers.begin(), answers.end()}});
  }
  return trace;
}

// --- reading the world ---

Slot Execution::slot_or_none(ActorId actor) const {
  const Slot slot = kernel_.directory().slot_of(actor);
  return slot < world_.cells.size() && world_.cells[slot] != 0 ? slot : Directory::no_slot;
}

WorldReader::Status Execution::status(ActorId actor) const {
  const Slot slot = slot_or_none(actor);
  if (slot == Directory::no_slot) return Status::absent;
  return world_.cells[slot] == live_cell ? world_.live[slot].status : kernel_.cell(world_.cells[slot]).status;
}

const ActorType* Execution::type(ActorId actor) const {
  const Slot slot = slot_or_none(actor);
  if (slot == Directory::no_slot) return nullptr;
  return world_.cells[slot] == live_cell ? world_.live[slot].type : kernel_.cell(world_.cells[slot]).type;
}

const void* Execution::state(ActorId actor) const {
  const Slot slot = slot_or_none(actor);
  if (slot == Directory::no_slot) return nullptr;
  if (world_.cells[slot] == live_cell) return world_.live[slot].object();
  return kernel_.cell(world_.cells[slot]).data;
}

const void* Execution::durable(ActorId actor, const ValueType& type) const {
  const Slot slot = slot_or_none(actor);
  if (slot == Directory::no_slot) return nullptr;
  if (world_.cells[slot] == live_cell) {
    const AnyValue& stored = world_.live[slot].durable;
    return stored.has_value() && &stored.type() == &type ? stored.data() : nullptr;
  }
  const ValueId stored = kernel_.cell(world_.cells[slot]).durable;
  return stored != 0 && kernel_.value(stored).type == &type ? kernel_.value(stored).data : nullptr;
}

std::uint32_t Execution::version(ActorId actor) const {
  const Slot slot = slot_or_none(actor);
  return slot == Directory::no_slot || world_.cells[slot] == live_cell ? 0 : world_.cells[slot];
}

bool Execution::has_spawned() const { return world_.cells.size() > blueprint_.actors.size(); }

std::vector<ActorId> Execution::actors() const {
  std::vector<ActorId> ids;
  for (Slot slot = 0; slot < world_.cells.size(); ++slot) {
    if (world_.cells[slot] != 0 && !kernel_.is_monitor(slot)) ids.push_back(kernel_.directory().id_of(slot));
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace gainsay
