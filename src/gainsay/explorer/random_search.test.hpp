// Searches against an enumerator that shares no code with them, on random small systems of all kinds.
//
// A search that claims to be complete must see every trace class and every final state, and every violation; none may
// see a class that does not exist. sdpor executes every class once (and blocked runs beside), odpor exactly the classes
// where no step takes others away.
#pragma once

#include <cstdlib>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/execution/run/order_recorder.hpp"
#include "gainsay/execution/run/visibility.hpp"
#include "gainsay/execution/world/world_hash.hpp"
#include "gainsay/explorer/enumerate.hpp"
#include "gainsay/explorer/random_system.test.hpp"
#include "gainsay/explorer/reference_dependence.hpp"
#include "gainsay/strategy/catalogue.hpp"
#include "gainsay/strategy/dependence.hpp"

namespace gainsay::random_search {

using random_system::Features;

struct Seen {
  std::uint64_t runs = 0;  // that ended with no complaint
  std::uint64_t blocked = 0;
  std::uint64_t violated = 0;
  std::set<std::uint64_t> classes;
  std::set<std::uint64_t> own_classes;  // as the strategy names them
  std::set<std::uint64_t> final_states;
  std::set<std::string> violations;
  SearchClaim claim;
  bool ended = false;
};

inline constexpr std::uint64_t most_runs = 30'000;

// How states are remembered; nothing that is counted may depend on it.
enum class Memo : std::uint8_t { on, off, forgets };

inline Seen search(const Blueprint& blueprint, const std::string& name, const OptionTexts& options,
                   const Dependent& dependent, Memo memo = Memo::on, std::size_t steps_max = 1000) {
  const std::unique_ptr<Strategy> strategy = find_strategy(name).make(options);
  Execution execution(blueprint, {.steps_max = steps_max, .memo = memo != Memo::off});
  OrderRecorder recorder(dependent);
  execution.observe(&recorder);
  WorldHash& hash = execution.engine().hash;
  const WorldTraits traits = traits_of(blueprint);
  Seen seen;
  for (std::uint64_t i = 0; i < most_runs; ++i) {
    const auto keep = strategy->begin({i, 1, steps_max, false, traits});
    if (!keep) {
      seen.ended = true;
      break;
    }
    const RunOutcome outcome = execution.run(*strategy, *keep);
    strategy->end({outcome.ending, outcome.steps});
    if (outcome.ending == Ending::blocked) {
      ++seen.blocked;
    } else if (outcome.violation) {
      ++seen.violated;
      seen.violations.insert(violation_key(*outcome.violation));
    } else {
      ++seen.runs;
      seen.classes.insert(recorder.order_of(execution).hash());
      if (Reducer* const reducer = strategy->reducer()) {
        if (const auto own = reducer->run_class()) seen.own_classes.insert(*own);
      }
      if (hash.possible(execution.world())) seen.final_states.insert(hash.of(execution.world()));
    }
    if (memo == Memo::forgets) execution.tidy(0);
  }
  if (Reducer* const reducer = strategy->reducer()) seen.claim = reducer->claim();
  return seen;
}

template <class T> std::size_t missing(const std::set<T>& from, const std::set<T>& all) {
  std::size_t count = 0;
  for (const T& each : all) count += from.contains(each) ? 0 : 1;
  return count;
}

inline std::set<std::string> keys(const std::map<std::string, std::uint64_t>& violations) {
  std::set<std::string> all;
  for (const auto& [key, count] : violations) all.insert(key);
  return all;
}

struct Case {
  const char* strategy;
  OptionTexts options;
};

struct Totals {
  std::map<std::string, std::uint64_t> runs, blocked, classes, incomplete, missed;
  std::uint64_t systems = 0;
  std::uint64_t skipped = 0;
};

inline void compare(const Features& features, const Case& each, const Blueprint& blueprint,
                    const Enumeration& all, const Dependent& dependent, Totals& totals) {
  std::string options;
  for (const auto& [name, value] : each.options) options += " " + name + "=" + value;
  SCOPED_TRACE(std::string(each.strategy) + options + " on " + random_system::text(features));
  const Seen seen = search(blueprint, each.strategy, each.options, dependent);
  if (!seen.ended) {
    ++totals.skipped;
    return;
  }
  for (const Memo memo : {Memo::off, Memo::forgets}) {
    if ((features.seed + (memo == Memo::off ? 0 : 1)) % 8 != 0) continue;
    const Seen other = search(blueprint, each.strategy, each.options, dependent, memo);
    const char* how = memo == Memo::off ? "without memo" : "with a memo that forgets";
    EXPECT_EQ(other.runs, seen.runs) << how;
    EXPECT_EQ(other.blocked, seen.blocked) << how;
    EXPECT_EQ(other.violated, seen.violated) << how;
    EXPECT_EQ(other.classes, seen.classes) << how;
    EXPECT_EQ(other.own_classes, seen.own_classes) << how;
    EXPECT_EQ(other.violations, seen.violations) << how;
  }
  EXPECT_EQ(missing(all.classes, seen.classes), 0U) << "classes were invented";
  EXPECT_EQ(missing(all.final_states, seen.final_states), 0U) << "final states were invented";
  const std::size_t missed = missing(seen.classes, all.classes);
  totals.runs[each.strategy] += seen.runs;
  totals.blocked[each.strategy] += seen.blocked;
  totals.classes[each.strategy] += all.classes.size();
  if (missed > 0) ++totals.missed[each.strategy];
  if (!seen.claim.complete) {
    ++totals.incomplete[each.strategy];
    return;
  }
  EXPECT_EQ(missed, 0U) << "classes were missed, of " << all.classes.size();
  EXPECT_EQ(missing(seen.final_states, all.final_states), 0U) << "final states were missed";
  EXPECT_EQ(seen.violations, keys(all.violations));
  const std::string name = each.strategy;
  // What a sleeper touches may depend on its answers, and he is woken by whatever could concern one of them.
  const bool unclear =
      features.choices && (features.monitor || features.warmth || features.invariant || features.clients ||
                           features.order == Delivery::mailbox || blueprint.faults.any());
  const bool once = (name == "sdpor" || name == "odpor") && !unclear;
  if (once) {
    EXPECT_EQ(seen.runs, seen.own_classes.size()) << "a class twice";
  }
  const bool plain = !features.gates && !features.timers && !blueprint.faults.any() && !features.checks &&
                     !features.monitor && !features.invariant && features.timer_budget == 0 &&
                     !features.clients && !features.own_invariant && !features.warmth &&
                     !features.endless_property;
  if (once && plain) {
    EXPECT_EQ(seen.runs, all.classes.size()) << "as many as there are classes";
  }
  const bool waits = features.order == Delivery::causal || features.order == Delivery::mailbox;
  // Where timers need not fire, wakeup trees do not know what an execution that ends early leads to.
  if (name == "odpor" && plain && !features.choices && !waits && !features.timers_optional) {
    EXPECT_EQ(seen.blocked, 0U);
  }
}

inline bool long_run() { return std::getenv("GAINSAY_LONG") != nullptr; }

inline std::uint64_t systems_wanted() {
  if (const char* text = std::getenv("GAINSAY_RANDOM_SYSTEMS")) return std::strtoull(text, nullptr, 10);
  return long_run() ? 20'000 : 1000;
}

// Each of count systems, searched in every way that `cases` gives for its number.
inline Totals compare_all(const std::function<Features(std::uint64_t)>& draw, std::uint64_t from,
                          std::uint64_t count, const std::function<std::vector<Case>(std::uint64_t)>& cases) {
  Totals totals;
  for (std::uint64_t number = from; number < from + count; ++number) {
    const Features features = draw(number);
    const Blueprint blueprint = random_system::build(features);
    ReferenceRules rules = rules_of(blueprint);
    rules.swappable = true;
    const Dependent dependent = reference_dependence(blueprint, rules);
    EnumerateOptions options;
    options.dependent = dependent;
    options.configurations_max = long_run() ? 4000 : 1500;
    const Enumeration all = enumerate(blueprint, options);
    if (!all.complete() || all.classes.size() > (long_run() ? 1000U : 100U)) {
      ++totals.skipped;
      continue;
    }
    ++totals.systems;
    for (const Case& each : cases(number)) compare(features, each, blueprint, all, dependent, totals);
    if (testing::Test::HasFailure()) break;
  }
  std::string table;
  for (const auto& [name, runs] : totals.runs)
    table += fmt::format(
        "{:10} {:8} runs {:8} blocked {:8} classes, incomplete on {}, missed something on {}\n", name, runs,
        totals.blocked[name], totals.classes[name], totals.incomplete[name], totals.missed[name]);
  fmt::print("{} systems, {} skipped\n{}", totals.systems, totals.skipped, table);
  return totals;
}

inline Features plain(std::uint64_t number) {
  Features f = random_system::draw(number);
  f.order = Delivery::unordered;
  f.gates = f.timers = f.checks = f.monitor = f.invariant = f.spawns = false;
  f.timer_budget = f.drops = f.duplicates = f.crashes = f.restarts = f.partitions = 0;
  return f;
}

}  // namespace gainsay::random_search
