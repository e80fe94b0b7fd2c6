// Trees as large and as high as those that web pages gave (Niksic's thesis, table 5.1), and the schedules that
// Proposition 5.2 makes for them.
//
// The pages themselves are gone, and of their trees the thesis keeps events, height and the number of events in races.
// It says that most events are on a backbone. So: a backbone as long as the tree is high, everything else hung up at
// random below it, children in an order drawn at random, and as many racing events, drawn as well.
#pragma once

#include <vector>

#include "gainsay/base/rng.hpp"
#include "gainsay/family/tree.hpp"

namespace gainsay::tools::zoo {

// `events` elements, a path of `height` among them, no longer one. REQUIRES: 0 < height <= events.
family::Tree web_tree(std::size_t events, std::size_t height, Rng& rng);

// Different elements, in increasing order. REQUIRES: count <= the tree's size.
std::vector<family::Element> drawn_elements(const family::Tree& tree, std::size_t count, Rng& rng);

// How many different schedules the construction of Proposition 5.2 for d = 3 has with a_1 among `chosen`: a_1 first,
// with what it needs, then the rest from left to right, or from right to left. They are not kept: for the largest page
// they would fill 400 MB.
std::size_t schedules_of_three(const family::Tree& tree, const std::vector<family::Element>& chosen);

}  // namespace gainsay::tools::zoo
