#include "papers/experiments/sizes.hpp"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "papers/zoo/experiment.hpp"
#include "papers/zoo/print.hpp"

namespace gainsay::tools::zoo {
namespace {

std::string without_comment(const std::string& line) { return line.substr(0, line.find("//")); }

bool is_blank(const std::string& line) { return line.find_first_not_of(" \t") == std::string::npos; }

// The names in `Messages<A, b::B<C>, D>`, which begins at `at`.
std::vector<std::string> names_in(const std::string& code, std::size_t at) {
  std::vector<std::string> names;
  std::string name;
  int depth = 0;
  for (std::size_t i = code.find('<', at); i < code.size(); ++i) {
    const char c = code[i];
    if (c == '<' && ++depth == 1) continue;
    if ((c == '>' && --depth == 0) || (c == ',' && depth == 1)) {
      if (!name.empty()) names.push_back(name);
      name.clear();
      if (c == '>') break;
    } else if (c != ' ' && c != '\n') {
      name += c;
    }
  }
  return names;
}

}  // namespace

void SourceSize::add(const SourceSize& other) {
  files += other.files;
  lines += other.lines;
  code += other.code;
  actors += other.actors;
  monitors += other.monitors;
  handlers += other.handlers;
  messages.insert(other.messages.begin(), other.messages.end());
}

SourceSize size_of_text(const std::string& text) {
  SourceSize size;
  size.files = 1;
  std::istringstream lines(text);
  std::string code;
  for (std::string line; std::getline(lines, line);) {
    ++size.lines;
    const std::string bare = without_comment(line);
    if (is_blank(bare)) continue;
    ++size.code;
    code += bare + "\n";
  }
  GAINSAY_CHECK(size.code <= size.lines, "lines of code are lines");
  static const std::regex receives("using\\s+Receives\\s*="), observes("using\\s+Observes\\s*="),
      handler("(void|Task<[^;{]*>|Task)\\s+on\\(const\\s");
  for (std::sregex_iterator it(code.begin(), code.end(), receives), none; it != none; ++it) {
    ++size.actors;
    for (const std::string& name : names_in(code, static_cast<std::size_t>(it->position())))
      size.messages.insert(name);
  }
  const auto count = [&](const std::regex& what) {
    return static_cast<std::uint64_t>(
        std::distance(std::sregex_iterator(code.begin(), code.end(), what), std::sregex_iterator()));
  };
  size.monitors = count(observes);
  size.handlers = count(handler);
  return size;
}

SourceSize size_of_files(const std::vector<std::filesystem::path>& files) {
  SourceSize size;
  for (const std::filesystem::path& path : files) {
    std::ifstream file(path);
    if (!file)
      throw UserError(
          fmt::format("{}: cannot be read; sizes are counted at the root of the source tree", path.string()));
    std::stringstream text;
    text << file.rdbuf();
    size.add(size_of_text(text.str()));
  }
  return size;
}

SourceSize size_of_folder(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder))
    throw UserError(
        fmt::format("{}: no such folder; sizes are counted at the root of the source tree", folder.string()));
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool is_source = name.ends_with(".hpp") || name.ends_with(".cpp");
    if (is_source && !name.ends_with(".test.cpp")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return size_of_files(files);
}

namespace {

// Table 6.1 of the thesis.
struct Sample {
  const char* program;
  const char* folder;
  std::uint64_t lines, machines, messages;
  const char* bugs;
};
const std::vector<Sample> samples = {
    {"BoundedAsync", "bounded_async", 288, 2, 7, "safety"},
    {"ChainReplication", "chain_replication", 1562, 5, 46, "safety"},
    {"Raft", "raft", 1302, 5, 29, "safety"},
    {"Chord", "chord", 917, 3, 22, "liveness"},
    {"ReplicatingStorage", "replicating_storage", 978, 7, 37, "liveness"},
    {"FailureDetector", "failure_detector", 674, 4, 19, "both"},
    {"TwoPhaseCommit", "two_phase_commit", 725, 5, 29, "-"},
    {"MultiPaxos", "multi_paxos", 1095, 5, 26, "-"},
    {"CacheCoherence", "cache_coherence", 420, 3, 17, "-"},
};

// Table 1 of the paper on P#: code under test and harness. A 0 there is a figure that was not filled in.
struct CaseStudy {
  const char* name;
  std::vector<std::filesystem::path> system;
  std::vector<std::filesystem::path> harness;
  Rows theirs;  // system, harness, machines, handlers, bugs
};

std::vector<CaseStudy> case_studies() {
  const std::filesystem::path extents = "systems/extent_manager", tables = "systems/migrating_table",
                              fabric = "systems/fabric";
  return {{"Azure Storage vNext",
           {extents / "component/extent_manager.hpp", extents / "component/extent_manager.cpp"},
           {extents / "extent_manager.hpp", extents / "extent_manager.cpp"},
           {{"system", nullptr}, {"harness", 684}, {"machines", 5}, {"handlers", 17}, {"bugs", 1}}},
          {"Live Table Migration",
           {tables / "protocol.hpp", tables / "protocol.cpp"},
           {tables / "table.hpp", tables / "table.cpp", tables / "migrating_table.hpp",
            tables / "migrating_table.cpp"},
           {{"system", 2267}, {"harness", 2275}, {"machines", 3}, {"handlers", 10}, {"bugs", 7}}},
          {"Fabric User Service",
           {fabric / "cscale.hpp"},
           {fabric / "service.hpp", fabric / "wire.hpp", fabric / "calls.hpp", fabric / "cluster_runtime.hpp",
            fabric / "service_runtime.hpp", fabric / "replica_runtime.hpp"},
           {{"system", nullptr},
            {"harness", nullptr},
            {"machines", nullptr},
            {"handlers", nullptr},
            {"bugs", nullptr}}}};
}

Rows measure_sizes(const ExperimentHow&) {
  Rows rows = Rows::array();
  for (const Sample& sample : samples) {
    const SourceSize size = size_of_folder(std::filesystem::path("systems") / sample.folder);
    rows.push_back({{"kind", "sample"},
                    {"program", sample.program},
                    {"lines", size.lines},
                    {"thesis_lines", sample.lines},
                    {"actors", size.actors},
                    {"thesis_machines", sample.machines},
                    {"messages", size.messages.size()},
                    {"thesis_messages", sample.messages},
                    {"bugs", sample.bugs}});
  }
  for (const CaseStudy& study : case_studies()) {
    const SourceSize system = size_of_files(study.system);
    const SourceSize harness = size_of_files(study.harness);
    rows.push_back({{"kind", "case"},
                    {"name", study.name},
                    {"system", study.system.empty() ? Rows() : Rows(system.code)},
                    {"harness", harness.code},
                    {"actors", harness.actors},
                    {"monitors", harness.monitors},
                    {"handlers", harness.handlers},
                    {"theirs", study.theirs}});
  }
  return rows;
}

Rendered render_sizes(const Rows& rows) {
  std::vector<std::vector<std::string>> programs = {{"program", "lines", "thesis", "kinds of actors",
                                                     "machine types", "messages", "message types",
                                                     "known bugs"}};
  std::vector<std::vector<std::string>> studies = {{"case study", "system", "P#'s", "harness", "P#'s harness",
                                                    "actors", "P#'s machines", "monitors", "handlers",
                                                    "P#'s handlers"}};
  for (const Rows& row : rows) {
    if (row["kind"] == "sample") {
      programs.push_back({row["program"].get<std::string>(), number_text(row["lines"]),
                          number_text(row["thesis_lines"]), number_text(row["actors"]),
                          number_text(row["thesis_machines"]), number_text(row["messages"]),
                          number_text(row["thesis_messages"]), row["bugs"].get<std::string>()});
      continue;
    }
    const Rows& theirs = row["theirs"];
    studies.push_back({row["name"].get<std::string>(), number_text(row["system"]),
                       number_text(theirs["system"]), number_text(row["harness"]),
                       number_text(theirs["harness"]), number_text(row["actors"]),
                       number_text(theirs["machines"]), number_text(row["monitors"]),
                       number_text(row["handlers"]), number_text(theirs["handlers"])});
  }
  return {
      "The nine P# programs of the thesis (table 6.1). Lines count comments and blank ones; kinds of actors "
      "are counted "
      "without monitors.\n\n" +
          markdown_table(programs) +
          "\nThe case studies of the paper on P# (table 1). Lines of code, without comments and blank lines; "
          "`-` where the "
          "table has no figure: the text that we have leaves vNext's size and all of Fabric at 0. P# counts "
          "a monitor as a "
          "machine, here they stand apart.\n\n" +
          markdown_table(studies) +
          "\nWhat is the system and what the harness: the extent manager is production code in `component/` "
          "and knows "
          "nothing of Gainsay; of the migrating table the protocol is the system, the backend tables, "
          "services and inputs "
          "around it the harness; of Fabric the stream processor is the system, with its client, and the "
          "platform the harness.\n",
      {}};
}

const RegisterExperiment sizes_registration{
    {"sizes", "Sizes of systems and harnesses, counted in the sources", &measure_sizes, &render_sizes}};

}  // namespace
}  // namespace gainsay::tools::zoo
