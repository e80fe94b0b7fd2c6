// A handler that nobody can call, because its message is not listed.
// expect: has an `on` for a message that is not in `Receives`
#include "gainsay/gainsay.hpp"

struct Go {};
struct Stop {};
struct Node {
  using Receives = gainsay::Messages<Go>;
  bool up = true;
  void on(const Go&) {}
  void on(const Stop&, gainsay::Context&) { up = false; }
};

void body(gainsay::World& world) { world.spawn<Node>("node"); }
