// What a shell may offer behind the words that were typed, and the scripts by which bash, zsh and fish ask for it.
//
// The scripts know nothing: they ask the program (`completion --complete -- WORDS...`), which answers from the option
// tables that --help prints, the registry of scenarios and the catalogue of strategies. So a script never goes stale,
// and the scenarios of a user's own program are offered like the bundled ones.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gainsay::tools {

struct OfferedWord {
  std::string word;
  std::string help{};  // one line
};

struct Completions {
  enum class Files { none, files, folders };  // what the shell offers besides, from the disk

  std::vector<OfferedWord> words;
  Files files = Files::none;
};

// `words`: those after the program's name, the last one as far as it was typed; may be empty.
Completions complete(const CLI::App& app, const std::vector<std::string>& words);
// For the scripts: "WORD\tHELP" lines; ":files" or ":folders" first where the shell shall look for itself.
std::string completion_lines(const Completions& completions);
// `shell`: bash, zsh or fish.
std::string completion_script(const std::string& shell, const std::string& program);

// The options of a verb, without those that are not shown.
std::vector<const CLI::Option*> shown_options(const CLI::App& verb);

}  // namespace gainsay::tools
