#include "gainsay/report/history_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gainsay/oracle/specs/register.hpp"
#include "gainsay/report/history_html.hpp"
#include "gainsay/report/page.hpp"

namespace gainsay {
namespace {

using testing::HasSubstr;
using testing::Not;
using Register = specs::Register<int>;

// What a checker would say about: write(1) complete, then a read that says 0.
struct StaleRead {
  History history;
  CheckResult result;

  explicit StaleRead(int writes_before = 0) {
    for (int i = 0; i < writes_before; ++i) {
      history.invoke("w", Register::Op(Register::Write{100 + i}));
      history.ok("w", Register::Result(specs::Done{}));
    }
    const std::size_t write = history.invoke("a", Register::Op(Register::Write{1}));
    history.invoke("</script>", Register::Op(Register::Write{7}));
    history.ok("a", Register::Result(specs::Done{}));
    const std::size_t read = history.invoke("b", Register::Op(Register::Read{}));
    history.ok("b", Register::Result(0));
    result.verdict = Verdict::violated;
    result.operations = history.size();
    result.parts = 1;
    result.steps = 5;
    result.explanation.culprit = read;
    result.explanation.why = "b: read -> 0 cannot be placed: the register holds 1";
    result.explanation.contradiction = {write, read};
    result.explanation.contradiction_is_minimal = true;
    Explanation::Attempt attempt;
    for (std::size_t i = 0; i <= write; ++i) attempt.order.push_back(i);
    attempt.state = "1";
    attempt.next = {{read, "read -> 0, but the register holds 1"}};
    result.explanation.attempts = {attempt};
  }

  HistoryReport report(const HistoryReportOptions& options = {}) const {
    HistoryReport made =
        history_report(history, spec_type<Register>(), AnyValue::of(Register{}), result, options);
    made.file = "stale<read>.edn";
    made.model = "register";
    made.consistency = "linearizable";
    return made;
  }
};

TEST(HistoryReport, NamesTheOffendingOperationAndDrawsIt) {
  ShowOptions options;
  options.ascii = true;
  const std::string text = history_text(StaleRead().report(), options);
  EXPECT_THAT(text, HasSubstr("violated: stale<read>.edn is not a linearizable register history\n"));
  EXPECT_THAT(text, HasSubstr("because: b: read -> 0 cannot be placed: the register holds 1\n"));
  EXPECT_THAT(text, HasSubstr("read -> 0 <- cannot be placed"));
  EXPECT_THAT(text, HasSubstr("write(7) (no outcome)"));
  EXPECT_THAT(text, HasSubstr("  1. write(1)   now 1\n"));
  EXPECT_THAT(text, HasSubstr("  then not read -> 0 by process b: read -> 0, but the register holds 1\n"));
  EXPECT_THAT(text, HasSubstr("These 2 operations alone cannot all be right; without any one of them"));
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    if (text[at] != 'X') continue;
    EXPECT_THAT(text.substr(at, text.find('\n', at) - at), HasSubstr("read -> 0"));
  }
}

TEST(HistoryReport, OneOperationAloneIsSpokenOfAsOne) {
  StaleRead stale;
  stale.result.explanation.contradiction.erase(stale.result.explanation.contradiction.begin());
  EXPECT_THAT(history_text(stale.report(), {}),
              HasSubstr("This operation alone is wrong, whatever the others did:\n"));
}

TEST(HistoryReport, LargeHistoriesAreShownAroundTheContradiction) {
  HistoryReportOptions options;
  options.bars_max = 10;
  const HistoryReport report = StaleRead(500).report(options);
  EXPECT_EQ(report.bars.size(), 10U);
  EXPECT_THAT(report.left_out, HasSubstr("10 of 503 operations are shown; 493 are omitted"));
  EXPECT_TRUE(report.bars.back().offending);
  EXPECT_TRUE(report.bars.back().contradicts);
  EXPECT_EQ(report.bars.back().number, 503U);
  const std::size_t empty = html_page("", "", "{\"kind\":\"history\"}").size();
  EXPECT_LT(history_page({report}).size(), empty + 40'000U);
  EXPECT_LT(history_page({StaleRead(20'000).report()}).size(), empty + 200'000U);
}

TEST(HistoryReport, JsonHasThePromisedFields) {
  const auto json = nlohmann::json::parse(json_text(std::vector{StaleRead().report()}));
  for (const char* key : {"file", "model", "operations", "verdict", "elapsed_s", "steps", "explanation"})
    EXPECT_TRUE(json[0].contains(key)) << key;
  EXPECT_EQ(json[0]["verdict"], "violated");
  EXPECT_EQ(json[0]["operations"], 3);
  EXPECT_EQ(json[0]["offending"]["text"], "read -> 0");
  EXPECT_EQ(json[0]["contradiction"].size(), 2U);
}

TEST(HistoryReport, ExitCodesOfMany) {
  HistoryReport ok;
  ok.verdict = Verdict::ok;
  HistoryReport bad = ok;
  bad.verdict = Verdict::violated;
  HistoryReport unknown;
  HistoryReport unread;
  unread.error = "f: cannot be read";
  EXPECT_EQ(exit_code({ok, ok}), 0);
  EXPECT_EQ(exit_code({ok, unknown}), 3);
  EXPECT_EQ(exit_code({unknown, bad, ok}), 1);
  EXPECT_EQ(exit_code({bad, unread}), 2);
  EXPECT_EQ(summary_line({ok, bad, unknown, unread}),
            "4 files, 0 operations: 1 ok, 1 violated, 1 unknown, 1 could not be read\n");
}

TEST(HistoryPage, DataCannotEndTheScript) {
  const std::string page = history_page({StaleRead().report()});
  const std::size_t data = page.find("id=\"data\">");
  ASSERT_NE(data, std::string::npos);
  const std::string block = page.substr(data + 10, page.find("</script>", data) - data - 10);
  EXPECT_NO_THROW({
    const auto parsed = nlohmann::json::parse(block);
    EXPECT_EQ(parsed["histories"][0]["bars"][1]["process"], "</script>");
  });
  EXPECT_THAT(page, HasSubstr("stale&lt;read&gt;.edn"));
  EXPECT_THAT(page, Not(HasSubstr("http://www.w3.org/1999")));
}

}  // namespace
}  // namespace gainsay
