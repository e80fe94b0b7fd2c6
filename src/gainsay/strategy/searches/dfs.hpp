// dfs: every execution within the step bound, depth first, one decision changed at a time, the last one
// first.
//
// Complete: when it ends by itself, every sequence of decisions has been executed exactly once. It keeps one
// entry per decision of the current execution: the answer given and how many there were.
#pragma once

#include <cstdint>
#include <vector>

#include "gainsay/strategy/catalogue.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

class DfsStrategy final : public Strategy {
 public:
  Needs needs() const override { return {.backtracking = true, .executed = false}; }
  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;
  Guarantee guarantee() const override {
    return {"every execution within the bounds, exactly once", std::nullopt};
  }

 private:
  struct Decision {
    std::uint32_t answer = 0;
    std::uint32_t among = 1;
    std::uint32_t step = 0;
    bool is_value = false;
  };

  std::vector<Decision> decisions_;  // of the current execution, in order
  std::size_t next_ = 0;             // decisions below this index are kept; the one at it is answered anew
  bool first_ = true;
};

StrategyInfo dfs_strategy();

}  // namespace gainsay
