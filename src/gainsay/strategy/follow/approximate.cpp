#include "gainsay/strategy/follow/approximate.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

std::vector<Decision> decisions_of(const std::vector<Step>& steps) {
  std::vector<Decision> decisions;
  decisions.reserve(steps.size());
  for (const Step& step : steps) decisions.push_back(decision_of(step.event, step.choices));
  return decisions;
}

}  // namespace

ApproximateStrategy::ApproximateStrategy(const std::vector<Step>& steps, Manner manner)
    : script_(decisions_of(steps)), manner_(std::move(manner)) {
  GAINSAY_CHECK(manner_.stand_ins || !manner_.role, "who plays another one's role stands in");
  if (!manner_.stand_ins) return;
  wanted_.reserve(steps.size());
  for (const Step& step : steps) {
    Event event = step.event;
    if (manner_.role && event.receiver != nobody) event.receiver = manner_.role(event.receiver);
    if (manner_.role && event.sender != nobody) event.sender = manner_.role(event.sender);
    wanted_.push_back(event);
  }
}

std::optional<Keep> ApproximateStrategy::begin(const RunInfo&) {
  next_ = 0;
  skipped_ = 0;
  script_.execute(Script::nowhere);
  return Keep{};
}

std::size_t ApproximateStrategy::choose(const ChoicePoint& point) {
  return point.is_value() ? script_.answer(point.size()).value_or(0) : choose_event(point);
}

// Where the next decision is among the alternatives; `nowhere`: it is not, and `possible_` has their events. No two of
// them have one id, so any order will do: what comes next was most often created last, and faults take long to list.
std::size_t ApproximateStrategy::find_next(const ChoicePoint& point) {
  const Decision& next = script_[next_];
  possible_.resize(point.size());
  const auto among = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = end; i-- > begin;) {
      possible_[i] = point.event(i);
      if (next.is(possible_[i])) return i;
    }
    return Script::nowhere;
  };
  const std::size_t ordinary = point.ordinary();
  if (!is_ordinary(next.kind)) {
    const std::size_t fault = among(ordinary, point.size());
    return fault != Script::nowhere ? fault : among(0, ordinary);
  }
  const std::size_t found = among(0, ordinary);
  return found != Script::nowhere ? found : among(ordinary, point.size());
}

// The first decision that is possible here. Most often it is the next one; then no other need be looked up.
ApproximateStrategy::Found ApproximateStrategy::find_exact(const ChoicePoint& point) {
  if (const std::size_t index = find_next(point); index != Script::nowhere) return {next_, index};
  Found found;
  for (std::size_t i = 0; i < possible_.size(); ++i) {
    const std::size_t place = script_.place_of(possible_[i], next_ + 1);
    if (place < found.place) found = {place, i};
  }
  return found;
}

bool ApproximateStrategy::is_alike(const Event& wanted, const Event& event) const {
  return scheduled_as(wanted.kind) == scheduled_as(event.kind) && wanted.receiver == event.receiver &&
         wanted.sender == event.sender && wanted.type == event.type;
}

// The same, where an event may also stand in for a decision that is not possible. Decisions that are passed are not
// looked at again, so a run costs a look at every decision and at every step.
ApproximateStrategy::Found ApproximateStrategy::find_alike(const ChoicePoint& point) {
  if (manner_.role) {
    possible_.clear();
    for (std::size_t i = 0; i < point.size(); ++i) possible_.push_back(point.event(i));
  } else if (const std::size_t index = find_next(point); index != Script::nowhere) {
    return {next_, index};
  }
  for (std::size_t place = next_; place < script_.size(); ++place) {
    std::size_t stand_in = Script::nowhere;
    for (std::size_t i = 0; i < possible_.size(); ++i) {
      if (!manner_.role && script_[place].is(possible_[i])) return {place, i};
      if (stand_in != Script::nowhere || !is_alike(wanted_[place], possible_[i])) continue;
      if (manner_.role || script_.place_of(possible_[i], place + 1) == Script::nowhere) stand_in = i;
    }
    if (stand_in != Script::nowhere) return {place, stand_in};
  }
  return {};
}

// The nearest time that is possible here.
std::optional<std::int64_t> ApproximateStrategy::recorded_time(std::size_t, std::int64_t earliest_ns,
                                                               std::int64_t latest_ns) {
  return std::clamp(script_.time().value_or(earliest_ns), earliest_ns, latest_ns);
}

std::size_t ApproximateStrategy::choose_event(const ChoicePoint& point) {
  GAINSAY_CHECK(point.size() > 0 && next_ <= script_.size(), "there is something to choose");
  if (point.step() >= manner_.steps_most) return cut_run;
  Found found;
  if (next_ < script_.size()) found = manner_.stand_ins ? find_alike(point) : find_exact(point);
  script_.execute(found.place);
  skipped_ += std::min(found.place, script_.size()) - next_;
  if (found.place == Script::nowhere) {
    next_ = script_.size();
    if (point.may_stop()) return point.size() - 1;
    return manner_.at_end == AtEnd::cut ? cut_run : 0;
  }
  next_ = found.place + 1;
  return found.index;
}

}  // namespace gainsay
