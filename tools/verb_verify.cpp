#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/adapter/recorded_world.hpp"
#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/explorer/certify.hpp"
#include "gainsay/report/row.hpp"
#include "tools/arguments.hpp"
#include "tools/interrupt.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

using Json = nlohmann::ordered_json;

struct VerifyArguments {
  std::string certificate;
  std::optional<std::chrono::nanoseconds> time;
  std::optional<std::uint64_t> configurations;
  bool json = false;
};

// Verification is about the world. Who searched it, and how, cannot be seen there.
constexpr const char* not_checked =
    "tool, strategy, its options and blocked runs: they say how the search went, and decide nothing";

// What does not fit is the file's fault, so every complaint begins with its name.
Blueprint certified_world(const std::string& file, const Certificate& certificate) {
  std::vector<std::string> names;
  for (const Scenario* scenario : scenarios()) {
    names.push_back(scenario->name());
    if (scenario->name() != certificate.scenario) continue;
    try {
      return build_world(*scenario, certificate.options);
    } catch (const UserError& error) {
      throw UserError(fmt::format("{}: {}; the certificate is from a different build", file, error.what()));
    }
  }
  throw UserError(fmt::format("{}: the certificate is for scenario '{}', which this program does not have{}",
                              file, certificate.scenario, did_you_mean(certificate.scenario, names)));
}

std::string counted_text(const Verification& verification) {
  return fmt::format("{}{} executions, {} classes, {} end states; {} configurations in {:.1f} s",
                     with_commas(verification.executions), verification.executions_are_more ? "+" : "",
                     with_commas(verification.classes), with_commas(verification.final_states),
                     with_commas(verification.configurations), verification.elapsed_s);
}

std::string text_of(const std::string& file, const Certificate& certificate,
                    const Verification& verification) {
  std::string text;
  switch (verification.verdict) {
    case Verdict::ok:
      text =
          fmt::format("Confirmed: {} holds for {}\n", clean(file, false), clean(certificate.scenario, false));
      break;
    case Verdict::violated:
      text = fmt::format("Contradicted: {} does not hold for {}\n", clean(file, false),
                         clean(certificate.scenario, false));
      break;
    case Verdict::suspected:
    case Verdict::unknown:
      text = fmt::format("Unknown: {} could not be checked completely ({})\n", file,
                         verification.unknown_because);
      break;
  }
  const std::string said = certificate.classes
                               ? fmt::format("all {} classes (dependence {})",
                                             with_commas(certificate.classes->count), certificate.dependence)
                               : fmt::format("all end states (dependence {})", certificate.dependence);
  text += fmt::format("  certificate  {} by {}, {} executions, verdict {}\n", clean(said, false),
                      clean(certificate.strategy, false), with_commas(certificate.executions),
                      certificate.violations.empty() ? "ok" : "violated");
  text += fmt::format("  counted      {}\n", counted_text(verification));
  text += fmt::format("  not checked  {}\n", not_checked);
  for (const std::string& difference : verification.differences)
    text += fmt::format("  differs      {}\n", clean(difference, false));
  if (verification.verdict == Verdict::unknown)
    text += "  meaning      no contradiction so far; raise the limit\n";
  return text;
}

std::string json_of(const std::string& file, const Certificate& certificate,
                    const Verification& verification) {
  Json object;
  object["file"] = file;
  object["scenario"] = certificate.scenario;
  object["options"] = Json::object();
  for (const auto& [name, value] : certificate.options) object["options"][name] = value;
  object["strategy"] = certificate.strategy;
  object["dependence"] = certificate.dependence;
  object["verdict"] = verification.verdict == Verdict::ok         ? "ok"
                      : verification.verdict == Verdict::violated ? "differs"
                                                                  : "unknown";
  object["differences"] = verification.differences;
  object["not_checked"] = {"tool", "strategy", "strategy_options", "blocked_runs"};
  object["unknown_because"] = verification.unknown_because;
  object["executions"] = verification.executions;
  object["executions_are_more"] = verification.executions_are_more;
  object["configurations"] = verification.configurations;
  object["classes"] = verification.classes;
  object["end_states"] = verification.final_states;
  object["elapsed_s"] = verification.elapsed_s;
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

int verify_verb(const VerifyArguments& arguments) {
  required(arguments.certificate, "verify needs a CERTIFICATE, a file written by hunt --certificate");
  const Certificate certificate = read_certificate_file(arguments.certificate);
  const Blueprint blueprint = certified_world(arguments.certificate, certificate);
  if (!plain_policy(blueprint, certificate.dependence).known || certificate.dependence == "automatic") {
    throw UserError(
        fmt::format("{}: \"dependence\" is {}; expected receiver, properties, linearizability or semantic",
                    arguments.certificate, gainsay::quoted(certificate.dependence)));
  }
  const Interrupt interrupt;
  VerifyOptions options;
  options.time = arguments.time;
  options.configurations_max = arguments.configurations;
  options.stop = interrupt.flag();
  const Verification verification = verify(certificate, blueprint, options);
  say(arguments.json ? json_of(arguments.certificate, certificate, verification)
                     : text_of(arguments.certificate, certificate, verification));
  switch (verification.verdict) {
    case Verdict::ok:
      return 0;
    case Verdict::violated:
      return 1;
    case Verdict::suspected:
    case Verdict::unknown:
      return 3;
  }
  return 3;
}

}  // namespace

Verb add_verify(CLI::App& app) {
  auto arguments = std::make_shared<VerifyArguments>();
  add_positional(app, "CERTIFICATE", arguments->certificate, "a file written by hunt --certificate");
  add_duration(app, "--time", arguments->time, "stop after this time, such as 15s or 2m (never)");
  add_number(app, "--max-configurations", arguments->configurations, {1, UINT64_MAX},
             "stop after this many prefixes of executions, up to equivalence (no limit)");
  add_flag(app, "--json", arguments->json, "one JSON document on stdout");
  set_footer(
      app,
      "Counts all executions again, without using the search's code.\nExit codes: 0 the certificate holds, 1 "
      "it does not,\n            2 bad usage or no certificate, 3 unknown within the limits");
  return [arguments] { return verify_verb(*arguments); };
}

}  // namespace gainsay::tools
