// Suites as files (section_file.hpp). A tour is written as it is kept, a few bits per edge; it belongs to the graph
// whose digest it names, and is refused beside another one.
#pragma once

#include <memory>
#include <string>

#include "gainsay/model/suite.hpp"

namespace gainsay {

class SuiteFile {
 public:
  // Throws UserError where the file cannot be written. `graph_path`: the file of the graph, as the suite remembers it.
  static void write(const std::string& path, const Suite& suite, const std::string& graph_path);
  static bool is_one(const std::string& path);
  // The file of the graph that a suite belongs to, as it was named when the suite was made.
  static std::string graph_path(const std::string& path);
  // Throws UserError for a file that is no suite, is damaged, or belongs to another graph.
  static std::unique_ptr<Suite> read(const std::string& path, const StateGraph& graph);
};

}  // namespace gainsay
