#include "tools/ci_report.hpp"

#include <nlohmann/json.hpp>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/gainsay.hpp"
#include "tools/cli_test.hpp"

namespace gainsay::ci_report_test {
namespace {

using namespace gainsay::tools;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

CiCase bad_case() {
  CiCase each{"scenario", 1, "rule: says", "replay it"};
  each.findings.push_back(
      {"rule", "line one\nline two: 100%, \"quoted\"", false, {"/somewhere/a b.cpp", 7}, "t.trace"});
  return each;
}

TEST(CiReport, SarifHasThePlaceAndTheTrace) {
  const json log = json::parse(sarif_text("hunt", {bad_case(), {"fine", 0}}));
  EXPECT_EQ(log["version"], "2.1.0");
  const json& run = log["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["rules"].size(), 1U);
  ASSERT_EQ(run["results"].size(), 1U);
  const json& physical = run["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(physical["artifactLocation"]["uri"], "file:///somewhere/a%20b.cpp");
  EXPECT_EQ(physical["region"]["startLine"], 7);
  EXPECT_EQ(run["results"][0]["relatedLocations"].size(), 1U);
  EXPECT_TRUE(run["invocations"][0]["executionSuccessful"]);
}

TEST(CiReport, WithoutAPlaceTheTraceIsTheLocation) {
  CiCase each = bad_case();
  each.findings[0].place = {};
  const json run = json::parse(sarif_text("hunt", {each}))["runs"][0];
  const std::string uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
  EXPECT_TRUE(uri.ends_with("t.trace")) << uri;
  EXPECT_FALSE(run["results"][0].contains("relatedLocations"));
}

TEST(CiReport, WhatWasNotDecidedIsANotificationAndNoResult) {
  const json run = json::parse(sarif_text("hunt", {{"scenario", 3, "--max-states"}}))["runs"][0];
  EXPECT_TRUE(run["results"].empty());
  EXPECT_FALSE(run["invocations"][0]["executionSuccessful"]);
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"][0]["level"], "warning");
}

TEST(CiReport, OneRuleForManyFindings) {
  const json run = json::parse(sarif_text("hunt", {bad_case(), bad_case()}))["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["rules"].size(), 1U);
  EXPECT_EQ(run["results"][1]["ruleIndex"], 0);
}

// Nothing of a text may end the line, or begin another property.
TEST(CiReport, AnnotationsAreOneLineEach) {
  CiCase each = bad_case();
  each.name = "a,line=9::b";
  const std::string text = annotations_text({each});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_THAT(text,
              HasSubstr("::error file=/somewhere/a b.cpp,line=7,title=a%2Cline=9%3A%3Ab%3A rule::line one"));
  EXPECT_THAT(text, HasSubstr("100%25"));
  each.findings[0].suspected = true;
  EXPECT_THAT(annotations_text({each}), testing::StartsWith("::warning "));
}

TEST(CiReport, JunitEscapesAndKeepsLines) {
  CiCase each = bad_case();
  each.name = "<a&\"b\">\x01";
  each.detail = "one\n]]> <two>";
  const std::string text = junit_text("suite", "group", {each, {"fine", 0}, {"unknown", 3, "why"}});
  EXPECT_THAT(text, HasSubstr("tests=\"3\" failures=\"1\" errors=\"1\""));
  EXPECT_THAT(text, HasSubstr("name=\"&lt;a&amp;&quot;b&quot;&gt;"));
  EXPECT_THAT(text, HasSubstr(">one\n]]&gt; &lt;two&gt;</failure>"));
  EXPECT_THAT(text, Not(HasSubstr("\x01")));
}

TEST(CiReport, ACaseGoesFromProcessToProcess) {
  const CiCase each = bad_case();
  const CiCase read = read_ci_case(ci_case_json(each));
  EXPECT_EQ(read.name, each.name);
  EXPECT_EQ(read.findings[0].message, each.findings[0].message);
  EXPECT_EQ(read.findings[0].place, each.findings[0].place);
  EXPECT_EQ(read.findings[0].artifact, "t.trace");
}

struct Poke {};
constexpr std::uint32_t check_line = __LINE__ + 3;
struct Fragile {
  using Receives = Messages<Poke>;
  void on(const Poke&, Context& ctx) { ctx.check(false, "it broke"); }
};

// The line of a failed check, of a property, and of the scenario where neither is known.
TEST(CiReport, FindingsPointAtWhatIsViolated) {
  std::uint32_t property_line = 0;
  const auto body = [&](World& world) {
    const auto actor = world.spawn<Fragile>("actor");
    world.send(actor, Poke{});
    property_line = __LINE__ + 1;
    world.always("whole", [](View) -> Complaint { return {}; });
  };
  const Scenario scenario = Scenario::of("fragile", body).at("scenarios.cpp", 3);
  HuntOptions options;
  options.runs = 1;
  std::vector<FoundViolation> found = hunt(scenario, {}, options).violations;
  ASSERT_EQ(found.size(), 1U);
  found.emplace_back().violation.property = "whole";
  found.emplace_back().violation.property = violation_name(ViolationKind::fatal_error);
  const CiCase said = ci_case(scenario, {}, found, {"1.trace"}, 1, "");
  ASSERT_EQ(said.findings.size(), 3U);
  EXPECT_EQ(said.message, "check: it broke");
  EXPECT_EQ(said.findings[0].artifact, "1.trace");
  EXPECT_EQ(said.findings[0].place, SourcePlace(__FILE__, check_line));
  EXPECT_EQ(said.findings[1].place, SourcePlace(__FILE__, property_line));
  EXPECT_EQ(said.findings[2].place, SourcePlace("scenarios.cpp", 3));
}

// Of several checks with one message the least place counts, whoever failed first.
TEST(CiReport, AFailedCheckIsFoundByItsMessage) {
  EXPECT_FALSE(place_of_failed_check("said by nobody"));
  const auto first = std::source_location::current();
  const auto second = std::source_location::current();
  note_failed_check("said twice", second);
  note_failed_check("said twice", first);
  EXPECT_EQ(place_of_failed_check("said twice")->line, first.line());
}

}  // namespace
}  // namespace gainsay::ci_report_test
