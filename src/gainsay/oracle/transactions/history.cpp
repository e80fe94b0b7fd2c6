#include "gainsay/oracle/transactions/history.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"

namespace gainsay {
namespace {

struct TextHash {
  std::size_t operator()(const std::string& text) const { return hash_text(text); }
};
using Numbers = boost::unordered_flat_map<std::string, std::uint32_t, TextHash>;

std::uint32_t number_of(std::string_view name, Numbers& numbers, std::vector<std::string>& names) {
  const auto [place, is_new] =
      numbers.try_emplace(std::string(name), static_cast<std::uint32_t>(names.size()));
  if (is_new) names.emplace_back(name);
  return place->second;
}

}  // namespace

struct TransactionHistory::Names {
  Numbers keys;
  Numbers values;
};

TransactionHistory::TransactionHistory() : value_names_{"nil"}, names_(std::make_unique<Names>()) {}
TransactionHistory::~TransactionHistory() = default;
TransactionHistory::TransactionHistory(TransactionHistory&&) noexcept = default;
TransactionHistory& TransactionHistory::operator=(TransactionHistory&&) noexcept = default;

KeyId TransactionHistory::key(std::string_view name) { return number_of(name, names_->keys, key_names_); }
ElementId TransactionHistory::value(std::string_view name) {
  return number_of(name, names_->values, value_names_);
}

Transaction& TransactionHistory::begin(TransactionStatus status) {
  Transaction& transaction = transactions_.emplace_back();
  transaction.status = status;
  transaction.first_op = static_cast<std::uint32_t>(ops_.size());
  return transaction;
}

void TransactionHistory::add(const MicroOp& op) {
  GAINSAY_CHECK(!transactions_.empty(), "operations follow the beginning of a transaction");
  GAINSAY_CHECK(op.key < key_names_.size() && op.value < value_names_.size(), "names come before their use");
  ops_.push_back(op);
  ++transactions_.back().op_count;
}

void TransactionHistory::add_write(KeyId key, ElementId value) {
  GAINSAY_CHECK(value != no_element, "nil is what nobody wrote");
  add({.write = true, .key = key, .value = value});
}
void TransactionHistory::add_unknown_read(KeyId key) { add({.known = false, .key = key}); }
void TransactionHistory::add_register_read(KeyId key, ElementId value) { add({.key = key, .value = value}); }
void TransactionHistory::add_list_read(KeyId key, std::span<const ElementId> elements) {
  add({.key = key,
       .list_begin = static_cast<std::uint32_t>(lists_.size()),
       .list_length = static_cast<std::uint32_t>(elements.size())});
  lists_.insert(lists_.end(), elements.begin(), elements.end());
}

}  // namespace gainsay
