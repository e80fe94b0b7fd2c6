// portfolio: other strategies in turn, so that nobody needs to know beforehand which one suits: run i is made by
// member i modulo their number.
//
// By default random walks over events and over receivers, pos, surw, pct, and pctcp for every depth up to
// `depth`. `members` names others: "pctcp depth=4; pos". The summary says what each member did. Each member
// learns from its own runs. No bound: a member's own would hold for its share of the runs only. Fair where the
// member of the current run is.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gainsay/base/options.hpp"
#include "gainsay/strategy/catalogue.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

struct PortfolioOptions {
  std::uint32_t depth = 3;
  std::string members;

  static void describe(Describe<PortfolioOptions>& d) {
    d.field(&PortfolioOptions::depth, "pctcp is a member with every depth up to this one").range(1, 100);
    d.field(&PortfolioOptions::members, "other members, with their options: 'pctcp depth=4; pos'");
  }
};

struct PortfolioLessons final : Lessons {
  std::vector<std::unique_ptr<Lessons>> members;  // null: that member does not learn
  std::vector<StrategyShare> shares;

  std::unique_ptr<Lessons> clone() const override;
  void merge(const Lessons& later) override;
  bool save(ByteWriter& out) const override;
  bool load(ByteReader& in) override;
};

class PortfolioStrategy final : public Strategy, public Learner {
 public:
  struct Member {
    std::string name;  // with options
    std::unique_ptr<Strategy> strategy;
  };

  explicit PortfolioStrategy(const PortfolioOptions& options);

  Needs needs() const override;
  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override { return current_->choose(point); }
  void executed(const Event& event, const EffectFlags& flags, std::span<const Event> created) override {
    current_->executed(event, flags, created);
  }
  void end(const RunEnd& end) override;
  bool fair() const override { return current_ != nullptr && current_->fair(); }
  Learner* learner() override { return this; }
  std::unique_ptr<Lessons> take_lessons() override;
  void learn(const Lessons& all) override;
  std::vector<StrategyShare> shares() const override { return learned_shares_; }

  const std::vector<Member>& members() const { return members_; }

 private:
  std::vector<StrategyShare> no_shares() const;

  std::vector<Member> members_;
  std::vector<StrategyShare> shares_;          // since the lessons were taken
  std::vector<StrategyShare> learned_shares_;  // of all runs that were learned from
  Strategy* current_ = nullptr;
  std::size_t current_index_ = 0;
  RunInfo run_;
};

StrategyInfo portfolio_strategy();

}  // namespace gainsay
