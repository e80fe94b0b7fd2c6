#include "gainsay/family/tree.hpp"

#include <bit>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/complaint.test.hpp"
#include "gainsay/family/choose.hpp"
#include "gainsay/family/enumerate.test.hpp"
#include "gainsay/family/hitting.hpp"
#include "gainsay/family/tree_patterns.hpp"
#include "gainsay/family/verify.hpp"

namespace gainsay::family {
namespace {

using testing::HasSubstr;

TEST(Tree, ReadsBrackets) {
  const NamedTree parsed = parse_tree("a(b(c d) e)");
  EXPECT_EQ(parsed.names, (std::vector<std::string>{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(parsed.tree.poset(), parse_relations("a<b<c, b<d, a<e").poset);
  EXPECT_EQ(parsed.tree.height(), 3U);
  EXPECT_EQ(parsed.tree.traversal(false), (Schedule{0, 1, 2, 3, 4}));
  EXPECT_EQ(parsed.tree.traversal(true), (Schedule{0, 4, 1, 3, 2}));
  EXPECT_EQ(parse_tree("a(b), c(d)").tree.roots(), (std::vector<Element>{0, 2}));
}

TEST(Tree, SaysWhatIsWrongWithIt) {
  EXPECT_THAT(complaint_of([] { parse_tree("a(b"); }), HasSubstr("expected ')', found the end"));
  EXPECT_THAT(complaint_of([] { parse_tree("a)"); }), HasSubstr("this ')' closes nothing"));
  EXPECT_THAT(complaint_of([] { parse_tree("(a)"); }),
              HasSubstr("column 1: expected a node's name before '('"));
  EXPECT_THAT(complaint_of([] { parse_tree("a(b a)"); }), HasSubstr("node 'a' occurs twice"));
  EXPECT_THAT(complaint_of([] { parse_tree("a<b"); }),
              HasSubstr("column 2: expected a node's name, '(' or ')', found '<'"));
  EXPECT_THAT(complaint_of([] { parse_tree(""); }), HasSubstr("expected a node's name"));
  EXPECT_EQ(complaint_of([] { Tree({1, 0}); }), "the tree is cyclic: 0 < 1 < 0");
  EXPECT_THAT(complaint_of([] { Tree({no_parent, 5}); }), HasSubstr("only 2 nodes"));
}

TEST(Tree, IsRecognised) {
  for (const Tree& tree : enumerate::trees(6)) {
    const auto again = as_tree(tree.poset());
    ASSERT_TRUE(again);
    for (Element x = 0; x < 6; ++x) EXPECT_EQ(again->parent(x), tree.parent(x));
  }
  EXPECT_FALSE(as_tree(parse_relations("a<c, b<c").poset));
  EXPECT_EQ(as_tree(antichain(3))->roots().size(), 3U);
  EXPECT_EQ(as_tree(chain(3))->height(), 3U);
}

// The binary tree's order, from its children.
Poset poset_of(const BinaryTree& tree) {
  std::vector<Relation> relations;
  for (Element x = 0; x < tree.nodes.size(); ++x) {
    for (const Element child : tree.nodes[x].child) {
      if (child != no_parent) relations.push_back({x, child});
    }
  }
  return Poset(tree.nodes.size(), relations);
}

TEST(Tree, EmbedsIntoABinaryTree) {
  const std::size_t counts[] = {0, 1, 1, 2, 4, 9, 20, 48, 115};  // OEIS A000081
  for (std::size_t n = 1; n <= 8; ++n) {
    const std::vector<Tree> trees = enumerate::trees(n);
    EXPECT_EQ(trees.size(), counts[n]);
    for (const Tree& tree : trees) {
      const BinaryTree binary = binary_embedding(tree);
      EXPECT_LE(binary.height, binary_embedding_height_bound(tree));
      // Lemma 5.9 says h ceil(log2 Δ); where nobody has two children the logarithm is 0 and the height stays.
      const std::size_t most = tree.outdegree_max();
      if (most >= 2) {
        EXPECT_LE(binary.height, tree.height() * static_cast<std::size_t>(std::bit_width(most - 1)));
      } else {
        EXPECT_EQ(binary.height, tree.height());
      }
      std::vector<Element> originals(n);
      for (Element x = 0; x < n; ++x) originals[x] = x;
      EXPECT_EQ(restriction(poset_of(binary), originals), tree.poset());
    }
  }
}

TEST(TreeFamilies, OfAllTreesWithUpToEightNodesAreHittingForTwoAndThree) {
  for (std::size_t n = 1; n <= 8; ++n) {
    for (const Tree& tree : enumerate::trees(n)) {
      const Poset p = tree.poset();
      EXPECT_FALSE(missed_tuple(p, {tree.traversal(false), tree.traversal(true)}, 2));
      const Family three = tree_family_of_three(tree);
      EXPECT_FALSE(missed_tuple(p, three, 3));
      EXPECT_LE(three.size(), 4 * binary_embedding_height_bound(tree));
      for (const std::size_t d : {2, 3}) {
        const Family patterns = tree_family(tree, d);
        EXPECT_FALSE(missed_tuple(p, patterns, d));
        EXPECT_LE(static_cast<double>(patterns.size()), pattern_bound(binary_embedding(tree).height, d));
      }
    }
  }
}

TEST(TreeFamilies, OfAllTreesWithUpToEightNodesAreHittingForFour) {
  for (std::size_t n = 1; n <= 8; ++n) {
    for (const Tree& tree : enumerate::trees(n)) {
      const Poset p = tree.poset();
      const std::size_t binary_height = binary_embedding(tree).height;
      const Family family = tree_family(tree, 4);
      EXPECT_FALSE(missed_tuple(p, family, 4));
      EXPECT_LE(static_cast<double>(family.size()), std::max(1.0, pattern_count(binary_height, 4)));
      EXPECT_LE(pattern_count(binary_height, 4), pattern_bound(binary_height, 4));
    }
  }
}

TEST(TreeFamilies, CompleteBinaryTreesHaveFourTimesTheHeight) {
  for (std::size_t h = 1; h <= 5; ++h) {
    const Tree tree = complete_binary_tree(h);
    const Family family = tree_family_of_three(tree);
    EXPECT_LE(family.size(), 4 * h);
    EXPECT_FALSE(missed_tuple(tree.poset(), family, 3)) << h;
  }
}

TEST(TreeFamilies, CompleteBinaryTreesByPatterns) {
  for (std::size_t d = 2; d <= 4; ++d) {
    const std::size_t highest = d == 4 ? 3 : 4;
    for (std::size_t h = 1; h <= highest; ++h) {
      const Tree tree = complete_binary_tree(h);
      const Family family = tree_family(tree, d);
      EXPECT_FALSE(missed_tuple(tree.poset(), family, d)) << h << " " << d;
      EXPECT_LE(static_cast<double>(family.size()), std::max(1.0, pattern_count(h, d)));
      EXPECT_LE(pattern_count(h, d), pattern_bound(h, d));
    }
  }
}

TEST(TreeFamilies, ForestsAreTreesWithAHiddenRoot) {
  const Tree forest = parse_tree("a(b c) d(e) f").tree;
  for (std::size_t d = 2; d <= 4; ++d) EXPECT_FALSE(missed_tuple(forest.poset(), tree_family(forest, d), d));
  EXPECT_FALSE(missed_tuple(forest.poset(), tree_family_of_three(forest), 3));
}

TEST(TreeFamilies, AMillionNodesAreRefusedForFourWithTheSize) {
  std::vector<Element> parents(1'000'000, no_parent);
  for (Element x = 1; x < parents.size(); ++x) parents[x] = x < 1000 ? x - 1 : x % 1000;
  const OrderFacts facts = recognise(Tree(std::move(parents)));
  EXPECT_THAT(complaint_of([&] { build(facts, nullptr, 4, 1); }),
              HasSubstr("a 4-hitting family of this order of 1,000,000 elements "
                        "would have up to "));
  EXPECT_EQ(build(facts, nullptr, 2, 1).family.size(), 2U);
}

}  // namespace
}  // namespace gainsay::family
