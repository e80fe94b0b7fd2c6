#include "gainsay/explorer/certify.hpp"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/explorer/random_system.test.hpp"

namespace gainsay::certify_test {
namespace {

using testing::HasSubstr;

struct Go {
  int n = 0;
};
struct Options {
  int messages = 3;
  bool forgets = false;
};
int code_of_the_day = 1;  // what a new build of the system would have changed

struct List {
  using Receives = Messages<Go>;
  bool forgets = false;
  std::vector<int> got;
  void on(const Go& go) { got.push_back(forgets ? 0 : go.n * code_of_the_day); }
};

void fill_lists(World& world, const Options& options) {
  const Group<List> lists = world.group<List>("list", 2, [&](std::size_t) {
    return List{options.forgets, {}};
  });
  for (int i = 1; i <= options.messages; ++i) {
    world.send(lists[0], Go{i});
    if (i < 3) world.send(lists[1], Go{i});
  }
}

Scenario lists() { return Scenario::make<Options>("lists", "", &fill_lists); }

CertifiedHunt by_dfs(const Scenario& scenario, const OptionTexts& options = {},
                     const HuntOptions& more = {}) {
  HuntOptions how = more;
  how.strategy = "dfs";
  return certified_hunt(scenario, options, how);
}

Verification check(const Scenario& scenario, const Certificate& certificate,
                   const VerifyOptions& options = {}) {
  return verify(certificate, scenario.build(certificate.options), options);
}

// 5!/1 orders of 3 and 2 messages at two actors: 120 executions; 3! 2! = 12 classes.
TEST(Certify, ACompleteSearchIsConfirmed) {
  const CertifiedHunt certified = by_dfs(lists());
  ASSERT_TRUE(certified.certificate.has_value()) << certified.refused_because;
  const Certificate& certificate = *certified.certificate;
  EXPECT_EQ(certificate.executions, 120U);
  EXPECT_EQ(certificate.classes->count, 12U);
  EXPECT_EQ(certificate.final_states->count, 12U);
  EXPECT_EQ(certificate.dependence, "receiver");
  EXPECT_TRUE(certificate.violations.empty());
  const Verification verification = check(lists(), certificate);
  EXPECT_EQ(verification.verdict, Verdict::ok);
  EXPECT_EQ(verification.executions, 120U);
  EXPECT_EQ(verification.classes, 12U);
}

std::string difference(const Certificate& certificate) {
  const Verification verification = check(lists(), certificate);
  EXPECT_EQ(verification.verdict, Verdict::violated);
  return verification.differences.empty() ? "" : verification.differences.front();
}

TEST(Certify, EveryChangeIsNoticed) {
  const Certificate right = *by_dfs(lists()).certificate;
  Certificate wrong = right;
  ++wrong.classes->count;
  EXPECT_EQ(difference(wrong), "the certificate says 13 classes; there are 12");
  wrong = right;
  wrong.classes->hash.back() = wrong.classes->hash.back() == '0' ? '1' : '0';
  EXPECT_THAT(difference(wrong),
              HasSubstr("the number of classes agrees with the certificate (12), but their hash is"));
  wrong = right;
  --wrong.final_states->count;
  EXPECT_EQ(difference(wrong), "the certificate says 11 end states; there are 12");
  wrong = right;
  wrong.executions = 119;
  EXPECT_EQ(difference(wrong), "the certificate says 119 executions; there are 120");
  wrong = right;
  wrong.violations = {"agreement"};
  EXPECT_EQ(difference(wrong), "in the certificate, but never violated: agreement");
  wrong = right;
  wrong.steps_max = 4;
  EXPECT_EQ(difference(wrong), "120 executions are longer than 4 steps, the bound of the certificate");
  wrong = right;
  wrong.options[0].second = "4";
  EXPECT_THAT(difference(wrong), HasSubstr("the certificate says 12 classes; there are 48"));
  wrong = right;
  wrong.options[1].second = "true";  // forgets: the same classes, one end
  EXPECT_EQ(difference(wrong), "the certificate says 12 end states; there are 1");
}

// The same orders, other states.
TEST(Certify, ANewBuildOfTheSystemIsNoticed) {
  const Certificate certificate = *by_dfs(lists()).certificate;
  code_of_the_day = 2;
  EXPECT_THAT(difference(certificate),
              HasSubstr("the number of end states agrees with the certificate (12), but their hash is"));
  code_of_the_day = 1;
  EXPECT_EQ(check(lists(), certificate).verdict, Verdict::ok);
}

TEST(Certify, LimitsMakeItUnknown) {
  const Certificate right = *by_dfs(lists()).certificate;
  const Verification verification = check(lists(), right, {.configurations_max = 5});
  EXPECT_EQ(verification.verdict, Verdict::unknown);
  EXPECT_EQ(verification.unknown_because, "--max-configurations");
  EXPECT_EQ(check(lists(), right, {.time = std::chrono::nanoseconds(0)}).unknown_because, "--time");
  const std::atomic<bool> stop{true};
  EXPECT_EQ(check(lists(), right, {.stop = &stop}).unknown_because, "interrupted");
  // What has been seen contradicts the certificate already.
  Certificate wrong = right;
  wrong.classes->count = 1;
  const std::uint64_t nearly_all = check(lists(), right).configurations - 3;
  EXPECT_EQ(check(lists(), wrong, {.configurations_max = nearly_all}).verdict, Verdict::violated);
}

TEST(Certify, WhatIsNotCompleteIsRefused) {
  const auto refused = [](const HuntOptions& how) {
    const CertifiedHunt certified = certified_hunt(lists(), {}, how);
    EXPECT_FALSE(certified.certificate.has_value());
    return certified.refused_because;
  };
  EXPECT_THAT(refused({.strategy = "random", .runs = 10}), HasSubstr("'random' is not a search"));
  EXPECT_THAT(refused({.strategy = "dfs", .runs = 10}), HasSubstr("--runs"));
  EXPECT_THAT(refused({.strategy = "dfs", .steps_max = 3}), HasSubstr("--steps"));
  EXPECT_THAT(refused({.strategy = "delay", .depth = 1}), HasSubstr("bounded"));
}

// --- violations ---

struct Picky {
  using Receives = Messages<Go>;
  int last = 0;
  void on(const Go& go, Context& ctx) {
    ctx.check(go.n > last, "out of order");
    last = go.n;
  }
};

TEST(Certify, ViolationsAreCertifiedToo) {
  const Scenario scenario = Scenario::of("picky", [](World& world) {
    const auto picky = world.spawn<Picky>("picky");
    for (int i = 1; i <= 3; ++i) world.send(picky, Go{i});
  });
  const CertifiedHunt first_only = by_dfs(scenario);
  EXPECT_FALSE(first_only.certificate.has_value());
  EXPECT_THAT(first_only.refused_because, HasSubstr("--keep-going"));
  const CertifiedHunt certified = by_dfs(scenario, {}, {.keep_going = true});
  ASSERT_TRUE(certified.certificate.has_value()) << certified.refused_because;
  EXPECT_EQ(certified.certificate->violations, (std::vector<std::string>{"check\nout of order"}));
  EXPECT_EQ(certified.certificate->classes->count, 1U);
  EXPECT_EQ(check(scenario, *certified.certificate).verdict, Verdict::ok);
  Certificate denied = *certified.certificate;
  denied.violations.clear();
  const Verification verification = check(scenario, denied);
  EXPECT_EQ(verification.verdict, Verdict::violated);
  EXPECT_THAT(verification.differences.front(), HasSubstr("violated, but not in the certificate: check"));
}

// --- policies ---

TEST(Certify, WeakPoliciesAreRefused) {
  const Scenario scenario = Scenario::of("two", [](World& world) {
    const Group<List> lists = world.group<List>("list", 2, [](std::size_t) { return List{}; });
    for (const auto list : lists) world.send(list, Go{1});
    world.always("not both", {lists[0], lists[1]}, [](View) -> Complaint { return {}; });
  });
  EXPECT_THROW(certified_hunt(scenario, {}, {.strategy = "sdpor", .dependence = "receiver"}), UserError);
  EXPECT_THROW(certified_hunt(scenario, {}, {.strategy = "sdpor", .dependence = "keyed"}), UserError);
  const CertifiedHunt certified = certified_hunt(scenario, {}, {.strategy = "dfs"});
  EXPECT_EQ(certified.certificate->dependence, "properties");
  EXPECT_EQ(certified.certificate->classes->count, 2U);  // both orders: each step is seen by the property
  EXPECT_EQ(check(scenario, *certified.certificate).verdict, Verdict::ok);
  const CertifiedHunt semantic =
      certified_hunt(scenario, {}, {.strategy = "sdpor", .dependence = "semantic"});
  EXPECT_FALSE(semantic.certificate->classes.has_value());
  EXPECT_EQ(semantic.certificate->final_states->count, 1U);
  EXPECT_EQ(check(scenario, *semantic.certificate).verdict, Verdict::ok);
}

// Every search that claims to be complete, in every kind of world, with what it reduces by.
TEST(Certify, RandomSystemsAreConfirmed) {
  std::map<std::string, int> confirmed;
  std::map<std::string, std::uint64_t> executions;
  for (std::uint64_t number = 5000; number < 5120; ++number) {
    const random_system::Features features = random_system::draw(number);
    const Scenario scenario =
        Scenario::of("random", [&](World& world) { random_system::fill(world, features); });
    for (const char* strategy : {"dfs", "dpor", "sdpor", "odpor"}) {
      SCOPED_TRACE(random_system::text(features) + ": " + strategy);
      const CertifiedHunt certified =
          certified_hunt(scenario, {}, {.strategy = strategy, .runs = 300, .keep_going = true});
      if (!certified.certificate) continue;
      const Verification verification = check(scenario, *certified.certificate);
      EXPECT_EQ(verification.verdict, Verdict::ok)
          << (verification.differences.empty() ? "" : verification.differences.front());
      ++confirmed[strategy];
      executions[strategy] += certified.certificate->executions;
    }
  }
  for (const char* strategy : {"dfs", "dpor", "sdpor", "odpor"})
    EXPECT_GT(confirmed[strategy], 20) << strategy;
  EXPECT_GE(confirmed["sdpor"], confirmed["dfs"]);
}

// A search that leaves something out and says it did not: the certificate is contradicted.
TEST(Certify, AWrongClaimIsContradicted) {
  const Scenario scenario = lists();
  Certificate certificate = *by_dfs(scenario).certificate;
  certificate.strategy = "dpor";
  certificate.executions = 11;
  certificate.classes->count = 11;
  EXPECT_EQ(check(scenario, certificate).verdict, Verdict::violated);
}

}  // namespace
}  // namespace gainsay::certify_test
