// Histories out of files: generic ones for the checkers of single operations, and ones of transactions.
//
// What events mean differs between formats, most of all what `fail` means:
//   edn, kv, jepsen-json, json   it certainly did not take place, a compare-and-set included
//   jepsen-log                   a compare-and-set that failed found another value: an observation (ok, false);
//                                a read that failed has no result; anything else that failed with :timed-out is
//                                unknown
// In edn and jepsen-json (Knossos' dialect) a read that returns nil is a read of an unknown value; in jepsen-log and
// json nil is a value. In limo a removal that returns nothing found the object empty, unless its call carries a value.
// What never returns is unknown for ever. Processes without a number (a nemesis) are passed over, except in json.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "gainsay/oracle/formats/events.hpp"
#include "gainsay/oracle/history.hpp"
#include "gainsay/oracle/transactions/check.hpp"
#include "gainsay/oracle/transactions/history.hpp"

namespace gainsay {

struct HistoryFile {
  History history;  // of Calls and Data
  HistoryFormat format = HistoryFormat::automatic;
  std::string model;  // that the file itself names; "": none
  std::uint64_t events = 0;
  std::uint64_t passed_over = 0;  // events of processes that are no clients
};

// All throw UserError: "FILE:LINE: what was expected".
HistoryFile read_history(TextSource& source, HistoryFormat format = HistoryFormat::automatic);
// `look` is called now and then while the file is read; what it throws ends the reading.
HistoryFile read_history_file(const std::string& file, HistoryFormat format = HistoryFormat::automatic,
                              std::function<void()> look = {});

// Transactions: events whose value is a list of [:append key value], [:w key value] and [:r key result].
TransactionHistory read_transactions(TextSource& source, TransactionModel model,
                                     HistoryFormat format = HistoryFormat::automatic);
TransactionHistory read_transactions_file(const std::string& file, TransactionModel model,
                                          HistoryFormat format = HistoryFormat::automatic,
                                          std::function<void()> look = {});

}  // namespace gainsay
