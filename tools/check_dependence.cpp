#include "tools/check_dependence.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/base/text.hpp"
#include "gainsay/explorer/commutation.hpp"
#include "gainsay/report/row.hpp"
#include "gainsay/trace/trace_file.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

using Json = nlohmann::ordered_json;

std::string verdict(const CommutationResult& result) {
  if (result.refutation) return "refuted";
  return result.sampled == 0 || result.interrupted ? "unknown" : "not refuted";
}

std::string text_of(const std::string& scenario, const CommutationResult& result,
                    const std::string& trace_file, const HuntOptions& options, const std::string& program) {
  const std::string sampled =
      fmt::format("{} pairs tried in {} states of {} random walks, seed {}", with_commas(result.sampled),
                  with_commas(result.states), with_commas(result.walks), options.seed);
  if (!result.refutation) {
    if (result.sampled == 0)
      return fmt::format(
          "Unknown: no two events that are independent by the keys of {} were possible together\n  {}\n",
          scenario, sampled);
    const char* meaning = result.interrupted
                              ? "interrupted: none refuted so far"
                              : "none refuted; this proves nothing about pairs that were not tried";
    return fmt::format(
        "Not refuted: all tried pairs that are independent by the keys of {} commute\n  sampled  {}\n  "
        "meaning  {}\n",
        scenario, sampled, meaning);
  }
  const Refutation& refutation = *result.refutation;
  std::string text = fmt::format(
      "Refuted: two events are independent by the keys of {}, but they do not commute\n", scenario);
  text += fmt::format("  first    {}\n", clean(refutation.first, false));
  text += fmt::format("  second   {}\n", clean(refutation.second, false));
  text += fmt::format("  why      {}\n", clean(refutation.why, false));
  const std::size_t before = refutation.steps.size() < 2 ? 0 : refutation.steps.size() - 2;
  text += fmt::format("  state    after {} step{}; show it: {}\n", before, before == 1 ? "" : "s",
                      shell_command({program, "show", trace_file}));
  text += fmt::format("  sampled  {}\n", sampled);
  return text;
}

std::string json_of(const std::string& scenario, const CommutationResult& result,
                    const std::string& trace_file, const HuntOptions& options) {
  Json object;
  object["scenario"] = scenario;
  object["verdict"] = verdict(result);
  object["seed"] = options.seed;
  object["sampled"] = result.sampled;
  object["states"] = result.states;
  object["walks"] = result.walks;
  object["interrupted"] = result.interrupted;
  object["refutation"] = nullptr;
  if (result.refutation) {
    Json& refutation = object["refutation"];
    refutation["first"] = result.refutation->first;
    refutation["second"] = result.refutation->second;
    refutation["why"] = result.refutation->why;
    refutation["trace_file"] = trace_file;
    refutation["steps"] = result.refutation->document.steps.size();
  }
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

int check_dependence(const Scenario& scenario, const OptionTexts& scenario_options,
                     const HuntOptions& options, const CheckDependenceArguments& arguments) {
  const Blueprint blueprint = scenario.build(scenario_options);
  CommutationOptions how;
  how.seed = options.seed;
  if (options.runs) how.walks = *options.runs;
  how.steps_max = options.steps_max;
  how.time = options.time;
  how.stop = options.stop;
  CommutationResult result =
      check_commutations(blueprint, independent_by_keys(blueprint, arguments.unlisted_is_free), how);
  std::string trace_file;
  if (result.refutation) {
    TraceDocument& document = result.refutation->document;
    document.set_header({scenario.name(), scenario.complete(scenario_options), "check-dependence",
                         options.seed, document.steps.size()});
    document.run = result.walks - 1;
    trace_file = write_trace_file(
        (std::filesystem::path(arguments.out) / (scenario.name() + "-dependence.trace")).string(), document);
  }
  say(arguments.json ? json_of(scenario.name(), result, trace_file, options)
                     : text_of(scenario.name(), result, trace_file, options, arguments.program));
  if (result.refutation) return 1;
  return result.sampled == 0 || result.interrupted ? 3 : 0;
}

}  // namespace gainsay::tools
