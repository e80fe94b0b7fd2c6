#include "tools/cli.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/report/row.hpp"
#include "tools/arguments.hpp"
#include "tools/completion.hpp"
#include "tools/supervise.hpp"
#include "tools/verb.hpp"

namespace gainsay {
namespace tools {

namespace {

// Where results go: standard output, unless it was kept apart from what code under test prints.
int result_descriptor = STDOUT_FILENO;

// While alive, what handlers print goes to stderr, and stdout has nothing but the document.
class DocumentApart {
 public:
  DocumentApart() : kept_(dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    if (kept_ < 0) return;
    result_descriptor = kept_;
    dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  ~DocumentApart() {
    if (kept_ < 0) return;
    std::fflush(stdout);
    dup2(kept_, STDOUT_FILENO);
    result_descriptor = STDOUT_FILENO;
    close(kept_);
  }
  DocumentApart(const DocumentApart&) = delete;
  DocumentApart& operator=(const DocumentApart&) = delete;

 private:
  int kept_;
};

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

void say(const std::string& text) {
  const bool written = std::fflush(stdout) == 0 && write_all(result_descriptor, text);
  if (!written) throw UserError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void complain(const std::string& text) {
  const std::string line = fmt::format("{}: {}\n", program_name(), clean(text, false));
  // Where this cannot be written nobody reads; the exit code still tells.
  [[maybe_unused]] const std::size_t written = std::fwrite(line.data(), 1, line.size(), stderr);
}

namespace {

std::vector<VerbInfo>& registered_verbs() {
  static std::vector<VerbInfo> list;
  return list;
}

constexpr const char* exit_codes =
    "Exit codes: 0 no violation (for searches: and complete), 1 violation,\n            2 bad usage or "
    "input, 3 unknown, incomplete or only suspected";

constexpr int bad_usage = 2;
constexpr int incomplete = 3;

// Arguments that a verb cannot do without are shown without brackets; the verbs themselves ask for them.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_usage(const CLI::Option* option) const override {
    const std::string name = make_option_name(option, true);
    if (option->get_expected_max() > 1) return name + "...";
    return name == "NAME" ? "[NAME]" : name;  // of `list`
  }
};

// Errors are one line, whatever is in the names of files and options.
int reported(const std::function<int()>& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    complain("out of memory; --max-memory, --max-states or a smaller input may help");
    return incomplete;
  } catch (const std::exception& error) {
    complain(error.what());
  } catch (...) {
    complain("a scenario threw something that is not a std::exception");
  }
  return bad_usage;
}

// The whole command line. Options that CLI11 does not know are kept, to be answered with the nearest name.
class CommandLine {
 public:
  explicit CommandLine(const std::string& program)
      : app_("Finds bugs in distributed systems and writes traces that replay them.",
             std::filesystem::path(program).filename().string()) {
    app_.formatter(std::make_shared<HelpFormatter>());
    app_.footer(exit_codes);
    app_.set_version_flag("--version", "gainsay " GAINSAY_VERSION, "print the version and exit");
    app_.set_help_flag("-h,--help", "print this help and exit");
    app_.get_formatter()->column_width(28);
    app_.get_formatter()->label("SUBCOMMAND", "VERB");
    app_.get_formatter()->label("Positionals", "Arguments");
    verbs_["list"] =
        add_list(add_verb("list", "list scenarios with their options, actors, properties and seeded bugs"));
    verbs_["hunt"] = add_hunt(
        add_verb("hunt", "run a scenario many times under a strategy, report violations, write traces"),
        program, [this](const Verb& work) { return supervise(work); });
    verbs_["replay"] =
        add_replay(add_verb("replay", "execute a trace again: is the violation still there?"), program);
    verbs_["regress"] =
        add_regress(add_verb("regress", "replay all traces in a folder, as a regression test"), program);
    verbs_["shrink"] =
        add_shrink(add_verb("shrink", "write a shorter trace with the same violation"), program);
    verbs_["show"] = add_show(add_verb("show", "draw a trace as a space-time diagram"));
    verbs_["steer"] = add_steer(
        add_verb("steer", "be the scheduler: choose every event, in a browser or a terminal"), program);
    verbs_["explore"] =
        add_explore(add_verb("explore", "visit every reachable state of a scenario, breadth first"), program);
    verbs_["graph"] = add_graph(
        add_verb("graph", "make the state graph of a scenario or a TLA+ model, and check properties of it"));
    verbs_["cover"] = add_cover(
        add_verb("cover", "make a cheapest test suite that covers every edge of a state graph"), program);
    verbs_["conform"] = add_conform(
        add_verb("conform", "compare an implementation with its model on every edge of the model's graph"),
        program);
    verbs_["bound"] =
        add_bound(add_verb("bound", "compute guarantees: bounds, confidence, sizes of families"));
    verbs_["partitions"] =
        add_partitions(add_verb("partitions", "compute how many network partitions are enough, and which"));
    verbs_["check"] = add_check(
        add_verb("check", "check recorded histories: linearizability, sequential consistency, isolation"));
    verbs_["verify"] = add_verify(
        add_verb("verify", "check the certificate of a complete search by counting everything again"));
    verbs_["completion"] = add_completion(
        add_verb("completion", "print a shell script that completes verbs, options, scenarios and files"));
    verbs_["man"] = add_man(add_verb("man", "print the manual page of a verb, for `man -l -`"), app_);
    for (const char* name :
         {"hunt", "replay", "regress", "shrink", "explore", "graph", "cover", "conform", "verify"})
      add_supervision(name);
    for (const VerbInfo& each : registered_verbs())
      verbs_[each.name] = each.add(add_verb(each.name, each.description), program);
    app_.allow_extras();
    app_.require_subcommand(1);
  }

  std::string help() { return app_.help(); }

  int run(std::vector<std::string> words) {
    const std::string first = words.front();
    // The scripts of shells ask in this way (tools/completion.hpp); what they send is words, not options.
    if (first == "completion" && words.size() > 2 && words[1] == "--complete") {
      say(completion_lines(complete(app_, {words.begin() + 3, words.end()})));
      return 0;
    }
    check_verb(first);
    json_ = std::find(words.begin(), words.end(), "--json") != words.end();
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    try {
      app_.parse(words);
    } catch (const CLI::CallForHelp&) {
      say(app_.help());
      return 0;
    } catch (const CLI::CallForVersion& version) {
      say(std::string(version.what()) + "\n");
      return 0;
    } catch (const CLI::RequiredError&) {
      throw UserError(fmt::format("unexpected '{}': the first word must be one of {}", first, verb_names()));
    } catch (const CLI::ArgumentMismatch& error) {
      throw UserError(mismatch_text(error.what()));
    } catch (const CLI::ParseError& error) {
      throw UserError(error.what());
    }
    const auto chosen = app_.get_subcommands();
    GAINSAY_CHECK(!chosen.empty(), "the parser requires a verb");
    check_extras(*chosen.front());
    const std::string name = chosen.front()->get_name();
    const Verb& verb = verbs_.at(name);
    supervision_.zero_is_clean = name != "shrink";  // which has a violation in any case
    return supervised_.contains(name) && name != "hunt" ? supervise(verb) : verb();
  }

 private:
  int supervise(const Verb& work) {
    if (handler_timeout_)
      supervision_.handler_timeout = std::chrono::duration_cast<std::chrono::milliseconds>(*handler_timeout_);
    return supervised(supervision_, [this, &work] {
      std::optional<DocumentApart> apart;
      if (json_) apart.emplace();
      return reported(work);
    });
  }
  // Of verbs that run code of the user. `hunt` supervises itself, one scenario at a time.
  void add_supervision(const std::string& name) {
    CLI::App& verb = *app_.get_subcommand(name);
    supervised_.insert(name);
    add_duration(verb, "--handler-timeout", handler_timeout_,
                 "a handler, gate or property that does not return within this time is a violation (5s)");
    if (verb.get_option_no_throw("--max-memory") == nullptr)
      add_bytes(verb, "--max-memory", supervision_.memory_bytes_max, 1U << 20U,
                "a handler that uses more memory than this is a violation (three quarters of the machine's "
                "memory)");
    add_flag(verb, "--in-process", supervision_.in_process,
             "run everything in one process, for debuggers; a crash of your code then ends the program");
  }
  CLI::App& add_verb(const std::string& name, const std::string& description) {
    CLI::App& verb = *app_.add_subcommand(name, description);
    verb.group("Verbs");
    verb.footer(exit_codes);
    verb.allow_extras();
    names_.push_back(name);
    return verb;
  }
  // CLI11 says "--runs: 1 required N missing" and "quiet was given a disallowed flag override".
  static std::string mismatch_text(const std::string& said) {
    const std::string name = said.substr(0, said.find_first_of(": "));
    if (said.find("flag override") != std::string::npos) return fmt::format("--{} takes no value", name);
    return fmt::format("{} needs a value", name);
  }
  std::string verb_names() const { return fmt::format("{}", fmt::join(names_, ", ")); }

  void check_verb(const std::string& first) const {
    if (first.starts_with("-") || std::find(names_.begin(), names_.end(), first) != names_.end()) return;
    throw UserError(
        fmt::format("unknown verb '{}'{} (verbs: {})", first, did_you_mean(first, names_), verb_names()));
  }

  // What was left over after parsing: misspelt options first,
  // because what follows them is only confused by them.
  void check_extras(const CLI::App& verb) const {
    std::vector<std::string> extras = app_.remaining(true);
    for (const std::string& extra : extras) {
      if (extra.size() < 2 || extra.front() != '-') continue;
      const std::string name = extra.substr(0, extra.find('='));
      std::vector<std::string> known;
      for (const CLI::Option* option : verb.get_options()) {
        for (const std::string& each : option->get_lnames()) known.push_back("--" + each);
      }
      throw UserError(fmt::format("{} has no option '{}'{} (`{} --help` shows them)", verb.get_name(), name,
                                  did_you_mean(name, known), verb.get_name()));
    }
    if (!extras.empty())
      throw UserError(fmt::format("unexpected argument '{}'; {}", extras.front(), takes_text(verb)));
  }

  // "hunt takes one SCENARIO".
  static std::string takes_text(const CLI::App& verb) {
    std::vector<std::string> names;
    for (const CLI::Option* option : verb.get_options()) {
      if (option->get_positional()) names.push_back("one " + option->get_name());
    }
    return fmt::format(
        "{} takes {}", verb.get_name(),
        names.empty() ? "every argument has a name" : fmt::format("{}", fmt::join(names, ", ")));
  }

  CLI::App app_;
  std::vector<std::string> names_;
  std::map<std::string, Verb> verbs_;
  std::set<std::string> supervised_;
  Supervision supervision_;
  bool json_ = false;
  std::optional<std::chrono::nanoseconds> handler_timeout_;
};

}  // namespace

RegisterVerb::RegisterVerb(VerbInfo info) { registered_verbs().push_back(std::move(info)); }

}  // namespace tools

int run_command_line(int argc, char** argv) {
  return tools::reported([&] {
    const std::string program = argc > 0 ? argv[0] : "gainsay";
    tools::set_program_name(program);
    // A file beyond the allowed size is an error of writing like any other.
    std::signal(SIGXFSZ, SIG_IGN);
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    tools::CommandLine line(program);
    if (words.empty()) {
      const std::string help = line.help();
      [[maybe_unused]] const std::size_t written = std::fwrite(help.data(), 1, help.size(), stderr);
      return tools::bad_usage;
    }
    // `help` and `help VERB` are what people try first.
    if (words.front() == "help")
      words = words.size() > 1 ? std::vector{words[1], std::string("--help")}
                               : std::vector{std::string("--help")};
    return line.run(std::move(words));
  });
}

}  // namespace gainsay
