#include "gainsay/trace/causes.hpp"

#include <algorithm>
#include <numeric>

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

// The type of a message, as it is printed in front of its fields.
std::string type_of(const std::string& message) { return message.substr(0, message.find_first_of("{( ")); }

std::string ingredient(const DocumentStep& step) {
  std::string text(kind_name(step.kind));
  // Which cut, which isolation and how far a clock jumps is left out: these are words of the scenario.
  const bool typed = step.kind == EventKind::deliver || step.kind == EventKind::timer ||
                     step.kind == EventKind::drop || step.kind == EventKind::duplicate ||
                     step.kind == EventKind::corrupt || step.kind == EventKind::lost;
  if (typed && !step.message.empty()) text += " " + type_of(step.message);
  return text;
}

}  // namespace

std::string without_numbers(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) out += c;
    if (digit && (out.empty() || out.back() != '#')) out += '#';
  }
  return out;
}

bool TraceShape::is_part_of(const TraceShape& other) const {
  return symptom == other.symptom && last == other.last &&
         std::includes(other.events.begin(), other.events.end(), events.begin(), events.end());
}

TraceShape shape_of(const TraceDocument& document) {
  GAINSAY_CHECK(document.violation.has_value(), "a cause is that of a violation");
  TraceShape shape;
  shape.symptom = document.violation->property + ": " + without_numbers(document.violation->message);
  for (const DocumentStep& step : document.steps) shape.events.insert(ingredient(step));
  if (!document.steps.empty()) shape.last = ingredient(document.steps.back());
  return shape;
}

std::vector<std::vector<std::size_t>> group_by_cause(const std::vector<TraceDocument>& documents) {
  std::vector<TraceShape> shapes;
  for (const TraceDocument& document : documents) shapes.push_back(shape_of(document));
  // From the smallest set on, so that whoever begins a group is not part of another one that comes later.
  std::vector<std::size_t> order(documents.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (shapes[a].events.size() != shapes[b].events.size())
      return shapes[a].events.size() < shapes[b].events.size();
    return documents[a].steps.size() < documents[b].steps.size();
  });
  std::vector<std::vector<std::size_t>> groups;
  for (const std::size_t index : order) {
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const std::vector<std::size_t>& group) {
      return shapes[group.front()].is_part_of(shapes[index]);
    });
    if (known != groups.end()) {
      known->push_back(index);
    } else {
      groups.push_back({index});
    }
  }
  for (std::vector<std::size_t>& group : groups) {
    std::stable_sort(group.begin(), group.end(), [&](std::size_t a, std::size_t b) {
      return documents[a].steps.size() < documents[b].steps.size();
    });
  }
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
    return *std::min_element(a.begin(), a.end()) < *std::min_element(b.begin(), b.end());
  });
  return groups;
}

}  // namespace gainsay
