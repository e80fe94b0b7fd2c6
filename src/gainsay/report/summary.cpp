#include "gainsay/report/summary.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "gainsay/base/text.hpp"
#include "gainsay/report/row.hpp"

namespace gainsay {
namespace {

// Longer executions are not drawn in a summary; `show` draws them.
constexpr std::size_t diagram_steps_max = 120;
// Wider text is hard to read, however wide the terminal is.
constexpr std::size_t text_columns_max = 110;

std::string elapsed_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
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

std::string options_text(const std::vector<std::pair<std::string, std::string>>& options) {
  std::string text;
  for (const auto& [name, value] : options)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

// Lines of the form `  label   text`, the text broken and indented under itself.
class Rows {
 public:
  explicit Rows(std::size_t width) : width_(std::min(width, text_columns_max)) {}

  void add(std::string label, std::string text) {
    if (!text.empty()) rows_.emplace_back(std::move(label), std::move(text));
  }
  std::string text() const {
    std::size_t label_width = 0;
    for (const auto& row : rows_) label_width = std::max(label_width, display_width(row.first));
    const std::size_t before = label_width + 4;
    std::string out;
    for (const auto& [label, text] : rows_) {
      std::string head = "  " + label + std::string(label_width - display_width(label) + 2, ' ');
      for (const std::string& line :
           wrapped(clean(text, false), std::max<std::size_t>(width_, before + 30) - before)) {
        out += head + line + "\n";
        head.assign(before, ' ');
      }
    }
    return out;
  }

 private:
  std::size_t width_;
  std::vector<std::pair<std::string, std::string>> rows_;
};

std::string percent(double share) {
  // Never rounded up to certainty.
  for (int digits = share < 0.1 && share > 0 ? 2 : 0; digits < 9; ++digits) {
    const std::string text = fmt::format("{:.{}f}", share * 100, digits);
    if (share < 0.99 || (digits > 0 && std::stod(text) < 100)) return text + " %";
  }
  return share == 1 ? "100 %" : "over 99.9999999 %";
}

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
void add_coverage(Rows& rows, const std::vector<MachineCoverage>& machines, bool name_gaps) {
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

void add_warnings(Rows& rows, const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) rows.add("warning", warning);
}

void add_certificate(Rows& rows, const SummaryOptions& options) {
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
void add_liveness(Rows& rows, const HuntResult& r) {
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

void add_guarantee(Rows& rows, const HuntResult& r) {
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

void add_shares(Rows& rows, const HuntResult& r) {
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

// --- list

std::string option_line(const OptionInfo& option) {
  std::string text = fmt::format("{}={}", option.name, option.default_text);
  if (!option.values.empty()) {
    text += fmt::format(" ({})", fmt::join(option.values, ", "));
  } else if (!option.type.empty()) {
    text += fmt::format(" ({})", option.type);
  }
  return text + (option.help.empty() ? "" : ": " + option.help);
}

bool plain_word(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-+=./:,@%").find(c) != std::string_view::npos;
  });
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
  if (!g.shows_when.empty())
    return fmt::format(
        "a bug that shows whenever {} would have been found by {} with probability at least {}", g.shows_when,
        runs, percent(g.confidence));
  return fmt::format(
      "a bug that shows whenever {} come{} in a certain order as late as possible (depth {}) would have been "
      "found by {} with probability at least {}",
      depth == 1 ? "one event" : fmt::format("{} events", depth), depth == 1 ? "s" : "", depth, runs,
      percent(g.confidence));
}

std::string summary_text(const HuntResult& result, const SummaryOptions& options) {
  Rows rows(options.show.width);
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
  Rows rows(options.show.width);
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

std::vector<SeededBug> seeded_bugs(const std::vector<OptionInfo>& options) {
  std::vector<SeededBug> bugs;
  for (const OptionInfo& option : options) {
    if (option.name != "bug" || option.type != "one of") continue;
    for (const std::string& value : option.values) {
      if (value == "none") continue;
      const auto help = std::find_if(option.value_help.begin(), option.value_help.end(),
                                     [&](const auto& entry) { return entry.first == value; });
      bugs.push_back({"bug=" + value, help == option.value_help.end() ? "" : help->second});
    }
  }
  return bugs;
}

std::string summary_text(const std::vector<Listing>& listings, std::size_t width) {
  std::string out;
  for (const Listing& listing : listings) {
    out += fmt::format("{}{}{}{}{}\n", out.empty() ? "" : "\n", listing.name,
                       listing.description.empty() ? "" : ": ", listing.description,
                       listing.kind.empty() ? "" : " [" + listing.kind + "]");
    Rows rows(width);
    rows.add("actors", fmt::format("{}", fmt::join(listing.actors, ", ")));
    rows.add("monitors", fmt::format("{}", fmt::join(listing.monitors, ", ")));
    rows.add("properties", fmt::format("{}", fmt::join(listing.properties, ", ")));
    rows.add("problem", listing.problem);
    const char* label = "options";
    for (const OptionInfo& option : listing.options) rows.add(std::exchange(label, ""), option_line(option));
    label = "bugs";
    for (const SeededBug& bug : seeded_bugs(listing.options)) {
      rows.add(std::exchange(label, ""),
               bug.option + (bug.description.empty() ? "" : ": " + bug.description));
    }
    out += rows.text();
  }
  return out;
}

std::string summary_text(const ShrinkReport& report, const SummaryOptions& options) {
  const bool smaller = report.document.steps.size() < report.steps_before;
  std::string text = smaller ? fmt::format("{} steps became {}, with the same violation ({} attempts)\n",
                                           report.steps_before, report.document.steps.size(), report.attempts)
                             : fmt::format("none of the {} steps can be removed ({} attempts)\n",
                                           report.steps_before, report.attempts);
  for (const std::string& each : report.simpler) text += fmt::format("  {}\n", each);
  if (options.diagram) text += "\n" + space_time_diagram(report.document, options.show) + "\n";
  return text + fmt::format("  replay: {}\n  show:   {}\n",
                            shell_command({options.program, "replay", report.small_file}),
                            shell_command({options.program, "show", report.small_file}));
}

int ReplayReport::exit_code() const {
  switch (outcome) {
    case Outcome::same_violation:
    case Outcome::other_violation:
      return 1;
    case Outcome::no_violation:
    case Outcome::no_longer_violated:
      return 0;
    case Outcome::not_repeated:
    case Outcome::diverged:
      return 3;
  }
  return 3;
}

std::string_view outcome_name(ReplayReport::Outcome outcome) {
  switch (outcome) {
    case ReplayReport::Outcome::same_violation:
      return "reproduced";
    case ReplayReport::Outcome::other_violation:
      return "another violation";
    case ReplayReport::Outcome::no_violation:
      return "no violation, as recorded";
    case ReplayReport::Outcome::no_longer_violated:
      return "no longer violated";
    case ReplayReport::Outcome::not_repeated:
      return "not repeated";
    case ReplayReport::Outcome::diverged:
      return "diverged";
  }
  return "";
}

std::string find_again_command(const RunHeader& header, const std::string& program) {
  std::vector<std::string> words{program, header.strategy == "explore" ? "explore" : "hunt", header.scenario};
  for (const auto& [name, value] : header.options) {
    words.emplace_back("--option");
    words.push_back(name + "=" + value);
  }
  if (header.strategy != "explore")
    words.insert(words.end(), {"--strategy", header.strategy, "--seed", std::to_string(header.seed)});
  return shell_command(words);
}

std::string summary_text(const ReplayReport& report, const SummaryOptions& options) {
  const std::string steps = counted(report.document.steps.size(), "step");
  std::string out;
  switch (report.outcome) {
    case ReplayReport::Outcome::same_violation:
      out = fmt::format("replayed {}: same violation\n", steps);
      break;
    case ReplayReport::Outcome::other_violation:
      out = fmt::format("replayed {}: ANOTHER violation, not the recorded one\n", steps);
      break;
    case ReplayReport::Outcome::no_violation:
      out = fmt::format("replayed {}: no violation, as recorded (the execution ends: {})\n", steps,
                        report.document.end);
      break;
    case ReplayReport::Outcome::no_longer_violated:
      out = fmt::format("replayed {}: no longer violated\n", steps);
      break;
    case ReplayReport::Outcome::not_repeated:
      out = fmt::format("replayed {}: UNKNOWN, the recorded violation did not show again\n", steps);
      break;
    case ReplayReport::Outcome::diverged:
      out = fmt::format("UNKNOWN: the trace cannot be followed, it diverges at step {}\n", report.step);
      break;
  }
  if (!options.verbose && !options.diagram) return out;
  Rows rows(options.show.width);
  rows.add("scenario", report.document.scenario);
  rows.add("options", options_text(report.document.options));
  if (!report.divergence.empty()) rows.add("reason", report.divergence);
  if (report.violation) {
    rows.add("property", report.violation->property);
    rows.add("message", report.violation->message);
    rows.add("actor", report.document.violating_actor);
  }
  for (const std::string& note : report.notes) rows.add("note", note);
  out += rows.text();
  if (report.outcome == ReplayReport::Outcome::diverged)
    out += fmt::format("  find the bug again: {}\n", find_again_command(report.recorded, options.program));
  if (options.verbose) out += "\n" + space_time_diagram(report.document, options.show) + "\n";
  return out + fmt::format("  show: {}\n", shell_command({options.program, "show", report.trace_file}));
}

std::string shell_command(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += ' ';
    if (plain_word(word)) {
      out += word;
      continue;
    }
    out += '\'';
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    out += '\'';
  }
  return out;
}

}  // namespace gainsay
