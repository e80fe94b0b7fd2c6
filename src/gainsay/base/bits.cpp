#include "gainsay/base/bits.hpp"

namespace gainsay::bits {

#if defined(__x86_64__)
// The first Zens have pdep and pext, but as programs that take a step for each bit.
bool has_instructions() {
  __builtin_cpu_init();
  const bool slow = __builtin_cpu_is("znver1") != 0 || __builtin_cpu_is("znver2") != 0;
  return __builtin_cpu_supports("popcnt") != 0 && __builtin_cpu_supports("bmi2") != 0 && !slow;
}
#endif

}  // namespace gainsay::bits
