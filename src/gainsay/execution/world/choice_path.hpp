// ChoicePath: enumerates all answers to a handler's questions, one path at a time, in lexicographic order.
#pragma once

#include <vector>

#include "gainsay/execution/kernel/effects.hpp"

namespace gainsay {

class ChoicePath final : public Asker {
 public:
  // To be called before each execution of the step.
  void rewind() { next_ = 0; }
  // Goes to the next path; false when there is none.
  bool advance() {
    while (!path_.empty() && path_.back().answer + 1 == path_.back().among) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().answer;
    return true;
  }
  const std::vector<DataChoice>& answers() const { return path_; }

 private:
  std::uint32_t answer_to(std::uint32_t among, bool coin) override {
    if (next_ == path_.size()) path_.push_back({0, among, coin});
    return path_[next_++].answer;
  }

  std::vector<DataChoice> path_;
  std::size_t next_ = 0;
};

}  // namespace gainsay
