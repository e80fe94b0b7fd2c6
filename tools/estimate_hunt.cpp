#include "tools/estimate_hunt.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/base/text.hpp"
#include "gainsay/explorer/certify.hpp"
#include "gainsay/explorer/estimate.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

using Json = nlohmann::ordered_json;

struct Told {
  const HuntOptions& options;
  const EstimateResult& result;
  std::string scenario;
  OptionTexts scenario_options;
  std::string dependence;  // of the classes
};

std::string range_text(const Interval& interval) {
  if (interval.relative_error == 0) return fmt::format("{} (in every probe)", count_text(interval.ln_mean));
  return fmt::format("{} (95 %: {} to {})", count_text(interval.ln_mean), count_text(interval.ln_low),
                     count_text(interval.ln_high));
}

// What the strategy would make of the two numbers. Only the first two sentences are about equal numbers; the others are
// about bounds, and say which.
std::string prediction(const Told& told) {
  const std::string& strategy = told.options.strategy;
  if (find_strategy(strategy).kind_with(told.options.strategy_options) == StrategyKind::random)
    return fmt::format("'{}' is not a search: it makes as many runs as you ask for", strategy);
  if (strategy == "dfs") return "dfs runs every execution";
  if (told.dependence == "semantic" || told.dependence == "keyed")
    return fmt::format(
        "{} merges classes that depend on states or keys: the number of classes is an upper bound", strategy);
  if (!told.result.classes) return fmt::format("the number of executions is an upper bound for {}", strategy);
  if (strategy == "odpor") return "odpor runs about one execution of every class";
  if (strategy == "sdpor") return "sdpor completes one execution of every class, plus blocked runs";
  if (strategy.find("dpor") != std::string::npos)
    return fmt::format("{} runs at least one execution of every class, and at most all executions", strategy);
  return fmt::format("the number of executions is an upper bound for {}", strategy);
}

std::vector<std::string> warnings(const Told& told) {
  const EstimateResult& result = told.result;
  std::vector<std::string> warnings;
  const auto rough = [&](const char* what, const Interval& interval) {
    if (!interval.is_rough()) return;
    warnings.push_back(
        fmt::format("the number of {} is rough: its standard error is {:.0f} %, and one probe contributes "
                    "{:.0f} %; the true number may be outside the interval (use more --probes)",
                    what, 100 * interval.relative_error, 100 * interval.largest_share));
  };
  rough("executions", result.executions);
  if (result.classes) rough("classes", *result.classes);
  if (result.cut_probes > 0)
    warnings.push_back(fmt::format(
        "{} of {} probes were cut off at the bound of {} steps, and so will a search be",
        with_commas(result.cut_probes), with_commas(result.probes), with_commas(told.options.steps_max)));
  if (result.violated_probes > 0)
    warnings.push_back(
        fmt::format("{} of {} probes found a violation: run the hunt without --estimate to see it",
                    with_commas(result.violated_probes), with_commas(result.probes)));
  return warnings;
}

std::string text_of(const Told& told) {
  const EstimateResult& result = told.result;
  std::string text = fmt::format("Estimate for {} from {} probes, seed {}\n", told.scenario,
                                 with_commas(result.probes), result.seed);
  text += fmt::format("  executions  {}\n", range_text(result.executions));
  if (result.classes) {
    text += fmt::format("  classes     {}, dependence {}\n", range_text(*result.classes), told.dependence);
  } else if (!result.no_classes_because.empty()) {
    text += fmt::format("  classes     not counted: {}\n", result.no_classes_because);
  }
  text += fmt::format("  steps       {:.1f} for a random execution\n", result.steps_mean);
  text += fmt::format("  meaning     {}\n", prediction(told));
  for (const std::string& warning : warnings(told)) text += fmt::format("  warning     {}\n", warning);
  return text;
}

Json json_of(const Interval& interval) {
  const auto number = [](double ln) -> Json {
    const double value = std::exp(ln);
    if (!std::isfinite(value)) return nullptr;
    return value;
  };
  Json object;
  object["estimate"] = number(interval.ln_mean);
  object["low"] = number(interval.ln_low);
  object["high"] = number(interval.ln_high);
  object["log10_estimate"] = interval.ln_mean / std::log(10.0);
  object["confidence"] = 0.95;
  object["relative_error"] = interval.relative_error;
  object["rough"] = interval.is_rough();
  return object;
}

std::string json_of(const Told& told) {
  const EstimateResult& result = told.result;
  Json object;
  object["scenario"] = told.scenario;
  object["options"] = Json::object();
  for (const auto& [name, value] : told.scenario_options) object["options"][name] = value;
  object["strategy"] = told.options.strategy;
  object["seed"] = result.seed;
  object["probes"] = result.probes;
  object["executions"] = json_of(result.executions);
  object["classes"] = result.classes ? json_of(*result.classes) : Json(nullptr);
  object["dependence"] = told.dependence;
  object["no_classes_because"] = result.no_classes_because;
  object["meaning"] = prediction(told);
  object["steps_mean"] = result.steps_mean;
  object["violated_probes"] = result.violated_probes;
  object["cut_probes"] = result.cut_probes;
  object["warnings"] = warnings(told);
  object["elapsed_s"] = result.elapsed_s;
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

int estimate_hunt(const Scenario& scenario, const OptionTexts& scenario_options, const HuntOptions& options,
                  const EstimateArguments& arguments) {
  const Blueprint blueprint = scenario.build(scenario_options);
  const PlainPolicy policy = plain_policy(blueprint, arguments.dependence);
  ReferenceRules rules = policy.rules.value_or(rules_of(blueprint));
  rules.swappable = true;
  EstimateOptions how;
  if (arguments.probes) how.probes = *arguments.probes;
  how.seed = options.seed;
  how.steps_max = options.steps_max;
  how.dependent = reference_dependence(blueprint, rules);
  how.time = options.time;
  how.stop = options.stop;
  const EstimateResult result = estimate(blueprint, how);
  if (result.probes == 0) return 3;
  const Told told{options, result, scenario.name(), scenario.complete(scenario_options), policy.name};
  say(arguments.json ? json_of(told) : text_of(told));
  return result.violated_probes > 0 ? 1 : 0;
}

}  // namespace gainsay::tools
