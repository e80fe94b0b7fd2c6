// Small text helpers shared by printing and by the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gainsay {

// In double quotes, with control characters and invalid UTF-8 escaped.
std::string quoted(std::string_view text);
// The text with every byte that is not valid UTF-8 replaced by U+FFFD: JSON must be UTF-8.
std::string printable_utf8(std::string_view text);

// "15s", "500ms", "2m", "1.5s": exact, in the largest unit in which it is short. Round first what was
// measured.
std::string duration_text(std::int64_t nanoseconds);
// The reverse, for options: a number and one of ns, us, ms, s, m, h. Nothing else is accepted.
std::optional<std::int64_t> parse_duration(std::string_view text);
// "6GiB", "512MB", "1000000": bytes.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

// 1234567 -> "1,234,567".
std::string with_commas(std::uint64_t value);
// 12345678 -> "12.3 M": for rates and live lines.
std::string human_count(double value);
std::string human_bytes(std::uint64_t bytes);
// "1 run", "1,234 runs"; `many` is for words that take more than an s.
std::string counted(std::uint64_t count, std::string_view one, std::string_view many = {});

// The candidate nearest to `wanted` by edit distance, if near enough to be meant.
std::optional<std::string> nearest(std::string_view wanted, std::span<const std::string> candidates);
// ", did you mean 'x'?" or nothing.
std::string did_you_mean(std::string_view wanted, std::span<const std::string> candidates);

// How many terminal columns the (UTF-8) text takes, every code point counted as one.
std::size_t display_width(std::string_view text);

// The words as a shell command line, quoted where necessary.
std::string shell_command(const std::vector<std::string>& words);

}  // namespace gainsay
