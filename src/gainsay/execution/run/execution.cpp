#include "gainsay/execution/run/execution.hpp"

#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include "gainsay/base/text.hpp"

namespace gainsay {
namespace {

// Strategies may be a user's own.
void require_choice(std::size_t index, std::size_t count) {
  if (index >= count)
    throw UserError(fmt::format("the strategy chose alternative {} of {} (they count from 0)", index, count));
}

}  // namespace

Execution::Execution(const Blueprint& blueprint, ExecutionOptions options)
    : blueprint_(blueprint),
      options_(options),
      engine_(blueprint),
      judge_(blueprint),
      visibility_(blueprint),
      liveness_(engine_.kernel(), engine_.network, options.liveness, options.steps_max),
      property_heat_(blueprint),
      reader_(engine_, world_),
      recording_(engine_) {
  if (!options.memo) engine_.stepper.make_all_live();
  const std::vector<Slot>& monitors = kernel().monitors();
  judges_monitors_ = std::any_of(monitors.begin(), monitors.end(), [this](Slot slot) {
    return judge_.concerned(kernel().directory().id_of(slot));
  });
  has_tasks_ = std::any_of(blueprint.actors.begin(), blueprint.actors.end(),
                           [](const ActorPlan& plan) { return plan.type->task_of != nullptr; });
  silent_monitors_ = monitors.size();
  unheated_monitors_ =
      static_cast<std::size_t>(std::count_if(monitors.begin(), monitors.end(), [&](Slot slot) {
        return blueprint.actors[slot].type->heat != nullptr;
      }));
  notified_monitors_.assign(monitors.size(), false);
  heated_monitors_.assign(monitors.size(), false);
}

Execution::~Execution() = default;

// Handlers and properties are guarded where they are called; what else the scenario brings (gates, factories,
// functions that corrupt) is guarded here.
RunOutcome Execution::run(Strategy& strategy, const Keep& keep) {
  try {
    return run_to_end(strategy, keep);
  } catch (...) {
    const auto step = recording_.empty() ? no_step : static_cast<std::uint32_t>(recording_.size() - 1);
    return finish(Ending::violated, violation_of_exception(step));
  }
}

[[gnu::always_inline]] inline bool Execution::settled(Slot slot) const {
  // Actors of the scenario have their id as slot; no property has a spawned actor in its scope.
  return judge_.settled(ActorId{slot}, [this](ActorId actor) {
    const CellId cell = world_.cells[actor.raw];
    return cell == live_cell ? 0 : cell;
  });
}

// The same of the monitors that were told something.
bool Execution::monitors_settled(const StepResult& result) const {
  const std::span<const EnvelopeId> told = result.extras->notifications;
  return std::all_of(told.begin(), told.end(),
                     [this](EnvelopeId each) { return settled(engine_.network.route(each).to); });
}

[[gnu::always_inline]] inline void Execution::perform(const Alternative& chosen, StepResult& result) {
  recording_.begin_step(world_, chosen);
  engine_.stepper.step(world_, chosen, *this, result);
  recording_.end_step();
  if (result.slot == Directory::no_slot) return;
  if (result.slot >= steps_by_slot_.size()) [[unlikely]]
    steps_by_slot_.resize(result.slot + 1, 0);
  ++steps_by_slot_[result.slot];
}

RunOutcome Execution::run_to_end(Strategy& strategy, const Keep& keep) {
  strategy_ = &strategy;
  diverged_ = false;
  enabled_max_ = 0;
  needs_ = strategy.needs();
  const bool watched = needs_.executed || observer_ != nullptr;
  engine_.stepper.compare_live(watched);  // who tells executions apart must not depend on the memo
  restore(keep);
  note_heated();
  if (property_heat_.any() && recording_.empty()) property_heat_.begin(world_, reader_);
  liveness_.begin(world_, recording_.size(), needs_.leaves_out_repeats);
  checkpoint_ = 0;
  if (recording_.empty()) {
    if (auto violation = judge_.look(reader_, nobody, no_step))
      return finish(Ending::violated, std::move(violation));
  }
  StepResult result;
  while (true) {
    engine_.network.offer(world_, offer_);
    if (offer_.count == 0) return finish(Ending::quiescent, std::nullopt);
    const std::size_t step = recording_.size();
    if (step >= checkpoint_) [[unlikely]] {
      if (auto outcome = at_checkpoint(strategy)) return std::move(*outcome);
    }
    Alternative chosen;
    if (const StepRecord* recorded = prefix_.step(step); recorded != nullptr) [[unlikely]] {
      chosen = follow(*recorded);
    } else {
      enabled_max_ = std::max(enabled_max_, offer_.count - (offer_.may_stop ? 1 : 0));
      const std::size_t index =
          strategy.choose(ChoicePoint::events(*this, step, offer_.count, offer_.ordinary));
      if (index >= offer_.count) [[unlikely]] {
        if (index == blocked_run) return finish(Ending::blocked, std::nullopt);
        if (index == cut_run) return finish(Ending::step_bound, std::nullopt);
        require_choice(index, offer_.count);
      }
      chosen = offer_.at(world_, index);
      if (chosen.kind == EventKind::stop) return finish(Ending::quiescent, std::nullopt);
    }
    if (needs_.backtracking && offer_.count > 1 && can_copy_world()) prefix_.remember(world_, step);
    if (watched) {
      perform_watched(strategy, chosen, result);
    } else {
      perform(chosen, result);
    }
    if (diverged_) [[unlikely]]
      throw Divergence{step};
    if (result.extras != nullptr) [[unlikely]] {
      if (result.notified || !result.extras->history.empty()) note_extras(result);
    }
    if (result.failure != nullptr || (result.changed && !settled(result.slot)) ||
        (result.monitors_changed && judges_monitors_ && !monitors_settled(result))) {
      if (auto violation = engine_.judge_step(judge_, reader_, result, static_cast<std::uint32_t>(step)))
        return finish(Ending::violated, std::move(violation));
    }
    if (property_heat_.any() && property_heat_.after_step(world_, result, reader_)) felt();
  }
}

// The next look is due at a bound, where liveness asks for it, and now and then, to see whether to stop.
void Execution::set_checkpoint() {
  const std::size_t step = recording_.size();
  checkpoint_ = std::min({options_.steps_max, liveness_.due(), (step | 0x3fU) + 1});
}

std::optional<RunOutcome> Execution::at_checkpoint(const Strategy& strategy) {
  const std::size_t step = recording_.size();
  offer_.keep();  // who looks for loops executes steps of other worlds
  if (step >= liveness_.due()) {
    if (auto violation = look_at_liveness(strategy)) return finish(Ending::violated, std::move(violation));
    if (liveness_.goes_round()) return finish(Ending::blocked, std::nullopt);
  }
  if (step >= options_.steps_max) {
    // A quiescent world may end here; what faults would still do there is not known.
    if (!offer_.quiescent) return finish(Ending::step_bound, std::nullopt);
    RunOutcome outcome = finish(Ending::quiescent, std::nullopt);
    outcome.cut = true;
    return outcome;
  }
  if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed))
    return finish(Ending::interrupted, std::nullopt);
  set_checkpoint();
  return std::nullopt;
}

// Brings the world to where the kept prefix ends, or to the nearest point before it from where the rest is
// followed.
void Execution::restore(const Keep& keep) {
  // Loops may have begun before the copy: then the way from where they were not yet looked for is gone again.
  std::size_t from = 0;
  const WorldState* copy =
      prefix_.last([&](const WorldState& world,
                       std::size_t steps) { return steps <= keep.steps && liveness_.is_fresh(world, steps); },
                   from);
  prefix_.follow(recording_, keep, from);
  recording_.cut(from);
  if (copy != nullptr) {
    world_ = *copy;
    return;
  }
  const bool opaque = std::any_of(initial_.live.begin(), initial_.live.end(),
                                  [](const LiveActor& a) { return a.is_opaque(); });
  if (!initial_made_ || opaque) {
    engine_.stepper.initial(initial_);
    initial_made_ = true;
  }
  world_ = initial_;
}

bool Execution::can_copy_world() const {
  return options_.backtracking == Backtracking::snapshots &&
         std::none_of(world_.live.begin(), world_.live.end(),
                      [](const LiveActor& actor) { return actor.is_opaque(); });
}

// The alternative that a recorded step was.
Alternative Execution::follow(const StepRecord& record) const {
  for (std::size_t i = 0; i < offer_.count; ++i) {
    const Alternative candidate = offer_.at(world_, i);
    if (candidate.kind == record.kind && engine_.id_of(world_, candidate) == record.id) return candidate;
  }
  throw Divergence{recording_.size()};
}

std::size_t Execution::choose_value(std::size_t among) {
  const std::size_t index = strategy_->choose(ChoicePoint::value(recording_.size() - 1, among));
  require_choice(index, among);
  return index;
}

std::uint32_t Execution::answer(DataChoice question) {
  question.answer = 0;
  if (const DataChoice* kept = prefix_.answer(); kept != nullptr) {
    if (kept->among != question.among || kept->is_time) {
      diverged_ = true;
    } else {
      question.answer = kept->answer;
    }
  } else {
    // No exception may pass through the user's handler, which is free to catch everything.
    try {
      question.answer = static_cast<std::uint32_t>(choose_value(question.among));
    } catch (const Divergence&) {
      diverged_ = true;
    }
  }
  recording_.answer(question);
  return question.answer;
}

std::int64_t Execution::time_within(const TimeRange& range) {
  std::int64_t shown_ns = range.earliest_ns;
  if (const DataChoice* kept = prefix_.answer(); kept != nullptr) {
    if (!kept->is_time || kept->time_ns < range.earliest_ns || kept->time_ns > range.latest_ns) {
      diverged_ = true;
    } else {
      shown_ns = kept->time_ns;
    }
  } else {
    try {
      shown_ns = choose_time(range);
    } catch (const Divergence&) {
      diverged_ = true;
    }
  }
  recording_.answer(DataChoice::time(shown_ns));
  return shown_ns;
}

// Searches take the two ends. Walks take either end with a probability of 1/4, because bugs live there, and otherwise
// any time of the range alike: 40 random bits as a fraction of it.
std::int64_t Execution::choose_time(const TimeRange& range) {
  if (needs_.backtracking || needs_.two_times)
    return choose_value(2) == 0 ? range.earliest_ns : range.latest_ns;
  if (const auto recorded =
          strategy_->recorded_time(recording_.size() - 1, range.earliest_ns, range.latest_ns))
    return *recorded;
  const std::size_t where = choose_value(4);
  if (where < 2) return where == 0 ? range.earliest_ns : range.latest_ns;
  double fraction = 0;
  for (int i = 0; i < 5; ++i) fraction = (fraction + static_cast<double>(choose_value(256))) / 256;
  const std::int64_t span = range.latest_ns - range.earliest_ns;
  const auto drawn = static_cast<std::int64_t>(fraction * (static_cast<double>(span) + 1));
  return range.earliest_ns + std::min(drawn, span);
}

// The same for those who want to know what each step did.
void Execution::perform_watched(Strategy& strategy, const Alternative& chosen, StepResult& result) {
  const Event event = engine_.event_of(world_, chosen);
  if (observer_ != nullptr) observer_->before_step(*this, event);
  try {
    perform(chosen, result);
  } catch (...) {  // by a gate, a factory or a fault's function: the step happened
    if (observer_ != nullptr) observer_->after_step(*this, event, {}, {});
    throw;
  }
  const auto step = static_cast<std::uint32_t>(recording_.size() - 1);
  made_.clear();
  for (std::size_t position = world_.pending.count(); position-- > 0;) {
    const Pending& last = pending_at(position);
    // A changed message stands where the old one was; what else is new stands at the end.
    if (last.parent == step) made_.push_back(last);
    if (last.parent != step && event.kind != EventKind::corrupt) break;
  }
  std::reverse(made_.begin(), made_.end());
  const std::span<const Pending> created(made_);
  GAINSAY_CHECK(event.kind != EventKind::corrupt || created.size() == 1, "a changed message is pending");
  if (observer_ != nullptr) observer_->after_step(*this, event, result, created);
  if (needs_.executed && step >= prefix_.kept()) {
    created_.clear();
    for (const Pending& pending : created) created_.push_back(engine_.event_of(pending));
    strategy.executed(event, flags_of(recording_.steps().back(), result), created_);
  }
}

std::span<const std::uint64_t> Execution::enabled_classes() {
  enabled_classes_.clear();
  for (std::size_t i = 0; i < offer_.ordinary; ++i) {
    const Pending& pending = world_.pending[offer_.at(world_, i).target];
    enabled_classes_.push_back(liveness_.class_of(pending.envelope));
  }
  for (std::size_t i = offer_.ordinary; engine_.network.obliges() && i < offer_.count; ++i) {
    const Alternative fault = offer_.at(world_, i);
    if (engine_.network.is_obliged(fault.kind))
      enabled_classes_.push_back(Network::obliged_class(fault.kind, fault.target));
  }
  return enabled_classes_;
}

std::span<const std::uint64_t> Execution::enabled_keys() {
  if (liveness_.fairness() != FairnessKind::actor) return enabled_classes();
  enabled_keys_.clear();
  for (std::size_t i = 0; i < offer_.ordinary; ++i)
    enabled_keys_.push_back(world_.pending[offer_.at(world_, i).target].to + 1ULL);
  const auto classes = enabled_classes();
  enabled_keys_.insert(enabled_keys_.end(), classes.begin() + static_cast<std::ptrdiff_t>(offer_.ordinary),
                       classes.end());
  return enabled_keys_;
}

LassoWatch::Done Execution::what_was_done(std::uint32_t step) {
  const StepRecord& record = recording_.steps()[step];
  LassoWatch::Done done;
  done.answers = answers_of(step);
  if (is_ordinary(record.kind)) {
    done.event = liveness_.class_of(record.envelope);
  } else if (engine_.network.is_obliged(record.kind)) {
    done.event = Network::obliged_class(record.kind, record.target);
  }
  done.key = done.event;
  if (is_ordinary(record.kind) && liveness_.fairness() == FairnessKind::actor)
    done.key = engine_.network.route(record.envelope).to + 1ULL;
  return done;
}

std::optional<Violation> Execution::look_at_liveness(const Strategy& strategy) {
  return liveness_.look({world_, reader_, recording_.size(), strategy.fair(),
                         [this] { return enabled_classes(); }, [this] { return enabled_keys(); },
                         [this](std::uint32_t step) { return what_was_done(step); },
                         [this] { return trace().decisions(); }});
}

// Some condition may be hotter or cooler than it was.
void Execution::felt() {
  liveness_.feel(world_);
  set_checkpoint();
}

// Remembers what a step said to monitors and to the history.
void Execution::note_extras(const StepResult& result) {
  for (const HistoryOp& op : result.extras->history) recording_.note_history(result.slot, op);
  if (!result.notified) return;
  if (silent_monitors_ > 0) note_notified(*result.extras);
  if (!result.heat_changed) return;
  note_heated();
  felt();
}

// Some condition may be hot, also before the first step.
void Execution::note_heated() {
  for (std::size_t m = 0; unheated_monitors_ > 0 && m < heated_monitors_.size(); ++m) {
    if (heated_monitors_[m] || world_.heat[m].hot_until == 0) continue;
    heated_monitors_[m] = true;
    --unheated_monitors_;
  }
}

void Execution::note_notified(const Extras& extras) {
  for (const EnvelopeId notification : extras.notifications) {
    const Slot monitor = kernel().envelope(notification).to;
    for (std::size_t m = 0; m < notified_monitors_.size(); ++m) {
      if (kernel().monitors()[m] != monitor || notified_monitors_[m]) continue;
      notified_monitors_[m] = true;
      --silent_monitors_;
    }
  }
}

RunOutcome Execution::finish(Ending ending, std::optional<Violation> violation) {
  RunOutcome outcome;
  outcome.steps = recording_.size();
  outcome.enabled_max = enabled_max_;
  outcome.fair = strategy_->fair();
  const std::uint32_t last = recording_.empty() ? no_step : static_cast<std::uint32_t>(recording_.size() - 1);
  if (ending == Ending::quiescent) violation = judge_.look_at_end(reader_, last);
  // One that was cut is judged too, by properties that judge prefixes.
  const bool says_nothing = ending == Ending::interrupted || ending == Ending::blocked;
  if (!violation && !says_nothing && options_.judge_histories && !blueprint_.history_properties.empty()) {
    const bool whole = ending == Ending::quiescent;
    violation = judge_.look_at_history(recording_.history(), reader_, last,
                                       whole ? Judge::Extent::whole : Judge::Extent::prefix);
    outcome.unjudged = !violation && judge_.unjudged();
  }
  // Cleaned once, here: files must be UTF-8, and what is read back from them is compared with what is seen again.
  if (violation) violation->message = printable_utf8(violation->message);
  if (violation) ending = Ending::violated;
  outcome.ending = ending;
  outcome.violation = std::move(violation);
  outcome.trace_class = engine_.trace_class(world_);
  return outcome;
}

void Execution::tidy(std::size_t most_bytes) {
  static constexpr std::size_t opaque_bytes_max = std::size_t{2} << 20U;
  if (options_.memo) {
    // What is remembered lies far away in memory; to call a handler again takes hardly longer than to fetch it. Where
    // one call in 3 is new, that is soon seen.
    for (Slot slot = 0; slot < steps_by_slot_.size(); ++slot) {
      const std::uint64_t calls = kernel().handler_calls(slot);
      const std::uint64_t steps = steps_by_slot_[slot];
      const bool pays_not = (calls > 4096 && calls * 32 > steps) || (calls > 1024 && calls * 3 > steps);
      if (engine_.stepper.is_live(slot) || !pays_not) continue;
      engine_.stepper.make_live(slot);
      initial_made_ = false;
    }
  }
  // Opaque actors are not memoised. Of what was interned for them, messages above all, little comes again.
  const std::size_t most = blueprint_.has_opaque() ? std::min(most_bytes, opaque_bytes_max) : most_bytes;
  if (kernel().bytes() <= most) return;
  prefix_.forget_worlds();
  recording_.clear_history();
  initial_ = WorldState{};
  world_ = WorldState{};
  initial_made_ = false;
  engine_.clear();
  judge_.forget();
  liveness_.forget();
}

std::optional<std::uint64_t> Execution::world_fingerprint() const {
  if (!engine_.hash.possible(world_)) return std::nullopt;
  return engine_.hash.of(world_);
}

}  // namespace gainsay
