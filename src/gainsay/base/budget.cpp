#include "gainsay/base/budget.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay {

Budget::Budget(std::optional<std::chrono::nanoseconds> time_max,
               std::optional<std::uint64_t> memory_bytes_max)
    : start_(Clock::now()), time_max_(time_max) {
  if (time_max) deadline_ = start_ + *time_max;
  if (memory_bytes_max) memory_bytes_max_ = *memory_bytes_max;
}

Budget Budget::until(const std::atomic<bool>* stop) const {
  Budget other = *this;
  if (stop != nullptr) other.stop_ = stop;
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

StopReason Budget::over() const {
  if (const StopReason reason = over_by_flag(); reason != StopReason::none) return reason;
  return deadline_ && Clock::now() >= *deadline_ ? StopReason::time : StopReason::none;
}

StopReason Budget::over(std::uint64_t bytes) const {
  return bytes > memory_bytes_max_ ? StopReason::memory : over();
}

std::string Budget::text(StopReason reason) const {
  switch (reason) {
    case StopReason::none:
      return "";
    case StopReason::interrupted:
      return "interrupted";
    case StopReason::time:
      return "the time (" + duration_text(time_max_.value_or(std::chrono::nanoseconds(0)).count()) +
             ") is over";
    case StopReason::memory:
      return "the memory (" + human_bytes(memory_bytes_max_) + ") is full";
    case StopReason::steps:
      return "the steps given are used up";
    case StopReason::called_off:
      return "called off";
  }
  return "";
}

double Budget::elapsed_s() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

BudgetAlarm::BudgetAlarm(const Budget& budget) : budget_(budget), thread_([this] { watch(); }) {}

BudgetAlarm::~BudgetAlarm() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void BudgetAlarm::watch() {
  const Budget::Clock::time_point deadline = budget_.deadline().value_or(Budget::Clock::time_point::max());
  std::unique_lock lock(mutex_);
  while (!done_) {
    if (const StopReason reason = budget_.over(); reason != StopReason::none) {
      GAINSAY_CHECK(!raised_, "an alarm is raised once");
      reason_ = reason;
      raised_ = true;
      return;
    }
    changed_.wait_until(lock, std::min(Budget::Clock::now() + std::chrono::milliseconds(20), deadline));
  }
}

}  // namespace gainsay
