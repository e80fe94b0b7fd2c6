// prefetch_to_write: says that something is going to be written soon, so that no other core has it then.
#pragma once

namespace gainsay {

// Always inline: GCC drops calls of inline functions that only prefetch.
[[gnu::always_inline]] inline void prefetch_to_write(const void* address) {
#if defined(__x86_64__)
  // For processors without this instruction GCC would take one that only reads; they take it for none.
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address, 1);
#endif
}

}  // namespace gainsay
