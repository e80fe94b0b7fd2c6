// A C array hides how many fields there are, so the struct is named and not the field.
// expect-owner: subject::Packet
// expect: this struct has a C array field\. Use std::array
#include <string>

#include "gainsay/base/value_type.hpp"

namespace subject {
struct Packet {
  std::string from;
  char bytes[16] = {};
  int size = 0;
};
struct Link {
  Packet pending;
};
}  // namespace subject

const gainsay::ValueType& type = gainsay::reflect::value_type<subject::Link>();
