// What machines read of a result, from one list of cases: JUnit for CI servers, SARIF 2.1.0 for code scanning, and
// annotations of GitHub's workflows.
//
// A case is a scenario, a trace or a history, with an exit code: 0 is a pass, 1 (violated) a failure, all else (bad
// input, unknown) an error, because nothing was decided. Its findings say what is violated and where: the line of the
// property or of the failed check where it is known, else the scenario's; the trace is named beside it. All texts
// come from code under test, so all of them are escaped.
#pragma once

#include <string>
#include <vector>

#include "gainsay/report/history_report.hpp"
#include "gainsay/scenario/registry.hpp"
#include "gainsay/trace/results.hpp"

namespace CLI {
class App;
}

namespace gainsay::tools {

struct CiFinding {
  std::string rule;  // the property
  std::string message;
  bool suspected = false;
  SourcePlace place{};     // what is violated
  std::string artifact{};  // the file with the trace; "": there is none
};

struct CiCase {
  std::string name;
  int code = 0;
  std::string message{};  // where it is not 0
  std::string detail{};   // what to do next
  std::string trace{};    // the execution that shows it, as text
  std::vector<CiFinding> findings{};
};

// What was asked for on the command line.
struct CiFiles {
  std::string junit{};
  std::string sarif{};
  std::string annotations{};  // "github", or ""

  bool asked() const { return !junit.empty() || !sarif.empty() || !annotations.empty(); }
};
void add_ci(CLI::App& app, CiFiles& files);
// Throws UserError where a file could not be written; for before the work.
void require_ci_writable(const CiFiles& files);
// `group`: what the cases are ("scenarios"). Annotations go to stderr, so that stdout stays what it is.
void write_ci(const CiFiles& files, const std::string& verb, const std::string& group,
              const std::vector<CiCase>& cases);

// Of a campaign: `otherwise` is the message where there is no violation and the code is not 0.
CiCase ci_case(const Scenario& scenario, const OptionTexts& options,
               const std::vector<FoundViolation>& violations, const std::vector<std::string>& trace_files,
               int code, const std::string& otherwise);

// Of a recorded history: it points at the line of the operation that cannot be placed, where its format has lines.
CiCase ci_case(const HistoryReport& report);

std::string junit_text(const std::string& suite, const std::string& group, const std::vector<CiCase>& cases);
std::string sarif_text(const std::string& verb, const std::vector<CiCase>& cases);
std::string annotations_text(const std::vector<CiCase>& cases);

// A case on its way from the process that made it.
std::string ci_case_json(const CiCase& each);
CiCase read_ci_case(const std::string& json);

}  // namespace gainsay::tools
