// Facts: what a file of unfinished work is about, by name, so that it is only gone on with where all of it is the same.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gainsay {

using Facts = std::vector<std::pair<std::string, std::string>>;

struct FactDifference {
  std::string name;
  std::string there;
  std::string here;
};

// The first fact in which two differ; a fact that one of them lacks, or that is empty, is "nothing".
inline std::optional<FactDifference> first_difference(const Facts& there, const Facts& here) {
  const auto value_in = [](const Facts& facts, const std::string& name) -> std::string {
    for (const auto& [each, value] : facts) {
      if (each == name && !value.empty()) return value;
    }
    return "nothing";
  };
  for (const Facts* facts : {&there, &here}) {
    for (const auto& [name, value] : *facts) {
      FactDifference difference{name, value_in(there, name), value_in(here, name)};
      if (difference.there != difference.here) return difference;
    }
  }
  return std::nullopt;
}

}  // namespace gainsay
