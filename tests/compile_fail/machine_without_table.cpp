// States, but no table that says what happens in them.
// expect: a field `machine` but no `static void table
#include "gainsay/gainsay.hpp"

struct Open {};
struct Door {
  enum class State { open };
  using Receives = gainsay::Messages<Open>;
  gainsay::Machine<State> machine{};
  void on(const Open&) {}
};

void body(gainsay::World& world) { world.spawn<Door>("door"); }
