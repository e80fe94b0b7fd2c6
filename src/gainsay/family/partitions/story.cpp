#include "gainsay/family/partitions/story.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/family/partitions/covering.hpp"

namespace gainsay::family {
namespace {

std::vector<std::string> pieces(std::string_view text, char between) {
  std::vector<std::string> found(1);
  for (const char c : text) {
    if (c == between) {
      found.emplace_back();
    } else {
      found.back() += c;
    }
  }
  return found;
}

[[noreturn]] void bad_story(std::string_view text, const std::string& why) {
  throw UserError(fmt::format(
      "--sequence '{}': {}; expected phases of blocks, for example \"zk a | * ; a | *\"", text, why));
}

std::uint32_t part_number(Story& story, const std::string& name) {
  const auto found = std::find(story.parts.begin(), story.parts.end(), name);
  if (found == story.parts.end()) {
    story.parts.push_back(name);
    return static_cast<std::uint32_t>(story.parts.size() - 1);
  }
  return static_cast<std::uint32_t>(found - story.parts.begin());
}

Phase parse_phase(std::string_view whole, const std::string& text, Story& story) {
  Phase phase;
  std::vector<std::uint32_t> named;
  for (const std::string& block_text : pieces(text, '|')) {
    std::istringstream words(block_text);
    std::vector<std::uint32_t> block;
    bool rest = false;
    for (std::string word; words >> word;) {
      if (word == "*") {
        rest = true;
        continue;
      }
      const std::uint32_t part = part_number(story, word);
      if (std::find(named.begin(), named.end(), part) != named.end())
        bad_story(whole, fmt::format("'{}' is in two blocks of one phase", word));
      named.push_back(part);
      block.push_back(part);
    }
    if (rest && (phase.rest || !block.empty()))
      bad_story(whole, "'*' must be a separate block, at most once in a phase");
    if (!rest && block.empty()) bad_story(whole, "a block is empty");
    if (rest) {
      phase.rest = true;
    } else {
      phase.blocks.push_back(std::move(block));
    }
  }
  if (phase.blocks.empty()) bad_story(whole, "a phase names no node");
  if (phase.blocks.size() + (phase.rest ? 1 : 0) < 2) bad_story(whole, "a phase has two blocks or more");
  return phase;
}

}  // namespace

Story parse_story(std::string_view text, std::size_t nodes) {
  Story story;
  story.nodes = nodes;
  for (const std::string& phase : pieces(text, ';')) story.phases.push_back(parse_phase(text, phase, story));
  if (story.parts.size() > nodes)
    bad_story(text,
              fmt::format("it names {} for {}", counted(story.parts.size(), "part"), counted(nodes, "node")));
  for (std::size_t i = 0; i < story.phases.size(); ++i) {
    std::size_t named = 0;
    for (const auto& block : story.phases[i].blocks) named += block.size();
    if (story.phases[i].rest && named == nodes) bad_story(text, "'*' would be empty: all nodes are named");
    (void)story.sampler_of(i);
  }
  return story;
}

std::vector<Goal> Story::goals_of(const std::vector<Node>& choice) const {
  GAINSAY_CHECK(choice.size() == parts.size(), "a node for each part");
  std::vector<Goal> goals;
  for (const Phase& phase : phases) {
    Goal goal;
    goal.rest_together = phase.rest;
    for (const auto& block : phase.blocks) {
      goal.sides.emplace_back();
      for (const std::uint32_t part : block) goal.sides.back().push_back(choice[part]);
    }
    goals.push_back(std::move(goal));
  }
  return goals;
}

std::vector<std::vector<Node>> Story::choices() const {
  std::vector<std::vector<Node>> all;
  std::vector<Node> choice;
  const auto fill = [&](const auto& self) -> void {
    if (choice.size() == parts.size()) {
      all.push_back(choice);
      return;
    }
    for (Node node = 0; node < nodes; ++node) {
      if (std::find(choice.begin(), choice.end(), node) != choice.end()) continue;
      choice.push_back(node);
      self(self);
      choice.pop_back();
    }
  };
  fill(fill);
  return all;
}

Sampler Story::sampler_of(std::size_t phase) const {
  const Phase& wanted = phases.at(phase);
  std::vector<std::size_t> sizes;
  std::size_t left = nodes;
  for (const auto& block : wanted.blocks) {
    sizes.push_back(block.size());
    left -= block.size();
  }
  if (wanted.rest) sizes.push_back(left);
  if (!wanted.rest && left > 0) return Sampler::uniform(nodes, sizes.size());
  std::sort(sizes.rbegin(), sizes.rend());
  return Sampler::sized(std::move(sizes));
}

std::string Story::text() const {
  std::string text;
  for (const Phase& phase : phases) {
    if (!text.empty()) text += ", then ";
    std::string blocks;
    for (const auto& block : phase.blocks) {
      if (!blocks.empty()) blocks += " | ";
      for (std::size_t i = 0; i < block.size(); ++i) blocks += (i == 0 ? "" : " ") + parts[block[i]];
    }
    text += blocks + (phase.rest ? " | *" : "");
  }
  return text;
}

std::vector<std::uint32_t> masks_of(const Story& story, const std::vector<CutTests>& tests_by_phase) {
  GAINSAY_CHECK(tests_by_phase.size() == story.phases.size(), "tests for each phase");
  const std::vector<std::vector<Node>> choices = story.choices();
  GAINSAY_CHECK(choices.size() <= Reach::goals_max, "few choices");
  std::vector<std::uint32_t> masks = {static_cast<std::uint32_t>((std::uint64_t{1} << choices.size()) - 1)};
  for (std::size_t p = 0; p < story.phases.size(); ++p) {
    std::vector<Goal> goals;
    for (const auto& choice : choices) goals.push_back(story.goals_of(choice)[p]);
    std::vector<std::uint32_t> next;
    for (const std::uint32_t before : masks) {
      for (const std::uint32_t now : masks_of(goals, tests_by_phase[p])) next.push_back(before & now);
    }
    masks = std::move(next);
  }
  return masks;
}

std::vector<PartitionFamily> covering_family(const Story& story) {
  const std::vector<std::vector<Node>> choices = story.choices();
  std::vector<PartitionFamily> drawn;
  std::size_t combinations = 1;
  for (std::size_t p = 0; p < story.phases.size(); ++p) {
    drawn.push_back(story.sampler_of(p).all());
    combinations *= drawn.back().size();
    if (combinations > 100'000) throw UserError("the sequence has too many combinations to choose among");
  }
  std::vector<PartitionFamily> candidates(combinations);
  std::vector<std::vector<std::uint32_t>> met(combinations);
  for (std::size_t c = 0; c < combinations; ++c) {
    std::size_t rest = c;
    for (const PartitionFamily& phase : drawn) {
      candidates[c].push_back(phase[rest % phase.size()]);
      rest /= phase.size();
    }
    for (std::uint32_t g = 0; g < choices.size(); ++g) {
      const std::vector<Goal> goals = story.goals_of(choices[g]);
      bool all = true;
      for (std::size_t p = 0; p < goals.size(); ++p) all = all && met_by(candidates[c][p], goals[p]);
      if (all) met[c].push_back(g);
    }
  }
  const std::optional<std::vector<std::size_t>> least = least_cover(choices.size(), met);
  std::vector<PartitionFamily> chosen;
  for (const std::size_t c : least ? *least : greedy_cover(choices.size(), met))
    chosen.push_back(candidates[c]);
  return chosen;
}

}  // namespace gainsay::family
