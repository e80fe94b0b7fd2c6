#include "gainsay/trace/shrink.hpp"

#include <algorithm>

namespace gainsay {

Shrunk shrink(std::vector<Decision> steps, const TryShrunk& attempt, std::size_t attempts_max) {
  Shrunk result;
  result.steps = std::move(steps);
  // Leaves out [begin, end) of the present steps; true if the violation is still there with fewer steps.
  const auto without = [&](std::size_t begin, std::size_t end) {
    const auto first = result.steps.begin();
    std::vector<Decision> list(first, first + static_cast<std::ptrdiff_t>(begin));
    list.insert(list.end(), first + static_cast<std::ptrdiff_t>(end), result.steps.end());
    ++result.attempts;
    auto executed = attempt(list);
    if (!executed || executed->size() >= result.steps.size()) return false;
    result.steps = std::move(*executed);
    return true;
  };
  for (std::size_t size = std::max<std::size_t>(1, result.steps.size() / 2);;
       size = std::max<std::size_t>(1, size / 2)) {
    bool smaller = false;
    // From the end: what comes late is needed least often.
    for (std::size_t end = result.steps.size(); end > 0 && result.attempts < attempts_max;) {
      const std::size_t begin = end > size ? end - size : 0;
      if (without(begin, end)) {
        smaller = true;
        end = std::min(begin, result.steps.size());
      } else {
        end = begin;
      }
    }
    if (result.attempts >= attempts_max || (size == 1 && !smaller)) return result;
  }
}

}  // namespace gainsay
