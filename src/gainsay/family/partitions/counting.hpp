// Counting partitions, exactly: whole numbers of any length, no logarithms and no rounding. Niksic's thesis (2018),
// section 4.1, recurrence (4.1).
//
// A Stirling table has the numbers S(m, j) that lie on a way from (n, k) down to the base cases: k (n - k) of them.
// Partitions are ranked by the recurrence itself: the last node is alone (the first S(n-1, k-1) ranks), or it is in
// one of k blocks of a partition of the others. So a uniform rank is a uniform partition, for any n and k.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "gainsay/base/rng.hpp"
#include "gainsay/family/partitions/partition.hpp"

namespace gainsay::family {

using Big = boost::multiprecision::cpp_int;

Big binomial(std::size_t n, std::size_t k);
Big factorial_of(std::size_t n);
Big power_of(std::size_t base, std::size_t exponent);
// S(n, k): how many partitions of n nodes into k blocks there are. 0 where there is none.
Big stirling(std::size_t n, std::size_t k);
// How many with blocks of these sizes, in any order.
Big partitions_with_sizes(const std::vector<std::size_t>& sizes);

// a / b to the nearest double, also where neither fits into one; 0 < b.
double ratio(const Big& a, const Big& b);
double log_of(const Big& x);  // natural; minus infinity for 0
// Uniform in [0, n): draws bits and rejects. REQUIRES: n > 0.
Big below(const Big& n, Rng& rng);

class StirlingTable {
 public:
  // REQUIRES: 1 <= k <= n.
  StirlingTable(std::size_t n, std::size_t k);

  const Big& count() const { return at(n_, k_); }
  // The partition of this rank; each has one. REQUIRES: 0 <= rank < count().
  Partition unrank(Big rank) const;
  Partition draw(Rng& rng) const { return unrank(below(count(), rng)); }

 private:
  // S(m, j) for 1 <= j <= k and j <= m <= n - k + j: the others are not met on the way.
  const Big& at(std::size_t m, std::size_t j) const { return table_[(j - 1) * (n_ - k_ + 1) + (m - j)]; }

  std::size_t n_;
  std::size_t k_;
  std::vector<Big> table_;
};

}  // namespace gainsay::family
