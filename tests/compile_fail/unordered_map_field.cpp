// expect-owner: subject::Store
// expect-field: values
// expect: this field is an unordered container.*Use std::map or std::set
#include <string>
#include <unordered_map>

#include "gainsay/base/value_type.hpp"

namespace subject {
struct Store {
  std::unordered_map<std::string, int> values;
};
}  // namespace subject

const gainsay::ValueType& type = gainsay::reflect::value_type<subject::Store>();
