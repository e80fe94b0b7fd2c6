#include <csignal>
#include <thread>

#include "tools/cli_test.hpp"

namespace gainsay::cli_test {
namespace {

class CheckVerb : public CommandLine {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return in_folder(name);
  }
  std::string good() const {
    return file("good.edn",
                "{:process 0 :type :invoke :f :write :value 1}\n{:process 0 :type :ok :f :write :value 1}\n"
                "{:process 1 :type :invoke :f :read :value nil}\n{:process 1 :type :ok :f :read :value 1}\n");
  }
  std::string stale() const {
    return file("stale.edn",
                "{:process 0 :type :invoke :f :write :value 1}\n{:process 0 :type :ok :f :write :value 1}\n"
                "{:process 0 :type :invoke :f :write :value 2}\n{:process 0 :type :ok :f :write :value 2}\n"
                "{:process 1 :type :invoke :f :read :value nil}\n{:process 1 :type :ok :f :read :value 1}\n");
  }
};

TEST_F(CheckVerb, OneFileIsExplained) {
  const Said ok = gainsay_with({"check", good(), "--model", "register"});
  EXPECT_EQ(ok.code, 0) << ok.err;
  EXPECT_THAT(ok.out, HasSubstr("good.edn is a linearizable register history"));
  const Said bad = gainsay_with({"check", stale(), "--model", "register"});
  EXPECT_EQ(bad.code, 1) << bad.err;
  EXPECT_THAT(bad.out, HasSubstr("stale.edn is not a linearizable register history"));
  EXPECT_THAT(bad.out, HasSubstr("read -> 1"));
  EXPECT_THAT(bad.out, HasSubstr("cannot be placed"));
  // One operation that is wrong by itself: orders have nothing to do with it.
  const std::string never = file("never.edn",
                                 "{:process 0 :type :invoke :f :write :value 1}\n"
                                 "{:process 0 :type :ok :f :write :value 1}\n"
                                 "{:process 1 :type :invoke :f :read :value nil}\n"
                                 "{:process 1 :type :ok :f :read :value 0}\n");
  const Said alone = gainsay_with({"check", never, "--model", "register"});
  EXPECT_EQ(alone.code, 1) << alone.err;
  EXPECT_THAT(alone.out, HasSubstr("read -> 0 cannot be placed: nobody wrote that value"));
  EXPECT_THAT(alone.out,
              HasSubstr("This operation alone is wrong, whatever the others did:\n  #2 read -> 0"));
  EXPECT_THAT(alone.out, testing::Not(HasSubstr("The longest order")));
  // Nothing orders different processes in sequential consistency.
  EXPECT_EQ(gainsay_with({"check", stale(), "--model", "register", "--consistency", "sequential"}).code, 0);
}

TEST_F(CheckVerb, ManyFilesTakeALineEach) {
  const std::string missing = in_folder("missing.edn");
  for (const char* jobs : {"1", "3"}) {
    const Said said =
        gainsay_with({"check", good(), stale(), missing, "--model", "cas-register", "--jobs", jobs});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.out, StartsWith("ok        "));
    EXPECT_THAT(said.out, HasSubstr("\nviolated  "));
    EXPECT_THAT(said.out, HasSubstr("\nerror     " + missing + ": cannot be read: No such file"));
    EXPECT_THAT(said.out,
                HasSubstr("3 files, 5 operations: 1 ok, 1 violated, 0 unknown, 1 could not be read\n"));
  }
}

TEST_F(CheckVerb, JsonIsAList) {
  const Said said = gainsay_with({"check", good(), stale(), "--model", "register", "--json"});
  EXPECT_EQ(said.code, 1);
  const json list = json::parse(said.out);
  ASSERT_EQ(list.size(), 2U);
  for (const char* key : {"file", "model", "operations", "verdict", "elapsed_s", "steps", "explanation"})
    EXPECT_TRUE(list[0].contains(key)) << key;
  EXPECT_EQ(list[0]["verdict"], "ok");
  EXPECT_EQ(list[0]["linearization"], (std::vector<int>{1, 2}));
  EXPECT_EQ(list[1]["verdict"], "violated");
  EXPECT_EQ(list[1]["operations"], 3);
}

TEST_F(CheckVerb, JsonSaysHowLongALinearizationIsAndShowsItsBeginning) {
  std::string text;
  for (int i = 0; i < 10'001; ++i)
    text += "{:process 0 :type :invoke :f :write :value 1}\n{:process 0 :type :ok :f :write :value 1}\n";
  const std::string written = file("long.edn", text);
  const json cut = json::parse(gainsay_with({"check", written, "--model", "register", "--json"}).out);
  EXPECT_EQ(cut[0]["linearization"].size(), 10'000U);
  EXPECT_EQ(cut[0]["linearization_length"], 10'001);
  const json whole =
      json::parse(gainsay_with({"check", written, "--model", "register", "--json", "--whole"}).out);
  EXPECT_EQ(whole[0]["linearization"].size(), 10'001U);
}

// A search that would take for ever: concurrent additions, and a sum that none of their subsets has.
TEST_F(CheckVerb, CtrlCReportsWhatWasFoundSoFar) {
  std::string text;
  const auto event = [&](int process, const char* type, const char* what, long long value) {
    text += fmt::format("{{:process {} :type :{} :f :{} :value {}}}\n", process, type, what, value);
  };
  long long sum = 0;
  for (int i = 0; i < 40; ++i) event(i, "invoke", "add", (2LL << i) - (i % 2 == 0 ? 1 : 0));
  event(40, "invoke", "add-and-get", 0);
  for (int i = 0; i < 40; ++i) {
    event(i, "ok", "add", (2LL << i) - (i % 2 == 0 ? 1 : 0));
    sum += (2LL << i) - (i % 2 == 0 ? 1 : 0);
  }
  event(40, "ok", "add-and-get", sum + 1);
  const std::string endless = file("endless.edn", text);
  for (const Words& files : {Words{endless}, Words{endless, endless, endless}}) {
    std::thread presses([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      std::raise(SIGINT);
    });
    Words words = {"check", "--model", "counter", "--time", "30s"};
    words.insert(words.end(), files.begin(), files.end());
    const auto started = std::chrono::steady_clock::now();
    const Said said = gainsay_with(words);
    presses.join();
    EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(20));
    EXPECT_EQ(said.code, 3) << said.out << said.err;
    if (files.size() == 1) {
      EXPECT_THAT(said.out, StartsWith("unknown: "));
      EXPECT_THAT(said.out, HasSubstr("interrupted"));
      EXPECT_THAT(said.out, HasSubstr("The longest order found"));
    } else {
      EXPECT_THAT(said.out, HasSubstr("interrupted before it was checked")) << "the third file";
      EXPECT_THAT(said.out, HasSubstr("3 files"));
    }
  }
}

TEST_F(CheckVerb, APageIsWritten) {
  const Said said = gainsay_with({"check", stale(), "--model", "register", "--html", in_folder("page.html")});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(file_text(in_folder("page.html")),
              HasSubstr("\"offending\":\"read -> 1 by process 1 (line 5)\""));
}

TEST_F(CheckVerb, TransactionsAreChecked) {
  const std::string skew = file("skew.edn",
                                "{:process 0 :type :invoke :f :txn :value [[:r :x nil] [:append :y 1]]}\n"
                                "{:process 1 :type :invoke :f :txn :value [[:r :y nil] [:append :x 1]]}\n"
                                "{:process 0 :type :ok :f :txn :value [[:r :x []] [:append :y 1]]}\n"
                                "{:process 1 :type :ok :f :txn :value [[:r :y []] [:append :x 1]]}\n");
  const Said said = gainsay_with({"check", skew, "--model", "list-append"});
  EXPECT_EQ(said.code, 1) << said.err;
  EXPECT_THAT(said.out, HasSubstr("skew.edn is not a serializable list-append history"));
  EXPECT_THAT(said.out, HasSubstr("G2 (a cycle with at least two reads of something older)"));
  EXPECT_THAT(said.out, HasSubstr("T1 < T2, because T1 read key x before anything was appended to it"));
  EXPECT_EQ(
      gainsay_with({"check", skew, "--model", "list-append", "--consistency", "snapshot-isolation"}).code, 0);
}

TEST_F(CheckVerb, BadInputIsOneClearLine) {
  const auto complaint = [&](const Words& words) {
    Words all = {"check"};
    all.insert(all.end(), words.begin(), words.end());
    const Said said = gainsay_with(all);
    EXPECT_EQ(said.code, 2) << said.out;
    EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
    return said.err;
  };
  EXPECT_THAT(complaint({}), HasSubstr("check needs at least one FILE"));
  EXPECT_THAT(complaint({good()}), HasSubstr("good.edn: the file does not name its model; expected --model"));
  EXPECT_THAT(complaint({good(), "--model", "registre"}),
              HasSubstr("unknown model, did you mean 'register'?"));
  EXPECT_THAT(complaint({good(), "--model", "queue"}),
              HasSubstr("good.edn:1: the model queue has no operation 'write'"));
  EXPECT_THAT(complaint({good(), "--model", "list-append"}),
              HasSubstr("good.edn:2: expected operations [:append"));
  EXPECT_THAT(complaint({good(), "--model", "register", "--format", "ednn"}),
              HasSubstr("did you mean 'edn'?"));
  EXPECT_THAT(complaint({good(), "--model", "register", "--consistency", "serializable"}),
              HasSubstr("cannot be used with --model register; expected linearizable or sequential"));
  EXPECT_THAT(complaint({good(), "--model", "queue", "--initial", "3"}), HasSubstr("has no initial value"));
  EXPECT_THAT(complaint({good(), "--model", "register", "--initial", "[1"}),
              HasSubstr("--initial:1: the file ends"));
  EXPECT_THAT(complaint({file("cut.edn", "[{:process 0 :type :invoke :f :re"), "--model", "register"}),
              HasSubstr("cut.edn:1: the file ends"));
  EXPECT_THAT(complaint({file("empty.edn", ""), "--model", "register"}), HasSubstr("empty.edn: is empty"));
  EXPECT_THAT(complaint({folder_.string(), "--model", "register"}), HasSubstr("is a folder"));
}

TEST_F(CheckVerb, AnInputInWhichNothingIsRecognisedIsUnknown) {
  for (const char* model : {"register", "list-append", "rw-register"}) {
    const Said said = gainsay_with({"check", file("none.edn", "[]"), "--model", model});
    EXPECT_EQ(said.code, 3) << model;
    EXPECT_THAT(said.out, HasSubstr("unknown: ")) << model;
    EXPECT_THAT(said.out, HasSubstr("no operation was recognised")) << model;
  }
}

TEST_F(CheckVerb, RegistersOfTransactionsSayWhatOkMeans) {
  const std::string one = file("one.edn",
                               "{:process 0, :type :invoke, :f :txn, :value [[:w 1 1]]}\n"
                               "{:process 0, :type :ok, :f :txn, :value [[:w 1 1]]}\n");
  const Said said = gainsay_with({"check", one, "--model", "rw-register"});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.out, HasSubstr("ok: no anomaly was found"));
  EXPECT_THAT(said.out, HasSubstr("not that the history is right"));
}

TEST_F(CheckVerb, TheFirstValueCanBeSaid) {
  const std::string zero =
      file("zero.log", "INFO jepsen.util - 0 :invoke :read nil\nINFO jepsen.util - 0 :ok :read 0\n");
  EXPECT_EQ(gainsay_with({"check", zero, "--model", "register"}).code, 1);
  EXPECT_EQ(gainsay_with({"check", zero, "--model", "register", "--initial", "0"}).code, 0);
}

}  // namespace
}  // namespace gainsay::cli_test
