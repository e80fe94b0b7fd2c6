// A wrapped class is made from arguments that it has no constructor for.
// expect: `wrap` constructs the actor from these arguments, but the actor has no constructor that takes them
#include <string>

#include "gainsay/gainsay.hpp"

struct Get {};
class Store {
 public:
  using Receives = gainsay::Messages<Get>;
  Store(std::string path, int size) : path_(std::move(path)), size_(size) {}
  void on(const Get&, gainsay::Context&) {}

 private:
  std::string path_;
  int size_ = 0;
};

void body(gainsay::World& world) { world.wrap<Store>("store", 42); }
