// How a Node calls libraft: in its own heap, with faults contained.
#pragma once

#include "systems/libraft/io.hpp"
#include "systems/libraft/node.hpp"
#include "systems/libraft/repairs.hpp"

namespace libraft {

// An object for libraft, zeroed, in the heap in use; null where there is no memory.
template <class T> T* make() {
  return static_cast<T*>(gainsay::ForeignHeap::current()->allocate_zeroed(1, sizeof(T)));
}

// Everything that runs code of libraft.
template <class F> void Node::call(gainsay::Context& ctx, const char* what, F&& function) {
  const auto loan = slot_.lend(ctx);
  const gainsay::ForeignHeap::Use heap(heap_);
  if (const int signal = gainsay::foreign_call(function); signal != 0) {
    up_ = false;
    ctx.violate("fatal error", std::string(what) + " ended with " + gainsay::signal_text(signal));
    return;
  }
  look(ctx, what);
}

}  // namespace libraft
