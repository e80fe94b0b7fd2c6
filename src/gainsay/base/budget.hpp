// Budget: how long some work may take and how much it may hold, and whether somebody has called it off. A small value;
// copies with other limits share its clock.
//
// Work asks every thousand steps or so, and says why it ended by a `StopReason`, never by a text. Where even looking at
// a clock is too dear, a BudgetAlarm looks in the worker's place and raises a flag.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace gainsay {

// Why work ended before it was done.
enum class StopReason : std::uint8_t {
  none,         // it did not
  interrupted,  // somebody outside asked for it
  time,
  memory,
  steps,       // or another count that was given
  called_off,  // somebody before us has decided
};

class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  // Without any limit.
  Budget() : start_(Clock::now()) {}
  explicit Budget(std::optional<std::chrono::nanoseconds> time_max,
                  std::optional<std::uint64_t> memory_bytes_max = std::nullopt);

  // The same, over as soon as the flag is raised, which must outlive it; null: as it is.
  Budget until(const std::atomic<bool>* stop) const;
  // The same clock, with another limit of memory.
  Budget with_memory(std::uint64_t bytes_max) const;
  // The same, called off as soon as `*lowest` is below `mine`: somebody before us has decided.
  Budget called_off_below(const std::atomic<std::size_t>& lowest, std::size_t mine) const;
  // The same, with at most so many steps for the work that asks.
  Budget with_steps(std::uint64_t steps_max) const;

  std::uint64_t memory_bytes_max() const { return memory_bytes_max_; }
  // What may be held when it is asked. Tables grow by doubling, between two questions, so work must stop before: the
  // most that it ever holds is within the budget.
  std::uint64_t search_bytes_max() const { return memory_bytes_max_ / 3 * 2; }
  std::uint64_t steps_max() const { return steps_max_; }
  bool has_deadline() const { return deadline_.has_value() || stop_ != nullptr; }
  bool may_be_called_off() const { return lowest_ != nullptr; }
  bool called_off() const { return lowest_ != nullptr && lowest_->load(std::memory_order_relaxed) < mine_; }

  // Why nothing more may be done. The first looks at nothing but flags.
  StopReason over_by_flag() const {
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) return StopReason::interrupted;
    return called_off() ? StopReason::called_off : StopReason::none;
  }
  StopReason over() const;
  StopReason over(std::uint64_t bytes) const;
  bool is_over() const { return over() != StopReason::none; }

  // In words, with the limit: "the time (2 s) is over".
  std::string text(StopReason reason) const;

  std::optional<Clock::time_point> deadline() const { return deadline_; }
  // Seconds since the budget was made.
  double elapsed_s() const;

 private:
  Clock::time_point start_;
  std::optional<std::chrono::nanoseconds> time_max_;
  std::optional<Clock::time_point> deadline_;
  std::uint64_t memory_bytes_max_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t steps_max_ = std::numeric_limits<std::uint64_t>::max();
  const std::atomic<std::size_t>* lowest_ = nullptr;
  std::size_t mine_ = 0;
  const std::atomic<bool>* stop_ = nullptr;
};

// Raises a flag when a budget is over, from a thread of its own: for loops that can afford no more than a flag.
class BudgetAlarm {
 public:
  explicit BudgetAlarm(const Budget& budget);
  ~BudgetAlarm();
  BudgetAlarm(const BudgetAlarm&) = delete;
  BudgetAlarm& operator=(const BudgetAlarm&) = delete;

  const std::atomic<bool>& flag() const { return raised_; }
  bool raised() const { return raised_.load(std::memory_order_relaxed); }
  // `none` until the flag is raised.
  StopReason reason() const { return reason_.load(); }

 private:
  void watch();

  Budget budget_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::atomic<bool> raised_{false};
  std::atomic<StopReason> reason_{StopReason::none};
  std::thread thread_;
};

}  // namespace gainsay
