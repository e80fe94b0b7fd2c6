#include "gainsay/explorer/enumerate.hpp"

#include <algorithm>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/execution/run/execution.hpp"
#include "gainsay/execution/run/order_recorder.hpp"
#include "gainsay/execution/world/choice_path.hpp"
#include "gainsay/explorer/expander.hpp"

namespace gainsay {
namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t hash_of(const HistoryEntry& entry) {
  Hasher hasher(entry.process.raw);
  hasher.add(entry.number);
  hasher.add(entry.invocation ? 1 : 2 + static_cast<std::uint64_t>(entry.how));
  if (entry.type != nullptr) hasher.add(Interner::value_hash(*entry.type, entry.data));
  return hasher.finish();
}

// What happened, and for every operation which ones had ended when it began.
std::uint64_t precedence_of(std::span<const HistoryEntry> history) {
  std::uint64_t sum = 0;
  std::uint64_t ended = 0;
  for (const HistoryEntry& entry : history) {
    const std::uint64_t hash = hash_of(entry);
    sum += scramble(entry.invocation ? mix(hash, ended + 1) : hash);
    if (!entry.invocation) ended += scramble(mix(entry.process.raw, entry.number + 1ULL));
  }
  return sum;
}

void count_to(std::uint64_t& counter, std::uint64_t more, bool& overflows) {
  if (!__builtin_add_overflow(counter, more, &counter)) return;
  counter = ~std::uint64_t{0};
  overflows = true;
}

// Where an enumeration has to end early.
class Limits {
 public:
  explicit Limits(const EnumerateOptions& options) : options_(options) {
    if (options.time) deadline_ = Clock::now() + *options.time;
  }

  // "" or why nothing more may be done; `done` is compared with configurations_max.
  std::string exceeded(std::uint64_t done) {
    if (options_.configurations_max && done >= *options_.configurations_max) return "--max-configurations";
    if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) return "interrupted";
    if (deadline_ && (++looks_ & 0xfU) == 0 && Clock::now() >= *deadline_) return "--time";
    return "";
  }

 private:
  const EnumerateOptions& options_;
  std::optional<Clock::time_point> deadline_;
  std::uint64_t looks_ = 0;
};

// --- by configurations ---

class Walk {
 public:
  Walk(const Blueprint& blueprint, const EnumerateOptions& options)
      : blueprint_(blueprint), options_(options), shared_(blueprint), judge_(blueprint), limits_(options) {}

  Enumeration run() {
    Configuration first;
    shared_.stepper.initial(first.world);
    first.count = 1;
    const CellsReader reader(shared_, first.world.cells, true);
    if (auto violation = judge_.look(reader, nobody, no_step)) {
      end(first, Ending::violated, std::move(violation));
      return std::move(result_);
    }
    level_.push_back(std::move(first));
    for (std::size_t steps = 0; !level_.empty() && result_.incomplete_because.empty(); ++steps) {
      for (Configuration& configuration : level_) {
        result_.incomplete_because = limits_.exceeded(result_.configurations);
        if (!result_.incomplete_because.empty()) break;
        ++result_.configurations;
        expand(configuration, steps);
        configuration = Configuration{};  // its memory is needed
      }
      level_ = std::exchange(next_, {});
      places_.clear();
    }
    if (result_.incomplete_because.empty() && result_.cut_executions > 0)
      result_.incomplete_because = "--steps";
    return std::move(result_);
  }

 private:
  struct ClientEvent {
    Slot slot = 0;
    std::uint32_t step = 0;
    HistoryOp op;
  };
  // Prefixes that have one future.
  struct Configuration {
    WorldState world;
    TraceOrder order;
    std::vector<ClientEvent> history;
    std::uint64_t history_hash = 0;
    std::uint64_t count = 0;  // prefixes
  };
  using Key = std::pair<std::uint64_t, std::uint64_t>;

  void expand(Configuration& from, std::size_t steps) {
    try {
      shared_.network.enabled(from.world, alternatives_);
    } catch (...) {
      end_by_exception(from);
      return;
    }
    if (alternatives_.list.empty()) return end(from, Ending::quiescent, std::nullopt);
    if (steps >= options_.steps_max) {
      cut(from.count);
      return end(from, alternatives_.quiescent ? Ending::quiescent : Ending::step_bound, std::nullopt);
    }
    const std::vector<Alternative> alternatives = alternatives_.list;
    for (const Alternative& alternative : alternatives) {
      if (alternative.kind == EventKind::stop) {
        end(from, Ending::quiescent, std::nullopt);
      } else {
        execute(from, alternative);
      }
    }
  }

  // Every outcome of one alternative.
  void execute(const Configuration& from, const Alternative& alternative) {
    ChoicePath path;
    do {
      path.rewind();
      Configuration to = from;
      Event event;
      EnvelopeId envelope = 0;
      name(from.world, alternative, event, envelope);
      StepResult result;
      bool threw = false;
      try {
        result = shared_.stepper.step(to.world, alternative, path);
      } catch (const UserError&) {
        throw;
      } catch (const std::bad_alloc&) {
        throw;
      } catch (...) {
        threw = true;
        exception_ = foreign_exception_text(current_exception_text());
      }
      if (!to.world.live.empty())
        throw UserError("a handler spawns an opaque actor; only enumeration by executions can follow it");
      ExecutedEvent executed =
          executed_event(shared_.kernel, event, envelope, result, to.world.pending, from.world.steps);
      executed.answers = path.answers();
      to.order = from.order.extended(std::move(executed), options_.dependent);
      if (threw) {
        end(to, Ending::violated, Violation{"exception", exception_, nobody, no_step});
        continue;
      }
      if (result.extras != nullptr && !blueprint_.history_properties.empty()) {
        for (const HistoryOp& op : result.extras->history)
          to.history.push_back({result.slot, from.world.steps, op});
      }
      if (auto violation = judge(to.world, result)) {
        end(to, Ending::violated, std::move(violation));
      } else {
        keep(std::move(to));
      }
    } while (path.advance());
  }

  // The event that an alternative is, and the envelope it concerns.
  void name(const WorldState& world, const Alternative& alternative, Event& event,
            EnvelopeId& envelope) const {
    event = event_of(shared_.kernel, world, alternative);
    if (concerns_pending(alternative)) envelope = world.pending[alternative.target].envelope;
  }

  // As Execution judges a step.
  std::optional<Violation> judge(const WorldState& world, const StepResult& result) {
    if (result.slot == Directory::no_slot) return std::nullopt;
    const ActorId actor = shared_.kernel.directory().id_of(result.slot);
    if (result.failure != nullptr)
      return Violation{result.failure->property, result.failure->message, actor, no_step};
    const CellsReader reader(shared_, world.cells, true);
    if (result.changed && judge_.concerned(actor)) {
      if (auto violation = judge_.look(reader, actor, no_step)) return violation;
    }
    if (!result.notified) return std::nullopt;
    for (const EnvelopeId told : result.extras->notifications) {
      const ActorId monitor = shared_.kernel.envelope(told).receiver;
      if (!judge_.concerned(monitor)) continue;
      if (auto violation = judge_.look(reader, monitor, no_step)) return violation;
    }
    return std::nullopt;
  }

  void keep(Configuration to) {
    if (!to.history.empty()) {
      const std::vector<HistoryEntry> entries = history_of(to);
      Hasher hasher;
      for (const HistoryEntry& entry : entries) hasher.add(hash_of(entry));
      to.history_hash = hasher.finish();
    }
    const Key key{to.order.hash(), mix(world_key(to.world), to.history_hash)};
    const auto [place, fresh] = places_.try_emplace(key, next_.size());
    if (fresh) {
      next_.push_back(std::move(to));
    } else {
      count_to(next_[place->second].count, to.count, result_.executions_are_more);
    }
  }

  // Whatever may decide what comes next, event ids included. That two worlds with one future may have different
  // keys costs time and nothing else.
  std::uint64_t world_key(const WorldState& world) const {
    const Kernel& kernel = shared_.kernel;
    std::uint64_t sum = 0;
    for (Slot slot = 0; slot < world.cells.size(); ++slot) {
      if (world.cells[slot] != 0) sum += kernel.cell_fingerprint(slot, world.cells[slot]);
    }
    std::map<Slot, std::uint64_t> queues;  // ordered delivery: who came before whom
    for (std::size_t i = 0; i < world.pending.size(); ++i) {
      const Pending& pending = world.pending[i];
      Hasher hasher(pending.id.raw);
      hasher.add(kernel.envelope(pending.envelope).hash);
      if (shared_.network.timed()) {
        hasher.add(static_cast<std::uint64_t>(world.windows[i].lo_ns));
        hasher.add(static_cast<std::uint64_t>(world.windows[i].hi_ns));
      }
      for (std::size_t k = 0; k < world.clock_width && !world.pending_clocks.empty(); ++k)
        hasher.add(world.pending_clocks[i * world.clock_width + k]);
      sum += hasher.finish();
      if (shared_.network.unordered()) continue;
      std::uint64_t& queue = queues[kernel.envelope(pending.envelope).to];
      queue = mix(queue + 1, pending.id.raw);
    }
    for (const auto& [slot, queue] : queues)
      sum += scramble(mix(queue, kernel.directory().id_of(slot).raw + 1));
    Hasher rest(sum);
    for (const std::uint32_t clock : world.actor_clocks) rest.add(clock);
    for (const std::uint32_t budget : world.budgets) rest.add(budget);
    for (const std::uint32_t ordinal : world.fault_ordinals) rest.add(ordinal);
    rest.add(static_cast<std::uint64_t>(world.now_ns));
    rest.add((static_cast<std::uint64_t>(world.partition) << 32U) + world.partition_steps_left);
    rest.add(world.partition_ordinal);
    for (const std::int64_t jump : world.clock_jumps_ns) rest.add(static_cast<std::uint64_t>(jump));
    std::uint64_t happened = 0;
    for (const std::uint64_t fault : world.happened) happened += scramble(fault);
    rest.add(happened);
    std::uint64_t doubled = 0;
    for (const EventId original : world.doubled) doubled += scramble(original.raw);
    rest.add(doubled);
    return rest.finish();
  }

  std::vector<HistoryEntry> history_of(const Configuration& configuration) const {
    std::vector<HistoryEntry> entries;
    for (const ClientEvent& each : configuration.history) {
      HistoryEntry entry;
      entry.actor = shared_.kernel.directory().id_of(each.slot);
      entry.process = each.op.client == nobody ? entry.actor : each.op.client;
      entry.number = each.op.number;
      entry.invocation = each.op.invocation;
      entry.how = each.op.how;
      entry.step = each.step;
      if (each.op.value != 0) {
        entry.type = shared_.kernel.value(each.op.value).type;
        entry.data = shared_.kernel.value(each.op.value).data;
      }
      entries.push_back(entry);
    }
    return entries;
  }

  void cut(std::uint64_t count) { count_to(result_.cut_executions, count, result_.executions_are_more); }

  void end_by_exception(const Configuration& at) {
    try {
      throw;
    } catch (const UserError&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (...) {
      const std::string text = foreign_exception_text(current_exception_text());
      end(at, Ending::violated, Violation{"exception", text, nobody, no_step});
    }
  }

  // Executions that end here, judged as Execution judges them.
  void end(const Configuration& at, Ending ending, std::optional<Violation> violation) {
    const CellsReader reader(shared_, at.world.cells, true);
    if (ending == Ending::quiescent) violation = judge_.look_at_end(reader, no_step);
    if (!blueprint_.history_properties.empty()) {
      const std::vector<HistoryEntry> history = history_of(at);
      Hasher hasher;
      for (const HistoryEntry& entry : history) hasher.add(hash_of(entry));
      result_.histories.insert(hasher.finish());
      result_.precedence_classes.insert(precedence_of(history));
      if (!violation) violation = judge_.look_at_history(history, reader, no_step);
    }
    count_to(result_.executions, at.count, result_.executions_are_more);
    const std::uint64_t hash = at.order.hash();
    if (violation) {
      count_to(result_.violated_executions, at.count, result_.executions_are_more);
      count_to(result_.violations[violation_key(*violation)], at.count, result_.executions_are_more);
      result_.violated_classes.insert(hash);
    } else {
      result_.classes.insert(hash);
      result_.trace_classes.insert(trace_class(at.world));
      if (ending == Ending::quiescent && shared_.hash.possible(at.world))
        result_.final_states.insert(shared_.hash.of(at.world));
    }
    if (options_.examples && !result_.examples.contains(hash))
      result_.examples.emplace(hash, at.order.steps());
  }

  // As RunOutcome has it.
  std::uint64_t trace_class(const WorldState& world) const {
    std::uint64_t sum = 0;
    for (Slot slot = 0; slot < world.classes.size(); ++slot) {
      if (world.classes[slot] != 0)
        sum += scramble(mix(world.classes[slot], shared_.kernel.directory().id_of(slot).raw + 1ULL));
    }
    return sum;
  }

  struct KeyHash {
    using is_avalanching = void;
    std::size_t operator()(const Key& key) const { return key.first + key.second; }
  };

  const Blueprint& blueprint_;
  const EnumerateOptions& options_;
  Shared shared_;
  Judge judge_;
  Limits limits_;
  Enumeration result_;
  std::vector<Configuration> level_;  // prefixes of one length
  std::vector<Configuration> next_;
  boost::unordered_flat_map<Key, std::size_t, KeyHash> places_;  // in next_
  Alternatives alternatives_;
  std::string exception_;
};

// --- one execution after the other ---

// Counts through all decisions like an odometer, each execution from its beginning.
class Odometer final : public Strategy {
 public:
  std::optional<Keep> begin(const RunInfo&) override {
    next_ = 0;
    if (std::exchange(begun_, true)) {
      while (!digits_.empty() && digits_.back().first + 1 == digits_.back().second) digits_.pop_back();
      if (digits_.empty()) return std::nullopt;
      ++digits_.back().first;
    }
    return Keep{};
  }
  std::size_t choose(const ChoicePoint& point) override {
    if (next_ == digits_.size()) digits_.emplace_back(0, point.size());
    if (digits_[next_].second != point.size()) throw Divergence{point.step()};
    return digits_[next_++].first;
  }

 private:
  std::vector<std::pair<std::size_t, std::size_t>> digits_;  // chosen, among
  std::size_t next_ = 0;
  bool begun_ = false;
};

Enumeration enumerate_executions(const Blueprint& blueprint, const EnumerateOptions& options) {
  Enumeration result;
  ExecutionOptions how;
  how.steps_max = options.steps_max;
  how.backtracking = Backtracking::reexecution;
  how.stop = options.stop;
  Execution execution(blueprint, how);
  const WorldHash hash(execution.kernel(), execution.network());
  OrderRecorder recorder(options.dependent);
  execution.observe(&recorder);
  Odometer odometer;
  Limits limits(options);
  while (true) {
    result.incomplete_because = limits.exceeded(result.executions);
    if (!result.incomplete_because.empty()) return result;
    const auto keep = odometer.begin({});
    if (!keep) break;
    const RunOutcome outcome = execution.run(odometer, *keep);
    if (outcome.ending == Ending::interrupted) {
      result.incomplete_because = "interrupted";
      return result;
    }
    ++result.executions;
    ++result.configurations;
    const bool cut = outcome.ending == Ending::step_bound || outcome.cut;
    result.cut_executions += cut ? 1 : 0;
    const TraceOrder& execution_order = recorder.order_of(execution);
    const std::uint64_t order = execution_order.hash();
    if (outcome.violation) {
      ++result.violated_executions;
      ++result.violations[violation_key(*outcome.violation)];
      result.violated_classes.insert(order);
    } else {
      result.classes.insert(order);
      result.trace_classes.insert(outcome.trace_class);
      if (outcome.ending == Ending::quiescent && hash.possible(execution.world()))
        result.final_states.insert(hash.of(execution.world()));
    }
    if (options.examples && !result.examples.contains(order))
      result.examples.emplace(order, execution_order.steps());
    if (!blueprint.history_properties.empty()) {
      const std::vector<HistoryEntry> history = execution.history();
      Hasher hasher;
      for (const HistoryEntry& entry : history) hasher.add(hash_of(entry));
      result.histories.insert(hasher.finish());
      result.precedence_classes.insert(precedence_of(history));
    }
  }
  if (result.cut_executions > 0) result.incomplete_because = "--steps";
  return result;
}

}  // namespace

Enumeration enumerate(const Blueprint& blueprint, const EnumerateOptions& options) {
  if (options.by == EnumerateOptions::By::executions || blueprint.has_opaque())
    return enumerate_executions(blueprint, options);
  return Walk(blueprint, options).run();
}

}  // namespace gainsay
