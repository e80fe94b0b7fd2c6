#include "gainsay/strategy/searches/dfs.hpp"

#include "gainsay/base/check.hpp"

namespace gainsay {

StrategyInfo dfs_strategy() {
  return StrategyInfo::of<NoOptions>("dfs", "every execution, depth first; complete", StrategyKind::search,
                                     [](const NoOptions&) { return std::make_unique<DfsStrategy>(); });
}

std::optional<Keep> DfsStrategy::begin(const RunInfo&) {
  if (first_) {
    first_ = false;
    return Keep{};
  }
  while (!decisions_.empty() && decisions_.back().answer + 1 == decisions_.back().among)
    decisions_.pop_back();
  if (decisions_.empty()) return std::nullopt;
  Decision& changed = decisions_.back();
  ++changed.answer;
  next_ = decisions_.size() - 1;
  Keep keep;
  keep.steps = changed.step;
  if (changed.is_value) {
    for (std::size_t i = decisions_.size() - 1; i-- > 0 && decisions_[i].step == changed.step;)
      ++keep.decisions;
    GAINSAY_CHECK(keep.decisions > 0, "a data choice follows the event that asks");
  }
  return keep;
}

std::size_t DfsStrategy::choose(const ChoicePoint& point) {
  if (next_ < decisions_.size()) {
    const Decision& again = decisions_[next_];
    if (again.among != point.size() || again.step != point.step() || again.is_value != point.is_value()) {
      throw Divergence{point.step()};
    }
    ++next_;
    return again.answer;
  }
  decisions_.push_back({0, static_cast<std::uint32_t>(point.size()), static_cast<std::uint32_t>(point.step()),
                        point.is_value()});
  ++next_;
  return 0;
}

}  // namespace gainsay
