#include "gainsay/report/trace_summary.hpp"

#include <fmt/format.h>

#include "gainsay/base/text.hpp"
#include "gainsay/report/label_rows.hpp"

namespace gainsay {

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
  LabelRows rows(options.show.width);
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

}  // namespace gainsay
