// An actor that persists what it is given, for tests of disk faults.
#pragma once

#include <string>

#include "gainsay/execution/world/faults/endings.test.hpp"

namespace gainsay::disk_faults {

struct Put {
  int n = 0;
};
struct Saved {
  int n = 0;
};

struct Store {
  using Receives = Messages<Put>;
  int failed = 0;
  int found = -1;  // by a restart
  void on(const Put& put, Context& ctx) {
    if (!ctx.persist(Saved{put.n})) ++failed;
  }
  void on_restart(Context& ctx) {
    const auto saved = ctx.recover<Saved>();
    found = saved ? saved->n : 0;
  }
};

// Puts of 1 to n, in this order. The end is "7" for a stored 7, "-" for nothing; "7, 1 failed" if writes did.
inline every_run::Body puts(int n, const std::function<void(World&, Ref<Store>)>& faults) {
  return [=](World& world) {
    world.order(Delivery::fifo);
    const auto store = world.spawn<Store>("store");
    for (int i = 1; i <= n; ++i) world.send(store, Put{i});
    faults(world, store);
    world.finally("end", [store](View view) -> Complaint {
      const auto saved = view.durable<Saved>(store);
      std::string text = saved ? std::to_string(saved->n) : "-";
      if (view[store].failed > 0) text += ", " + std::to_string(view[store].failed) + " failed";
      if (view[store].found >= 0) text += ", found " + std::to_string(view[store].found);
      return text;
    });
  };
}

}  // namespace gainsay::disk_faults
