#include "tools/steer_session.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/text.hpp"
#include "gainsay/execution/run/document.hpp"
#include "gainsay/execution/run/visibility.hpp"
#include "gainsay/strategy/catalogue.hpp"
#include "gainsay/strategy/follow/script.hpp"
#include "tools/onlooker.hpp"
#include "tools/trace_sight.hpp"

namespace gainsay::tools {
namespace {

constexpr std::size_t scouts_max = 4;

// Follows the list, then another strategy for some steps, then ends.
class Steersman final : public Strategy {
 public:
  Steersman(std::vector<Decision> decisions, Strategy* further, std::size_t further_steps)
      : script_(std::move(decisions)), further_(further), last_(script_.size() + further_steps) {}

  std::optional<Keep> begin(const RunInfo&) override { return Keep{}; }

  std::size_t choose(const ChoicePoint& point) override {
    if (point.is_value()) return answer(point);
    free_ = point.step() >= script_.size();
    if (free_) {
      script_.execute(Script::nowhere);
      if (further_ == nullptr || point.step() >= last_) return cut_run;
      return further_->choose(point);
    }
    script_.execute(point.step());
    const std::size_t index = script_.find(point.step(), point);
    // A stop is no step; what cannot be followed ends the list, and the person sees where.
    return index == Script::nowhere ? cut_run : index;
  }
  // A clock that a person's step reads shows the earliest time there is.
  std::optional<std::int64_t> recorded_time(std::size_t, std::int64_t earliest_ns,
                                            std::int64_t latest_ns) override {
    if (free_) return std::nullopt;
    return std::clamp(script_.time().value_or(earliest_ns), earliest_ns, latest_ns);
  }
  bool fair() const override { return false; }

 private:
  std::size_t answer(const ChoicePoint& point) {
    if (free_) return further_->choose(point);
    const std::optional<std::uint32_t> known = script_.answer(point.size());
    return known && *known < point.size() ? *known : 0;
  }

  Script script_;
  Strategy* further_;
  std::size_t last_;
  bool free_ = false;
};

}  // namespace

SteerSession::SteerSession(const Scenario& scenario, const OptionTexts& options, std::size_t steps_max)
    : blueprint_(scenario.build(options)), steps_max_(steps_max) {
  header_.scenario = scenario.name();
  header_.options = scenario.complete(options);
  header_.strategy = "steer";
  header_.steps_max = steps_max;
  execute(nullptr, 0);
}

void SteerSession::execute(Strategy* further, std::size_t further_steps) {
  GAINSAY_CHECK(length_ <= decisions_.size(), "what is executed is at hand");
  Execution execution(blueprint_, replay_options(steps_max_, std::nullopt));
  Steersman steersman({decisions_.begin(), decisions_.begin() + static_cast<std::ptrdiff_t>(length_)},
                      further, further_steps);
  TraceSight sight;
  Onlooker onlooker(execution, steersman, sight);
  Replay replay = write_down(execution, onlooker);
  onlooker.finish();
  const bool cut = replay.outcome.ending == Ending::step_bound && !replay.outcome.violation;
  ended_ = !cut || replay.document.steps.size() >= steps_max_;
  possible_.clear();
  if (!ended_) possible_ = onlooker.possible_now();
  find_judged(blueprint_, replay.document, sight);
  replay.document.set_header(header_);
  // Answers that handlers asked for, and steps that a strategy took, are part of the list from now on.
  std::vector<Decision> done = execution.trace().decisions();
  const bool same = done.size() == length_;
  for (std::size_t i = 0; i < std::min(done.size(), decisions_.size()); ++i)
    decisions_[i].answers = done[i].answers;
  if (!same) decisions_ = std::move(done);
  length_ = replay.document.steps.size();
  shown_ = {std::move(replay.document), "", std::move(sight), {}};
}

void SteerSession::cut_here() { decisions_.resize(length_); }

void SteerSession::follow(const TraceDocument& document, std::size_t steps) {
  decisions_ = decisions_of(document, blueprint_);
  length_ = decisions_.size();
  execute(nullptr, 0);
  if (length_ < document.steps.size())
    throw UserError(fmt::format("step {} of the trace is not possible in this program: {}", length_ + 1,
                                describe(document.steps[length_])));
  jump(std::min(steps, length_));
}

void SteerSession::walk(const std::vector<DescribedEvent>& path) {
  for (const DescribedEvent& event : path) {
    const auto found = std::find_if(possible_.begin(), possible_.end(), [&](const TraceSight::Offer& each) {
      return each.kind == event.kind && each.to == event.to && each.message == event.message &&
             (each.from == event.from || event.from.empty());
    });
    if (found == possible_.end())
      throw UserError(fmt::format("'{} {}' at {} is not possible after {}", kind_name(event.kind),
                                  event.message, event.to, counted(length_, "step")));
    take(static_cast<std::size_t>(found - possible_.begin()));
    for (std::size_t q = 0; q < event.answers.size(); ++q) answer(length_ - 1, q, event.answers[q].answer);
  }
}

void SteerSession::take(std::size_t index) {
  if (ended_) throw UserError("the execution has ended; undo a step or jump back");
  if (index >= possible_.size())
    throw UserError(fmt::format("no event {}; there are {}", index + 1, possible_.size()));
  const TraceSight::Offer& offer = possible_[index];
  cut_here();
  Decision decision;
  decision.kind = offer.kind;
  decision.id = offer.id;
  decisions_.push_back(decision);
  if (offer.kind == EventKind::stop) {  // an ending, not a step: judged, and off the list again
    length_ = decisions_.size();
    execute(nullptr, 0);
    return;
  }
  ++length_;
  const std::size_t wanted = length_;
  execute(nullptr, 0);
  GAINSAY_CHECK(length_ == wanted || ended_, "what was offered can be taken");
}

void SteerSession::take(const std::string& id, const std::string& kind) {
  for (std::size_t i = 0; i < possible_.size(); ++i) {
    if (fmt::format("{:016x}", possible_[i].id.raw) == id && kind_name(possible_[i].kind) == kind)
      return take(i);
  }
  throw UserError("this event is not possible here");
}

void SteerSession::answer(std::size_t step, std::size_t question, std::uint32_t value) {
  if (step >= length_ || question >= decisions_[step].answers.size())
    throw UserError("there is no such question");
  DataChoice& choice = decisions_[step].answers[question];
  if (choice.is_time) throw UserError("this is a clock reading; it cannot be changed");
  if (value >= choice.among) throw UserError(fmt::format("expected an answer below {}", choice.among));
  // Other answers may lead to other questions.
  decisions_[step].answers.resize(question + 1);
  decisions_[step].answers[question].answer = value;
  length_ = step + 1;
  cut_here();
  execute(nullptr, 0);
}

void SteerSession::jump(std::size_t steps) {
  if (steps > decisions_.size())
    throw UserError(fmt::format("there are only {}", counted(decisions_.size(), "step")));
  length_ = steps;
  execute(nullptr, 0);
}

void SteerSession::undo() {
  if (length_ == 0) throw UserError("there is no step to undo");
  jump(length_ - 1);
}

std::vector<std::string> SteerSession::strategies() {
  return {"random", "pos", "pct", "pctcp", "surw", "qlearning"};
}

void SteerSession::go_on(const std::string& strategy, std::uint64_t seed, std::size_t steps) {
  const std::vector<std::string> known = strategies();
  if (std::find(known.begin(), known.end(), strategy) == known.end())
    throw UserError(
        fmt::format("'{}' cannot continue from the middle of an execution, because it plans whole executions "
                    "(these can: {})",
                    strategy, fmt::join(known, ", ")));
  if (ended_) throw UserError("the execution has ended; undo a step or jump back");
  cut_here();
  const std::unique_ptr<Strategy> further = find_strategy(strategy).make({});
  RunInfo info;
  info.seed = seed;
  info.steps_max = steps_max_;
  info.world = traits_of(blueprint_);
  scout_from_here(*further, info);
  further->begin(info);
  execute(further.get(), std::min(steps, steps_max_));
}

// To a walk the execution begins here: what is pending are its roots. How much follows, and from what, it learns from
// scouts that go on from here, as it would in a campaign.
void SteerSession::scout_from_here(Strategy& walk, RunInfo info) {
  info.scout = true;
  for (std::size_t i = 0; walk.needs().scout && walk.learner() != nullptr && i < scouts_max; ++i) {
    info.index = i;
    walk.begin(info);
    Execution execution(blueprint_, replay_options(steps_max_, std::nullopt));
    Steersman steersman(decisions_, &walk, steps_max_);
    const RunOutcome outcome = execution.run(steersman, Keep{});
    GAINSAY_CHECK(outcome.steps >= length_ || outcome.violation,
                  "what was executed before is executed again");
    walk.end({outcome.ending, outcome.steps - std::min<std::size_t>(outcome.steps, length_), false});
    walk.learner()->learn(*walk.learner()->take_lessons());
  }
}

TraceDocument SteerSession::document() const {
  TraceDocument document = shown_.document;
  // An execution that could go on ends at its bound, so that a replay ends there as well.
  if (!ended_) document.steps_max = std::max<std::uint64_t>(1, document.steps.size());
  return document;
}

}  // namespace gainsay::tools
