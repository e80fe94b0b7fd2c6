#include "gainsay/execution/campaign/hunt_warnings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"

namespace gainsay::hunt_warnings_test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

struct Hello {
  int number = 0;
};
struct Told {};
struct Guard {
  using Observes = Messages<Told>;
  void on(const Told&, MonitorContext&) {}
};
struct Door {
  using Receives = Messages<Hello>;
  bool checks = false;
  bool fails = false;
  void on(const Hello& hello, Context& ctx) {
    if (checks) ctx.check(hello.number == 1 && !fails, "one");
  }
};

enum class Asks : std::uint8_t { nothing, a_check, a_check_that_fails, a_property, a_monitor };

HuntResult hunted(Asks asks, const std::string& strategy) {
  const Scenario scenario = Scenario::of("door", [asks](World& world) {
    const bool fails = asks == Asks::a_check_that_fails;
    const auto door = world.spawn("door", Door{asks == Asks::a_check || fails, fails});
    world.send(door, Hello{1});
    if (asks == Asks::a_property) world.always("open", [](View) -> Complaint { return {}; });
    if (asks == Asks::a_monitor) world.monitor<Guard>("guard");
  });
  HuntOptions options;
  options.strategy = strategy;
  options.runs = 5;
  return hunt(scenario, {}, options);
}

TEST(HuntWarnings, AScenarioOfWhichNothingIsAskedIsNamed) {
  for (const char* strategy : {"random", "dfs"}) {
    SCOPED_TRACE(strategy);
    EXPECT_THAT(hunted(Asks::nothing, strategy).warnings,
                Contains(HasSubstr("this scenario checks nothing")));
    EXPECT_THAT(hunted(Asks::a_check, strategy).warnings, IsEmpty());
    EXPECT_THAT(hunted(Asks::a_check_that_fails, strategy).warnings, IsEmpty());
    EXPECT_THAT(hunted(Asks::a_property, strategy).warnings, IsEmpty());
  }
}

TEST(HuntWarnings, AMonitorThatNobodyNotifiesIsNamedOnce) {
  const HuntResult result = hunted(Asks::a_monitor, "random");
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_EQ(result.warnings[0],
            "monitor 'guard' was never notified, so it could not fail (ctx.notify<Guard>)");
}

// Hot until it has been told so often; 0: never.
struct Service {
  using Observes = Messages<Told>;
  int hot_until = 0;
  int told = 0;
  void on(const Told&) { ++told; }
  std::string hot() const { return told < hot_until ? "nobody is served" : ""; }
};
struct Teller {
  using Receives = Messages<Hello>;
  void on(const Hello&, Context& ctx) { ctx.notify<Service>(Told{}); }
};

std::vector<std::string> warnings_of_service(int hot_until) {
  const Scenario scenario = Scenario::of("service", [hot_until](World& world) {
    const auto teller = world.spawn("teller", Teller{});
    for (int i = 0; i < 2; ++i) world.send(teller, Hello{i});
    world.monitor<Service>("service", Service{.hot_until = hot_until});
  });
  HuntOptions options;
  options.strategy = "random";
  options.runs = 5;
  return hunt(scenario, {}, options).warnings;
}

TEST(HuntWarnings, OnlyAMonitorThatWasNeverHotIsNamed) {
  EXPECT_THAT(warnings_of_service(0),
              testing::ElementsAre("monitor 'service' was never hot, so these runs did not test it"));
  EXPECT_THAT(warnings_of_service(1), IsEmpty());  // before the first step, and never after one
  EXPECT_THAT(warnings_of_service(2), IsEmpty());
  EXPECT_THAT(warnings_of_service(3), IsEmpty());  // always
}

}  // namespace
}  // namespace gainsay::hunt_warnings_test
