#include "gainsay/oracle/formats/history_file.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/complaint.test.hpp"

namespace gainsay::history_file_test {
namespace {

using testing::HasSubstr;

HistoryFile file(const std::string& text, HistoryFormat format = HistoryFormat::automatic) {
  TextSource source(text, "f");
  return read_history(source, format);
}

// One line per operation: `process function argument status result`.
std::string shown(const std::string& text, HistoryFormat format = HistoryFormat::automatic) {
  const HistoryFile read = file(text, format);
  std::string lines;
  for (const Operation& operation : read.history.operations()) {
    static const char* const statuses[] = {"ok", "fail", "info"};
    lines +=
        read.history.process_name(operation) + " " + to_text(*static_cast<const Call*>(operation.op.data())) +
        " " + statuses[static_cast<int>(operation.status)] + " " +
        (operation.result.has_value() ? to_text(*static_cast<const Datum*>(operation.result.data())) : "?") +
        "\n";
  }
  return lines;
}

std::string complaint(const std::string& text, HistoryFormat format = HistoryFormat::automatic) {
  return complaint_of([&] { file(text, format); });
}

std::string transactions_complaint(const std::string& text, TransactionModel model) {
  return complaint_of([&] {
    TextSource source(text, "f");
    read_transactions(source, model);
  });
}

TEST(HistoryFile, ReadsAJepsenLogWhereAFailedCasIsAnObservation) {
  const std::string log =
      "INFO  jepsen.util - 0\t:invoke\t:read\tnil\n"
      "INFO  jepsen.util - 1\t:invoke\t:cas\t[2 1]\n"
      "INFO  jepsen.core - Worker 3 starting\n"
      "INFO  jepsen.util - :nemesis\t:info\t:start\tnil\n"
      "INFO  jepsen.util - 0\t:ok\t:read\tnil\n"
      "INFO  jepsen.util - 1\t:fail\t:cas\t[2 1]\n"
      "INFO  jepsen.util - 0\t:invoke\t:write\t3\n"
      "INFO  jepsen.util - 0\t:info\t:write\t:timed-out\n"
      "INFO  jepsen.util - 1\t:invoke\t:read\tnil\n"
      "INFO  jepsen.util - 1\t:fail\t:read\t:timed-out\n"
      "INFO  jepsen.util - 5\t:invoke\t:cas\t[0 0]\n";
  EXPECT_EQ(file(log).format, HistoryFormat::jepsen_log);
  EXPECT_EQ(file(log).passed_over, 1U);
  EXPECT_EQ(shown(log),
            "0 read ok nil\n1 cas [2 1] ok false\n0 write 3 info ?\n1 read fail ?\n5 cas [0 0] info ?\n");
}

TEST(HistoryFile, ReadsEdnWhereAFailureNeverHappened) {
  const std::string edn =
      "; a comment\n[{:process 0, :type :invoke, :f :cas, :value [2 1]}\n"
      " {:process :nemesis, :type :info, :f :start}\n"
      " {:process 0, :type :fail, :f :cas, :value [2 1]}\n"
      " {:process 0 :type :invoke :f :read :value nil} {:process 0 :type :ok :f :read :value nil}\n"
      " {:process 1 :type :invoke :f :read :value nil} {:process 1 :type :ok :f :read :value 4}\n"
      " {:process 1 :type :invoke :f :cas :value [4 5]} {:process 1 :type :ok :f :cas :value [4 5]}\n"
      " {:process 2 :type :invoke :f :acquire} {:process 2 :type :ok :f :acquire}]\n";
  EXPECT_EQ(file(edn).format, HistoryFormat::edn);
  EXPECT_EQ(shown(edn),
            "0 cas [2 1] fail ?\n0 read ok ?\n1 read ok 4\n1 cas [4 5] ok true\n2 acquire ok true\n");
  EXPECT_EQ(shown("({:process 0 :type :invoke :f :read})"), "0 read info ?\n");
  EXPECT_EQ(shown("#jepsen.history.Op{:process 0 :type :invoke :f :read}"), "0 read info ?\n");
  EXPECT_EQ(shown("[]"), "");
}

// Jepsen's completions repeat the value that was asked for; taken for a position, it would contradict the log.
TEST(HistoryFile, AnAppendThatRepeatsItsValueSaysNothingAboutItsPosition) {
  const std::string begin =
      "{:process 0, :type :invoke, :f :append, :value 7}\n{:process 0, :type :ok, :f :append";
  EXPECT_EQ(shown(begin + ", :value 7}"), "0 append 7 ok ?\n");
  EXPECT_EQ(shown(begin + ", :value 0}"), "0 append 7 ok 0\n");
  EXPECT_EQ(shown("{\"process\":0,\"type\":\"invoke\",\"f\":\"append\",\"value\":0}\n"
                  "{\"process\":0,\"type\":\"ok\",\"value\":0}\n"),
            "0 append 0 ok 0\n")
      << "in our own format a value is a result";
}

TEST(HistoryFile, ReadsKeyValueText) {
  const std::string kv =
      "{:process 0, :type :invoke, :f :append, :key \"0\", :value \"x 0 0 y\"}\n"
      "{:process 1, :type :invoke, :f :get, :key \"0\", :value nil}\n"
      "{:process 0, :type :ok, :f :append, :key \"0\", :value \"x 0 0 y\"}\n"
      "{:process 1, :type :ok, :f :get, :key \"0\", :value \"\"}\n";
  EXPECT_EQ(file(kv).format, HistoryFormat::kv);
  EXPECT_EQ(file(kv).model, "kv");
  EXPECT_EQ(shown(kv), "0 append [\"0\" \"x 0 0 y\"] ok \"x 0 0 y\"\n1 get \"0\" ok \"\"\n");
}

TEST(HistoryFile, ReadsCallsAndReturnsOfLimo) {
  const std::string limo =
      "# from a paper\n# @object atomic-stack\n\n[1] call push(7)\n  [2] call pop\n[1] return\n[2] return 7\n"
      "[1] call pop()\n[1] return\n[1] call push a\n[1] return\n[3] call pop(9)\n[3] return\n[1] call pop\n"
      "[1] return empty\n[1] call pop\n";
  EXPECT_EQ(file(limo).format, HistoryFormat::limo);
  EXPECT_EQ(file(limo).model, "stack");
  EXPECT_EQ(shown(limo),
            "1 push 7 ok nil\n2 pop ok 7\n1 pop ok nil\n1 push \"a\" ok nil\n3 pop ok 9\n1 pop ok \"empty\"\n"
            "1 pop info ?\n");
  EXPECT_EQ(shown("[1] call enq(1)\n"), "1 enq 1 info ?\n");
}

TEST(HistoryFile, ReadsOwnJsonLines) {
  const std::string json =
      "{\"process\": \"a\", \"type\": \"invoke\", \"f\": \"cas\", \"value\": [2, 1], \"time\": 5, \"id\": "
      "8}\n\n"
      "{\"process\": \"a\", \"type\": \"ok\", \"value\": false, \"time\": 6}\n"
      "{\"process\": 1, \"type\": \"invoke\", \"f\": \"read\"}\n{\"process\": 1, \"type\": \"ok\", "
      "\"value\": null}\n"
      "{\"process\": 1, \"type\": \"invoke\", \"f\": \"read\"}\n{\"process\": 1, \"type\": \"ok\"}\n"
      "{\"process\": 1, \"type\": \"invoke\", \"f\": \"put\", \"key\": \"k\", \"value\": {\"a\": [1.5, "
      "true]}}\n"
      "{\"process\": 1, \"type\": \"fail\"}\n";
  EXPECT_EQ(file(json).format, HistoryFormat::json);
  EXPECT_EQ(
      shown(json),
      "a cas [2 1] ok false\n1 read ok nil\n1 read ok ?\n1 put [\"k\" [[\"a\" [\"1.5\" true]]]] fail ?\n");
  EXPECT_EQ(file(json).history[0].id, 8U);
}

TEST(HistoryFile, ReadsJepsensMapsAsAJsonArray) {
  const std::string json =
      "[{\"process\":94,\"type\":\"invoke\",\"f\":\"read\",\"value\":null},\n"
      "{\"process\":94,\"type\":\"ok\",\"f\":\"read\",\"value\":null},{\"process\":\"nemesis\",\"type\":"
      "\"info\"},"
      "{\"process\":1,\"type\":\"invoke\",\"f\":\"cas\",\"value\":[3,4]},"
      "{\"process\":1,\"type\":\"fail\",\"f\":\"cas\",\"value\":[3,4]}]\n";
  EXPECT_EQ(file(json).format, HistoryFormat::jepsen_json);
  EXPECT_EQ(shown(json), "94 read ok ?\n1 cas [3 4] fail ?\n");
}

TEST(HistoryFile, ComplaintsNameFileAndLineAndWhatWasExpected) {
  EXPECT_THAT(complaint(""), HasSubstr("f: is empty; expected a history"));
  EXPECT_THAT(complaint("hello\n"),
              HasSubstr("f:1: not a history in any known format (json, jepsen-json, edn"));
  EXPECT_THAT(complaint("[{:process 0, :type :invoke, :f :read}\n{:process 0, :ty"),
              HasSubstr("f:2: the file ends in the middle; expected another value"));
  EXPECT_THAT(complaint("{:process 0, :type :begin}"),
              HasSubstr("f:1: unknown :type \"begin\"; expected :invoke"));
  EXPECT_THAT(complaint("{:process 0}"), HasSubstr("f:1: this event has no :type"));
  EXPECT_THAT(complaint("{:type :invoke}"), HasSubstr("f:1: this event has no :process"));
  EXPECT_THAT(complaint("{:process 0 :type :invoke}"),
              HasSubstr("f:1: process 0 invokes something without a name"));
  EXPECT_THAT(complaint("{:process 0 :type :ok :f :read}"), HasSubstr("f:1: process 0 has a return"));
  EXPECT_THAT(complaint("{:process 0 :type :invoke :f :read}\n{:process 0 :type :invoke :f :read}"),
              HasSubstr("f:2: process 0 invokes again"));
  EXPECT_THAT(complaint("{:process 0 :type :invoke :f :read}\n{:process 0 :type :ok :f :write}"),
              HasSubstr("f:2: process 0 returns from write, but it invoked read"));
  EXPECT_THAT(complaint("[{:process 0 :type :invoke :f :read} 3]"),
              HasSubstr("f:1: expected an event as a map"));
  EXPECT_THAT(complaint("[] []"), HasSubstr("f:1: more follows"));
  EXPECT_THAT(complaint("INFO jepsen.util - 0 :invoke :read"), HasSubstr("f:1: the line ends after :read"));
  EXPECT_THAT(complaint("INFO jepsen.util - 0 :begin :read nil"), HasSubstr("f:1: unknown type :begin"));
  EXPECT_THAT(complaint("# @object atomic-stack\n[1] calls push(1)"),
              HasSubstr("f:2: expected `call` or `return`"));
  EXPECT_THAT(complaint("# @object atomic-stack\n[1] call push"),
              HasSubstr("f:2: expected a value, push(VALUE)"));
  EXPECT_THAT(complaint("{\"process\": 1, \"type\": \"invoke\", \"f\": \"read\"\n"),
              HasSubstr("f:1: not well-formed JSON near"));
  EXPECT_THAT(complaint("{\"process\": 1, \"type\": \"invoke\", \"f\": \"read\"}\n7\n"),
              HasSubstr("f:2: expected an event as an object"));
  EXPECT_THAT(complaint("{\"process\": 1, \"type\": \"begin\"}"), HasSubstr("f:1: unknown type \"begin\""));
  EXPECT_THAT(complaint("{\"process\":1,\"type\":\"invoke\",\"f\":\"r\",\"time\":9}\n"
                        "{\"process\":1,\"type\":\"ok\",\"time\":8}"),
              HasSubstr("the clock goes back"));
  EXPECT_THAT(complaint("{\"process\": 1, \"value\": " + std::string(500, '[')),
              HasSubstr("nested deeper than 100"));
  EXPECT_THAT(complaint("[{:process 0 :type :invoke :f :read}]", HistoryFormat::json),
              HasSubstr("f:1: expected an event as an object"));
}

TEST(HistoryFile, ComplaintsAboutTransactionsNameTheOperation) {
  EXPECT_THAT(transactions_complaint("{:process 0 :type :invoke :value 3}\n{:process 0 :type :ok :value 3}",
                                     TransactionModel::list_append),
              HasSubstr("f:2: expected operations [:append KEY VALUE] or [:r KEY LIST], not 3"));
  EXPECT_THAT(
      transactions_complaint("{:process 0 :type :invoke :value [[:w :x 3]]}", TransactionModel::list_append),
      HasSubstr("f:1: expected operations [:append KEY VALUE] or [:r KEY LIST], not [\"w\" \"x\" 3]"));
  EXPECT_THAT(transactions_complaint("{:process 0 :type :ok :value []}", TransactionModel::rw_register),
              HasSubstr("f:1: process 0 has ok without an invocation"));
}

TEST(HistoryFile, AFileIsReadInBlocks) {
  const auto path =
      std::filesystem::path(testing::TempDir()) / ("gainsay-blocks-" + std::to_string(getpid()));
  constexpr int count = 20'000;  // about 1.5 MB: several blocks
  {
    std::ofstream out(path);
    for (int i = 0; i < count; ++i) {
      out << "INFO  jepsen.util - " << i % 7 << "\t:invoke\t:write\t" << i << "\n";
      out << "INFO  jepsen.util - " << i % 7 << "\t:ok\t:write\t" << i << "\r\n";
    }
  }
  const HistoryFile read = read_history_file(path.string());
  ASSERT_EQ(read.history.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(to_text(*static_cast<const Call*>(read.history[count - 1].op.data())), "write 19999");
  EXPECT_EQ(read.history[count - 1].source, "line 39999");
  std::filesystem::remove(path);
  EXPECT_THROW(read_history_file(path.string()), UserError);
  EXPECT_THROW(read_history_file(testing::TempDir()), UserError);
}

}  // namespace
}  // namespace gainsay::history_file_test
