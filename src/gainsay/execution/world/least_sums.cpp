#include "gainsay/execution/world/least_sums.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "gainsay/base/check.hpp"

namespace gainsay::least_sums {
namespace {

using Two = double __attribute__((vector_size(16)));

inline Two two_at(const double* from) {
  Two two;
  __builtin_memcpy(&two, from, sizeof(two));
  return two;
}
inline Two less_of(Two a, Two b) { return a < b ? a : b; }

// All sums: without a branch that depends on times this is faster than to look for those that count.
template <std::size_t width>
std::uint64_t find_by_twos(const double* until, const double* bounds, double* least) {
  Two untils[width / 2];
  for (std::size_t c = 0; c < width; c += 2) untils[c / 2] = two_at(until + c);
  std::uint64_t counts = 0;
  for (std::size_t b = 0; b < width; ++b) {
    const double* row = bounds + b * width;
    Two one = untils[0] + two_at(row);
    Two other = untils[1] + two_at(row + 2);
    for (std::size_t c = 4; c < width; c += 4) {
      one = less_of(one, untils[c / 2] + two_at(row + c));
      other = less_of(other, untils[c / 2 + 1] + two_at(row + c + 2));
    }
    one = less_of(one, other);
    least[b] = one[0] < one[1] ? one[0] : one[1];
    counts |= std::uint64_t{until[b] <= least[b]} << b;
  }
  return counts;
}

#if defined(__x86_64__)
// Four rows at a time: what is left of each of them, four sums, is halved twice, for all four together.
template <std::size_t width>
[[gnu::target("avx2")]] std::uint64_t find_by_fours(const double* until, const double* bounds,
                                                    double* least) {
  __m256d untils[width / 4];
  for (std::size_t c = 0; c < width; c += 4) untils[c / 4] = _mm256_loadu_pd(until + c);
  std::uint64_t counts = 0;
  for (std::size_t b = 0; b < width; b += 4) {
    __m256d rows[4];
    for (std::size_t k = 0; k < 4; ++k) {
      const double* row = bounds + (b + k) * width;
      rows[k] = _mm256_add_pd(untils[0], _mm256_loadu_pd(row));
      for (std::size_t c = 4; c < width; c += 4)
        rows[k] = _mm256_min_pd(rows[k], _mm256_add_pd(untils[c / 4], _mm256_loadu_pd(row + c)));
    }
    const __m256d first =
        _mm256_min_pd(_mm256_unpacklo_pd(rows[0], rows[1]), _mm256_unpackhi_pd(rows[0], rows[1]));
    const __m256d second =
        _mm256_min_pd(_mm256_unpacklo_pd(rows[2], rows[3]), _mm256_unpackhi_pd(rows[2], rows[3]));
    const __m256d all = _mm256_min_pd(_mm256_permute2f128_pd(first, second, 0x20),
                                      _mm256_permute2f128_pd(first, second, 0x31));
    _mm256_storeu_pd(least + b, all);
    const int no_more = _mm256_movemask_pd(_mm256_cmp_pd(untils[b / 4], all, _CMP_LE_OQ));
    counts |= static_cast<std::uint64_t>(no_more) << b;
  }
  return counts;
}

bool has_fours() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") != 0;
}
const bool by_fours = has_fours();  // before it is known, the answer is no
#endif

}  // namespace

std::uint64_t portable::find(std::size_t width, const double* until, const double* bounds, double* least) {
  GAINSAY_CHECK(width == 8 || width == 12, "a width that it is compiled for");
  return width == 8 ? find_by_twos<8>(until, bounds, least) : find_by_twos<12>(until, bounds, least);
}

std::uint64_t find(std::size_t width, const double* until, const double* bounds, double* least) {
#if defined(__x86_64__)
  if (by_fours) [[likely]]
    return width == 8 ? find_by_fours<8>(until, bounds, least) : find_by_fours<12>(until, bounds, least);
#endif
  return portable::find(width, until, bounds, least);
}

}  // namespace gainsay::least_sums
