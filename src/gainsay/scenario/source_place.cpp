#include "gainsay/scenario/source_place.hpp"

#include <map>
#include <mutex>

namespace gainsay {
namespace {

// Messages may have numbers in them, so there may be many; a report needs few.
constexpr std::size_t messages_max = 10'000;

struct FailedChecks {
  std::mutex mutex;
  std::map<std::string, SourcePlace, std::less<>> places;
};

FailedChecks& failed_checks() {
  static FailedChecks checks;
  return checks;
}

}  // namespace

void note_failed_check(std::string_view message, const std::source_location& where) {
  FailedChecks& checks = failed_checks();
  const std::lock_guard lock(checks.mutex);
  const auto known = checks.places.find(message);
  if (known == checks.places.end()) {
    if (checks.places.size() < messages_max) checks.places.emplace(message, where);
  } else if (SourcePlace place(where); place < known->second) {
    known->second = std::move(place);
  }
}

std::optional<SourcePlace> place_of_failed_check(std::string_view message) {
  FailedChecks& checks = failed_checks();
  const std::lock_guard lock(checks.mutex);
  const auto known = checks.places.find(message);
  if (known == checks.places.end()) return std::nullopt;
  return known->second;
}

}  // namespace gainsay
