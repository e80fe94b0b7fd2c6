#include "gainsay/report/json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gainsay {
namespace {

using nlohmann::json;

TEST(HuntJson, HasEveryPromisedField) {
  HuntResult r;
  r.scenario = "s";
  r.options = {{"bug", "none"}};
  r.steps_max_seen = 7;
  r.steps_max = 100;
  const json empty = json::parse(json_text(r, SummaryOptions{}));
  EXPECT_EQ(empty["options"], (json{{"bug", "none"}}));
  EXPECT_EQ(empty["steps_max"], 7);
  EXPECT_EQ(empty["steps_bound"], 100);
  EXPECT_TRUE(empty["first_bug_run"].is_null());
  EXPECT_EQ(empty["violations"], json::array());
  EXPECT_EQ(empty["warnings"], json::array());
  EXPECT_EQ(empty["guarantee"]["statement"], "none known");
  EXPECT_TRUE(empty["guarantee"]["per_run"].is_null());
}

TEST(HuntJson, TellsWhereTracesAre) {
  HuntResult r;
  r.violations.resize(2);
  r.violations[0].violation = {"agreement", "two\nleaders", ActorId{}, 3};
  r.violations[0].runs = 5;
  r.violations[0].first_run = 9;
  r.first_bug_run = 9;
  SummaryOptions options;
  options.program = "./p";
  options.trace_files = {"a b.trace"};
  const json document = json::parse(json_text(r, options));
  EXPECT_EQ(document["first_bug_run"], 9);
  EXPECT_EQ(document["verdict"], "violated");
  const json& first = document["violations"][0];
  EXPECT_EQ(first["message"], "two\nleaders");
  EXPECT_EQ(first["runs"], 5);
  EXPECT_EQ(first["step"], 4);  // a person counts from 1
  EXPECT_EQ(first["trace_file"], "a b.trace");
  EXPECT_EQ(first["replay"], "./p replay 'a b.trace'");
  EXPECT_TRUE(document["violations"][1]["trace_file"].is_null());
}

TEST(HuntJson, ComputesWhatAGuaranteeMeans) {
  HuntResult r;
  r.runs = 3;
  r.traces_seen_once = 1;
  r.guarantee.per_run = 0.5;
  r.guarantee.runs = 2;
  r.guarantee.confidence = 0.75;
  r.guarantee.inputs = {{"depth", 2}, {"chains", 7}};
  r.guarantee.voids = {"1 of 3 runs"};
  r.guarantee.runs_for_95 = 5;
  r.shares = {{"pos", 3, 1, 2}};
  const json document = json::parse(json_text(r, SummaryOptions{}));
  const json& guarantee = document["guarantee"];
  EXPECT_NEAR(guarantee["missed_by_all_runs_at_most"].get<double>(), 0.25, 1e-12);
  EXPECT_EQ(guarantee["confidence"], 0.75);
  EXPECT_EQ(guarantee["runs"], 2);
  EXPECT_EQ(guarantee["inputs"], (json{{"depth", 2}, {"chains", 7}}));
  EXPECT_EQ(guarantee["void"], json({"1 of 3 runs"}));
  EXPECT_EQ(guarantee["runs_for_95"], 5);
  EXPECT_TRUE(guarantee["runs_for_99"].is_null());
  EXPECT_NE(guarantee["sentence"], "");
  EXPECT_NEAR(document["unseen_probability"].get<double>(), 1.0 / 3, 1e-12);
  EXPECT_EQ(document["shares"][0]["strategy"], "pos");
  EXPECT_EQ(document["shares"][0]["first_bug_run"], 2);
}

TEST(ExploreJson, HasEveryPromisedField) {
  ExploreResult r;
  r.states = 10;
  r.complete = true;
  const json document = json::parse(json_text(r, SummaryOptions{}));
  for (const char* key : {"scenario", "options", "states", "transitions", "depth", "complete", "elapsed_s",
                          "workers", "violations", "collision_probability"}) {
    EXPECT_TRUE(document.contains(key)) << key;
  }
  EXPECT_TRUE(document["incomplete_because"].is_null());
  EXPECT_EQ(document["verdict"], "ok");
}

TEST(Json, IsUtf8WhateverAnActorPrints) {
  TraceDocument document;
  document.scenario = "bad \xff byte";
  document.steps.resize(1);
  document.steps[0].message = "caf\xc3\xa9 \xc3";
  const json parsed = json::parse(json_text(document));
  EXPECT_EQ(parsed["scenario"], "bad \xef\xbf\xbd byte");
  EXPECT_EQ(parsed["steps"][0]["step"], 1);
  EXPECT_TRUE(parsed["violation"].is_null());
}

}  // namespace
}  // namespace gainsay
