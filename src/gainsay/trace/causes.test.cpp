#include "gainsay/trace/causes.hpp"

#include <gmock/gmock.h>

namespace gainsay::causes_test {
namespace {

DocumentStep step(EventKind kind, std::string message, std::string to = "a") {
  DocumentStep made;
  made.kind = kind;
  made.message = std::move(message);
  made.to = std::move(to);
  return made;
}

TraceDocument document(std::string property, std::string message, std::vector<DocumentStep> steps) {
  TraceDocument made;
  made.violation = Violation{std::move(property), std::move(message), nobody, 0};
  made.steps = std::move(steps);
  return made;
}

TEST(Causes, AShapeKnowsNoNumbersNoActorsAndNoOrder) {
  const TraceDocument one = document("safety", "server.1 lost entry 12",
                                     {step(EventKind::timer, "Tick", "a"), step(EventKind::crash, "", "b"),
                                      step(EventKind::deliver, "Vote{term: 3}", "b")});
  const TraceDocument other =
      document("safety", "server.23 lost entry 4",
               {step(EventKind::crash, "", "a"), step(EventKind::timer, "Tick", "b"),
                step(EventKind::timer, "Tick", "c"), step(EventKind::deliver, "Vote{term: 77}", "c")});
  EXPECT_TRUE(shape_of(one).is_part_of(shape_of(other)));
  EXPECT_TRUE(shape_of(other).is_part_of(shape_of(one)));
  EXPECT_EQ(without_numbers("12 of 3, x"), "# of #, x");
}

TEST(Causes, WhatTheSmallerOneDoesWithoutIsNotNeeded) {
  const DocumentStep vote = step(EventKind::deliver, "Vote{}");
  const DocumentStep crash = step(EventKind::crash, "");
  const DocumentStep drop = step(EventKind::drop, "Ack{}");
  const std::vector<TraceDocument> all = {
      document("safety", "x", {crash, drop, vote, vote}),  // 0: as 2, with a drop
      document("safety", "x", {drop, vote}),               // 1: no crash
      document("safety", "x", {crash, vote}),              // 2
      document("safety", "y", {crash, vote}),              // 3: another message
      document("order", "x", {crash, vote}),               // 4: another property
      document("safety", "x", {vote, crash}),              // 5: shows elsewhere
  };
  EXPECT_THAT(group_by_cause(all), testing::ElementsAre(testing::ElementsAre(1, 0), testing::ElementsAre(2),
                                                        testing::ElementsAre(3), testing::ElementsAre(4),
                                                        testing::ElementsAre(5)));
}

TEST(Causes, TheShortestOfACauseComesFirst) {
  const DocumentStep vote = step(EventKind::deliver, "Vote{}");
  const std::vector<TraceDocument> all = {document("p", "", {vote, vote, vote}), document("p", "", {vote}),
                                          document("p", "", {vote, vote})};
  EXPECT_THAT(group_by_cause(all), testing::ElementsAre(testing::ElementsAre(1, 2, 0)));
}

}  // namespace
}  // namespace gainsay::causes_test
