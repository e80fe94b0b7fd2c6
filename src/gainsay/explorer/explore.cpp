#include "gainsay/explorer/explore.hpp"

#include <memory>

#include <fmt/format.h>

#include "gainsay/base/budget.hpp"
#include "gainsay/execution/campaign/confirm.hpp"
#include "gainsay/execution/campaign/hunt_warnings.hpp"
#include "gainsay/execution/run/visibility.hpp"
#include "gainsay/explorer/counterexample.hpp"
#include "gainsay/explorer/search.hpp"

namespace gainsay {
namespace {

void refuse_what_cannot_be_explored(const Blueprint& blueprint, const ExploreOptions& options) {
  if (blueprint.has_opaque()) {
    throw UserError(
        fmt::format("scenario '{}' has opaque actors (world.wrap): their states cannot be stored; use hunt",
                    blueprint.scenario));
  }
  if (blueprint.timed && options.symmetry) {
    throw UserError(
        fmt::format("scenario '{}' has simulated time, which --symmetry does not support; remove --symmetry",
                    blueprint.scenario));
  }
  if (traits_of(blueprint).queues && options.symmetry) {
    throw UserError(
        fmt::format("scenario '{}' has queue order, which --symmetry does not support; remove --symmetry",
                    blueprint.scenario));
  }
  if (!blueprint.history_properties.empty() && !options.without_histories) {
    throw UserError(
        fmt::format("scenario '{}' has a history property ('{}'), and a state does not contain its history; "
                    "use hunt, or explore --without-histories to check everything else",
                    blueprint.scenario, blueprint.history_properties.front().name));
  }
  if (options.exact && traits_of(blueprint).causal && !blueprint.faults.duplicates.empty()) {
    throw UserError(
        "--exact does not support duplicated messages under causal order; remove --exact or the duplicates");
  }
  if (options.bitstate_bytes && options.exact)
    throw UserError("--bitstate and --exact cannot be used together");
  if (options.bitstate_bytes && blueprint.has_liveness()) {
    throw UserError(
        "--bitstate does not support liveness, because it omits states that loops may need; remove "
        "--bitstate, or the liveness monitor or property");
  }
  if (options.workers == 0) throw UserError("--jobs must be at least 1");
}

void describe(FoundViolation& found, const ExploreResult& result, std::size_t steps) {
  found.runs = 1;
  found.document.scenario = result.scenario;
  found.document.options = result.options;
  found.document.strategy = "explore";
  found.document.steps_max = steps + 1;
}

// What could not complain.
void add_vacuity_warnings(ExploreResult& result, const Blueprint& blueprint, Search& search) {
  std::vector<bool> notified;
  for (const ActorPlan& plan : blueprint.actors) {
    if (plan.type->monitor) notified.push_back(search.notified(notified.size()));
  }
  const bool asked = search.shared().kernel.checked() || !result.violations.empty();
  for (std::string& warning : vacuity_warnings(blueprint, notified, asked))
    result.warnings.push_back(std::move(warning));
}

// Of which search a checkpoint is: what decides which states there are, and what is said of them. How many workers
// there are and when the search stops is not among it. Nothing where there is no checkpoint: to name the build, the
// whole program is read.
Facts facts_of(const ExploreResult& result, const ExploreOptions& options) {
  if (options.checkpoint.empty() && options.resume.empty()) return {};
  Facts facts{{"scenario", result.scenario}};
  for (const auto& [name, value] : result.options) facts.emplace_back("option " + name, value);
  const auto add_flag = [&](const char* name, bool on) { facts.emplace_back(name, on ? "on" : "off"); };
  add_flag("--exact", options.exact);
  add_flag("--symmetry", options.symmetry);
  add_flag("--without-histories", options.without_histories);
  facts.emplace_back("--bitstate",
                     options.bitstate_bytes ? fmt::format("{} bytes", *options.bitstate_bytes) : "off");
  facts.emplace_back("build", build_name());
  return facts;
}

// The search, done as far as the options let it.
std::unique_ptr<Search> searched(const Blueprint& blueprint, const ExploreOptions& options,
                                 const Facts& facts) {
  // In simulated time states repeat as long as nobody asks how late it is.
  std::unique_ptr<Search> search;
  if (options.resume.empty()) {
    search = std::make_unique<Search>(blueprint, options, facts, Kernel::Origin::forgotten);
  } else {
    CheckpointReader in(options.resume, "explore", facts);
    const auto origin =
        static_cast<Kernel::Origin>(in.number(static_cast<std::uint64_t>(Kernel::Origin::counted)));
    search = std::make_unique<Search>(blueprint, options, facts, origin);
    search->go_on_from(in);
  }
  search->run();
  if (!search->needs_origin()) return search;
  if (!blueprint.clock_drifts.empty()) {
    throw UserError(
        fmt::format("explore does not support clocks that drift and are read (scenario '{}'); use hunt, or "
                    "remove world.clock_drift",
                    blueprint.scenario));
  }
  search = std::make_unique<Search>(blueprint, options, facts, Kernel::Origin::counted);
  search->run();
  return search;
}

}  // namespace

ExploreResult explore(const Scenario& scenario, const OptionTexts& scenario_options,
                      const ExploreOptions& options) {
  const Budget clock;
  const Blueprint blueprint = scenario.build(scenario_options);
  refuse_what_cannot_be_explored(blueprint, options);
  ExploreResult result;
  result.scenario = scenario.name();
  result.options = scenario.complete(scenario_options);
  result.fairness = options.fairness;

  const std::unique_ptr<Search> done = searched(blueprint, options, facts_of(result, options));
  Search& search = *done;
  if (blueprint.has_liveness() && search.worth_searching_loops()) search.search_loops();
  search.fill(result);
  for (const auto& [key, sighting] : search.sightings()) {
    const auto steps = shortest_execution(search.shared(), sighting);
    if (!steps) {
      result.warnings.push_back(fmt::format(
          "'{}' was seen but its execution could not be rebuilt: two states share a fingerprint; use --exact",
          sighting.violation.property));
      continue;
    }
    FoundViolation found = confirm(blueprint, sighting.violation, *steps, steps->size() + 1);
    describe(found, result, steps->size());
    result.violations.push_back(std::move(found));
  }
  for (const FoundLoop& loop : search.loops()) {
    FoundViolation found = confirm(blueprint, loop.violation, loop.steps, loop.steps.size() + 1);
    describe(found, result, loop.steps.size());
    result.violations.push_back(std::move(found));
  }
  if (search.shared().kernel.clock_read()) {
    result.warnings.push_back(
        "handlers read clocks: only the earliest and the latest value of each reading were tried, not those "
        "in between");
  }
  add_vacuity_warnings(result, blueprint, search);
  for (std::size_t i = 0; i < blueprint.properties.size(); ++i) {
    const Property& property = blueprint.properties[i];
    if (property.kind != Property::Kind::reached || search.reached(i)) continue;
    result.unreached_goals.push_back(property.name);
    result.warnings.push_back(fmt::format("goal '{}' was never reached{}", property.name,
                                          result.complete ? ": no state of this world satisfies it" : ""));
  }
  result.elapsed_s = clock.elapsed_s();
  return result;
}

}  // namespace gainsay
