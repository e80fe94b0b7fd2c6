// A table, but no field that says in which state the machine is.
// expect: a `table` but no field `gainsay::Machine<State> machine
#include "gainsay/gainsay.hpp"

struct Open {};
struct Door {
  enum class State { open };
  using Receives = gainsay::Messages<Open>;
  static void table(int&) {}
};

void body(gainsay::World& world) { world.spawn<Door>("door"); }
