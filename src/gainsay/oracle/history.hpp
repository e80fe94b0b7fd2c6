// History: what clients asked and what they were told, with the order in real time.
//
// An operation is an interval: it is invoked at one position of the history and returns at a later one. Every
// event (an invocation or a return) has its own position, so "a returned before b was invoked" is one
// comparison. How it ended:
//   ok    it took effect at some point between its two positions, with the recorded result (an empty result: it
//         returned, but nobody knows what);
//   fail  it certainly did not take effect; kept for display, ignored by checkers;
//   info  nobody knows: it may take effect at any point after its invocation, for ever, or never. Operations
//         that never returned are info as well.
// A process does one operation at a time; after info it may not act again in some sources and may in others, so
// that is not demanded.
//
// Built event by event (`invoke`, then `ok`/`fail`/`info`), or from intervals with times (`from_intervals`).
// What cannot be a history is refused with a HistoryError that says what was expected.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gainsay/base/check.hpp"
#include "gainsay/base/value_type.hpp"

namespace gainsay {

enum class OperationStatus : std::uint8_t { ok, fail, info };

// The position of a return that never came.
inline constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

struct Operation {
  std::uint64_t id = 0;       // unique in the history
  std::uint32_t process = 0;  // an index into History::processes()
  OperationStatus status = OperationStatus::info;
  std::uint64_t invoked = 0;  // position of the invocation
  std::uint64_t returned = never;
  std::optional<std::int64_t> invoked_ns;  // for display; positions decide
  std::optional<std::int64_t> returned_ns;
  std::string source;  // where it was read, "log.edn:12"; may be empty
  AnyValue op;         // a Call, or an operation of a specification
  AnyValue result;     // a Datum, or a result of the specification; empty: not known
};

class HistoryError : public UserError {
 public:
  using UserError::UserError;
};

class History {
 public:
  // Events, in the order in which they happened. `id`, where the source has one, must be new; `time_ns` must not
  // go back. `source` is where the event stands, for messages.
  struct Where {
    std::optional<std::int64_t> time_ns;
    std::string source;
    std::optional<std::uint64_t> id;
  };
  std::size_t invoke(std::string_view process, AnyValue op, Where where);
  void ok(std::string_view process, AnyValue result, const Where& where);
  void fail(std::string_view process, AnyValue result, const Where& where);
  void info(std::string_view process, const Where& where);

  template <class Op> std::size_t invoke(std::string_view process, const Op& op) {
    return invoke(process, AnyValue::of(op), Where{});
  }
  template <class Result> void ok(std::string_view process, const Result& result) {
    ok(process, AnyValue::of(result), Where{});
  }
  void info(std::string_view process) { info(process, Where{}); }
  void fail(std::string_view process) { fail(process, AnyValue{}, Where{}); }
  // It returned, nobody knows with what.
  void ok_unknown(std::string_view process) { ok(process, AnyValue{}, Where{}); }

  // Whole operations with times instead of positions, in any order. At equal times invocations come before
  // returns: the two then count as concurrent. Uses process, status, times (required, but for the return of an
  // info), op, result, source and id (0: given here).
  static History from_intervals(std::vector<std::string> processes, std::vector<Operation> operations);

  // In the order of invocation. Those still open are info.
  const std::vector<Operation>& operations() const { return operations_; }
  const Operation& operator[](std::size_t index) const { return operations_[index]; }
  std::size_t size() const { return operations_.size(); }
  bool empty() const { return operations_.empty(); }
  const std::vector<std::string>& processes() const { return processes_; }
  const std::string& process_name(const Operation& operation) const { return processes_[operation.process]; }
  // One more than the greatest position.
  std::uint64_t positions() const { return positions_; }
  bool is_open(std::string_view process) const;
  // A client with several operations under way is several processes. What it completed before it began another keeps
  // its order, whichever of its processes the two are of. Both are known processes afterwards.
  void belongs_to(std::string_view process, std::string_view client);
  // The first process of the client that this one belongs to; by default itself.
  std::uint32_t client_of(std::uint32_t process) const { return clients_[process]; }

  // Only these operations (indices, ascending), with the same positions.
  History restricted_to(const std::vector<std::size_t>& kept) const;
  // The same intervals with other values; as many as there are operations.
  History with_values(std::vector<std::pair<AnyValue, AnyValue>> values) const;
  // One operation with unknown outcome: its return and its result are forgotten.
  void forget_outcome(std::size_t index);

 private:
  std::uint32_t process_index(std::string_view name);
  std::uint64_t tick(const Where& where);
  Operation& close(std::string_view process, std::string_view how, const Where& where);

  std::vector<Operation> operations_;
  std::vector<std::string> processes_;
  std::map<std::string, std::uint32_t, std::less<>> process_by_name_;
  std::vector<std::optional<std::size_t>> open_;  // by process: its operation under way
  std::vector<std::uint32_t> clients_;            // by process
  std::map<std::uint64_t, std::size_t> by_id_;    // ids that a source gave
  std::uint64_t positions_ = 0;
  std::optional<std::int64_t> last_ns_;
};

}  // namespace gainsay
