// expect-owner: subject::Request
// expect-field: path
// expect: this field is a view and does not own its data.*Use std::string
#include <optional>
#include <string_view>

#include "gainsay/base/value_type.hpp"

namespace subject {
struct Request {
  int id = 0;
  std::optional<std::string_view> path;
};
}  // namespace subject

const gainsay::ValueType& type = gainsay::reflect::value_type<subject::Request>();
