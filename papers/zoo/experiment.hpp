// Experiment: what a paper measured that is no table of systems and strategies (table.hpp).
//
// `measure` gives rows, `render` makes words, tables and pictures of them, and of nothing else: every number in the
// text is one of a row, or is worked out from rows. So a document can be made again from kept rows, and a test can ask
// whether it was.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace gainsay::tools::zoo {

using Rows = nlohmann::ordered_json;  // a list of objects

struct ExperimentHow {
  bool quick = false;                       // small budgets, for a first look and for CI
  const std::atomic<bool>* stop = nullptr;  // set: end soon
  bool stopped() const { return stop != nullptr && stop->load(); }
};

struct Rendered {
  std::string text;                         // Markdown
  std::map<std::string, std::string> svgs;  // by the name of the file, beside the document in results/
};

struct Experiment {
  std::string name;
  std::string about;
  Rows (*measure)(const ExperimentHow& how) = nullptr;
  Rendered (*render)(const Rows& rows) = nullptr;
};

const std::vector<Experiment>& experiments();
// Null: there is none of this name.
const Experiment* find_experiment(const std::string& name);

struct RegisterExperiment {
  explicit RegisterExperiment(Experiment experiment);
};

// Rows as one line of a file, under a name, and back. The name is empty where the line is something else.
struct KeptRows {
  std::string key;
  std::string measured;  // as in Row
  Rows rows;
};
std::string experiment_line(const KeptRows& kept);
KeptRows parse_experiment_rows(const std::string& line);

// A list of rows as a JSON document with a line for each.
std::string rows_text(const Rows& rows);

// "12,345" of a row's number; "-" where it is null.
std::string number_text(const Rows& value);

}  // namespace gainsay::tools::zoo
