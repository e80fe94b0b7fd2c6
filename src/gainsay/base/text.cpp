#include "gainsay/base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

namespace gainsay {
namespace {

// Length of the valid UTF-8 sequence at the front of `text`, 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  std::size_t length = 0;
  if (first >= 0xc2 && first <= 0xdf) length = 2;
  if (first >= 0xe0 && first <= 0xef) length = 3;
  if (first >= 0xf0 && first <= 0xf4) length = 4;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = byte(1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f)) return 0;
  if ((first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) return 0;
  return length;
}

struct Unit {
  std::string_view name;
  double factor;
};

std::optional<double> parse_with_units(std::string_view text, std::span<const Unit> units) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0 || !std::isfinite(number)) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const Unit& candidate : units) {
    if (candidate.name == unit) return number * candidate.factor;
  }
  return std::nullopt;
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text.front();
    if (length == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
      text.remove_prefix(1);
      continue;
    }
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out + "\"";
}

std::string printable_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      out += "\xef\xbf\xbd";
      text.remove_prefix(1);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return out;
}

std::string duration_text(std::int64_t nanoseconds) {
  struct Scale {
    std::string_view unit;
    std::uint64_t size;
    std::uint64_t granularity;  // the unit is taken for multiples of this
  };
  static constexpr Scale scales[] = {
      {"h", 3'600'000'000'000, 36'000'000'000},
      {"m", 60'000'000'000, 600'000'000},
      {"s", 1'000'000'000, 1},
      {"ms", 1'000'000, 1},
      {"us", 1'000, 1},
  };
  const std::uint64_t magnitude =
      nanoseconds < 0 ? 0 - static_cast<std::uint64_t>(nanoseconds) : static_cast<std::uint64_t>(nanoseconds);
  const char* sign = nanoseconds < 0 ? "-" : "";
  for (const Scale& scale : scales) {
    if (magnitude < scale.size || magnitude % scale.granularity != 0) continue;
    std::string fraction;  // by long division; it ends, because only h and m are no powers of ten
    for (std::uint64_t rest = magnitude % scale.size; rest != 0; rest = rest * 10 % scale.size) {
      fraction += static_cast<char>('0' + rest * 10 / scale.size);
    }
    return fmt::format("{}{}{}{}{}", sign, magnitude / scale.size, fraction.empty() ? "" : ".", fraction,
                       scale.unit);
  }
  return fmt::format("{}{}ns", sign, magnitude);
}

std::optional<std::int64_t> parse_duration(std::string_view text) {
  static constexpr Unit units[] = {{"ns", 1},  {"us", 1e3}, {"ms", 1e6},
                                   {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}};
  const auto value = parse_with_units(text, units);
  if (!value || *value > 9.2e18) return std::nullopt;
  return static_cast<std::int64_t>(std::llround(*value));
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  static constexpr Unit units[] = {{"", 1},         {"B", 1},        {"K", 0x1p10},   {"KiB", 0x1p10},
                                   {"KB", 1e3},     {"M", 0x1p20},   {"MiB", 0x1p20}, {"MB", 1e6},
                                   {"G", 0x1p30},   {"GiB", 0x1p30}, {"GB", 1e9},     {"T", 0x1p40},
                                   {"TiB", 0x1p40}, {"TB", 1e12}};
  const auto value = parse_with_units(text, units);
  if (!value || *value > 9e18) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(*value));
}

std::string with_commas(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string human_count(double value) {
  if (value >= 1e9) return fmt::format("{:.2f} G", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.1f} M", value / 1e6);
  if (value >= 1e4) return fmt::format("{:.1f} k", value / 1e3);
  return fmt::format("{:.0f}", value);
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  if (count == 1) return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{} {}s", with_commas(count), one)
                      : fmt::format("{} {}", with_commas(count), many);
}

std::string human_bytes(std::uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (value >= 0x1p30) return fmt::format("{:.2f} GiB", value / 0x1p30);
  if (value >= 0x1p20) return fmt::format("{:.1f} MiB", value / 0x1p20);
  if (value >= 0x1p10) return fmt::format("{:.1f} KiB", value / 0x1p10);
  return fmt::format("{} B", bytes);
}

std::optional<std::string> nearest(std::string_view wanted, std::span<const std::string> candidates) {
  std::optional<std::string> best;
  std::size_t best_distance = std::numeric_limits<std::size_t>::max();
  for (const std::string& candidate : candidates) {
    std::vector<std::size_t> row(candidate.size() + 1);
    for (std::size_t j = 0; j <= candidate.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= wanted.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= candidate.size(); ++j) {
        const std::size_t substituted = diagonal + (wanted[i - 1] == candidate[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
      }
    }
    std::size_t distance = row[candidate.size()];
    if (candidate.starts_with(wanted) && !wanted.empty()) distance = std::min<std::size_t>(distance, 1);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  const std::size_t tolerated = std::max<std::size_t>(1, wanted.size() / 3);
  return best_distance <= tolerated ? best : std::nullopt;
}

std::string did_you_mean(std::string_view wanted, std::span<const std::string> candidates) {
  const auto found = nearest(wanted, candidates);
  return found ? fmt::format(", did you mean '{}'?", *found) : std::string{};
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

namespace {

bool plain_word(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-+=./:,@%").find(c) != std::string_view::npos;
  });
}

}  // namespace

std::string shell_command(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += ' ';
    if (plain_word(word)) {
      out += word;
      continue;
    }
    out += '\'';
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    out += '\'';
  }
  return out;
}

}  // namespace gainsay
