// How fast the kernel is, beside a baseline measured in the same run.
//
//   bench_kernel            walks, contained crashes, opaque actors, explore 2x4 (about 20 s)
//   bench_kernel --large    also explore Paxos 3x3 and a causal world, with one and two workers (minutes, 1.5 GB)
//   bench_kernel --spin     also SPIN on the same protocol (needs spin; run from the root of the tree)
//   bench_kernel --worlds   also every kind of world beside plain Paxos: explore, hunts, strategies (minutes)
//   bench_kernel --explore  only explore in every kind of world beside plain Paxos
//   bench_kernel --hunt S   only hunts of system S beside plain Paxos
//   bench_kernel --check    exits with 1 where a floor below is not met
//
// Each pair is measured in turns and the fastest of the turns counts, because machines are noisy. CPU time,
// except where two workers are compared with one.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <sys/utsname.h>

#include "benchmarks/containment.hpp"
#include "benchmarks/machine.hpp"
#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/gainsay.hpp"
#include "paxos_baseline.hpp"
#include "systems/paxos/paxos.hpp"

namespace {

using namespace gainsay;
using benchmarks::commit;
using benchmarks::cpu_model;
using benchmarks::cpu_seconds;

constexpr std::uint64_t seed = 1;
bool all_met = true;

void print_floor(const char* what, double measured, double floor) {
  const bool met = measured >= floor;
  all_met = all_met && met;
  fmt::print("  {:<58} {:>8.2f}   floor {:.2f}   {}\n", what, measured, floor, met ? "met" : "NOT MET");
}

// --- walks ---

void walks(std::uint32_t proposers, std::uint32_t acceptors) {
  double by_hand = 0;
  double by_kernel = 0;
  HuntResult result;
  for (int turn = 0; turn < 5; ++turn) {
    double start = cpu_seconds();
    const auto walk = paxos_baseline::walk({.proposers = static_cast<int>(proposers),
                                            .acceptors = static_cast<int>(acceptors),
                                            .bug = paxos_baseline::Bug::none},
                                           seed, 400'000);
    by_hand = std::max(by_hand, static_cast<double>(walk.steps) / (cpu_seconds() - start));
    HuntOptions options;
    options.runs = 400'000;
    options.seed = seed;
    start = cpu_seconds();
    result =
        hunt(find_scenario("paxos"),
             {{"proposers", std::to_string(proposers)}, {"acceptors", std::to_string(acceptors)}}, options);
    by_kernel = std::max(by_kernel, static_cast<double>(result.steps) / (cpu_seconds() - start));
  }
  fmt::print(
      "random walk, Paxos {}x{}: by hand {:.1f} M steps/s, hunt {:.1f} M steps/s, {} handler calls for {} "
      "steps\n",
      proposers, acceptors, by_hand / 1e6, by_kernel / 1e6, result.handler_calls, result.steps);
  print_floor("hunt beside the hand-written loop", by_kernel / by_hand, 0.25);
}

void containment() {
  HuntOptions options;
  options.runs = 150'000;
  options.seed = seed;
  const double ratio = benchmarks::contained_beside_plain([&](CampaignJournal* journal) {
    options.journal = journal;
    (void)hunt(find_scenario("paxos"), {{"proposers", "3"}, {"acceptors", "3"}}, options);
  });
  print_floor("hunt with crashes contained beside one without", ratio, 0.97);
}

// --- monitors ---

struct Asked {};
struct Chosen {
  paxos::Value value = 0;
};
struct Agreement {
  using Observes = Messages<Chosen>;
  paxos::Value chosen = 0;
  void on(const Chosen& c, MonitorContext& m) {
    m.check(chosen == 0 || chosen == c.value, "two values were chosen");
    chosen = c.value;
  }
};
// Watches progress. Never hot: Paxos may end without a choice, which is not what is measured here.
struct Progress {
  using Observes = Messages<Asked, Chosen>;
  bool asked = false;
  bool chosen = false;
  void on(const Asked&) { asked = true; }
  void on(const Chosen&) { chosen = true; }
  bool hot() const { return chosen && !asked; }
};

// A proposer that tells monitors, or one that only counts.
template <bool tells> struct Proposer {
  using Receives = paxos::Proposer::Receives;
  paxos::Proposer inner;
  template <class M> void handle(const M& message, Context& ctx) {
    const bool had = inner.has_chosen();
    if constexpr (requires { inner.on(message, ctx); }) {
      inner.on(message, ctx);
    } else {
      inner.on(message);
    }
    if constexpr (tells) {
      if (!had && inner.has_chosen()) {
        ctx.notify<Agreement>(Chosen{inner.proposal()});
        ctx.notify<Progress>(Chosen{inner.proposal()});
      }
    }
  }
  void on(const paxos::Start& start, Context& ctx) {
    if constexpr (tells) ctx.notify<Progress>(Asked{});
    handle(start, ctx);
  }
  void on(const paxos::Promise& promise, Context& ctx) { handle(promise, ctx); }
  void on(const paxos::Accepted& accepted, Context& ctx) { handle(accepted, ctx); }
};

template <bool tells> double walk_with_monitors() {
  const Scenario scenario = Scenario::of("paxos", [](World& world) {
    const auto acceptors = world.group<paxos::Acceptor>("acceptor", 3);
    if (tells) world.monitor<Agreement>("agreement");
    if (tells) world.monitor<Progress>("progress");
    for (int i = 0; i < 3; ++i) {
      paxos::Proposer proposer;
      proposer.index = i;
      proposer.acceptors = acceptors;
      world.send(world.spawn("proposer." + std::to_string(i), Proposer<tells>{proposer}), paxos::Start{});
    }
  });
  HuntOptions options;
  options.runs = 200'000;
  const double start = cpu_seconds();
  const HuntResult result = hunt(scenario, {}, options);
  return static_cast<double>(result.steps) / (cpu_seconds() - start);
}

void monitors() {
  double without = 0;
  double with = 0;
  for (int turn = 0; turn < 5; ++turn) {
    without = std::max(without, walk_with_monitors<false>());
    with = std::max(with, walk_with_monitors<true>());
  }
  fmt::print("random walk, Paxos 3x3: {:.1f} M steps/s, with two monitors {:.1f} M steps/s\n", without / 1e6,
             with / 1e6);
  print_floor("steps/s with monitors beside those without", with / without, 0.85);
}

// --- opaque actors ---

struct Ball {
  std::uint32_t hits = 0;
};

// Move-only, so that it can only be executed live.
struct Player {
  using Receives = Messages<Ball>;
  explicit Player(std::uint32_t rounds) : left(std::make_unique<std::uint32_t>(rounds)) {}
  std::unique_ptr<std::uint32_t> left;
  void on(const Ball& ball, Context& ctx) {
    if (*left == 0) return;
    --*left;
    ctx.send(ActorId{1 - ctx.self().raw}, Ball{ball.hits + 1});
  }
};

void opaque() {
  const Scenario scenario = Scenario::of("ping_pong", [](World& world) {
    const auto one = world.wrap<Player>("one", 500U);
    world.wrap<Player>("two", 500U);
    world.send(one, Ball{});
  });
  double best = 0;
  for (int turn = 0; turn < 3; ++turn) {
    HuntOptions options;
    options.runs = 1'000;
    const double start = cpu_seconds();
    const HuntResult result = hunt(scenario, {}, options);
    best = std::max(best, static_cast<double>(result.steps) / (cpu_seconds() - start));
  }
  fmt::print("opaque ping-pong: {:.2f} M steps/s\n", best / 1e6);
  print_floor("millions of steps per second", best / 1e6, 1.0);
}

// --- explore ---

double explore_cpu() {
  double best = 0;
  ExploreResult result;
  for (int turn = 0; turn < 5; ++turn) {
    const double start = cpu_seconds();
    result = explore(find_scenario("paxos"), {{"acceptors", "4"}}, {});
    best = std::max(best, static_cast<double>(result.transitions) / (cpu_seconds() - start));
  }
  fmt::print(
      "explore, Paxos 2x4, one worker: {} states, {} transitions, {:.1f} M transitions per CPU second\n",
      result.states, result.transitions, best / 1e6);
  return best;
}

// --- every world beside plain Paxos ---

struct ExploreCase {
  std::string name;
  Scenario scenario;
  OptionTexts options;
};

// Paxos 2x3 with faults.
Scenario faulty_paxos(const std::string& name,
                      const std::function<void(World&, const Group<paxos::Acceptor>&)>& faults) {
  return Scenario::of(name, [faults](World& world) {
    const auto acceptors = world.group<paxos::Acceptor>("acceptor", 3);
    const auto proposers = world.group<paxos::Proposer>("proposer", 2, [&](std::size_t i) {
      return paxos::Proposer{.index = static_cast<std::int32_t>(i), .acceptors = acceptors};
    });
    for (const auto proposer : proposers) world.send(proposer, paxos::Start{});
    faults(world, acceptors);
  });
}

std::vector<ExploreCase> explore_cases() {
  return {
      {"two_phase_commit (causal)", find_scenario("two_phase_commit"), {}},
      {"cache_coherence (fifo)", find_scenario("cache_coherence"), {{"order", "fifo"}}},
      {"raft (causal, machines, monitor)", find_scenario("raft"), {}},
      {"failure_detector (causal, liveness)", find_scenario("failure_detector"), {}},
      {"Paxos 2x3, crash(1) restart(1)",
       faulty_paxos(
           "paxos_crash",
           [](World& world, const auto& acceptors) { world.faults().crash(1, acceptors).restart(1); }),
       {}},
      {"Paxos 2x3, drop(2) duplicate(1)",
       faulty_paxos("paxos_drop", [](World& world, const auto&) { world.faults().drop(2).duplicate(1); }),
       {}},
  };
}

ExploreResult explore_case(const ExploreCase& each, unsigned workers) {
  ExploreOptions options;
  options.workers = workers;
  options.states_max = 400'000;
  return explore(each.scenario, each.options, options);
}

// Transitions per CPU second beside those of plain Paxos 2x4 in the same turn: machines are noisy.
void explore_every_world() {
  fmt::print("explore, transitions per CPU second beside plain Paxos 2x4; 400,000 states at most\n");
  for (const ExploreCase& each : explore_cases()) {
    double best = 0;
    double one_s = std::numeric_limits<double>::infinity();
    double two_s = one_s;
    ExploreResult result;
    for (int turn = 0; turn < 5; ++turn) {
      double start = cpu_seconds();
      const ExploreResult plain = explore(find_scenario("paxos"), {{"acceptors", "4"}}, {});
      const double plain_rate = static_cast<double>(plain.transitions) / (cpu_seconds() - start);
      start = cpu_seconds();
      result = explore_case(each, 1);
      best = std::max(best, static_cast<double>(result.transitions) / (cpu_seconds() - start) / plain_rate);
      one_s = std::min(one_s, result.elapsed_s);
      two_s = std::min(two_s, explore_case(each, 2).elapsed_s);
    }
    print_floor(each.name.c_str(), best, 0.25);
    fmt::print(
        "    {} states, {} bytes a state; two workers {:.2f} times as fast as one ({:.0f} ms elapsed)\n",
        result.states, result.memory_bytes / std::max<std::uint64_t>(1, result.states), one_s / two_s,
        1e3 * two_s);
  }
}

double hunt_rate(const std::string& system, const std::string& strategy) {
  HuntOptions options;
  options.strategy = strategy;
  options.time = std::chrono::milliseconds(400);
  options.seed = seed;
  options.keep_going = true;
  const double start = cpu_seconds();
  const HuntResult result = hunt(find_scenario(system), {}, options);
  return static_cast<double>(result.steps) / (cpu_seconds() - start);
}

// Steps per CPU second of a random hunt beside plain Paxos, and of priority strategies beside random.
void hunt_world(const std::string& system) {
  const std::vector<std::string> named = {"raft", "cassandra_paxos", "chain_replication",
                                          "zookeeper_election", "fabric"};
  // Coroutines and wrapped code: executed, never remembered.
  const std::vector<std::string> live = {"migrating_table", "viewstamped_replication_code", "libraft"};
  const std::vector<std::string> strategies = {"pct", "pctcp", "pos"};
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  double plain = 0;
  double random = 0;
  std::vector<double> others(strategies.size(), 0);
  for (int turn = 0; turn < 4; ++turn) {
    plain = std::max(plain, hunt_rate("paxos", "random"));
    random = std::max(random, hunt_rate(system, "random"));
    for (std::size_t i = 0; i < strategies.size(); ++i)
      others[i] = std::max(others[i], hunt_rate(system, strategies[i]));
  }
  if (has(live, system)) {
    fmt::print("  {:<58} {:>8.2f}   executed live: no floor\n", system, random / plain);
  } else {
    print_floor(system.c_str(), random / plain, has(named, system) ? 0.3 : 0.2);
  }
  for (std::size_t i = 0; i < strategies.size(); ++i)
    print_floor(fmt::format("  {} {}", system, strategies[i]).c_str(), others[i] / random, 0.5);
}

void hunt_every_world() {
  fmt::print("random hunt, steps per CPU second beside plain Paxos; pct, pctcp, pos beside random\n");
  for (const Scenario* scenario : scenarios()) hunt_world(scenario->name());
}

// --- simulated time ---

struct Token {
  int left = 0;
};
// Passes tokens on. Every message is made by another step, so that there are as many moments as times can differ.
struct Ring {
  using Receives = Messages<Token>;
  Group<Ring> all{};
  std::uint32_t self = 0;
  void on(const Token& token, Context& ctx) {
    if (token.left > 0) ctx.send(all[(self + 1) % all.size()], Token{token.left - 1});
  }
};

Scenario ring(bool timed, std::uint32_t tokens) {
  return Scenario::of("ring", [=](World& world) {
    if (timed) {
      world.simulated_time();
      world.latency(std::chrono::milliseconds(1), std::chrono::milliseconds(5));
    }
    const auto all = world.group<Ring>("ring", 6, [](std::size_t i, Group<Ring> group) {
      return Ring{.all = group, .self = static_cast<std::uint32_t>(i)};
    });
    for (std::uint32_t i = 0; i < tokens; ++i) world.send(all[i % 6], Token{100});
  });
}

// A hunt in simulated time beside the same hunt without: what the class of times costs.
void simulated_time() {
  fmt::print("random hunt in simulated time beside the same untimed (steps per CPU second)\n");
  const auto rate = [](bool timed, std::uint32_t tokens) {
    HuntOptions options;
    options.strategy = "random";
    options.time = std::chrono::milliseconds(400);
    options.seed = seed;
    const double start = cpu_seconds();
    const HuntResult result = hunt(ring(timed, tokens), {}, options);
    return static_cast<double>(result.steps) / (cpu_seconds() - start);
  };
  for (const std::uint32_t tokens : {5U, 30U}) {
    double untimed = 0;
    double timed = 0;
    for (int turn = 0; turn < 5; ++turn) {
      untimed = std::max(untimed, rate(false, tokens));
      timed = std::max(timed, rate(true, tokens));
    }
    fmt::print("  {} pending: {:.0f} ns a step, untimed {:.0f} ns\n", tokens, 1e9 / timed, 1e9 / untimed);
    print_floor(fmt::format("{} pending events, timed beside untimed", tokens).c_str(), timed / untimed,
                1.0 / 3);
  }
}

// What benchmarks/spin/run.sh prints for the same size; 0 where SPIN is not here.
double spin_rate() {
  std::string text;
  if (FILE* pipe = ::popen("benchmarks/spin/run.sh 2x4", "r")) {
    char buffer[512];
    while (std::fgets(buffer, sizeof(buffer), pipe) != nullptr) text += buffer;
    ::pclose(pipe);
  }
  const std::string key = "\"transitions_per_cpu_s\":";
  const std::size_t at = text.find(key);
  return at == std::string::npos ? 0 : std::atof(text.c_str() + at + key.size());
}

void beside_spin(double ours) {
  const double spin = spin_rate();
  if (spin == 0) {
    fmt::print("SPIN did not run; `benchmarks/spin/run.sh 2x4` says why\n");
    all_met = false;
    return;
  }
  fmt::print("SPIN, the same protocol: {:.2f} M transitions per CPU second\n", spin / 1e6);
  print_floor("explore beside SPIN", ours / spin, 10.0);
}

// Searches that get so many bytes for each of their states and no more: what does not fit goes to disk.
void explore_large() {
  struct Large {
    std::string system;
    OptionTexts options;
    std::uint64_t states;
    std::uint64_t bytes_a_state;
  };
  const std::vector<Large> cases = {
      {"paxos", {{"proposers", "3"}}, 48'855'900, 24},
      {"two_phase_commit", {{"replicas", "3"}}, 36'828'377, 40},  // causal order
  };
  for (const Large& each : cases) {
    double elapsed[3] = {};
    for (const unsigned workers : {1U, 2U}) {
      ExploreOptions options;
      options.workers = workers;
      options.memory_max = each.states * each.bytes_a_state;
      const ExploreResult result = explore(find_scenario(each.system), each.options, options);
      elapsed[workers] = result.elapsed_s;
      fmt::print("explore, {}, {} worker(s): {} states, {} transitions, {:.1f} s, {:.1f} M/s, {}\n",
                 each.system, workers, result.states, result.transitions, result.elapsed_s,
                 static_cast<double>(result.transitions) / result.elapsed_s / 1e6,
                 result.complete ? "complete" : "incomplete");
      const double bytes_a_state =
          static_cast<double>(result.memory_bytes) / static_cast<double>(result.states);
      fmt::print("  {:.1f} bytes a state at the most, {:.2f} GiB written to disk\n", bytes_a_state,
                 static_cast<double>(result.disk_bytes) / 0x1p30);
      print_floor(fmt::format("{} bytes a state beside what was taken", each.bytes_a_state).c_str(),
                  result.complete ? static_cast<double>(each.bytes_a_state) / bytes_a_state : 0, 1.0);
    }
    print_floor("two workers beside one (elapsed time)", elapsed[1] / elapsed[2], 1.7);
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool large = false;
  bool spin = false;
  bool check = false;
  bool worlds = false;
  bool only_explore = false;
  const char* only = nullptr;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--large") == 0) {
      large = true;
    } else if (std::strcmp(argv[i], "--spin") == 0) {
      spin = true;
    } else if (std::strcmp(argv[i], "--worlds") == 0) {
      worlds = true;
    } else if (std::strcmp(argv[i], "--check") == 0) {
      check = true;
    } else if (std::strcmp(argv[i], "--explore") == 0) {
      only_explore = true;
    } else if (std::strcmp(argv[i], "--hunt") == 0 && i + 1 < argc) {
      only = argv[++i];
    } else {
      fmt::print(stderr,
                 "usage: bench_kernel [--large] [--spin] [--worlds] [--explore] [--hunt SYSTEM] [--check]\n");
      return 2;
    }
  }
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // progress, also into a file
  utsname name{};
  ::uname(&name);
  fmt::print("{}, {} {}, commit {}, seed {}\n", cpu_model(), name.sysname, name.release, commit(), seed);
  if (only != nullptr || only_explore) {
    if (only != nullptr) hunt_world(only);
    if (only_explore) explore_every_world();
    return check && !all_met ? 1 : 0;
  }
  walks(2, 3);
  walks(3, 3);
  containment();
  monitors();
  opaque();
  simulated_time();
  const double explored = explore_cpu();
  if (spin) beside_spin(explored);
  if (large) explore_large();
  if (worlds) {
    explore_every_world();
    hunt_every_world();
  }
  return check && !all_met ? 1 : 0;
}
