// A share as a percentage that is never rounded up to a certainty: "100 %" is printed for 1 alone.
#pragma once

#include <string>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"

namespace gainsay {

// With so many digits; "over 99.99 %" where they would not tell the share from 1.
inline std::string percent_text(double share, std::size_t digits = 4) {
  GAINSAY_CHECK(digits > 2, "99 % has two digits");
  const std::string text = fmt::format("{:.{}g}", 100 * share, digits);
  if (share >= 1 || !text.starts_with("100")) return text + " %";
  return fmt::format("over 99.{} %", std::string(digits - 2, '9'));
}

}  // namespace gainsay
