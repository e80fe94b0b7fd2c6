#include "gainsay/trace/trace_file_name.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace gainsay {
namespace {

constexpr std::size_t part_size_max = 40;
constexpr std::size_t name_size_max = 160;

// Letters, digits, '_' and '.', words joined by '_'.
std::string slug(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
    if (kept) {
      out += c;
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
    if (out.size() == part_size_max) break;
  }
  while (!out.empty() && (out.back() == '_' || out.back() == '.')) out.pop_back();
  return out;
}

std::string options_part(const TraceDocument& document, const std::vector<OptionInfo>& defaults) {
  std::string out;
  for (const auto& [name, value] : document.options) {
    const bool usual =
        std::any_of(defaults.begin(), defaults.end(), [&, &n = name, &v = value](const OptionInfo& info) {
          return info.name == n && info.default_text == v;
        });
    if (!usual) out += "-" + (name == "bug" ? slug(value) : slug(name + value));
  }
  return out;
}

}  // namespace

std::string trace_file_name(const TraceDocument& document, const std::vector<OptionInfo>& defaults) {
  std::string name = slug(document.scenario) + options_part(document, defaults);
  if (document.violation) name += "-" + slug(document.violation->property);
  name += "-" + slug(document.strategy);
  if (name.size() > name_size_max) name.resize(name_size_max);
  // An explicit-state search has neither.
  if (document.strategy != "explore") name += fmt::format("-seed{}-run{}", document.seed, document.run);
  return name;
}

}  // namespace gainsay
