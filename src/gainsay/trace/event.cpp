#include "gainsay/trace/event.hpp"

#include <array>

namespace gainsay {

std::string_view kind_name(EventKind kind) {
  static constexpr std::array<std::string_view, event_kinds> names = {
      "start",    "deliver",    "timer",      "task",       "drop",      "duplicate", "corrupt",
      "crash",    "restart",    "partition",  "heal",       "stop",      "lost",      "isolate",
      "recreate", "fail_write", "tear_write", "lose_write", "jump_clock"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace gainsay
