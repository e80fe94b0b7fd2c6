// A property says what is wrong; true and false do not.
// expect: a property returns a gainsay::Complaint.*return \{\}
#include "gainsay/gainsay.hpp"

struct Go {};
struct Node {
  using Receives = gainsay::Messages<Go>;
  int value = 0;
  void on(const Go&) { ++value; }
};

void body(gainsay::World& world) {
  const auto node = world.spawn<Node>("node");
  world.always("small", node, [node](gainsay::View v) { return v[node].value < 3; });
}
