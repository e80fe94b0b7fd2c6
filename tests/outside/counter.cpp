// A program made of one scenario, as somebody outside the project would write it: clerks add to a shared
// counter. With the bug they read it, add one, and write it back, so an update between the two is lost.
#include <gainsay/gainsay.hpp>

namespace counter {

enum class Bug { none, lost_update };
struct Options {
  Bug bug = Bug::none;
};

struct Go {};
struct Add {};
struct Read {};
struct Seen {
  int value = 0;
};
struct Write {
  int value = 0;
};

struct Counter {
  using Receives = gainsay::Messages<Add, Read, Write>;
  int value = 0;

  void on(const Add&) { ++value; }
  void on(const Read&, gainsay::Context& ctx) { ctx.reply(Seen{value}); }
  void on(const Write& write, gainsay::Context& ctx) {
    ctx.check(write.value == value + 1, "an update was lost");
    value = write.value;
  }
};

struct Clerk {
  using Receives = gainsay::Messages<Go, Seen>;
  gainsay::Ref<Counter> counter;
  bool careful = true;

  void on(const Go&, gainsay::Context& ctx) {
    if (careful) {
      ctx.send(counter, Add{});
    } else {
      ctx.send(counter, Read{});
    }
  }
  void on(const Seen& seen, gainsay::Context& ctx) { ctx.send(counter, Write{seen.value + 1}); }
};

GAINSAY_SCENARIO(counter, "Two clerks add to one counter", Options) {
  const auto counter = world.spawn<Counter>("counter");
  for (const char* name : {"anna", "bert"}) {
    const auto clerk =
        world.spawn<Clerk>(name, Clerk{.counter = counter, .careful = options.bug == Bug::none});
    world.send(clerk, Go{});
  }
}

}  // namespace counter
