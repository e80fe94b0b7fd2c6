// Options are given on the command line, one word each.
// expect: an option is a bool, a number, a std::string, a scoped enum or a duration
// expect-field: sizes
#include <vector>

#include "gainsay/gainsay.hpp"

struct Options {
  int nodes = 3;
  std::vector<int> sizes;
};

GAINSAY_SCENARIO(sizes, "A container among the options", Options) {}
