#include "gainsay/scenario/registry.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "gainsay/base/complaint.test.hpp"

namespace registry_test {
namespace {

struct Ping {};

struct Node {
  using Receives = gainsay::Messages<Ping>;
  int id = 0;
  void on(const Ping&) {}
};

struct Options {
  std::uint32_t nodes = 2;

  static void describe(gainsay::Describe<Options>& d) { d.field(&Options::nodes, "how many").range(1, 5); }
};

GAINSAY_SCENARIO(registry_test_ring, "nodes in a ring", Options) { world.group<Node>("node", options.nodes); }

GAINSAY_SCENARIO(registry_test_alone, "one node") { world.spawn<Node>("node"); }

TEST(Registry, FindsScenariosByName) {
  const gainsay::Scenario& ring = gainsay::find_scenario("registry_test_ring");
  EXPECT_EQ(ring.name(), "registry_test_ring");
  EXPECT_EQ(ring.description(), "nodes in a ring");
  EXPECT_TRUE(gainsay::find_scenario("registry_test_alone").options().empty());
  const auto all = gainsay::scenarios();
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end(),
                             [](const auto* a, const auto* b) { return a->name() < b->name(); }));
  EXPECT_NE(std::find(all.begin(), all.end(), &ring), all.end());
}

TEST(Registry, SuggestsTheNearestName) {
  const std::string complaint = gainsay::complaint_of([] { gainsay::find_scenario("registry_test_rinG"); });
  EXPECT_NE(complaint.find("unknown scenario 'registry_test_rinG'"), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("'registry_test_ring'"), std::string::npos) << complaint;
}

TEST(Scenario, BuildsWithItsOptions) {
  const gainsay::Scenario& ring = gainsay::find_scenario("registry_test_ring");
  EXPECT_EQ(ring.build().actors.size(), 2U);
  EXPECT_EQ(ring.build({{"nodes", "4"}}).actors.size(), 4U);
  EXPECT_EQ(ring.build().scenario, "registry_test_ring");
  EXPECT_EQ(ring.complete({}), (gainsay::OptionTexts{{"nodes", "2"}}));
  EXPECT_EQ(ring.complete({{"nodes", "3"}}), (gainsay::OptionTexts{{"nodes", "3"}}));
}

TEST(Scenario, RefusesOptionsThatDoNotFit) {
  const gainsay::Scenario& ring = gainsay::find_scenario("registry_test_ring");
  EXPECT_NE(gainsay::complaint_of([&] { ring.build({{"nodes", "6"}}); }), "");
  EXPECT_NE(gainsay::complaint_of([&] { ring.build({{"nodes", "many"}}); }), "");
  EXPECT_NE(gainsay::complaint_of([&] { ring.build({{"node", "3"}}); }).find("nodes"), std::string::npos);
  EXPECT_NE(gainsay::complaint_of([] {
              gainsay::find_scenario("registry_test_alone").build({{"nodes", "3"}});
            }),
            "");
}

TEST(Scenario, CanBeMadeWithoutBeingRegistered) {
  const auto scenario =
      gainsay::Scenario::of("private", [](gainsay::World& world) { world.spawn<Node>("n"); });
  EXPECT_EQ(scenario.build().actors.size(), 1U);
  EXPECT_NE(gainsay::complaint_of([] { gainsay::find_scenario("private"); }), "");
}

TEST(RegistryDeathTest, RefusesANameTwice) {
  EXPECT_EXIT(gainsay::RegisterScenario(gainsay::Scenario::of("registry_test_ring", [](gainsay::World&) {})),
              testing::ExitedWithCode(2), "two scenarios are named 'registry_test_ring'");
}

}  // namespace
}  // namespace registry_test
