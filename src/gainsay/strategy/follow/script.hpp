// Script: recorded decisions that another execution follows. Strategies, the runner and whoever repeats steps by hand
// use it, so that all recognise events and answers alike.
//
// A decision is found among the alternatives at hand (`find`), or an alternative among the decisions (`place_of`: for
// those who skip what is not possible, or go through the decisions in another order). `execute` says which decision is
// executed now; then `answer` gives its recorded answers, one for each question.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gainsay/base/check.hpp"
#include "gainsay/strategy/choice_point.hpp"
#include "gainsay/trace/decision.hpp"

namespace gainsay {

// The recorded answers of one step, given again in their order. The answers must outlive it.
class RecordedAnswers {
 public:
  RecordedAnswers() = default;
  explicit RecordedAnswers(std::span<const DataChoice> answers) : answers_(answers) {}

  // The answer to the next question; nothing: it was not asked then, or had another number of answers.
  std::optional<std::uint32_t> next(std::size_t among) {
    const std::size_t question = asked_++;
    if (question < answers_.size() && answers_[question].among == among && !answers_[question].is_time)
      return answers_[question].answer;
    same_ = false;
    return std::nullopt;
  }
  // What the clock showed; nothing: it was not read then.
  std::optional<std::int64_t> next_time() {
    const std::size_t question = asked_++;
    if (question < answers_.size() && answers_[question].is_time) return answers_[question].time_ns;
    same_ = false;
    return std::nullopt;
  }
  // Whether exactly the recorded questions were asked.
  bool same_questions() const { return same_ && asked_ == answers_.size(); }

 private:
  std::span<const DataChoice> answers_;
  std::size_t asked_ = 0;
  bool same_ = true;
};

class Script {
 public:
  static constexpr std::size_t nowhere = ~std::size_t{0};

  Script() = default;
  explicit Script(std::vector<Decision> decisions) : decisions_(std::move(decisions)) {}
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;
  Script(Script&&) noexcept = default;
  Script& operator=(Script&&) noexcept = default;
  ~Script() = default;

  std::size_t size() const { return decisions_.size(); }
  const Decision& operator[](std::size_t place) const { return decisions_[place]; }

  // Which of `count` alternatives is the decision at `place`; `nowhere`: none of them. event_at(i) gives the Event.
  template <class EventAt>
  std::size_t find(std::size_t place, std::size_t count, const EventAt& event_at) const {
    GAINSAY_CHECK(place < decisions_.size(), "a place of the script");
    for (std::size_t i = 0; i < count; ++i) {
      if (decisions_[place].is(event_at(i))) return i;
    }
    return nowhere;
  }
  std::size_t find(std::size_t place, const ChoicePoint& point) const {
    return find(place, point.size(), [&](std::size_t i) { return point.event(i); });
  }
  // The first place, `from` or later, whose decision is this event; `nowhere`: there is none.
  std::size_t place_of(const Event& event, std::size_t from = 0);

  // The decision at `place` is executed now; `nowhere`: something that is not in the script.
  void execute(std::size_t place);
  // The recorded answer to the next question of what is executed now.
  std::optional<std::uint32_t> answer(std::size_t among) { return answers_.next(among); }
  std::optional<std::int64_t> time() { return answers_.next_time(); }

 private:
  std::vector<Decision> decisions_;
  std::vector<std::uint32_t> by_id_;  // places, by id, kind and place; made when first asked for
  RecordedAnswers answers_;           // of what is executed now
};

}  // namespace gainsay
