// Where a state graph comes from, for every verb that needs one: a scenario, a dump of TLC, a file that `graph` wrote.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/base/options.hpp"
#include "gainsay/model/scenario_graph.hpp"
#include "gainsay/model/suite.hpp"

namespace CLI {
class App;
}

namespace gainsay::tools {

struct ModelSource {
  std::string name;  // of a scenario or a file
  OptionTexts options;
  std::optional<std::uint64_t> jobs;
  std::optional<std::uint64_t> states_max;
  std::optional<std::uint64_t> memory_max;
  bool without_histories = false;
  bool values = false;             // of a dump of TLC: keep the values of variables
  std::vector<std::string> marks;  // of a scenario: properties to evaluate in every state
  bool quiet = false;
};
// The options by which scenarios become graphs.
void add_model_source(CLI::App& app, ModelSource& source);

struct LoadedModel {
  ScenarioGraph found;  // `graph` is all there is where it comes from a file
  bool from_file = false;
  const StateGraph& graph() const { return found.graph; }
};
// Shows progress. `verb`: who asks, for messages. Throws UserError.
LoadedModel load_model(const ModelSource& source, const std::string& verb);
// Whether the name is that of a file, not of a scenario.
bool is_model_file(const ModelSource& source);

// Where a file of this kind goes without --out: beside the work, named after the source.
std::string default_model_file(const ModelSource& source, const std::string& ending);

// The way in words, one line for each step.
std::string path_text(const StateGraph& graph, const TestPath& path, std::size_t first_step = 1);

}  // namespace gainsay::tools
