#include "gainsay/execution/run/follow_document.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gainsay/base/check.hpp"
#include "gainsay/strategy/follow/script.hpp"

namespace gainsay {
namespace {

// "Put{key: 3}" -> "Put".
std::string_view type_of(std::string_view message) { return message.substr(0, message.find_first_of("{(")); }

// Goes through the steps of a document, and then, where it is told to, takes what has waited longest.
class DocumentStrategy final : public Strategy {
 public:
  DocumentStrategy(const TraceDocument& document, const Execution& execution, bool goes_on)
      : document_(document), execution_(execution), goes_on_(goes_on) {}

  std::optional<Keep> begin(const RunInfo&) override { return Keep{}; }

  std::size_t choose(const ChoicePoint& point) override {
    if (point.is_value()) return answer(point);
    if (point.step() >= document_.steps.size()) return go_on(point);
    const DocumentStep& step = document_.steps[point.step()];
    answers_ = RecordedAnswers(step.choices);
    std::size_t best = Script::nowhere;
    unsigned best_score = 0;
    for (std::size_t i = 0; i < point.size(); ++i) {
      const unsigned score = likeness(step, point.event(i));
      if (score <= best_score) continue;
      best = i;
      best_score = score;
    }
    if (best == Script::nowhere) fail(point, fmt::format("'{}' is not possible here", describe(step)));
    note_change(point.step(), step, point.event(best));
    return best;
  }

  std::size_t changed_steps = 0;
  std::string first_change;
  std::string divergence;

 private:
  std::size_t answer(const ChoicePoint& point) {
    if (point.step() >= document_.steps.size()) return 0;
    const std::optional<std::uint32_t> recorded = answers_.next(point.size());
    if (recorded) return *recorded;
    divergence = fmt::format("the handler of '{}' makes different choices than the recorded one",
                             describe(document_.steps[point.step()]));
    throw Divergence{point.step()};
  }

  // Ordinary events before faults, the oldest first: no fault is needed to come to an end.
  std::size_t go_on(const ChoicePoint& point) {
    if (goes_on_) {
      for (std::size_t i = 0; i < point.size(); ++i) {
        if (is_ordinary(point.kind(i))) return i;
      }
    }
    if (point.may_stop()) return point.size() - 1;
    fail(point, "the recorded execution ends here, but this one continues");
  }

  // 0: it is another event.
  unsigned likeness(const DocumentStep& step, const Event& event) const {
    if (scheduled_as(event.kind) != scheduled_as(step.kind)) return 0;
    if (!is_ordinary(event.kind))
      return event.id == step.id ? 8 : same_actor(step.to, event.receiver) ? 1 : 0;
    if (!same_actor(step.to, event.receiver)) return 0;
    if (!step.from.empty() && !same_actor(step.from, event.sender)) return 0;
    const std::string message = message_of(event, execution_);
    if (type_of(message) != type_of(step.message)) return 0;
    return 1U + (message == step.message ? 4U : 0U) + (event.parent == step.parent ? 2U : 0U) +
           (event.id == step.id ? 1U : 0U);
  }
  bool same_actor(const std::string& name, ActorId actor) const {
    return actor == nobody ? name.empty() : execution_.name(actor) == name;
  }

  void note_change(std::size_t index, const DocumentStep& step, const Event& event) {
    if (!is_ordinary(event.kind)) return;
    const std::string message = message_of(event, execution_);
    if (message == step.message) return;
    if (changed_steps++ == 0)
      first_change =
          fmt::format("step {} is '{}' in the trace and '{}' now", index + 1, step.message, message);
  }

  [[noreturn]] void fail(const ChoicePoint& point, const std::string& why) {
    std::vector<std::string> possible;
    for (std::size_t i = 0; i < point.size(); ++i) possible.push_back(describe(point.event(i), execution_));
    divergence = why;
    if (!possible.empty()) divergence += fmt::format(" (possible: {})", fmt::join(possible, "; "));
    throw Divergence{point.step()};
  }

  const TraceDocument& document_;
  const Execution& execution_;
  bool goes_on_;
  RecordedAnswers answers_;
};

FollowedDocument follow(const Blueprint& blueprint, const TraceDocument& recorded, std::size_t bound,
                        bool goes_on) {
  Execution execution(blueprint, replay_options(std::max<std::size_t>(bound, 1), recorded.violation));
  DocumentStrategy strategy(recorded, execution, goes_on);
  FollowedDocument followed;
  followed.replay = write_down(execution, strategy);
  followed.replay.divergence = strategy.divergence;
  followed.changed_steps = strategy.changed_steps;
  followed.first_change = strategy.first_change;
  const std::size_t made = followed.replay.document.steps.size();
  followed.further_steps = made > recorded.steps.size() ? made - recorded.steps.size() : 0;
  return followed;
}

}  // namespace

FollowedDocument follow_document(const Blueprint& blueprint, const TraceDocument& recorded,
                                 std::size_t steps_max) {
  const Shows shows = recorded.violation ? shows_where(blueprint, *recorded.violation) : Shows::in_a_step;
  const bool goes_on = shows == Shows::at_the_end || shows == Shows::in_a_prefix;
  const std::size_t further = std::max(steps_max, recorded.steps.size());
  if (shows == Shows::in_a_prefix) {
    FollowedDocument followed = follow(blueprint, recorded, recorded.steps.size(), false);
    if (followed.replay.diverged_at || followed.replay.outcome.violation) return followed;
  }
  return follow(blueprint, recorded, goes_on ? further : recorded.steps.size(), goes_on);
}

}  // namespace gainsay
