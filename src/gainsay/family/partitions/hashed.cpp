// Covering families for many nodes, from codes (covering.hpp says how).
#include <algorithm>
#include <map>

#include "gainsay/base/check.hpp"
#include "gainsay/family/partitions/covering.hpp"

namespace gainsay::family {
namespace {

bool is_prime(std::size_t q) {
  for (std::size_t d = 2; d * d <= q; ++d) {
    if (q % d == 0) return false;
  }
  return q >= 2;
}

// The value of node x, as the polynomial whose coefficients are its digits to base q, at the place `at`; the last
// place is the leading coefficient ("at infinity"): there are q + 1 in all.
std::uint32_t value_at(std::size_t x, std::size_t q, std::size_t t, std::size_t at) {
  std::vector<std::size_t> digits(t);
  for (std::size_t& digit : digits) {
    digit = x % q;
    x /= q;
  }
  if (at == q) return static_cast<std::uint32_t>(digits.back());
  std::size_t value = 0;
  for (std::size_t i = t; i-- > 0;) value = (value * at + digits[i]) % q;
  return static_cast<std::uint32_t>(value);
}

// The same notion for q nodes.
Notion smaller(const Notion& notion, std::size_t q) {
  return notion.kind == Notion::Kind::split
             ? Notion::split(q, notion.sides.size())
             : Notion::separate(q, notion.sides[0].count, notion.sides[1].count);
}

class Hashing {
 public:
  explicit Hashing(const Notion& notion) : notion_(notion) {
    const std::size_t k = notion.sides.size();
    if (notion.kind == Notion::Kind::split) {
      pairs_ = k * (k - 1) / 2;
      least_nodes_ = k;
    } else {
      pairs_ = std::size_t{notion.sides[0].count} * notion.sides[1].count;
      least_nodes_ = std::size_t{notion.sides[0].count} + notion.sides[1].count;
    }
  }

  // The family for n nodes, and nothing where no way leads to sizes that are searched greedily.
  const std::optional<PartitionFamily>& family(std::size_t n) {
    const auto known = families_.find(n);
    if (known != families_.end()) return known->second;
    std::optional<PartitionFamily> best;
    if (const auto greedy = n <= greedy_max ? greedy_family(smaller(notion_, n)) : std::nullopt) {
      best.emplace();
      for (const CutTest& test : *greedy) best->push_back(test.partition);
    } else {
      for (const auto& [q, t] : fields(n)) {
        const std::size_t places = pairs_ * (t - 1) + 1;
        if (places > q + 1) continue;
        const std::optional<PartitionFamily>& inner = family(q);
        if (!inner || (best && places * inner->size() >= best->size())) continue;
        best = composed(n, q, t, places, *inner);
      }
    }
    return families_.emplace(n, std::move(best)).first->second;
  }

 private:
  static constexpr std::size_t greedy_max = 13;

  // For each t the smallest prime field, and a few after it, that has n polynomials.
  std::vector<std::pair<std::size_t, std::size_t>> fields(std::size_t n) const {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t t = 2; t <= 12; ++t) {
      std::size_t taken = 0;
      for (std::size_t q = std::max<std::size_t>(2, least_nodes_); q < n && taken < 3; ++q) {
        if (!is_prime(q)) continue;
        std::size_t polynomials = 1;
        for (std::size_t i = 0; i < t && polynomials < n; ++i) polynomials *= q;
        if (polynomials < n) continue;
        found.emplace_back(q, t);
        ++taken;
      }
    }
    return found;
  }

  PartitionFamily composed(std::size_t n, std::size_t q, std::size_t t, std::size_t places,
                           const PartitionFamily& inner) const {
    PartitionFamily family;
    for (std::size_t at = 0; at < places; ++at) {
      const std::size_t place = at == places - 1 && places == q + 1 ? q : at;
      for (const Partition& partition : inner) {
        std::vector<std::uint32_t> block_of;
        for (std::size_t x = 0; x < n; ++x) block_of.push_back(partition.block_of(value_at(x, q, t, place)));
        Partition made(block_of);
        // One with an empty block meets no goal.
        if (made.blocks() == notion_.blocks() &&
            std::find(family.begin(), family.end(), made) == family.end())
          family.push_back(std::move(made));
      }
    }
    return family;
  }

  const Notion& notion_;
  std::size_t pairs_ = 0;        // that a place must tell apart
  std::size_t least_nodes_ = 0;  // that the notion needs
  std::map<std::size_t, std::optional<PartitionFamily>> families_;
};

}  // namespace

std::optional<PartitionFamily> hashed_family(const Notion& notion) {
  const bool serves = notion.kind == Notion::Kind::split || notion.kind == Notion::Kind::separate;
  if (!serves || notion.roles) return std::nullopt;
  return Hashing(notion).family(notion.nodes);
}

}  // namespace gainsay::family
