#include "gainsay/strategy/walks/hitting.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/family/choose.hpp"
#include "gainsay/family/coverage.hpp"
#include "gainsay/family/hitting.hpp"

namespace gainsay {
namespace {

using family::Element;

// Which steps must come before which in every execution.
std::vector<family::Relation> known_order(std::span<const Step> steps) {
  std::vector<family::Relation> relations;
  std::map<ActorId, Element> starts;
  std::optional<Element> last_fault;
  for (Element i = 0; i < steps.size(); ++i) {
    const Event& event = steps[i].event;
    if (event.parent != no_step) relations.push_back({event.parent, i});
    if (is_fault(event.kind)) {
      if (last_fault) relations.push_back({*last_fault, i});
      last_fault = i;
    }
    if (event.kind == EventKind::start) {
      starts.emplace(event.receiver, i);
    } else if (const auto start = starts.find(event.receiver); start != starts.end()) {
      if (start->second != event.parent) relations.push_back({start->second, i});
    }
  }
  return relations;
}

// The order as a forest, where nobody waits for two.
std::optional<family::Tree> forest_of(std::size_t size, std::span<const family::Relation> relations) {
  std::vector<Element> parents(size, family::no_parent);
  for (const family::Relation& relation : relations) {
    if (parents[relation.above] != family::no_parent) return std::nullopt;
    parents[relation.above] = relation.below;
  }
  return family::Tree(std::move(parents));
}

// Events that are not ordered and change the same actor.
std::vector<Element> racing(const family::Poset& poset, std::span<const Step> steps) {
  std::vector<Element> found;
  for (Element x = 0; x < steps.size(); ++x) {
    bool races = false;
    for (Element y = 0; y < steps.size() && !races; ++y)
      races = steps[x].event.receiver == steps[y].event.receiver && poset.incomparable(x, y);
    if (races) found.push_back(x);
  }
  return found;
}

// One object makes all runs, so its last guarantee is that of all of them.
struct HittingLessons final : Lessons {
  explicit HittingLessons(Guarantee what) : guarantee(std::move(what)) {}
  std::unique_ptr<Lessons> clone() const override { return std::make_unique<HittingLessons>(guarantee); }
  void merge(const Lessons& later) override {
    guarantee = dynamic_cast<const HittingLessons&>(later).guarantee;
  }

  Guarantee guarantee;
};

}  // namespace

StrategyInfo hitting_strategy() {
  return StrategyInfo::of<HittingOptions>(
      "hitting", "a d-hitting family of schedules for the events of a first run; one worker",
      StrategyKind::random,
      [](const HittingOptions& options) { return std::make_unique<HittingStrategy>(options); });
}

std::optional<Keep> HittingStrategy::begin(const RunInfo& run) {
  run_ = run.index;
  seed_ = run.seed;
  rng_ = Rng(run.seed, run.index);
  first_run_ = next_ == family_.size();
  if (first_run_) {
    if (!family_.empty()) finished_ = statement();
    steps_.clear();
    steps_run_ = run.index;
    return walk_.begin(run);
  }
  const family::Schedule& schedule = family_[next_++];
  std::vector<Decision> decisions;
  for (const Element step : schedule)
    decisions.push_back(decision_of(steps_[step].event, steps_[step].choices));
  script_ = Script(std::move(decisions));
  place_ = 0;
  exact_ = true;
  return Keep{};
}

std::size_t HittingStrategy::choose(const ChoicePoint& point) {
  if (!first_run_ && !point.is_value()) return follow(point);
  if (!first_run_) {
    // The same question gets the same answer again, so that what the handler creates keeps its ids.
    const std::optional<std::uint32_t> recorded = script_.answer(point.size());
    return recorded ? *recorded : rng_.below(point.size());
  }
  const std::size_t chosen = walk_.choose(point);
  if (point.is_value()) {
    GAINSAY_CHECK(!steps_.empty(), "an event comes before its questions");
    steps_.back().choices.push_back(
        {static_cast<std::uint32_t>(chosen), static_cast<std::uint32_t>(point.size())});
  } else if (const Event event = point.event(chosen); event.kind != EventKind::stop) {
    steps_.push_back({event, {}});
  }
  return chosen;
}

std::size_t HittingStrategy::follow(const ChoicePoint& point) {
  GAINSAY_CHECK(point.size() > 0, "there is something to choose");
  std::size_t place = Script::nowhere;
  std::size_t best = point.size();
  for (std::size_t i = 0; i < point.size(); ++i) {
    const std::size_t of_event = script_.place_of(point.event(i));
    if (of_event >= place) continue;
    place = of_event;
    best = i;
  }
  script_.execute(place);
  if (place == Script::nowhere) {
    // Nothing of the first run: the oldest event, or the end, but no fault that was not in it.
    best = point.ordinary() > 0 ? 0 : point.size() - 1;
    exact_ = exact_ && point.kind(best) == EventKind::stop;
    return best;
  }
  exact_ = exact_ && place == place_;
  place_ = place + 1;
  return best;
}

void HittingStrategy::end(const RunEnd& end) {
  if (end.ending == Ending::interrupted) return;
  if (first_run_) {
    build_family();
    return;
  }
  // What a violation cut off counts as followed: the run showed what it was made for.
  const bool whole =
      exact_ && (place_ == script_.size() || end.ending == Ending::violated) && !end.fair_suffix;
  if (whole) {
    ++followed_;
    return;
  }
  if (left_++ == 0) first_left_ = run_;
}

void HittingStrategy::build_family() {
  family_.clear();
  next_ = 0;
  too_large_.clear();
  construction_.clear();
  depth_ = options_.depth;
  if (steps_.empty()) return;
  const std::vector<family::Relation> relations = known_order(steps_);
  std::optional<family::Tree> forest = forest_of(steps_.size(), relations);
  if (steps_.size() > (forest && !options_.prune ? forest_size_max : order_size_max)) {
    too_large_ = fmt::format("run {} has {}: too many to order", steps_run_, counted(steps_.size(), "event"));
    return;
  }
  std::optional<family::Poset> poset;
  if (!forest || options_.prune) poset.emplace(steps_.size(), relations);
  const family::OrderFacts facts = poset ? family::recognise(*poset) : family::recognise(*forest);
  const auto size = static_cast<double>(steps_.size());
  while (depth_ > 1 && family::plans(facts, depth_).front().size * size > entries_max && !options_.prune)
    --depth_;
  if (depth_ < options_.depth)
    too_large_ = fmt::format("tuples of {} instead of {}: the family would have {:.3g} schedules", depth_,
                             options_.depth, family::plans(facts, options_.depth).front().size);
  if (options_.prune && depth_ > 2) {
    const std::vector<Element> chosen = racing(*poset, steps_);
    const auto among = static_cast<double>(chosen.size());
    const auto schedules = [&] {
      return facts.realiser ? 2 * family::falling_factorial(among, depth_ - 2)
                            : family::falling_factorial(among, depth_ - 1);
    };
    while (depth_ > 2 && schedules() * size > entries_max) --depth_;
    if (depth_ < options_.depth)
      too_large_ = fmt::format("tuples of {} instead of {}", depth_, options_.depth);
    family_ = facts.realiser ? family::dimension_two_family(*poset, *facts.realiser, depth_, chosen)
                             : family::general_family(*poset, depth_, chosen);
    construction_ = fmt::format("pruned to {} (section 5.5)", counted(chosen.size(), "racing event"));
  } else {
    family::BuiltFamily built = family::build(facts, poset ? &*poset : nullptr, depth_, seed_, entries_max);
    family_ = std::move(built.family);
    construction_ = family::name_of(built.plan.construction);
  }
  // Neighbours in a family are alike; what comes first should differ.
  Rng order(seed_, scramble(steps_run_ + 1));
  for (std::size_t i = family_.size(); i > 1; --i) std::swap(family_[i - 1], family_[order.below(i)]);
  ++families_;
}

std::unique_ptr<Lessons> HittingStrategy::take_lessons() {
  return std::make_unique<HittingLessons>(done_so_far());
}

void HittingStrategy::learn(const Lessons& all) {
  learned_ = dynamic_cast<const HittingLessons&>(all).guarantee;
}

std::string HittingStrategy::statement() const {
  return fmt::format("every order of {} of the {} of run {} that their causes allow, by {} ({})", depth_,
                     counted(steps_.size(), "event"), steps_run_, counted(family_.size(), "schedule"),
                     construction_);
}

Guarantee HittingStrategy::done_so_far() const {
  Guarantee guarantee;
  if (families_ == 0) {
    if (!too_large_.empty()) guarantee.voids.push_back(too_large_);
    return guarantee;
  }
  const bool used_up = next_ == family_.size();
  guarantee.statement = used_up || finished_.empty() ? statement() : finished_;
  guarantee.inputs = {{"depth", depth_},
                      {"families", families_},
                      {"events", steps_.size()},
                      {"schedules", family_.size()},
                      {"executed", next_},
                      {"followed", followed_},
                      {"left", left_}};
  if (!too_large_.empty()) guarantee.voids.push_back(too_large_);
  if (!used_up && finished_.empty())
    guarantee.voids.push_back(fmt::format("only {} of them executed so far", counted(next_, "schedule")));
  if (left_ > 0)
    guarantee.voids.push_back(
        fmt::format("{} of {} could not be followed to the end (the first in run {}): events appeared, "
                    "disappeared or had to wait",
                    with_commas(left_), counted(followed_ + left_, "schedule"), first_left_));
  guarantee.assumptions = {"events, faults and answers to data choices as in that run"};
  return guarantee;
}

}  // namespace gainsay
