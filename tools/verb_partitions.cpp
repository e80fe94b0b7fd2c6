// partitions: how many network partitions are enough, which ones, and what some partitions have covered, without
// running anything. Niksic's thesis (2019), chapters 3 and 4.
//
// A question is a notion (--split, --separate, --isolate-minority, --bridge, --sequence), or operations alone
// (--operations, example 3.1), or both: then a round is a partition followed by operations. The answer names the chance
// of a round, how many rounds are enough by the thesis, by the union bound and exactly, and a family.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/family/coverage.hpp"
#include "gainsay/family/partitions/chances.hpp"
#include "gainsay/family/partitions/covering.hpp"
#include "gainsay/family/partitions/story.hpp"
#include "gainsay/report/percent.hpp"
#include "tools/arguments.hpp"
#include "tools/partition_question.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

using Json = nlohmann::ordered_json;

std::string runs_word(std::uint64_t count) {
  return count == family::too_many ? "more than 2^64" : with_commas(count);
}
std::string count_word(const family::Big& count) {
  return count < 1'000'000'000'000'000 ? with_commas(count.convert_to<std::uint64_t>())
                                       : fmt::format("10^{:.1f}", family::log_of(count) / std::log(10.0));
}

// What is said, in words and as a document.
struct Reply {
  std::string text;
  Json json;
};

Json listed(const family::PartitionFamily& family, const std::vector<std::string>& names) {
  Json list = Json::array();
  for (const family::Partition& partition : family) {
    Json blocks = Json::array();
    for (const auto& block : partition.members()) {
      Json members = Json::array();
      for (const family::Node node : block) members.push_back(family::node_name(node, names));
      blocks.push_back(std::move(members));
    }
    list.push_back(std::move(blocks));
  }
  return list;
}

void draw_family(Reply& reply, const family::CutTests& tests, const PartitionQuestion& question) {
  family::PartitionFamily family;
  for (const family::CutTest& test : tests) family.push_back(test.partition);
  reply.json["family"] = listed(family, question.names);
  if (!tests.empty() && tests.front().bridge) {
    Json bridges = Json::array();
    for (const family::CutTest& test : tests) {
      Json members = Json::array();
      const std::vector<family::Node> bridge = test.partition.members()[*test.bridge];
      for (const family::Node node : bridge) members.push_back(family::node_name(node, question.names));
      bridges.push_back(std::move(members));
    }
    reply.json["bridges"] = std::move(bridges);
  }
  constexpr std::size_t drawn_nodes_max = 40;
  constexpr std::size_t drawn_lines_max = 64;
  if (question.nodes > drawn_nodes_max || family.size() > drawn_lines_max) {
    reply.text += "  (too large to draw; --json lists it)\n";
    return;
  }
  reply.text += family::drawing_of(family, question.names);
}

// Rounds that are enough, from a chance and a number of goals; `exact` where all tests can be listed.
struct Numbers {
  double chance = 1;      // of a partition
  double operations = 1;  // that the operations are the wanted ones
  double log_goals_thesis = 0;
  double log_goals = 0;
  std::optional<family::ThesisBound> corollary{};
  std::optional<family::Reach> reach{};

  double round() const { return chance * operations; }
};

void say_numbers(Reply& reply, const PartitionQuestion& question, const Numbers& numbers,
                 const std::string& unit) {
  const double epsilon = question.epsilon;
  const double p = numbers.round();
  Json& json = reply.json;
  json["epsilon"] = epsilon;
  json["per_round"] = p;
  if (p == 0) {
    reply.text += fmt::format("  no {} of this kind meets such a goal\n", unit);
    json["enough"] = nullptr;
    return;
  }
  const std::string sure = percent_text(1 - epsilon);
  if (numbers.corollary && numbers.operations == 1) {
    const family::ThesisBound& bound = *numbers.corollary;
    reply.text +=
        fmt::format("  {}: a family of {} exists ({}); {} random {}s form one with probability {}\n",
                    bound.place, runs_word(bound.exists), bound.form, runs_word(bound.needed), unit, sure);
    json["corollary"] = {{"place", bound.place}, {"exists", bound.exists}, {"needed", bound.needed}};
  }
  // The theorem with the thesis' own chance and its own count of goals, then with ours.
  const double p_thesis =
      (numbers.corollary ? std::min(numbers.corollary->chance, numbers.chance) : numbers.chance) *
      numbers.operations;
  const std::uint64_t exists = family::tests_that_exist(numbers.log_goals_thesis, p_thesis);
  const std::uint64_t needed = family::tests_needed(numbers.log_goals_thesis, p_thesis, epsilon);
  reply.text += fmt::format(
      "  Theorem 3.1 with p = {:.4g}: a family of {} exists; {} {}s are enough with probability {}\n",
      p_thesis, runs_word(exists), runs_word(needed), unit, sure);
  json["theorem"] = {{"p", p_thesis}, {"exists", exists}, {"needed", needed}};
  const std::uint64_t sharp = family::tests_needed_sharp(numbers.log_goals, p, epsilon);
  reply.text += fmt::format("  by the union bound with the exact p: {} {}s", runs_word(sharp), unit);
  json["union_bound"] = sharp;
  if (numbers.reach) {
    const auto exact = numbers.reach->tests_for(1 - epsilon);
    reply.text += exact ? fmt::format("; exactly {}", runs_word(*exact)) : std::string("; exactly: never");
    json["exact"] = exact ? Json(*exact) : Json();
  }
  reply.text += "\n";
  if (!question.rounds) return;
  const std::uint64_t rounds = *question.rounds;
  const double thesis = family::thesis_confidence(numbers.log_goals_thesis, p_thesis, rounds);
  const double united = family::confidence_after(numbers.log_goals, p, rounds);
  reply.text += fmt::format(
      "  after {} {}s all goals are met with probability at least {} (Theorem 3.1), {} (union bound)",
      with_commas(rounds), unit, percent_text(thesis), percent_text(united));
  json["after"] = {{"rounds", rounds}, {"theorem", thesis}, {"union_bound", united}};
  if (numbers.reach) {
    const double exact = numbers.reach->all_met_after(rounds);
    reply.text += fmt::format(", exactly {}", percent_text(exact));
    json["after"]["exact"] = exact;
  }
  reply.text += "\n";
}

// "15 operations, sequences of 2, 6 wanted".
void say_operations(Reply& reply, const PartitionQuestion& question, Numbers& numbers) {
  if (!question.operations) return;
  const PartitionQuestion::Operations& ops = *question.operations;
  numbers.operations = ops.chance();
  reply.text += fmt::format(
      "  then {} of {} operations each, with {} of {} sequences wanted: probability {:.4g}\n", ops.length,
      with_commas(ops.kinds), with_commas(ops.targets), runs_word(ops.sequences()), numbers.operations);
  reply.json["operations"] = {
      {"kinds", ops.kinds}, {"length", ops.length}, {"targets", ops.targets}, {"chance", numbers.operations}};
}

Reply only_operations(const PartitionQuestion& question) {
  Reply reply;
  Numbers numbers;
  const family::Sampler sampler = question.sampler(2);
  const family::Big drawn =
      sampler.sizes() ? family::partitions_with_sizes(*sampler.sizes()) : family::stirling(question.nodes, 2);
  reply.text =
      fmt::format("{}, any of the {} {}\n", counted(question.nodes, "node"), drawn.str(), sampler.name());
  reply.json = {{"nodes", question.nodes}, {"notion", nullptr}, {"drawn", sampler.name()}};
  say_operations(reply, question, numbers);
  const PartitionQuestion::Operations& ops = *question.operations;
  if (ops.sequences() != family::too_many) {
    const family::Big amalgamated = drawn * ops.sequences();
    const family::Big wanted = drawn * ops.targets;
    reply.text += fmt::format("  as one operation, a partition with its operations: {} of {}\n", wanted.str(),
                              amalgamated.str());
    reply.json["amalgamated"] = {{"wanted", wanted.str()}, {"of", amalgamated.str()}};
  }
  numbers.reach.emplace(1, std::vector<std::uint32_t>{1}, numbers.operations);
  say_numbers(reply, question, numbers, "round");
  return reply;
}

void say_met(Reply& reply, const std::vector<family::Goal>& goals, const family::CutTests& tests,
             const PartitionQuestion& question, const char* key) {
  const family::Counted counted_goals = family::count_met(goals, tests);
  reply.text += fmt::format("  counted: {} of {} goals met", with_commas(counted_goals.met),
                            with_commas(counted_goals.goals));
  if (counted_goals.missed) {
    reply.text += fmt::format(", not {}", family::text_of(*counted_goals.missed, question.names));
  } else {
    reply.text += fmt::format(", each at least {}", counted(counted_goals.least, "time"));
  }
  reply.text += "\n";
  reply.json[key] = {
      {"goals", counted_goals.goals}, {"met", counted_goals.met}, {"all", counted_goals.all()}};
  if (counted_goals.missed)
    reply.json[key]["missed"] = family::text_of(*counted_goals.missed, question.names);
}

// The drawn or constructed family of a notion, or the one that was run.
void say_family(Reply& reply, const PartitionQuestion& question, const family::Notion& notion,
                const family::Sampler& sampler) {
  family::CutTests tests;
  if (!question.ran.empty()) {
    tests = question.ran_tests(notion);
    reply.text += fmt::format("{} that were run:\n", counted(tests.size(), "partition"));
  } else if (question.deterministic) {
    family::Covering covering = family::covering_family(notion);
    reply.text += fmt::format("{}, {}{}:\n", counted(covering.tests.size(), "partition"),
                              covering.construction, covering.least ? "; no family is smaller" : "");
    if (notion.kind == family::Notion::Kind::split && notion.sides.size() > 2)
      reply.text += fmt::format("  (Yao's explicit family: at most {:.3g}; Graham's random one: {:.3g})\n",
                                family::yao_size(notion.nodes, notion.sides.size()),
                                family::graham_size(notion.nodes, notion.sides.size()));
    reply.json["deterministic"] = {
        {"size", covering.tests.size()}, {"construction", covering.construction}, {"least", covering.least}};
    tests = std::move(covering.tests);
  } else {
    const Json& needed = reply.json["union_bound"];
    constexpr std::uint64_t drawn_max = 100'000;
    if (!needed.is_number() || needed.get<std::uint64_t>() > drawn_max) return;
    Rng rng(question.seed);
    for (std::uint64_t i = 0; i < needed.get<std::uint64_t>(); ++i) {
      family::CutTest test{sampler.draw(rng)};
      if (notion.kind == family::Notion::Kind::bridge) test.bridge = static_cast<std::uint32_t>(rng.below(3));
      tests.push_back(std::move(test));
    }
    reply.text += fmt::format("{} drawn with seed {}:\n", counted(tests.size(), "partition"), question.seed);
  }
  draw_family(reply, tests, question);
  if (question.verify || !question.ran.empty()) {
    say_met(reply, notion.goals(), tests, question, question.ran.empty() ? "verified" : "ran");
    GAINSAY_CHECK(!question.deterministic || reply.json["verified"]["all"] == true,
                  "a covering family covers");
  }
}

Reply of_notion(const PartitionQuestion& question, const family::Notion& notion) {
  const family::Sampler sampler = question.sampler(notion.blocks());
  const family::Chance chance = family::chance_of(sampler, notion);
  const family::Big goals = family::goals_counted_once(notion);
  Reply reply;
  reply.text = fmt::format("{}, {}: {} {}\n", counted(question.nodes, "node"), notion.text(),
                           count_word(goals), goals == 1 ? "goal" : "goals");
  reply.text +=
      fmt::format("  {}: one meets a given goal with probability {}\n", sampler.name(), chance.text());
  reply.json = {{"nodes", question.nodes},
                {"notion", notion.text()},
                {"drawn", sampler.name()},
                {"goals", goals.str()},
                {"goals_of_thesis", family::goals_counted_by_thesis(notion).str()},
                {"chance", chance.value()},
                {"chance_text", chance.text()}};
  Numbers numbers;
  numbers.chance = chance.value();
  numbers.log_goals = family::log_of(goals);
  numbers.log_goals_thesis = family::log_of(family::goals_counted_by_thesis(notion));
  numbers.corollary = family::thesis_bound(sampler, notion, question.epsilon);
  say_operations(reply, question, numbers);
  constexpr std::size_t listed_max = 20'000;
  const family::Big drawn = sampler.sizes() ? family::partitions_with_sizes(*sampler.sizes())
                                            : family::stirling(question.nodes, sampler.blocks());
  if (goals <= family::Reach::goals_max && drawn <= listed_max) {
    const family::PartitionFamily all = sampler.all();
    const family::CutTests tests =
        notion.kind == family::Notion::Kind::bridge ? family::bridged_tests(all) : family::tests_of(all);
    const std::vector<family::Goal> goals_list = notion.goals();
    numbers.reach.emplace(goals_list.size(), family::masks_of(goals_list, tests), numbers.operations);
  }
  say_numbers(reply, question, numbers, question.operations ? "round" : "partition");
  say_family(reply, question, notion, sampler);
  return reply;
}

Reply of_story(const PartitionQuestion& question) {
  const family::Story story = family::parse_story(question.sequence, question.nodes);
  const std::vector<std::vector<family::Node>> choices = story.choices();
  if (choices.size() > family::Reach::goals_max)
    throw UserError(
        fmt::format("the parts of the sequence can be assigned to nodes in {}; at most {} are counted",
                    counted(choices.size(), "way"), family::Reach::goals_max));
  Reply reply;
  reply.text = fmt::format("{}, in sequence {}: {} goals\n", counted(question.nodes, "node"), story.text(),
                           choices.size());
  std::vector<family::CutTests> tests;
  for (std::size_t p = 0; p < story.phases.size(); ++p) {
    const family::Sampler sampler = story.sampler_of(p);
    reply.text += fmt::format("  phase {}: {}\n", p + 1, sampler.name());
    tests.push_back(family::tests_of(sampler.all(4096)));
  }
  Numbers numbers;
  reply.json = {
      {"nodes", question.nodes}, {"notion", story.text()}, {"goals", std::to_string(choices.size())}};
  say_operations(reply, question, numbers);
  numbers.reach.emplace(choices.size(), family::masks_of(story, tests), numbers.operations);
  numbers.chance = numbers.reach->chance_of(0) / numbers.operations;
  numbers.log_goals = numbers.log_goals_thesis = std::log(static_cast<double>(choices.size()));
  reply.text += fmt::format("  one round through the phases meets a given goal with probability {:.4g}\n",
                            numbers.chance);
  reply.json["chance"] = numbers.chance;
  say_numbers(reply, question, numbers, "round");
  if (!question.deterministic) return reply;
  const std::vector<family::PartitionFamily> covering = family::covering_family(story);
  reply.text += fmt::format("{}, one partition for each phase:\n", counted(covering.size(), "round"));
  reply.json["deterministic"] = {{"size", covering.size()}};
  reply.json["family"] = Json::array();
  for (std::size_t i = 0; i < covering.size(); ++i) {
    reply.text += fmt::format("  round {}\n{}", i + 1, family::drawing_of(covering[i], question.names));
    reply.json["family"].push_back(listed(covering[i], question.names));
  }
  return reply;
}

int partitions_verb(const PartitionArguments& arguments) {
  const PartitionQuestion question = read_question(arguments);
  const std::optional<family::Notion> notion = question.notion();
  const Reply reply = !question.sequence.empty() ? of_story(question)
                      : notion                   ? of_notion(question, *notion)
                                                 : only_operations(question);
  say(arguments.json ? reply.json.dump(2) + "\n" : reply.text);
  return 0;
}

}  // namespace

Verb add_partitions(CLI::App& app) {
  auto arguments = std::make_shared<PartitionArguments>();
  PartitionArguments& a = *arguments;
  add_text(app, "--nodes", "N|NAMES", a.nodes, "number of nodes, or their names: n1,n2,n3");
  add_texts(app, "--role", "NAME=NODES", a.roles, "nodes with a role, for --separate: storage=n2,n3,n4");
  add_number(app, "--split", a.split, {2, 1000}, "any K nodes, each in its own block");
  add_text(app, "--separate", "K,L", a.separate,
           "any K nodes from any L others; with roles: leader:1,storage:2");
  add_flag(app, "--isolate-minority", a.minority, "any node in the smaller of two blocks");
  add_text(app, "--bridge", "K,L,Z", a.bridge,
           "any K nodes from any L others, with a bridge of any Z nodes that reach both");
  add_text(app, "--sequence", "PHASES", a.sequence, "one partition after the other: \"zk a | * ; a | *\"");
  add_text(app, "--operations", "M:LENGTH", a.operations,
           "after the partition, LENGTH operations, each drawn uniformly from M");
  add_number(app, "--targets", a.targets, {1, 1'000'000'000'000},
             "number of wanted sequences of operations (1)");
  add_word(app, "--drawn", {"uniform", "balanced", "semibalanced"}, a.drawn,
           "distribution of random partitions (uniform)");
  add_probability(app, "--epsilon", a.epsilon, "allowed probability that a goal is missed (0.05)");
  add_number(app, "--rounds", a.rounds, {1, 1'000'000'000'000},
             "print the confidence after this many rounds");
  add_number(app, "--seed", a.seed, {0, UINT64_MAX}, "seed of the random family (1)");
  add_flag(app, "--deterministic", a.deterministic, "construct a family instead of drawing one");
  add_text(app, "--ran", "FAMILY", a.ran,
           "count the goals met by these partitions: \"1 4 | 2 3 5; 1 2 | 3 4 5\"");
  add_flag(app, "--verify", a.verify, "check every goal of the family");
  add_flag(app, "--json", a.json, "one JSON document on stdout");
  return [arguments] { return partitions_verb(*arguments); };
}

}  // namespace gainsay::tools
