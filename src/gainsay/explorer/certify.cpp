#include "gainsay/explorer/certify.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "gainsay/base/budget.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/execution/run/order_recorder.hpp"
#include "gainsay/strategy/follow/replay.hpp"

namespace gainsay {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 28U;  // of the follower's interned states

bool is_weaker(const ReferenceRules& asked, const ReferenceRules& needed) {
  return (needed.properties && !asked.properties) || (needed.histories && !asked.histories) ||
         (needed.history_order && !asked.history_order) || (needed.clients && !asked.clients);
}

// Takes down the classes and end worlds of a search's executions, each followed once more.
class Witness {
 public:
  Witness(const Blueprint& blueprint, std::optional<ReferenceRules> rules, std::size_t steps_max)
      : by_trace_class_(rules && !rules->properties && !rules->histories && !rules->clients),
        counts_classes_(rules.has_value()),
        dependent_(reference_dependence(blueprint, rules.value_or(ReferenceRules{}))),
        follower_(blueprint, {.steps_max = steps_max, .judge_histories = false}),
        recorder_(dependent_) {
    follower_.observe(&recorder_);
  }

  void watch(const Execution& execution, const RunOutcome& outcome) {
    if (outcome.violation) {
      violations.insert(violation_key(*outcome.violation));
      return;
    }
    if (outcome.ending != Ending::quiescent) return;
    WorldHash& hash = execution.engine().hash;
    if (hash.possible(execution.world())) {
      final_states.insert(hash.of(execution.world()));
    } else {
      has_fingerprints = false;
    }
    if (!counts_classes_) return;
    // Under same-receiver dependence the kernel's trace class tells whether this one was there before.
    if (by_trace_class_ && !seen_.insert(outcome.trace_class).second) return;
    classes.insert(class_of(execution.trace().decisions()));
  }

  std::set<std::uint64_t> classes;
  std::set<std::uint64_t> final_states;
  std::set<std::string> violations;
  bool has_fingerprints = true;

 private:
  std::uint64_t class_of(std::vector<Decision> steps) {
    const std::size_t length = steps.size();
    ReplayStrategy replay(std::move(steps));
    const auto keep = replay.begin({});
    follower_.run(replay, *keep);
    GAINSAY_CHECK(follower_.steps() == length, "an execution that was made can be made again");
    const std::uint64_t hash = recorder_.order_of(follower_).hash();
    follower_.tidy(most_bytes);
    return hash;
  }

  bool by_trace_class_;
  bool counts_classes_;
  Dependent dependent_;
  Execution follower_;
  OrderRecorder recorder_;
  std::set<std::uint64_t> seen_;
};

// Empty: nothing speaks against a certificate.
std::string refusal(const HuntResult& result, const HuntOptions& options) {
  if (!result.search) return fmt::format("'{}' is not a search, so it is never complete", result.strategy);
  if (result.interrupted) return "the search was interrupted";
  if (!result.guarantee.within.empty())
    return fmt::format("the search is bounded: {}", result.guarantee.within);
  if (result.complete) return "";
  if (!result.violations.empty() && !options.keep_going)
    return "the search ended at its first violation (use --keep-going)";
  if (result.heuristic)
    return fmt::format("'{}' is heuristic: it never claims to be complete", result.strategy);
  if (result.cut_runs > 0)
    return fmt::format("{} executions were cut off at the bound of {} steps (--steps)",
                       with_commas(result.cut_runs), with_commas(result.steps_max));
  if (options.runs && result.runs >= *options.runs) return "the search ended at its bound of runs (--runs)";
  if (options.time) return "the time was up (--time)";
  if (!result.incomplete_because.empty()) return result.incomplete_because;
  return fmt::format("'{}' does not claim to be complete here", result.strategy);
}

std::string list(const std::vector<std::string>& keys) {
  std::string text;
  for (const std::string& key : keys) {
    std::string line = key;
    if (const std::size_t end = line.find('\n'); end != std::string::npos) line.replace(end, 1, ": ");
    text += (text.empty() ? "" : ", ") + line;
  }
  return text;
}

void compare(const char* what, const std::optional<HashedSet>& said, const std::set<std::uint64_t>& found,
             std::vector<std::string>& differences) {
  if (!said) return;
  const HashedSet counted = HashedSet::of(found);
  if (said->count != counted.count) {
    differences.push_back(fmt::format("the certificate says {} {}; there are {}", with_commas(said->count),
                                      what, with_commas(counted.count)));
  } else if (said->hash != counted.hash) {
    differences.push_back(
        fmt::format("the number of {} agrees with the certificate ({}), but their hash is {}, and the "
                    "certificate says {}",
                    what, with_commas(counted.count), counted.hash, said->hash));
  }
}

void compare_violations(const Certificate& certificate, const Enumeration& all, bool complete,
                        std::vector<std::string>& differences) {
  std::vector<std::string> unsaid;
  for (const auto& [key, executions] : all.violations) {
    if (!std::binary_search(certificate.violations.begin(), certificate.violations.end(), key))
      unsaid.push_back(key);
  }
  if (!unsaid.empty())
    differences.push_back(fmt::format("violated, but not in the certificate: {}", list(unsaid)));
  std::vector<std::string> unseen;
  for (const std::string& key : certificate.violations) {
    if (!all.violations.contains(key)) unseen.push_back(key);
  }
  if (complete && !unseen.empty())
    differences.push_back(fmt::format("in the certificate, but never violated: {}", list(unseen)));
}

}  // namespace

PlainPolicy plain_policy(const Blueprint& blueprint, const std::string& name) {
  ReferenceRules rules = rules_of(blueprint);
  if (name == "automatic" || name.empty()) {
    return {rules.histories ? "linearizability" : rules.properties ? "properties" : "receiver", rules};
  }
  if (name == "receiver") {
    rules = ReferenceRules{.clients = rules.clients};
  } else if (name == "properties") {
    rules = ReferenceRules{.properties = true, .clients = rules.clients};
  } else if (name == "linearizability") {
    rules.histories = true;
  } else if (name == "semantic") {
    return {name, std::nullopt};
  } else {
    return {name, std::nullopt, false};
  }
  return {name, rules};
}

std::string asked_dependence(const HuntOptions& options) {
  std::string asked = options.dependence.value_or("automatic");
  for (const auto& [name, value] : options.strategy_options) {
    if (name == "dependence") asked = value;
  }
  return asked;
}

CertifiedHunt certified_hunt(const Scenario& scenario, const OptionTexts& scenario_options,
                             HuntOptions options) {
  const Blueprint blueprint = scenario.build(scenario_options);
  const PlainPolicy policy = plain_policy(blueprint, asked_dependence(options));
  if (!policy.known)
    throw UserError(fmt::format(
        "there is no certificate for dependence '{}': its classes do not decide anything", policy.name));
  if (policy.rules && is_weaker(*policy.rules, rules_of(blueprint))) {
    throw UserError(
        fmt::format("dependence '{}' does not decide all properties of '{}', so there can be no certificate; "
                    "remove --dependence",
                    policy.name, scenario.name()));
  }
  Witness witness(blueprint, policy.rules, options.steps_max);
  options.jobs = 1;
  options.watch = [&](const Execution& execution, const RunOutcome& outcome) {
    witness.watch(execution, outcome);
  };
  CertifiedHunt certified;
  certified.result = hunt(scenario, scenario_options, options);
  const HuntResult& result = certified.result;
  certified.refused_because = refusal(result, options);
  if (!certified.refused_because.empty()) return certified;

  Certificate certificate;
  certificate.scenario = result.scenario;
  certificate.options = result.options;
  certificate.strategy = result.strategy;
  certificate.strategy_options = options.strategy_options;
  if (options.dependence) certificate.strategy_options.emplace_back("dependence", *options.dependence);
  certificate.dependence = policy.name;
  certificate.steps_max = options.steps_max;
  certificate.executions = result.runs;
  certificate.blocked_runs = result.blocked_runs;
  if (policy.rules) certificate.classes = HashedSet::of(witness.classes);
  if (witness.has_fingerprints) certificate.final_states = HashedSet::of(witness.final_states);
  certificate.violations.assign(witness.violations.begin(), witness.violations.end());
  certified.certificate = std::move(certificate);
  return certified;
}

Verification verify(const Certificate& certificate, const Blueprint& blueprint,
                    const VerifyOptions& options) {
  const Budget clock;
  const PlainPolicy policy = plain_policy(blueprint, certificate.dependence);
  EnumerateOptions how;
  if (policy.rules) how.dependent = reference_dependence(blueprint, *policy.rules);
  how.steps_max = certificate.steps_max;
  how.configurations_max = options.configurations_max;
  how.time = options.time;
  how.stop = options.stop;
  const Enumeration all = enumerate(blueprint, how);

  Verification verification;
  verification.executions = all.executions;
  verification.executions_are_more = all.executions_are_more;
  verification.configurations = all.configurations;
  verification.classes = all.classes.size();
  verification.final_states = all.final_states.size();
  std::vector<std::string>& differences = verification.differences;
  const bool cut_by_limit = all.stopped != StopReason::none;
  compare_violations(certificate, all, !cut_by_limit, differences);
  if (cut_by_limit) {
    // More than all is too many, whatever else there is.
    if (certificate.classes && all.classes.size() > certificate.classes->count)
      compare("classes", certificate.classes, all.classes, differences);
    if (certificate.final_states && all.final_states.size() > certificate.final_states->count)
      compare("end states", certificate.final_states, all.final_states, differences);
    verification.unknown_because = all.incomplete_because();
  } else {
    if (all.cut_executions > 0) {
      differences.push_back(
          fmt::format("{} executions are longer than {} steps, the bound of the certificate",
                      with_commas(all.cut_executions), with_commas(certificate.steps_max)));
    }
    compare("classes", certificate.classes, all.classes, differences);
    compare("end states", certificate.final_states, all.final_states, differences);
    if (certificate.strategy == "dfs" && certificate.executions != all.executions) {
      differences.push_back(fmt::format("the certificate says {} executions; there are {}{}",
                                        with_commas(certificate.executions), with_commas(all.executions),
                                        all.executions_are_more ? " and more" : ""));
    }
    if (certificate.strategy != "dfs" && certificate.executions > all.executions &&
        !all.executions_are_more) {
      differences.push_back(fmt::format("the certificate says {} executions, each another one; there are {}",
                                        with_commas(certificate.executions), with_commas(all.executions)));
    }
    if (certificate.classes && certificate.executions < certificate.classes->count)
      differences.push_back(fmt::format("{} executions cannot belong to {} classes",
                                        with_commas(certificate.executions),
                                        with_commas(certificate.classes->count)));
  }
  verification.verdict = !differences.empty() ? Verdict::violated
                         : cut_by_limit       ? Verdict::unknown
                                              : Verdict::ok;
  verification.elapsed_s = clock.elapsed_s();
  return verification;
}

}  // namespace gainsay
