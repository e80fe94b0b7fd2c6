// OrbitJudge: properties on all states of an orbit, of which the search keeps one.
//
// Properties need not be symmetric: they are asked about every image of the cells, and one complaint is enough.
// An orbit with a complaint is not expanded, so on the way to one every state is right under every permutation,
// and the execution that shows it can be replayed. Orbits that nobody complains about are remembered: cells
// repeat far more often than states.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "gainsay/explorer/symmetry.hpp"

namespace gainsay {

class OrbitJudge {
 public:
  OrbitJudge(Engine& engine, Symmetry& symmetry, Judge& judge)
      : engine_(engine), symmetry_(symmetry), judge_(judge) {}

  struct Found {
    Violation violation;
    std::size_t permutation = 0;  // it is about the image of the state under this one
  };
  // The first complaint about a state of the orbit; `at_end`: in which nothing more happens.
  std::optional<Found> look(std::span<const CellId> cells, bool at_end);

  // Properties that complained about some states of an orbit and not about others.
  const std::set<std::string>& asymmetric() const { return asymmetric_; }
  void note_asymmetric(const std::string& property) { asymmetric_.insert(property); }

 private:
  static constexpr int line_bits = 15;

  Engine& engine_;
  Symmetry& symmetry_;
  Judge& judge_;
  std::vector<std::uint64_t>
      right_[2];  // orbits of cells that nobody complains about, by hash: before, and at the end
  std::vector<CellId> image_;
  std::set<std::string> asymmetric_;
};

}  // namespace gainsay
