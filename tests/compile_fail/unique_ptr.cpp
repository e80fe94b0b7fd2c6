// An actor that owns something which cannot be copied.
// expect: this field cannot be copied.*Make the actor opaque with world\.wrap<A>
// expect-owner: Store
// expect-field: pages
#include <memory>

#include "gainsay/gainsay.hpp"

struct Go {};
struct Store {
  using Receives = gainsay::Messages<Go>;
  std::unique_ptr<int> pages;
  void on(const Go&) {}
};

void body(gainsay::World& world) { world.spawn<Store>("store"); }
