// TransactionHistory: transactions as clients saw them, in the form that the checker of dependency cycles wants.
//
// Keys and values are numbers; their names stand in two tables. What a read of a list returned lies in one common
// pool. A transaction is *committed* (its client was told so), *aborted* (it certainly had no effect) or *unknown*
// (its client never learnt): nobody may conclude anything from an unknown one unless somebody has seen a value of it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gainsay {

enum class TransactionStatus : std::uint8_t { committed, aborted, unknown };

using KeyId = std::uint32_t;
using ElementId = std::uint32_t;
constexpr ElementId no_element = 0;  // what a register holds at first: nil

struct MicroOp {
  bool write = false;  // an append, where values are lists
  bool known = true;   // of a read: whether its result is known
  KeyId key = 0;
  ElementId value = no_element;  // what was written, or read from a register
  std::uint32_t list_begin = 0;  // of a read of a list: where its elements lie in `lists`
  std::uint32_t list_length = 0;
};

constexpr std::uint64_t not_completed = UINT64_MAX;

struct Transaction {
  TransactionStatus status = TransactionStatus::unknown;
  std::uint32_t first_op = 0;
  std::uint32_t op_count = 0;
  std::string process;
  std::uint64_t line = 0;                   // of its invocation in the file; 0: none
  std::uint64_t invoked = 0;                // position in the history
  std::uint64_t completed = not_completed;  // likewise
};

class TransactionHistory {
 public:
  TransactionHistory();
  ~TransactionHistory();
  TransactionHistory(TransactionHistory&&) noexcept;
  TransactionHistory& operator=(TransactionHistory&&) noexcept;

  // The number of a key or value, given out in the order of their first appearance. `value` never gives no_element.
  KeyId key(std::string_view name);
  ElementId value(std::string_view name);

  // A transaction without operations yet; the next `add_*` belong to it.
  Transaction& begin(TransactionStatus status);
  void add_write(KeyId key, ElementId value);
  void add_unknown_read(KeyId key);
  void add_register_read(KeyId key, ElementId value);
  void add_list_read(KeyId key, std::span<const ElementId> elements);

  const std::vector<Transaction>& transactions() const { return transactions_; }
  std::span<const MicroOp> ops(const Transaction& transaction) const {
    return std::span(ops_).subspan(transaction.first_op, transaction.op_count);
  }
  std::span<const ElementId> list(const MicroOp& read) const {
    return std::span(lists_).subspan(read.list_begin, read.list_length);
  }
  const std::string& key_name(KeyId key) const { return key_names_[key]; }
  const std::string& value_name(ElementId value) const { return value_names_[value]; }
  std::size_t key_count() const { return key_names_.size(); }
  std::size_t value_count() const { return value_names_.size(); }  // nil included

 private:
  struct Names;
  void add(const MicroOp& op);

  std::vector<Transaction> transactions_;
  std::vector<MicroOp> ops_;
  std::vector<ElementId> lists_;
  std::vector<std::string> key_names_;
  std::vector<std::string> value_names_;
  std::unique_ptr<Names> names_;
};

}  // namespace gainsay
