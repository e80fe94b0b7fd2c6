#include "gainsay/strategy/searches/delay.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"

namespace gainsay {

StrategyInfo delay_strategy() {
  StrategyInfo info = StrategyInfo::of<DelayOptions>(
      "delay", "every execution within a budget of delays; or a random walk within it", StrategyKind::search,
      [](const DelayOptions& options) -> std::unique_ptr<Strategy> {
        if (options.randomised) return std::make_unique<DelayWalk>(options);
        return std::make_unique<DelaySearch>(options);
      });
  info.depth_option = "delays";
  info.kind_for = [](const OptionTexts& texts) {
    const bool randomised = parse_options<DelayOptions>(texts, "strategy 'delay'").randomised;
    return randomised ? StrategyKind::random : StrategyKind::search;
  };
  return info;
}

std::size_t DelayOrder::at(const ChoicePoint& point, std::size_t rank, ActorId last) {
  GAINSAY_CHECK(rank < point.size(), "there is an alternative of this rank");
  std::size_t first = 0;  // rank of the first ordinary event
  if (point.may_stop()) {
    if (rank == 0) return point.size() - 1;
    first = 1;
  }
  const std::size_t index = rank - first;
  if (!goes_round() || index >= point.ordinary()) return index;
  sort(point, last);
  return ranks_[index].second;
}

void DelayOrder::sort(const ChoicePoint& point, ActorId last) {
  ranks_.clear();
  for (std::size_t i = 0; i < point.ordinary(); ++i) {
    // How far the receiver stands behind the last one, going round; the last one itself is the farthest.
    ranks_.emplace_back(point.event(i).receiver.raw - last.raw - 1, i);
  }
  std::sort(ranks_.begin(), ranks_.end());
}

// The events of one receiver cost the same; each receiver costs one more than the one before it.
void DelayOrder::find_costs(const ChoicePoint& point, ActorId last) {
  sort(point, last);
  costs_.assign(point.size(), 0);
  const std::size_t first = point.may_stop() ? 1 : 0;
  for (std::size_t rank = 1; rank < costs_.size(); ++rank) {
    const std::size_t index = rank - first;
    const bool same_agent =
        index >= 1 && index < ranks_.size() && ranks_[index].first == ranks_[index - 1].first;
    costs_[rank] = costs_[rank - 1] + (same_agent ? 0 : 1);
  }
}

std::uint32_t DelayOrder::cost(const ChoicePoint& point, std::size_t rank, ActorId last) {
  GAINSAY_CHECK(rank < point.size(), "there is an alternative of this rank");
  if (!skips_agents()) return static_cast<std::uint32_t>(rank);
  find_costs(point, last);
  return costs_[rank];
}

std::uint32_t DelayOrder::within(const ChoicePoint& point, std::uint64_t delays, ActorId last) {
  if (!skips_agents()) return static_cast<std::uint32_t>(std::min<std::uint64_t>(point.size(), delays + 1));
  find_costs(point, last);
  return static_cast<std::uint32_t>(std::upper_bound(costs_.begin(), costs_.end(), delays) - costs_.begin());
}

std::size_t DelayOrder::rank_of(const ChoicePoint& point, std::uint64_t delays, ActorId last) {
  if (!skips_agents()) return delays % point.size();
  find_costs(point, last);
  const std::uint64_t wanted = delays % (costs_.back() + 1);
  return static_cast<std::size_t>(std::lower_bound(costs_.begin(), costs_.end(), wanted) - costs_.begin());
}

// --- the search ---

std::optional<Keep> DelaySearch::begin(const RunInfo& run) {
  obliges_ = run.world.obliges();
  const std::optional<Keep> keep = path_.next();
  if (!path_.empty()) {
    spent_ = path_.changed().spent;
    last_ = path_.changed().last;
  }
  return keep;
}

std::size_t DelaySearch::carry_out(const Decision& decision, const ChoicePoint& point) {
  if (decision.is_value) return decision.answer;
  spent_ = decision.spent + order_.cost(point, decision.answer, last_);
  GAINSAY_CHECK(spent_ <= options_.delays, "the budget is kept");
  const std::size_t index = order_.at(point, decision.answer, last_);
  if (order_.goes_round()) last_ = point.event(index).receiver;
  return index;
}

std::size_t DelaySearch::choose(const ChoicePoint& point) {
  if (const Decision* known = path_.known(point)) return carry_out(*known, point);
  Decision decision(point);
  if (!point.is_value()) decision.among = order_.within(point, options_.delays - spent_, last_);
  decision.spent = spent_;
  decision.last = last_;
  return carry_out(path_.add(decision), point);
}

Guarantee DelaySearch::guarantee() const {
  Guarantee guarantee;
  guarantee.within = fmt::format("at most {} delay{}", options_.delays, options_.delays == 1 ? "" : "s");
  guarantee.statement = fmt::format("every execution that costs {} of the {} schedule, exactly once",
                                    guarantee.within, order_.goes_round() ? "round-robin" : "oldest-first");
  return guarantee;
}

// --- the walk ---

std::optional<Keep> DelayWalk::begin(const RunInfo& run) {
  rng_ = Rng(run.seed, run.index);
  obliges_ = run.world.obliges();
  left_ = options_.delays;
  last_ = nobody;
  return Keep{};
}

std::size_t DelayWalk::choose(const ChoicePoint& point) {
  if (point.is_value()) return rng_.below(point.size());
  const std::uint64_t delays = left_ == 0 ? 0 : rng_.below(left_ + 1);
  left_ -= delays;
  const std::size_t index = order_.at(point, order_.rank_of(point, delays, last_), last_);
  if (order_.goes_round()) last_ = point.event(index).receiver;
  return index;
}

}  // namespace gainsay
