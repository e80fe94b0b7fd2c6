// All strategies over all bundled systems, and what pctcp costs beside random.
//
//   bench_strategies                 the table, as Markdown (docs/strategies.md quotes it)
//   bench_strategies --runs N        at least so many runs for each cell of the table (2000)
//   bench_strategies --only SYSTEM   the rows of one system
//   bench_strategies --speed         steps per second and memory of pctcp instead, beside random
//   bench_strategies --speed --check exits with 1 where pctcp costs more than twice what random costs
//
// A cell is one campaign with seed 1 that does not stop at bugs; searches stop at their first bug. Where fewer than ten
// runs found it, eight times as many are made, up to 128,000, so that a share says something; where runs are long,
// fewer. CPU time; pairs are measured in turns and the fastest of the turns counts.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <malloc.h>

#include "benchmarks/machine.hpp"
#include "gainsay/execution/hunt.hpp"
#include "gainsay/gainsay.hpp"
#include "gainsay/report/summary.hpp"
#include "gainsay/strategy/pctcp.hpp"

namespace {

using namespace gainsay;
using benchmarks::commit;
using benchmarks::cpu_model;
using benchmarks::cpu_seconds;

// --- the table ---

struct Row {
  std::string strategy;
  OptionTexts options;
};

const std::vector<Row> rows = {
    {"random", {}},
    {"random", {{"over", "actors"}}},
    {"pct", {{"depth", "2"}}},
    {"pctcp", {{"depth", "1"}}},
    {"pctcp", {{"depth", "2"}}},
    {"pctcp", {{"depth", "3"}}},
    {"pctcp", {{"depth", "2"}, {"order", "happened_before"}}},
    {"pos", {}},
    {"surw", {}},
    {"delay", {{"randomised", "true"}, {"delays", "5"}}},
    {"qlearning", {}},
    {"portfolio", {}},
    {"delay", {{"delays", "2"}}},
    {"dfs", {}},
};

std::string text_of(const Row& row) {
  std::string text = row.strategy;
  for (const auto& [name, value] : row.options) text += " " + name + "=" + value;
  return text;
}

// The options with which a seeded bug shows; its description may say "shows with name=value".
OptionTexts options_of(const SeededBug& bug) {
  OptionTexts options;
  const auto add = [&](const std::string& word) {
    const std::size_t equals = word.find('=');
    options.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  };
  add(bug.option);
  const std::string marker = "shows with ";
  std::size_t at = bug.description.find(marker);
  if (at == std::string::npos) return options;
  at += marker.size();
  while (at < bug.description.size()) {
    const std::size_t end = std::min(bug.description.find_first_of(" ,;.", at), bug.description.size());
    const std::string word = bug.description.substr(at, end - at);
    if (word.find('=') == std::string::npos) break;
    add(word);
    at = end + 1;
  }
  return options;
}

constexpr std::uint64_t runs_most = 128'000;
constexpr std::uint64_t buggy_runs_wanted = 10;
constexpr double cell_seconds = 1.5;

void print_cell(const Scenario& scenario, const SeededBug& bug, const Row& row, std::uint64_t runs) {
  HuntOptions options{.strategy = row.strategy, .strategy_options = row.options};
  options.steps_max = 2'000;
  options.time = std::chrono::seconds(30);
  options.keep_going = find_strategy(row.strategy).kind_with(row.options) == StrategyKind::random;
  // A few runs first: some take microseconds, some seconds.
  HuntResult result;
  double elapsed = 0;
  for (options.runs = 16;; options.runs = std::min(*options.runs * 8, runs_most)) {
    const double start = cpu_seconds();
    result = hunt(scenario, options_of(bug), options);
    elapsed = cpu_seconds() - start;
    const bool enough = result.runs >= runs && result.buggy_runs >= buggy_runs_wanted;
    if (enough || elapsed * 8 > cell_seconds || *options.runs == runs_most) break;
    if (!options.keep_going && (result.complete || result.buggy_runs > 0)) break;
  }
  std::string chains = "";
  for (const auto& [name, value] : result.guarantee.inputs) {
    if (name == "chains") chains = std::to_string(value);
  }
  const std::string found = result.first_bug_run ? std::to_string(*result.first_bug_run + 1) : "–";
  const std::string share = result.search
                                ? (result.complete ? "complete" : "")
                                : fmt::format("{:.2f} %", 100 * static_cast<double>(result.buggy_runs) /
                                                              static_cast<double>(result.runs));
  fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} | {:.1f} |\n", scenario.name(), bug.option.substr(4),
             text_of(row), result.runs, share, found, chains, result.steps_max_seen,
             elapsed * 1e6 / static_cast<double>(result.runs));
  std::fflush(stdout);
}

void print_table(std::uint64_t runs, const std::string& only) {
  fmt::print("{}, commit {}, seed 1, at least {} runs per row where they are short\n\n", cpu_model(),
             commit(), runs);
  fmt::print(
      "| system | bug | strategy | runs | buggy runs | runs to first | chains | messages | µs per run |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|\n");
  for (const Scenario* scenario : scenarios()) {
    if (!only.empty() && scenario->name() != only) continue;
    for (const SeededBug& bug : seeded_bugs(scenario->options())) {
      for (const Row& row : rows) print_cell(*scenario, bug, row, runs);
    }
  }
}

// --- speed ---

struct Token {
  std::uint32_t left = 0;
};

// Passes tokens round a ring.
struct Station {
  using Receives = Messages<Token>;
  std::uint32_t next = 0;
  void on(const Token& token, Context& ctx) {
    if (token.left > 0) ctx.send(Ref<Station>(ActorId{next}), Token{token.left - 1});
  }
};

// 1,000 events: `tokens` of them are pending at any time, until the last ones run out.
Scenario ring(std::uint32_t tokens) {
  return Scenario::of("ring", [tokens](World& world) {
    const std::uint32_t stations = 10;
    for (std::uint32_t i = 0; i < stations; ++i)
      world.spawn("station" + std::to_string(i), Station{.next = (i + 1) % stations});
    for (std::uint32_t i = 0; i < tokens; ++i)
      world.send(Ref<Station>(ActorId{i % stations}), Token{1'000 / tokens - 1});
  });
}

// The least nanoseconds per step of several turns, each of which goes through all rows.
std::vector<double> step_ns(const Scenario& scenario, const std::vector<Row>& measured, std::uint64_t runs) {
  std::vector<double> best(measured.size(), std::numeric_limits<double>::max());
  for (int turn = 0; turn < 7; ++turn) {
    for (std::size_t i = 0; i < measured.size(); ++i) {
      HuntOptions options{.strategy = measured[i].strategy, .strategy_options = measured[i].options};
      options.runs = runs;
      const double start = cpu_seconds();
      const HuntResult result = hunt(scenario, {}, options);
      best[i] = std::min(best[i], 1e9 * (cpu_seconds() - start) / static_cast<double>(result.steps));
    }
  }
  return best;
}

bool print_speed() {
  bool met = true;
  fmt::print("{}, commit {}, seed 1\n\n", cpu_model(), commit());
  fmt::print(
      "| pending | random, ns per step | pctcp depth=3 | pos | surw | pctcp beside random "
      "|\n|---|---|---|---|---|---|\n");
  for (const std::uint32_t tokens : {1U, 4U, 10U, 20U, 40U, 100U, 250U, 1'000U}) {
    const Scenario scenario = ring(tokens);
    const std::vector<double> pair = step_ns(scenario, {{"random", {}}, {"pctcp", {{"depth", "3"}}}}, 300);
    const std::vector<double> others = step_ns(scenario, {{"pos", {}}, {"surw", {}}}, 100);
    fmt::print("| {} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.2f} |\n", tokens, pair[0], pair[1], others[0],
               others[1], pair[1] / pair[0]);
    std::fflush(stdout);
    met = met && pair[1] <= 2 * pair[0];
  }
  fmt::print("\nfloor: pctcp costs at most twice what random costs: {}\n", met ? "met" : "NOT MET");
  return met;
}

// --- memory ---

// A world of so many events that are pending at once, each of which causes one more, `length` times.
class Wide final : public EventSource {
 public:
  Wide(std::size_t width, std::size_t length) : width_(width), length_(length) {}
  // Bytes that the strategy held at the end of a run.
  std::size_t run(Strategy& strategy) {
    strategy.begin({0, 1, width_ * length_ + 1});
    std::vector<std::pair<std::uint64_t, std::size_t>> list;
    for (std::size_t i = 0; i < width_; ++i) list.emplace_back(++ids_, 1);
    pending_ = &list;
    list.reserve(2 * width_);
    const std::size_t before = mallinfo2().uordblks;
    for (std::size_t step = 0; step < width_ * (length_ - 1); ++step) {
      const std::size_t chosen = strategy.choose(ChoicePoint::events(*this, step, list.size(), list.size()));
      const std::size_t generation = list[chosen].second;
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(chosen));
      list.emplace_back(++ids_, generation + 1);
    }
    return mallinfo2().uordblks - before;
  }

  Event event_at(std::size_t index) const override { return pending_event(index); }
  std::optional<std::uint64_t> world_fingerprint() const override { return std::nullopt; }
  std::size_t pending_count() const override { return pending_->size(); }
  EventId pending_id(std::size_t position) const override { return EventId{(*pending_)[position].first}; }
  Event pending_event(std::size_t position) const override {
    Event event;
    event.id = pending_id(position);
    return event;
  }
  std::size_t position_of(std::size_t index) const override { return index; }

 private:
  std::size_t width_;
  std::size_t length_;
  std::uint64_t ids_ = 0;
  std::vector<std::pair<std::uint64_t, std::size_t>>* pending_ = nullptr;
};

void print_memory() {
  fmt::print(
      "\n| pending events = chains | events executed | bytes held by pctcp | per pending event "
      "|\n|---|---|---|---|\n");
  for (const auto& [width, length] : std::vector<std::pair<std::size_t, std::size_t>>{
           {100, 10}, {100, 1'000}, {1'000, 10}, {1'000, 100}, {10'000, 3}}) {
    PctcpStrategy strategy({.depth = 3, .n = 1'000'000});
    const std::size_t bytes = Wide(width, length).run(strategy);
    fmt::print("| {} | {} | {} | {:.0f} |\n", width, width * (length - 1), bytes,
               static_cast<double>(bytes) / static_cast<double>(width));
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool speed = false;
  bool check = false;
  std::uint64_t runs = 2'000;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--speed") == 0) {
      speed = true;
    } else if (std::strcmp(argv[i], "--check") == 0) {
      check = true;
    } else if (std::strcmp(argv[i], "--runs") == 0 && i + 1 < argc && std::atoll(argv[i + 1]) > 0) {
      runs = static_cast<std::uint64_t>(std::atoll(argv[++i]));
    } else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
      only = argv[++i];
    } else {
      fmt::print(stderr, "usage: bench_strategies [--runs N] [--only SYSTEM] [--speed] [--check]\n");
      return 2;
    }
  }
  if (!speed) {
    print_table(runs, only);
    return 0;
  }
  const bool met = print_speed();
  print_memory();
  return check && !met ? 1 : 0;
}
