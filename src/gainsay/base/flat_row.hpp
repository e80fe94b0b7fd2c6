// FlatRow: a vector of plain values that knows how many it has. std::vector knows where they end, so that every look at
// its size is a division, and a row of 24-byte entries is asked for its size a dozen times in a step.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "gainsay/base/check.hpp"

namespace gainsay {

template <class Value> class FlatRow {
  static_assert(std::is_trivially_copyable_v<Value>);

 public:
  FlatRow() = default;
  FlatRow(const FlatRow& other) { *this = other; }
  FlatRow(FlatRow&& other) noexcept
      : values_(std::move(other.values_)),
        size_(std::exchange(other.size_, 0)),
        room_(std::exchange(other.room_, 0)) {}
  FlatRow& operator=(const FlatRow& other) {
    if (this == &other) return *this;
    size_ = 0;  // nothing is worth keeping
    if (other.size_ > room_) make_room(other.size_);
    if (other.size_ > 0)
      std::memcpy(static_cast<void*>(values_.get()), other.values_.get(), bytes(other.size_));
    size_ = other.size_;
    return *this;
  }
  FlatRow& operator=(FlatRow&& other) noexcept {
    values_ = std::move(other.values_);
    size_ = std::exchange(other.size_, 0);
    room_ = std::exchange(other.room_, 0);
    return *this;
  }
  ~FlatRow() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Value* data() { return values_.get(); }
  const Value* data() const { return values_.get(); }
  Value* begin() { return data(); }
  Value* end() { return data() + size_; }
  const Value* begin() const { return data(); }
  const Value* end() const { return data() + size_; }
  Value& operator[](std::size_t index) { return values_[index]; }
  const Value& operator[](std::size_t index) const { return values_[index]; }
  const Value& back() const { return values_[size_ - 1]; }

  void push_back(const Value& value) {
    if (size_ == room_) [[unlikely]] {
      const Value copy = value;  // it may stand in this row
      make_room(size_ + 1);
      values_[size_++] = copy;
      return;
    }
    values_[size_++] = value;
  }
  // A new entry at the end that nobody has written to.
  [[gnu::always_inline]] Value& add() {
    if (size_ == room_) [[unlikely]]
      make_room(size_ + 1);
    return values_[size_++];
  }
  // The entry leaves; those behind it move up.
  [[gnu::always_inline]] void erase(std::size_t index) {
    GAINSAY_CHECK(index < size_, "an entry of the row");
    --size_;
    std::memmove(static_cast<void*>(&values_[index]), &values_[index] + 1, bytes(size_ - index));
  }
  void pop_back() {
    GAINSAY_CHECK(size_ > 0, "there is a last entry");
    --size_;
  }
  // So many entries, each of them this one.
  void assign(std::size_t size, const Value& value) {
    clear();
    resize(size, value);
  }
  // So many entries; new ones are this one.
  void resize(std::size_t size, const Value& value = {}) {
    if (size > room_) make_room(size);
    if (size > size_) std::fill(values_.get() + size_, values_.get() + size, value);
    size_ = size;
  }
  void clear() { size_ = 0; }

 private:
  static std::size_t bytes(std::size_t count) { return count * sizeof(Value); }
  [[gnu::noinline]] void make_room(std::size_t size) {
    const std::size_t room = std::max(size, room_ * 2);
    auto values = std::make_unique_for_overwrite<Value[]>(room);
    if (size_ > 0) std::memcpy(static_cast<void*>(values.get()), values_.get(), bytes(size_));
    values_ = std::move(values);
    room_ = room;
  }

  std::unique_ptr<Value[]> values_;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
};

}  // namespace gainsay
