// approximate: follows a list of decisions as far as it can. A decision that is not possible when its turn comes is
// skipped; answers are used again where the question is the same. When no decision is left it stops where it may,
// else it takes the oldest event, or cuts the run there.
//
// Events are recognised by their stable ids, so a list made from one execution still means something in another.
#pragma once

#include <vector>

#include "gainsay/strategy/follow/script.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

class ApproximateStrategy final : public Strategy {
 public:
  enum class AtEnd { go_on, cut };
  explicit ApproximateStrategy(std::vector<Decision> decisions, AtEnd at_end = AtEnd::go_on)
      : script_(std::move(decisions)), at_end_(at_end) {}

  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;
  std::optional<std::int64_t> recorded_time(std::size_t step, std::int64_t earliest_ns,
                                            std::int64_t latest_ns) override;

  std::size_t skipped() const { return skipped_; }

 private:
  std::size_t choose_event(const ChoicePoint& point);

  Script script_;
  AtEnd at_end_;
  std::size_t next_ = 0;  // the decision whose turn it is
  std::size_t skipped_ = 0;
};

}  // namespace gainsay
