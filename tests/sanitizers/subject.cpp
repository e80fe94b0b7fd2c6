// A program as a user builds it who looks for memory errors: its own code has sanitizers, the installed library has
// none. An actor or a property makes the sanitizer end the process where 2 comes before 1.
#include <climits>
#include <memory>

#include <gainsay/gainsay.hpp>
#include <gainsay/tasks.hpp>

namespace subject {

enum class Way { none, overrun, use_after_free, undefined, null };
enum class Place { value, opaque, task, property };

// The compiler must not see through it.
volatile int zero = 0;
volatile int largest = INT_MAX;
volatile int sink = 0;
int* volatile pointer = nullptr;

inline void die(Way way) {
  switch (way) {
    case Way::none:
      return;
    case Way::overrun: {
      const auto four = std::make_unique<int[]>(4);
      pointer = four.get();
      sink = pointer[4 + zero];
      return;
    }
    case Way::use_after_free:
      pointer = std::make_unique<int>(1).get();
      sink = *pointer;
      return;
    case Way::undefined:
      sink = largest + 1;
      return;
    case Way::null:
      pointer = nullptr;
      sink = *pointer;
      return;
  }
}

struct Options {
  Way way = Way::none;
  Place place = Place::value;
};

struct Poke {
  int n = 0;
};

struct Fragile {
  using Receives = gainsay::Messages<Poke>;
  Way way = Way::none;
  int last = 0;
  void on(const Poke& poke) {
    if (poke.n == 1 && last == 2) die(way);
    last = poke.n;
  }
};

class FragileBox {
 public:
  using Receives = gainsay::Messages<Poke>;
  explicit FragileBox(Way way) : way_(way), last_(std::make_unique<int>(0)) {}
  void on(const Poke& poke) {
    if (poke.n == 1 && *last_ == 2) die(way_);
    *last_ = poke.n;
  }

 private:
  Way way_;
  std::unique_ptr<int> last_;
};

struct FragileTask {
  using Receives = gainsay::Messages<Poke>;
  Way way = Way::none;
  gainsay::Task<> run(gainsay::TaskContext& ctx) {
    ctx.background();
    int last = 0;
    for (;;) {
      const Poke poke = co_await ctx.receive<Poke>();
      if (poke.n == 1 && last == 2) die(way);
      last = poke.n;
    }
  }
};

template <class A> void poke(gainsay::World& world, gainsay::Ref<A> actor) {
  for (int n = 1; n <= 3; ++n) world.send(actor, Poke{n});
}

GAINSAY_SCENARIO(fragile, "Code that a sanitizer complains of", Options) {
  const Way way = options.way;
  switch (options.place) {
    case Place::value:
      return poke(world, world.spawn("fragile", Fragile{.way = way}));
    case Place::opaque:
      return poke(world, world.wrap<FragileBox>("fragile", way));
    case Place::task:
      return poke(world, world.wrap<FragileTask>("fragile", way));
    case Place::property: {
      const auto fragile = world.spawn<Fragile>("fragile");
      world.always("whole", [fragile, way](gainsay::View view) -> gainsay::Complaint {
        if (view[fragile].last == 2) die(way);
        return {};
      });
      return poke(world, fragile);
    }
  }
}

}  // namespace subject
