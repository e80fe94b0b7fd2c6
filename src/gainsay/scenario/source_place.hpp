// Where in the user's sources something stands, for reports that point at a line: scenarios, properties, failed checks.
//
// Results do not carry places: a trace is the same wherever the code that made it was moved to. A failed check is
// therefore looked up by its message, among those that have failed in this process. Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>

namespace gainsay {

struct SourcePlace {
  std::string file;  // as the compiler was told it; empty: not known
  std::uint32_t line = 0;

  SourcePlace() = default;
  SourcePlace(std::string in, std::uint32_t at) : file(std::move(in)), line(at) {}
  SourcePlace(const std::source_location& where) : file(where.file_name()), line(where.line()) {}
  bool is_known() const { return !file.empty(); }

  friend auto operator<=>(const SourcePlace&, const SourcePlace&) = default;
};

// A check failed here, with this message.
void note_failed_check(std::string_view message, const std::source_location& where);
// Of several checks with one message the least place, so that threads do not matter.
std::optional<SourcePlace> place_of_failed_check(std::string_view message);

}  // namespace gainsay
