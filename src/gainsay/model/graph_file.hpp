// State graphs as files: our own format, checked and versioned (section_file.hpp), and Graphviz's for people.
#pragma once

#include <string>

#include "gainsay/model/state_graph.hpp"

namespace gainsay {

class GraphFile {
 public:
  // Throws UserError where the file cannot be written.
  static void write(const std::string& path, const StateGraph& graph);
  // Throws UserError, with one line that says what was expected, for a file that is no graph or is damaged.
  static StateGraph read(const std::string& path);
  static bool is_one(const std::string& path);
  // As text for `dot`: node numbers, or with `values` what states look like.
  static void write_dot(const std::string& path, const StateGraph& graph, bool values);
};

}  // namespace gainsay
