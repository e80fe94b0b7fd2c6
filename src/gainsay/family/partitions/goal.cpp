#include "gainsay/family/partitions/goal.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay::family {

bool met_by(const Partition& partition, const Goal& goal, std::optional<std::uint32_t> bridge) {
  std::vector<std::uint32_t> blocks;
  for (const std::vector<Node>& side : goal.sides) {
    GAINSAY_CHECK(!side.empty(), "a side has nodes");
    const std::uint32_t block = partition.block_of(side.front());
    for (const Node node : side) {
      if (partition.block_of(node) != block) return false;
    }
    if (std::find(blocks.begin(), blocks.end(), block) != blocks.end()) return false;
    blocks.push_back(block);
  }
  if (goal.minority && 2 * partition.block_sizes()[blocks.front()] >= partition.nodes()) return false;
  if (goal.bridge && (!bridge || blocks.back() != *bridge)) return false;
  if (!goal.bridge && bridge && std::find(blocks.begin(), blocks.end(), *bridge) != blocks.end())
    return false;
  if (!goal.rest_together) return true;
  std::optional<std::uint32_t> rest;
  for (Node node = 0; node < partition.nodes(); ++node) {
    const bool named = std::any_of(goal.sides.begin(), goal.sides.end(), [&](const std::vector<Node>& side) {
      return std::find(side.begin(), side.end(), node) != side.end();
    });
    if (named) continue;
    const std::uint32_t block = partition.block_of(node);
    if (rest.value_or(block) != block) return false;
    rest = block;
  }
  return !rest || std::find(blocks.begin(), blocks.end(), *rest) == blocks.end();
}

std::string text_of(const Goal& goal, std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < goal.sides.size(); ++i) {
    if (i > 0) text += " | ";
    if (goal.bridge && i + 1 == goal.sides.size()) text += "bridge ";
    for (std::size_t j = 0; j < goal.sides[i].size(); ++j)
      text += (j == 0 ? "" : " ") + node_name(goal.sides[i][j], names);
  }
  if (goal.rest_together) text += " | *";
  if (goal.minority) text += " in a minority";
  return text;
}

namespace {

std::vector<Node> everybody(std::size_t nodes) {
  std::vector<Node> all(nodes);
  std::iota(all.begin(), all.end(), Node{0});
  return all;
}

void require_enough(std::size_t nodes, std::size_t needed, const std::string& what) {
  if (needed > nodes)
    throw UserError(fmt::format("{} needs at least {}, and there {} {}", what, counted(needed, "node"),
                                nodes == 1 ? "is" : "are", with_commas(nodes)));
}

Side any(std::size_t nodes, std::size_t count) {
  return {static_cast<std::uint32_t>(count), everybody(nodes)};
}

}  // namespace

Notion Notion::split(std::size_t nodes, std::size_t k) {
  if (k < 2) throw UserError(fmt::format("splitting needs at least 2 nodes to split, not {}", k));
  require_enough(nodes, k, fmt::format("{}-splitting", k));
  return {Kind::split, nodes, std::vector<Side>(k, any(nodes, 1))};
}

Notion Notion::separate(std::size_t nodes, std::size_t k, std::size_t l) {
  if (k == 0 || l == 0) throw UserError("separation needs at least one node on each side");
  require_enough(nodes, k + l, fmt::format("{},{}-separation", k, l));
  return {Kind::separate, nodes, {any(nodes, k), any(nodes, l)}};
}

Notion Notion::isolate_minority(std::size_t nodes) {
  require_enough(nodes, 3, "isolating a node in a minority");
  return {Kind::isolate_minority, nodes, {any(nodes, 1)}};
}

Notion Notion::bridge(std::size_t nodes, std::size_t k, std::size_t l, std::size_t z) {
  if (k == 0 || l == 0 || z == 0)
    throw UserError("an intersecting partition needs a node on each side and one in the bridge");
  require_enough(nodes, k + l + z, fmt::format("a bridge of {} between {} and {}", z, k, l));
  return {Kind::bridge, nodes, {any(nodes, k), any(nodes, l), any(nodes, z)}};
}

Notion Notion::separate_roles(std::size_t nodes, Side a, Side b) {
  for (Side* side : {&a, &b}) {
    std::sort(side->pool.begin(), side->pool.end());
    GAINSAY_CHECK(side->pool.empty() || side->pool.back() < nodes, "nodes of this system");
    if (side->count == 0) throw UserError("separation needs at least one node on each side");
    require_enough(side->pool.size(), side->count, fmt::format("a side of {} of a role", side->count));
  }
  for (const Node node : a.pool) {
    if (std::binary_search(b.pool.begin(), b.pool.end(), node))
      throw UserError(
          fmt::format("two roles that are to be separated must not overlap; both have node {}", node + 1));
  }
  return {Kind::separate, nodes, {std::move(a), std::move(b)}, true};
}

std::size_t Notion::blocks() const {
  if (kind == Kind::split) return sides.size();
  return kind == Kind::bridge ? 3 : 2;
}

std::string Notion::text() const {
  switch (kind) {
    case Kind::split:
      return fmt::format("{}-splitting", sides.size());
    case Kind::separate:
      return fmt::format("{},{}-separating{}", sides[0].count, sides[1].count, roles ? " of roles" : "");
    case Kind::isolate_minority:
      return "minority-isolating";
    case Kind::bridge:
      return fmt::format("{},{}-separating with a bridge of {}", sides[0].count, sides[1].count,
                         sides[2].count);
  }
  return "";
}

std::vector<Goal> Notion::goals(std::size_t most) const {
  std::vector<Goal> all;
  Goal goal;
  goal.sides.resize(sides.size());
  goal.minority = kind == Kind::isolate_minority;
  goal.bridge = kind == Kind::bridge;
  std::vector<bool> taken(nodes, false);
  // Sides that could be exchanged come in the order of their first nodes.
  const auto alike = [&](std::size_t i) {
    return i > 0 && !(kind == Kind::bridge && i == 2) && sides[i].count == sides[i - 1].count &&
           sides[i].pool == sides[i - 1].pool;
  };
  const std::function<void(std::size_t, std::size_t)> fill = [&](std::size_t i, std::size_t from) {
    if (i == sides.size()) {
      if (all.size() == most)
        throw UserError(
            fmt::format("there are more than {} goals, too many to check one by one", with_commas(most)));
      all.push_back(goal);
      return;
    }
    std::vector<Node>& side = goal.sides[i];
    if (side.size() == sides[i].count) {
      if (alike(i) && side.front() < goal.sides[i - 1].front()) return;
      return fill(i + 1, 0);
    }
    for (std::size_t place = from; place < sides[i].pool.size(); ++place) {
      const Node node = sides[i].pool[place];
      if (taken[node]) continue;
      taken[node] = true;
      side.push_back(node);
      fill(i, place + 1);
      side.pop_back();
      taken[node] = false;
    }
  };
  fill(0, 0);
  return all;
}

}  // namespace gainsay::family
