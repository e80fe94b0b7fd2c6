#include "gainsay/report/trace_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gainsay/report/page.hpp"

namespace gainsay {
namespace {

using testing::HasSubstr;
using testing::Not;

TraceDocument two_steps(const std::string& text) {
  TraceDocument document;
  document.scenario = text;
  document.actors = {"a", text};
  DocumentStep first;
  first.kind = EventKind::start;
  first.to = "a";
  first.id = EventId{1};
  DocumentStep second;
  second.to = text;
  second.from = "a";
  second.id = EventId{2};
  second.message = text;
  second.parent = 0;
  second.choices = {{1, 3}};
  second.changes = {text};
  document.steps = {first, second};
  document.violation = Violation{text, text, nobody, 1};
  document.end = "violated";
  return document;
}

nlohmann::json data_of(const std::string& page) {
  const std::size_t begin = page.find("id=\"data\">") + 10;
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(TracePage, DataIsTheTraceWithEachTextOnce) {
  const auto data = data_of(trace_page({two_steps("x{y: 1}"), "file.trace"}));
  EXPECT_EQ(data["kind"], "trace");
  const auto& trace = data["traces"][0];
  EXPECT_EQ(trace["strings"], nlohmann::json({"a", "x{y: 1}"}));
  EXPECT_EQ(trace["steps"][0], nlohmann::json({{"k", "start"}, {"i", "0000000000000001"}, {"t", 0}}));
  EXPECT_EQ(trace["steps"][1]["m"], 1);
  EXPECT_EQ(trace["steps"][1]["p"], 0);
  EXPECT_EQ(trace["steps"][1]["h"][0], nlohmann::json({1, 3}));
  EXPECT_EQ(trace["violation"]["step"], 1);
  EXPECT_FALSE(trace.contains("sight"));
}

TEST(TracePage, ChoicesWithANameAndWhatWasStoredAreInWords) {
  TraceDocument document = two_steps("m");
  document.steps[1].choices = {{1, 3}, {2, 4}, DataChoice::time(3'000'000)};
  document.steps[1].labels = {"", "victim", ""};
  document.steps[1].disk = {"stores D{n: 1}"};
  const auto data = data_of(trace_page({document, "f"}));
  const auto& trace = data["traces"][0];
  EXPECT_EQ(trace["steps"][1]["h"],
            nlohmann::json({{1, 3}, {2, 4, "victim: 2 of 0..3"}, {0, 0, "the clock shows 3ms"}}));
  ASSERT_EQ(trace["steps"][1]["w"].size(), 1U);
  EXPECT_EQ(trace["strings"][trace["steps"][1]["w"][0].get<std::size_t>()], "stores D{n: 1}");
}

TEST(TracePage, HostileTextsStayInTheData) {
  const std::string hostile = "</script><script>x()</script><!--\"'&\x01\xff";
  const std::string page = trace_page({two_steps(hostile), hostile});
  EXPECT_THAT(page, Not(HasSubstr("<script>x()")));
  EXPECT_THAT(data_of(page)["traces"][0]["violation"]["message"].get<std::string>(), HasSubstr("</script>"));
  EXPECT_THAT(page, HasSubstr("&lt;/script&gt;"));  // the title, and what is read without a script
}

TEST(TracePage, SightIsInRowsOfNumbers) {
  SeenTrace seen{two_steps("m"), "f"};
  seen.sight.emplace();
  seen.sight->monitors = {"calm"};
  seen.sight->states = {{0, "a", "A{n: 0}"}, {1, "a", "A{n: 1}"}, {1, "nobody knows it", "x"}};
  seen.sight->disks = {{1, "a", "D{n: 1}"}};
  seen.sight->created = {{0, EventId{2}, EventKind::deliver, "m", "m to m", 1},
                         {1, EventId{3}, EventKind::deliver, "a", "left to a", std::nullopt}};
  seen.sight->heat = {{1, 0, TraceSight::Warmth::hot, "an answer"}};
  seen.sight->operations = {{"client", "read", "1", 0, no_step, ""}};
  const auto data = data_of(trace_page(seen));
  const auto& sight = data["traces"][0]["sight"];
  EXPECT_EQ(sight["states"].size(), 2U);
  EXPECT_EQ(sight["states"][1][0], 1);
  EXPECT_EQ(sight["disks"].size(), 1U);
  EXPECT_EQ(sight["created"][0][4], 1);
  EXPECT_EQ(sight["created"][1][4], -1);
  EXPECT_EQ(sight["heat"][0][2], 2);
  EXPECT_EQ(sight["operations"][0][4], no_step);
}

TEST(TracePage, ComparisonHasBoth) {
  const auto data = data_of(comparison_page({two_steps("left"), "1"}, {two_steps("right"), "2"}));
  EXPECT_EQ(data["kind"], "compare");
  EXPECT_EQ(data["traces"][0]["scenario"], "left");
  EXPECT_EQ(data["traces"][1]["file"], "2");
}

TEST(Page, EveryPageIsSmallAndAsksForNothing) {
  const std::string page = html_page("t", "s", "{\"kind\":\"trace\"}");
  EXPECT_LT(page.size(), 300'000U);
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(std::string(page_script), Not(HasSubstr("\nimport ")));
  EXPECT_THAT(std::string(page_script), Not(HasSubstr("\nexport ")));
}

}  // namespace
}  // namespace gainsay
