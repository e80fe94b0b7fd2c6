// qlearning: learns to go where it has not been (Mukherjee, Deligiannis, Biswas, Lal, "Learning-Based Controlled
// Concurrency Testing", OOPSLA 2020).
//
// Q-learning with a reward of -1 for whatever is done: actions that were taken often in a state look worse than
// those that were not, so the walk spreads over states. A state is the world's fingerprint where the world is
// a value, else the multiset of what is pending; an action is (sender, receiver, type) of an event, or the
// answer to a question. Actions are drawn by softmax over their Q-values; a value is updated when the state
// after it is known: Q(s, a) := (1 - alpha) Q(s, a) + alpha (-1 + gamma max Q(s', .)).
//
// It learns from every run, so one worker makes them all in order. Values lie in [-1 / (1 - gamma), 0], so among
// n alternatives each has a probability of at least exp(-1 / (1 - gamma)) / n. Called fair where that is at least a
// hundredth of 1 / n, which holds up to gamma = 0.78 and for the default; else waits may be longer than any run. No
// bound. Faults are drawn apart.
#pragma once

#include <memory>
#include <vector>

#include "gainsay/base/options.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/catalogue.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

struct QLearningOptions {
  double alpha = 0.3;
  double gamma = 0.7;
  double faults = 0.0625;

  static void describe(Describe<QLearningOptions>& d) {
    d.field(&QLearningOptions::alpha, "learning rate").range(0, 1);
    d.field(&QLearningOptions::gamma, "how much the future counts").range(0, 0.999);
    d.field(&QLearningOptions::faults, "probability that a step is a fault, if one is possible").range(0, 1);
  }
};

class QLearningStrategy final : public Strategy {
 public:
  // Pairs beyond this many keep the value of the unknown.
  static constexpr std::size_t most_pairs = std::size_t{1} << 22U;

  explicit QLearningStrategy(QLearningOptions options);
  ~QLearningStrategy() override;

  Needs needs() const override { return {.in_order = true}; }
  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;
  void end(const RunEnd& end) override;
  bool fair() const override { return 1 / (1 - options_.gamma) <= least_exponent; }

  std::size_t known_pairs() const;

 private:
  struct Table;
  static constexpr double least_exponent = 4.605;  // exp(-4.605) is 0.01

  std::size_t softmax();
  void update(double best_after);

  QLearningOptions options_;
  std::unique_ptr<Table> table_;  // Q by (state, action), across runs
  Rng rng_{0};
  std::uint64_t state_ = 0;
  std::uint64_t last_pair_ = 0;       // whose value is due; 0: none
  std::vector<std::uint64_t> pairs_;  // scratch: (state, action) of every alternative
  std::vector<double> values_;        // scratch
};

StrategyInfo qlearning_strategy();

}  // namespace gainsay
