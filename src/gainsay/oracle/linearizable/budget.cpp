#include "gainsay/oracle/linearizable/budget.hpp"

#include "gainsay/base/text.hpp"

namespace gainsay::linearizable {

Budget::Budget(std::optional<std::chrono::nanoseconds> time_max,
               std::optional<std::uint64_t> memory_bytes_max)
    : start_(Clock::now()), time_max_(time_max) {
  if (time_max) deadline_ = start_ + *time_max;
  if (memory_bytes_max) memory_bytes_max_ = *memory_bytes_max;
}

Budget Budget::until(const std::atomic<bool>& stop) const {
  Budget other = *this;
  other.stop_ = &stop;
  return other;
}

Budget Budget::with_memory(std::uint64_t bytes_max) const {
  Budget other = *this;
  other.memory_bytes_max_ = bytes_max;
  return other;
}

Budget Budget::called_off_below(const std::atomic<std::size_t>& lowest, std::size_t mine) const {
  Budget other = *this;
  other.lowest_ = &lowest;
  other.mine_ = mine;
  return other;
}

Budget Budget::with_steps(std::uint64_t steps_max) const {
  Budget other = *this;
  other.steps_max_ = steps_max;
  return other;
}

bool Budget::time_is_over() const {
  if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) return true;
  return deadline_ && Clock::now() >= *deadline_;
}

StopToken Budget::stop_token() const {
  if (!has_deadline() && lowest_ == nullptr) return {};
  return StopToken([budget = *this] { return budget.is_over(); });
}

std::string Budget::time_text() const {
  if (stop_ != nullptr && stop_->load()) return "interrupted";
  return "the time (" + duration_text(time_max_.value_or(std::chrono::nanoseconds(0)).count()) + ") is over";
}

std::string Budget::memory_text() const {
  return "the memory (" + human_bytes(memory_bytes_max_) + ") is full";
}

double Budget::elapsed_s() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

}  // namespace gainsay::linearizable
