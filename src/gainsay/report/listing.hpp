// What `list` prints: scenarios and strategies with their options.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gainsay/base/options.hpp"

namespace gainsay {

// A scenario or a strategy, as `list` shows it.
struct Listing {
  std::string name;
  std::string description;
  std::string kind;  // of a strategy: "random" or "search"
  std::vector<OptionInfo> options;
  // Of a scenario with its default options:
  std::vector<std::string> actors;
  std::vector<std::string> monitors;
  std::vector<std::string> properties;  // "always: agreement", "linearizable"
  std::string problem;                  // why it cannot be built as it stands; usually empty
};

// A seeded bug: a value of the option `bug` other than none.
struct SeededBug {
  std::string option;  // "bug=overtake"
  std::string description;
};
std::vector<SeededBug> seeded_bugs(const std::vector<OptionInfo>& options);

std::string summary_text(const std::vector<Listing>& listings, std::size_t width);

}  // namespace gainsay
