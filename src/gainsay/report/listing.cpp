#include "gainsay/report/listing.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gainsay/report/label_rows.hpp"

namespace gainsay {
namespace {

std::string option_line(const OptionInfo& option) {
  std::string text = fmt::format("{}={}", option.name, option.default_text);
  if (!option.values.empty()) {
    text += fmt::format(" ({})", fmt::join(option.values, ", "));
  } else if (!option.type.empty()) {
    text += fmt::format(" ({})", option.type);
  }
  return text + (option.help.empty() ? "" : ": " + option.help);
}

}  // namespace

std::vector<SeededBug> seeded_bugs(const std::vector<OptionInfo>& options) {
  std::vector<SeededBug> bugs;
  for (const OptionInfo& option : options) {
    if (option.name != "bug" || option.type != "one of") continue;
    for (const std::string& value : option.values) {
      if (value == "none") continue;
      const auto help = std::find_if(option.value_help.begin(), option.value_help.end(),
                                     [&](const auto& entry) { return entry.first == value; });
      bugs.push_back({"bug=" + value, help == option.value_help.end() ? "" : help->second});
    }
  }
  return bugs;
}

std::string summary_text(const std::vector<Listing>& listings, std::size_t width) {
  std::string out;
  for (const Listing& listing : listings) {
    out += fmt::format("{}{}{}{}{}\n", out.empty() ? "" : "\n", listing.name,
                       listing.description.empty() ? "" : ": ", listing.description,
                       listing.kind.empty() ? "" : " [" + listing.kind + "]");
    LabelRows rows(width);
    rows.add("actors", fmt::format("{}", fmt::join(listing.actors, ", ")));
    rows.add("monitors", fmt::format("{}", fmt::join(listing.monitors, ", ")));
    rows.add("properties", fmt::format("{}", fmt::join(listing.properties, ", ")));
    rows.add("problem", listing.problem);
    const char* label = "options";
    for (const OptionInfo& option : listing.options) rows.add(std::exchange(label, ""), option_line(option));
    label = "bugs";
    for (const SeededBug& bug : seeded_bugs(listing.options)) {
      rows.add(std::exchange(label, ""),
               bug.option + (bug.description.empty() ? "" : ": " + bug.description));
    }
    out += rows.text();
  }
  return out;
}

}  // namespace gainsay
