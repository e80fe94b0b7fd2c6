// expect-owner: subject::Node
// expect-field: next
// expect: this field is a pointer or a reference.*Use the value itself, an index, or a Ref<Actor>
#include "gainsay/base/value_type.hpp"

namespace subject {
struct Node {
  int weight = 0;
  Node* next = nullptr;
};
}  // namespace subject

const gainsay::ValueType& type = gainsay::reflect::value_type<subject::Node>();
