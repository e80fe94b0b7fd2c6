#include "gainsay/oracle/linearizable/partition.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/oracle/datum.hpp"

namespace gainsay::linearizable {
namespace {

class Keys {
 public:
  std::uint32_t index(const AnyValue& key) {
    std::vector<std::uint32_t>& same = by_hash_[key.type().hash(key.data())];
    for (const std::uint32_t each : same) {
      if (key.type().equal(keys_[each].data(), key.data())) return each;
    }
    const auto added = static_cast<std::uint32_t>(keys_.size());
    same.push_back(added);
    keys_.push_back(key);
    joined_.push_back(added);
    return added;
  }
  std::uint32_t root(std::uint32_t key) {
    while (joined_[key] != key) key = joined_[key] = joined_[joined_[key]];
    return key;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    joined_[std::max(a, b)] = std::min(a, b);
  }
  std::string text(std::uint32_t root_key) {
    std::string all;
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < keys_.size(); ++i) {
      if (root(i) != root_key) continue;
      if (++count > 4) return all + ", ...";
      const AnyValue& key = keys_[i];
      const bool is_datum = &key.type() == &reflect::value_type<Datum>();
      all += (all.empty() ? "" : ", ") +
             (is_datum ? to_text(*static_cast<const Datum*>(key.data())) : print(key.type(), key.data()));
    }
    return all;
  }

 private:
  std::vector<AnyValue> keys_;
  std::vector<std::uint32_t> joined_;
  boost::unordered_flat_map<std::uint64_t, std::vector<std::uint32_t>> by_hash_;
};

}  // namespace

std::vector<NamedPart> partition(const History& history, const SpecType& spec, bool take_apart) {
  Part all;
  for (std::uint32_t i = 0; i < history.size(); ++i) {
    if (history[i].status != OperationStatus::fail) all.push_back(i);
  }
  if (all.empty()) return {};
  const auto whole = [&] { return std::vector<NamedPart>{{all, {}}}; };
  if (!take_apart || spec.keys == nullptr) return whole();
  Keys keys;
  std::vector<std::uint32_t> key_of(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<AnyValue> touched = spec.keys(history[all[i]].op.data());
    if (touched.empty()) return whole();
    key_of[i] = keys.index(touched.front());
    for (std::size_t k = 1; k < touched.size(); ++k) keys.join(key_of[i], keys.index(touched[k]));
  }
  std::map<std::uint32_t, Part> by_key;
  for (std::size_t i = 0; i < all.size(); ++i) by_key[keys.root(key_of[i])].push_back(all[i]);
  std::vector<NamedPart> parts;
  for (auto& [key, operations] : by_key) parts.push_back({std::move(operations), keys.text(key)});
  std::stable_sort(parts.begin(), parts.end(), [](const NamedPart& a, const NamedPart& b) {
    if (a.operations.size() != b.operations.size()) return a.operations.size() < b.operations.size();
    return a.operations.front() < b.operations.front();
  });
  return parts;
}

}  // namespace gainsay::linearizable
