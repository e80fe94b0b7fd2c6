// completion and man: what shells and `man` are told of this program.
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "gainsay/base/text.hpp"
#include "gainsay/base/whole_file.hpp"
#include "tools/arguments.hpp"
#include "tools/completion.hpp"
#include "tools/manual.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

struct CompletionArguments {
  std::string shell;
  std::string out;
};

struct ManArguments {
  std::string verb;
  std::string all;
};

const std::vector<std::string>& shells() {
  static const std::vector<std::string> names = {"bash", "zsh", "fish"};
  return names;
}

int print_completion(const CompletionArguments& arguments) {
  required(arguments.shell, fmt::format("completion needs a SHELL: one of {}", fmt::join(shells(), ", ")));
  if (std::find(shells().begin(), shells().end(), arguments.shell) == shells().end())
    throw UserError(fmt::format("completion: unknown shell '{}'{} (shells: {})", arguments.shell,
                                did_you_mean(arguments.shell, shells()), fmt::join(shells(), ", ")));
  const std::string script = completion_script(arguments.shell, program_name());
  if (arguments.out.empty()) {
    say(script);
  } else {
    write_whole_file(arguments.out, "script", script);
  }
  return 0;
}

int print_manual(const ManArguments& arguments, const CLI::App& root) {
  const std::vector<const CLI::App*> verbs = root.get_subcommands({});
  if (!arguments.all.empty()) {
    const std::filesystem::path folder(arguments.all);
    write_whole_file((folder / manual_name(root, nullptr)).string(), "manual", manual_page(root, nullptr));
    for (const CLI::App* verb : verbs)
      write_whole_file((folder / manual_name(root, verb)).string(), "manual", manual_page(root, verb));
    return 0;
  }
  if (arguments.verb.empty()) {
    say(manual_page(root, nullptr));
    return 0;
  }
  std::vector<std::string> names;
  for (const CLI::App* verb : verbs) {
    names.push_back(verb->get_name());
    if (verb->get_name() != arguments.verb) continue;
    say(manual_page(root, verb));
    return 0;
  }
  throw UserError(fmt::format("man: unknown verb '{}'{} (verbs: {})", arguments.verb,
                              did_you_mean(arguments.verb, names), fmt::join(names, ", ")));
}

}  // namespace

Verb add_completion(CLI::App& app) {
  auto arguments = std::make_shared<CompletionArguments>();
  add_positional(app, "SHELL", arguments->shell, "bash, zsh or fish");
  note_words(app, "SHELL", shells());
  add_text(app, "--out", "FILE", arguments->out, "output file (stdout)");
  return [arguments] { return print_completion(*arguments); };
}

Verb add_man(CLI::App& app, const CLI::App& root) {
  auto arguments = std::make_shared<ManArguments>();
  add_positional(app, "VERB", arguments->verb, "the verb (default: the whole program)");
  add_text(app, "--all", "DIR", arguments->all, "write the pages of the program and all verbs into a folder");
  return [arguments, &root] { return print_manual(*arguments, root); };
}

}  // namespace gainsay::tools
