#include "gainsay/explorer/explore.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "gainsay/base/budget.hpp"
#include "gainsay/base/parallel.hpp"
#include "gainsay/execution/campaign/confirm.hpp"
#include "gainsay/execution/campaign/hunt_warnings.hpp"
#include "gainsay/execution/run/visibility.hpp"
#include "gainsay/explorer/counterexample.hpp"
#include "gainsay/explorer/expander.hpp"
#include "gainsay/explorer/liveness.hpp"

namespace gainsay {
namespace {

// How many states are expanded between two moments at which the table may grow.
constexpr std::uint32_t segment_states = 128 * 1024;
constexpr std::uint64_t small_table_bytes = 64 * 1024 * 1024;

// Why states were left out, as the result says it. The first three are those of every Budget.
enum class Left { nothing, interrupted, time, memory, states, depth, violation, bits };

const char* text_of(Left left) {
  switch (left) {
    case Left::nothing:
      return "";
    case Left::interrupted:
      return "interrupted";
    case Left::time:
      return "--time";
    case Left::memory:
      return "--max-memory";
    case Left::states:
      return "--max-states";
    case Left::depth:
      return "--max-depth";
    case Left::violation:
      return "a violation was found";
    case Left::bits:
      return "--bitstate";
  }
  return "";
}

Left left_by(StopReason reason) {
  switch (reason) {
    case StopReason::none:
      return Left::nothing;
    case StopReason::time:
      return Left::time;
    case StopReason::memory:
      return Left::memory;
    default:
      return Left::interrupted;
  }
}

void refuse_what_cannot_be_explored(const Blueprint& blueprint, const ExploreOptions& options) {
  if (blueprint.has_opaque()) {
    throw UserError(
        fmt::format("scenario '{}' has opaque actors (world.wrap): their states cannot be stored; use hunt",
                    blueprint.scenario));
  }
  if (blueprint.timed && options.symmetry) {
    throw UserError(
        fmt::format("scenario '{}' has simulated time, which --symmetry does not support; remove --symmetry",
                    blueprint.scenario));
  }
  if (traits_of(blueprint).queues && options.symmetry) {
    throw UserError(
        fmt::format("scenario '{}' has queue order, which --symmetry does not support; remove --symmetry",
                    blueprint.scenario));
  }
  if (!blueprint.history_properties.empty() && !options.without_histories) {
    throw UserError(
        fmt::format("scenario '{}' has a history property ('{}'), and a state does not contain its history; "
                    "use hunt, or explore --without-histories to check everything else",
                    blueprint.scenario, blueprint.history_properties.front().name));
  }
  if (options.exact && traits_of(blueprint).causal && !blueprint.faults.duplicates.empty()) {
    throw UserError(
        "--exact does not support duplicated messages under causal order; remove --exact or the duplicates");
  }
  if (options.bitstate_bytes && options.exact)
    throw UserError("--bitstate and --exact cannot be used together");
  if (options.bitstate_bytes && blueprint.has_liveness()) {
    throw UserError(
        "--bitstate does not support liveness, because it omits states that loops may need; remove "
        "--bitstate, or the liveness monitor or property");
  }
  if (options.workers == 0) throw UserError("--jobs must be at least 1");
}

class Search {
 public:
  Search(const Blueprint& blueprint, const ExploreOptions& options, Kernel::Origin origin)
      : options_(options),
        budget_(Budget(options.time_max, options.memory_max).until(options.stop)),
        shared_(blueprint),
        frontier_(options.spill_folder),
        next_(options.spill_folder) {
    shared_.kernel.keep_origin(origin);
    if (options.exact) shared_.exact.emplace();
    if (options.bitstate_bytes) shared_.bits.emplace(*options.bitstate_bytes);
    if (options.symmetry) shared_.use_symmetry();
    for (unsigned i = 0; i < options.workers; ++i) expanders_.push_back(std::make_unique<Expander>(shared_));
  }

  void run() {
    WorldState first;
    shared_.engine.stepper.initial(first);
    shared_.starts_or_gates = first.starts_pending > 0 || first.gated;
    expanders_.front()->begin(first);
    collect();
    depth_ = 0;
    levels_ = {{shared_.states(), 0}};
    while (!frontier_.empty() && left_ == Left::nothing && !needs_origin()) {
      if (!sightings_.empty() && !options_.keep_going) {
        left_ = Left::violation;
        break;
      }
      if (options_.depth_max && depth_ >= *options_.depth_max) {
        left_ = Left::depth;
        break;
      }
      level_ = static_cast<std::uint16_t>(std::min<std::uint64_t>(depth_ + 2, 0xffffU));
      for (const auto& expander : expanders_) expander->begin_level();
      const LevelCount before{shared_.states(), transitions()};
      expand_level();
      levels_.back().transitions = transitions() - before.transitions;
      if (shared_.states() > before.states) levels_.push_back({shared_.states() - before.states, 0});
      if (!next_.empty()) ++depth_;
      if (!frontier_.empty()) break;
      std::swap(frontier_, next_);
    }
    GAINSAY_CHECK(left_ != Left::nothing || needs_origin() || (frontier_.empty() && next_.empty()),
                  "what is left has a reason");
  }

  // Whether a handler asked for the time although it had been forgotten when the execution began.
  bool needs_origin() const {
    return shared_.kernel.clock_read() && shared_.kernel.origin() == Kernel::Origin::forgotten;
  }

  void fill(ExploreResult& result) {
    // Nothing was looked for behind a violation.
    if ((!sightings_.empty() || !loops_.empty()) && left_ == Left::nothing) left_ = Left::violation;
    if (left_ == Left::nothing && shared_.bits) left_ = Left::bits;
    if (left_ == Left::nothing) result.live = live_;
    result.states = shared_.states();
    result.frontier = frontier_.states() + next_.states() + unexpanded_;
    result.disk_bytes = frontier_.spilled_bytes() + next_.spilled_bytes();
    if (shared_.bits) {
      result.bitstate = true;
      result.expected_omissions = Bitstate::expected_omissions(result.states, shared_.bits->bits());
    }
    for (const Frontier* each : {&frontier_, &next_}) {
      if (!each->error().empty()) result.warnings.push_back(each->error() + "; it stayed in memory");
    }
    for (const auto& expander : expanders_) result.end_states += expander->end_states;
    result.transitions = transitions();
    result.levels = levels_;
    result.depth = depth_;
    result.handler_calls = shared_.kernel.handler_calls();
    result.coverage = shared_.kernel.coverage().report(shared_.kernel.blueprint());
    result.incomplete_because = text_of(left_);
    result.complete = left_ == Left::nothing;
    result.interrupted = left_ == Left::interrupted;
    result.exact = shared_.exact.has_value();
    const auto n = static_cast<double>(result.states);
    result.collision_probability = result.exact ? 0 : -std::expm1(-n * (n - 1) / 0x1p65);
    if (shared_.symmetry) {
      result.symmetries = shared_.symmetry->order();
      result.symmetric = describe(*shared_.group, shared_.blueprint);
      // The least of g numbers: two orbits share it with a probability of g^2 / (2g - 1) / 2^64.
      const auto g = static_cast<double>(result.symmetries);
      if (!result.exact)
        result.collision_probability = -std::expm1(-n * (n - 1) / 0x1p65 * g * g / (2 * g - 1));
      for (const std::string& obstacle : shared_.group->obstacles)
        result.warnings.push_back("--symmetry: " + obstacle);
      std::set<std::string> asymmetric;
      for (const auto& expander : expanders_)
        asymmetric.insert(expander->orbits()->asymmetric().begin(), expander->orbits()->asymmetric().end());
      for (const std::string& property : asymmetric)
        result.warnings.push_back(
            fmt::format("--symmetry: '{}' is not symmetric: it fails in a state but not in all permutations "
                        "of it; nothing was searched behind such states",
                        property));
    }
    result.memory_bytes = most_bytes_;
    result.workers = static_cast<unsigned>(expanders_.size());
  }

  // Looks for loops that violate liveness.
  void search_loops() {
    std::vector<const HotRecords*> hot;
    for (const auto& expander : expanders_) hot.push_back(&expander->hot());
    const std::uint64_t rest = shared_.table.bytes() + shared_.kernel.bytes();
    LoopSearch search(shared_, std::move(hot), options_.workers, options_.fairness,
                      budget_.with_memory(options_.memory_max > rest ? options_.memory_max - rest : 0));
    const bool may_loop = search.may_loop(left_ == Left::nothing);
    for (const LivenessCondition& condition : shared_.blueprint.liveness()) {
      if (auto loop = may_loop ? search.find(condition) : std::nullopt) {
        loops_.push_back(std::move(*loop));
      } else if (search.stopped() == StopReason::none) {
        live_.push_back(condition.name);
      }
      if (left_ == Left::nothing) left_ = left_by(search.stopped());
    }
    most_bytes_ = std::max(most_bytes_, rest + search.bytes());
  }
  const std::vector<FoundLoop>& loops() const { return loops_; }
  bool notified(std::size_t monitor) const {
    return std::any_of(expanders_.begin(), expanders_.end(),
                       [&](const auto& e) { return e->notified(monitor); });
  }
  bool worth_searching_loops() const {
    return left_ != Left::interrupted && left_ != Left::time && (sightings_.empty() || options_.keep_going);
  }

  const Sightings& sightings() const { return sightings_; }
  Shared& shared() { return shared_; }
  bool reached(std::size_t property) const {
    return std::any_of(expanders_.begin(), expanders_.end(),
                       [&](const auto& e) { return e->judge().reached()[property]; });
  }

 private:
  void expand_level() {
    while (!frontier_.empty() && left_ == Left::nothing && !needs_origin()) {
      const std::uint64_t pending = frontier_.ahead(segment_states).pending;
      if (!make_room(expected_additions(pending))) return;
      const std::uint64_t before = shared_.states();
      std::vector<Block> blocks = frontier_.take(segment_states);
      expand_segment(blocks);
      new_per_pending_ = static_cast<double>(shared_.states() - before) /
                         static_cast<double>(std::max(std::uint64_t{1}, pending));
      for (std::size_t i = 0; i < blocks.size(); ++i) expanders_[i % expanders_.size()]->give_back(blocks[i]);
      note_progress();
    }
  }

  // How many states a segment will add, with half as many again; never more than it has pending events. Where there
  // are more, they wait until the table has grown (Expander::add_overflow). While the table is small, there is room for
  // the worst case: what is half empty is faster.
  std::uint64_t expected_additions(std::uint64_t pending) const {
    if (shared_.bits || shared_.table.bytes_after_reserve(pending) <= small_table_bytes) return pending;
    const double expected = static_cast<double>(pending) * new_per_pending_ * 1.5 + 4096;
    return std::min(pending, static_cast<std::uint64_t>(expected));
  }

  // Grows the table for so many, within the memory that is allowed. Where that is not enough, the
  // frontier goes to disk; where that is not enough either, the search ends.
  bool make_room(std::uint64_t additions) {
    const std::uint64_t before = shared_.bits ? shared_.bits->bytes() : shared_.table.bytes();
    const std::uint64_t after = shared_.bits ? before : shared_.table.bytes_after_reserve(additions);
    const std::uint64_t fixed = shared_.kernel.bytes() + (shared_.exact ? shared_.exact->bytes() : 0) +
                                hot_bytes() + symmetry_bytes() + after + (after != before ? before : 0);
    if (fixed + frontier_.bytes() + next_.bytes() > options_.memory_max) {
      // More than need be, so that it is not done for every segment; what comes last goes first.
      const std::uint64_t keep = options_.memory_max > fixed ? (options_.memory_max - fixed) / 2 : 0;
      next_.spill(keep > frontier_.bytes() ? keep - frontier_.bytes() : 0);
      frontier_.spill(keep > next_.bytes() ? keep - next_.bytes() : 0);
    }
    const std::uint64_t peak = fixed + frontier_.bytes() + next_.bytes();
    most_bytes_ = std::max(most_bytes_, peak);
    if (peak > options_.memory_max) {
      left_ = Left::memory;
      return false;
    }
    if (!shared_.bits) shared_.table.reserve(additions);
    return true;
  }

  void expand_segment(const std::vector<Block>& blocks) {
    std::atomic<std::size_t> next_block{0};
    const auto useful = static_cast<unsigned>(std::min(expanders_.size(), blocks.size()));
    run_together(useful, [&](unsigned worker) {
      while (!budget_.is_over()) {
        const std::size_t block = next_block.fetch_add(1);
        if (block >= blocks.size()) return;
        expanders_[worker]->expand(blocks[block], level_);
      }
    });
    for (const auto& expander : expanders_) {
      while (expander->has_overflow()) {
        shared_.table.reserve(shared_.table.size());
        expander->add_overflow(level_);
      }
    }
    for (std::size_t block = next_block; block < blocks.size(); ++block) unexpanded_ += blocks[block].states;
    collect();
    if (unexpanded_ > 0 || !frontier_.empty() || !next_.empty()) left_ = left_by(budget_.over());
    if (options_.states_max && shared_.states() >= *options_.states_max && left_ == Left::nothing)
      left_ = Left::states;
  }

  // Takes over what the workers found: new blocks, and sightings of keys not seen on an earlier level.
  void collect() {
    for (const auto& expander : expanders_) {
      for (Block& block : expander->take_output()) next_.push(std::move(block));
      for (auto& [key, sighting] : expander->sightings) {
        const auto known = sightings_.find(key);
        if (known == sightings_.end()) {
          sightings_.emplace(key, sighting);
          sighting_depth_[key] = depth_;
        } else if (sighting_depth_[key] == depth_ && sighting < known->second) {
          known->second = sighting;
        }
      }
      expander->sightings.clear();
    }
    if (depth_ == 0 && level_ == 0) std::swap(frontier_, next_);
  }

  std::uint64_t hot_bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& expander : expanders_) bytes += expander->hot().bytes();
    return bytes;
  }

  std::uint64_t symmetry_bytes() const {
    std::uint64_t bytes = shared_.symmetry ? shared_.symmetry->bytes() : 0;
    for (const auto& expander : expanders_) bytes += expander->symmetry_bytes();
    return bytes;
  }

  std::uint64_t transitions() const {
    std::uint64_t sum = 0;
    for (const auto& expander : expanders_) sum += expander->transitions;
    return sum;
  }

  void note_progress() {
    if (options_.progress == nullptr) return;
    options_.progress->states = shared_.states();
    options_.progress->transitions = transitions();
    options_.progress->depth = depth_;
    options_.progress->frontier = frontier_.states() + next_.states();
    options_.progress->memory_bytes = most_bytes_;
  }

  const ExploreOptions& options_;
  const Budget budget_;
  Shared shared_;
  std::vector<std::unique_ptr<Expander>> expanders_;
  Frontier frontier_;  // of the level that is being expanded
  Frontier next_;
  std::uint64_t unexpanded_ = 0;  // states that were taken from the frontier when the search was stopped
  std::uint64_t depth_ = 0;
  std::vector<LevelCount> levels_;
  std::uint16_t level_ = 0;
  std::uint64_t most_bytes_ = 0;
  double new_per_pending_ = 1;  // states that the last segment added for each pending event
  Left left_ = Left::nothing;
  std::vector<FoundLoop> loops_;
  std::vector<std::string> live_;  // conditions that no loop violates
  Sightings sightings_;
  std::map<std::string, std::uint64_t> sighting_depth_;
};

void describe(FoundViolation& found, const ExploreResult& result, std::size_t steps) {
  found.runs = 1;
  found.document.scenario = result.scenario;
  found.document.options = result.options;
  found.document.strategy = "explore";
  found.document.steps_max = steps + 1;
}

// What could not complain.
void add_vacuity_warnings(ExploreResult& result, const Blueprint& blueprint, Search& search) {
  std::vector<bool> notified;
  for (const ActorPlan& plan : blueprint.actors) {
    if (plan.type->monitor) notified.push_back(search.notified(notified.size()));
  }
  const bool asked = search.shared().kernel.checked() || !result.violations.empty();
  for (std::string& warning : vacuity_warnings(blueprint, notified, asked))
    result.warnings.push_back(std::move(warning));
}

}  // namespace

ExploreResult explore(const Scenario& scenario, const OptionTexts& scenario_options,
                      const ExploreOptions& options) {
  const Budget clock;
  const Blueprint blueprint = scenario.build(scenario_options);
  refuse_what_cannot_be_explored(blueprint, options);
  ExploreResult result;
  result.scenario = scenario.name();
  result.options = scenario.complete(scenario_options);
  result.fairness = options.fairness;

  // In simulated time states repeat as long as nobody asks how late it is.
  auto first = std::make_unique<Search>(blueprint, options, Kernel::Origin::forgotten);
  first->run();
  if (first->needs_origin()) {
    if (!blueprint.clock_drifts.empty()) {
      throw UserError(
          fmt::format("explore does not support clocks that drift and are read (scenario '{}'); use hunt, or "
                      "remove world.clock_drift",
                      blueprint.scenario));
    }
    first = std::make_unique<Search>(blueprint, options, Kernel::Origin::counted);
    first->run();
  }
  Search& search = *first;
  if (blueprint.has_liveness() && search.worth_searching_loops()) search.search_loops();
  search.fill(result);
  for (const auto& [key, sighting] : search.sightings()) {
    const auto steps = shortest_execution(search.shared(), sighting);
    if (!steps) {
      result.warnings.push_back(fmt::format(
          "'{}' was seen but its execution could not be rebuilt: two states share a fingerprint; use --exact",
          sighting.violation.property));
      continue;
    }
    FoundViolation found = confirm(blueprint, sighting.violation, *steps, steps->size() + 1);
    describe(found, result, steps->size());
    result.violations.push_back(std::move(found));
  }
  for (const FoundLoop& loop : search.loops()) {
    FoundViolation found = confirm(blueprint, loop.violation, loop.steps, loop.steps.size() + 1);
    describe(found, result, loop.steps.size());
    result.violations.push_back(std::move(found));
  }
  if (search.shared().kernel.clock_read()) {
    result.warnings.push_back(
        "handlers read clocks: only the earliest and the latest value of each reading were tried, not those "
        "in between");
  }
  add_vacuity_warnings(result, blueprint, search);
  for (std::size_t i = 0; i < blueprint.properties.size(); ++i) {
    const Property& property = blueprint.properties[i];
    if (property.kind != Property::Kind::reached || search.reached(i)) continue;
    result.unreached_goals.push_back(property.name);
    result.warnings.push_back(fmt::format("goal '{}' was never reached{}", property.name,
                                          result.complete ? ": no state of this world satisfies it" : ""));
  }
  result.elapsed_s = clock.elapsed_s();
  return result;
}

}  // namespace gainsay
