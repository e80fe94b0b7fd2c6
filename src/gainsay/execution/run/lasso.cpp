#include "gainsay/execution/run/lasso.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"
#include "gainsay/execution/run/property_heat.hpp"
#include "gainsay/execution/world/engine.hpp"
#include "gainsay/strategy/follow/script.hpp"

namespace gainsay {
namespace {

// Whether some condition was hot and never cold since the world after `from` steps.
bool counts_from(std::span<const HeatSpan> conditions, std::uint32_t from) {
  return std::any_of(conditions.begin(), conditions.end(),
                     [&](const HeatSpan& condition) { return condition.counts_from(from); });
}

}  // namespace

void LassoWatch::clear() {
  worlds_.clear();
  enabled_.clear();
  for (std::uint32_t kind = 0; kind < kinds_.size(); ++kind) visits_[kind].clear();
  kinds_.clear();
  repeats_ = 0;
  work_ = 0;
  starved_since_ = nothing_starves;
}

void LassoWatch::cut(std::uint32_t steps) {
  while (!worlds_.empty() && worlds_.back().steps >= steps) {
    const World& last = worlds_.back();
    std::vector<std::uint32_t>& visits = visits_[last.kind];
    visits.pop_back();
    if (visits.empty()) {
      kinds_.erase(last.fingerprint);
      GAINSAY_CHECK(last.kind == kinds_.size(), "the kind that came last is the first to go");
    } else {
      GAINSAY_CHECK(repeats_ > 0, "a world that was there before is a repetition");
      --repeats_;
    }
    enabled_.resize(last.enabled_begin);
    worlds_.pop_back();
  }
  starved_since_ = nothing_starves;  // it may be executed now
  work_ = 0;
}

std::uint32_t LassoWatch::visits(std::uint32_t most) const {
  GAINSAY_CHECK(!worlds_.empty(), "there is a last world");
  return static_cast<std::uint32_t>(std::min<std::size_t>(most, visits_[worlds_.back().kind].size()));
}

// The worlds of one kind, whose number it gives.
std::vector<std::uint32_t>& LassoWatch::visits_of(std::uint64_t fingerprint, std::uint32_t& kind) {
  kind = kinds_.try_emplace(fingerprint, static_cast<std::uint32_t>(kinds_.size())).first->second;
  if (kind == visits_.size()) visits_.emplace_back();
  return visits_[kind];
}

std::span<const std::uint64_t> LassoWatch::enabled_in(std::size_t index) const {
  const std::size_t end = index + 1 < worlds_.size() ? worlds_[index + 1].enabled_begin : enabled_.size();
  return std::span(enabled_).subspan(worlds_[index].enabled_begin, end - worlds_[index].enabled_begin);
}

std::optional<std::uint32_t> LassoWatch::note(std::uint32_t steps, std::uint64_t fingerprint,
                                              std::span<const std::uint64_t> enabled, std::uint32_t since,
                                              std::span<const HeatSpan> conditions, const StepDone& done) {
  if (!worlds_.empty() && worlds_.back().steps + 1 != steps) clear();
  const auto index = static_cast<std::uint32_t>(worlds_.size());
  World world{fingerprint, steps};
  std::vector<std::uint32_t>& visits = visits_of(fingerprint, world.kind);
  visits.push_back(index);
  world.enabled_begin = enabled_.size();
  worlds_.push_back(world);
  enabled_.insert(enabled_.end(), enabled.begin(), enabled.end());
  follow_starved(done);
  if (visits.size() == 1) return std::nullopt;
  ++repeats_;
  // The shortest loop first; then, where there are many, ever longer ones: to the visits 1, 2, 4, 8 ... before this
  // one, of those from which some condition counts. Scanning is paid for by steps.
  const bool all_count = std::any_of(conditions.begin(), conditions.end(), [&](const HeatSpan& condition) {
    return condition.is_hot() && condition.since <= since;
  });
  std::uint32_t skip = 1;
  std::uint32_t tried = 0;
  for (std::size_t back = 1; back < visits.size(); back += all_count ? back : 1) {
    const std::uint32_t at = visits[visits.size() - 1 - back];
    const std::uint32_t from = steps - (index - at);
    if (from < since) break;
    if (!all_count) {
      if (!counts_from(conditions, from)) continue;
      if (++tried < skip) continue;
      skip *= 2;
    }
    if (work_ > 64 * worlds_.size() + 4096) return std::nullopt;
    work_ += index - at;
    if (fair(at, done) && coins_fall_both_ways(at, done)) return from;
  }
  return std::nullopt;
}

bool LassoWatch::closes(std::uint32_t from, const StepDone& done) {
  if (worlds_.empty() || from < worlds_.front().steps || from >= worlds_.back().steps) return false;
  const std::size_t index = from - worlds_.front().steps;
  return worlds_[index].fingerprint == worlds_.back().fingerprint && fair(index, done) &&
         coins_fall_both_ways(index, done);
}

void LassoWatch::follow_starved(const StepDone& done) {
  if (starved_since_ == nothing_starves) return;
  const auto there = enabled_in(worlds_.size() - 1);
  if (std::find(there.begin(), there.end(), starved_) == there.end() ||
      done(worlds_[worlds_.size() - 2].steps).key == starved_)
    starved_since_ = nothing_starves;
}

bool LassoWatch::fair(std::size_t from, const StepDone& done) {
  const bool weak = fairness_ == FairnessKind::weak;
  if (weak && from >= starved_since_) return false;
  std::vector<std::uint64_t> executed;
  for (std::size_t i = from; i + 1 < worlds_.size(); ++i) executed.push_back(done(worlds_[i].steps).key);
  std::sort(executed.begin(), executed.end());
  return weak ? weakly_fair(from, executed) : strongly_fair(from, executed);
}

bool LassoWatch::weakly_fair(std::size_t from, std::span<const std::uint64_t> executed) {
  const std::size_t end = worlds_.size() - 1;
  for (const std::uint64_t event : enabled_in(from)) {
    if (std::binary_search(executed.begin(), executed.end(), event)) continue;
    bool always = true;
    for (std::size_t i = from + 1; i < end && always; ++i) {
      const auto there = enabled_in(i);
      always = std::find(there.begin(), there.end(), event) != there.end();
    }
    if (!always) continue;
    starved_ = event;
    starved_since_ = from;
    return false;
  }
  return true;
}

bool LassoWatch::strongly_fair(std::size_t from, std::span<const std::uint64_t> executed) const {
  for (std::size_t i = from; i + 1 < worlds_.size(); ++i) {
    for (const std::uint64_t key : enabled_in(i)) {
      if (!std::binary_search(executed.begin(), executed.end(), key)) return false;
    }
  }
  return true;
}

bool LassoWatch::coins_fall_both_ways(std::size_t from, const StepDone& done) const {
  boost::unordered_flat_map<std::uint64_t, unsigned> outcomes;
  for (std::size_t i = from; i + 1 < worlds_.size(); ++i) {
    const Done step = done(worlds_[i].steps);
    std::uint64_t place = mix(worlds_[i].fingerprint, step.event);
    for (const DataChoice& choice : step.answers) {
      if (choice.coin) outcomes[place] |= 1U << choice.answer;
      place = mix(place + 1, choice.answer + 1ULL);
    }
  }
  return std::all_of(outcomes.begin(), outcomes.end(), [](const auto& each) { return each.second == 3U; });
}

std::string loop_text(const std::string& what, std::size_t from, std::size_t to, FairnessKind fairness,
                      bool on_an_abstraction) {
  const char* fair = "include every event that stays enabled";
  if (fairness == FairnessKind::strong) fair = "include every event that is enabled on the way";
  if (fairness == FairnessKind::actor) fair = "every actor that is enabled on the way takes a step";
  return fmt::format("{}: steps {} to {} lead back to the same world{}, and {}", what, from + 1, to,
                     on_an_abstraction ? " (as compared by the scenario's views, an abstraction)" : "", fair);
}

// --- unroll ---

namespace {

// Gives a handler the recorded answers.
class RecordedAsker final : public Asker {
 public:
  explicit RecordedAsker(std::span<const DataChoice> answers) : answers_(answers) {}
  bool same_questions() const { return answers_.same_questions(); }

 private:
  std::uint32_t answer_to(std::uint32_t among, bool) override { return answers_.next(among).value_or(0); }
  std::int64_t time_within(const TimeRange& range) override {
    return answers_.next_time().value_or(range.earliest_ns);
  }

  RecordedAnswers answers_;
};

class Unroller {
 public:
  explicit Unroller(const Blueprint& blueprint)
      : engine_(blueprint),
        views_(engine_.kernel(), engine_.network, WorldHash::Through::views),
        reader_(engine_, world_),
        properties_(blueprint) {
    engine_.stepper.initial(world_);
    properties_.begin(world_, reader_);
  }

  // Executes the event that `wanted` accepts; false where there is none or it fails.
  template <class Wanted> bool go(const Wanted& wanted, std::span<const DataChoice> answers) {
    engine_.network.enabled(world_, alternatives_);
    for (const Alternative& alternative : alternatives_.list) {
      if (alternative.kind == EventKind::stop || !wanted(alternative)) continue;
      steps.push_back(decision_of(engine_.event_of(world_, alternative), {answers.begin(), answers.end()}));
      RecordedAsker asker(answers);
      const StepResult result = engine_.stepper.step(world_, alternative, asker);
      properties_.after_step(world_, result, reader_);
      return result.failure == nullptr && asker.same_questions();
    }
    return false;
  }
  std::uint64_t class_of(const Alternative& alternative) {
    if (is_ordinary(alternative.kind)) return views_.class_of(world_.pending[alternative.target].envelope);
    return mix(static_cast<std::uint64_t>(alternative.kind), alternative.target);
  }
  Event event_of(const Alternative& alternative) const { return engine_.event_of(world_, alternative); }
  std::uint64_t fingerprint() { return views_.of(world_); }
  bool possible() const { return views_.possible(world_); }
  std::span<const HeatSpan> heat() const { return world_.heat; }

  std::vector<Decision> steps;

 private:
  Engine engine_;
  WorldHash views_;
  WorldState world_;
  StateReader reader_;
  PropertyHeat properties_;
  Alternatives alternatives_;
};

}  // namespace

std::optional<std::vector<Decision>> unroll(const Blueprint& blueprint, const std::vector<Decision>& steps,
                                            std::uint32_t from, std::size_t times, std::size_t least_steps) {
  if (from >= steps.size()) return std::nullopt;
  Unroller run(blueprint);
  if (!run.possible()) return std::nullopt;
  std::vector<std::uint64_t> classes;
  std::uint64_t start = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i == from) start = run.fingerprint();
    std::uint64_t event = 0;
    const auto wanted = [&](const Alternative& alternative) {
      event = run.class_of(alternative);
      return steps[i].is(run.event_of(alternative));
    };
    if (!run.go(wanted, steps[i].answers)) return std::nullopt;
    if (i >= from) classes.push_back(event);
  }
  for (std::size_t round = 0;; ++round) {
    if (run.fingerprint() != start || !counts_from(run.heat(), from)) return std::nullopt;
    if (round >= times && run.steps.size() >= least_steps) return std::move(run.steps);
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const Decision& recorded = steps[from + i];
      const auto wanted = [&](const Alternative& alternative) {
        return alternative.kind == recorded.kind && run.class_of(alternative) == classes[i];
      };
      if (!run.go(wanted, recorded.answers)) return std::nullopt;
    }
  }
}

}  // namespace gainsay
