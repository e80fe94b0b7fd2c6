// ChoicePath: enumerates all answers to a handler's questions, one path at a time, in lexicographic order.
#pragma once

#include <vector>

#include "gainsay/base/odometer.hpp"
#include "gainsay/execution/kernel/effects.hpp"

namespace gainsay {

class ChoicePath final : public Asker {
 public:
  // To be called before each execution of the step.
  void rewind() {
    path_.seek(0);
    given_.clear();
  }
  // Goes to the next path; false when there is none.
  bool advance() { return path_.advance(); }
  const std::vector<DataChoice>& answers() const { return given_; }

 private:
  std::uint32_t answer_to(std::uint32_t among, bool coin) override {
    given_.push_back(next(among, coin));
    return given_.back().answer;
  }
  // Of all times the earliest and the latest.
  std::int64_t time_within(const TimeRange& range) override {
    given_.push_back(DataChoice::time(next(2, false).answer == 0 ? range.earliest_ns : range.latest_ns));
    return given_.back().time_ns;
  }
  bool is_late() override {
    given_.push_back(next(2, false));
    given_.back().late = true;
    return given_.back().answer == 1;
  }
  const DataChoice& next(std::uint32_t among, bool coin) {
    return path_.at_end() ? path_.add({0, among, coin}) : path_.read();
  }

  Odometer<DataChoice> path_;
  std::vector<DataChoice> given_;  // of this path
};

}  // namespace gainsay
