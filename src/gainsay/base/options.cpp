#include "gainsay/base/options.hpp"

#include <fmt/format.h>

namespace gainsay::detail {

std::string range_text(const FieldRules& rules) { return fmt::format("{}..{}", *rules.least, *rules.most); }

void bad_option(std::string_view name, std::string_view text, const std::string& expected) {
  throw UserError(fmt::format("option {}={}: expected {}", name, text, expected));
}

}  // namespace gainsay::detail
