// Shrinking, measured on executions of 10,000 steps: within ten seconds, and at most one and a half times as long as
// the shortest execution that `explore` knows. Where it knows none: at most twice as long as what is left of a short
// run.
//
// The systems are bundled ones with a seeded bug. A walk that stays away from the violation as long as it can gives a
// long run of the system itself; some systems have options that let them work for thousands of steps. Then bystanders
// stretch the run: actors that have nothing to do with the system and pass tokens, with thousands of steps between
// those of the system.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/execution/campaign/shrink_violation.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/scenario/registry.hpp"
#include "gainsay/strategy/follow/script.hpp"

namespace gainsay::long_traces_test {

struct Token {
  std::uint32_t left = 0;
};

// Whoever passes a token on is asked first: an execution that ends may be short.
struct Bystander {
  using Receives = Messages<Token>;
  Ref<Bystander> next;
  std::uint32_t seen = 0;
  void on(const Token& token, Context& ctx) {
    ++seen;
    if (token.left > 0 && ctx.flip("pass it on")) ctx.send(next, Token{token.left - 1});
  }
};

namespace {

constexpr std::size_t steps_least = 10'000;
constexpr double seconds_max = 10;
constexpr double times_the_shortest = 1.5;
constexpr double times_a_short_run = 2;
constexpr std::uint32_t bystanders = 3;

bool is_long_run() { return std::getenv("GAINSAY_LONG") != nullptr; }
double cpu_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// A scenario's world with three actors more, who pass one token each.
struct StretchedWorld {
  StretchedWorld(const Blueprint& plain, std::size_t hops)
      : first(static_cast<std::uint32_t>(plain.actors.size())), blueprint(plain) {
    const auto id = [this](std::uint32_t i) { return Ref<Bystander>(ActorId{first + i % bystanders}); };
    for (std::uint32_t i = 0; i < bystanders; ++i) {
      blueprint.actors.push_back({fmt::format("bystander.{}", i),
                                  &value_actor_type<Bystander>(),
                                  AnyValue::of<Bystander>(Bystander{.next = id(i + 1)}),
                                  {}});
      blueprint.messages.push_back(
          {outside, id(i), AnyValue::of<Token>(Token{static_cast<std::uint32_t>(hops)})});
    }
  }
  bool is_bystander(ActorId actor) const {
    return actor != nobody && actor != outside && actor.raw >= first && actor.raw < first + bystanders;
  }

  std::uint32_t first;
  Blueprint blueprint;
};

struct Violating {
  std::vector<Decision> steps{};
  std::optional<Violation> violation{};
};

// A random walk. The more it draws, the more it repeats what it has done most often: clocks tick, clients wait.
class LazyWalk final : public Strategy {
 public:
  LazyWalk(std::uint64_t seed, std::size_t draws) : rng_(seed), draws_(draws) {}
  Needs needs() const override { return {.backtracking = true}; }
  std::optional<Keep> begin(const RunInfo&) override { return Keep{}; }
  std::size_t choose(const ChoicePoint& point) override {
    std::size_t best = rng_.below(point.size());
    if (point.is_value()) return best;
    for (std::size_t i = 0; i < draws_; ++i) {
      const std::size_t other = rng_.below(point.size());
      if (count_of(point.event(other)) > count_of(point.event(best))) best = other;
    }
    ++counts_[point.event(best).type];
    return best;
  }
  bool fair() const override { return true; }
  Rng& rng() { return rng_; }

 private:
  std::size_t count_of(const Event& event) const {
    const auto found = counts_.find(event.type);
    return found == counts_.end() ? 0 : found->second;
  }

  Rng rng_;
  std::size_t draws_;
  std::map<std::uint64_t, std::size_t> counts_;  // by type
};

// The first violating run that walks find, and the longest. A run that was violated is taken up again a little before,
// and goes on in another way. At most so many steps are executed.
struct Runs {
  Violating first{};
  Violating longest{};
};
Runs violating_runs(const Blueprint& blueprint, std::uint64_t steps_max) {
  Runs runs;
  for (const std::size_t draws : {0, 3, 20}) {
    ExecutionOptions options;
    options.steps_max = 2 * steps_least;
    options.liveness.watch = blueprint.has_liveness();
    Execution execution(blueprint, options);
    LazyWalk walk(1, draws);
    Keep keep;
    std::uint64_t executed = 0;
    while (executed < steps_max / 3 && runs.longest.steps.size() < steps_least) {
      const RunOutcome outcome = execution.run(walk, keep);
      const std::size_t steps = execution.steps();
      executed += steps - keep.steps + 1;
      if (outcome.violation && !outcome.violation->is_suspicion()) {
        if (!runs.first.violation) runs.first = {execution.trace().decisions(), outcome.violation};
        if (steps > runs.longest.steps.size() &&
            outcome.violation->property == runs.first.violation->property)
          runs.longest = {execution.trace().decisions(), outcome.violation};
      }
      // Most often a little; now and then far back, because the violation may have become inevitable.
      const std::size_t back =
          outcome.violation ? std::size_t{1} << walk.rng().below(10) : walk.rng().below(steps + 1);
      keep.steps = steps - std::min(back, steps);
    }
  }
  return runs;
}

// Follows the steps of a run, with so many steps of bystanders in between, all of them before its last step.
class Stretching final : public Strategy {
 public:
  Stretching(std::vector<Decision> steps, const StretchedWorld& world, std::size_t extra)
      : script_(std::move(steps)), world_(world), extra_(extra) {}
  std::optional<Keep> begin(const RunInfo&) override { return Keep{}; }
  std::size_t choose(const ChoicePoint& point) override {
    if (point.is_value()) return extra_step_ ? 1 : script_.answer(point.size()).value_or(0);
    extra_step_ = false;
    const std::size_t left = script_.size() - next_;
    if (extra_ > 0 && (left <= 1 || rng_.below(left + extra_) < extra_)) {
      if (const std::size_t theirs = bystanders_step(point); theirs != Script::nowhere) return theirs;
    }
    for (; next_ < script_.size(); ++next_) {
      if (script_[next_].receiver && world_.is_bystander(*script_[next_].receiver)) continue;
      const std::size_t found = script_.find(next_, point);
      if (found == Script::nowhere) break;
      script_.execute(next_++);
      return found;
    }
    script_.execute(Script::nowhere);
    return point.may_stop() ? point.size() - 1 : rng_.below(point.size());
  }
  std::optional<std::int64_t> recorded_time(std::size_t, std::int64_t earliest_ns,
                                            std::int64_t latest_ns) override {
    return std::clamp(script_.time().value_or(earliest_ns), earliest_ns, latest_ns);
  }

 private:
  std::size_t bystanders_step(const ChoicePoint& point) {
    std::vector<std::size_t> theirs;
    for (std::size_t i = 0; i < point.size(); ++i) {
      if (point.kind(i) == EventKind::deliver && world_.is_bystander(point.event(i).receiver))
        theirs.push_back(i);
    }
    if (theirs.empty()) return Script::nowhere;
    --extra_;
    extra_step_ = true;
    script_.execute(Script::nowhere);
    return theirs[rng_.below(theirs.size())];
  }

  Script script_;
  const StretchedWorld& world_;
  std::size_t extra_;
  Rng rng_{1};
  std::size_t next_ = 0;
  bool extra_step_ = false;
};

// The run with more than 10,000 steps; nothing: its faults last for a number of steps, so it cannot be stretched.
Violating stretched(const StretchedWorld& world, const Violating& run, std::size_t extra) {
  Execution execution(world.blueprint, shrinking_options(*run.violation, 3 * steps_least));
  Stretching strategy(run.steps, world, extra);
  const RunOutcome outcome = execution.run(strategy, Keep{});
  if (!outcome.violation || !is_same_violation(*outcome.violation, *run.violation) ||
      execution.steps() < steps_least)
    return {};
  return {execution.trace().decisions(), outcome.violation};
}

// How many steps the shortest execution has that violates the property; nothing: it is not known.
std::optional<std::size_t> shortest_explored(const Scenario& scenario, const OptionTexts& options,
                                             const std::string& property) {
  ExploreOptions exploring;
  exploring.states_max = is_long_run() ? 500'000 : 20'000;
  exploring.time_max = std::chrono::seconds(20);
  exploring.without_histories = true;  // violations of other properties are shortest all the same
  try {
    for (const FoundViolation& found : explore(scenario, options, exploring).violations) {
      if (found.violation.property == property && found.violation.loop_from == no_step)
        return found.document.steps.size();
    }
  } catch (const UserError&) {
    // Opaque actors, or a world that is no value.
  }
  return std::nullopt;
}

struct Case {
  std::string scenario;
  OptionTexts options;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const std::set<std::string> quick = {"bounded_async",       "cache_coherence",  "ctstore",
                                       "failure_detector",    "flush_race",       "raft",
                                       "replicated_register", "two_phase_commit", "viewstamped_replication"};
  for (const Scenario* scenario : scenarios()) {
    if (!is_long_run() && !quick.contains(scenario->name())) continue;
    for (const OptionInfo& info : scenario->options()) {
      if (info.name != "bug") continue;
      for (const std::string& bug : info.values) {
        if (bug != "none") cases.push_back({scenario->name(), {{"bug", bug}}});
      }
    }
  }
  // Systems that work for thousands of steps.
  cases.push_back({"raft", {{"bug", "duplicate_votes"}, {"ticks", "1000"}, {"timers", "v2"}}});
  if (!is_long_run()) return cases;
  cases.push_back(
      {"kafka_isr",
       {{"bug", "unclean_election"}, {"ticks", "100000"}, {"producers", "50"}, {"rounds", "50"}}});
  cases.push_back({"cache_coherence", {{"bug", "early_grant"}, {"asks", "1000"}, {"caches", "8"}}});
  cases.push_back({"cache_coherence", {{"bug", "kept_copy"}, {"asks", "1000"}}});
  for (const char* bug : {"rewound_counter", "broken_chain"})
    cases.push_back(
        {"chain_replication",
         {{"bug", bug}, {"clients", "9"}, {"requests", "100"}, {"servers", "9"}, {"failures", "8"}}});
  for (const char* bug : {"shared_ballot", "partial_retry"})
    cases.push_back({"cassandra_paxos", {{"bug", bug}, {"clients", "9"}, {"attempts", "100"}}});
  cases.push_back(
      {"chronos", {{"bug", "new_framework"}, {"ticks", "100000"}, {"jobs", "50"}, {"rounds", "50"}}});
  for (const char* bug : {"local_reads", "consistent_reads"})
    cases.push_back({"etcd_reads", {{"bug", bug}, {"ticks", "100000"}, {"clients", "50"}, {"rounds", "50"}}});
  cases.push_back({"elasticsearch_intersecting",
                   {{"bug", "answers_both"}, {"ticks", "100000"}, {"clients", "50"}, {"rounds", "50"}}});
  cases.push_back({"fabric",
                   {{"bug", "early_answer"},
                    {"requests", "20"},
                    {"services", "8"},
                    {"clients", "8"},
                    {"failures", "9"}}});
  for (const char* bug : {"minority", "stale_promises"})
    cases.push_back({"multi_paxos", {{"bug", bug}, {"nodes", "9"}, {"timeouts", "100"}, {"updates", "9"}}});
  cases.push_back({"raft", {{"bug", "duplicate_votes"}, {"ticks", "1000"}, {"servers", "9"}}});
  cases.push_back(
      {"two_phase_commit", {{"bug", "stale_votes"}, {"replicas", "8"}, {"clients", "8"}, {"timeouts", "8"}}});
  for (const char* bug : {"same_view_change", "keep_differing", "no_download"})
    cases.push_back({"viewstamped_replication",
                     {{"bug", bug}, {"old_views", "4"}, {"new_views", "4"}, {"queries", "4"}}});
  return cases;
}

std::string text_of(const Case& each) {
  std::string text = each.scenario;
  for (const auto& [name, value] : each.options) text += fmt::format(" {}={}", name, value);
  return text;
}

TEST(ShrinkLongTraces, TenThousandStepsBecomeAFewInSeconds) {
  std::size_t shrunk_ones = 0;
  std::size_t explored = 0;
  for (const Case& each : all_cases()) {
    SCOPED_TRACE(text_of(each));
    const Scenario& scenario = find_scenario(each.scenario);
    const Blueprint plain = scenario.build(each.options);
    const StretchedWorld calm(plain, 0);
    const Runs runs = violating_runs(calm.blueprint, is_long_run() ? 3'000'000 : 60'000);
    if (!runs.longest.violation) continue;
    const std::size_t own = runs.longest.steps.size();
    const std::size_t extra = own < steps_least ? steps_least + 2 * bystanders - own : 0;
    const StretchedWorld busy(plain, extra / bystanders);
    const Violating run = extra == 0 ? runs.longest : stretched(busy, runs.longest, extra);
    if (!run.violation) continue;
    ++shrunk_ones;
    const double begin = cpu_s();
    const ShrunkViolation result =
        shrink_violation(extra == 0 ? calm.blueprint : busy.blueprint, run.steps, *run.violation);
    const double took_s = cpu_s() - begin;
    EXPECT_LT(took_s, seconds_max);
    const std::size_t of_short_run =
        shrink_violation(calm.blueprint, runs.first.steps, *runs.first.violation).shrunk.steps.size();
    auto shortest = shortest_explored(scenario, each.options, run.violation->property);
    // An execution that is judged at its end has the bystanders' first steps too.
    if (shortest && shows_where(plain, *run.violation) == Shows::at_the_end) *shortest += bystanders;
    explored += shortest ? 1 : 0;
    const std::size_t left = result.shrunk.steps.size();
    fmt::print("{:<60} {:>6} of {:>6} -> {:>4} steps, of a short run {:>4}, shortest {:>4}, {:.2f} s{}\n",
               text_of(each), own, run.steps.size(), left, of_short_run,
               shortest ? std::to_string(*shortest) : "-", took_s,
               result.shrunk.minimal ? "" : ", not minimal");
    std::fflush(stdout);
    EXPECT_LE(static_cast<double>(left), times_a_short_run * static_cast<double>(of_short_run));
    if (shortest) {
      EXPECT_LE(static_cast<double>(left), times_the_shortest * static_cast<double>(*shortest));
    }
  }
  EXPECT_GE(shrunk_ones, is_long_run() ? 50U : 15U);
  EXPECT_GE(explored, 5U);
}

}  // namespace
}  // namespace gainsay::long_traces_test
