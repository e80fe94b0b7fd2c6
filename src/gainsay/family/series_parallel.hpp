// Series-parallel orders: built from single elements by series (all of P before all of Q) and parallel
// composition. Niksic's thesis (2019), sections 5.2.2 and 5.2.3.
//
// An SpOrder is in canonical form: no series directly inside a series, no parallel directly inside a
// parallel. A poset is series-parallel iff it has no zig-zag a < b > c < d (Valdes, Tarjan and Lawler 1982);
// `decompose` decides this by splitting: a disconnected comparability graph is a parallel composition, a
// disconnected incomparability graph a series, and where neither falls apart there is a zig-zag, which is
// shown.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "gainsay/family/poset.hpp"

namespace gainsay::family {

class SpOrder {
 public:
  enum class Kind : std::uint8_t { element, series, parallel };
  struct Node {
    Kind kind = Kind::element;
    Element element = 0;
    std::vector<std::uint32_t> parts;  // nodes, each of another kind; at least two
  };

  static SpOrder single(Element element);
  static SpOrder series(std::vector<SpOrder> parts);  // one after the other
  static SpOrder parallel(
      std::vector<SpOrder> parts);  // REQUIRES (both): at least one part, no common elements

  const Node& node(std::uint32_t index) const { return nodes_[index]; }
  std::uint32_t root() const { return root_; }
  std::size_t size() const { return elements_; }
  std::size_t nodes() const { return nodes_.size(); }

  std::size_t parallels() const;        // Γ: how many parallel compositions
  std::size_t widest_parallel() const;  // Δ: parts of the widest one; 1 if there is none
  std::size_t height() const;
  // Elements must be exactly 0 .. size-1.
  Poset poset() const;
  // Proposition 5.6: two schedules that hit every admissible pair.
  std::pair<Schedule, Schedule> realiser() const;
  std::string text(const std::vector<std::string>& names) const;

 private:
  static SpOrder compose(Kind kind, std::vector<SpOrder> parts);
  std::vector<std::uint32_t> bottom_up() const;  // parts before wholes

  std::vector<Node> nodes_;
  std::uint32_t root_ = 0;
  std::size_t elements_ = 0;
};

// "a . (b | c . d) . e": '.' is series, '|' parallel, series binds more tightly; names are letters, digits
// and _, each once. Throws UserError with the column and what was expected.
struct NamedSpOrder {
  SpOrder order;
  std::vector<std::string> names;
};
NamedSpOrder parse_series_parallel(std::string_view text);

struct ZigZag {
  Element a, b, c, d;  // a < b, c < b, c < d, and nothing else among them
};
std::variant<SpOrder, ZigZag> decompose(const Poset& poset);
std::optional<ZigZag> find_zigzag(const Poset& poset);
bool is_series_parallel(const Poset& poset);

// Lemma 5.8: an extension that is a binary semilattice (every two elements have an infimum, nobody has more
// than two immediate successors), of height at most h + Γ ceil(log2 Δ). New elements are numbered from size()
// on.
SpOrder binary_semilattice(const SpOrder& order);

}  // namespace gainsay::family
