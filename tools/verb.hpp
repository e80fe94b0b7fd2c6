// Verbs: each adds itself to the command line and hands back what is to be done when it is called.
//
// The function that comes back returns the exit code and throws UserError for what the user got wrong. It
// owns its arguments; CLI11 fills them in while it parses.
#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace gainsay::tools {

using Verb = std::function<int()>;
// Does work that runs the user's code, in a process of its own; errors become a line on stderr (supervise.hpp).
using Supervise = std::function<int(const Verb& work)>;

// `program` is the path under which the program was called, for the commands it prints.
Verb add_list(CLI::App& app);
Verb add_hunt(CLI::App& app, const std::string& program, Supervise supervise);
Verb add_replay(CLI::App& app, const std::string& program);
Verb add_regress(CLI::App& app, const std::string& program);
Verb add_shrink(CLI::App& app, const std::string& program);
Verb add_show(CLI::App& app);
Verb add_steer(CLI::App& app, const std::string& program);
Verb add_explore(CLI::App& app, const std::string& program);
Verb add_graph(CLI::App& app);
Verb add_cover(CLI::App& app, const std::string& program);
Verb add_conform(CLI::App& app, const std::string& program);
Verb add_completion(CLI::App& app);
// `root`: the whole command line, whose verbs have pages.
Verb add_man(CLI::App& app, const CLI::App& root);
Verb add_bound(CLI::App& app);
Verb add_partitions(CLI::App& app);
Verb add_check(CLI::App& app);
Verb add_verify(CLI::App& app);

// A verb that a program adds to those above; made by a static object of it, in an object that is linked as a whole.
struct VerbInfo {
  std::string name;
  std::string description;
  Verb (*add)(CLI::App& app, const std::string& program) = nullptr;
};
struct RegisterVerb {
  explicit RegisterVerb(VerbInfo info);
};

// Writes to stdout at once; throws UserError where that fails, for instance on a full disk.
void say(const std::string& text);
// A line on stderr, after the program's name. Never fails: there is nobody else to tell.
void complain(const std::string& text);

}  // namespace gainsay::tools
