#include "gainsay/strategy/follow/script.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace gainsay {

std::size_t Script::place_of(const Event& event, std::size_t from) {
  const auto key = [this](std::uint32_t place) {
    return std::tuple(decisions_[place].id, scheduled_as(decisions_[place].kind), place);
  };
  if (by_id_.size() != decisions_.size()) {
    by_id_.resize(decisions_.size());
    std::iota(by_id_.begin(), by_id_.end(), 0U);
    std::sort(by_id_.begin(), by_id_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  }
  const std::tuple wanted(event.id, scheduled_as(event.kind),
                          static_cast<std::uint32_t>(std::min(from, size())));
  auto found = std::lower_bound(by_id_.begin(), by_id_.end(), wanted,
                                [&](std::uint32_t place, const auto& value) { return key(place) < value; });
  for (; found != by_id_.end() && decisions_[*found].id == event.id; ++found) {
    if (decisions_[*found].is(event)) return *found;
  }
  return nowhere;
}

void Script::execute(std::size_t place) {
  GAINSAY_CHECK(place == nowhere || place < decisions_.size(), "a place of the script");
  answers_ = place == nowhere ? RecordedAnswers() : RecordedAnswers(decisions_[place].answers);
}

}  // namespace gainsay
