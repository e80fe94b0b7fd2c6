// frontier: one search hands what it has not explored to another: a search to a depth, then random runs from each leaf.
//
// The search is cut after `depth` steps. Where it is cut, `runs` executions begin with these steps and go on uniformly
// at random. With dfs every prefix is executed, and each is followed by as many samples as any other, however rare it
// is in a walk from the beginning. dpor wants only what reverses a pair within the prefix, or a step of it and what is
// pending at its end. sdpor and odpor are not offered: they look at executed steps alone, and a cut hides most of them.
// Executions that end within the depth are made once. Complete only where all of them do; else a heuristic, and it says
// so.
#pragma once

#include "gainsay/base/options.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/catalogue.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

struct FrontierOptions {
  enum class Search { dfs, dpor };
  Search search = Search::dfs;
  std::uint32_t depth = 4;
  std::uint32_t runs = 1;

  static void describe(Describe<FrontierOptions>& d) {
    d.field(&FrontierOptions::search, "who explores the first steps");
    d.value(Search::dfs, "every execution");
    d.value(Search::dpor, "dpor, which looks at what is pending where it is cut");
    d.field(&FrontierOptions::depth, "after so many steps chance goes on").range(1, 1'000'000);
    d.field(&FrontierOptions::runs, "executions from each leaf").range(1, 1'000'000);
  }
};

class FrontierSearch final : public Strategy, public Reducer {
 public:
  explicit FrontierSearch(const FrontierOptions& options);

  Needs needs() const override;
  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;
  void executed(const Event& event, const EffectFlags& flags, std::span<const Event> created) override;
  void end(const RunEnd& end) override;
  // The runs from a leaf draw each next event uniformly.
  bool fair() const override { return beyond_; }
  Guarantee guarantee() const override;
  Reducer* reducer() override { return this; }

  SearchClaim claim() const override;
  std::optional<std::uint64_t> run_class() const override { return std::nullopt; }
  bool take_share(unsigned, unsigned shares) override { return shares == 1; }
  bool owns_run() const override { return true; }

 private:
  FrontierOptions options_;
  std::unique_ptr<Strategy> search_;
  Rng rng_{0};
  bool beyond_ = false;         // of this run: the search has been cut
  bool any_beyond_ = false;     // of any run
  std::size_t cut_at_ = 0;      // steps of the leaf
  std::uint32_t left_ = 0;      // runs from this leaf that are still to be made
  bool search_is_told_ = true;  // how its run ended
};

StrategyInfo frontier_strategy();

}  // namespace gainsay
