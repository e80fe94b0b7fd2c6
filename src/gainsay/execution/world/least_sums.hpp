// least_sums: the inner loop of TimeClass::find_latest where there are few moments.
//
// Any x86-64 must do; where the processor can add four numbers at once it does, in a function of its own, because one
// that is compiled for another processor is never inlined. Both ways only add and compare whole numbers, so that they
// give the same answers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gainsay::least_sums {

inline constexpr std::size_t widest = 12;

// least[b] is the least until[c] + bounds[b * width + c], for all b and c below `width`. Returns the set of those b of
// which until[b] is no more than that. REQUIRES: `width` is 8 or 12.
std::uint64_t find(std::size_t width, const double* until, const double* bounds, double* least);

namespace portable {
std::uint64_t find(std::size_t width, const double* until, const double* bounds, double* least);
}  // namespace portable

}  // namespace gainsay::least_sums
