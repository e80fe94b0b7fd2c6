#include "gainsay/strategy/searches/dfs.hpp"

namespace gainsay {

StrategyInfo dfs_strategy() {
  return StrategyInfo::of<NoOptions>("dfs", "every execution, depth first; complete", StrategyKind::search,
                                     [](const NoOptions&) { return std::make_unique<DfsStrategy>(); });
}

std::optional<Keep> DfsStrategy::begin(const RunInfo&) { return path_.next(); }

std::size_t DfsStrategy::choose(const ChoicePoint& point) {
  if (const PathDecision* known = path_.known(point)) return known->answer;
  return path_.add(PathDecision(point)).answer;
}

}  // namespace gainsay
