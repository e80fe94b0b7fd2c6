#include "gainsay/report/json.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/base/text.hpp"
#include "gainsay/scenario/registry.hpp"

namespace gainsay {
namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// A value of an option as what it is: true, 3, 0.5; texts, enumerators and durations are strings.
Json typed(const std::string& text, const std::string& type) {
  if (type == "bool" && (text == "true" || text == "false")) return text == "true";
  if (type == "integer" || type == "number") {
    Json number = Json::parse(text, nullptr, false);
    if (number.is_number()) return number;
  }
  return text;
}

// The types are the scenario's. A scenario that this program does not have leaves texts.
Json object_of(const std::string& scenario, const OptionTexts& options) {
  const std::vector<const Scenario*> all = scenarios();
  const auto known =
      std::find_if(all.begin(), all.end(), [&](const Scenario* each) { return each->name() == scenario; });
  Json object = Json::object();
  for (const auto& [name, value] : options) {
    std::string type;
    if (known != all.end()) {
      for (const OptionInfo& info : (*known)->options()) type = info.name == name ? info.type : type;
    }
    object[name] = typed(value, type);
  }
  return object;
}

Json violation_json(const Violation& violation, const std::string& actor) {
  Json object;
  object["property"] = violation.property;
  object["message"] = violation.message;
  object["actor"] = actor.empty() ? Json() : Json(actor);
  object["step"] = violation.step == no_step ? Json() : Json(violation.step + 1ULL);
  if (violation.loop_from != no_step) object["loop_from"] = violation.loop_from + 1ULL;
  if (violation.hot_from != no_step) object["hot_from"] = violation.hot_from + 1ULL;
  if (violation.loop_from != no_step) object["fairness"] = fairness_name(violation.fairness);
  object["suspicion"] = violation.is_suspicion();
  return object;
}

Json violations_json(const std::vector<FoundViolation>& violations, const SummaryOptions& options) {
  Json list = Json::array();
  for (std::size_t i = 0; i < violations.size(); ++i) {
    const FoundViolation& found = violations[i];
    const std::string file = i < options.trace_files.size() ? options.trace_files[i] : "";
    Json object = violation_json(found.violation, found.document.violating_actor);
    object["runs"] = found.runs;
    object["first_run"] = found.first_run;
    object["steps"] = found.document.steps.size();
    object["trace_file"] = file.empty() ? Json() : Json(file);
    object["replay"] = file.empty() ? Json() : Json(shell_command({options.program, "replay", file}));
    list.push_back(std::move(object));
  }
  return list;
}

Json coverage_json(const std::vector<MachineCoverage>& machines) {
  const auto items = [](const CoveredItems& covered) {
    return Json{{"total", covered.total}, {"seen", covered.seen}, {"never", covered.never}};
  };
  Json list = Json::array();
  for (const MachineCoverage& machine : machines) {
    list.push_back({{"machine", machine.machine},
                    {"states", items(machine.states)},
                    {"transitions", items(machine.transitions)},
                    {"events", items(machine.events)}});
  }
  return list;
}

Json guarantee_json(const HuntResult& result) {
  const Guarantee& guarantee = result.guarantee;
  const auto number_or_null = [](const auto& value) { return value ? Json(*value) : Json(); };
  Json object;
  object["statement"] = guarantee.statement;
  object["per_run"] = number_or_null(guarantee.per_run);
  object["inputs"] = Json::object();
  for (const auto& [name, value] : guarantee.inputs) object["inputs"][name] = value;
  object["assumptions"] = guarantee.assumptions;
  object["void"] = guarantee.voids;
  object["within"] = guarantee.within.empty() ? Json() : Json(guarantee.within);
  object["runs"] = guarantee.runs;
  object["confidence"] = Json();
  object["missed_by_all_runs_at_most"] = Json();
  if (guarantee.per_run) {
    object["confidence"] = guarantee.confidence;
    object["missed_by_all_runs_at_most"] =
        std::exp(std::log1p(-*guarantee.per_run) * static_cast<double>(guarantee.runs));
  }
  object["runs_for_95"] = number_or_null(guarantee.runs_for_95);
  object["runs_for_99"] = number_or_null(guarantee.runs_for_99);
  object["sentence"] = guarantee_sentence(result);
  return object;
}

Json shares_json(const std::vector<StrategyShare>& shares) {
  Json list = Json::array();
  for (const StrategyShare& share : shares) {
    list.push_back({{"strategy", share.strategy},
                    {"runs", share.runs},
                    {"buggy_runs", share.buggy_runs},
                    {"first_bug_run", share.first_bug_run ? Json(*share.first_bug_run) : Json()}});
  }
  return list;
}

Json scouts_json(const ScoutReport& scouts) {
  return {{"runs", scouts.runs},
          {"steps", scouts.steps},
          {"fair_steps_max", scouts.fair_steps_max > 0 ? Json(scouts.fair_steps_max) : Json()},
          {"elapsed_s", scouts.elapsed_s}};
}

Json listing_json(const Listing& listing) {
  Json object;
  object["name"] = listing.name;
  object["description"] = listing.description;
  if (!listing.kind.empty()) object["kind"] = listing.kind;
  Json options = Json::array();
  for (const OptionInfo& info : listing.options) {
    options.push_back({{"name", info.name},
                       {"type", info.type},
                       {"values", info.values},
                       {"default", typed(info.default_text, info.type)},
                       {"help", info.help}});
  }
  object["options"] = std::move(options);
  if (!listing.kind.empty()) return object;
  Json bugs = Json::array();
  for (const SeededBug& bug : seeded_bugs(listing.options)) {
    bugs.push_back({{"option", bug.option}, {"description", bug.description}});
  }
  object["bugs"] = std::move(bugs);
  object["actors"] = listing.actors;
  object["monitors"] = listing.monitors;
  object["properties"] = listing.properties;
  if (!listing.problem.empty()) object["problem"] = listing.problem;
  return object;
}

Json step_json(std::size_t index, const DocumentStep& step) {
  Json object;
  object["step"] = index + 1;
  object["id"] = fmt::format("{:016x}", step.id.raw);
  object["kind"] = std::string(kind_name(step.kind));
  object["cause"] = step.parent == no_step ? Json() : Json(step.parent + 1ULL);
  object["from"] = step.from;
  object["to"] = step.to;
  object["message"] = step.message;
  object["cut"] = step.cut;
  object["time_ns"] = step.time_ns;
  Json choices = Json::array();
  for (std::size_t i = 0; i < step.choices.size(); ++i) {
    const DataChoice& choice = step.choices[i];
    if (choice.is_time) {
      choices.push_back({{"clock_ns", choice.time_ns}});
      continue;
    }
    choices.push_back({{"answer", choice.answer},
                       {"among", choice.among},
                       {"label", i < step.labels.size() ? step.labels[i] : std::string{}}});
  }
  object["choices"] = std::move(choices);
  object["changes"] = step.changes;
  object["disk"] = step.disk;
  object["sent"] = step.sent;
  object["notes"] = step.notes;
  return object;
}

Json liveness_json(const LivenessReport& report) {
  if (!report.asked) return Json();
  Json object;
  object["fairness"] = fairness_name(report.fairness);
  object["temperature"] = report.temperature;
  object["suspicions_fail"] = report.suspicions_fail;
  return object;
}

}  // namespace

std::string json_text(const HuntResult& result, const SummaryOptions& options) {
  Json object;
  object["scenario"] = result.scenario;
  object["options"] = object_of(result.scenario, result.options);
  object["strategy"] = result.strategy;
  object["seed"] = result.seed;
  object["verdict"] = verdict_name(result.verdict());
  object["runs"] = result.runs;
  object["blocked_runs"] = result.blocked_runs;
  object["cut_runs"] = result.cut_runs;
  object["starved_runs"] = result.starved_runs;
  object["unjudged_runs"] = result.unjudged_runs;
  object["buggy_runs"] = result.buggy_runs;
  object["first_bug_run"] = result.first_bug_run ? Json(*result.first_bug_run) : Json();
  object["steps"] = result.steps;
  object["steps_max"] = result.steps_max_seen;
  object["steps_bound"] = result.steps_max;
  object["unfair_steps_bound"] =
      result.scouts.unfair_steps_max ? Json(*result.scouts.unfair_steps_max) : Json();
  object["scouts"] = scouts_json(result.scouts);
  object["elapsed_s"] = result.elapsed_s;
  object["complete"] = result.complete;
  object["complete_for"] = result.complete_for;
  object["incomplete_because"] = result.incomplete_because.empty() ? Json() : Json(result.incomplete_because);
  object["heuristic"] = result.heuristic;
  object["dependence"] = result.dependence.empty() ? Json() : Json(result.dependence);
  object["classes"] = result.classes;
  object["trace_set_hash"] = fmt::format("{:016x}", result.trace_set_hash);
  object["notes"] = result.notes;
  object["interrupted"] = result.interrupted;
  object["distinct_traces"] = result.distinct_traces;
  object["distinct_is_lower_bound"] = result.distinct_is_lower_bound;
  object["traces_seen_once"] = result.traces_seen_once;
  const auto unseen = result.unseen_probability();
  object["unseen_probability"] = unseen ? Json(*unseen) : Json();
  object["shares"] = shares_json(result.shares);
  object["liveness"] = liveness_json(result.liveness);
  object["violations"] = violations_json(result.violations, options);
  object["guarantee"] = guarantee_json(result);
  object["coverage"] = coverage_json(result.coverage);
  object["unreached_goals"] = result.unreached_goals;
  object["certificate"] = options.certificate.empty() ? Json() : Json(options.certificate);
  object["warnings"] = result.warnings;
  return dumped(object);
}

std::string json_text(const ExploreResult& result, const SummaryOptions& options) {
  Json object;
  object["scenario"] = result.scenario;
  object["options"] = object_of(result.scenario, result.options);
  object["verdict"] = verdict_name(result.verdict());
  object["states"] = result.states;
  object["transitions"] = result.transitions;
  object["end_states"] = result.end_states;
  object["depth"] = result.depth;
  object["handler_calls"] = result.handler_calls;
  object["complete"] = result.complete;
  object["incomplete_because"] = result.incomplete_because.empty() ? Json() : Json(result.incomplete_because);
  object["interrupted"] = result.interrupted;
  object["exact"] = result.exact;
  object["collision_probability"] = result.collision_probability;
  object["symmetries"] = result.symmetries;
  object["symmetric"] = result.symmetric.empty() ? Json() : Json(result.symmetric);
  object["bitstate"] = result.bitstate;
  object["expected_omissions"] = result.expected_omissions;
  object["omission_probability"] = result.omission_probability();
  object["frontier"] = result.frontier;
  object["disk_bytes"] = result.disk_bytes;
  object["memory_bytes"] = result.memory_bytes;
  object["workers"] = result.workers;
  object["elapsed_s"] = result.elapsed_s;
  object["live"] = result.live;
  object["fairness"] = fairness_name(result.fairness);
  object["violations"] = violations_json(result.violations, options);
  object["coverage"] = coverage_json(result.coverage);
  object["unreached_goals"] = result.unreached_goals;
  object["warnings"] = result.warnings;
  return dumped(object);
}

std::string json_text(const std::vector<Listing>& listings) {
  Json list = Json::array();
  for (const Listing& listing : listings) list.push_back(listing_json(listing));
  return dumped(list);
}

std::string json_text(const ShrinkReport& report) {
  Json json;
  json["trace_file"] = report.trace_file;
  json["small_trace_file"] = report.small_file;
  json["scenario"] = report.document.scenario;
  json["options"] = object_of(report.document.scenario, report.document.options);
  json["steps_before"] = report.steps_before;
  json["steps"] = report.document.steps.size();
  json["attempts"] = report.attempts;
  json["simpler"] = report.simpler;
  json["violation"] = report.document.violation
                          ? violation_json(*report.document.violation, report.document.violating_actor)
                          : Json();
  return dumped(json);
}

std::string json_text(const ReplayReport& report) {
  Json object;
  object["trace_file"] = report.trace_file;
  object["scenario"] = report.document.scenario;
  object["options"] = object_of(report.document.scenario, report.document.options);
  object["steps"] = report.document.steps.size();
  object["end"] = report.document.end;
  object["held"] = report.document.held;
  const int code = report.exit_code();
  object["outcome"] = outcome_name(report.outcome);
  object["verdict"] = verdict_name(code == 3   ? Verdict::unknown
                                   : code == 1 ? Verdict::violated
                                               : Verdict::ok);
  object["same"] = report.outcome == ReplayReport::Outcome::same_violation ||
                   report.outcome == ReplayReport::Outcome::no_violation;
  if (report.outcome == ReplayReport::Outcome::diverged) {
    object["diverged_at"] = report.step;
    object["reason"] = report.divergence;
  }
  object["notes"] = report.notes;
  object["violation"] =
      report.violation ? violation_json(*report.violation, report.document.violating_actor) : Json();
  return dumped(object);
}

std::string json_text(const TraceDocument& document) {
  Json object;
  object["scenario"] = document.scenario;
  object["options"] = object_of(document.scenario, document.options);
  object["strategy"] = document.strategy;
  object["seed"] = document.seed;
  object["run"] = document.run;
  object["steps_max"] = document.steps_max;
  object["timed"] = document.timed;
  object["actors"] = document.actors;
  Json steps = Json::array();
  for (std::size_t i = 0; i < document.steps.size(); ++i) steps.push_back(step_json(i, document.steps[i]));
  object["steps"] = std::move(steps);
  object["end"] = document.end;
  object["held"] = document.held;
  object["violation"] =
      document.violation ? violation_json(*document.violation, document.violating_actor) : Json();
  return dumped(object);
}

}  // namespace gainsay
