#include "gainsay/oracle/transactions/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/oracle/formats/history_file.hpp"

namespace gainsay::check_test {
namespace {

using testing::HasSubstr;
constexpr auto lists = TransactionModel::list_append;
constexpr auto registers = TransactionModel::rw_register;

// Transactions one after the other, each `[...]` or `process [...]` on a line, all committed unless it begins with
// "fail" or "info". With `overlap` all are concurrent.
TransactionHistory history(TransactionModel model, const std::string& lines, bool overlap = false) {
  std::string begins;
  std::string all;
  std::size_t process = 0;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    std::string line = lines.substr(at, end - at);
    at = end + 1;
    if (line.empty()) continue;
    const std::string status = line.front() == '[' ? "ok" : line.substr(0, 4);
    if (status != "ok") line = line.substr(5);
    const std::string who =
        "{:process " + std::to_string(process++) + ", :f :txn, :value " + line + ", :type :";
    (overlap ? begins : all) += who + "invoke}\n";
    all += who + status + "}\n";
  }
  const std::string text = begins + all;
  TextSource source(text, "test");
  return read_transactions(source, model);
}

TransactionReport checked(const TransactionHistory& history, TransactionModel model,
                          IsolationLevel level = IsolationLevel::serializable) {
  TransactionOptions options;
  options.level = level;
  return check_transactions(history, model, options);
}

// The names of what was found, and the explanation of the first.
std::string found(TransactionModel model, const std::string& lines,
                  IsolationLevel level = IsolationLevel::serializable, bool overlap = false) {
  const TransactionHistory transactions = history(model, lines, overlap);
  const TransactionReport report = checked(transactions, model, level);
  std::string names;
  for (const Anomaly& anomaly : report.anomalies)
    names += (names.empty() ? "" : " ") + anomaly_title(anomaly);
  return (report.verdict == Verdict::ok         ? "ok "
          : report.verdict == Verdict::violated ? "violated "
                                                : "unknown ") +
         names;
}

std::string first_explanation(TransactionModel model, const std::string& lines) {
  const TransactionHistory transactions = history(model, lines);
  const TransactionReport report = checked(transactions, model);
  return report.anomalies.empty() ? "" : explanation(transactions, model, report.anomalies.front());
}

TEST(Transactions, NobodySeesItsOwnFuture) {
  EXPECT_EQ(found(lists, "[[:r x [1]] [:append x 1]]"), "violated internal");
  EXPECT_EQ(found(lists, "[[:append x 1] [:r x [1 1]]]"), "violated internal");
  EXPECT_EQ(found(registers, "[[:r x 1] [:w x 1]]"), "violated internal");
  EXPECT_EQ(found(lists, "[[:append x 1] [:r x [1]]]"), "ok ");
  EXPECT_EQ(found(lists, "[[:append x 1] [:append x 2]]\n[[:r x [2 1]]]"), "violated G1b internal");
  EXPECT_EQ(found(lists, "[[:append x 1] [:append x 2]]\n[[:r x [2]]]"), "violated internal G-single");
  EXPECT_EQ(found(registers, "[[:w x 1] [:r x 1]]"), "ok ");
}

// Neither has seen the other, and both wrote x: whoever is second began before the first had committed.
TEST(Transactions, SnapshotIsolationAsksForAnOrderOfWhatNobodyRead) {
  const std::string skew =
      "[[:r y []] [:append z 1] [:append x 1]]\n[[:r z []] [:append y 1] [:append x 2]]\n";
  EXPECT_EQ(found(lists, skew, IsolationLevel::snapshot_isolation, true).substr(0, 8), "violated");
  const std::string apart = "[[:r y []] [:append z 1]]\n[[:r z []] [:append y 1]]\n";
  EXPECT_EQ(found(lists, apart, IsolationLevel::snapshot_isolation, true).substr(0, 2), "ok") << "write skew";
}

TEST(Transactions, ATransactionOfUnknownOutcomeMayTakeEffectLater) {
  // One process: the first append timed out and came after the second.
  const std::string text =
      "{:process 0, :type :invoke, :f :txn, :value [[:append x 1]]}\n"
      "{:process 0, :type :info, :f :txn, :value [[:append x 1]]}\n"
      "{:process 0, :type :invoke, :f :txn, :value [[:append x 2]]}\n"
      "{:process 0, :type :ok, :f :txn, :value [[:append x 2]]}\n"
      "{:process 1, :type :invoke, :f :txn, :value [[:r x nil]]}\n"
      "{:process 1, :type :ok, :f :txn, :value [[:r x [2 1]]]}\n";
  TextSource source(text, "test");
  const TransactionHistory history = read_transactions(source, lists);
  EXPECT_EQ(checked(history, lists, IsolationLevel::session_serializable).verdict, Verdict::ok);
}

TEST(Transactions, ListsThatGrowInOneOrderAreFine) {
  EXPECT_EQ(
      found(lists,
            "[[:append :x 1] [:append :y 1]]\n[[:r :x [1]] [:append :x 2]]\n[[:r :x [1 2]] [:r :y [1]]]"),
      "ok ");
  EXPECT_EQ(checked(TransactionHistory{}, lists).verdict, Verdict::ok);
}

TEST(Transactions, G0IsACycleOfWrites) {
  EXPECT_EQ(found(lists,
                  "[[:append :x 1] [:append :y 1]]\n[[:append :x 2] [:append :y 2]]\n"
                  "[[:r :x [1 2]] [:r :y [2 1]]]"),
            "violated G0");
}

TEST(Transactions, G1aIsAReadOfAnAbortedValue) {
  EXPECT_EQ(found(lists, "fail [[:append :x 1]]\n[[:r :x [1]]]"), "violated G1a");
  EXPECT_EQ(found(registers, "fail [[:w :x 1]]\n[[:r :x 1]]"), "violated G1a");
}

TEST(Transactions, ADirtyUpdateBuildsOnAnAbortedValue) {
  EXPECT_EQ(found(lists, "fail [[:append :x 1]]\n[[:append :x 2]]\n[[:r :x [1 2]]]"),
            "violated G1a dirty-update");
}

TEST(Transactions, G1bIsAReadOfAnIntermediateValue) {
  EXPECT_EQ(found(lists, "[[:append :x 1] [:append :x 2]]\n[[:r :x [1]]]"), "violated G1b G-single");
  EXPECT_EQ(found(registers, "[[:w :x 1] [:w :x 2]]\n[[:r :x 1]]"), "violated G1b");
}

TEST(Transactions, G1cIsACircleOfInformation) {
  EXPECT_EQ(found(lists, "[[:append :x 1] [:r :y [1]]]\n[[:append :y 1] [:r :x [1]]]"), "violated G1c");
  EXPECT_EQ(found(registers, "[[:w :x 1] [:r :y 1]]\n[[:w :y 1] [:r :x 1]]"), "violated G1c");
}

TEST(Transactions, GSingleHasOneReadOfSomethingOlder) {
  EXPECT_EQ(found(lists, "[[:append :x 1] [:append :y 1]]\n[[:r :x [1]] [:r :y []]]"), "violated G-single");
  EXPECT_EQ(found(registers, "[[:w :x 1] [:w :y 1]]\n[[:r :x 1] [:r :y nil]]"), "violated G-single");
}

TEST(Transactions, G2NeedsTwoReadsOfSomethingOlder) {
  // Write skew: snapshot isolation allows it.
  const std::string skew =
      "[[:r :x []] [:append :y 1]]\n[[:r :y []] [:append :x 1]]\n[[:r :x [1]] [:r :y [1]]]";
  EXPECT_EQ(found(lists, skew), "violated G2");
  EXPECT_EQ(found(lists, skew, IsolationLevel::snapshot_isolation), "ok G2");
  const std::string skew_of_registers = "[[:r :x nil] [:w :y 1]]\n[[:r :y nil] [:w :x 1]]";
  EXPECT_EQ(found(registers, skew_of_registers), "violated G2");
  EXPECT_EQ(found(registers, skew_of_registers, IsolationLevel::snapshot_isolation), "ok G2");
}

TEST(Transactions, ALongForkHasNoTwoOldReadsInARow) {
  const std::string fork =
      "[[:append :x 1]]\n[[:append :y 1]]\n[[:r :x [1]] [:r :y []]]\n[[:r :x []] [:r :y [1]]]";
  EXPECT_EQ(found(lists, fork), "violated G-nonadjacent G2");
  EXPECT_EQ(found(lists, fork, IsolationLevel::snapshot_isolation), "violated G-nonadjacent G2");
  EXPECT_EQ(found(lists, fork, IsolationLevel::read_committed), "ok G-nonadjacent G2");
}

TEST(Transactions, ALostUpdateIsNamed) {
  EXPECT_EQ(found(lists, "[[:r :x []] [:append :x 1]]\n[[:r :x []] [:append :x 2]]"),
            "violated lost-update G2");
  EXPECT_EQ(found(lists, "[[:r :x []] [:append :x 1]]\n[[:r :x []] [:append :x 2]]\n[[:r :x [1 2]]]"),
            "violated lost-update G-single");
  EXPECT_EQ(found(registers, "[[:r :x nil] [:w :x 1]]\n[[:r :x nil] [:w :x 2]]"), "violated lost-update G2");
}

TEST(Transactions, ATransactionThatContradictsItselfIsInternal) {
  EXPECT_EQ(found(lists, "[[:append :x 1] [:r :x []]]"), "violated internal");
  EXPECT_EQ(found(lists, "[[:append :x 1] [:r :x [1]] [:append :x 2] [:r :x [1 2]]]"), "ok ");
  EXPECT_EQ(found(lists, "[[:append :x 1]]\n[[:r :x [1]] [:append :x 2] [:r :x [1 2]]]"), "ok ");
  EXPECT_EQ(found(lists, "[[:append :x 1]]\n[[:r :x []] [:append :x 2] [:r :x [1 2]]]"), "violated internal");
  EXPECT_EQ(found(registers, "[[:w :x 1] [:r :x 2]]\n[[:w :x 2]]"), "violated internal");
}

TEST(Transactions, ListsThatDoNotFitTogetherAreNamed) {
  EXPECT_EQ(found(lists, "[[:append :x 1]]\n[[:append :x 2]]\n[[:r :x [1 2]]]\n[[:r :x [2]]]"),
            "violated incompatible-order");
  EXPECT_EQ(found(lists, "[[:append :x 1]]\n[[:r :x [1 1]]]"), "violated duplicate-elements");
  EXPECT_EQ(found(lists, "[[:append :x 1]]\n[[:r :x [1 7]]]"), "violated garbage-read");
}

TEST(Transactions, UnknownOnesCountOnlyIfSomebodySawThem) {
  // Nobody saw 2: the transaction need not have happened, so nothing is wrong with reading x without it.
  EXPECT_EQ(found(lists, "info [[:append :x 2] [:append :y 2]]\n[[:r :x []] [:r :y []]]"), "ok ");
  // Somebody saw it in y, so it happened, and x was read both with and without it.
  EXPECT_EQ(found(lists, "info [[:append :x 2] [:append :y 2]]\n[[:r :x []] [:r :y [2]]]"),
            "violated G-single");
}

TEST(Transactions, ValuesWrittenTwiceMakeItUnknown) {
  const TransactionHistory transactions = history(registers, "[[:w :x 1]]\n[[:w :x 1]]\n[[:r :x 1]]");
  const TransactionReport report = checked(transactions, registers);
  EXPECT_EQ(report.verdict, Verdict::unknown);
  EXPECT_THAT(report.unknown_because, HasSubstr("1 is written to key x twice, by T1 and T2"));
  EXPECT_EQ(found(registers, "[[:w :x 1] [:w :y 1]]"), "ok ");  // one value, two keys
}

TEST(Transactions, AValueThatNobodyWroteMayBeTheInitialOne) {
  const TransactionHistory transactions = history(registers, "[[:w :x 2]]\n[[:r :x 3]]\n[[:r :x 2]]");
  const TransactionReport report = checked(transactions, registers);
  EXPECT_EQ(report.verdict, Verdict::ok);
  ASSERT_EQ(report.notes.size(), 2U);
  EXPECT_THAT(report.notes[0], HasSubstr("nobody wrote 3 to key x"));
  EXPECT_THAT(report.notes[1], HasSubstr("not that the history is right"));
  EXPECT_EQ(found(registers, "[[:r :x 3]]\n[[:r :x 4]]"), "violated garbage-read");
  EXPECT_EQ(found(registers, "[[:r :x 3]]\n[[:r :x nil]]"), "violated garbage-read");
}

TEST(Transactions, RealTimeAndProcessesCountWhereTheyAreAskedFor) {
  const std::string stale = "[[:append :x 1]]\n[[:r :x []]]";
  EXPECT_EQ(found(lists, stale), "ok ");
  EXPECT_EQ(found(lists, stale, IsolationLevel::strict_serializable), "violated G-single-realtime");
  EXPECT_EQ(found(lists, stale, IsolationLevel::strict_serializable, true), "ok ");  // concurrent
  EXPECT_EQ(found(lists, stale, IsolationLevel::session_serializable), "ok ");       // two processes
  const std::string stale_register = "[[:w :x 1]]\n[[:w :x 2]]\n[[:r :x 1]]";
  EXPECT_EQ(found(registers, stale_register), "ok ");
  EXPECT_EQ(found(registers, stale_register, IsolationLevel::strict_serializable),
            "violated G-single-realtime");
  const std::string one_process =
      "{:process 1 :type :invoke :value [[:append :x 1]]}\n{:process 1 :type :ok :value [[:append :x 1]]}\n"
      "{:process 1 :type :invoke :value [[:r :x nil]]}\n{:process 1 :type :ok :value [[:r :x []]]}\n";
  TextSource source(one_process, "test");
  const TransactionHistory transactions = read_transactions(source, lists);
  EXPECT_EQ(checked(transactions, lists).verdict, Verdict::ok);
  EXPECT_EQ(checked(transactions, lists, IsolationLevel::session_serializable).verdict, Verdict::violated);
}

TEST(Transactions, ACycleIsExplainedEdgeByEdge) {
  EXPECT_EQ(
      first_explanation(lists, "[[:append :x 1] [:append :y 2]]\n[[:r :x [1]] [:r :y []]]"),
      "G-single (a cycle with exactly one read of something older): a cycle of 2 transactions: T2 < T1 < T2\n"
      "  T2 = process 1, line 3: [[:r x [1]] [:r y []]]\n"
      "  T1 = process 0, line 1: [[:append x 1] [:append y 2]]\n"
      "  T2 < T1, because T2 read key y before anything was appended to it, so before 2 of T1 (rw)\n"
      "  T1 < T2, because T2 read key x up to 1, which T1 appended (wr)\n"
      "  so none of them can come first\n");
}

TEST(Transactions, ThousandsOfTransactionsAreOneLinearPass) {
  // One key read and appended to by each: a chain, and one transaction that did not see the last half.
  constexpr int count = 3000;
  TransactionHistory transactions;
  const KeyId key = transactions.key("x");
  std::vector<ElementId> so_far;
  for (int i = 0; i < count; ++i) {
    transactions.begin(TransactionStatus::committed).process = "0";
    transactions.add_list_read(key, so_far);
    const ElementId element = transactions.value(std::to_string(i));
    transactions.add_write(key, element);
    so_far.push_back(element);
  }
  EXPECT_EQ(checked(transactions, lists).verdict, Verdict::ok);
  transactions.begin(TransactionStatus::committed).process = "1";
  transactions.add_list_read(key, std::span(so_far).first(count / 2));
  transactions.add_write(transactions.key("y"), transactions.value("a"));
  EXPECT_EQ(checked(transactions, lists).verdict, Verdict::ok);
  transactions.begin(TransactionStatus::committed).process = "2";
  transactions.add_list_read(key, so_far);
  transactions.add_list_read(transactions.key("y"), {});
  const TransactionReport report = checked(transactions, lists);
  EXPECT_EQ(report.verdict, Verdict::violated);
  ASSERT_EQ(report.anomalies.size(), 1U);
  EXPECT_EQ(report.anomalies[0].kind, AnomalyKind::g2);
}

}  // namespace
}  // namespace gainsay::check_test
