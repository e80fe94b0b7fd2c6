// Models by name: the ready-made specifications (specs/), and how generic operations become theirs.
//
// Readers of files give Calls and Data (datum.hpp); `Model::typed` turns them into operations and results of the
// specification, or says which operation does not fit and what was expected. What a model understands:
//
//   register, cas-register   read -> value; write value; cas [expected new] -> true or false
//   kv                       get key -> value; put [key value]; append [key value]; cas [key expected new];
//                            remove key. nil, "" and a key that is not there are the same.
//   multi-register           txn [[read key value?] [write key value] ...] -> the same list with the values
//                            read; read key -> value; write [key value]
//   mutex                    acquire; release
//   set                      add value -> is it new?; remove value -> was it there?; contains value; read -> list
//   queue, stack             enqueue/push/add/insert value; dequeue/pop/remove -> value, nil or "empty"
//   priority-queue, priority-queue-max    insert value; remove -> value, nil or "empty" (the least, the greatest)
//   counter                  add n; increment; decrement; read -> n; add-and-get n -> n
//   log                      append value -> position; read position -> value or nil; read -> list
//
// An ok operation whose result is a truth value in the specification and something else in the file (a cas that
// repeats its argument) took place. A result that does not say anything (an add without one) is unknown.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gainsay/oracle/datum.hpp"
#include "gainsay/oracle/history.hpp"
#include "gainsay/oracle/spec.hpp"

namespace gainsay {

struct ModelOptions {
  // register, cas-register: the first value. multi-register: a list of [key value]. Others have none.
  std::optional<Datum> initial;
};

struct Model {
  std::string name;
  std::string description;
  std::vector<std::string> functions;  // what operations may be called, without aliases
  const SpecType* spec = nullptr;
  AnyValue initial;
  // A generic operation in the terms of the specification. `result` is null where it is not known. Throws
  // UserError.
  std::pair<AnyValue, AnyValue> (*read)(const Call& call, const Datum* result) = nullptr;

  // Throws UserError, with the names there are, for one that does not exist or an initial value that does not fit.
  static Model named(std::string_view name, const ModelOptions& options = {});
  static std::vector<std::string> names();

  // The history with operations of the specification. Throws HistoryError, with the operation's source.
  // Operations that are typed already stay; fails (never happened) keep what can be understood of them.
  History typed(const History& history) const;
};

}  // namespace gainsay
