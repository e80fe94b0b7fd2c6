// Worker: one thread's part of a campaign: an execution, a strategy, and the loop that makes runs and tallies them.
//
// All campaigns are made of this loop: rounds of random runs (rounds.hpp), a search by one worker or by several
// (search.hpp), scouts (scouts.hpp). What differs is who hands out the runs and what becomes of the tallies.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "gainsay/base/budget.hpp"
#include "gainsay/base/check.hpp"
#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/campaign/tally.hpp"

namespace gainsay {

// What a campaign is about; everybody in it reads this.
struct CampaignPlan {
  const Blueprint& blueprint;
  const HuntOptions& options;
  const BudgetAlarm& alarm;
  const RunHeader& header;
  bool search = false;
  std::optional<std::size_t> unfair_steps_max{};  // schedules that are not fair and starve somebody end there

  // Throws UserError for options that do not fit.
  std::unique_ptr<Strategy> make_strategy() const;
};

// The strategy's own options, with what --depth and --dependence say. Throws UserError where they do not fit.
OptionTexts strategy_options(const HuntOptions& options, const StrategyInfo& info);
// The strategy with what was asked to stand around it. Throws UserError for options that do not fit.
std::unique_ptr<Strategy> make_strategy(const HuntOptions& options);

// Runs between two moments at which tallies are merged, memory is tidied and progress is shown.
inline constexpr std::uint64_t part_runs = 64;

class Worker {
 public:
  // How a part of a campaign ended.
  enum class Ended : std::uint8_t {
    whole,      // all runs were made
    exhausted,  // the strategy has nothing left
    stopped,    // by the alarm
    found,      // a violation ends it
  };
  enum class AtBug : std::uint8_t { stop, go_on };

  explicit Worker(const CampaignPlan& plan) : Worker(plan, plan.make_strategy()) {}
  Worker(const CampaignPlan& plan, std::unique_ptr<Strategy> strategy);

  // Executes run `index`. Nothing: the strategy has nothing left.
  std::optional<RunOutcome> run(std::uint64_t index, bool scout = false);

  // Makes the runs from `next` up to `end`, and moves `next` past those that were made. Blocked runs have no number.
  Ended make_runs(std::uint64_t& next, std::uint64_t end, AtBug at_bug, Tally& tally);

  // Between parts.
  void tidy() { execution_.tidy(plan_.options.most_bytes); }

  Strategy& strategy() { return *strategy_; }
  // Of a search that has ended.
  SearchClaim claim() {
    return strategy_->reducer() != nullptr ? strategy_->reducer()->claim() : SearchClaim{};
  }
  std::uint64_t handler_calls() const { return execution_.kernel().handler_calls(); }
  bool clock_read() const { return execution_.kernel().clock_read(); }

 private:
  void verify(RunOutcome& outcome);
  bool ends_at(const Violation& violation, AtBug at_bug) const;

  const CampaignPlan& plan_;
  Execution execution_;
  std::unique_ptr<Strategy> strategy_;
  WorldTraits traits_;
  std::uint64_t run_ = 0;
  CheckScope scope_;
};

}  // namespace gainsay
