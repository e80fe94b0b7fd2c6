// Realisers of dimension two: two schedules that hit every admissible pair, where there are such.
//
// A poset has dimension at most two iff its incomparability graph can be oriented transitively (Dushnik and
// Miller 1941). The orientation is found by forcing: where x-y and y-z are edges and x-z is not, x->y forces
// z->y. Classes of forced edges are oriented one after the other, each in what the earlier ones left
// (Golumbic's scheme); a class that forces an edge both ways shows that there is none. Then P with the
// orientation, and P with its reverse, are the two.
#pragma once

#include <optional>
#include <utility>

#include "gainsay/family/poset.hpp"

namespace gainsay::family {

std::optional<std::pair<Schedule, Schedule>> dimension_two_realiser(const Poset& poset);

}  // namespace gainsay::family
