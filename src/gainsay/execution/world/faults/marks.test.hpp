// A sink and messages for it, for tests of faults.
#pragma once

#include <functional>
#include <vector>

#include "gainsay/execution/run/every_run.test.hpp"

namespace gainsay::fault_worlds {

struct Mark {
  int n = 0;
};
struct Other {
  int n = 0;
};

struct Sink {
  using Receives = Messages<Mark, Other>;
  std::vector<int> got;
  void on(const Mark& mark) { got.push_back(mark.n); }
  void on(const Other& other) { got.push_back(other.n); }
};

// n outside messages to one sink.
inline every_run::Body marks(std::size_t n, const std::function<void(World&)>& more) {
  return [=](World& world) {
    const auto sink = world.spawn<Sink>("sink");
    for (std::size_t i = 0; i < n; ++i) world.send(sink, Mark{static_cast<int>(i)});
    more(world);
  };
}

}  // namespace gainsay::fault_worlds
