// How large systems are: lines, kinds of actors, messages, handlers, counted in their sources.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace gainsay::tools::zoo {

struct SourceSize {
  std::uint64_t files = 0;
  std::uint64_t lines = 0;  // with comments and blank ones
  std::uint64_t code = 0;   // without
  std::uint64_t actors = 0;
  std::uint64_t monitors = 0;
  std::uint64_t handlers = 0;      // of actors and monitors
  std::set<std::string> messages;  // that actors receive, by name

  void add(const SourceSize& other);
};

// Of one file. Actors are what has a `Receives`, monitors what has an `Observes`; a handler is an `on(const ...)` that
// is declared in a class.
SourceSize size_of_text(const std::string& text);

// Of the headers and sources of a folder that are no tests, not of folders in it. Throws UserError where there is none.
SourceSize size_of_folder(const std::filesystem::path& folder);
SourceSize size_of_files(const std::vector<std::filesystem::path>& files);

}  // namespace gainsay::tools::zoo
