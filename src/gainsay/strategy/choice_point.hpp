// ChoicePoint: one decision that a strategy makes: which enabled event is next, or which value a handler's question
// gets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gainsay/strategy/event_source.hpp"

namespace gainsay {

// The alternatives of an event question: the ordinary ones first, then faults, then, where the world is quiescent,
// `stop`.
class ChoicePoint {
 public:
  // A question of a handler: a value in [0, among).
  static ChoicePoint value(std::size_t step, std::size_t among) {
    return ChoicePoint(nullptr, step, among, among);
  }
  static ChoicePoint events(const EventSource& source, std::size_t step, std::size_t count,
                            std::size_t ordinary) {
    return ChoicePoint(&source, step, count, ordinary);
  }

  bool is_value() const { return source_ == nullptr; }
  std::size_t size() const { return size_; }
  std::size_t ordinary() const { return ordinary_; }
  std::size_t step() const { return step_; }
  // REQUIRES for the rest: not a value.
  Event event(std::size_t index) const { return source_->event_at(index); }
  EventKind kind(std::size_t index) const { return source_->kind_at(index); }
  // Whether the execution may end here; then the last alternative is to stop.
  bool may_stop() const { return size_ > ordinary_ && kind(size_ - 1) == EventKind::stop; }
  std::optional<std::uint64_t> fingerprint() const { return source_->world_fingerprint(); }
  const EventSource& source() const { return *source_; }

 private:
  ChoicePoint(const EventSource* source, std::size_t step, std::size_t size, std::size_t ordinary)
      : source_(source), step_(step), size_(size), ordinary_(ordinary) {}

  const EventSource* source_;
  std::size_t step_;
  std::size_t size_;
  std::size_t ordinary_;
};

// What `Strategy::choose` may answer instead of an index: everything that can follow has been seen (`blocked_run`),
// or lies beyond a bound (`cut_run`). The execution ends there.
inline constexpr std::size_t blocked_run = ~std::size_t{0};
inline constexpr std::size_t cut_run = ~std::size_t{0} - 1;

// Thrown by a strategy that follows an earlier execution and meets a decision that was not there: user code
// is not deterministic (or the program is another one).
struct Divergence {
  std::size_t step = 0;
};

}  // namespace gainsay
