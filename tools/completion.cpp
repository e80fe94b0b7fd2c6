#include "tools/completion.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/report/row.hpp"
#include "gainsay/scenario/registry.hpp"
#include "gainsay/strategy/catalogue.hpp"
#include "tools/arguments.hpp"

namespace gainsay::tools {
namespace {

constexpr std::size_t help_width = 72;

std::string short_help(const std::string& text) { return shortened(clean(text, false), help_width, "…"); }

// Whether a value comes after it.
bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

const CLI::Option* option_named(const CLI::App& verb, const std::string& word) {
  return word.starts_with("-") ? verb.get_option_no_throw(word) : nullptr;
}

class Answer {
 public:
  explicit Answer(std::string typed) : typed_(std::move(typed)) {}

  void offer(const std::string& word, const std::string& help = "") {
    if (word.starts_with(typed_)) out.words.push_back({word, short_help(help)});
  }
  void offer_scenarios() {
    for (const Scenario* each : scenarios()) offer(each->name(), each->description());
  }
  const std::string& typed() const { return typed_; }

  Completions out;

 private:
  std::string typed_;
};

// What the words before say of the scenario and the strategy.
struct Said {
  const Scenario* scenario = nullptr;
  const StrategyInfo* strategy = nullptr;
};

Said said_before(const std::vector<std::string>& words) {
  Said said;
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    for (const Scenario* each : scenarios()) {
      if (each->name() == words[i]) said.scenario = each;
    }
    if (words[i - 1] != "--strategy") continue;
    for (const StrategyInfo* each : strategies()) {
      if (each->name == words[i]) said.strategy = each;
    }
  }
  return said;
}

// NAME=VALUE, one after the other.
void offer_options(Answer& answer, const std::vector<OptionInfo>& options) {
  const std::size_t equals = answer.typed().find('=');
  for (const OptionInfo& info : options) {
    if (equals == std::string::npos) {
      answer.offer(info.name + "=", info.help);
      continue;
    }
    if (answer.typed().substr(0, equals) != info.name) continue;
    for (const std::string& value : info.values) {
      if (value.find("..") != std::string::npos) continue;  // a range is no value
      const auto help = std::find_if(info.value_help.begin(), info.value_help.end(),
                                     [&](const auto& each) { return each.first == value; });
      answer.offer(info.name + "=" + value, help == info.value_help.end() ? "" : help->second);
    }
  }
}

// By what a place is called in --help.
void offer_kind(Answer& answer, const std::string& kind) {
  if (kind == "SCENARIO" || kind == "GRAPH" || kind == "SOURCE" || kind == "NAME") answer.offer_scenarios();
  if (kind == "DIR") answer.out.files = Completions::Files::folders;
  for (const char* each :
       {"FILE", "TRACE", "OTHER", "OUT", "OLD", "GRAPH", "SOURCE", "CERTIFICATE", "HISTORY"}) {
    if (kind == each || kind.starts_with(each)) answer.out.files = Completions::Files::files;
  }
}

void offer_value(Answer& answer, const CLI::App& verb, const CLI::Option& option, const Said& said) {
  const std::string name = option.get_name();
  const std::vector<std::string>& words = words_of(verb.get_name(), name);
  for (const std::string& word : words) answer.offer(word);
  if (!words.empty()) return;
  if (name == "--strategy") {
    for (const StrategyInfo* each : strategies()) answer.offer(each->name, each->description);
  } else if (option.get_type_name() == "NAME=VALUE") {
    if (said.scenario != nullptr) offer_options(answer, said.scenario->options());
    if (said.strategy != nullptr) offer_options(answer, said.strategy->options);
  } else if (option.get_type_name() != "NAME") {
    offer_kind(answer, option.get_type_name());
  }
}

Completions first_words(const CLI::App& app, const std::string& typed) {
  Answer answer(typed);
  for (const CLI::App* verb : app.get_subcommands({}))
    answer.offer(verb->get_name(), verb->get_description());
  answer.offer("help", "the options of a verb");
  if (typed.starts_with("-")) {
    answer.offer("--help", "print this help and exit");
    answer.offer("--version", "print the version and exit");
  }
  return answer.out;
}

}  // namespace

std::vector<const CLI::Option*> shown_options(const CLI::App& verb) {
  std::vector<const CLI::Option*> shown;
  for (const CLI::Option* option : verb.get_options()) {
    if (!option->get_group().empty()) shown.push_back(option);
  }
  return shown;
}

Completions complete(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.size() <= 1) return first_words(app, words.empty() ? "" : words.front());
  Answer answer(words.back());
  if (words.front() == "help") {
    for (const CLI::App* verb : app.get_subcommands({}))
      answer.offer(verb->get_name(), verb->get_description());
    return answer.out;
  }
  const std::vector<const CLI::App*> verbs =
      app.get_subcommands([&](const CLI::App* each) { return each->get_name() == words.front(); });
  const CLI::App* const verb = verbs.empty() ? nullptr : verbs.front();
  if (verb == nullptr) return {};
  const std::string& before = words[words.size() - 2];
  const CLI::Option* const option = option_named(*verb, before);
  if (option != nullptr && takes_value(*option)) {
    offer_value(answer, *verb, *option, said_before(words));
    return answer.out;
  }
  if (answer.typed().starts_with("-")) {
    for (const CLI::Option* each : shown_options(*verb)) {
      for (const std::string& name : each->get_lnames()) answer.offer("--" + name, each->get_description());
    }
    return answer.out;
  }
  for (const CLI::Option* each : shown_options(*verb)) {
    if (!each->get_positional()) continue;
    const std::vector<std::string>& known = words_of(verb->get_name(), each->get_name());
    for (const std::string& word : known) answer.offer(word);
    if (known.empty() && each->get_name() == "VERB") {
      for (const CLI::App* other : app.get_subcommands({}))
        answer.offer(other->get_name(), other->get_description());
    } else if (known.empty()) {
      offer_kind(answer, each->get_name());
    }
  }
  return answer.out;
}

std::string completion_lines(const Completions& completions) {
  std::string out;
  if (completions.files == Completions::Files::files) out += ":files\n";
  if (completions.files == Completions::Files::folders) out += ":folders\n";
  for (const OfferedWord& each : completions.words) out += each.word + "\t" + each.help + "\n";
  return out;
}

namespace {

// PROGRAM stands for the name, NAME for what a function may be called.
constexpr const char* bash_script = R"(# bash completion for PROGRAM
_NAME_complete() {
  local words=() word line current joined=0
  # Bash takes words apart at "="; they are put together again.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if ((${#words[@]})) && { [[ $word == "=" ]] || ((joined)); }; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    if [[ $word == "=" ]]; then joined=1; else joined=0; fi
  done
  ((${#words[@]})) || words=("")
  current=${words[-1]}
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current") ;;
      :folders) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$current") ;;
      *)
        word=${line%%$'\t'*}
        if [[ $word == *= ]]; then compopt -o nospace; fi
        if [[ $current == *=* && $COMP_WORDBREAKS == *=* ]]; then word=${word#"${current%%=*}="}; fi
        COMPREPLY+=("$word")
        ;;
    esac
  done < <("${COMP_WORDS[0]}" completion --complete -- "${words[@]}" 2>/dev/null)
}
complete -F _NAME_complete PROGRAM
)";

constexpr const char* zsh_script = R"(#compdef PROGRAM
# zsh completion for PROGRAM
_NAME_complete() {
  local line
  local -a lines plain open
  lines=("${(@f)$("${words[1]}" completion --complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "${lines[@]}"; do
    case $line in
      :files) _files ;;
      :folders) _files -/ ;;
      "") ;;
      *=$'\t'*) open+=("${line%%$'\t'*}") ;;
      *) plain+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
    esac
  done
  ((${#plain})) && _describe -V 'PROGRAM' plain
  ((${#open})) && compadd -S '' -a open
  return 0
}
if [[ $funcstack[1] == _PROGRAM ]]; then
  _NAME_complete "$@"
else
  compdef _NAME_complete PROGRAM
fi
)";

constexpr const char* fish_script = R"(# fish completion for PROGRAM
function __NAME_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for line in ($words[1] completion --complete -- $words[2..] "$current" 2>/dev/null)
    switch $line
      case :files
        __fish_complete_path "$current"
      case :folders
        __fish_complete_directories "$current"
      case '*'
        printf '%s\n' $line
    end
  end
end
complete -c PROGRAM -f -a '(__NAME_complete)'
)";

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

std::string completion_script(const std::string& shell, const std::string& program) {
  GAINSAY_CHECK(shell == "bash" || shell == "zsh" || shell == "fish",
                "the shells that there are scripts for");
  std::string script = shell == "bash" ? bash_script : shell == "zsh" ? zsh_script : fish_script;
  std::string name;
  for (const char c : program) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  std::string word;
  for (const char c : program) {
    if (std::string_view(" \t\n'\"\\$`;&|<>()[]{}*?!#~").find(c) != std::string_view::npos)
      throw UserError(fmt::format("completion is for programs with a plain name, not '{}'", program));
    word += c;
  }
  replace_all(script, "NAME", name);
  replace_all(script, "PROGRAM", word);
  return script;
}

}  // namespace gainsay::tools
