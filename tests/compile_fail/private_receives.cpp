// A class whose `Receives` nobody may read.
// expect: the actor has no `Receives`, or it is private.*after `public:`
#include "gainsay/gainsay.hpp"

struct Go {};
class Node {
  using Receives = gainsay::Messages<Go>;

 public:
  void on(const Go&) {}
};

void body(gainsay::World& world) { world.wrap<Node>("node"); }
