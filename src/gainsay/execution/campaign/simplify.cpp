#include "gainsay/execution/campaign/simplify.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <map>
#include <set>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/strategy/follow/approximate.hpp"

namespace gainsay {
namespace {

constexpr std::int64_t small_numbers = 5;            // all below are tried
constexpr std::uint64_t runs_max = 20'000;           // of a hunt in a new world
constexpr std::chrono::seconds hunting_time{3};      // likewise, at most
constexpr ActorId not_there{~std::uint64_t{0} - 7};  // an actor that no world has

using Role = std::function<ActorId(ActorId)>;

std::optional<std::int64_t> number_of(const std::string& text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::size_t actors_in(const std::vector<Step>& steps) {
  std::set<ActorId> actors;
  for (const Step& step : steps) actors.insert(step.event.receiver);
  return actors.size();
}

class Simplifier {
 public:
  Simplifier(const Scenario& scenario, const OptionTexts& options, ShrunkViolation shrunk,
             const ShrinkOptions& how)
      : scenario_(scenario), how_(how) {
    best_.options = scenario.complete(options);
    best_.result = std::move(shrunk);
    world_.emplace(scenario.build(best_.options));
  }

  Simplified run() {
    while (!is_over() && lower_an_option()) {
    }
    while (!is_over() && merge_two_actors()) {
    }
    return std::move(best_);
  }

 private:
  bool is_over() const { return how_.budget.is_over(); }
  const std::vector<Step>& steps() const { return best_.result.shrunk.steps; }
  const Violation& violation() const { return best_.result.violation; }

  bool lower_an_option() {
    for (const OptionInfo& info : scenario_.options()) {
      if (info.type != "integer") continue;
      const std::int64_t now = number_of(value_of(info.name)).value_or(0);
      std::set<std::int64_t> lower{now / 2, now - 1};
      for (std::int64_t value = 0; value < small_numbers; ++value) lower.insert(value);
      for (const std::int64_t value : lower) {
        if (value < 0 || value >= now || is_over()) continue;
        if (try_options(info.name, std::to_string(value))) return true;
      }
    }
    return false;
  }

  std::string& value_of(const std::string& name) {
    const auto found = std::find_if(best_.options.begin(), best_.options.end(),
                                    [&](const auto& option) { return option.first == name; });
    GAINSAY_CHECK(found != best_.options.end(), "all options of a scenario are said");
    return found->second;
  }

  bool try_options(const std::string& name, const std::string& value) {
    OptionTexts options = best_.options;
    for (auto& [each, text] : options) {
      if (each == name) text = value;
    }
    std::optional<Blueprint> world;
    try {
      world.emplace(scenario_.build(options));
    } catch (...) {
      return false;  // the scenario does not allow it
    }
    auto found = followed(*world, by_name(*world, false));
    if (!found) found = followed(*world, by_name(*world, true));
    if (!found) found = hunted(*world, options);
    if (!found) return false;
    ShrunkViolation shrunk = shrink_violation(*world, found->steps, found->violation, how_);
    if (shrunk.shrunk.steps.size() > steps().size()) return false;
    best_.lower.push_back(fmt::format("{}: {} -> {}", name, value_of(name), value));
    shrunk.shrunk.attempts += best_.result.shrunk.attempts;
    best_.result = std::move(shrunk);
    best_.options = std::move(options);
    world_ = std::move(world);
    return true;
  }

  // One actor for two of a kind, if there are then fewer that do anything.
  bool merge_two_actors() {
    const std::vector<ActorPlan>& actors = world_->actors;
    for (std::size_t to = 0; to < actors.size(); ++to) {
      for (std::size_t from = to + 1; from < actors.size(); ++from) {
        if (actors[from].type != actors[to].type || actors[from].type->monitor || is_over()) continue;
        const Role role = [&](ActorId id) { return id == ActorId{from} ? ActorId{to} : id; };
        const auto found = followed(*world_, role);
        if (!found) continue;
        ShrunkViolation shrunk = shrink_violation(*world_, found->steps, found->violation, how_);
        if (shrunk.shrunk.steps.size() > steps().size() ||
            actors_in(shrunk.shrunk.steps) >= actors_in(steps()))
          continue;
        best_.lower.push_back(fmt::format("{} does what {} did", actors[to].name, actors[from].name));
        shrunk.shrunk.attempts += best_.result.shrunk.attempts;
        best_.result = std::move(shrunk);
        return true;
      }
    }
    return false;
  }

  // Who does in `world` what an actor of the world so far did.
  Role by_name(const Blueprint& world, bool by_kind) const {
    std::map<ActorId, ActorId> roles;
    for (std::size_t i = 0; i < world_->actors.size(); ++i) {
      const ActorPlan& plan = world_->actors[i];
      const auto named = std::find_if(world.actors.begin(), world.actors.end(),
                                      [&](const ActorPlan& each) { return each.name == plan.name; });
      const auto alike = std::find_if(world.actors.begin(), world.actors.end(),
                                      [&](const ActorPlan& each) { return each.type == plan.type; });
      const auto who = named == world.actors.end() && by_kind ? alike : named;
      const auto place = static_cast<std::size_t>(who - world.actors.begin());
      roles[ActorId{i}] = who == world.actors.end() ? not_there : ActorId{place};
    }
    return [roles = std::move(roles)](ActorId id) {
      const auto role = roles.find(id);
      return role == roles.end() ? id : role->second;
    };
  }

  struct Found {
    std::vector<Decision> steps;
    Violation violation;
  };

  std::optional<Found> followed(const Blueprint& world, const Role& role) const {
    const Shows shows = shows_where(world, violation());
    const bool goes_on = shows == Shows::at_the_end || shows == Shows::in_a_loop;
    Execution execution(world, shrinking_options(violation(), steps().size()));
    ApproximateStrategy strategy(
        steps(), {.at_end = goes_on ? ApproximateStrategy::AtEnd::go_on : ApproximateStrategy::AtEnd::cut,
                  .stand_ins = true,
                  .role = role});
    strategy.begin({});
    const auto shown = execution.run(strategy, Keep{}).violation;
    if (!shown || !is_same_violation(*shown, violation())) return std::nullopt;
    return Found{execution.trace().decisions(), *shown};
  }

  std::optional<Found> hunted(const Blueprint& world, const OptionTexts& options) const {
    HuntOptions hunting;
    hunting.strategy = "portfolio";
    hunting.runs = runs_max;
    hunting.time = hunting_time;
    hunting.steps_max = std::max<std::size_t>(100, steps().size() * 10);
    hunting.keep_going = true;
    hunting.fairness = violation().fairness;
    std::atomic<bool> stop{false};
    hunting.stop = &stop;
    hunting.found = [&](const FoundViolation& each) {
      if (is_same_violation(each.violation, violation())) stop = true;
    };
    for (const FoundViolation& each : hunt(scenario_, options, hunting).violations) {
      if (is_same_violation(each.violation, violation()))
        return Found{decisions_of(each.document, world), each.violation};
    }
    return std::nullopt;
  }

  const Scenario& scenario_;
  ShrinkOptions how_;
  std::optional<Blueprint> world_;  // of the best so far
  Simplified best_;
};

}  // namespace

Simplified simplify(const Scenario& scenario, const OptionTexts& options, ShrunkViolation shrunk,
                    const ShrinkOptions& how) {
  if (shrunk.violation.is_suspicion()) return {scenario.complete(options), {}, std::move(shrunk)};
  return Simplifier(scenario, options, std::move(shrunk), how).run();
}

}  // namespace gainsay
