#include "gainsay/explorer/commutation.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/budget.hpp"
#include "gainsay/base/print.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/execution/run/document.hpp"
#include "gainsay/execution/run/order_recorder.hpp"

namespace gainsay {
namespace {

// Random answers; the same seed gives the same ones again.
class RandomAnswers final : public Asker {
 public:
  explicit RandomAnswers(std::uint64_t seed) : rng_(seed) {}
  const std::vector<DataChoice>& answers() const { return answers_; }

 private:
  std::uint32_t answer_to(std::uint32_t among, bool coin) override {
    const auto answer = static_cast<std::uint32_t>(rng_.below(among));
    answers_.push_back({answer, among, coin});
    return answer;
  }

  Rng rng_;
  std::vector<DataChoice> answers_;
};

// One event as it was executed in one of the orders.
struct Done {
  bool possible = false;
  std::vector<DataChoice> answers;
  std::vector<std::string> effects;
};

class Sampler {
 public:
  Sampler(const Blueprint& blueprint, const ClaimedIndependent& independent,
          const CommutationOptions& options)
      : blueprint_(blueprint),
        independent_(independent),
        options_(options),
        engine_(blueprint),
        kernel_(engine_.kernel()),
        budget_(Budget(options.time).until(options.stop)) {}

  CommutationResult run() {
    while (result_.walks < options_.walks && !enough()) {
      walk(result_.walks);
      ++result_.walks;
    }
    return std::move(result_);
  }

 private:
  bool enough() {
    if (result_.refutation || result_.sampled >= options_.pairs) return true;
    const StopReason reason = budget_.over();
    result_.interrupted = result_.interrupted || reason == StopReason::interrupted;
    return result_.interrupted || reason != StopReason::none;
  }

  void walk(std::uint64_t index) {
    Rng rng(options_.seed, index);
    WorldState world;
    engine_.stepper.initial(world);
    steps_.clear();
    while (steps_.size() < options_.steps_max && !enough()) {
      Alternatives alternatives;
      engine_.network.enabled(world, alternatives);
      if (alternatives.list.empty()) return;
      sample(world, alternatives, rng);
      if (result_.refutation) return;
      const Alternative chosen = alternatives.list[rng.below(alternatives.list.size())];
      if (chosen.kind == EventKind::stop) return;
      Event event = engine_.event_of(world, chosen);
      RandomAnswers asker(rng.next());
      const StepResult result = engine_.stepper.step(world, chosen, asker);
      steps_.push_back(decision_of(event, asker.answers()));
      if (result.failure != nullptr) return;
    }
  }

  PossibleEvent possible(const WorldState& world, const Alternative& alternative) const {
    PossibleEvent possible;
    possible.event = engine_.event_of(world, alternative);
    const ValueId message = kernel_.envelope(world.pending[alternative.target].envelope).message;
    if (message != 0) {
      possible.type = kernel_.value(message).type;
      possible.message = kernel_.value(message).data;
    }
    return possible;
  }

  // Some of the pairs of this state that are called independent.
  void sample(const WorldState& world, const Alternatives& alternatives, Rng& rng) {
    std::vector<PossibleEvent> events;
    for (std::size_t i = 0; i < alternatives.ordinary; ++i)
      events.push_back(possible(world, alternatives.list[i]));
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0; i < events.size(); ++i) {
      for (std::size_t j = i + 1; j < events.size(); ++j) {
        if (independent_(events[i], events[j])) pairs.emplace_back(i, j);
      }
    }
    if (!pairs.empty()) ++result_.states;
    for (std::uint64_t n = 0; n < options_.pairs_per_state && !pairs.empty() && !enough(); ++n) {
      const std::size_t drawn = rng.below(pairs.size());
      const auto [i, j] = pairs[drawn];
      pairs[drawn] = pairs.back();
      pairs.pop_back();
      try_pair(world, events[i], events[j], rng.next());
    }
  }

  // Executes the pending event with this id, if it is possible.
  Done execute(WorldState& world, EventId id, std::uint64_t answers_seed) {
    Alternatives alternatives;
    engine_.network.enabled(world, alternatives);
    const auto found =
        std::find_if(alternatives.list.begin(),
                     alternatives.list.begin() + static_cast<std::ptrdiff_t>(alternatives.ordinary),
                     [&](const Alternative& each) { return world.pending[each.target].id == id; });
    Done done;
    if (found == alternatives.list.begin() + static_cast<std::ptrdiff_t>(alternatives.ordinary)) return done;
    RandomAnswers asker(mix(answers_seed, id.raw));
    const std::uint32_t step = world.steps;
    const StepResult result = engine_.stepper.step(world, *found, asker);
    done.possible = true;
    done.answers = asker.answers();
    done.effects = effects_of(world, result, step);
    return done;
  }

  std::string name(ActorId actor) const { return kernel_.directory().name_of(actor); }
  std::string text_of(const ValueType& type, const void* data) const {
    return print(type, data, [this](ActorId actor) { return name(actor); });
  }
  std::string text_of(ValueId value) const {
    return value == 0 ? "" : text_of(*kernel_.value(value).type, kernel_.value(value).data);
  }

  // What a step did besides changing its actor, in words: two steps did the same if the words are the same.
  std::vector<std::string> effects_of(const WorldState& world, const StepResult& result,
                                      std::uint32_t step) const {
    std::vector<std::string> effects;
    for (const Pending& pending : world.pending) {
      if (pending.parent != step) continue;
      const Envelope& envelope = kernel_.envelope(pending.envelope);
      effects.push_back(fmt::format("{} {} to {}",
                                    envelope.kind == EventKind::deliver ? "sends" : kind_name(envelope.kind),
                                    text_of(envelope.message), name(envelope.receiver)));
    }
    if (result.extras == nullptr) return effects;
    for (const TimerOp& op : result.extras->timers) {
      if (op.cancelled != nullptr) effects.push_back(fmt::format("cancels timers of {}", op.cancelled->name));
    }
    for (const ValueId reply : result.extras->outside_replies())
      effects.push_back(fmt::format("replies {} to the outside", text_of(reply)));
    for (const EnvelopeId told : result.extras->notifications)
      effects.push_back(fmt::format("tells {} {}", name(kernel_.envelope(told).receiver),
                                    text_of(kernel_.envelope(told).message)));
    for (const HistoryOp& op : result.extras->history)
      effects.push_back(fmt::format("{} operation {} {} of {}", op.invocation ? "begins" : "ends", op.number,
                                    text_of(op.value), name(op.client)));
    for (const std::string& note : result.extras->notes()) effects.push_back(fmt::format("notes {}", note));
    if (result.failure != nullptr)
      effects.push_back(fmt::format("violates {}: {}", result.failure->property, result.failure->message));
    return effects;
  }

  void try_pair(const WorldState& world, const PossibleEvent& a, const PossibleEvent& b,
                std::uint64_t answers_seed) {
    ++result_.sampled;
    WorldState ab = world;
    const Done a_first = execute(ab, a.event.id, answers_seed);
    const Done b_second = execute(ab, b.event.id, answers_seed);
    WorldState ba = world;
    const Done b_first = execute(ba, b.event.id, answers_seed);
    const Done a_second = execute(ba, a.event.id, answers_seed);
    GAINSAY_CHECK(a_first.possible && b_first.possible, "both were enabled");
    std::string why = difference(a, a_first, a_second, b);
    if (why.empty()) why = difference(b, b_first, b_second, a);
    if (why.empty() && engine_.hash.of(ab) != engine_.hash.of(ba)) why = difference(ab, ba);
    if (why.empty()) return;
    Refutation refutation;
    refutation.first = text_of(a);
    refutation.second = text_of(b);
    refutation.receiver = name(a.event.receiver);
    refutation.why = std::move(why);
    refutation.steps = steps_;
    refutation.steps.push_back(decision_of(a.event, a_first.answers));
    if (b_second.possible) refutation.steps.push_back(decision_of(b.event, b_second.answers));
    refutation.document = replay_steps(blueprint_, refutation.steps, refutation.steps.size()).document;
    result_.refutation = std::move(refutation);
  }

  std::string text_of(const PossibleEvent& possible) const {
    const std::string what = possible.type == nullptr ? std::string(kind_name(possible.event.kind))
                                                      : text_of(*possible.type, possible.message);
    if (possible.event.kind == EventKind::deliver)
      return fmt::format("{} from {} to {}", what, name(possible.event.sender),
                         name(possible.event.receiver));
    return fmt::format("{} of {}", what, name(possible.event.receiver));
  }

  // How an event that comes second differs from itself when it comes first; empty: not at all.
  std::string difference(const PossibleEvent& event, const Done& first, const Done& second,
                         const PossibleEvent& other) const {
    if (!second.possible)
      return fmt::format("{} is no longer possible after {}", text_of(event), text_of(other));
    if (!(first.answers == second.answers))
      return fmt::format("{} makes different choices after {}", text_of(event), text_of(other));
    if (first.effects == second.effects) return "";
    return fmt::format("{} has these effects if it comes first: {}; and these after {}: {}", text_of(event),
                       list(first.effects), text_of(other), list(second.effects));
  }

  static std::string list(const std::vector<std::string>& effects) {
    return effects.empty() ? "nothing" : fmt::format("{}", fmt::join(effects, ", "));
  }

  // The first thing that is different in two worlds.
  std::string difference(const WorldState& ab, const WorldState& ba) const {
    const std::size_t slots = std::min(ab.cells.size(), ba.cells.size());
    for (Slot slot = 0; slot < slots; ++slot) {
      if (ab.cells[slot] == ba.cells[slot] || ab.cells[slot] == 0 || ba.cells[slot] == 0) continue;
      const Cell& left = kernel_.cell(ab.cells[slot]);
      const Cell& right = kernel_.cell(ba.cells[slot]);
      return fmt::format("{} is {} after this order and {} after the other",
                         kernel_.directory().name_of(slot), text_of(left.value), text_of(right.value));
    }
    return "the two orders leave different events pending, or in a different order";
  }

  const Blueprint& blueprint_;
  const ClaimedIndependent& independent_;
  const CommutationOptions& options_;
  mutable Engine engine_;
  Kernel& kernel_;
  Budget budget_;
  CommutationResult result_;
  std::vector<Decision> steps_;  // of the walk so far
};

}  // namespace

ClaimedIndependent independent_by_keys(const Blueprint& blueprint, bool unlisted_is_free) {
  return [&blueprint, unlisted_is_free](const PossibleEvent& a, const PossibleEvent& b) {
    if (a.event.kind != EventKind::deliver || b.event.kind != EventKind::deliver) return false;
    if (a.event.receiver != b.event.receiver) return false;
    return !keys_meet(blueprint.key_of(a.type, a.message), blueprint.key_of(b.type, b.message),
                      unlisted_is_free);
  };
}

CommutationResult check_commutations(const Blueprint& blueprint, const ClaimedIndependent& independent,
                                     const CommutationOptions& options) {
  if (blueprint.has_opaque()) {
    throw UserError(
        fmt::format("scenario '{}' has opaque actors (world.wrap): their states cannot be copied, so two "
                    "orders cannot be compared",
                    blueprint.scenario));
  }
  return Sampler(blueprint, independent, options).run();
}

}  // namespace gainsay
