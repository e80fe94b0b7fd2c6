// expect-owner: subject::Packet
// expect-field: byte
// expect: this field is a C array\. Use std::array
#include "gainsay/base/value_type.hpp"

namespace subject {
struct Packet {
  char byte[1] = {};
  int size = 0;
};
}  // namespace subject

const gainsay::ValueType& type = gainsay::reflect::value_type<subject::Packet>();
