// EffectFlags: what a step did, as far as the order of steps may matter to a property or to another step.
#pragma once

#include <cstdint>

namespace gainsay {

struct EffectFlags {
  bool changed = false;  // the receiver's local state is another one now
  bool violated = false;
  bool invoked = false;        // a client began an operation
  bool responded = false;      // a client's operation ended
  std::uint64_t monitors = 0;  // that were notified, by their number; the last bit stands for all from 63 on
  std::uint64_t properties = 0;      // global ones that read what has changed, likewise
  std::uint64_t own_properties = 0;  // those that only the receiver decides, likewise
  std::uint64_t clients = 0;         // that began or ended an operation, one bit of 64 each, by their ids
  std::uint32_t budget = 0;          // 1 + index of the budget that was drawn on; 0: none
  bool budget_exhausted = false;     // nothing is left of it now
};

}  // namespace gainsay
