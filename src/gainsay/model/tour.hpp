// TourSuite: a suite as a tour of the graph in which every edge is walked so often as it says.
//
// Where as many walks enter a node as leave it, or end there, the walks are one tour that begins and ends outside the
// graph. It is made without a stack (the theorem of de Bruijn, van Aardenne-Ehrenfest, Smith and Tutte): every node
// keeps one way out for the last, so chosen that these ways lead outside; whoever walks on as long as there is a way,
// the kept one last, walks the whole tour. A reader keeps twelve bytes per node and nothing per edge or test.
//
// With a longest length tests are cut: the next test goes the shortest way to where the last one stopped, and on. A
// test is cut where that way costs least for the steps it has made.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gainsay/model/suite.hpp"

namespace gainsay {

class TourSuite final : public Suite {
 public:
  // `extra`: by edge, how often it is walked beyond once if it is required. `starts`: by initial node. REQUIRES: as
  // many walks enter every node as leave it or end there, and every walked edge can be reached from a start.
  TourSuite(const StateGraph& graph, std::vector<bool> required, std::vector<std::uint32_t> extra,
            std::vector<std::uint64_t> starts);

  std::unique_ptr<TestReader> read(const StateGraph& graph) const override;
  std::uint64_t bytes() const override;

  // How often an edge is walked, before tests are cut.
  std::uint32_t walks(GraphEdge edge) const {
    std::uint32_t count = extra_[edge];
    if (count == many) count = looked_up(edge);
    return count + (is_required(edge) ? 1 : 0);
  }
  bool is_required(GraphEdge edge) const { return required_.empty() || required_[edge]; }
  const std::vector<std::uint64_t>& starts() const { return starts_; }
  std::optional<std::uint64_t> length_max;  // of a test
  std::uint64_t reset_cost = 0;             // of a cut, beside its steps

 private:
  friend class SuiteFile;
  TourSuite() = default;
  static constexpr std::uint8_t many = 255;
  std::uint32_t looked_up(GraphEdge edge) const;

  std::vector<bool> required_;                                   // by edge; empty: all
  std::vector<std::uint8_t> extra_;                              // by edge; `many`: look it up
  std::vector<std::pair<GraphEdge, std::uint32_t>> extra_many_;  // ascending
  std::vector<std::uint64_t> starts_;
};

// The least `length_max` that any suite can keep: some edge is so far away.
std::uint64_t least_longest_test(const StateGraph& graph, const std::vector<bool>& required);

}  // namespace gainsay
