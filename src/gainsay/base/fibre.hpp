// Fibre: a function with a stack of its own that hands control back in the middle of whatever it calls.
//
// For code that blocks and cannot be a coroutine. POSIX ucontext with the hooks by which AddressSanitizer and
// ThreadSanitizer follow a change of stacks; the packaged Boost.Context is built without such hooks. What the
// C++ runtime knows of exceptions in flight is kept per fibre, so a fibre may be suspended inside a catch block.
// A fibre that is destroyed while suspended is unwound: `yield` throws Fibre::Abandoned there.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>

namespace gainsay {

class Fibre {
 public:
  // Let it pass: code that catches everything and goes on will see it again at its next `yield`.
  struct Abandoned {};

  explicit Fibre(std::function<void()> body, std::size_t stack_bytes = std::size_t{256} * 1024);
  ~Fibre();
  Fibre(const Fibre&) = delete;
  Fibre& operator=(const Fibre&) = delete;

  // Runs the body until it yields or ends; what it throws is thrown here. REQUIRES: !finished().
  void resume();
  // From within the body: back to whoever resumed it.
  void yield();
  bool finished() const;
  bool inside() const;  // the body is running now

 private:
  struct Stack;
  std::unique_ptr<Stack> stack_;
};

}  // namespace gainsay
