#include "gainsay/trace/happens_before.hpp"

#include <algorithm>
#include <map>

#include "gainsay/base/check.hpp"

namespace gainsay {

HappensBefore::HappensBefore(std::span<const Step> steps) {
  std::map<ActorId, std::uint32_t> columns;
  for (const Step& step : steps) {
    if (step.event.receiver != nobody) columns.emplace(step.event.receiver, 0);
  }
  std::uint32_t next = 0;
  for (auto& [actor, column] : columns) column = next++;
  width_ = columns.size() + 1;
  const auto nobodys = static_cast<std::uint32_t>(columns.size());

  std::vector<std::uint32_t> latest(width_ * width_, 0);  // the clock of the newest event of each column
  std::vector<std::uint32_t> count(width_, 0);
  const auto join = [&](std::uint32_t* into, const std::uint32_t* from) {
    for (std::size_t k = 0; k < width_; ++k) into[k] = std::max(into[k], from[k]);
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Event& event = steps[i].event;
    const bool everybody = event.receiver == nobody;
    const std::uint32_t column = everybody ? nobodys : columns.at(event.receiver);
    std::vector<std::uint32_t> clock(width_, 0);
    if (everybody) {
      for (std::size_t c = 0; c < width_; ++c) join(clock.data(), &latest[c * width_]);
    } else {
      join(clock.data(), &latest[column * width_]);
    }
    if (event.parent != no_step) {
      GAINSAY_CHECK(event.parent < i, "a cause comes before its effect");
      join(clock.data(), &clocks_[event.parent * width_]);
    }
    clock[column] = ++count[column];
    for (std::size_t c = 0; c < width_; ++c) {
      if (everybody || c == column) std::copy(clock.begin(), clock.end(), &latest[c * width_]);
    }
    actor_of_.push_back(column);
    position_.push_back(count[column]);
    clocks_.insert(clocks_.end(), clock.begin(), clock.end());
  }
}

bool HappensBefore::before(std::size_t i, std::size_t j) const {
  GAINSAY_CHECK(i < size() && j < size(), "steps of this execution");
  return i != j && clocks_[j * width_ + actor_of_[i]] >= position_[i];
}

std::span<const std::uint32_t> HappensBefore::clock(std::size_t i) const {
  GAINSAY_CHECK(i < size(), "a step of this execution");
  return {clocks_.data() + i * width_, width_};
}

}  // namespace gainsay
