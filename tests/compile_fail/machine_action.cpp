// An action for another event than the one it is bound to.
// expect: the action does not fit this event
#include "gainsay/gainsay.hpp"

struct Open {};
struct Shut {};
struct Door {
  enum class State { open };
  using Receives = gainsay::Messages<Open>;
  gainsay::Machine<State> machine{};
  static void table(gainsay::Table<Door>& t) {
    t.start(State::open);
    t.in(State::open).on<Open>(&Door::shut);
  }
  void shut(const Shut&, gainsay::Context&) {}
};

void body(gainsay::World& world) { world.spawn<Door>("door"); }
