#include "gainsay/strategy/walks/pct.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"
#include "gainsay/strategy/walks/faults.hpp"

namespace gainsay {

StrategyInfo pct_strategy() {
  return StrategyInfo::of<PctOptions>(
      "pct", "random priorities of actors and their tasks, d - 1 change points; bound under mailbox order",
      StrategyKind::random, [](const PctOptions& options) { return std::make_unique<PctStrategy>(options); });
}

std::optional<Keep> PctStrategy::begin(const RunInfo& run) {
  campaign_.begin(run);
  asked_ = stop_drawn_ = false;
  fault_points_ = 0;
  numbers_.clear();
  priorities_.clear();
  few_.clear();
  is_many_ = false;
  steps_ = 0;
  crowded_ = false;
  has_tasks_ = false;
  return Keep{};
}

// An actor gets its priority when it is first met.
std::uint32_t PctStrategy::number(ActorId actor) {
  const std::uint32_t number = numbers_.of(actor);
  if (number == priorities_.size()) priorities_.push_back(campaign_.rng().next() | (std::uint64_t{1} << 63U));
  GAINSAY_CHECK(number < priorities_.size(), "actors are numbered in the order of their first event");
  return number;
}

std::uint32_t PctStrategy::number_at(const EventSource& source, std::size_t position) {
  const ActorId task = source.pending_task(position);
  has_tasks_ = has_tasks_ || task != source.pending_receiver(position);
  return number(task);
}

std::size_t PctStrategy::choose(const ChoicePoint& point) {
  if (point.is_value()) {
    asked_ = true;
    return campaign_.rng().below(point.size());
  }
  if (point.ordinary() < point.size() && campaign_.world().faulty) {
    fault_points_ += point.ordinary() > 0 ? 1 : 0;
    stop_drawn_ = stop_drawn_ || (point.ordinary() == 0 && point.size() > 1);
  }
  return is_many_ ? choose_of_many(point) : choose_of_few(point);
}

// Which of `count` events of the chosen actor.
std::size_t PctStrategy::draw(std::size_t count) {
  GAINSAY_CHECK(count > 0, "the chosen actor can do something");
  crowded_ = crowded_ || count > 1;
  return count == 1 ? 0 : static_cast<std::size_t>(campaign_.rng().below(count));
}

std::uint32_t PctStrategy::highest_of_few() {
  std::uint32_t best = Many::no_actor;
  std::uint64_t most = 0;
  possible_.each([&](std::size_t position) {
    const std::uint32_t actor = few_[position];
    best = priorities_[actor] > most ? actor : best;  // without branches that nobody could predict
    most = std::max(most, priorities_[actor]);
  });
  GAINSAY_CHECK(best != Many::no_actor, "something is possible");
  return best;
}

std::size_t PctStrategy::choose_of_few(const ChoicePoint& point) {
  const EventSource& source = point.source();
  few_.update(source, [&](std::size_t position) { return number_at(source, position); });
  if (few_.size() > few_max && !has_tasks_) {
    list_actors(source);
    return choose_of_many(point);
  }
  if (const std::size_t fault = roll_fault(point, options_.faults, campaign_.rng()); fault != no_fault)
    return fault;
  possible_.look(point, few_.size());
  std::uint32_t actor = highest_of_few();
  if (const std::uint64_t priority = campaign_.points().priority_at(++steps_)) {
    priorities_[actor] = priority;
    actor = highest_of_few();
  }
  std::size_t count = 0;
  possible_.each([&](std::size_t position) { count += few_[position] == actor ? 1 : 0; });
  const std::size_t nth = draw(count);
  std::size_t chosen = Possible::no_index;
  std::size_t seen = 0;
  possible_.each([&](std::size_t position) {
    const bool its = few_[position] == actor;
    chosen = its && seen == nth ? position : chosen;
    seen += its ? 1 : 0;
  });
  const std::size_t index = possible_.index_of(chosen);
  GAINSAY_CHECK(index < point.ordinary(), "the chosen event is possible");
  few_.take(chosen);
  return index;
}

// --- many ---

void PctStrategy::list_actors(const EventSource& source) {
  is_many_ = true;
  many_.clear();
  listed_.clear();
  many_.update(source, [&](std::uint32_t actor) {
    if (actor == listed_.size()) listed_.push_back(number(many_.id(actor)));
    return Nothing{};
  });
  GAINSAY_CHECK(many_.size() == few_.size(), "all that is pending is listed");
}

// The highest actor that can do something, by its number in `many_`. Where few events are possible, and it is not
// counted who waits, those are looked at; else the actors are asked from the highest down, and mostly the first one
// can.
std::uint32_t PctStrategy::highest_of_many(const ChoicePoint& point) {
  std::uint32_t best = Many::no_actor;
  std::uint64_t most = 0;
  const auto consider = [&](std::uint32_t actor, bool can) {
    const std::uint64_t priority = can ? priorities_[listed_[actor]] : 0;
    best = priority > most ? actor : best;
    most = std::max(most, priority);
  };
  if (possible_.all()) {
    for (std::uint32_t actor = 0; actor < many_.actors(); ++actor) consider(actor, !many_.of(actor).empty());
  } else if (point.ordinary() <= many_.actors() && !possible_.is_counted()) {
    possible_.each([&](std::size_t position) { consider(many_.actor_at(position), true); });
  } else {
    hopeless_.assign(many_.actors(), false);
    while (true) {
      best = Many::no_actor;
      most = 0;
      for (std::uint32_t actor = 0; actor < many_.actors(); ++actor)
        consider(actor, !hopeless_[actor] && !many_.of(actor).empty());
      if (best == Many::no_actor || many_.any_possible(best, possible_)) break;
      hopeless_[best] = true;
    }
  }
  GAINSAY_CHECK(best != Many::no_actor, "what is possible is pending");
  return best;
}

std::size_t PctStrategy::choose_of_many(const ChoicePoint& point) {
  many_.update(point.source(), [&](std::uint32_t actor) {
    if (actor == listed_.size()) listed_.push_back(number(many_.id(actor)));
    return Nothing{};
  });
  if (const std::size_t fault = roll_fault(point, options_.faults, campaign_.rng()); fault != no_fault)
    return fault;
  GAINSAY_CHECK(point.ordinary() > 0, "something is possible");
  possible_.look(point, many_.size());
  std::uint32_t actor = highest_of_many(point);
  if (const std::uint64_t priority = campaign_.points().priority_at(++steps_)) {
    priorities_[listed_[actor]] = priority;
    actor = highest_of_many(point);
  }
  const std::size_t nth = draw(many_.count_possible(actor, possible_));
  const std::size_t position = many_.nth_possible(actor, nth, possible_);
  many_.take(position);
  return possible_.index_of(position);
}

void PctStrategy::end(const RunEnd& end) {
  campaign_.end(end, {.steps = steps_,
                      .chains = priorities_.size(),
                      .crowded = crowded_,
                      .asked = asked_,
                      .tasks = has_tasks_,
                      .fault_rate = campaign_.world().faulty ? options_.faults : 0,
                      .fault_points = fault_points_,
                      .stop_drawn = stop_drawn_});
}

Guarantee PctStrategy::guarantee() const {
  if (!campaign_.learned().mailbox) {
    Guarantee none;
    none.statement =
        "none: messages to one actor may overtake each other, so actors do not behave like PCT's threads "
        "(mailbox order has a bound, and so does pctcp)";
    return none;
  }
  return campaign_.guarantee(campaign_.learned().tasks ? "task" : "actor");
}

}  // namespace gainsay
