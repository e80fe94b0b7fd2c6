// A share as a percentage that is never rounded up to a certainty: "100 %" is printed for 1 alone.
#pragma once

#include <string>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"

namespace gainsay {

// With so many digits, or as many more as tell the share from 1; "over 99.99 %" where none of them do.
inline std::string percent_text(double share, std::size_t digits, std::size_t digits_most) {
  GAINSAY_CHECK(digits > 2 && digits <= digits_most, "99 % has two digits");
  for (std::size_t each = digits; each <= digits_most; ++each) {
    const std::string text = fmt::format("{:.{}g}", 100 * share, each);
    if (share >= 1 || !text.starts_with("100")) return text + " %";
  }
  return fmt::format("over 99.{} %", std::string(digits_most - 2, '9'));
}
inline std::string percent_text(double share, std::size_t digits = 4) {
  return percent_text(share, digits, digits);
}

}  // namespace gainsay
