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
  ranks_.clear();
  ranked_.clear();
  news_.clear();
  met_ = 0;
  steps_ = 0;
  crowded_ = false;
  has_tasks_ = false;
  return Keep{};
}

// An actor gets its priority when it is first met, and so does a task.
std::uint32_t PctStrategy::number(ActorId actor) {
  const std::uint32_t number = numbers_.of(actor);
  if (number == priorities_.size()) {
    if (actor.raw < 64) met_ |= std::uint64_t{1} << actor.raw;
    priorities_.push_back(campaign_.rng().next() | (std::uint64_t{1} << 63U));
    rank(actor, priorities_.back());
  }
  GAINSAY_CHECK(number < priorities_.size(), "actors are numbered in the order of their first event");
  return number;
}

void PctStrategy::rank(ActorId actor, std::uint64_t priority) {
  std::size_t place = ranks_.size();
  ranks_.push_back(actor);
  ranked_.push_back(priority);
  for (; place > 0 && ranked_[place - 1] < priority; --place) {
    ranks_[place] = ranks_[place - 1];
    ranked_[place] = ranked_[place - 1];
  }
  ranks_[place] = actor;
  ranked_[place] = priority;
}

// Meets the actors and tasks of new events.
void PctStrategy::look(const ChoicePoint& point) {
  const EventSource& source = point.source();
  if (!has_tasks_) {
    const std::vector<EventSource::Owner>& owners = news_.look(point, met_);
    for (std::size_t i = 0; i < owners.size() && !has_tasks_; ++i) {
      if (owners[i].task == owners[i].receiver) {
        number(owners[i].receiver);
      } else {
        list_tasks(source, source.pending_count() - owners.size() + i);
      }
    }
  }
  if (has_tasks_)
    tasks_.update(source, [&](std::size_t position) { return number(source.pending_task(position)); });
}

// The event at `from` is the first that belongs to a task.
void PctStrategy::list_tasks(const EventSource& source, std::size_t from) {
  has_tasks_ = true;
  tasks_.clear();
  tasks_.update(source, [&](std::size_t position) {
    return number(position < from ? source.pending_receiver(position) : source.pending_task(position));
  });
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
  look(point);
  if (const std::size_t fault = roll_fault(point, options_.faults, campaign_.rng()); fault != no_fault)
    return fault;
  GAINSAY_CHECK(point.ordinary() > 0, "something is possible");
  return has_tasks_ ? choose_of_tasks(point) : choose_of_actors(point);
}

// Which of `count` events of the chosen actor.
std::size_t PctStrategy::draw(std::size_t count) {
  GAINSAY_CHECK(count > 0, "the chosen actor can do something");
  crowded_ = crowded_ || count > 1;
  return count == 1 ? 0 : static_cast<std::size_t>(campaign_.rng().below(count));
}

std::size_t PctStrategy::choose_of_actors(const ChoicePoint& point) {
  const EventSource& source = point.source();
  EventSource::Able highest = source.first_able(ranks_, point.ordinary());
  GAINSAY_CHECK(highest.which < ranks_.size(), "who can do something was met");
  if (const std::uint64_t priority = campaign_.points().priority_at(++steps_)) {
    const ActorId falls = ranks_[highest.which];
    ranks_.erase(ranks_.begin() + static_cast<std::ptrdiff_t>(highest.which));
    ranked_.erase(ranked_.begin() + static_cast<std::ptrdiff_t>(highest.which));
    priorities_[numbers_.of(falls)] = priority;
    rank(falls, priority);
    highest = source.first_able(ranks_, point.ordinary());
  }
  const std::size_t nth = draw(highest.events);
  const std::size_t index = source.nth_of(ranks_[highest.which], nth, point.ordinary());
  GAINSAY_CHECK(index < point.ordinary(), "the chosen event is possible");
  return index;
}

PctStrategy::Highest PctStrategy::highest_task() {
  Highest highest;
  std::uint64_t most = 0;
  possible_.each([&](std::size_t position) {
    const std::uint32_t number = tasks_[position];
    if (priorities_[number] > most) highest = {number, 0};
    most = std::max(most, priorities_[number]);
    highest.events += number == highest.number ? 1 : 0;
  });
  return highest;
}

std::size_t PctStrategy::choose_of_tasks(const ChoicePoint& point) {
  possible_.look(point, tasks_.size());
  Highest highest = highest_task();
  if (const std::uint64_t priority = campaign_.points().priority_at(++steps_)) {
    priorities_[highest.number] = priority;
    highest = highest_task();
  }
  std::size_t left = draw(highest.events);
  std::size_t chosen = Possible::no_index;
  possible_.each([&](std::size_t position) {
    if (tasks_[position] == highest.number && left-- == 0) chosen = position;
  });
  const std::size_t index = possible_.index_of(chosen);
  GAINSAY_CHECK(index < point.ordinary(), "the chosen event is possible");
  tasks_.take(chosen);
  return index;
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
