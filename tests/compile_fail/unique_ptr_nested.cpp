// The culprit sits two structs deep, in a container: it is named, not the actor around it.
// expect-owner: subject::Page
// expect-field: bytes
// expect: this field cannot be copied.*Make the actor opaque with world\.wrap<A>
#include <memory>
#include <vector>

#include "gainsay/base/value_type.hpp"

namespace subject {
struct Page {
  int number = 0;
  std::unique_ptr<char> bytes;
};
struct Cache {
  std::vector<Page> pages;
};
struct Disk {
  int size = 0;
  Cache cache;
};
}  // namespace subject

const gainsay::ValueType& type = gainsay::reflect::value_type<subject::Disk>();
