#include "gainsay/explorer/search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gainsay/base/parallel.hpp"

namespace gainsay {
namespace {

// How many states are expanded between two moments at which the table may grow.
constexpr std::uint32_t segment_states = 128 * 1024;
constexpr std::uint64_t small_table_bytes = 64 * 1024 * 1024;

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

}  // namespace

Search::Search(const Blueprint& blueprint, const ExploreOptions& options, const Facts& facts,
               Kernel::Origin origin)
    : options_(options),
      facts_(facts),
      budget_(Budget(options.time_max, options.memory_max).until(options.stop)),
      shared_(blueprint),
      frontier_(options.spill_folder),
      next_(options.spill_folder) {
  shared_.kernel.keep_origin(origin);
  shared_.kernel.repeat_all_calls();
  if (!options.checkpoint.empty()) shared_.kernel.record(&derivations_);
  if (options.exact) shared_.exact.emplace();
  if (options.bitstate_bytes) shared_.bits.emplace(*options.bitstate_bytes);
  if (options.symmetry) shared_.use_symmetry();
  if (options.workers == 1) shared_.table.keep_to_one_thread();
  for (unsigned i = 0; i < options.workers; ++i) expanders_.push_back(std::make_unique<Expander>(shared_));
  next_checkpoint_s_ = std::chrono::duration<double>(options.checkpoint_every).count();
}

void Search::begin() {
  WorldState first;
  shared_.engine.stepper.initial(first);
  shared_.starts_or_gates = first.starts_pending > 0 || first.gated;
  expanders_.front()->begin(first);
  collect();
  std::swap(frontier_, next_);
  levels_ = {{shared_.states(), 0}};
  begun_ = true;
}

void Search::run() {
  if (!begun_) begin();
  while ((in_level_ || !frontier_.empty()) && left_ == Left::nothing && !needs_origin()) {
    if (!in_level_ && !begin_level()) break;
    expand_level();
    if (frontier_.empty()) end_level();
  }
  GAINSAY_CHECK(left_ != Left::nothing || needs_origin() || (frontier_.empty() && next_.empty()),
                "what is left has a reason");
  // What comes after may take long as well.
  if (left_ != Left::nothing || shared_.blueprint.has_liveness()) keep_checkpoint();
}

// False where no further level is asked for.
bool Search::begin_level() {
  if (!sightings_.empty() && !options_.keep_going) {
    left_ = Left::violation;
    return false;
  }
  if (options_.depth_max && depth_ >= *options_.depth_max) {
    left_ = Left::depth;
    return false;
  }
  level_ = static_cast<std::uint16_t>(std::min<std::uint64_t>(depth_ + 2, 0xffffU));
  for (const auto& expander : expanders_) expander->begin_level();
  before_level_ = {shared_.states(), transitions()};
  in_level_ = true;
  return true;
}

void Search::end_level() {
  levels_ = levels_so_far();
  if (!next_.empty()) ++depth_;
  std::swap(frontier_, next_);
  in_level_ = false;
}

// With what there is of the level that is being expanded.
std::vector<LevelCount> Search::levels_so_far() const {
  std::vector<LevelCount> levels = levels_;
  if (!in_level_) return levels;
  levels.back().transitions = transitions() - before_level_.transitions;
  if (shared_.states() > before_level_.states) levels.push_back({shared_.states() - before_level_.states, 0});
  return levels;
}

void Search::fill(ExploreResult& result) {
  // Nothing was looked for behind a violation.
  if ((!sightings_.empty() || !loops_.empty()) && left_ == Left::nothing) left_ = Left::violation;
  if (left_ == Left::nothing && shared_.bits) left_ = Left::bits;
  if (left_ == Left::nothing) result.live = live_;
  result.states = shared_.states();
  result.frontier = frontier_.states() + next_.states();
  result.disk_bytes = frontier_.spilled_bytes() + next_.spilled_bytes();
  if (shared_.bits) {
    result.bitstate = true;
    result.expected_omissions = Bitstate::expected_omissions(result.states, shared_.bits->bits());
  }
  for (const Frontier* each : {&frontier_, &next_}) {
    if (!each->error().empty()) result.warnings.push_back(each->error() + "; it stayed in memory");
  }
  if (!checkpoint_error_.empty()) result.warnings.push_back(checkpoint_error_);
  result.end_states = end_states();
  result.transitions = transitions();
  result.levels = levels_so_far();
  result.depth = depth_ + (in_level_ && !next_.empty() ? 1 : 0);
  result.handler_calls = shared_.kernel.handler_calls();
  result.coverage = shared_.kernel.coverage().report(shared_.kernel.blueprint());
  result.incomplete_because = text_of(left_);
  result.complete = left_ == Left::nothing;
  result.interrupted = left_ == Left::interrupted;
  result.exact = shared_.exact.has_value();
  const auto n = static_cast<double>(result.states);
  result.collision_probability = result.exact ? 0 : -std::expm1(-n * (n - 1) / 0x1p65);
  if (shared_.symmetry) fill_symmetry(result);
  result.memory_bytes = most_bytes_;
  result.workers = workers();
}

void Search::fill_symmetry(ExploreResult& result) const {
  result.symmetries = shared_.symmetry->order();
  result.symmetric = describe(*shared_.group, shared_.blueprint);
  // The least of g numbers: two orbits share it with a probability of g^2 / (2g - 1) / 2^64.
  const auto n = static_cast<double>(result.states);
  const auto g = static_cast<double>(result.symmetries);
  if (!result.exact) result.collision_probability = -std::expm1(-n * (n - 1) / 0x1p65 * g * g / (2 * g - 1));
  for (const std::string& obstacle : shared_.group->obstacles)
    result.warnings.push_back("--symmetry: " + obstacle);
  for (const std::string& property : asymmetric())
    result.warnings.push_back(
        fmt::format("--symmetry: '{}' is not symmetric: it fails in a state but not in all permutations "
                    "of it; nothing was searched behind such states",
                    property));
}

void Search::search_loops() {
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

bool Search::notified(std::size_t monitor) const {
  return std::any_of(expanders_.begin(), expanders_.end(),
                     [&](const auto& e) { return e->notified(monitor); });
}

bool Search::reached(std::size_t property) const {
  return std::any_of(expanders_.begin(), expanders_.end(),
                     [&](const auto& e) { return e->judge().reached()[property]; });
}

void Search::expand_level() {
  while (!frontier_.empty() && left_ == Left::nothing && !needs_origin()) {
    const std::uint64_t pending = frontier_.ahead(segment_states).pending;
    if (!make_room(expected_additions(pending))) return;
    const std::uint64_t before = shared_.states();
    std::vector<Block> blocks = frontier_.take(segment_states);
    expand_segment(blocks);
    new_per_pending_ = static_cast<double>(shared_.states() - before) /
                       static_cast<double>(std::max(std::uint64_t{1}, pending));
    for (Block& block : blocks) expanders_[block.maker]->give_back(block);
    note_progress();
    if (budget_.elapsed_s() >= next_checkpoint_s_) keep_checkpoint();
  }
}

// How many states a segment will add, with half as many again; never more than it has pending events. Where there
// are more, they wait until the table has grown (Expander::add_overflow). While the table is small, there is room for
// more: what is half empty is faster. But not for the worst case: fresh memory takes time, too.
std::uint64_t Search::expected_additions(std::uint64_t pending) const {
  if (shared_.bits) return pending;
  const double expected = static_cast<double>(pending) * new_per_pending_ * 1.5 + 4096;
  const std::uint64_t additions = std::min(pending, static_cast<std::uint64_t>(expected));
  const std::uint64_t ample = additions + (shared_.states() + additions) / 5 * 3;
  return shared_.table.bytes_after_reserve(ample) <= small_table_bytes ? ample : additions;
}

// Grows the table for so many, within the memory that is allowed. Where that is not enough, the frontier goes to
// disk; where that is not enough either, the search ends.
bool Search::make_room(std::uint64_t additions) {
  const std::uint64_t after =
      shared_.bits ? shared_.bits->bytes() : shared_.table.bytes_after_reserve(additions);
  const std::uint64_t fixed = shared_.kernel.bytes() + (shared_.exact ? shared_.exact->bytes() : 0) +
                              hot_bytes() + symmetry_bytes() + after;
  if (fixed + frontier_.bytes() + next_.bytes() > options_.memory_max) {
    // More than need be, so that it is not done for every segment; what comes last goes first.
    const std::uint64_t keep = options_.memory_max > fixed ? (options_.memory_max - fixed) / 2 : 0;
    next_.spill(keep > frontier_.bytes() ? keep - frontier_.bytes() : 0);
    frontier_.spill(keep > next_.bytes() ? keep - next_.bytes() : 0);
  }
  const std::uint64_t peak = fixed + frontier_.bytes() + next_.bytes();
  if (peak > options_.memory_max) {
    left_ = Left::memory;
    return false;
  }
  most_bytes_ = std::max(most_bytes_, peak);
  if (!shared_.bits) shared_.table.reserve(additions, workers());
  return true;
}

void Search::expand_segment(std::vector<Block>& blocks) {
  Parts parts(blocks, expanders_.size());
  run_together(static_cast<unsigned>(std::min(expanders_.size(), parts.count())), [&](unsigned worker) {
    while (!budget_.is_over()) {
      const Part* part = parts.take(worker);
      if (part == nullptr) return;
      expanders_[worker]->expand(blocks[part->block], part->begin, part->end, level_);
    }
  });
  put_back(parts.left(), blocks);
  for (const auto& expander : expanders_) {
    while (expander->has_overflow()) {
      shared_.table.reserve(shared_.table.size(), workers());
      expander->add_overflow(level_);
    }
  }
  collect();
  if (!frontier_.empty() || !next_.empty()) left_ = left_by(budget_.over());
  if (options_.states_max && shared_.states() >= *options_.states_max && left_ == Left::nothing)
    left_ = Left::states;
}

// Where the search ends early: a block of which nothing was expanded goes back, the others are expanded to their end.
void Search::put_back(const std::vector<Part>& left, std::vector<Block>& blocks) {
  for (std::size_t end = left.size(); end > 0;) {
    std::size_t begin = end - 1;
    Block& block = blocks[left[begin].block];
    while (begin > 0 && left[begin - 1].block == left[begin].block) --begin;
    if (left[begin].begin == 0 && left[end - 1].end == block.words.size()) {
      frontier_.put_back(std::exchange(block, Block{}));
    } else {
      for (std::size_t i = begin; i < end; ++i)
        expanders_.front()->expand(block, left[i].begin, left[i].end, level_);
    }
    end = begin;
  }
  std::erase_if(blocks, [](const Block& block) { return block.words.empty(); });
}

// Takes over what the workers found: new blocks, and sightings of keys not seen on an earlier level.
void Search::collect() {
  std::vector<std::vector<Block>> outputs;
  std::size_t most = 0;
  for (const auto& expander : expanders_) {
    outputs.push_back(expander->take_output());
    most = std::max(most, outputs.back().size());
  }
  // In turn, so that a segment has blocks of all workers.
  for (std::size_t at = 0; at < most; ++at) {
    for (std::uint32_t worker = 0; worker < outputs.size(); ++worker) {
      if (at >= outputs[worker].size()) continue;
      outputs[worker][at].maker = worker;
      next_.push(std::move(outputs[worker][at]));
    }
  }
  for (const auto& expander : expanders_) {
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
}

std::uint64_t Search::hot_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& expander : expanders_) bytes += expander->hot().bytes();
  return bytes;
}

std::uint64_t Search::symmetry_bytes() const {
  std::uint64_t bytes = shared_.symmetry ? shared_.symmetry->bytes() : 0;
  for (const auto& expander : expanders_) bytes += expander->symmetry_bytes();
  return bytes;
}

std::uint64_t Search::transitions() const {
  std::uint64_t sum = 0;
  for (const auto& expander : expanders_) sum += expander->transitions;
  return sum;
}

std::uint64_t Search::end_states() const {
  std::uint64_t sum = 0;
  for (const auto& expander : expanders_) sum += expander->end_states;
  return sum;
}

std::set<std::string> Search::asymmetric() const {
  std::set<std::string> all;
  for (const auto& expander : expanders_) {
    if (expander->orbits() != nullptr)
      all.insert(expander->orbits()->asymmetric().begin(), expander->orbits()->asymmetric().end());
  }
  return all;
}

void Search::note_progress() {
  if (options_.progress == nullptr) return;
  options_.progress->states = shared_.states();
  options_.progress->transitions = transitions();
  options_.progress->depth = depth_;
  options_.progress->frontier = frontier_.states() + next_.states();
  options_.progress->memory_bytes = most_bytes_;
}

}  // namespace gainsay
