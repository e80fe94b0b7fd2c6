// A bare choice tree and a runner for it, so that strategies are tested without actors.
//
// The tree says, for every sequence of answers so far, what is asked next: which of n events (with the faults
// among them), which of n values, or nothing any more. The runner does what Execution does with a Keep: the
// kept part of the last run is repeated without asking.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "gainsay/strategy/strategy.hpp"

namespace gainsay::choice_tree {

struct Question {
  bool is_value = false;
  std::vector<Event> events;  // of an event question, ordinary ones first
  std::size_t ordinary = 0;
  std::size_t among = 0;  // of a value question

  std::size_t size() const { return is_value ? among : events.size(); }
};

inline Question value(std::size_t among) { return {true, {}, 0, among}; }

inline Question events(std::vector<Event> list, std::optional<std::size_t> ordinary = std::nullopt) {
  Question question;
  question.ordinary = ordinary.value_or(list.size());
  question.events = std::move(list);
  return question;
}

// n events that differ in nothing but their ids.
inline Question events(std::size_t n) {
  std::vector<Event> list(n);
  for (std::size_t i = 0; i < n; ++i) list[i].id = EventId{i + 1};
  return events(std::move(list));
}

using Path = std::vector<std::size_t>;
using Tree = std::function<std::optional<Question>(const Path&)>;

class Source final : public EventSource {
 public:
  explicit Source(const std::vector<Event>& list) : list_(list) {}
  Event event_at(std::size_t index) const override { return list_.at(index); }
  std::optional<std::uint64_t> world_fingerprint() const override { return std::nullopt; }
  // What is asked about is all that is pending.
  std::size_t pending_count() const override {
    std::size_t count = 0;
    while (count < list_.size() && is_ordinary(list_[count].kind)) ++count;
    return count;
  }
  EventId pending_id(std::size_t position) const override { return list_.at(position).id; }
  Event pending_event(std::size_t position) const override { return list_.at(position); }
  std::size_t position_of(std::size_t index) const override { return index; }

 private:
  const std::vector<Event>& list_;
};

class Runner {
 public:
  Runner(Strategy& strategy, Tree tree) : strategy_(strategy), tree_(std::move(tree)) {}

  // One run; nothing when the strategy is done.
  std::optional<Path> run(std::uint64_t index = 0, std::uint64_t seed = 1) {
    const std::optional<Keep> keep = strategy_.begin({index, seed, 1000});
    if (!keep) return std::nullopt;
    std::size_t kept = kept_decisions(*keep);
    asked = 0;
    path_.resize(kept);
    decisions_.resize(kept);
    while (const auto question = tree_(path_)) {
      const std::size_t step = question->is_value ? steps() - 1 : steps();
      const Source source(question->events);
      const ChoicePoint point = question->is_value
                                    ? ChoicePoint::value(step, question->among)
                                    : ChoicePoint::events(source, step, question->size(), question->ordinary);
      const std::size_t answer = strategy_.choose(point);
      ++asked;
      EXPECT_LT(answer, question->size());
      path_.push_back(answer);
      decisions_.push_back({question->is_value, step});
    }
    strategy_.end({Ending::quiescent, steps()});
    return path_;
  }

  std::size_t asked = 0;  // decisions of the last run that were not kept
  std::size_t steps() const {
    std::size_t count = 0;
    for (const Decision& decision : decisions_) count += decision.is_value ? 0 : 1;
    return count;
  }

 private:
  struct Decision {
    bool is_value = false;
    std::size_t step = 0;
  };

  // How many decisions of the last run a Keep stands for.
  std::size_t kept_decisions(const Keep& keep) const {
    std::size_t kept = 0;
    while (kept < decisions_.size() && decisions_[kept].step < keep.steps) ++kept;
    for (std::size_t j = 0; j < keep.decisions; ++j, ++kept) {
      if (kept >= decisions_.size() || decisions_[kept].step != keep.steps ||
          decisions_[kept].is_value != (j > 0)) {
        ADD_FAILURE() << "keeps a decision that step " << keep.steps << " did not have";
        return kept;
      }
    }
    return kept;
  }

  Strategy& strategy_;
  Tree tree_;
  Path path_;
  std::vector<Decision> decisions_;
};

}  // namespace gainsay::choice_tree
