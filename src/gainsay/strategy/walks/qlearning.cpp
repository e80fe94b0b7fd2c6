#include "gainsay/strategy/walks/qlearning.hpp"

#include <algorithm>
#include <cmath>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/base/check.hpp"
#include "gainsay/strategy/walks/faults.hpp"

namespace gainsay {
namespace {

std::uint64_t action_of(const Event& event) {
  return mix(mix(event.receiver.raw, event.sender.raw), event.type + static_cast<std::uint64_t>(event.kind));
}

std::uint64_t state_of(const ChoicePoint& point) {
  if (const auto fingerprint = point.fingerprint()) return *fingerprint;
  std::uint64_t sum = 1;
  const EventSource& source = point.source();
  for (std::size_t i = 0; i < source.pending_count(); ++i)
    sum += scramble(action_of(source.pending_event(i)));
  return sum;
}

}  // namespace

struct QLearningStrategy::Table {
  boost::unordered_flat_map<std::uint64_t, double> values;  // never iterated over
};

QLearningStrategy::QLearningStrategy(QLearningOptions options)
    : options_(options), table_(std::make_unique<Table>()) {}
QLearningStrategy::~QLearningStrategy() = default;

StrategyInfo qlearning_strategy() {
  return StrategyInfo::of<QLearningOptions>(
      "qlearning", "learns to do what it has not done yet; one worker, no bound known", StrategyKind::random,
      [](const QLearningOptions& options) { return std::make_unique<QLearningStrategy>(options); });
}

std::size_t QLearningStrategy::known_pairs() const { return table_->values.size(); }

std::optional<Keep> QLearningStrategy::begin(const RunInfo& run) {
  rng_ = Rng(run.seed, run.index);
  state_ = 0;
  last_pair_ = 0;
  return Keep{};
}

void QLearningStrategy::update(double best_after) {
  if (last_pair_ == 0) return;
  auto& values = table_->values;
  const auto found = values.find(last_pair_);
  const double before = found == values.end() ? 0 : found->second;
  const double after = (1 - options_.alpha) * before + options_.alpha * (options_.gamma * best_after - 1);
  if (found != values.end()) {
    found->second = after;
  } else if (values.size() < most_pairs) {
    values.emplace(last_pair_, after);
  }
  last_pair_ = 0;
}

// One of `pairs_`, with probability in proportion to exp(Q).
std::size_t QLearningStrategy::softmax() {
  values_.clear();
  for (const std::uint64_t pair : pairs_) {
    const auto found = table_->values.find(pair);
    values_.push_back(found == table_->values.end() ? 0 : found->second);
  }
  const double best = *std::max_element(values_.begin(), values_.end());
  update(best);
  double total = 0;
  for (double& value : values_) {
    value = std::exp(value - best);
    total += value;
  }
  double left = rng_.unit() * total;
  std::size_t chosen = 0;
  while (chosen + 1 < values_.size() && left >= values_[chosen]) left -= values_[chosen++];
  return chosen;
}

std::size_t QLearningStrategy::choose(const ChoicePoint& point) {
  pairs_.clear();
  if (point.is_value()) {
    state_ = mix(state_, 0x76616c7565);  // the state in which the handler asks
    for (std::size_t i = 0; i < point.size(); ++i) pairs_.push_back(mix(state_, i + 1));
  } else {
    state_ = state_of(point);
    if (const std::size_t fault = roll_fault(point, options_.faults, rng_); fault != no_fault) {
      last_pair_ = 0;
      return fault;
    }
    GAINSAY_CHECK(point.ordinary() > 0, "something is possible");
    for (std::size_t i = 0; i < point.ordinary(); ++i)
      pairs_.push_back(mix(state_, action_of(point.event(i))));
  }
  const std::size_t chosen = softmax();
  last_pair_ = std::max<std::uint64_t>(pairs_[chosen], 1);
  if (point.is_value())
    state_ = mix(state_, chosen + 1);
  else
    state_ = mix(state_, action_of(point.event(chosen)));
  return chosen;
}

void QLearningStrategy::end(const RunEnd&) { update(0); }

}  // namespace gainsay
