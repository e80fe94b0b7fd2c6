// Certificate: what a complete search found, as a file that anybody can check again (`gainsay verify`).
//
// A certificate is one JSON object. It says what was searched and how, how many classes of executions there are
// (trace/trace_order.hpp) with a hash of their set, the same of the worlds in which executions ended, and what was
// violated. Classes and end worlds are those of executions with no complaint: one that a violation ended has no
// class of its own, because where it stopped depends on the search. The file is not signed and has no checksum:
// checking it means counting again.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gainsay {

inline constexpr std::uint64_t certificate_format_version = 1;

// A set of hashes, by its size and a hash of its own.
struct HashedSet {
  std::uint64_t count = 0;
  std::string hash;  // SetHash::text

  static HashedSet of(const std::set<std::uint64_t>& members);

  friend bool operator==(const HashedSet&, const HashedSet&) = default;
};

struct Certificate {
  std::string tool;  // "gainsay 0.1.0"
  std::string scenario;
  std::vector<std::pair<std::string, std::string>> options;
  std::string strategy;
  std::vector<std::pair<std::string, std::string>> strategy_options;
  std::string dependence;          // the relation that classes are counted by: "receiver", "properties", ...
  std::uint64_t steps_max = 0;     // no execution was longer
  std::uint64_t executions = 0;    // that the search made
  std::uint64_t blocked_runs = 0;  // that it began and cut short
  std::optional<HashedSet> classes;  // nothing: the search's own relation depends on states
  std::optional<HashedSet>
      final_states;  // nothing: the world is no value (opaque actors, clocks that are read)
  std::vector<std::string> violations;  // keys of all that was violated, sorted; none: the verdict is ok

  friend bool operator==(const Certificate&, const Certificate&) = default;
};

std::string certificate_text(const Certificate& certificate);
// Writes beside the file, then renames. Throws UserError where it cannot be written.
void write_certificate_file(const std::string& path, const Certificate& certificate);
// Both throw UserError with one line that names the file, what is wrong and what was expected.
Certificate read_certificate(const std::string& text, const std::string& file_name);
Certificate read_certificate_file(const std::string& path);

}  // namespace gainsay
