// Suite: tests that cover the edges of a state graph. A test is a path from an initial state.
//
// A suite is implicit: it holds how often each edge is walked, not the walks; the tests are made one after the other
// when somebody reads them, the same ones every time, and nothing is kept of a test once it was read. So tens of
// millions of tests take a few numbers per edge. Sampled suites, which have no such form, keep their paths.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gainsay/model/state_graph.hpp"

namespace gainsay {

struct TestPath {
  GraphNode start = no_node;
  std::vector<GraphEdge> edges;

  friend bool operator==(const TestPath&, const TestPath&) = default;
};

// Reads the tests in their order.
class TestReader {
 public:
  virtual ~TestReader() = default;
  // False: there are no more.
  virtual bool next(TestPath& test) = 0;
};

struct SuiteFacts {
  std::string minimized{};  // "tests", "steps", "reset=5"; "nothing" of a sample
  std::uint64_t tests = 0;
  std::uint64_t steps = 0;
  std::uint64_t longest = 0;      // steps of the longest test
  std::uint64_t covered = 0;      // different edges on the tests
  std::uint64_t required = 0;     // edges that were to be covered
  std::uint64_t cost = 0;         // what is minimized: tests, or steps and what tests cost in steps
  std::uint64_t cost_bound = 0;   // no suite that covers what is required costs less
  std::uint64_t tests_bound = 0;  // of suites that cost as little as the bound: none has fewer tests
  std::uint64_t steps_bound = 0;  // nor fewer steps

  // Of all suites this one costs least.
  bool minimal() const { return cost == cost_bound; }
  // How much more than the bound it costs, as a share of the bound.
  double gap() const {
    if (minimal()) return 0;
    return cost_bound == 0 ? 1 : static_cast<double>(cost - cost_bound) / static_cast<double>(cost_bound);
  }

  friend bool operator==(const SuiteFacts&, const SuiteFacts&) = default;
};

class Suite {
 public:
  virtual ~Suite() = default;
  // REQUIRES: `graph` is the one that the suite was made of, and outlives the reader, as the suite does.
  virtual std::unique_ptr<TestReader> read(const StateGraph& graph) const = 0;
  virtual std::uint64_t bytes() const = 0;

  SuiteFacts facts;
  std::uint64_t graph_digest = 0;
};

// A suite whose tests are written down.
class PathSuite final : public Suite {
 public:
  explicit PathSuite(std::vector<TestPath> tests) : tests_(std::move(tests)) {}
  std::unique_ptr<TestReader> read(const StateGraph& graph) const override;
  std::uint64_t bytes() const override;
  const std::vector<TestPath>& tests() const { return tests_; }

 private:
  std::vector<TestPath> tests_;
};

}  // namespace gainsay
