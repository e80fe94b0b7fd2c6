// What strategies cost: nanoseconds per step beside random, and the memory of pctcp.
//
//   bench_strategies           the tables, as Markdown (docs/strategies.md quotes them)
//   bench_strategies --check   exits with 1 where pctcp costs more than twice what random costs
//
// CPU time; strategies are measured in turns and the fastest of the turns counts. What they find is `gainsay zoo`'s.
#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <malloc.h>

#include "benchmarks/machine.hpp"
#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/gainsay.hpp"
#include "gainsay/strategy/walks/pctcp.hpp"

namespace {

using namespace gainsay;
using benchmarks::commit;
using benchmarks::cpu_model;
using benchmarks::cpu_seconds;

struct Row {
  std::string strategy;
  OptionTexts options;
};

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
  const bool check = argc == 2 && std::strcmp(argv[1], "--check") == 0;
  if (argc > 1 && !check) {
    fmt::print(stderr, "usage: bench_strategies [--check]\n");
    return 2;
  }
  const bool met = print_speed();
  print_memory();
  return check && !met ? 1 : 0;
}
