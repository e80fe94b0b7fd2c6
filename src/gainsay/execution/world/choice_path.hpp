// ChoicePath: enumerates all answers to a handler's questions, one path at a time, in lexicographic order.
#pragma once

#include <vector>

#include "gainsay/base/odometer.hpp"
#include "gainsay/execution/kernel/effects.hpp"

namespace gainsay {

class ChoicePath final : public Asker {
 public:
  // To be called before each execution of the step.
  void rewind() { path_.seek(0); }
  // Goes to the next path; false when there is none.
  bool advance() { return path_.advance(); }
  const std::vector<DataChoice>& answers() const { return path_.digits(); }

 private:
  std::uint32_t answer_to(std::uint32_t among, bool coin) override {
    return (path_.at_end() ? path_.add({0, among, coin}) : path_.read()).answer;
  }

  Odometer<DataChoice> path_;
};

}  // namespace gainsay
