// Poset: a finite partial order, closed under transitivity, with its schedules (linear extensions).
//
// Niksic's thesis (2019), section 5.1. Elements are numbers from 0; a schedule is a permutation of them that
// respects the order; a family is a list of schedules. The closure is kept as rows of bits, so posets are
// limited to `size_max` elements; larger trees are handled as trees (tree.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gainsay::family {

using Element = std::uint32_t;
using Schedule = std::vector<Element>;
using Family = std::vector<Schedule>;
using Tuple = std::vector<Element>;

struct Relation {
  Element below = 0;
  Element above = 0;
};

// Some elements x1 < x2 < ... < x1 of a cycle, or nothing.
std::vector<Element> find_cycle(std::size_t size, std::span<const Relation> relations);

class Poset {
 public:
  static constexpr std::size_t size_max = 20'000;

  Poset() = default;
  // The least order with these relations. Throws UserError if they form a cycle, if an element is not below
  // `size`, or if there are too many elements.
  Poset(std::size_t size, std::span<const Relation> relations);

  std::size_t size() const { return size_; }
  bool less(Element x, Element y) const { return above_[x * words_ + y / 64] >> (y % 64) & 1U; }
  bool at_most(Element x, Element y) const { return x == y || less(x, y); }
  bool incomparable(Element x, Element y) const { return x != y && !less(x, y) && !less(y, x); }

  // Everything above, or below, as bits.
  std::span<const std::uint64_t> above(Element x) const { return {&above_[x * words_], words_}; }
  std::span<const std::uint64_t> below(Element x) const { return {&below_[x * words_], words_}; }
  std::vector<Element> immediate_successors(Element x) const { return nearest(above(x), below_); }
  std::vector<Element> immediate_predecessors(Element x) const { return nearest(below(x), above_); }

  friend bool operator==(const Poset&, const Poset&) = default;

 private:
  std::vector<Element> nearest(std::span<const std::uint64_t> side,
                               const std::vector<std::uint64_t>& other) const;

  std::size_t size_ = 0;
  std::size_t words_ = 0;             // 64-bit words per row
  std::vector<std::uint64_t> above_;  // row x: all y with x < y
  std::vector<std::uint64_t> below_;  // row x: all y with y < x
};

// An order as the user wrote it. Text: relations separated by commas or white space, "a<b<c, d<b, e"; a name
// alone is an element without relations. Throws UserError that names the cycle, the place, or what was
// expected.
struct NamedPoset {
  Poset poset;
  std::vector<std::string> names;
};
NamedPoset parse_relations(std::string_view text);
// "a b c", for messages.
std::string text_of(const Tuple& tuple, std::span<const std::string> names);

Poset antichain(std::size_t n);
Poset chain(std::size_t n);
Poset chain_with_independent(std::size_t n);  // a chain of n elements and one more, the last number
Poset standard_example(std::size_t n);        // a_i < b_j iff i != j; a_i is i, b_i is n + i (Example 5.1)
// The elements of `kept`, renumbered in that order.
Poset restriction(const Poset& poset, std::span<const Element> kept);

// The layer of each element: the size of the greatest chain below it.
std::vector<std::uint32_t> layers(const Poset& poset);
std::size_t height(const Poset& poset);  // of the greatest chain
std::size_t width(const Poset& poset);   // of the greatest antichain

// The schedule that always takes the least number possible.
Schedule first_schedule(const Poset& poset);
bool is_schedule(const Poset& poset, const Schedule& schedule);
// Calls `use` with each schedule, in lexicographic order, until it returns false. Returns whether it never
// did.
bool for_all_schedules(const Poset& poset, const std::function<bool(const Schedule&)>& use);

}  // namespace gainsay::family
