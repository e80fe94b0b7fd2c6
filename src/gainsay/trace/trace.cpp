#include "gainsay/trace/trace.hpp"

#include <array>

namespace gainsay {
namespace {

constexpr std::array<std::string_view, 8> names = {
    "",         "check",          "unhandled message", "exception",
    "bad send", "bad transition", "nondeterminism",    "fatal error"};

}  // namespace

std::string_view violation_name(ViolationKind kind) { return names[static_cast<std::size_t>(kind)]; }

ViolationKind Violation::kind() const {
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (property == names[i]) return static_cast<ViolationKind>(i);
  }
  return ViolationKind::property;
}

}  // namespace gainsay
