// Several of them: none of the calls could be told from the others.
// expect: has an `on` for a message that is not in `Receives`
#include "gainsay/gainsay.hpp"

struct Go {};
struct Stop {};
struct Wait {};
class Node {
 public:
  using Receives = gainsay::Messages<Go>;
  void on(const Go&, gainsay::Context&) {}
  void on(const Stop&, gainsay::Context&) {}
  void on(const Wait&, gainsay::Context&) {}
};

void body(gainsay::World& world) { world.wrap<Node>("node"); }
