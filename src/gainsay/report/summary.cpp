#include "gainsay/report/summary.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "gainsay/base/text.hpp"
#include "gainsay/report/label_rows.hpp"
#include "gainsay/report/percent.hpp"
#include "gainsay/report/row.hpp"

namespace gainsay {
namespace {

// Longer executions are not drawn in a summary; `show` draws them.
constexpr std::size_t diagram_steps_max = 120;

std::string elapsed_text(double seconds) {
  if (seconds < 1e-3) return "less than 1 ms";  // no clock is better everywhere
  if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (seconds < 120) return fmt::format("{:.2f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(seconds);
  if (whole < 3600) return fmt::format("{} m {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} m", whole / 3600, whole / 60 % 60);
}

// " (12.3 k/s)", if there was time enough to measure a rate.
std::string rate_text(std::uint64_t count, double seconds) {
  return seconds < 0.01 ? "" : fmt::format(" ({}/s)", human_count(static_cast<double>(count) / seconds));
}

std::string percent(double share) { return percent_text(share, 3, 9); }

std::string violation_text(const Violation& violation) {
  return clean(fmt::format("{}: {}", violation.property, violation.message), false);
}

std::string violated_line(const std::string& scenario, const std::vector<FoundViolation>& violations) {
  const std::string first = violation_text(violations.front().violation);
  if (violations.size() == 1) return fmt::format("VIOLATION in {}: {}\n", scenario, first);
  return fmt::format("{} VIOLATIONS in {}; the first: {}\n", violations.size(), scenario, first);
}

std::string suspected_line(const std::string& scenario, const std::vector<FoundViolation>& violations) {
  return fmt::format("SUSPECTED in {} (not proved): {}\n", scenario,
                     violation_text(violations.front().violation));
}

std::string goals_text(const std::vector<std::string>& goals) {
  return fmt::format("{} '{}' {} never reached", goals.size() == 1 ? "the goal" : "the goals",
                     fmt::join(goals, "', '"), goals.size() == 1 ? "was" : "were");
}

std::string covered_text(const CoveredItems& items, std::string_view what) {
  return fmt::format("{} of {} {}", items.seen, items.total, what);
}

// One row for each machine. What was never seen is worth a word only where the campaign came to its end.
void add_coverage(LabelRows& rows, const std::vector<MachineCoverage>& machines, bool name_gaps) {
  constexpr std::size_t named_most = 12;
  const char* label = "coverage";
  for (const MachineCoverage& machine : machines) {
    std::string text =
        fmt::format("{}: {}, {}, {}", machine.machine, covered_text(machine.states, "states"),
                    covered_text(machine.transitions, "transitions"), covered_text(machine.events, "events"));
    std::vector<std::string> gaps;
    for (const std::string& state : machine.states.never) gaps.push_back("state " + state);
    for (const std::string& event : machine.events.never) gaps.push_back("event " + event);
    gaps.insert(gaps.end(), machine.transitions.never.begin(), machine.transitions.never.end());
    if (name_gaps && !gaps.empty()) {
      const std::size_t more = gaps.size() > named_most ? gaps.size() - named_most : 0;
      gaps.resize(gaps.size() - more);
      text += fmt::format("; never: {}", fmt::join(gaps, ", "));
      if (more > 0) text += fmt::format(", and {} more (--json lists all)", more);
    }
    rows.add(std::exchange(label, ""), text);
  }
}

void add_warnings(LabelRows& rows, const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) rows.add("warning", warning);
}

void add_certificate(LabelRows& rows, const SummaryOptions& options) {
  if (options.certificate.empty()) return;
  rows.add("certificate", fmt::format("{}; verify it: {}", options.certificate,
                                      shell_command({options.program, "verify", options.certificate})));
}

// One violation in words, with how long its execution is and in which runs it was `seen`.
std::string finding_header(const FoundViolation& found, const std::string& seen) {
  return fmt::format("{}\n  {}{}{}\n", violation_text(found.violation),
                     counted(found.document.steps.size(), "step"), seen.empty() ? "" : ", ", seen);
}

std::string commands_text(const FoundViolation& found, const SummaryOptions& options,
                          const std::string& file) {
  if (file.empty()) return "  the trace was not written\n";
  const auto line = [&](const char* label, const char* verb) {
    return fmt::format("  {:<8}{}\n", label, shell_command({options.program, verb, file}));
  };
  // A nondeterminism has no execution that could be made shorter.
  const bool can_shrink = !found.violation.is_nondeterminism();
  return line("replay:", "replay") + (can_shrink ? line("shrink:", "shrink") : "") + line("show:", "show");
}

bool is_drawn(const FoundViolation& found, const SummaryOptions& options) {
  return options.diagram && found.document.steps.size() <= diagram_steps_max;
}

// What the third line of a violation says.
std::string confirmed_text(const FoundViolation& found, const SummaryOptions& options) {
  if (found.violation.is_nondeterminism()) return "";
  return fmt::format("re-running {} fails the same way",
                     is_drawn(found, options) ? "the execution below" : "this execution");
}

// The violations, each with the commands that show it again. The
// first one is drawn, and then says all that a header would.
std::string findings_text(const std::vector<FoundViolation>& violations, const SummaryOptions& options,
                          std::string (*seen)(const FoundViolation&)) {
  std::string out;
  for (std::size_t i = 0; i < violations.size(); ++i) {
    const FoundViolation& found = violations[i];
    const std::string file = i < options.trace_files.size() ? options.trace_files[i] : "";
    const bool drawn = i == 0 && is_drawn(found, options);
    out += "\n";
    if (violations.size() > 1) out += finding_header(found, seen(found));
    if (drawn) out += space_time_diagram(found.document, options.show) + "\n";
    out += commands_text(found, options, file);
  }
  return out;
}

// --- hunt

// "all 12 executions"; of one, "the only execution".
std::string all_of(std::uint64_t count, const std::string& one, const std::string& many) {
  return count == 1 ? "the only " + one : "all " + counted(count, one, many);
}

// What a complete search has covered, and the number of executions if it differs.
std::string covered_text(const HuntResult& r) {
  if (r.dependence.empty()) return all_of(r.runs, "execution", "executions");
  const std::string executions = counted(r.runs, "execution");
  // Swapping what commutes in one state leaves classes out, but no end and no violation.
  if (r.dependence == "semantic") return fmt::format("{} that represent all", executions);
  const std::string classes = all_of(r.classes, "trace class", "trace classes");
  if (r.runs != r.classes) return fmt::format("{} ({} tried)", classes, executions);
  return fmt::format("{} (one execution{})", classes, r.classes == 1 ? "" : " each");
}

std::string verdict_line(const HuntResult& r) {
  if (r.verdict() == Verdict::suspected) return suspected_line(r.scenario, r.violations);
  if (!r.violations.empty()) return violated_line(r.scenario, r.violations);
  const std::string runs = counted(r.runs, "run");
  if (r.interrupted) return fmt::format("INTERRUPTED: no violation in {} of {} so far\n", runs, r.scenario);
  if (r.runs == 0) return fmt::format("UNKNOWN: no run of {} finished in the given time\n", r.scenario);
  if (r.cut_runs == r.runs) {
    return fmt::format("UNKNOWN: no violation, but {} of {} was cut off {}\n",
                       r.runs == 1 ? "the only run" : "every run", r.scenario,
                       r.starved_runs == 0 ? fmt::format("at the bound of {} steps", with_commas(r.steps_max))
                                           : "(see the warnings)");
  }
  if (!r.unreached_goals.empty()) {
    return fmt::format("UNKNOWN: no violation in {} of {}, but {}\n", runs, r.scenario,
                       goals_text(r.unreached_goals));
  }
  if (r.unjudged_runs > 0) {
    return fmt::format("UNKNOWN: no violation in {} of {}, but the history of {} could not be judged\n", runs,
                       r.scenario, counted(r.unjudged_runs, "run"));
  }
  if (!r.search) return fmt::format("No violation in {} of {}\n", runs, r.scenario);
  if (r.complete && !r.incomplete_because.empty()) {
    return fmt::format("UNKNOWN: no violation in {} of {}, but the search does not decide all properties\n",
                       counted(r.runs, "execution"), r.scenario);
  }
  if (r.complete) {
    return fmt::format("No violation in {} of {}: the search is complete{}\n", covered_text(r), r.scenario,
                       r.guarantee.within.empty() ? "" : " within " + r.guarantee.within);
  }
  return fmt::format("UNKNOWN: no violation in {} of {}, but the search is {}\n",
                     counted(r.runs, "execution"), r.scenario,
                     r.heuristic ? "a heuristic that leaves executions out" : "incomplete");
}

std::string search_meaning(const HuntResult& r) {
  if (r.complete) {
    const std::uint64_t count = r.dependence.empty() ? r.runs : r.classes;
    const bool semantic = r.dependence == "semantic";
    return fmt::format(
        "{} within these bounds {} tried (at most {} steps each{}); complete for {}{}{}",
        semantic               ? "executions that represent all"
        : r.dependence.empty() ? all_of(count, "execution", "executions")
                               : all_of(count, "trace class", "trace classes"),
        count == 1 && !semantic ? "was" : "were", with_commas(r.steps_max),
        r.guarantee.within.empty() ? "" : ", " + r.guarantee.within, fmt::join(r.complete_for, ", "),
        r.incomplete_because.empty() ? "" : "; but " + r.incomplete_because,
        r.guarantee.within.empty() ? "" : ". Executions outside this bound may still have violations");
  }
  if (!r.incomplete_because.empty()) return "incomplete: " + r.incomplete_because;
  if (!r.violations.empty()) return "the search stopped at the first violation; --keep-going looks for more";
  return "executions that were not tried may still have violations";
}

std::string fairness_text(FairnessKind kind) {
  switch (kind) {
    case FairnessKind::weak:
      return "an event that stays enabled happens (weak)";
    case FairnessKind::actor:
      return "an actor that is enabled infinitely often takes a step (actor)";
    case FairnessKind::strong:
      break;
  }
  return "an event that is enabled infinitely often happens (strong)";
}

std::string runs_needed(const std::optional<std::uint64_t>& runs) {
  return runs ? counted(*runs, "run") : "too many runs to count";
}

// What clean runs of a randomised strategy are worth.
std::string random_meaning(const HuntResult& r) {
  if (!r.guarantee.per_run) return "clean runs are evidence, not proof: no probability bound holds";
  return guarantee_sentence(r);
}

std::string meaning(const HuntResult& r) {
  if (r.search) return search_meaning(r);
  if (r.violations.empty()) return random_meaning(r);
  if (r.verdict() == Verdict::suspected)
    return "the execution below is long but finite, so nothing is proved. A higher --temperature with more "
           "--steps distinguishes a slow system from a stuck one; explore, or a view that makes worlds "
           "repeat, can prove it";
  return "";
}

// Of loops and of suspicions. What a suspicion can be wrong about is arithmetic (execution/run/fair_rounds.hpp).
void add_liveness(LabelRows& rows, const HuntResult& r) {
  if (!r.liveness.asked) return;
  const auto rounds = static_cast<double>(r.liveness.temperature);
  rows.add("liveness", fmt::format("a loop counts if it is fair: {}", fairness_text(r.liveness.fairness)));
  rows.add("temperature",
           fmt::format("suspected after {} fair rounds. Never wrong if a chain of at most {} events, each "
                       "enabled until it happens, cools the monitor; wrong at most once in {} times if every "
                       "round cools it with probability 10 % or more",
                       with_commas(r.liveness.temperature), with_commas(r.liveness.temperature),
                       human_count(std::pow(0.9, -rounds))));
}

void add_guarantee(LabelRows& rows, const HuntResult& r) {
  if (r.search) {
    if (!r.dependence.empty())
      rows.add("dependence",
               fmt::format("{}: {}", r.dependence, counted(r.classes, "trace class", "trace classes")));
    for (const std::string& note : r.notes) rows.add("note", note);
    return;
  }
  const Guarantee& g = r.guarantee;
  rows.add("guarantee", g.statement);
  for (const std::string& assumption : g.assumptions) rows.add("assuming", assumption);
  for (const std::string& reason : g.voids) rows.add("void", reason);
  if (g.per_run) {
    rows.add("runs needed",
             fmt::format("{} for 95 %, {} for 99 %", runs_needed(g.runs_for_95), runs_needed(g.runs_for_99)));
  }
}

// Good and Turing's estimate.
std::string unseen_text(const HuntResult& r) {
  const auto unseen = r.unseen_probability();
  if (!unseen) return "";
  return fmt::format(
      "the next run shows a new behaviour with probability about {} ({} of {} {} a behaviour that no other "
      "run did)",
      percent(*unseen), with_commas(r.traces_seen_once), counted(r.runs, "run"),
      r.runs == 1 ? "shows" : "showed");
}

// The runs before the first, and what they set.
std::string scouts_text(const HuntResult& r) {
  const ScoutReport& scouts = r.scouts;
  std::string text;
  if (scouts.runs > 0) {
    text = fmt::format("{} before the first run, {} in {}", counted(scouts.runs, "run", "runs"),
                       counted(scouts.steps, "step", "steps"), elapsed_text(scouts.elapsed_s));
    if (scouts.fair_steps_max > 0)
      text += fmt::format("; the longest fair run had {}", counted(scouts.fair_steps_max, "step", "steps"));
  }
  if (!scouts.unfair_steps_max) return text;
  return text + fmt::format("{}an unfair run that starves an actor may be cut off after {} steps",
                            text.empty() ? "" : ", so ", with_commas(*scouts.unfair_steps_max));
}

void add_shares(LabelRows& rows, const HuntResult& r) {
  for (const StrategyShare& share : r.shares) {
    std::string text = fmt::format("{}: {}", share.strategy, counted(share.runs, "run"));
    if (share.buggy_runs > 0) text += fmt::format(", {} violated", with_commas(share.buggy_runs));
    if (share.first_bug_run) text += fmt::format(", the first is run {}", with_commas(*share.first_bug_run));
    rows.add("member", text);
  }
}

std::string runs_text(const HuntResult& r) {
  std::string text = fmt::format("{} in {}{}", with_commas(r.runs), elapsed_text(r.elapsed_s),
                                 rate_text(r.runs, r.elapsed_s));
  if (r.buggy_runs > 0) text += fmt::format(", {} violated", with_commas(r.buggy_runs));
  if (r.first_bug_run)
    text += fmt::format(", the first is run {} (counted from 0)", with_commas(*r.first_bug_run));
  if (r.blocked_runs > 0)
    text += fmt::format("; {} more {}", with_commas(r.blocked_runs),
                        r.dependence.empty() ? "cut off when they reached the same world for the third time"
                                             : "blocked by the reduction");
  return text;
}

std::string seen_in_runs(const FoundViolation& found) {
  return fmt::format("run {}, seen in {}", with_commas(found.first_run), counted(found.runs, "run"));
}

// The second line of a violation: the run, how long it took, and with which options.
std::string found_text(const HuntResult& r) {
  const std::string options = options_text(r.options);
  const FoundViolation& first = r.violations.front();
  std::string text =
      fmt::format("in run {} of {}, seed {}, after {}: {}", with_commas(first.first_run), r.strategy, r.seed,
                  elapsed_text(r.elapsed_s), counted(first.document.steps.size(), "step"));
  if (r.violations.size() > 1 || r.buggy_runs > 1)
    text += fmt::format("; {} of {} violated", with_commas(r.buggy_runs), counted(r.runs, "run"));
  return text + (options.empty() ? "" : "; options " + options);
}

// --- explore

std::string verdict_line(const ExploreResult& r) {
  if (!r.violations.empty()) return violated_line(r.scenario, r.violations);
  const std::string states = counted(r.states, "state");
  if (r.interrupted) return fmt::format("INTERRUPTED: no violation in {} of {} so far\n", states, r.scenario);
  if (!r.complete) {
    return fmt::format("UNKNOWN: no violation in {} of {}, but the search is incomplete ({})\n", states,
                       r.scenario, r.incomplete_because.empty() ? "it was cut off" : r.incomplete_because);
  }
  if (!r.unreached_goals.empty()) {
    return fmt::format("UNKNOWN: no violation in {} of {}, but {}\n", states, r.scenario,
                       goals_text(r.unreached_goals));
  }
  return fmt::format("No violation in all {}{} of {}: the search is complete\n", states,
                     r.symmetries > 1 ? " up to symmetry" : "", r.scenario);
}

std::string meaning(const ExploreResult& r) {
  std::string text;
  if (r.complete) {
    text = r.symmetries > 1
               ? "every reachable state within these options was visited, up to permutations of group members"
               : "every reachable state within these options was visited";
  } else if (r.violations.empty()) {
    text = "states that were not visited may still have violations";
  } else {
    text = fmt::format(
        "the search is breadth first, so no shorter execution violates the property; it is incomplete ({})",
        r.incomplete_because.empty() ? "it was cut off" : r.incomplete_because);
  }
  if (r.bitstate) {
    return text + fmt::format(
                      ". Only a bit table was kept: an expected {:.2g} states were omitted (any at all with "
                      "probability {:.2g}, for random fingerprints), with all states that are only reachable "
                      "through them",
                      r.expected_omissions, r.omission_probability());
  }
  if (r.exact) return text + ". Whole states were compared, so no two were confused";
  return text + fmt::format(
                    ". States were compared by fingerprints: with probability at most {:.2g} a state was "
                    "confused with another and omitted (--exact rules this out)",
                    r.collision_probability);
}

std::string nowhere(const FoundViolation&) { return {}; }

// The second line of a violation: where it was, how long it took, and with which options.
std::string found_text(const ExploreResult& r) {
  const std::string options = options_text(r.options);
  const FoundViolation& first = r.violations.front();
  std::string text = fmt::format("after {} and {}", counted(r.states, "state"), elapsed_text(r.elapsed_s));
  // States are visited in the order of their distance; loops are not.
  if (first.violation.loop_from == no_step)
    text += fmt::format("; no execution with fewer than {} violates it",
                        counted(first.document.steps.size(), "step"));
  return text + (options.empty() ? "" : "; options " + options);
}

}  // namespace

std::string guarantee_sentence(const HuntResult& result) {
  const Guarantee& g = result.guarantee;
  if (!g.per_run) return "";
  std::uint64_t depth = 0;
  for (const auto& [name, value] : g.inputs) depth = name == "depth" ? value : depth;
  const std::string runs = g.runs == result.runs ? fmt::format("these {}", counted(g.runs, "run"))
                                                 : fmt::format("{} of these {} runs", with_commas(g.runs),
                                                               with_commas(result.runs));
  const std::string share = percent(g.confidence);
  const std::string probability = share.starts_with("over") ? share : "at least " + share;
  if (!g.shows_when.empty())
    return fmt::format("a bug that shows whenever {} would have been found by {} with probability {}",
                       g.shows_when, runs, probability);
  return fmt::format(
      "a bug that shows whenever {} come{} in a certain order as late as possible (depth {}) would have been "
      "found by {} with probability {}",
      depth == 1 ? "one event" : fmt::format("{} events", depth), depth == 1 ? "s" : "", depth, runs,
      probability);
}

std::string summary_text(const HuntResult& result, const SummaryOptions& options) {
  LabelRows rows(options.show.width);
  const bool violated = !result.violations.empty();
  if ((violated || !options.numbers) && !options.verbose) {
    if (violated) {
      rows.add("found", found_text(result));
      rows.add("confirmed", confirmed_text(result.violations.front(), options));
    }
    const bool suspected = result.verdict() == Verdict::suspected;
    if (suspected || (violated && result.search && result.complete)) rows.add("meaning", meaning(result));
    add_certificate(rows, options);
    add_warnings(rows, result.warnings);
    return verdict_line(result) + rows.text() + findings_text(result.violations, options, seen_in_runs);
  }
  rows.add("options", options_text(result.options));
  rows.add("strategy", fmt::format("{}, seed {}", result.strategy, result.seed));
  rows.add("runs", runs_text(result));
  rows.add("steps", fmt::format("{}{}, {} in the longest run, at most {} allowed", with_commas(result.steps),
                                rate_text(result.steps, result.elapsed_s), with_commas(result.steps_max_seen),
                                with_commas(result.steps_max)));
  rows.add("scouts", scouts_text(result));
  rows.add("behaviours", fmt::format("{}{} distinct", result.distinct_is_lower_bound ? "at least " : "",
                                     with_commas(result.distinct_traces)));
  add_coverage(rows, result.coverage, result.violations.empty());
  rows.add("estimate", unseen_text(result));
  if (options.verbose) add_shares(rows, result);
  add_liveness(rows, result);
  add_guarantee(rows, result);
  rows.add("meaning", meaning(result));
  if (violated) rows.add("confirmed", confirmed_text(result.violations.front(), options));
  const bool nondeterministic =
      std::any_of(result.violations.begin(), result.violations.end(),
                  [](const FoundViolation& found) { return found.violation.is_nondeterminism(); });
  if (options.determinism_checked && !nondeterministic)
    rows.add("determinism", "every run was executed two more times with the same result");
  add_certificate(rows, options);
  add_warnings(rows, result.warnings);
  return verdict_line(result) + rows.text() + findings_text(result.violations, options, seen_in_runs);
}

std::string summary_text(const ExploreResult& result, const SummaryOptions& options) {
  LabelRows rows(options.show.width);
  if (!result.violations.empty() && !options.verbose) {
    rows.add("found", found_text(result));
    rows.add("confirmed", confirmed_text(result.violations.front(), options));
    add_warnings(rows, result.warnings);
    return verdict_line(result) + rows.text() + findings_text(result.violations, options, nowhere);
  }
  rows.add("options", options_text(result.options));
  rows.add("states", fmt::format("{}, {}, depth {}", with_commas(result.states),
                                 counted(result.end_states, "end state"), with_commas(result.depth)));
  rows.add("transitions",
           fmt::format("{} in {}{}, {}", with_commas(result.transitions), elapsed_text(result.elapsed_s),
                       rate_text(result.transitions, result.elapsed_s), counted(result.workers, "job")));
  if (result.symmetries > 1) {
    rows.add("symmetry",
             fmt::format("{}: {} permutations", result.symmetric, with_commas(result.symmetries)));
  }
  if (!result.complete && result.frontier > 0)
    rows.add("not expanded", counted(result.frontier, "known state", "known states"));
  rows.add("handlers", fmt::format("called {}", counted(result.handler_calls, "time")));
  rows.add("memory", human_bytes(result.memory_bytes) +
                         (result.disk_bytes > 0 ? fmt::format(", {} of the frontier written to disk",
                                                              human_bytes(result.disk_bytes))
                                                : ""));
  add_coverage(rows, result.coverage, result.violations.empty());
  rows.add("meaning", meaning(result));
  if (!result.live.empty()) {
    rows.add("liveness", fmt::format("proved for {}: no fair execution stays hot for ever or ends hot ({}; "
                                     "coins are fair; faults must end only if the scenario says so)",
                                     fmt::join(result.live, ", "), fairness_text(result.fairness)));
  }
  add_warnings(rows, result.warnings);
  return verdict_line(result) + rows.text() + findings_text(result.violations, options, nowhere);
}

}  // namespace gainsay
