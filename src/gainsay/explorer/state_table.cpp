#include "gainsay/explorer/state_table.hpp"

#include <bit>
#include <cstdlib>
#include <new>

namespace gainsay {
namespace {

// Zeroed lazily by the operating system: untouched parts of a large table cost nothing.
template <class T>
T* zeroed(std::uint64_t count) {
  void* memory = std::calloc(count, sizeof(T));
  if (memory == nullptr) throw std::bad_alloc();
  return static_cast<T*>(memory);
}

}  // namespace

void StateTable::Free::operator()(void* memory) const { std::free(memory); }

void StateTable::allocate(std::uint64_t capacity) {
  GAINSAY_CHECK(std::has_single_bit(capacity), "capacities are powers of two");
  fingerprints_.reset(zeroed<std::atomic<std::uint64_t>>(capacity));
  parents_.reset(zeroed<std::atomic<std::uint64_t>>(capacity));
  levels_.reset(zeroed<std::atomic<std::uint16_t>>(capacity));
  mask_ = capacity - 1;
  shift_ = 64 - std::countr_zero(capacity);
  limit_ = capacity / 16 * 15;
}

std::uint64_t StateTable::capacity_for(std::uint64_t states) const {
  std::uint64_t capacity = mask_ + 1;
  while (states > capacity / 5 * 4) capacity *= 2;
  return capacity;
}

void StateTable::reserve(std::uint64_t more) {
  const std::uint64_t capacity = capacity_for(size() + more);
  const std::uint64_t before = mask_ + 1;
  if (capacity == before) return;
  const auto fingerprints = std::move(fingerprints_);
  const auto parents = std::move(parents_);
  const auto levels = std::move(levels_);
  allocate(capacity);
  for (std::uint64_t i = 0; i < before; ++i) {
    const std::uint64_t fingerprint = fingerprints[i].load(std::memory_order_relaxed);
    if (fingerprint == 0) continue;
    std::size_t at = home(fingerprint);
    while (fingerprints_[at].load(std::memory_order_relaxed) != 0) at = (at + 1) & mask_;
    fingerprints_[at].store(fingerprint, std::memory_order_relaxed);
    parents_[at].store(parents[i].load(std::memory_order_relaxed), std::memory_order_relaxed);
    levels_[at].store(levels[i].load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
}

std::uint64_t StateTable::parent_of(std::uint64_t fingerprint) const {
  std::size_t at = home(fingerprint);
  while (true) {
    const std::uint64_t found = fingerprints_[at].load(std::memory_order_relaxed);
    GAINSAY_CHECK(found != 0, "only known states have parents");
    if (found == fingerprint) return parents_[at].load(std::memory_order_relaxed);
    at = (at + 1) & mask_;
  }
}

}  // namespace gainsay
