// expect-owner: subject::Account
// expect-field: balance
// expect: a class with private state or constructors.*auto members\(\) const \{ return std::tie\(\.\.\.\); \}
#include "gainsay/base/value_type.hpp"

namespace subject {
class Money {
 public:
  explicit Money(int cents) : cents_(cents) {}

 private:
  int cents_;
};
struct Account {
  Money balance{0};
};
}  // namespace subject

const gainsay::ValueType& type = gainsay::reflect::value_type<subject::Account>();
