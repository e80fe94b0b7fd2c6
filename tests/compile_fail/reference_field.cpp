// expect-owner: subject::Cursor
// expect: this struct has a reference field.*Use the value itself
#include "gainsay/base/value_type.hpp"

namespace subject {
struct Cursor {
  int position = 0;
  int& limit;
};
}  // namespace subject

const gainsay::ValueType& type = gainsay::reflect::value_type<subject::Cursor>();
