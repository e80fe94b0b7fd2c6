// cover: a suite that walks every required edge of a state graph, at least cost.
//
// The cheapest suite is the solution of a flow problem (cover_flow.hpp) and is read as a tour (tour.hpp). Where all
// edges are required it is minimal, which the prices prove; where only some are, walks that no test passes get a test
// of their own, and the gap says how much that may cost too much. Large cyclic graphs can be ended early: by time, or
// as soon as the gap is small enough. Every suite is read once before it is handed out, and each required edge was
// seen.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/model/suite.hpp"

namespace gainsay {

class CoverCheckpoint;

struct CoverProgress {
  std::atomic<std::uint64_t> rounds{0};
  std::atomic<std::uint64_t> needs_left{0};  // walks that are not yet joined to others
  std::atomic<std::uint64_t> cost{0};        // of what would be handed out now, in steps and prices of tests
  std::atomic<std::uint64_t> bound{0};       // no suite costs less
  std::atomic<std::uint64_t> tests_read{0};
};

struct CoverOptions {
  enum class Minimize : std::uint8_t { tests, steps, cost };
  Minimize minimize = Minimize::steps;
  std::uint64_t reset_cost = 0;  // of a test, in steps (Minimize::cost)
  std::optional<std::uint64_t> length_max;
  std::vector<bool> required{};  // by edge; empty: all
  // Ends when it costs at most this share more than any suite must; 0: when it is minimal.
  double gap_max = 0;
  std::optional<std::chrono::nanoseconds> time_max;
  CoverCheckpoint* checkpoint = nullptr;  // where it goes on from, and what it keeps up to date
  CoverProgress* progress = nullptr;
  const std::atomic<bool>* stop = nullptr;
};

// Throws UserError for options that do not fit the graph.
std::unique_ptr<Suite> cover(const StateGraph& graph, const CoverOptions& options);

// Random walks from initial nodes, which prefer edges that none has walked yet.
struct SampleOptions {
  std::uint64_t tests = 1;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> length_max;  // else twice the depth of the graph, and some
  const std::atomic<bool>* stop = nullptr;
};
std::unique_ptr<Suite> sample(const StateGraph& graph, const SampleOptions& options);

// Reads a suite and trusts nothing of it: every test begins at an initial node, every edge begins where the last one
// ended, no test is longer than allowed. Fills in what was seen.
struct SuiteCheck {
  std::string wrong;  // empty: nothing
  std::uint64_t tests = 0;
  std::uint64_t steps = 0;
  std::uint64_t longest = 0;
  std::uint64_t covered = 0;  // different edges
  std::uint64_t missed = 0;   // required edges that no test walks
  GraphEdge first_missed = no_edge;
};
SuiteCheck check_suite(const StateGraph& graph, const Suite& suite, const std::vector<bool>& required = {},
                       std::optional<std::uint64_t> length_max = std::nullopt,
                       std::atomic<std::uint64_t>* tests_read = nullptr);

// The edges whose event, at its receiver, is independent of another one and was required before it: of two events for
// different actors that may be next in a state and lead to the same state in both orders, the second one after the
// first, but not the first one after the second. What stays required walks every step of every actor (its state and
// what it handles) that the graph has. Throws UserError where the events do not say whom they reach.
std::vector<bool> without_commuting(const StateGraph& graph);

}  // namespace gainsay
