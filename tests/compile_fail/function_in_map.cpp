// A field may hide what it must not hold behind containers and alternatives.
// expect-owner: subject::Router
// expect-field: routes
// expect: a class with private state or constructors.*make the actor opaque with world\.wrap<A>
#include <functional>
#include <map>
#include <string>
#include <variant>

#include "gainsay/base/value_type.hpp"

namespace subject {
struct Router {
  std::map<std::string, std::variant<int, std::function<void()>>> routes;
};
}  // namespace subject

const gainsay::ValueType& type = gainsay::reflect::value_type<subject::Router>();
