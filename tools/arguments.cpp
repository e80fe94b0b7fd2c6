#include "tools/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay::tools {
namespace {

constexpr std::chrono::nanoseconds time_most = std::chrono::hours(24 * 365);

[[noreturn]] void refuse_value(const std::string& name, const std::string& said,
                               const std::string& expected) {
  throw UserError(fmt::format("{} '{}': expected {}", name, said, expected));
}

// An option whose text is handed to `read` when it is given.
void add_read(CLI::App& app, const std::string& name, const std::string& value_name,
              std::function<void(const std::string&)> read, const std::string& help) {
  app.add_option_function<std::string>(name, std::move(read), help)->type_name(value_name)->take_last();
}

bool has_option(const std::vector<OptionInfo>& options, const std::string& name) {
  return std::any_of(options.begin(), options.end(),
                     [&](const OptionInfo& info) { return info.name == name; });
}

// Says which option is meant, or which there are.
[[noreturn]] void unknown_option(const std::string& who, const std::string& name,
                                 const std::vector<OptionInfo>& options) {
  std::vector<std::string> names;
  for (const OptionInfo& info : options) names.push_back(info.name);
  std::string hint = did_you_mean(name, names);
  if (hint.empty())
    hint = names.empty() ? " (there are none)" : fmt::format(" (there are: {})", fmt::join(names, ", "));
  throw UserError(fmt::format("{} option '{}'{}", who, name, hint));
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> parse_probability(std::string_view text) {
  std::optional<double> value;
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const std::optional<double> above = parse_number(text.substr(0, slash));
    const std::optional<double> below = parse_number(text.substr(slash + 1));
    if (above && below && *below > 0) value = *above / *below;
  } else if (text.ends_with('%')) {
    value = parse_number(text.substr(0, text.size() - 1));
    if (value) *value /= 100;
  } else {
    value = parse_number(text);
  }
  if (!value || !(*value > 0 && *value <= 1)) return std::nullopt;
  return value;
}

constexpr std::string_view strategy_prefix = "strategy.";

std::string own_name = "gainsay";

template <class Target>
void add_number_to(CLI::App& app, const std::string& name, Target& target, Range range,
                   const std::string& help) {
  const auto read = [name, &target, range](const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < range.least ||
        value > range.most) {
      refuse_value(name, text, fmt::format("a whole number from {} to {}", range.least, range.most));
    }
    target = static_cast<Target>(value);
  };
  add_read(app, name, "N", read, help);
}

}  // namespace

void add_number(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& target, Range range,
                const std::string& help) {
  add_number_to(app, name, target, range, help);
}

void add_number(CLI::App& app, const std::string& name, std::uint64_t& target, Range range,
                const std::string& help) {
  add_number_to(app, name, target, range, help);
}

void add_number(CLI::App& app, const std::string& name, unsigned& target, Range range,
                const std::string& help) {
  GAINSAY_CHECK(range.most <= std::numeric_limits<unsigned>::max(), "the range fits the type");
  add_number_to(app, name, target, range, help);
}

void add_duration(CLI::App& app, const std::string& name, std::optional<std::chrono::nanoseconds>& target,
                  const std::string& help) {
  const auto read = [name, &target](const std::string& text) {
    const auto parsed = parse_duration(text);
    if (!parsed || *parsed <= 0 || std::chrono::nanoseconds(*parsed) > time_most) {
      refuse_value(name, text, "a duration such as 500ms, 15s or 2m, up to a year");
    }
    target = std::chrono::nanoseconds(*parsed);
  };
  add_read(app, name, "DURATION", read, help);
}

void add_bytes(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& target,
               std::uint64_t least, const std::string& help) {
  const auto read = [name, &target, least](const std::string& text) {
    const auto parsed = parse_bytes(text);
    if (!parsed || *parsed < least) {
      refuse_value(
          name, text,
          fmt::format("an amount of memory such as 512MiB or 6GiB, at least {}", human_bytes(least)));
    }
    target = *parsed;
  };
  add_read(app, name, "BYTES", read, help);
}

void add_probability(CLI::App& app, const std::string& name, std::optional<double>& target,
                     const std::string& help) {
  const auto read = [name, &target](const std::string& text) {
    const std::optional<double> value = parse_probability(text);
    if (!value) refuse_value(name, text, "a probability above 0 and at most 1, such as 0.95, 95% or 1/10");
    target = value;
  };
  add_read(app, name, "P", read, help);
}

void add_text(CLI::App& app, const std::string& name, const std::string& value_name, std::string& target,
              const std::string& help) {
  const auto read = [name, value_name, &target](const std::string& text) {
    if (text.empty()) refuse_value(name, text, value_name);
    target = text;
  };
  add_read(app, name, value_name, read, help);
}

void add_texts(CLI::App& app, const std::string& name, const std::string& value_name,
               std::vector<std::string>& target, const std::string& help) {
  const auto read = [name, value_name, &target](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      if (text.empty()) refuse_value(name, text, value_name);
      target.push_back(text);
    }
  };
  app.add_option_function<std::vector<std::string>>(name, read, help)
      ->type_name(value_name)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_pair(CLI::App& app, const std::string& name, const std::string& value_names,
              std::vector<std::string>& target, const std::string& help) {
  app.add_option(name, target, help)->type_name(value_names)->type_size(2)->expected(1);
}

namespace {

// By verb and name. Every command line that a process makes has the same ones.
std::map<std::pair<std::string, std::string>, std::vector<std::string>>& noted_words() {
  static std::map<std::pair<std::string, std::string>, std::vector<std::string>> words;
  return words;
}

}  // namespace

void note_words(const CLI::App& app, const std::string& name, const std::vector<std::string>& words) {
  noted_words()[{app.get_name(), name}] = words;
}

const std::vector<std::string>& words_of(const std::string& verb, const std::string& name) {
  static const std::vector<std::string> none;
  const auto found = noted_words().find({verb, name});
  return found == noted_words().end() ? none : found->second;
}

void add_word(CLI::App& app, const std::string& name, const std::vector<std::string>& words,
              std::string& target, const std::string& help) {
  note_words(app, name, words);
  const auto read = [name, words, &target](const std::string& text) {
    if (std::find(words.begin(), words.end(), text) == words.end()) {
      refuse_value(name, text, fmt::format("one of {}{}", fmt::join(words, ", "), did_you_mean(text, words)));
    }
    target = text;
  };
  add_read(app, name, "WORD", read, fmt::format("{}: {}", fmt::join(words, ", "), help));
}

void add_flag(CLI::App& app, const std::string& name, bool& target, const std::string& help) {
  app.add_flag(name, target, help)->disable_flag_override()->take_last();
}

void add_word_flag(CLI::App& app, const std::string& name, const std::vector<std::string>& words,
                   std::string& target, const std::string& help) {
  app.add_flag(fmt::format("{}{{{}}}", name, words.front()), target,
               fmt::format("{} (={})", help, fmt::join(words, " or =")))
      ->take_last()
      ->check([name, words](const std::string& text) {
        if (std::find(words.begin(), words.end(), text) == words.end())
          refuse_value(name, text,
                       fmt::format("one of {}{}", fmt::join(words, ", "), did_you_mean(text, words)));
        return std::string();
      });
}

void add_json(CLI::App& app, Output& output) {
  add_flag(app, "--json", output.json, "one JSON document on stdout (docs/json.md)");
}
void add_quiet(CLI::App& app, Output& output, const std::string& help) {
  add_flag(app, "--quiet", output.quiet, help);
}
void add_verbose(CLI::App& app, Output& output, const std::string& help) {
  add_flag(app, "--verbose", output.verbose, help);
}
void add_color(CLI::App& app, Output& output) {
  add_word(app, "--color", {"auto", "always", "never"}, output.color, "whether to use colours (auto)");
}
void add_jobs(CLI::App& app, std::optional<std::uint64_t>& target) {
  add_number(app, "--jobs", target, {1, 1024}, "threads (1); the result does not depend on it");
}

void add_options(CLI::App& app, OptionTexts& target, const std::string& help) {
  const auto read = [&target](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const std::size_t equals = text.find('=');
      if (equals == 0 || equals == std::string::npos) refuse_value("--option", text, "NAME=VALUE");
      target.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
  };
  app.add_option_function<std::vector<std::string>>("--option", read, help)
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_positional(CLI::App& app, const std::string& name, std::string& target, const std::string& help) {
  app.add_option(name, target, help)->type_name("");
}
void add_positionals(CLI::App& app, const std::string& name, std::vector<std::string>& target,
                     const std::string& help) {
  app.add_option(name, target, help)->type_name("");
}

void set_footer(CLI::App& app, const std::string& text) { app.footer(text); }

std::shared_ptr<CLI::App> make_app() { return std::make_shared<CLI::App>(); }

void parse_words(CLI::App& app, std::vector<std::string> words, const std::string& complaint) {
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    throw UserError(fmt::format("{}: {}", complaint, error.what()));
  }
}

std::vector<std::string> parsed_words(const CLI::App& app, const std::set<std::string>& left_out) {
  std::vector<std::string> words;
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || left_out.contains(name)) continue;
    for (const std::string& result : option->results()) {
      if (!option->get_positional()) words.push_back(name);
      if (option->get_positional() || option->get_expected_max() > 0) words.push_back(result);
    }
  }
  return words;
}

const std::string& program_name() { return own_name; }
void set_program_name(const std::string& path) {
  own_name = std::filesystem::path(path).filename().string();
  if (own_name.empty()) own_name = "gainsay";
}

void required(const std::string& value, const std::string& complaint) {
  if (value.empty()) throw UserError(complaint);
}

void check_options(const OptionTexts& options, const Scenario& scenario) {
  for (const auto& [name, value] : options) {
    if (!has_option(scenario.options(), name))
      unknown_option(fmt::format("scenario '{}' has no", scenario.name()), name, scenario.options());
  }
}

SplitOptions split_options(const OptionTexts& options, const Scenario& scenario,
                           const StrategyInfo& strategy) {
  SplitOptions split;
  for (const auto& [name, value] : options) {
    const std::string bare = name.starts_with(strategy_prefix) ? name.substr(strategy_prefix.size()) : name;
    if (bare == name && has_option(scenario.options(), name)) {
      split.scenario.emplace_back(name, value);
    } else if (has_option(strategy.options, bare)) {
      split.strategy.emplace_back(bare, value);
    } else if (bare != name) {
      unknown_option(fmt::format("strategy '{}' has no", strategy.name), bare, strategy.options);
    } else {
      std::vector<OptionInfo> both = scenario.options();
      both.insert(both.end(), strategy.options.begin(), strategy.options.end());
      unknown_option(
          fmt::format("neither scenario '{}' nor strategy '{}' has an", scenario.name(), strategy.name), name,
          both);
    }
  }
  return split;
}

}  // namespace gainsay::tools
