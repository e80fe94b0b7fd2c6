#include "gainsay/trace/trace.hpp"

#include <gtest/gtest.h>

namespace gainsay {
namespace {

TEST(ViolationKind, IsKnownByTheReservedName) {
  for (const ViolationKind kind :
       {ViolationKind::check, ViolationKind::unhandled_message, ViolationKind::exception,
        ViolationKind::bad_send, ViolationKind::bad_transition, ViolationKind::nondeterminism}) {
    Violation violation;
    violation.property = violation_name(kind);
    EXPECT_FALSE(violation.property.empty());
    EXPECT_EQ(violation.kind(), kind);
    EXPECT_EQ(violation.is_nondeterminism(), kind == ViolationKind::nondeterminism);
  }
  EXPECT_EQ(violation_name(ViolationKind::nondeterminism), "nondeterminism");
}

TEST(ViolationKind, EveryOtherNameIsAPropertyOfTheScenario) {
  for (const char* name : {"", "agreement", "Check", "check "}) {
    Violation violation;
    violation.property = name;
    EXPECT_EQ(violation.kind(), ViolationKind::property) << name;
  }
}

}  // namespace
}  // namespace gainsay
