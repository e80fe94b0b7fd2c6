// What tests of delivery orders have in common: the orders, a message, and an actor that shows in which order it came.
#pragma once

#include <vector>

#include "gainsay/scenario/world.hpp"

namespace gainsay::receivers {

inline constexpr Delivery all_orders[] = {Delivery::unordered, Delivery::fifo, Delivery::causal,
                                          Delivery::queue, Delivery::mailbox};

struct Mark {
  int n = 0;
};

// Keeps what it gets, so that every order of arrival is another state.
struct Sink {
  using Receives = Messages<Mark>;
  std::vector<int> got;
  void on(const Mark& mark) { got.push_back(mark.n); }
};

}  // namespace gainsay::receivers
