#include "gainsay/base/reflect.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <list>
#include <map>
#include <new>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "gainsay/base/print.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/base/value_type.hpp"

namespace sample {

enum class Phase { idle, voting, done };
enum class Sparse : int { low = -5, zero = 0, seven = 7, far = 1000 };
enum Old { old_a, old_b };
enum Fixed : unsigned char { fixed_a, fixed_b };

struct Ping {};
struct Prepare {
  int ballot = 0;
  bool urgent = false;
};
struct Node {
  std::string name = "n";
  Phase phase = Phase::idle;
  std::vector<int> votes;
  std::map<std::string, int> log{{"a", 1}};  // a default that Boost.PFR's own field count cannot look at
  std::optional<Prepare> pending;
};
struct Padded {
  char tag = 'x';
  std::uint64_t number = 0;
  bool flag = false;
};

// Not an aggregate: it names its own parts.
class Money {
 public:
  explicit Money(int euros, int cents) : euros_(euros), cents_(cents) {}
  auto members() const { return std::tie(euros_, cents_); }
  int cache = 0;  // not among the members, so not part of the value

 private:
  int euros_;
  int cents_;
};

template <class T> struct Wrapped { T inside{}; };

}  // namespace sample

namespace gainsay::reflect_test {
namespace {

using reflect::equal;
using reflect::hash;
using sample::Money;
using sample::Node;
using sample::Padded;
using sample::Phase;
using sample::Ping;
using sample::Prepare;
using sample::Wrapped;

enum class Hidden { first, second };
struct Local {
  Hidden hidden = Hidden::second;
};

// --- Names -----------------------------------------------------------------------------------------------

TEST(Names, TypesAreNamedWithAndWithoutNamespace) {
  EXPECT_EQ(reflect::type_name<Ping>(), "Ping");
  EXPECT_EQ(reflect::full_type_name<Ping>(), "sample::Ping");
  EXPECT_EQ(reflect::type_name<Wrapped<Prepare>>(), "Wrapped<sample::Prepare>");
  EXPECT_EQ(reflect::type_name<Local>(), "Local");
  struct Inside {};
  EXPECT_EQ(reflect::type_name<Inside>(), "Inside");
}

TEST(Names, FieldsAreNamed) {
  EXPECT_EQ((reflect::field_name<Node, 0>()), "name");
  EXPECT_EQ((reflect::field_name<Node, 3>()), "log");
  EXPECT_EQ((reflect::field_name<Prepare, 1>()), "urgent");
  EXPECT_EQ((reflect::field_name<Local, 0>()), "hidden");
  EXPECT_EQ((reflect::field_name<Wrapped<std::map<int, int>>, 0>()), "inside");
}

TEST(Names, EnumeratorsAreNamedWhereTheyCanBeProbed) {
  EXPECT_EQ(reflect::enumerator_name(Phase::voting), "voting");
  EXPECT_EQ(reflect::enumerator_name(static_cast<Phase>(3)), "");
  EXPECT_EQ(reflect::enumerator_name(static_cast<Phase>(-1)), "");
  EXPECT_EQ(reflect::enumerator_name(sample::Sparse::seven), "seven");
  EXPECT_EQ(reflect::enumerator_name(sample::Sparse::far), "");
  EXPECT_EQ(reflect::enumerator_name(sample::Sparse::low), "");
  EXPECT_EQ(reflect::enumerator_name(Hidden::second), "second");
  EXPECT_EQ(reflect::enumerator_name(sample::fixed_b), "fixed_b");
  EXPECT_EQ(reflect::enumerator_name(sample::old_b),
            "");  // no fixed underlying type: probing it is undefined
}

TEST(Names, FieldsAreCounted) {
  struct Two {
    std::array<int, 3> numbers;
    Prepare prepare;
  };
  struct MoveOnly {
    std::unique_ptr<int> pointer;
    int x = 0;
    std::string y;
  };
  struct NoDefault {
    int a;
    Money money;
    std::map<std::string, int> log{{"a", 1}};
  };
  EXPECT_EQ(reflect::field_count<Ping>, 0U);
  EXPECT_EQ(reflect::field_count<Node>, 5U);
  EXPECT_EQ(reflect::field_count<Two>, 2U);
  EXPECT_EQ(reflect::field_count<MoveOnly>, 3U);
  EXPECT_EQ(reflect::field_count<NoDefault>, 3U);
}

// What cannot be listed is recognised, and nothing else is taken for it.
TEST(Names, ObstaclesAreRecognised) {
  struct Base {
    int b = 0;
  };
  struct Empty {};
  struct Derived : Base {
    int x = 0;
  };
  struct DerivedFromEmpty : Empty {
    int x = 0;
  };
  struct HoldsBase {
    Base base;
    int x = 0;
  };
  struct Arrays {
    std::string name;
    int numbers[3] = {};
    std::vector<int> rest;
  };
  struct Matrix {
    int numbers[2][2] = {};
  };
  struct Strings {
    std::string names[2];
  };
  struct Constants {
    const int x = 0;
    const std::string y;
  };
  struct Reference {
    int y = 0;
    int& x;
  };
  struct Rich {
    std::array<std::string, 2> strings;
    std::array<int, 4> numbers{1, 2, 3, 4};
    Node node;
    std::vector<std::string> list{"a", "b"};
    std::variant<int, std::string> either;
    std::tuple<int, int> pair;
    Money money{1, 2};
    std::unique_ptr<int> pointer;
  };
  EXPECT_TRUE(reflect::has_base<Derived>);
  EXPECT_TRUE(reflect::has_base<DerivedFromEmpty>);
  EXPECT_FALSE(reflect::has_base<HoldsBase>);
  EXPECT_TRUE(reflect::has_array<Arrays>);
  EXPECT_TRUE(reflect::has_array<Matrix>);
  EXPECT_TRUE(reflect::has_array<Strings>);
  EXPECT_TRUE(reflect::has_reference<Reference>);
  EXPECT_FALSE(reflect::has_reference<Constants>);
  EXPECT_FALSE(reflect::has_base<Rich> || reflect::has_array<Rich> || reflect::has_reference<Rich>);
  EXPECT_FALSE(reflect::has_base<Node> || reflect::has_array<Node> || reflect::has_reference<Node>);
  EXPECT_FALSE(reflect::has_base<Ping> || reflect::has_array<Ping> || reflect::has_reference<Ping>);
}

// --- Hash and equality -----------------------------------------------------------------------------------

template <class T> void expect_same(const T& a, const T& b) {
  EXPECT_TRUE(equal(a, b)) << print(a);
  EXPECT_EQ(hash(a), hash(b)) << print(a);
  EXPECT_TRUE(differences(a, b).empty()) << print(a);
}
template <class T> void expect_different(const T& a, const T& b) {
  EXPECT_FALSE(equal(a, b)) << print(a) << " and " << print(b);
  EXPECT_NE(hash(a), hash(b)) << print(a) << " and " << print(b);
  EXPECT_FALSE(differences(a, b).empty()) << print(a) << " and " << print(b);
}

TEST(Equality, FloatsAreComparedBitByBit) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_same(nan, nan);  // else a state with a NaN in it would never be seen again
  expect_different(nan, std::bit_cast<double>(std::bit_cast<std::uint64_t>(nan) + 1));
  expect_different(0.0, -0.0);
  expect_same(0.1F, 0.1F);
  expect_different(0.1, 0.1 + 1e-17 + std::numeric_limits<double>::epsilon());
  expect_same(1.5L, 1.5L);
  EXPECT_FALSE(equal(1.0L, 1.0L + std::numeric_limits<long double>::epsilon()));
  EXPECT_TRUE(
      equal(std::numeric_limits<long double>::quiet_NaN(), std::numeric_limits<long double>::quiet_NaN()));
}

TEST(Equality, PaddingIsNotLookedAt) {
  alignas(Padded) std::array<unsigned char, sizeof(Padded)> zeros{};
  alignas(Padded) std::array<unsigned char, sizeof(Padded)> ones{};
  std::memset(ones.data(), 0xff, ones.size());
  const Padded* a = ::new (zeros.data()) Padded{'a', 7, true};
  const Padded* b = ::new (ones.data()) Padded{'a', 7, true};
  expect_same(*a, *b);
}

TEST(Equality, LooksAtEveryFieldOfAStruct) {
  const Node node;
  expect_same(node, Node{});
  expect_different(node, Node{.name = "m"});
  expect_different(node, Node{.phase = Phase::done});
  expect_different(node, Node{.votes = {0}});
  expect_different(node, Node{.log = {}});
  expect_different(node, Node{.pending = Prepare{}});
  expect_different(Node{.pending = Prepare{}}, Node{.pending = Prepare{.urgent = true}});
}

TEST(Equality, LooksIntoContainers) {
  using Deep = std::map<std::string, std::vector<std::optional<std::pair<int, std::set<int>>>>>;
  const Deep deep = {{"x", {std::nullopt, std::pair{1, std::set{1, 2}}}}};
  Deep other = deep;
  expect_same(deep, other);
  other["x"][1]->second.insert(3);
  expect_different(deep, other);
  expect_different(std::vector{1, 2}, std::vector{2, 1});
  expect_different(std::deque<int>{}, std::deque<int>{0});
  expect_different(std::array{1, 2, 3}, std::array{1, 2, 4});
  expect_different(std::list<std::string>{"ab", "c"}, std::list<std::string>{"a", "bc"});
  expect_same(std::multiset{3, 1, 3}, std::multiset{1, 3, 3});
}

TEST(Equality, LooksIntoVectorsOfBool) {
  const std::vector<bool> bits = {true, false, true};
  expect_same(bits, std::vector<bool>{true, false, true});
  expect_different(bits, std::vector<bool>{true, true, true});
  expect_different(bits, std::vector<bool>{true, false});
  EXPECT_EQ(print(bits), "[true, false, true]");
}

TEST(Equality, TellsAlternativesApart) {
  using Either = std::variant<std::monostate, int, long, std::string, int>;
  expect_same(Either(std::in_place_index<1>, 1), Either(std::in_place_index<1>, 1));
  expect_different(Either(std::in_place_index<1>, 1),
                   Either(std::in_place_index<4>, 1));  // the same type twice
  expect_different(Either(std::in_place_index<1>, 1), Either(std::in_place_index<2>, 1));
  expect_different(Either(), Either(std::string("")));
  using Maybe = std::optional<std::optional<int>>;
  expect_different(Maybe(), Maybe(std::optional<int>()));
  expect_different(std::tuple(1, 2), std::tuple(2, 1));
  expect_different(std::optional<int>(0), std::optional<int>());
}

TEST(Equality, ATypeCanSayWhatItsMembersAre) {
  Money money(3, 50);
  Money same(3, 50);
  same.cache = 99;
  expect_same(money, same);
  expect_different(money, Money(3, 51));
  expect_different(Wrapped<std::vector<Money>>{{money}}, Wrapped<std::vector<Money>>{{Money(4, 50)}});
  EXPECT_EQ(print(money), "Money{_0: 3, _1: 50}");
}

TEST(Equality, DurationsAndActorsAreValues) {
  using std::chrono_literals::operator""ms;
  expect_same(5ms, 5ms);
  expect_different(5ms, 6ms);
  expect_different(ActorId{1}, ActorId{2});
  expect_different(Ref<Node>(ActorId{1}), Ref<Node>());
  expect_different(Group<Node>{Ref<Node>(ActorId{1}), 2}, Group<Node>{Ref<Node>(ActorId{1}), 3});
}

// A state's hash stands in files and in fingerprints; it must not depend on the build.
TEST(Equality, HashesAreTheSameForever) {
  EXPECT_EQ(hash(Node{}), 0x18d1c415d7208a6eULL);
  EXPECT_EQ(hash(std::map<std::string, std::vector<int>>{{"a", {1, 2}}, {"b", {}}}), 0x736fa6ff224cde3cULL);
}

// Random trees: equality is what it is for strings printed with every detail, hashes and differences follow
// it.
struct Tree {
  int value = 0;
  std::vector<Tree> children;
};
Tree random_tree(Rng& rng, std::size_t depth) {
  Tree tree;
  tree.value = static_cast<int>(rng.below(2));
  for (std::uint64_t n = depth == 0 ? 0 : rng.below(3); n > 0; --n)
    tree.children.push_back(random_tree(rng, depth - 1));
  return tree;
}
TEST(Equality, HashAndDifferencesAgreeWithItOnRandomTrees) {
  Rng rng(11);
  std::size_t equal_pairs = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Tree a = random_tree(rng, 2);
    const Tree b = random_tree(rng, 2);
    const bool same = print(a) == print(b);
    equal_pairs += same ? 1 : 0;
    ASSERT_EQ(equal(a, b), same);
    ASSERT_EQ(hash(a) == hash(b), same);
    ASSERT_EQ(differences(a, b).empty(), same) << print(a) << " and " << print(b);
  }
  EXPECT_GT(equal_pairs, 100U);
}

// --- Text and JSON ---------------------------------------------------------------------------------------

std::string name_of(ActorId id) { return "node." + std::to_string(id.raw); }

TEST(Print, ShowsNamesAndValues) {
  EXPECT_EQ(print(Ping{}), "Ping");
  EXPECT_EQ(print(Prepare{7, true}), "Prepare{ballot: 7, urgent: true}");
  EXPECT_EQ(print(Node{.votes = {1, 2}, .pending = Prepare{1}}),
            "Node{name: \"n\", phase: idle, votes: [1, 2], log: {\"a\": 1}, pending: Prepare{ballot: 1, "
            "urgent: false}}");
  EXPECT_EQ(print(std::optional<Ping>{}), "none");
  EXPECT_EQ(print(std::optional<Ping>{Ping{}}), "Ping");
  EXPECT_EQ(print(std::vector<Ping>(2)), "[Ping, Ping]");
  EXPECT_EQ(print(std::pair{1, std::string("x")}), "[1, \"x\"]");
  EXPECT_EQ(print(std::map<int, Prepare>{{1, {}}}), "{1: Prepare{ballot: 0, urgent: false}}");
  EXPECT_EQ(print(std::map<std::pair<int, int>, int>{{{1, 2}, 3}, {{4, 5}, 6}}), "{[1, 2]: 3, [4, 5]: 6}");
  EXPECT_EQ(print(std::set<int>{}), "[]");
  EXPECT_EQ(print(std::map<int, int>{}), "{}");
  EXPECT_EQ(print(std::variant<int, Ping>(Ping{})), "Ping");
  EXPECT_EQ(print(std::monostate{}), "none");
}

TEST(Print, ShowsLeaves) {
  EXPECT_EQ(print('x'), "\"x\"");
  EXPECT_EQ(print(std::uint8_t{65}), "65");
  EXPECT_EQ(print(std::int8_t{-1}), "-1");
  EXPECT_EQ(print(INT64_MIN), "-9223372036854775808");
  EXPECT_EQ(print(UINT64_MAX), "18446744073709551615");
  EXPECT_EQ(print(0.1), "0.1");
  EXPECT_EQ(print(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(print(std::string("a\n\xff")), R"("a\n\xff")");
  EXPECT_EQ(print(Phase::voting), "voting");
  EXPECT_EQ(print(static_cast<Phase>(9)), "9");
  EXPECT_EQ(print(std::chrono::milliseconds(1500)), "1.5s");
}

TEST(Print, ShowsActorsByName) {
  EXPECT_EQ(print(ActorId{3}), "actor 3");
  EXPECT_EQ(print(Ref<Node>(ActorId{3}), name_of), "node.3");
  EXPECT_EQ(print(Ref<Node>(), name_of), "nobody");
  EXPECT_EQ(print(outside, name_of), "outside");
  EXPECT_EQ(print(Group<Node>{Ref<Node>(ActorId{3}), 2}, name_of), "[node.3, node.4]");
  EXPECT_EQ(print(Wrapped<Group<Node>>{}, name_of), "Wrapped<gainsay::Group<sample::Node> >{inside: []}");
}

// --- Differences -----------------------------------------------------------------------------------------

template <class T> std::vector<std::string> told(const T& left, const T& right) {
  std::vector<std::string> out;
  for (const Difference& each : differences(left, right, name_of)) {
    out.push_back(each.path + ": " + each.left + " -> " + each.right);
  }
  return out;
}
using Lines = std::vector<std::string>;

TEST(Differences, NameTheLeafThatDiffers) {
  EXPECT_EQ(told(Prepare{1}, Prepare{2}), Lines{"ballot: 1 -> 2"});
  EXPECT_EQ(told(Node{.pending = Prepare{1}}, Node{.pending = Prepare{2}}), Lines{"pending.ballot: 1 -> 2"});
  EXPECT_EQ(told(Wrapped<Node>{}, Wrapped<Node>{{.phase = Phase::done}}),
            Lines{"inside.phase: idle -> done"});
  EXPECT_EQ(told(1, 2), Lines{": 1 -> 2"});
  EXPECT_EQ(told(Wrapped<Ref<Node>>{}, Wrapped<Ref<Node>>{Ref<Node>(ActorId{2})}),
            Lines{"inside: nobody -> node.2"});
}

TEST(Differences, SayWhatIsThereOnOneSideOnly) {
  EXPECT_EQ(told(Node{}, Node{.votes = {4}}), (Lines{"votes.size: 0 -> 1", "votes[0]: (absent) -> 4"}));
  EXPECT_EQ(told(Node{.log = {{"a", 1}, {"b", 2}}}, Node{.log = {{"b", 3}}}),
            (Lines{"log.size: 2 -> 1", "log[\"a\"]: 1 -> (absent)", "log[\"b\"]: 2 -> 3"}));
  EXPECT_EQ(told(Wrapped<std::optional<int>>{}, Wrapped<std::optional<int>>{5}), Lines{"inside: none -> 5"});
  EXPECT_EQ(told(std::vector<int>{}, std::vector<int>{5}), (Lines{"size: 0 -> 1", "[0]: (absent) -> 5"}));
}

TEST(Differences, KeepCompoundKeysAndTheirValuesApart) {
  using Keyed = std::map<std::pair<int, int>, std::pair<int, int>>;
  EXPECT_EQ(told(Keyed{{{1, 2}, {3, 4}}}, Keyed{{{1, 2}, {3, 5}}}), Lines{"[0][1]: 4 -> 5"});
  EXPECT_EQ(told(Keyed{{{1, 2}, {3, 4}}}, Keyed{{{1, 3}, {3, 4}}}), Lines{"[key 0][1]: 2 -> 3"});
}

TEST(Differences, AreNeverSilentAboutUnequalValues) {
  using Either = std::variant<int, long>;
  EXPECT_EQ(told(Either(1), Either(1L)), Lines{": 1 -> 1"});
}

// --- Values of unknown type ------------------------------------------------------------------------------

TEST(ValueTypeTable, HandlesAValueWithoutKnowingIt) {
  const ValueType& type = reflect::value_type<Node>();
  EXPECT_EQ(type.name, "Node");
  EXPECT_EQ(type.full_name, "sample::Node");
  EXPECT_EQ(type.name_hash, hash_text("sample::Node"));
  EXPECT_EQ(&type, &reflect::value_type<Node>());
  const Node node{.votes = {1, 2, 3}};
  AnyValue copy = AnyValue::of(node);
  AnyValue second = copy;
  EXPECT_TRUE(type.equal(copy.data(), &node));
  EXPECT_EQ(type.hash(second.data()), hash(node));
  const Node other{.name = "other"};
  type.assign(second.data(), &other);
  EXPECT_FALSE(type.equal(copy.data(), second.data()));
  copy = std::move(second);
  EXPECT_EQ(print(type, copy.data()), print(other));
  EXPECT_FALSE(AnyValue().has_value());
  EXPECT_FALSE(AnyValue(AnyValue()).has_value());
}

// An actor that begins anew is assigned its first state, thousands of times a second.
TEST(ValueTypeTable, AnyValueIsAssignedInPlaceWhereTheTypeIsTheSame) {
  AnyValue to = AnyValue::of(std::vector<int>(100, 1));
  const auto first_of = [](const AnyValue& value) {
    return static_cast<const std::vector<int>*>(value.data())->data();
  };
  const int* const memory = first_of(to);
  const AnyValue from = AnyValue::of(std::vector<int>(50, 2));
  to = from;
  EXPECT_TRUE(to.type().equal(to.data(), from.data()));
  EXPECT_EQ(first_of(to), memory) << "what it owned is used again";
  EXPECT_NE(to.data(), from.data());
  const AnyValue& itself = to;
  to = itself;
  EXPECT_TRUE(to.type().equal(to.data(), from.data()));
  const AnyValue other = AnyValue::of(std::string("text"));
  to = other;
  EXPECT_EQ(&to.type(), &other.type());
  EXPECT_TRUE(to.type().equal(to.data(), other.data()));
  to = AnyValue();
  EXPECT_FALSE(to.has_value());
  const AnyValue none;
  to = none;
  EXPECT_FALSE(to.has_value());
  to = other;
  EXPECT_TRUE(to.type().equal(to.data(), other.data()));
}

TEST(ValueTypeTable, AssignsEvenWhatCannotBeAssigned) {
  struct Fixed {
    const int x = 0;
    const std::string name;
  };
  const Fixed from{2, std::string(100, 'b')};
  AnyValue value = AnyValue::of(Fixed{1, std::string(100, 'a')});
  value.type().assign(value.data(), &from);
  EXPECT_TRUE(value.type().equal(value.data(), &from));
}

TEST(ValueTypeTable, RespectsAlignment) {
  struct alignas(64) Wide {
    int x = 3;
  };
  const AnyValue value = AnyValue::of(Wide{});
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(value.data()) % 64, 0U);
}

TEST(ValueTypeTable, AcceptsTypesThatContainThemselves) {
  const Tree tree{1, {Tree{2, {}}, Tree{3, {Tree{}}}}};
  EXPECT_TRUE(reflect::require_value<Tree>());
  EXPECT_EQ(print(tree),
            "Tree{value: 1, children: [Tree{value: 2, children: []}, "
            "Tree{value: 3, children: [Tree{value: 0, children: []}]}]}");
}

}  // namespace
}  // namespace gainsay::reflect_test
