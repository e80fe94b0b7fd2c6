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
  if (order_ == DelayOptions::Order::oldest || index >= point.ordinary()) return index;
  ranks_.clear();
  for (std::size_t i = 0; i < point.ordinary(); ++i) {
    // How far the receiver stands behind the last one, going round; the last one itself is the farthest.
    ranks_.emplace_back(point.event(i).receiver.raw - last.raw - 1, i);
  }
  std::sort(ranks_.begin(), ranks_.end());
  return ranks_[index].second;
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
  spent_ = decision.spent + decision.answer;
  GAINSAY_CHECK(spent_ <= options_.delays, "the budget is kept");
  const std::size_t index = order_.at(point, decision.answer, last_);
  if (options_.order == DelayOptions::Order::round_robin) last_ = point.event(index).receiver;
  return index;
}

std::size_t DelaySearch::choose(const ChoicePoint& point) {
  if (const Decision* known = path_.known(point)) return carry_out(*known, point);
  Decision decision(point);
  if (!point.is_value()) decision.among = std::min(decision.offered, options_.delays - spent_ + 1);
  decision.spent = spent_;
  decision.last = last_;
  return carry_out(path_.add(decision), point);
}

Guarantee DelaySearch::guarantee() const {
  Guarantee guarantee;
  guarantee.within = fmt::format("at most {} delay{}", options_.delays, options_.delays == 1 ? "" : "s");
  guarantee.statement =
      fmt::format("every execution that costs {} of the {} schedule, exactly once", guarantee.within,
                  options_.order == DelayOptions::Order::oldest ? "oldest-first" : "round-robin");
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
  const std::size_t index = order_.at(point, delays % point.size(), last_);
  if (options_.order == DelayOptions::Order::round_robin) last_ = point.event(index).receiver;
  return index;
}

}  // namespace gainsay
