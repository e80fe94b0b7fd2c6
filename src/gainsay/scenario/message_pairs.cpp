#include "gainsay/scenario/message_pairs.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "gainsay/base/check.hpp"

namespace gainsay {

struct StatedPairs::Known {
  std::mutex mutex;
  std::vector<AnyValue> messages;                       // by number
  std::multimap<std::uint64_t, std::uint32_t> numbers;  // by hash
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::optional<bool>> said;
};

StatedPairs::StatedPairs() : known_(std::make_unique<Known>()) {}
StatedPairs::~StatedPairs() = default;

void StatedPairs::state(const ValueType& a, const ValueType& b, Says dependent) {
  GAINSAY_CHECK(dependent != nullptr, "a statement says something");
  statements_.push_back({&a, &b, std::move(dependent)});
}

const StatedPairs::Statement* StatedPairs::find(const ValueType& a, const ValueType& b, bool& swapped) const {
  for (auto each = statements_.rbegin(); each != statements_.rend(); ++each) {
    swapped = each->a == &b && each->b == &a && &a != &b;
    if (swapped || (each->a == &a && each->b == &b)) return &*each;
  }
  return nullptr;
}

std::optional<std::uint32_t> StatedPairs::number_of(const ValueType& type, const void* message) {
  const bool named = std::any_of(statements_.begin(), statements_.end(),
                                 [&](const Statement& each) { return each.a == &type || each.b == &type; });
  if (!named) return std::nullopt;
  const std::uint64_t hash = type.hash(message);
  const std::lock_guard lock(known_->mutex);
  const auto [first, last] = known_->numbers.equal_range(hash);
  for (auto each = first; each != last; ++each) {
    const AnyValue& before = known_->messages[each->second];
    if (&before.type() == &type && type.equal(before.data(), message)) return each->second;
  }
  const auto number = static_cast<std::uint32_t>(known_->messages.size());
  known_->messages.emplace_back(type, message);
  known_->numbers.emplace(hash, number);
  return number;
}

std::optional<bool> StatedPairs::dependent(std::uint32_t a, std::uint32_t b) const {
  const std::lock_guard lock(known_->mutex);
  GAINSAY_CHECK(a < known_->messages.size() && b < known_->messages.size(), "numbers come from number_of");
  const auto [entry, is_new] = known_->said.try_emplace({a, b});
  if (!is_new) return entry->second;
  bool swapped = false;
  if (const Statement* statement = find(known_->messages[a].type(), known_->messages[b].type(), swapped)) {
    const void* const first = known_->messages[swapped ? b : a].data();
    const void* const second = known_->messages[swapped ? a : b].data();
    entry->second = statement->dependent(first, second);
    // Of two messages of one type it must not matter which comes first: dependent if either order is.
    if (statement->a == statement->b) entry->second = *entry->second || statement->dependent(second, first);
  }
  return entry->second;
}

}  // namespace gainsay
