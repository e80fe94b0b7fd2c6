// An action that remembers something outside the actor.
// expect: an action may not capture anything
#include "gainsay/gainsay.hpp"

struct Open {};
struct Door {
  enum class State { open };
  using Receives = gainsay::Messages<Open>;
  gainsay::Machine<State> machine{};
  static void table(gainsay::Table<Door>& t) {
    int count = 0;
    t.start(State::open);
    t.in(State::open).on<Open>([count](Door&) mutable { ++count; });
  }
};

void body(gainsay::World& world) { world.spawn<Door>("door"); }
