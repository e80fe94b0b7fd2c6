// dfs: every execution within the step bound, depth first. It changes one decision at a time, the last one first.
//
// Complete: when it ends by itself, every sequence of decisions has been executed exactly once. It keeps only the
// decisions of the current execution (decision_path.hpp). If liveness is checked, an execution that reaches the same
// world for the third time is cut off there.
#pragma once

#include "gainsay/strategy/catalogue.hpp"
#include "gainsay/strategy/searches/decision_path.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

class DfsStrategy final : public Strategy {
 public:
  Needs needs() const override { return {.backtracking = true, .leaves_out_repeats = true}; }
  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;
  Guarantee guarantee() const override {
    return {"every execution within the bounds, exactly once", std::nullopt};
  }

 private:
  DecisionPath<> path_;
};

StrategyInfo dfs_strategy();

}  // namespace gainsay
