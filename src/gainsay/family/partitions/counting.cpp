#include "gainsay/family/partitions/counting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "gainsay/base/check.hpp"

namespace gainsay::family {

Big binomial(std::size_t n, std::size_t k) {
  if (k > n) return 0;
  k = std::min(k, n - k);
  Big result = 1;
  for (std::size_t i = 1; i <= k; ++i) {
    result *= n - k + i;
    result /= i;  // a product of i consecutive numbers: no remainder
  }
  return result;
}

Big factorial_of(std::size_t n) {
  Big result = 1;
  for (std::size_t i = 2; i <= n; ++i) result *= i;
  return result;
}

Big power_of(std::size_t base, std::size_t exponent) {
  return boost::multiprecision::pow(Big(base), static_cast<unsigned>(exponent));
}

Big stirling(std::size_t n, std::size_t k) {
  if (k > n || (k == 0) != (n == 0)) return 0;
  if (n == 0) return 1;
  return StirlingTable(n, k).count();
}

Big partitions_with_sizes(const std::vector<std::size_t>& sizes) {
  std::size_t nodes = 0;
  Big ordered = 1;
  std::map<std::size_t, std::size_t> alike;
  for (const std::size_t size : sizes) {
    nodes += size;
    ordered *= binomial(nodes, size);
    ++alike[size];
  }
  for (const auto& [size, times] : alike) ordered /= factorial_of(times);
  return ordered;
}

double ratio(const Big& a, const Big& b) {
  GAINSAY_CHECK(a >= 0 && b > 0, "a ratio of counts");
  if (a == 0) return 0;
  // Scaled so that the whole part of the quotient has at least 65 bits: one rounding, at the end.
  const auto bits_a = static_cast<long>(boost::multiprecision::msb(a));
  const auto bits_b = static_cast<long>(boost::multiprecision::msb(b));
  const long up = std::max(0L, 66 - (bits_a - bits_b));
  Big quotient = (a << static_cast<unsigned>(up)) / b;
  const auto down = static_cast<long>(boost::multiprecision::msb(quotient)) - 64;
  if (down > 0) quotient >>= static_cast<unsigned>(down);
  return std::ldexp(quotient.convert_to<double>(), static_cast<int>(std::max(0L, down) - up));
}

double log_of(const Big& x) {
  if (x == 0) return -std::numeric_limits<double>::infinity();
  const auto bits = static_cast<long>(boost::multiprecision::msb(x));
  const long down = std::max(0L, bits - 64);
  const Big top = x >> static_cast<unsigned>(down);
  return std::log(top.convert_to<double>()) + static_cast<double>(down) * std::log(2.0);
}

Big below(const Big& n, Rng& rng) {
  GAINSAY_CHECK(n > 0, "a choice among nothing");
  if (n == 1) return 0;
  const std::size_t bits = boost::multiprecision::msb(Big(n - 1)) + 1;
  while (true) {  // at most half of what is drawn is rejected
    Big drawn = 0;
    for (std::size_t left = bits; left > 0;) {
      const std::size_t taken = std::min<std::size_t>(left, 64);
      drawn = (drawn << static_cast<unsigned>(taken)) | Big(rng.next() >> (64 - taken));
      left -= taken;
    }
    if (drawn < n) return drawn;
  }
}

StirlingTable::StirlingTable(std::size_t n, std::size_t k) : n_(n), k_(k), table_(k * (n - k + 1)) {
  GAINSAY_CHECK(1 <= k && k <= n, "blocks that can be filled");
  const std::size_t width = n - k + 1;
  for (std::size_t j = 1; j <= k; ++j) {
    for (std::size_t d = 0; d < width; ++d) {  // m = j + d
      Big& here = table_[(j - 1) * width + d];
      // S(m, j) = S(m-1, j-1) + j S(m-1, j); both lie in the table or are 0.
      here = j == 1 ? Big(d == 0 ? 1 : 0) : table_[(j - 2) * width + d];
      if (d > 0) here += table_[(j - 1) * width + d - 1] * j;
    }
  }
}

Partition StirlingTable::unrank(Big rank) const {
  GAINSAY_CHECK(rank >= 0 && rank < count(), "a rank of a partition");
  std::vector<std::uint32_t> block_of(n_, 0);
  std::size_t j = k_;
  for (std::size_t m = n_; m > 0; --m) {
    if (j == m) {  // every node left is alone
      for (std::size_t i = 0; i < m; ++i) block_of[i] = static_cast<std::uint32_t>(i);
      break;
    }
    if (j == 1) break;  // all that are left are in block 0
    const Big& alone = at(m - 1, j - 1);
    if (rank < alone) {
      block_of[m - 1] = static_cast<std::uint32_t>(--j);
      continue;
    }
    rank -= alone;
    const Big& others = at(m - 1, j);
    const Big block = rank / others;
    block_of[m - 1] = block.convert_to<std::uint32_t>();
    rank -= block * others;
    GAINSAY_CHECK(block_of[m - 1] < j, "one of the blocks");
  }
  return Partition(block_of);
}

}  // namespace gainsay::family
