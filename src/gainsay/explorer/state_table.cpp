#include "gainsay/explorer/state_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <utility>
#include <vector>

#include <sys/mman.h>

#include "gainsay/base/parallel.hpp"

namespace gainsay {

void StateTable::Unmap::operator()(Slot* slots) const { ::munmap(slots, bytes); }

// Anonymous memory is zero, costs nothing until it is touched, and in large pages spares most address
// look-ups.
void StateTable::allocate(std::uint64_t capacity) {
  void* memory = ::mmap(nullptr, capacity * sizeof(Slot), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  use(memory, capacity);
}

void StateTable::use(void* memory, std::uint64_t capacity) {
  GAINSAY_CHECK(std::has_single_bit(capacity), "capacities are powers of two");
  const std::size_t bytes = capacity * sizeof(Slot);
  ::madvise(memory, bytes, MADV_HUGEPAGE);
  slots_ = std::unique_ptr<Slot[], Unmap>(static_cast<Slot*>(memory), Unmap{bytes});
  mask_ = capacity - 1;
  shift_ = 64 - std::countr_zero(capacity);
  limit_ = capacity / 16 * 15;
}

std::uint64_t StateTable::capacity_for(std::uint64_t states) const {
  std::uint64_t capacity = mask_ + 1;
  while (states > capacity / 5 * 4) capacity *= 2;
  return capacity;
}

// Entries are taken from the last to the first, a few at a time. One at `at` has its home at most `most_probes` before
// that, or behind the end, and twice as far in the new table: so it is put at or behind `at`, where all others are in
// place already. That does not hold for the first ones, which are kept aside. Several threads share the upper half of
// what is left, without its beginning: what they take is put behind all of that, so they do not meet where they take.
void StateTable::reserve(std::uint64_t more, unsigned workers) {
  const std::uint64_t capacity = capacity_for(size() + more);
  const std::uint64_t before = mask_ + 1;
  if (capacity == before) return;
  const std::size_t first = std::min<std::size_t>(before, 2 * most_probes);
  std::vector<Entry> aside;
  for (std::size_t at = 0; at < first; ++at) {
    if (const Entry entry = take(at); entry.key != 0) aside.push_back(entry);
  }
  void* memory = ::mremap(slots_.get(), before * sizeof(Slot), capacity * sizeof(Slot), MREMAP_MAYMOVE);
  if (memory == MAP_FAILED) {
    for (const Entry& entry : aside) place<false>(entry);
    throw std::bad_alloc();
  }
  (void)slots_.release();
  use(memory, capacity);
  std::size_t left = before;
  while (workers > 1 && left >= least_shared) {
    const std::size_t begin = (left / most_probes + 1) / 2 * most_probes + most_probes;
    const std::size_t pieces = (left - begin) / most_probes;
    GAINSAY_CHECK(begin + pieces * most_probes == left, "the pieces are all that is taken");
    std::atomic<std::size_t> taken{0};
    run_together(workers, [&](unsigned) {
      for (std::size_t piece = taken++; piece < pieces; piece = taken++)
        move_up<true>(begin + piece * most_probes, begin + (piece + 1) * most_probes, left);
    });
    left = begin;
  }
  move_up<false>(first, left, first);
  for (const Entry& entry : aside) place<false>(entry);
}

// Takes what stands there, from the last to the first, and puts it where it belongs, at or behind `least`.
template <bool shared> void StateTable::move_up(std::size_t begin, std::size_t end, std::size_t least) {
  constexpr std::size_t few = 64;
  static_assert(most_probes % few == 0);
  for (std::size_t at = end; at > begin;) {
    at -= few;
    std::array<Entry, few + 1> taken;
    std::size_t count = 0;
    for (std::size_t i = few; i-- > 0;) {  // without branches: nobody can predict where there is one
      taken[count] = take(at + i);
      count += taken[count].key != 0 ? 1 : 0;
    }
    for (std::size_t i = 0; i < count; ++i) {
      GAINSAY_CHECK(taken[i].key >> shift_ >= std::max(at, least), "an entry moves up");
      place<shared>(taken[i]);
    }
  }
}

// What stands there, which is empty afterwards.
StateTable::Entry StateTable::take(std::size_t at) {
  const Entry entry{slots_[at].key.load(std::memory_order_relaxed),
                    slots_[at].link.load(std::memory_order_relaxed)};
  slots_[at].key.store(0, std::memory_order_relaxed);
  slots_[at].link.store(0, std::memory_order_relaxed);
  return entry;
}

template <bool shared> void StateTable::place(const Entry& entry) {
  std::size_t at = entry.key >> shift_;
  for (std::uint64_t empty = 0;; empty = 0, at = (at + 1) & mask_) {
    if (slots_[at].key.load(std::memory_order_relaxed) != 0) continue;
    if (!shared) break;
    if (slots_[at].key.compare_exchange_strong(empty, entry.key, std::memory_order_relaxed)) break;
  }
  if (!shared) slots_[at].key.store(entry.key, std::memory_order_relaxed);
  slots_[at].link.store(entry.link, std::memory_order_relaxed);
}

void StateTable::put(const Entry& entry) {
  GAINSAY_CHECK(entry.key != 0 && size() < limit_, "there is room for a state");
  place<false>(entry);
  count_added(1);
}

const StateTable::Slot& StateTable::slot_of(std::uint64_t fingerprint) const {
  const std::uint64_t key = scrambled(fingerprint);
  std::size_t at = key >> shift_;
  while (slots_[at].key.load(std::memory_order_relaxed) != key) {
    GAINSAY_CHECK(slots_[at].key.load(std::memory_order_relaxed) != 0, "the state is known");
    at = (at + 1) & mask_;
  }
  return slots_[at];
}

std::uint16_t StateTable::level_of(std::uint64_t fingerprint) const {
  return static_cast<std::uint16_t>(slot_of(fingerprint).link.load(std::memory_order_relaxed) & level_mask);
}

std::uint64_t StateTable::parent_of(std::uint64_t fingerprint) const {
  const std::uint64_t wanted = slot_of(fingerprint).link.load(std::memory_order_relaxed) & ~level_mask;
  if (wanted == 0) return 0;
  // The parent stands at or after the place that its high bits name; its low bits are read off there.
  for (std::size_t at = wanted >> shift_;; at = (at + 1) & mask_) {
    const std::uint64_t found = slots_[at].key.load(std::memory_order_relaxed);
    GAINSAY_CHECK(found != 0, "a parent is known");
    if ((found & ~level_mask) == wanted) return found * inverse;
  }
}

}  // namespace gainsay
