#include "gainsay/execution/run/fair_rounds.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"

namespace gainsay {

void FairRounds::begin_round(std::uint32_t steps, std::span<const std::uint64_t> enabled) {
  began_ = steps;
  owed_.assign(enabled.begin(), enabled.end());
  std::sort(owed_.begin(), owed_.end());
  owed_.erase(std::unique(owed_.begin(), owed_.end()), owed_.end());
}

void FairRounds::begin(std::uint32_t steps, std::size_t conditions, std::span<const std::uint64_t> enabled) {
  hot_rounds_.assign(conditions, 0);
  hot_from_.assign(conditions, steps);
  begin_round(steps, enabled);
}

void FairRounds::note(std::uint64_t executed, std::span<const std::uint64_t> enabled,
                      std::span<const HeatSpan> heat, std::uint32_t steps) {
  GAINSAY_CHECK(heat.size() == hot_rounds_.size() && steps > began_, "the same conditions, one step later");
  if (const auto paid = std::lower_bound(owed_.begin(), owed_.end(), executed);
      paid != owed_.end() && *paid == executed)
    owed_.erase(paid);
  std::erase_if(owed_, [&](std::uint64_t event) {
    return std::find(enabled.begin(), enabled.end(), event) == enabled.end();
  });
  for (std::size_t i = 0; i < heat.size(); ++i) {
    if (heat[i].counts_from(began_)) {
      if (owed_.empty()) ++hot_rounds_[i];
    } else if (heat[i].since > began_ ||
               owed_.empty()) {  // it was cold, or a whole round passed without heat
      hot_rounds_[i] = 0;
      hot_from_[i] = steps;
    }
  }
  if (!owed_.empty()) return;
  for (std::size_t i = 0; i < heat.size(); ++i) {
    if (hot_rounds_[i] == 0) hot_from_[i] = steps;
  }
  begin_round(steps, enabled);
}

}  // namespace gainsay
