#include "gainsay/explorer/explore.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "gainsay/base/parallel.hpp"
#include "gainsay/execution/campaign/confirm.hpp"
#include "gainsay/explorer/counterexample.hpp"
#include "gainsay/explorer/expander.hpp"
#include "gainsay/explorer/liveness.hpp"

namespace gainsay {
namespace {

using Clock = std::chrono::steady_clock;

// How many states are expanded between two moments at which the table may grow.
constexpr std::uint32_t segment_states = 128 * 1024;

std::uint64_t bytes_of(const std::vector<Block>& blocks) {
  std::uint64_t bytes = 0;
  for (const Block& block : blocks) bytes += block.words.capacity() * sizeof(std::uint32_t);
  return bytes;
}

void refuse_what_cannot_be_explored(const Blueprint& blueprint, const ExploreOptions& options) {
  if (blueprint.has_opaque()) {
    throw UserError(
        fmt::format("scenario '{}' has opaque actors (world.wrap): their states cannot be stored; use hunt",
                    blueprint.scenario));
  }
  if (blueprint.timed) {
    throw UserError(fmt::format("scenario '{}' has simulated time: its states never repeat; use hunt",
                                blueprint.scenario));
  }
  if (!blueprint.history_properties.empty() && !options.without_histories) {
    throw UserError(
        fmt::format("scenario '{}' judges histories ('{}'): a state does not know how it was reached; use "
                    "hunt, or explore "
                    "--without-histories, which judges everything else",
                    blueprint.scenario, blueprint.history_properties.front().name));
  }
  const bool one_order = blueprint.link_orders.empty() && blueprint.order == Delivery::unordered;
  if (options.exact && !one_order) {
    throw UserError(
        "--exact needs unordered delivery: stored states of ordered worlds are not canonical; leave it out");
  }
  if (options.workers == 0) throw UserError("--workers must be at least 1");
}

class Search {
 public:
  Search(const Blueprint& blueprint, const ExploreOptions& options) : options_(options), shared_(blueprint) {
    if (options.exact) shared_.exact.emplace();
    for (unsigned i = 0; i < options.workers; ++i) expanders_.push_back(std::make_unique<Expander>(shared_));
  }

  void run() {
    WorldState first;
    shared_.engine.stepper.initial(first);
    shared_.starts_or_gates = first.starts_pending > 0 || first.gated;
    expanders_.front()->begin(first);
    collect();
    depth_ = 0;
    while (!frontier_.empty() && incomplete_.empty()) {
      if (!sightings_.empty() && !options_.keep_going) {
        incomplete_ = "a violation was found";
        break;
      }
      if (options_.depth_max && depth_ >= *options_.depth_max) {
        incomplete_ = "--max-depth";
        break;
      }
      level_ = static_cast<std::uint16_t>(std::min<std::uint64_t>(depth_ + 2, 0xffffU));
      expand_level();
      frontier_ = std::exchange(next_, {});
      if (!frontier_.empty()) ++depth_;
    }
  }

  void fill(ExploreResult& result) {
    // Nothing was looked for behind a violation.
    if ((!sightings_.empty() || !loops_.empty()) && incomplete_.empty())
      incomplete_ = "a violation was found";
    if (incomplete_.empty()) result.live = live_;
    result.states = shared_.table.size();
    for (const auto& expander : expanders_) {
      result.transitions += expander->transitions;
      result.end_states += expander->end_states;
    }
    result.depth = depth_;
    result.handler_calls = shared_.kernel.handler_calls();
    result.coverage = shared_.kernel.coverage().report(shared_.kernel.blueprint());
    result.incomplete_because = incomplete_;
    result.complete = incomplete_.empty();
    result.interrupted = incomplete_ == "interrupted";
    result.exact = shared_.exact.has_value();
    const auto n = static_cast<double>(result.states);
    result.collision_probability = result.exact ? 0 : -std::expm1(-n * (n - 1) / 0x1p65);
    result.memory_bytes = most_bytes_;
    result.workers = static_cast<unsigned>(expanders_.size());
  }

  // Looks for loops on which a monitor stays hot.
  void search_loops() {
    std::vector<std::uint32_t> hot;
    for (const auto& expander : expanders_) {
      const std::vector<std::uint32_t> words = expander->take_hot();
      hot.insert(hot.end(), words.begin(), words.end());
    }
    const std::uint64_t rest = shared_.table.bytes() + shared_.kernel.bytes();
    LoopSearch search(shared_, std::move(hot), options_.memory_max > rest ? options_.memory_max - rest : 0,
                      options_.stop);
    for (const Slot monitor : shared_.kernel.monitors()) {
      if (shared_.blueprint.actors[monitor].type->hot == nullptr) continue;
      if (auto loop = search.find(monitor)) {
        loops_.push_back(std::move(*loop));
      } else if (!search.out_of_memory() && !search.interrupted()) {
        live_.push_back(shared_.blueprint.actors[monitor].name);
      }
    }
    most_bytes_ = std::max(most_bytes_, rest + search.bytes());
    if (incomplete_.empty() && search.interrupted()) incomplete_ = "interrupted";
    if (incomplete_.empty() && search.out_of_memory()) incomplete_ = "--max-memory";
  }
  const std::vector<FoundLoop>& loops() const { return loops_; }
  bool notified(std::size_t monitor) const {
    return std::any_of(expanders_.begin(), expanders_.end(),
                       [&](const auto& e) { return e->notified(monitor); });
  }
  bool worth_searching_loops() const {
    return incomplete_ != "interrupted" && (sightings_.empty() || options_.keep_going);
  }

  const Sightings& sightings() const { return sightings_; }
  Shared& shared() { return shared_; }
  bool reached(std::size_t property) const {
    return std::any_of(expanders_.begin(), expanders_.end(),
                       [&](const auto& e) { return e->judge().reached()[property]; });
  }

 private:
  void expand_level() {
    std::size_t at = 0;
    while (at < frontier_.size() && incomplete_.empty()) {
      std::size_t end = at;
      std::uint64_t states = 0;
      std::uint64_t pending = 0;
      while (end < frontier_.size() && states < segment_states) {
        states += frontier_[end].states;
        pending += frontier_[end].pending;
        ++end;
      }
      if (!make_room(pending)) return;
      expand_segment(at, end);
      for (std::size_t i = at; i < end; ++i) expanders_[i % expanders_.size()]->give_back(frontier_[i]);
      at = end;
      note_progress(frontier_.size() - at);
    }
  }

  // Grows the table for the worst case, within the memory that is allowed.
  bool make_room(std::uint64_t additions) {
    const std::uint64_t rest = bytes_of(frontier_) + bytes_of(next_) + shared_.kernel.bytes() +
                               (shared_.exact ? shared_.exact->bytes() : 0) + hot_bytes();
    const std::uint64_t before = shared_.table.bytes();
    const std::uint64_t after = shared_.table.bytes_after_reserve(additions);
    const std::uint64_t peak = rest + after + (after != before ? before : 0);
    most_bytes_ = std::max(most_bytes_, peak);
    if (peak > options_.memory_max) {
      incomplete_ = "--max-memory";
      return false;
    }
    shared_.table.reserve(additions);
    return true;
  }

  void expand_segment(std::size_t begin, std::size_t end) {
    std::atomic<std::size_t> next_block{begin};
    const auto useful = static_cast<unsigned>(std::min(expanders_.size(), end - begin));
    run_together(useful, [&](unsigned worker) {
      while (true) {
        const std::size_t block = next_block.fetch_add(1);
        if (block >= end || stopped()) return;
        expanders_[worker]->expand(frontier_[block], level_);
      }
    });
    for (const auto& expander : expanders_) {
      while (expander->has_overflow()) {
        shared_.table.reserve(shared_.table.size());
        expander->add_overflow(level_);
      }
    }
    collect();
    if (stopped()) incomplete_ = "interrupted";
    if (options_.states_max && shared_.table.size() >= *options_.states_max && incomplete_.empty())
      incomplete_ = "--max-states";
  }

  bool stopped() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }

  // Takes over what the workers found: new blocks, and sightings of keys not seen on an earlier level.
  void collect() {
    for (const auto& expander : expanders_) {
      for (Block& block : expander->take_output()) next_.push_back(std::move(block));
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
    if (depth_ == 0 && level_ == 0) frontier_ = std::exchange(next_, {});
  }

  std::uint64_t hot_bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& expander : expanders_) bytes += expander->hot_bytes();
    return bytes;
  }

  void note_progress(std::size_t blocks_left) {
    if (options_.progress == nullptr) return;
    std::uint64_t transitions = 0;
    for (const auto& expander : expanders_) transitions += expander->transitions;
    options_.progress->states = shared_.table.size();
    options_.progress->transitions = transitions;
    options_.progress->depth = depth_;
    options_.progress->frontier = (blocks_left + next_.size()) * Block::most_states;
    options_.progress->memory_bytes = most_bytes_;
  }

  const ExploreOptions& options_;
  Shared shared_;
  std::vector<std::unique_ptr<Expander>> expanders_;
  std::vector<Block> frontier_;
  std::vector<Block> next_;
  std::uint64_t depth_ = 0;
  std::uint16_t level_ = 0;
  std::uint64_t most_bytes_ = 0;
  std::string incomplete_;
  std::vector<FoundLoop> loops_;
  std::vector<std::string> live_;  // monitors that no loop keeps hot
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

// Monitors that could not complain.
void add_monitor_warnings(ExploreResult& result, const Blueprint& blueprint, const Search& search) {
  std::size_t m = 0;
  for (const ActorPlan& plan : blueprint.actors) {
    if (!plan.type->monitor) continue;
    if (!search.notified(m++))
      result.warnings.push_back(
          fmt::format("monitor '{}' was never notified: it could not complain", plan.name));
  }
}

}  // namespace

ExploreResult explore(const Scenario& scenario, const OptionTexts& scenario_options,
                      const ExploreOptions& options) {
  const auto started = Clock::now();
  const Blueprint blueprint = scenario.build(scenario_options);
  refuse_what_cannot_be_explored(blueprint, options);
  ExploreResult result;
  result.scenario = scenario.name();
  result.options = scenario.complete(scenario_options);

  Search search(blueprint, options);
  search.run();
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
  add_monitor_warnings(result, blueprint, search);
  for (std::size_t i = 0; i < blueprint.properties.size(); ++i) {
    const Property& property = blueprint.properties[i];
    if (property.kind != Property::Kind::reached || search.reached(i)) continue;
    result.unreached_goals.push_back(property.name);
    result.warnings.push_back(fmt::format("goal '{}' was never reached{}", property.name,
                                          result.complete ? ": no state of this world satisfies it" : ""));
  }
  result.elapsed_s = std::chrono::duration<double>(Clock::now() - started).count();
  return result;
}

}  // namespace gainsay
