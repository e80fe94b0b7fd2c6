#include "papers/searches/frontier.hpp"

#include <array>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

const char* search_name(FrontierOptions::Search search) {
  static constexpr std::array<const char*, 2> names = {"dfs", "dpor"};
  return names[static_cast<std::size_t>(search)];
}

const RegisterStrategy frontier_registration{frontier_strategy()};

}  // namespace

StrategyInfo frontier_strategy() {
  StrategyInfo info = StrategyInfo::of<FrontierOptions>(
      "frontier", "a search to a depth, then random executions from each of its leaves; a heuristic",
      StrategyKind::search,
      [](const FrontierOptions& options) { return std::make_unique<FrontierSearch>(options); });
  return info;
}

FrontierSearch::FrontierSearch(const FrontierOptions& options) : options_(options) {
  const StrategyInfo& info = find_strategy(search_name(options.search));
  OptionTexts texts;
  if (info.has_depth()) texts.emplace_back("depth", std::to_string(options.depth));
  search_ = info.make(texts);
}

Needs FrontierSearch::needs() const {
  Needs needs = search_->needs();
  needs.backtracking = needs.in_order = true;
  return needs;
}

std::optional<Keep> FrontierSearch::begin(const RunInfo& run) {
  rng_ = Rng(run.seed, run.index);
  if (left_ > 0) {
    --left_;
    beyond_ = true;
    return Keep{cut_at_, 0};
  }
  if (!search_is_told_) search_->end({Ending::step_bound, cut_at_});
  search_is_told_ = true;
  beyond_ = false;
  return search_->begin(run);
}

std::size_t FrontierSearch::choose(const ChoicePoint& point) {
  if (!beyond_) {
    const bool is_leaf = !point.is_value() && point.step() >= options_.depth;
    const bool search_knows = options_.search != FrontierOptions::Search::dfs;
    // A search with a depth looks at the leaf before it cuts there; dfs has none, and is not asked.
    const std::size_t chosen = is_leaf && !search_knows ? cut_run : search_->choose(point);
    if (chosen != cut_run) return chosen;
    GAINSAY_CHECK(!point.is_value(), "an execution is cut between steps");
    beyond_ = any_beyond_ = true;
    cut_at_ = point.step();
    left_ = options_.runs - 1;
    search_is_told_ = false;
  }
  return rng_.below(point.size());
}

void FrontierSearch::executed(const Event& event, const EffectFlags& flags, std::span<const Event> created) {
  if (!beyond_) search_->executed(event, flags, created);
}

void FrontierSearch::end(const RunEnd& end) {
  if (!beyond_) search_->end(end);
}

Guarantee FrontierSearch::guarantee() const {
  return {
      fmt::format("the first {} steps as {} has them, then {} random execution{} from each", options_.depth,
                  search_name(options_.search), options_.runs, options_.runs == 1 ? "" : "s"),
      std::nullopt};
}

SearchClaim FrontierSearch::claim() const {
  SearchClaim claim;
  if (Reducer* const reducer = search_->reducer())
    claim = reducer->claim();
  else
    claim.complete = true;
  if (!any_beyond_) return claim;
  claim.complete = false;
  claim.heuristic = true;
  claim.incomplete_because = fmt::format("after {} steps executions were drawn at random", options_.depth);
  return claim;
}

}  // namespace gainsay
