#include "tools/ci_report.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/adapter/recorded_world.hpp"
#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/base/whole_file.hpp"
#include "gainsay/report/row.hpp"
#include "gainsay/report/show.hpp"
#include "tools/arguments.hpp"

namespace gainsay::tools {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

std::string xml(std::string_view text) {
  std::string out;
  for (const char c : clean(text, false)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Lines stay lines; what else controls a terminal or a document does not come through.
std::string xml_lines(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += xml(std::string_view(text).substr(at, end - at));
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

// Paths are given as the repository has them, if the program runs in one.
fs::path root_folder() {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  for (fs::path folder = here; !folder.empty(); folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", error)) return folder;
    if (folder == folder.root_path()) break;
  }
  return here;
}

// Relative to the root where it is inside; else absolute.
std::string path_for_reports(const std::string& file) {
  std::error_code error;
  const fs::path whole = fs::absolute(file, error).lexically_normal();
  const fs::path relative = whole.lexically_relative(root_folder());
  const bool inside = !relative.empty() && *relative.begin() != "..";
  return (inside ? relative : whole).generic_string();
}

std::string uri_of(const std::string& file) {
  const std::string path = path_for_reports(file);
  std::string out = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

Json location_of(const std::string& file, std::uint32_t line, const std::string& case_name) {
  Json physical{{"artifactLocation", {{"uri", uri_of(file)}}}};
  if (line > 0) physical["region"] = {{"startLine", line}};
  return {{"physicalLocation", std::move(physical)},
          {"logicalLocations", Json::array({{{"name", clean(case_name, false)}}})}};
}

Json result_of(const CiCase& each, const CiFinding& finding, std::size_t rule) {
  Json result{{"ruleId", clean(finding.rule, false)},
              {"ruleIndex", rule},
              {"level", finding.suspected ? "warning" : "error"},
              {"message", {{"text", clean(each.name + ": " + finding.message, false)}}}};
  const bool placed = finding.place.is_known();
  Json locations = Json::array();
  if (placed) {
    locations.push_back(location_of(finding.place.file, finding.place.line, each.name));
  } else if (!finding.artifact.empty()) {
    locations.push_back(location_of(finding.artifact, 0, each.name));
  }
  result["locations"] = std::move(locations);
  if (placed && !finding.artifact.empty()) {
    Json related = location_of(finding.artifact, 0, each.name);
    related["id"] = 1;
    related["message"] = {{"text", "the execution that shows it"}};
    result["relatedLocations"] = Json::array({std::move(related)});
  }
  // The same violation of another day is the same finding, wherever the line has gone.
  result["partialFingerprints"] = {
      {"violation/v1", fmt::format("{:016x}", mix(hash_text(each.name), hash_text(finding.rule)))}};
  if (!each.detail.empty()) result["properties"] = {{"next", each.detail}};
  return result;
}

// GitHub's escapes: of a message, and of a property before it.
std::string of_message(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '%' || c == '\r' || c == '\n') {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}
std::string of_property(std::string_view text) {
  std::string out;
  for (const char c : of_message(text)) {
    if (c == ':' || c == ',') {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

SourcePlace place_of(const Violation& violation, const Blueprint& blueprint, const Scenario& scenario) {
  if (violation.kind() == ViolationKind::check) {
    if (auto place = place_of_failed_check(violation.message)) return *std::move(place);
  }
  for (const auto& [name, place] : blueprint.places) {
    if (name == violation.property) return place;
  }
  return scenario.place();
}

// The execution as it is shown in a terminal; of a long one, how it ends.
std::string end_of(const TraceDocument& document) {
  constexpr std::size_t steps_max = 200;
  ShowOptions show{.width = 120};
  if (document.steps.size() > steps_max) show.from = document.steps.size() - steps_max + 1;
  return space_time_diagram(document, show);
}

}  // namespace

void add_ci(CLI::App& app, CiFiles& files) {
  add_text(app, "--junit", "FILE", files.junit, "write a JUnit report for a CI server");
  add_text(app, "--sarif", "FILE", files.sarif, "write a SARIF 2.1.0 report for code scanning");
  add_word(app, "--annotations", {"github"}, files.annotations,
           "print violations as workflow annotations, on stderr");
}

void require_ci_writable(const CiFiles& files) {
  if (!files.junit.empty()) require_writable(files.junit, "report");
  if (!files.sarif.empty()) require_writable(files.sarif, "report");
}

void write_ci(const CiFiles& files, const std::string& verb, const std::string& group,
              const std::vector<CiCase>& cases) {
  if (!files.junit.empty())
    write_whole_file(files.junit, "report", junit_text(program_name() + " " + verb, group, cases));
  if (!files.sarif.empty()) write_whole_file(files.sarif, "report", sarif_text(verb, cases));
  if (!files.annotations.empty()) {
    const std::string text = annotations_text(cases);
    [[maybe_unused]] const std::size_t written = std::fwrite(text.data(), 1, text.size(), stderr);
  }
}

CiCase ci_case(const Scenario& scenario, const OptionTexts& options,
               const std::vector<FoundViolation>& violations, const std::vector<std::string>& trace_files,
               int code, const std::string& otherwise) {
  CiCase out{scenario.name(), code};
  if (code == 0) return out;
  out.message = otherwise;
  if (violations.empty()) return out;
  const Blueprint blueprint = build_world(scenario, options);
  for (std::size_t i = 0; i < violations.size(); ++i) {
    const Violation& violation = violations[i].violation;
    out.findings.push_back({violation.property, violation.message, violation.is_suspicion(),
                            place_of(violation, blueprint, scenario),
                            i < trace_files.size() ? trace_files[i] : ""});
  }
  const CiFinding& first = out.findings.front();
  out.message = first.rule + ": " + first.message;
  if (!first.artifact.empty()) out.detail = shell_command({program_name(), "replay", first.artifact});
  out.trace = end_of(violations.front().document);
  return out;
}

CiCase ci_case(const HistoryReport& report) {
  CiCase out{report.file, exit_code({report}), report.error.empty() ? report.reason : report.error};
  if (out.code != 1) return out;
  SourcePlace place(report.file == "-" ? "" : report.file, 0);
  constexpr std::string_view line = "line ";
  for (const HistoryBar& bar : report.bars) {
    if (bar.offending && bar.source.starts_with(line))
      place.line = static_cast<std::uint32_t>(std::strtoul(bar.source.c_str() + line.size(), nullptr, 10));
  }
  out.findings.push_back({report.consistency, report.reason, false, std::move(place), ""});
  return out;
}

std::string junit_text(const std::string& suite, const std::string& group, const std::vector<CiCase>& cases) {
  const auto count = [&](auto is) { return std::count_if(cases.begin(), cases.end(), is); };
  const auto failures = count([](const CiCase& each) { return each.code == 1; });
  const auto errors = count([](const CiCase& each) { return each.code > 1; });
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format("<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n", xml(suite),
                     cases.size(), failures, errors);
  for (const CiCase& each : cases) {
    out += fmt::format("  <testcase classname=\"{}\" name=\"{}\"", xml(group), xml(each.name));
    if (each.code == 0) {
      out += "/>\n";
      continue;
    }
    const char* const element = each.code == 1 ? "failure" : "error";
    out +=
        fmt::format(">\n    <{} message=\"{}\">{}</{}>\n  </testcase>\n", element, xml(each.message),
                    xml_lines(each.trace.empty() ? each.detail : each.detail + "\n\n" + each.trace), element);
  }
  return out + "</testsuite>\n";
}

std::string sarif_text(const std::string& verb, const std::vector<CiCase>& cases) {
  std::map<std::string, std::size_t> numbers;
  Json rules = Json::array();
  Json results = Json::array();
  Json notifications = Json::array();
  bool decided = true;
  for (const CiCase& each : cases) {
    for (const CiFinding& finding : each.findings) {
      const auto [rule, added] = numbers.try_emplace(finding.rule, numbers.size());
      if (added) {
        const std::string name = clean(finding.rule, false);
        rules.push_back({{"id", name}, {"shortDescription", {{"text", name}}}});
      }
      results.push_back(result_of(each, finding, rule->second));
    }
    decided = decided && each.code < 2;
    // Of what was not decided there is no result: it says why.
    if (each.code < 2 || !each.findings.empty()) continue;
    notifications.push_back({{"level", each.code == 2 ? "error" : "warning"},
                             {"message", {{"text", clean(each.name + ": " + each.message, false)}}}});
  }
  GAINSAY_CHECK(rules.size() == numbers.size(), "every rule is listed once");
  const Json driver{{"name", "gainsay"}, {"version", GAINSAY_VERSION}, {"rules", std::move(rules)}};
  const Json run{{"tool", {{"driver", driver}}},
                 {"automationDetails", {{"id", "gainsay/" + verb + "/"}}},
                 {"invocations", Json::array({{{"executionSuccessful", decided},
                                               {"toolExecutionNotifications", std::move(notifications)}}})},
                 {"columnKind", "unicodeCodePoints"},
                 {"results", std::move(results)}};
  const Json log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", Json::array({run})}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string annotations_text(const std::vector<CiCase>& cases) {
  std::string out;
  for (const CiCase& each : cases) {
    for (const CiFinding& finding : each.findings) {
      std::string where;
      if (finding.place.is_known()) {
        where = "file=" + of_property(clean(path_for_reports(finding.place.file), false));
        if (finding.place.line > 0) where += fmt::format(",line={}", finding.place.line);
        where += ",";
      }
      std::string message = finding.message;
      if (!finding.artifact.empty()) message += fmt::format(" (trace: {})", finding.artifact);
      out += fmt::format("::{} {}title={}::{}\n", finding.suspected ? "warning" : "error", where,
                         of_property(clean(each.name + ": " + finding.rule, false)),
                         of_message(clean(message, false)));
    }
    if (each.code > 1 && each.findings.empty())
      out += fmt::format("::warning title={}::{}\n", of_property(clean(each.name, false)),
                         of_message(clean(each.message, false)));
  }
  return out;
}

std::string ci_case_json(const CiCase& each) {
  Json findings = Json::array();
  for (const CiFinding& finding : each.findings)
    findings.push_back({finding.rule, finding.message, finding.suspected, finding.place.file,
                        finding.place.line, finding.artifact});
  const Json out{{"name", each.name},     {"code", each.code},   {"message", each.message},
                 {"detail", each.detail}, {"trace", each.trace}, {"findings", std::move(findings)}};
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

CiCase read_ci_case(const std::string& json) {
  const Json object = Json::parse(json);
  CiCase out{object.at("name"), object.at("code"), object.at("message"), object.at("detail"),
             object.at("trace")};
  for (const Json& row : object.at("findings"))
    out.findings.push_back({row.at(0), row.at(1), row.at(2), SourcePlace(row.at(3), row.at(4)), row.at(5)});
  return out;
}

}  // namespace gainsay::tools
