// Front: one thread's way to a kernel, with small caches before it.
//
// Several threads may share a kernel (the explorer's workers do): each has a Front with the kernel's mutex, which it
// holds only where its caches do not know an answer. What the kernel hands out never moves, so a cached answer is
// read without a lock. Where one thread owns the kernel, there is no mutex. A Front is used by one thread.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "gainsay/execution/kernel/kernel.hpp"

namespace gainsay {

class Front {
 public:
  // A thread of a search asks for leaves all the time; others do now and then, and start quickly.
  explicit Front(Kernel& kernel, std::mutex* mutex = nullptr)
      : kernel_(kernel), mutex_(mutex), leaves_bits_(mutex != nullptr ? 15 : 6) {
    forget();
  }

  Kernel& kernel() const { return kernel_; }
  bool shared() const { return mutex_ != nullptr; }
  // Held while the kernel may be changed; free where nobody else uses it.
  std::unique_lock<std::mutex> lock() const {
    return mutex_ == nullptr ? std::unique_lock<std::mutex>() : std::unique_lock<std::mutex>(*mutex_);
  }

  // Whether the actor lets this envelope in now. Cells are below 2^30 (StablePool), so a key has room for one more bit;
  // cell 0 is no actor, so no key is 0.
  bool accepts(CellId cell, EnvelopeId envelope) {
    const std::uint64_t key = step_key(cell, envelope);
    std::uint64_t& line = gates_[index_of(key, gate_bits)];
    if ((line & ~std::uint64_t{1}) != key << 1U) [[unlikely]]
      line = (key << 1U) | (ask(cell, envelope) ? 1U : 0U);
    return (line & 1U) != 0;
  }
  // Everything that handling the envelope can come to, one for each way to answer the handler's questions.
  struct Known {
    std::uint64_t key = 0;
    const Leaf* leaves = nullptr;
    std::uint32_t count = 0;
    bool simple = false;      // just one, which changes its actor and sends to actors of the scenario
    std::uint64_t delta = 0;  // of the one (Leaf::delta)

    const Leaf* begin() const { return leaves; }
    const Leaf* end() const { return leaves + count; }
  };
  // What it refers to is valid until the kernel is cleared, the row itself until the next call. REQUIRES: an untimed
  // world.
  const Known& leaves(CellId cell, EnvelopeId envelope) {
    const std::uint64_t key = step_key(cell, envelope);
    Known& line = leaves_[index_of(key, leaves_bits_)];
    if (line.key != key) [[unlikely]]
      find_leaves(line, cell, envelope);
    return line;
  }
  // The same in simulated time, where it may depend on what the clock shows.
  std::span<const Leaf> leaves_at(CellId cell, EnvelopeId envelope, const TimeRange& clock) {
    const std::uint64_t key = step_key(cell, envelope);
    Known& line = leaves_[index_of(key, leaves_bits_)];
    if (line.key == key) return {line.begin(), line.end()};
    const auto held = lock();
    const Leaves& all = kernel_.leaves(cell, envelope, clock);
    const bool reads =
        std::any_of(all.begin(), all.end(), [](const Leaf& leaf) { return leaf.time_read.has_value(); });
    if (!reads) remember(line, key, all);
    return all;
  }
  CellId crashed(CellId cell) {
    return derived(Derived::crashed, 0, cell, [&] { return kernel_.crashed(cell); });
  }
  CellId restarted(CellId cell) {
    return derived(Derived::restarted, 0, cell, [&] { return kernel_.restarted(cell); });
  }
  CellId recreated(CellId cell) {
    return derived(Derived::recreated, 0, cell, [&] { return kernel_.recreated(cell); });
  }
  CellId with_disk(CellId cell, Disk disk) {
    return derived(Derived::with_disk, static_cast<std::uint8_t>(disk), cell,
                   [&] { return kernel_.with_disk(cell, disk); });
  }
  EnvelopeId corrupted(EnvelopeId envelope) {
    return derived(Derived::corrupted, 0, envelope, [&] { return kernel_.corrupted(envelope); });
  }
  EnvelopeId own_envelope(Slot slot, EventKind kind) {
    return derived(Derived::own_envelope, static_cast<std::uint8_t>(kind), slot,
                   [&] { return kernel_.own_envelope(slot, kind); });
  }

  // The kernel was cleared.
  void forget() {
    gates_.assign(std::size_t{1} << gate_bits, 0);
    leaves_.clear();
    leaves_.resize(std::size_t{1} << leaves_bits_);
    derived_.assign(std::size_t{1} << derived_bits, {});
  }

 private:
  static constexpr int gate_bits = 12;
  static constexpr int derived_bits = 9;

  // What the kernel makes of an id.
  enum class Derived : std::uint8_t { crashed, restarted, recreated, with_disk, corrupted, own_envelope };
  struct DerivedLine {
    std::uint64_t key = 0;
    std::uint32_t id = 0;
  };

  static std::size_t index_of(std::uint64_t key, int bits) {
    return (key * 0x9e3779b97f4a7c15ULL) >> (64 - bits);
  }
  bool ask(CellId cell, EnvelopeId envelope) {
    const auto held = lock();
    return kernel_.accepts(cell, envelope);
  }
  void find_leaves(Known& line, CellId cell, EnvelopeId envelope) {
    const auto held = lock();
    const Leaves& all = kernel_.leaves(cell, envelope);
    remember(line, step_key(cell, envelope), all);
  }
  static void remember(Known& line, std::uint64_t key, const Leaves& all) {
    const Transition& first = all.front().transition;
    line.key = key;
    line.leaves = all.data();
    line.count = static_cast<std::uint32_t>(all.size());
    line.simple = all.size() == 1 && first.extras == nullptr && !first.to_spawned;
    line.delta = all.front().delta;
  }
  template <class Make>
  std::uint32_t derived(Derived what, std::uint8_t detail, std::uint32_t of, const Make& make) {
    const std::uint64_t tag = (static_cast<std::uint64_t>(what) << 8U | detail) + 1;
    const std::uint64_t key = tag << 32U | of;
    DerivedLine& line = derived_[index_of(key, derived_bits)];
    if (line.key != key) [[unlikely]] {
      const auto held = lock();
      line = {key, make()};
    }
    return line.id;
  }

  Kernel& kernel_;
  std::mutex* mutex_;
  int leaves_bits_;
  std::vector<std::uint64_t> gates_;  // key and answer
  std::vector<Known> leaves_;
  std::vector<DerivedLine> derived_;
};

}  // namespace gainsay
