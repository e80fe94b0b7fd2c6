// A machine starts with the entry action of its start state.
// expect: move `on_start` there
#include "gainsay/gainsay.hpp"

struct Open {};
struct Door {
  enum class State { open };
  using Receives = gainsay::Messages<Open>;
  gainsay::Machine<State> machine{};
  static void table(gainsay::Table<Door>& t) {
    t.start(State::open);
    t.in(State::open).ignore<Open>();
  }
  void on_start(gainsay::Context&) {}
};

void body(gainsay::World& world) { world.spawn<Door>("door"); }
