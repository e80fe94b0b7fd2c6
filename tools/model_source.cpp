#include "tools/model_source.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "gainsay/adapter/recorded_world.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/model/graph_file.hpp"
#include "gainsay/model/tlc_dot.hpp"
#include "gainsay/report/progress.hpp"
#include "tools/arguments.hpp"
#include "tools/interrupt.hpp"
#include "tools/terminal.hpp"

namespace gainsay::tools {
namespace {

using Clock = std::chrono::steady_clock;

ScenarioGraph explore_scenario(const ModelSource& source, const std::string& verb) {
  const Scenario& scenario = find_scenario(source.name);
  check_options(source.options, scenario);
  build_world(scenario, source.options);
  ExploreProgress counters;
  const Interrupt interrupt;
  GraphOptions options;
  if (source.jobs) options.workers = static_cast<unsigned>(*source.jobs);
  options.states_max = source.states_max;
  if (source.memory_max) options.memory_max = *source.memory_max;
  options.without_histories = source.without_histories;
  options.marks = source.marks;
  options.progress = &counters;
  options.stop = interrupt.flag();
  std::optional<Progress> progress;
  const auto line = [&, started = Clock::now()] {
    const double elapsed_s = std::chrono::duration<double>(Clock::now() - started).count();
    std::string text =
        fmt::format("{} {}: {} states, {} edges, depth {}, {}, {:.0f} s so far", verb, source.name,
                    with_commas(counters.states), with_commas(counters.transitions), counters.depth.load(),
                    human_bytes(counters.memory_bytes), elapsed_s);
    return options.stop->load() ? text + ", stopping (press again to kill)" : text;
  };
  if (!source.quiet) progress.emplace(line, progress_options());
  return explore_graph(scenario, source.options, options);
}

StateGraph read_dump(const ModelSource& source, const std::string& verb) {
  std::atomic<std::uint64_t> bytes{0};
  const Interrupt interrupt;
  TlcOptions options;
  options.values = source.values;
  options.bytes_read = &bytes;
  options.stop = interrupt.flag();
  std::optional<Progress> progress;
  const std::uint64_t all = std::filesystem::file_size(source.name);
  const auto line = [&] {
    return fmt::format("{} {}: {} of {} read", verb, source.name, human_bytes(bytes), human_bytes(all));
  };
  if (!source.quiet) progress.emplace(line, progress_options());
  return read_tlc_dot(source.name, options);
}

void refuse_options_of_scenarios(const ModelSource& source) {
  if (!source.options.empty())
    throw UserError(fmt::format("--option '{}': only scenarios have options, and {} is a file",
                                source.options.front().first, source.name));
}

}  // namespace

void add_model_source(CLI::App& app, ModelSource& source) {
  add_options(app, source.options, "a scenario option; repeatable");
  add_jobs(app, source.jobs);
  add_number(app, "--max-states", source.states_max, {1, UINT64_MAX}, "stop after about this many states");
  add_bytes(app, "--max-memory", source.memory_max, 1U << 20U,
            "memory limit for the graph, such as 512MiB or 6GiB (8GiB)");
  add_flag(app, "--without-histories", source.without_histories,
           "accept a scenario with history properties, and do not check them");
  add_flag(app, "--quiet", source.quiet, "no progress");
}

bool is_model_file(const ModelSource& source) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(source.name, ignored);
}

LoadedModel load_model(const ModelSource& source, const std::string& verb) {
  LoadedModel model;
  if (!is_model_file(source)) {
    // What looks like a file is one that is not there.
    if (source.name.find('/') != std::string::npos || source.name.find('.') != std::string::npos)
      throw UserError(fmt::format("{}: no such file", source.name));
    model.found = explore_scenario(source, verb);
    return model;
  }
  refuse_options_of_scenarios(source);
  model.from_file = true;
  if (GraphFile::is_one(source.name)) {
    model.found.graph = GraphFile::read(source.name);
  } else if (is_tlc_dot(source.name)) {
    model.found.graph = read_dump(source, verb);
  } else {
    throw UserError(fmt::format(
        "{}: line 1: expected a state graph written by `graph`, or a TLC dump (-dump dot,actionlabels)",
        source.name));
  }
  return model;
}

std::string default_model_file(const ModelSource& source, const std::string& ending) {
  return std::filesystem::path(source.name).stem().string() + ending;
}

std::string path_text(const StateGraph& graph, const TestPath& path, std::size_t first_step) {
  std::string text;
  std::size_t step = first_step;
  for (const GraphEdge edge : path.edges) {
    const GraphEvent* event = graph.event_of(edge);
    text += fmt::format("  {:>4}. {}\n", step++,
                        event != nullptr ? describe(*event) : fmt::format("to state {}", graph.to[edge]));
  }
  return text;
}

}  // namespace gainsay::tools
