// Arguments: the kinds of values that options of the command line take, with complaints that name the option,
// what was said and what was expected.
//
// They are read here and not by CLI11's own conversions, which take "-1" for a large number and say little.
// Of an option that is given twice the last one counts.
//
// Verbs use CLI11 through this header only. Its own header takes longer to compile than most verbs, so only the files
// that look into an App include it: arguments, cli, completion, manual and verb_shell.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gainsay/base/options.hpp"
#include "gainsay/scenario/registry.hpp"
#include "gainsay/strategy/catalogue.hpp"

namespace CLI {
class App;
}

namespace gainsay::tools {

struct Range {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};

// Each adds an option `--name VALUE` that sets `target`, which must outlive the parsing.
void add_number(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& target, Range range,
                const std::string& help);
void add_number(CLI::App& app, const std::string& name, std::uint64_t& target, Range range,
                const std::string& help);
void add_number(CLI::App& app, const std::string& name, unsigned& target, Range range,
                const std::string& help);
void add_duration(CLI::App& app, const std::string& name, std::optional<std::chrono::nanoseconds>& target,
                  const std::string& help);
void add_bytes(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& target,
               std::uint64_t least, const std::string& help);
// A probability above 0 and at most 1: 0.95, 95% or 1/10.
void add_probability(CLI::App& app, const std::string& name, std::optional<double>& target,
                     const std::string& help);
void add_text(CLI::App& app, const std::string& name, const std::string& value_name, std::string& target,
              const std::string& help);
// Repeatable.
void add_texts(CLI::App& app, const std::string& name, const std::string& value_name,
               std::vector<std::string>& target, const std::string& help);
// Two values behind one name; `value_names` is the text that the help shows for them.
void add_pair(CLI::App& app, const std::string& name, const std::string& value_names,
              std::vector<std::string>& target, const std::string& help);
// One of some words.
void add_word(CLI::App& app, const std::string& name, const std::vector<std::string>& words,
              std::string& target, const std::string& help);
// What may stand at an option or argument of a verb, for completion.
void note_words(const CLI::App& app, const std::string& name, const std::vector<std::string>& words);
const std::vector<std::string>& words_of(const std::string& verb, const std::string& name);
void add_flag(CLI::App& app, const std::string& name, bool& target, const std::string& help);
// A flag that can be given a word, `--name=WORD`; alone it means the first one.
void add_word_flag(CLI::App& app, const std::string& name, const std::vector<std::string>& words,
                   std::string& target, const std::string& help);
// How much is printed, and in which form: the same words in every verb that has them.
struct Output {
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  std::string color = "auto";
};
void add_json(CLI::App& app, Output& output);
void add_quiet(CLI::App& app, Output& output, const std::string& help);
void add_verbose(CLI::App& app, Output& output, const std::string& help);
void add_color(CLI::App& app, Output& output);
// --jobs: threads.
void add_jobs(CLI::App& app, std::optional<std::uint64_t>& target);
// --option NAME=VALUE, repeatable.
void add_options(CLI::App& app, OptionTexts& target, const std::string& help);
// What stands without a name. A verb asks for it with `required`.
void add_positional(CLI::App& app, const std::string& name, std::string& target, const std::string& help);
// Any number of them.
void add_positionals(CLI::App& app, const std::string& name, std::vector<std::string>& target,
                     const std::string& help);
// Throws if it was not given: "hunt needs a SCENARIO (...)".
void required(const std::string& value, const std::string& complaint);
// What the help of a verb ends with, instead of the usual exit codes.
void set_footer(CLI::App& app, const std::string& text);

// Options without a verb, for words that do not come from the command line.
std::shared_ptr<CLI::App> make_app();
// Throws UserError, which begins with `complaint`, for words that the options do not allow.
void parse_words(CLI::App& app, std::vector<std::string> words, const std::string& complaint);
// The words that were parsed, without those of the options `left_out`.
std::vector<std::string> parsed_words(const CLI::App& app, const std::set<std::string>& left_out);

// Throws UserError, with the nearest name, for an option that the scenario does not have.
void check_options(const OptionTexts& options, const Scenario& scenario);

// What this program is called, for its messages: the last part of the path it was started with.
const std::string& program_name();
void set_program_name(const std::string& path);

// The options of a hunt belong to its scenario or to its strategy: the
// scenario is asked first, `strategy.NAME` is the strategy's. Throws
// UserError, with the nearest name among both, for one that neither has.
struct SplitOptions {
  OptionTexts scenario;
  OptionTexts strategy;
};
SplitOptions split_options(const OptionTexts& options, const Scenario& scenario,
                           const StrategyInfo& strategy);

// Why a program that should have scenarios has none.
inline constexpr const char* no_scenarios =
    "this program has no scenarios; linkers drop them from static libraries: put their files into the "
    "program or "
    "an OBJECT library";

}  // namespace gainsay::tools
