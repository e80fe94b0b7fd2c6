// What `conform` says: for people, and as JSON.
#pragma once

#include <string>
#include <vector>

#include "gainsay/model/conform.hpp"
#include "gainsay/report/show.hpp"

namespace gainsay::tools {

struct ConformReport {
  std::string program;
  std::string source;  // the file or scenario that the graph came from, as it was said
  std::string model;   // the scenario, or TLC's file
  std::string implementation;
  OptionTexts options;            // of the implementation, all of them
  std::vector<std::string> said;  // what of the command line a replay needs
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  bool diagram = true;
  ShowOptions show{};
  std::vector<std::string> trace_files;  // by difference; "": none
};

std::string conform_text(const ConformResult& result, const ConformReport& report);
std::string conform_json(const ConformResult& result, const ConformReport& report);

// A path as --path takes it: "12,7,40".
std::string path_numbers(const TestPath& path);
// Throws UserError where the text is no path of the graph.
TestPath read_path(const StateGraph& graph, const std::string& text);

}  // namespace gainsay::tools
