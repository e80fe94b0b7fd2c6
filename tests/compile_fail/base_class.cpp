// expect-owner: subject::Leader
// expect: this struct has a base class.*Make the base a field
#include "gainsay/base/value_type.hpp"

namespace subject {
struct Node {
  int term = 0;
};
struct Leader : Node {
  int followers = 0;
};
}  // namespace subject

const gainsay::ValueType& type = gainsay::reflect::value_type<subject::Leader>();
