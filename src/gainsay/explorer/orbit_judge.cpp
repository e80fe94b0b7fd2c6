#include "gainsay/explorer/orbit_judge.hpp"

namespace gainsay {

std::optional<OrbitJudge::Found> OrbitJudge::look(std::span<const CellId> cells, bool at_end) {
  std::vector<std::uint64_t>& right = right_[at_end ? 1 : 0];
  if (right.empty()) right.resize(std::size_t{1} << line_bits, 0);
  const std::uint64_t orbit = symmetry_.orbit_of(cells);
  std::uint64_t& line = right[(orbit * 0x9e3779b97f4a7c15ULL) >> (64 - line_bits)];
  if (line == orbit && orbit != 0) return std::nullopt;
  std::optional<Found> first;
  bool right_somewhere = false;
  for (std::size_t p = 0; p < symmetry_.order(); ++p) {
    symmetry_.image(p, cells, image_);
    const StateReader reader(engine_, std::span<const CellId>(image_));
    auto violation = at_end ? judge_.look_at_end(reader, no_step) : judge_.look(reader, nobody, no_step);
    right_somewhere = right_somewhere || !violation;
    if (violation && !first) first = Found{std::move(*violation), p};
  }
  if (!first) line = orbit;
  if (first && right_somewhere) asymmetric_.insert(first->violation.property);
  return first;
}

}  // namespace gainsay
