// StrategyDecorator: a strategy around another one. It passes everything on; a derived class changes some of it.
//
// The inner strategy keeps its Learner role. Decorators choose at random, so there is none around a search: it has no
// Reducer role.
#pragma once

#include <memory>
#include <utility>

#include "gainsay/base/check.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

class StrategyDecorator : public Strategy {
 public:
  Needs needs() const override { return inner_->needs(); }
  std::optional<Keep> begin(const RunInfo& run) override { return inner_->begin(run); }
  std::size_t choose(const ChoicePoint& point) override { return inner_->choose(point); }
  void executed(const Event& event, const EffectFlags& flags, std::span<const Event> created) override {
    inner_->executed(event, flags, created);
  }
  void end(const RunEnd& end) override { inner_->end(end); }
  bool fair() const override { return inner_->fair(); }
  Guarantee guarantee() const override { return inner_->guarantee(); }
  Learner* learner() override { return inner_->learner(); }

 protected:
  explicit StrategyDecorator(std::unique_ptr<Strategy> inner) : inner_(std::move(inner)) {
    GAINSAY_CHECK(inner_ != nullptr && inner_->reducer() == nullptr, "a strategy that is no search");
  }
  Strategy& inner() { return *inner_; }
  const Strategy& inner() const { return *inner_; }

 private:
  std::unique_ptr<Strategy> inner_;
};

}  // namespace gainsay
