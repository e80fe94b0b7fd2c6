#include "gainsay/family/partitions/cuts.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/family/partitions/covering.hpp"

namespace gainsay::family {
namespace {

Cuts made(std::string name, std::size_t nodes, std::vector<std::string> names) {
  if (!names.empty() && names.size() != nodes)
    throw UserError(fmt::format("{} for {}", counted(names.size(), "name"), counted(nodes, "node")));
  Cuts cuts;
  cuts.nodes = nodes;
  cuts.name = std::move(name);
  cuts.names = std::move(names);
  cuts.phases.emplace_back();
  cuts.tests.emplace_back();
  return cuts;
}

void add(Cuts& cuts, const CutTest& test) {
  if (cuts.phases[0].size() == Cuts::cuts_max)
    throw UserError(
        fmt::format("a world has at most {} cuts, but these are {}: use a covering family, or fewer nodes",
                    with_commas(Cuts::cuts_max), cuts.name));
  std::string name = text_of(test.partition, cuts.names);
  if (test.bridge) {
    std::string members;
    const std::vector<Node> bridge = test.partition.members()[*test.bridge];
    for (const Node node : bridge) members += " " + node_name(node, cuts.names);
    name += ", bridge" + members;
  }
  cuts.phases[0].push_back(
      {std::move(name), test.bridge ? bridged(test.partition, *test.bridge) : links_of(test.partition)});
  cuts.tests[0].push_back(test);
}

Cuts of_tests(std::string name, std::size_t nodes, const CutTests& tests, std::vector<std::string> names) {
  Cuts cuts = made(std::move(name), nodes, std::move(names));
  for (const CutTest& test : tests) {
    GAINSAY_CHECK(test.partition.nodes() == nodes, "partitions of the same nodes");
    add(cuts, test);
  }
  return cuts;
}

}  // namespace

Cuts Cuts::of(const Sampler& sampler, std::vector<std::string> names) {
  return of_tests(sampler.name(), sampler.nodes(), tests_of(sampler.all(cuts_max)), std::move(names));
}

Cuts Cuts::of(const PartitionFamily& family, std::vector<std::string> names) {
  if (family.empty()) throw UserError("a family of cuts has at least one");
  return of_tests(counted(family.size(), "partition"), family.front().nodes(), tests_of(family),
                  std::move(names));
}

Cuts Cuts::of(const Notion& notion, CutFamily family, std::vector<std::string> names) {
  if (family == CutFamily::covering) return covering(notion, std::move(names));
  if (family == CutFamily::semibalanced && notion.blocks() != 2)
    throw UserError(fmt::format("semibalanced partitions have two blocks; tests that are {} have {}",
                                notion.text(), notion.blocks()));
  const bool balanced = family == CutFamily::balanced || notion.nodes % 2 == 1;
  const Sampler sampler = family == CutFamily::uniform ? Sampler::uniform(notion.nodes, notion.blocks())
                          : balanced                   ? Sampler::balanced(notion.nodes, notion.blocks())
                                                       : Sampler::semibalanced(notion.nodes);
  const bool bridge = notion.kind == Notion::Kind::bridge;
  return (bridge ? bridges(sampler, std::move(names)) : of(sampler, std::move(names))).towards(notion);
}

Cuts Cuts::covering(const Notion& notion, std::vector<std::string> names) {
  const Covering family = covering_family(notion);
  return of_tests(fmt::format("{} that are {}", counted(family.tests.size(), "partition"), notion.text()),
                  notion.nodes, family.tests, std::move(names))
      .towards(notion);
}

Cuts Cuts::bridges(const Sampler& sampler, std::vector<std::string> names) {
  if (sampler.blocks() != 3)
    throw UserError("an intersecting partition has three blocks: two sides and a bridge");
  return of_tests(sampler.name() + " with a bridge", sampler.nodes(), bridged_tests(sampler.all(cuts_max)),
                  std::move(names));
}

Cuts Cuts::one_way(const Sampler& sampler, std::vector<std::string> names) {
  Cuts cuts = made(sampler.name() + ", one way", sampler.nodes(), std::move(names));
  cuts.tests.clear();
  for (const Partition& partition : sampler.all(cuts_max)) {
    const std::vector<std::vector<Node>> members = partition.members();
    for (std::uint32_t block = 0; block < partition.blocks(); ++block) {
      std::string name = "unheard:";
      for (const Node node : members[block]) name += " " + node_name(node, cuts.names);
      cuts.phases[0].push_back({std::move(name), family::one_way(partition, block)});
    }
  }
  if (cuts.phases[0].size() > cuts_max)
    throw UserError(fmt::format("{} are more than a world chooses among", cuts.name));
  return cuts;
}

Cuts Cuts::majorities_rings(std::size_t nodes, std::vector<std::string> names) {
  if (nodes < 3 || nodes > 8)
    throw UserError(fmt::format("rings of majorities have 3 to 8 nodes, not {}", nodes));
  Cuts cuts = made("rings of majorities", nodes, std::move(names));
  cuts.tests.clear();
  std::vector<Node> order(nodes);
  std::iota(order.begin(), order.end(), Node{0});
  do {  // the first node stands still: turned rings are the same
    Links links = majorities_ring(order);
    const bool known = std::any_of(cuts.phases[0].begin(), cuts.phases[0].end(),
                                   [&](const Cut& cut) { return cut.links == links; });
    if (known) continue;
    std::string name = "ring";
    for (const Node node : order) name += " " + node_name(node, cuts.names);
    cuts.phases[0].push_back({std::move(name), std::move(links)});
  } while (std::next_permutation(order.begin() + 1, order.end()));
  return cuts;
}

Cuts Cuts::then(Cuts next) && {
  if (next.nodes != nodes)
    throw UserError(fmt::format("cuts of {} cannot follow cuts of {}", counted(next.nodes, "node"), nodes));
  for (auto& phase : next.phases) {
    for (Cut& cut : phase) {
      cut.meets.clear();
      for (std::uint32_t g = 0; g < goals.size(); ++g) cut.meets.push_back(g);  // it takes nothing away
    }
    phases.push_back(std::move(phase));
  }
  name += ", then " + next.name;
  tests.clear();
  return std::move(*this);
}

Cuts Cuts::towards(const Notion& wanted) && {
  if (wanted.nodes != nodes)
    throw UserError(fmt::format("goals of {} for cuts of {}", counted(wanted.nodes, "node"), nodes));
  if (phases.size() != 1 || tests.size() != 1)
    throw UserError(fmt::format("'{}' cannot be {}", name, wanted.text()));
  notion = wanted.text();
  const std::vector<Goal> all = wanted.goals(100'000);
  goals.clear();
  for (const Goal& goal : all) goals.push_back(text_of(goal, names));
  for (std::size_t c = 0; c < phases[0].size(); ++c) {
    const CutTest& test = tests[0][c];
    phases[0][c].meets.clear();
    for (std::uint32_t g = 0; g < all.size(); ++g) {
      if (met_by(test.partition, all[g], test.bridge)) phases[0][c].meets.push_back(g);
    }
  }
  return std::move(*this);
}

Cuts Cuts::of(const Story& story, std::vector<std::string> names) {
  std::optional<Cuts> cuts;
  const std::vector<std::vector<Node>> choices = story.choices();
  for (std::size_t p = 0; p < story.phases.size(); ++p) {
    Cuts phase = of(story.sampler_of(p), names);
    for (std::size_t c = 0; c < phase.phases[0].size(); ++c) {
      for (std::uint32_t g = 0; g < choices.size(); ++g) {
        if (met_by(phase.tests[0][c].partition, story.goals_of(choices[g])[p]))
          phase.phases[0][c].meets.push_back(g);
      }
    }
    if (!cuts) {
      cuts = std::move(phase);
      continue;
    }
    cuts->phases.push_back(std::move(phase.phases[0]));
    cuts->name += ", then " + phase.name;
  }
  cuts->tests.clear();
  cuts->notion = story.text();
  for (const std::vector<Node>& choice : choices) {
    std::string goal;
    for (std::size_t part = 0; part < choice.size(); ++part)
      goal += fmt::format("{}{} = {}", part == 0 ? "" : ", ", story.parts[part],
                          node_name(choice[part], cuts->names));
    cuts->goals.push_back(std::move(goal));
  }
  return std::move(*cuts);
}

std::vector<std::string> numbered_names(std::string_view stem, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= count; ++i) names.push_back(fmt::format("{}{}", stem, i));
  return names;
}

double chance_of(const Cuts& cuts, std::uint32_t goal) {
  GAINSAY_CHECK(goal < cuts.goals.size(), "one of the goals");
  double chance = 1;
  for (const std::vector<Cut>& phase : cuts.phases) {
    const auto meet = std::count_if(phase.begin(), phase.end(), [&](const Cut& cut) {
      return std::binary_search(cut.meets.begin(), cut.meets.end(), goal);
    });
    chance *= static_cast<double>(meet) / static_cast<double>(phase.size());
  }
  return chance;
}

}  // namespace gainsay::family
