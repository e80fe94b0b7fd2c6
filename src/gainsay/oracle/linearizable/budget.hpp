// Budget: how long one check may take and how much it may hold, and whether somebody has called it off.
//
// Searches ask every thousand steps or so; long-running specifications ask through a StopToken.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "gainsay/oracle/spec.hpp"

namespace gainsay::linearizable {

class Budget {
 public:
  Budget(std::optional<std::chrono::nanoseconds> time_max, std::optional<std::uint64_t> memory_bytes_max);

  // The same, over as soon as the flag is raised, which must outlive it.
  Budget until(const std::atomic<bool>& stop) const;
  // The same clock, with another limit of memory.
  Budget with_memory(std::uint64_t bytes_max) const;
  // The same, called off as soon as `*lowest` is below `mine`: somebody before us has decided.
  Budget called_off_below(const std::atomic<std::size_t>& lowest, std::size_t mine) const;
  // The same, with at most so many more steps for the search that asks.
  Budget with_steps(std::uint64_t steps_max) const;

  std::uint64_t memory_bytes_max() const { return memory_bytes_max_; }
  // What a search may hold when it is asked. Its tables grow by doubling, between two questions, so it must stop
  // before: the most that it ever holds is within the budget.
  std::uint64_t search_bytes_max() const { return memory_bytes_max_ / 3 * 2; }
  std::uint64_t steps_max() const { return steps_max_; }
  bool has_deadline() const { return deadline_.has_value() || stop_ != nullptr; }
  bool time_is_over() const;
  bool called_off() const { return lowest_ != nullptr && lowest_->load(std::memory_order_relaxed) < mine_; }
  bool is_over() const { return called_off() || time_is_over(); }
  StopToken stop_token() const;

  // Why it ended, in words.
  std::string time_text() const;
  std::string memory_text() const;

  // Seconds since the budget was made.
  double elapsed_s() const;

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point start_;
  std::optional<std::chrono::nanoseconds> time_max_;
  std::optional<Clock::time_point> deadline_;
  std::uint64_t memory_bytes_max_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t steps_max_ = std::numeric_limits<std::uint64_t>::max();
  const std::atomic<std::size_t>* lowest_ = nullptr;
  std::size_t mine_ = 0;
  const std::atomic<bool>* stop_ = nullptr;
};

}  // namespace gainsay::linearizable
