// Odometer: counts through all sequences of answers, the last answer first, where each answer decides what is
// asked next.
//
// It keeps one digit for each question of the current sequence: `answer`, counted from 0, and `among`, how many
// answers there are. A user's digit may hold more. Whoever goes through a sequence reads the digits in their
// order and adds one where a question is new; then `advance` goes to the next sequence.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "gainsay/base/check.hpp"

namespace gainsay {

template <class Digit> class Odometer {
 public:
  bool empty() const { return digits_.empty(); }
  std::size_t size() const { return digits_.size(); }
  const std::vector<Digit>& digits() const { return digits_; }
  const Digit& last() const {
    GAINSAY_CHECK(!digits_.empty(), "there is a digit");
    return digits_.back();
  }

  // Goes to the next sequence and to its beginning: the last digit that has another answer is counted up, and
  // those after it are dropped. False: this was the last sequence, and no digit is left.
  bool advance() {
    next_ = 0;
    while (!digits_.empty() && digits_.back().answer + 1 == digits_.back().among) digits_.pop_back();
    if (digits_.empty()) return false;
    ++digits_.back().answer;
    GAINSAY_CHECK(digits_.back().answer < digits_.back().among, "an answer is one of so many");
    return true;
  }

  // The digit at `place` is read next.
  void seek(std::size_t place) {
    GAINSAY_CHECK(place <= digits_.size(), "a place of this sequence, or its end");
    next_ = place;
  }
  // Whether all digits have been read: the next question is new.
  bool at_end() const { return next_ == digits_.size(); }
  const Digit& read() {
    GAINSAY_CHECK(next_ < digits_.size(), "there is a digit to read");
    return digits_[next_++];
  }
  // A new question, with its first answer.
  const Digit& add(Digit digit) {
    GAINSAY_CHECK(at_end(), "a new question comes after all that are known");
    GAINSAY_CHECK(digit.answer == 0 && digit.among > 0, "a question begins with its first answer");
    digits_.push_back(std::move(digit));
    return digits_[next_++];
  }
  // Drops what has not been read.
  void cut() { digits_.resize(next_); }
  void clear() {
    digits_.clear();
    next_ = 0;
  }

 private:
  std::vector<Digit> digits_;
  std::size_t next_ = 0;
};

}  // namespace gainsay
