// HistoryReport: what became of one recorded history, ready to be shown in a terminal, in JSON or in a page.
//
// A picture shows a *window* of the history, never more than some operations: those of the contradiction, then the
// offending one's neighbours in time, of the same object. What was left out is said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/oracle/history.hpp"
#include "gainsay/oracle/linearizability.hpp"
#include "gainsay/oracle/transactions/check.hpp"
#include "gainsay/report/show.hpp"
#include "gainsay/trace/trace.hpp"

namespace gainsay {

struct HistoryBar {
  std::uint64_t number = 0;  // of the operation in its history, from 1; of a transaction likewise
  std::string process;
  std::string text;    // "cas(2, 1) -> done"
  std::string source;  // "line 12"
  double begin = 0;    // positions in the picture: whole numbers, one for each event shown
  double end = 0;
  bool open = false;    // never returned, or nobody knows whether it took effect
  bool failed = false;  // never took effect
  bool offending = false;
  bool contradicts = false;  // belongs to the smallest contradiction
};

// A linearization, whole or partial, as far as the picture shows it.
struct HistoryOrder {
  struct Point {
    std::size_t bar = 0;      // an index into HistoryReport::bars
    std::uint64_t place = 0;  // in the order, from 1
    double at = 0;            // where in the picture
    std::string state;        // of the object after it
  };
  std::size_t length = 0;
  std::vector<Point> points;
  std::vector<std::string> steps;  // of all operations, in order: texts, the last ones
  std::string state;               // at its end
  std::vector<std::string> next;   // each operation that could come next, and why it cannot
};

struct HistoryReport {
  std::string file;
  std::string model;
  std::string format;
  std::string consistency;  // "linearizable", "sequential", or a level of isolation
  std::string error;        // the file could not be read, or does not fit the model: nothing else is set then
  Verdict verdict = Verdict::unknown;
  std::string method;
  std::size_t operations = 0;
  std::size_t parts = 0;
  std::uint64_t steps = 0;
  double elapsed_s = 0;
  std::string reason;                    // one line: why it is violated or unknown; "" if it is ok
  std::string offending;                 // the operation that cannot be placed, in words; may be empty
  std::vector<std::string> explanation;  // lines
  std::vector<std::string> notes;
  std::vector<HistoryBar> bars;
  std::string left_out;                      // what the picture does not show; may be empty
  std::vector<HistoryOrder> orders;          // ok: one, complete; else the longest partial ones
  std::vector<std::uint64_t> linearization;  // ok: numbers of operations, in order; the first ones
  std::size_t linearization_length = 0;      // of all of it

  const char* word() const { return error.empty() ? verdict_name(verdict) : "error"; }
};

struct HistoryReportOptions {
  std::size_t bars_max = 200;
  std::size_t text_max = 120;  // characters of one operation or state
  std::size_t linearization_max = 10'000;
};

// `history` is the typed one that was checked.
HistoryReport history_report(const History& history, const SpecType& spec, const AnyValue& initial,
                             const CheckResult& result, const HistoryReportOptions& options = {});
HistoryReport history_report(const TransactionHistory& history, TransactionModel model,
                             const TransactionReport& result, const TransactionOptions& checked,
                             const HistoryReportOptions& options = {});

// "violated  etcd_000.log  85 operations  ...".
std::string one_line(const HistoryReport& report, std::size_t file_width);
// The whole explanation with a timeline, one row for each operation.
std::string history_text(const HistoryReport& report, const ShowOptions& options);
// "103 files: 23 ok, 79 violated, 1 unknown".
std::string summary_line(const std::vector<HistoryReport>& reports);
// A list, one object for each file.
std::string json_text(const std::vector<HistoryReport>& reports);

// 0 all ok, 1 something is violated, 2 some file could not be read, 3 something is unknown; 2 counts most, then 1.
int exit_code(const std::vector<HistoryReport>& reports);

}  // namespace gainsay
