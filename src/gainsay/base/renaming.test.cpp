#include "gainsay/base/renaming.hpp"

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <variant>

#include <gmock/gmock.h>

#include "gainsay/base/value_type.hpp"

namespace gainsay::renaming_test {
namespace {

struct Node {};
using NodeRef = Ref<Node>;

NodeRef node(std::uint64_t i) { return NodeRef(ActorId{i}); }

// 0 -> 1 -> 2 -> 0; 3 stays.
const Renaming turn({ActorId{1}, ActorId{2}, ActorId{0}, ActorId{3}});

struct Inner {
  NodeRef who;
  int count = 0;
};

struct Everything {
  ActorId id;
  NodeRef ref;
  Group<Node> group;
  std::vector<Inner> list;
  std::array<NodeRef, 2> pair;
  std::optional<NodeRef> maybe;
  std::variant<int, NodeRef> either;
  std::tuple<int, NodeRef> tuple;
  std::map<NodeRef, NodeRef> map;
  std::map<int, NodeRef> mapped;
  std::set<std::pair<NodeRef, int>> set;
  int number = 0;
  std::vector<Everything> below;
};

TEST(Renaming, ReachesEveryReference) {
  Everything value;
  value.id = ActorId{0};
  value.ref = node(1);
  value.group.first = node(0);
  value.group.count = 3;
  value.list = {{node(0), 5}, {node(3), 6}};
  value.pair = {node(2), node(0)};
  value.maybe = node(1);
  value.either = node(0);
  value.tuple = {7, node(2)};
  value.map = {{node(0), node(1)}, {node(2), node(2)}};
  value.mapped = {{1, node(0)}};
  value.set = {{node(0), 1}, {node(2), 2}};
  value.number = 2;
  value.below.push_back(Everything{});
  value.below[0].ref = node(2);
  reflect::rename(value, turn);

  EXPECT_EQ(value.id, ActorId{1});
  EXPECT_EQ(value.ref, node(2));
  EXPECT_EQ(value.group.first, node(0));  // the members exchange places; the group is the same
  EXPECT_EQ(value.list[0].who, node(1));
  EXPECT_EQ(value.list[0].count, 5);
  EXPECT_EQ(value.list[1].who, node(3));
  EXPECT_EQ(value.pair[0], node(0));
  EXPECT_EQ(value.pair[1], node(1));
  EXPECT_EQ(value.maybe, node(2));
  EXPECT_EQ(std::get<NodeRef>(value.either), node(1));
  EXPECT_EQ(std::get<1>(value.tuple), node(0));
  EXPECT_EQ(value.map, (std::map<NodeRef, NodeRef>{{node(1), node(2)}, {node(0), node(0)}}));
  EXPECT_EQ(value.mapped.at(1), node(1));
  EXPECT_EQ(value.set, (std::set<std::pair<NodeRef, int>>{{node(0), 2}, {node(1), 1}}));
  EXPECT_EQ(value.number, 2);
  EXPECT_EQ(value.below[0].ref, node(0));
}

TEST(Renaming, LeavesNobodyAndTheOutsideAlone) {
  std::vector<ActorId> ids = {outside, nobody};
  reflect::rename(ids, turn);
  EXPECT_EQ(ids, (std::vector<ActorId>{outside, nobody}));
}

TEST(Renaming, TypesWithoutReferencesHaveNothingToRename) {
  struct Plain {
    int a = 0;
    std::vector<std::string> b;
  };
  static_assert(!reflect::holds_actors<Plain>);
  static_assert(reflect::holds_actors<Everything>);
  EXPECT_EQ(reflect::value_type<Plain>().rename, nullptr);
  ASSERT_NE(reflect::value_type<Inner>().rename, nullptr);
  Inner inner{node(0), 1};
  reflect::value_type<Inner>().rename(&inner, turn);
  EXPECT_EQ(inner.who, node(1));
}

struct WithTable {
  Group<Node> all;
  std::vector<int> by_index;
  std::size_t favourite = 0;
  void rename(const Renaming& r) {
    r.rearrange(all, by_index);
    favourite = r.index(all, favourite);
  }
};

TEST(Renaming, ATypeMayRenameWhatReflectionCannotSee) {
  WithTable value;
  value.all.first = node(0);
  value.all.count = 3;
  value.by_index = {10, 11, 12};
  reflect::rename(value, turn);
  EXPECT_EQ(value.by_index, (std::vector<int>{12, 10, 11}));
  EXPECT_EQ(value.favourite, 1U);
  value.by_index.clear();
  reflect::rename(value, turn);
  EXPECT_TRUE(value.by_index.empty());
  value.by_index = {1};
  EXPECT_THROW(reflect::rename(value, turn), CannotRename);
}

class Hidden {
 public:
  explicit Hidden(NodeRef who) : who_(who) {}
  auto members() const { return std::tie(who_, count_); }
  NodeRef who() const { return who_; }

 private:
  NodeRef who_;
  int count_ = 0;
};

TEST(Renaming, MembersThatATypeNamesAreRenamed) {
  Hidden value(node(2));
  reflect::rename(value, turn);
  EXPECT_EQ(value.who(), node(0));
}

struct Constant {
  const NodeRef who;
};

TEST(Renaming, ConstantFieldsAreRenamed) {
  Constant value{node(2)};
  reflect::rename(value, turn);
  EXPECT_EQ(value.who, node(0));
}

// {0, 1} becomes {1, 2}, which is a Group again; {2, 3} becomes {0, 3}, which is none.
TEST(Renaming, AGroupOfSomeMembersMustStayAGroup) {
  Group<Node> two;
  two.first = node(0);
  two.count = 2;
  reflect::rename(two, turn);
  EXPECT_EQ(two.first, node(1));
  two.first = node(2);
  EXPECT_THROW(reflect::rename(two, turn), CannotRename);
}

TEST(Renaming, SpawnedActorsAreRenamedByWhoKnowsThem) {
  const ActorId child = spawned_id(ActorId{0}, 1);
  EXPECT_THROW(turn(child), CannotRename);
  const Renaming knows({ActorId{1}, ActorId{0}},
                       [&](ActorId id) { return id == child ? spawned_id(ActorId{1}, 1) : id; });
  EXPECT_EQ(knows(child), spawned_id(ActorId{1}, 1));
}

}  // namespace
}  // namespace gainsay::renaming_test
