#include "gainsay/base/reflect.hpp"

#include <cmath>

namespace gainsay::reflect::detail {

bool same_number(long double a, long double b) {
  return std::signbit(a) == std::signbit(b) && (a == b || (std::isnan(a) && std::isnan(b)));
}

void visit_struct(Visitor& visitor, std::string_view type, std::span<const std::string_view> names,
                  const void* const* parts, const VisitPart* visits) {
  visitor.begin_struct(type);
  for (std::size_t i = 0; i < names.size(); ++i) {
    visitor.field(names[i]);
    visits[i](visitor, parts[i]);
  }
  visitor.end_struct();
}

}  // namespace gainsay::reflect::detail
