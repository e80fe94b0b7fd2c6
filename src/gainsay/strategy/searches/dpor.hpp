// dpor: the search that looks at every pending message at every state.
//
// Let m be pending, i the last step at its receiver, and i not in m's past (what happens before m's sending). Then m
// might have come before i, and something that leads there is wanted before i. Flanagan and Godefroid, "Dynamic
// Partial-Order Reduction for Model Checking Software", POPL 2005, with a process per message: m if it was enabled
// there, else one of m's past that was, else everything.
//
// No sleep sets, so classes are executed more than once. dpor adds what source_dpor.hpp says of steps that take others
// away, and the races that properties and histories make; it is complete where sdpor is.
#pragma once

#include "gainsay/strategy/searches/source_dpor.hpp"

namespace gainsay {

// Finds the steps that pending messages might have come before; who derives from it says what is wanted there.
class PendingDpor : public SourceDpor {
 public:
  using SourceDpor::SourceDpor;

 protected:
  void at_state(std::size_t state) override;
  // The pending message might have come before step i; `end` is the present state.
  virtual void backtrack(std::size_t i, Handle pending, std::size_t end) = 0;

 private:
  void look_at(Handle pending, std::size_t state);
};

class Dpor final : public PendingDpor {
 public:
  explicit Dpor(const SearchOptions& options) : PendingDpor("dpor", options, false) {}

 protected:
  void race(std::size_t earlier, std::size_t later) override;
  void backtrack(std::size_t i, Handle pending, std::size_t end) override;
  std::string statement() const override { return "every trace class within the bounds, some several times"; }
};

StrategyInfo dpor_strategy();

}  // namespace gainsay
