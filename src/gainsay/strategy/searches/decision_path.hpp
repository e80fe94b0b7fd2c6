// DecisionPath: the decisions of the current execution of a depth-first search; from them it finds the next execution.
//
// The last decision with an untried answer gets it; earlier decisions are kept, later ones are dropped. The path grows
// at its end during an execution. Memory: one entry per decision of the current execution.
#pragma once

#include <cstdint>
#include <optional>

#include "gainsay/base/check.hpp"
#include "gainsay/base/odometer.hpp"
#include "gainsay/strategy/choice_point.hpp"
#include "gainsay/strategy/run.hpp"

namespace gainsay {

struct PathDecision {
  PathDecision() = default;
  explicit PathDecision(const ChoicePoint& point)
      : among(static_cast<std::uint32_t>(point.size())),
        offered(among),
        step(static_cast<std::uint32_t>(point.step())),
        is_value(point.is_value()) {}

  std::uint32_t answer = 0;
  std::uint32_t among = 1;    // answers below this number are tried
  std::uint32_t offered = 1;  // how many alternatives there were
  std::uint32_t step = 0;
  bool is_value = false;
};

// `Decision` is a PathDecision or derives from it.
template <class Decision = PathDecision> class DecisionPath {
 public:
  // The prefix of the last execution that the next one keeps; nothing if there is no other execution.
  std::optional<Keep> next() {
    if (!begun_) {
      begun_ = true;
      return Keep{};
    }
    if (!path_.advance()) return std::nullopt;
    path_.seek(path_.size() - 1);
    Keep keep{changed().step, 0};
    if (changed().is_value) {
      for (std::size_t i = path_.size() - 1; i-- > 0 && path_.digits()[i].step == changed().step;)
        ++keep.decisions;
      GAINSAY_CHECK(keep.decisions > 0, "a data choice follows its event");
    }
    return keep;
  }
  bool empty() const { return path_.empty(); }
  // The decision that `next` changed.
  const Decision& changed() const { return path_.last(); }

  // The decision made here before; null if it is a new one. Throws Divergence if the question has changed.
  const Decision* known(const ChoicePoint& point) {
    if (path_.at_end()) return nullptr;
    const Decision& known = path_.read();
    if (known.offered != point.size() || known.step != point.step() || known.is_value != point.is_value())
      throw Divergence{point.step()};
    return &known;
  }
  const Decision& add(const Decision& decision) {
    GAINSAY_CHECK(path_.empty() || path_.last().step <= decision.step, "decisions are added in order");
    return path_.add(decision);
  }

 private:
  Odometer<Decision> path_;
  bool begun_ = false;
};

}  // namespace gainsay
