// Invariants and liveness on a whole state graph: does P hold in every state; again and again ([]<>P); from some moment
// on for ever (<>[]P), on every weakly fair execution?
//
// Fair means: no event that stays enabled is passed over for ever. An execution may also stop for good in a state
// without steps. Loops are found as explore finds them (explorer/fair_loops.hpp), so both mean the same by a fair loop.
// Of TLC's graphs an event is an action's label and steps that change nothing do not count, as in WF_vars(A) for each
// action; or all steps are one event, as in WF_vars(Next).
#pragma once

#include <optional>
#include <vector>

#include "gainsay/model/suite.hpp"

namespace gainsay {

enum class Fairness : std::uint8_t { events, next };

// An execution that breaks a property: the way, and the loop that follows it for ever. Without a loop the last state
// of the way is one that breaks an invariant, or has no steps.
struct LassoPath {
  TestPath way;
  std::vector<GraphEdge> loop;
};

// The shortest way to a state in which P does not hold; nothing: it is an invariant.
std::optional<TestPath> broken_invariant(const StateGraph& graph, const std::vector<bool>& holds);
// A fair execution on which P does not hold again and again; nothing: []<>P. States of `lukewarm` may lie on its loop
// although P holds there, as long as it fails somewhere: those in which a monitor is warm, which neither demands
// anything nor answers a demand. Empty: none.
std::optional<LassoPath> broken_always_eventually(const StateGraph& graph, const std::vector<bool>& holds,
                                                  Fairness fairness, const std::vector<bool>& lukewarm = {});
// A fair execution on which P fails again and again; nothing: <>[]P.
std::optional<LassoPath> broken_eventually_always(const StateGraph& graph, const std::vector<bool>& holds,
                                                  Fairness fairness);

}  // namespace gainsay
