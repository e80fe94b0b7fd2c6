#include "gainsay/explorer/enumerate.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/base/budget.hpp"
#include "gainsay/base/odometer.hpp"
#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/execution/run/execution.hpp"
#include "gainsay/execution/run/order_recorder.hpp"

namespace gainsay {
namespace {

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
  explicit Limits(const EnumerateOptions& options)
      : budget_(Budget(options.time).until(options.stop)), configurations_max_(options.configurations_max) {}

  // Why nothing more may be done; `done` is compared with configurations_max.
  StopReason exceeded(std::uint64_t done) {
    if (configurations_max_ && done >= *configurations_max_) return StopReason::steps;
    return (++looks_ & 0xfU) == 0 ? budget_.over() : budget_.over_by_flag();
  }

 private:
  Budget budget_;
  std::optional<std::uint64_t> configurations_max_;
  std::uint64_t looks_ = 0;
};

// --- by configurations ---

class Walk {
 public:
  Walk(const Blueprint& blueprint, const EnumerateOptions& options)
      : blueprint_(blueprint), options_(options), engine_(blueprint), judge_(blueprint), limits_(options) {}

  Enumeration run() {
    Configuration first;
    engine_.stepper.initial(first.world);
    first.count = 1;
    const StateReader reader(engine_, first.world);
    if (auto violation = judge_.look(reader, nobody, no_step)) {
      end(first, Ending::violated, std::move(violation));
      return std::move(result_);
    }
    level_.push_back(std::move(first));
    for (std::size_t steps = 0; !level_.empty() && result_.stopped == StopReason::none; ++steps) {
      for (Configuration& configuration : level_) {
        result_.stopped = limits_.exceeded(result_.configurations);
        if (result_.stopped != StopReason::none) break;
        ++result_.configurations;
        expand(configuration, steps);
        configuration = Configuration{};  // its memory is needed
      }
      level_ = std::exchange(next_, {});
      places_.clear();
    }
    return std::move(result_);
  }

 private:
  // Prefixes that have one future.
  struct Configuration {
    WorldState world;
    TraceOrder order;
    std::vector<HistoryEntry> history;
    std::uint64_t history_hash = 0;
    std::uint64_t count = 0;  // prefixes
  };
  using Key = std::pair<std::uint64_t, std::uint64_t>;

  void expand(Configuration& from, std::size_t steps) {
    engine_.network.enabled(from.world, alternatives_);
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
    const Event event = engine_.event_of(from.world, alternative);
    const EnvelopeId envelope = engine_.envelope_of(from.world, alternative);
    engine_.for_each_outcome(
        from.world, alternative,
        [&](const WorldState& next, const StepResult& result, const std::vector<DataChoice>& answers) {
          if (!next.live.empty())
            throw UserError(
                "a handler spawns an opaque actor, which only enumeration by executions supports");
          Configuration to = from;
          to.world = next;
          ExecutedEvent executed =
              executed_event(engine_, event, envelope, result, next.pending, from.world.steps);
          executed.answers = answers;
          to.order = from.order.extended(std::move(executed), options_.dependent);
          if (result.extras != nullptr && !blueprint_.history_properties.empty()) {
            for (const HistoryOp& op : result.extras->history)
              to.history.push_back(engine_.history_entry(from.world.steps, result.slot, op));
          }
          const StateReader reader(engine_, to.world);
          if (auto violation = engine_.judge_step(judge_, reader, result, no_step)) {
            end(to, Ending::violated, std::move(violation));
          } else {
            keep(std::move(to));
          }
          return false;
        });
  }

  void keep(Configuration to) {
    if (!to.history.empty()) {
      Hasher hasher;
      for (const HistoryEntry& entry : to.history) hasher.add(hash_of(entry));
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
    const Kernel& kernel = engine_.kernel();
    std::uint64_t sum = 0;
    for (Slot slot = 0; slot < world.cells.size(); ++slot) {
      if (world.cells[slot] != 0) sum += kernel.cell_fingerprint(slot, world.cells[slot]);
    }
    std::map<Slot, std::uint64_t> queues;  // ordered delivery: who came before whom
    // What somebody knows of, as a set of ids.
    const auto known = [&](const BitTable& table, std::size_t row) {
      std::uint64_t ids = 0;
      for (const std::size_t place : world.pending.each_place()) {
        if (table.has(row, place)) ids += scramble(world.pending[place].id.raw);
      }
      return ids;
    };
    for (const std::size_t place : world.pending.each_place()) {
      const Pending& pending = world.pending[place];
      Hasher hasher(pending.id.raw);
      hasher.add(kernel.envelope(pending.envelope).hash);
      if (world.causal) hasher.add(known(world.known_by, place));
      if (world.queued) hasher.add(known(world.earlier, place) + (world.sent[place] ? 1 : 0));
      sum += hasher.finish();
      if (engine_.network.unordered()) continue;
      std::uint64_t& queue = queues[kernel.envelope(pending.envelope).to];
      queue = mix(queue + 1, pending.id.raw);
    }
    for (const auto& [slot, queue] : queues)
      sum += scramble(mix(queue, kernel.directory().id_of(slot).raw + 1));
    Hasher rest(sum);
    for (Slot slot = 0; world.causal && slot < world.cells.size(); ++slot)
      rest.add(known(world.known_at, slot));
    for (const std::uint32_t budget : world.budgets) rest.add(budget);
    for (const std::uint32_t ordinal : world.fault_ordinals) rest.add(ordinal);
    if (world.timed) rest.add(time_key(world));
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

  // All that is known of times, as it stands.
  static std::uint64_t time_key(const WorldState& world) {
    struct Named {
      std::uint64_t name = 0;
      TimeClass::Moment moment = 0;
    };
    std::vector<Named> named{{1, world.time.now()}, {2, world.time.origin()}};
    for (const ClockReading& reading : world.readings) {
      named.push_back(
          {mix(reading.slot + 3ULL, static_cast<std::uint64_t>(reading.shown_ns)), reading.moment});
    }
    std::uint64_t sum = 0;
    for (const std::size_t i : world.pending.each_place()) {
      const PendingWindow& window = world.windows[i];
      Hasher hasher(world.pending[i].id.raw);
      hasher.add(static_cast<std::uint64_t>(window.lo));
      hasher.add(window.hi == TimeClass::never ? 0 : static_cast<std::uint64_t>(window.hi) + 1);
      hasher.add(world.waited[i] ? 1 : 0);
      hasher.add(window.moment == TimeClass::nowhere ? 1 : 0);
      sum += hasher.finish();
      if (window.moment != TimeClass::nowhere) named.push_back({world.pending[i].id.raw, window.moment});
    }
    for (const Named& a : named) {
      for (const Named& b : named) {
        const double most = world.time.most(a.moment, b.moment);
        sum += scramble(mix(mix(a.name, b.name),
                            most == TimeClass::never ? 1 : std::bit_cast<std::uint64_t>(most + 0.0)));
      }
    }
    return sum;
  }

  void cut(std::uint64_t count) { count_to(result_.cut_executions, count, result_.executions_are_more); }

  // Executions that end here, judged as Execution judges them.
  void end(const Configuration& at, Ending ending, std::optional<Violation> violation) {
    const StateReader reader(engine_, at.world);
    if (ending == Ending::quiescent) violation = judge_.look_at_end(reader, no_step);
    if (!blueprint_.history_properties.empty()) {
      Hasher hasher;
      for (const HistoryEntry& entry : at.history) hasher.add(hash_of(entry));
      result_.histories.insert(hasher.finish());
      result_.precedence_classes.insert(precedence_of(at.history));
      const bool whole = ending == Ending::quiescent;
      if (!violation)
        violation = judge_.look_at_history(at.history, reader, no_step,
                                           whole ? Judge::Extent::whole : Judge::Extent::prefix);
      result_.unjudged = result_.unjudged || (!violation && judge_.unjudged());
    }
    count_to(result_.executions, at.count, result_.executions_are_more);
    const std::uint64_t hash = at.order.hash();
    if (violation) {
      count_to(result_.violated_executions, at.count, result_.executions_are_more);
      count_to(result_.violations[violation_key(*violation)], at.count, result_.executions_are_more);
      result_.violated_classes.insert(hash);
    } else {
      result_.classes.insert(hash);
      result_.trace_classes.insert(engine_.trace_class(at.world));
      if (ending == Ending::quiescent && engine_.hash.possible(at.world))
        result_.final_states.insert(engine_.hash.of(at.world));
    }
    if (options_.examples && !result_.examples.contains(hash))
      result_.examples.emplace(hash, at.order.decisions());
  }

  struct KeyHash {
    using is_avalanching = void;
    std::size_t operator()(const Key& key) const { return key.first + key.second; }
  };

  const Blueprint& blueprint_;
  const EnumerateOptions& options_;
  mutable Engine engine_;
  Judge judge_;
  Limits limits_;
  Enumeration result_;
  std::vector<Configuration> level_;  // prefixes of one length
  std::vector<Configuration> next_;
  boost::unordered_flat_map<Key, std::size_t, KeyHash> places_;  // in next_
  Alternatives alternatives_;
};

// --- one execution after the other ---

// Every sequence of decisions, each execution from its beginning.
class AllExecutions final : public Strategy {
 public:
  Needs needs() const override { return {.two_times = true}; }
  std::optional<Keep> begin(const RunInfo&) override {
    if (std::exchange(begun_, true) && !decisions_.advance()) return std::nullopt;
    return Keep{};
  }
  std::size_t choose(const ChoicePoint& point) override {
    const Decided& decided = decisions_.at_end() ? decisions_.add({0, point.size()}) : decisions_.read();
    if (decided.among != point.size()) throw Divergence{point.step()};
    return decided.answer;
  }

 private:
  struct Decided {
    std::size_t answer = 0;
    std::size_t among = 1;
  };
  Odometer<Decided> decisions_;
  bool begun_ = false;
};

Enumeration enumerate_executions(const Blueprint& blueprint, const EnumerateOptions& options) {
  Enumeration result;
  ExecutionOptions how;
  how.steps_max = options.steps_max;
  how.backtracking = Backtracking::reexecution;
  how.stop = options.stop;
  Execution execution(blueprint, how);
  WorldHash& hash = execution.engine().hash;
  OrderRecorder recorder(options.dependent);
  execution.observe(&recorder);
  AllExecutions strategy;
  Limits limits(options);
  while (true) {
    result.stopped = limits.exceeded(result.executions);
    if (result.stopped != StopReason::none) return result;
    const auto keep = strategy.begin({});
    if (!keep) break;
    const RunOutcome outcome = execution.run(strategy, *keep);
    if (outcome.ending == Ending::interrupted) {
      result.stopped = StopReason::interrupted;
      return result;
    }
    ++result.executions;
    ++result.configurations;
    const bool cut = outcome.ending == Ending::step_bound || outcome.cut;
    result.cut_executions += cut ? 1 : 0;
    result.unjudged = result.unjudged || outcome.unjudged;
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
      result.examples.emplace(order, execution_order.decisions());
    if (!blueprint.history_properties.empty()) {
      const std::span<const HistoryEntry> history = execution.history();
      Hasher hasher;
      for (const HistoryEntry& entry : history) hasher.add(hash_of(entry));
      result.histories.insert(hasher.finish());
      result.precedence_classes.insert(precedence_of(history));
    }
  }
  return result;
}

}  // namespace

std::string Enumeration::incomplete_because() const {
  switch (stopped) {
    case StopReason::none:
      return cut_executions > 0 ? "--steps" : unjudged ? "a history that could not be judged" : "";
    case StopReason::interrupted:
      return "interrupted";
    case StopReason::time:
      return "--time";
    default:
      return "--max-configurations";
  }
}

Enumeration enumerate(const Blueprint& blueprint, const EnumerateOptions& options) {
  if (options.by == EnumerateOptions::By::executions || blueprint.has_opaque())
    return enumerate_executions(blueprint, options);
  return Walk(blueprint, options).run();
}

}  // namespace gainsay
