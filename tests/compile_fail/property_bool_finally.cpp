// The same at the end.
// expect: a property returns a gainsay::Complaint.*return \{\}
#include "gainsay/gainsay.hpp"

void body(gainsay::World& world) {
  world.finally("done", [](gainsay::View) { return true; });
}
