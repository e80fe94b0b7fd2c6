// The same numbers from the enumerator, which shares no code with the searches: executions and classes of DS2's
// subjects, also of those that have too many executions to make them one by one.
#include <cstdlib>

#include <gtest/gtest.h>

#include "gainsay/explorer/enumerate.hpp"
#include "gainsay/scenario/registry.hpp"

namespace ds2 {
namespace {

struct Counts {
  std::uint64_t executions = 0;
  std::size_t classes = 0;
  std::size_t histories = 0;

  friend bool operator==(const Counts&, const Counts&) = default;
  friend void PrintTo(const Counts& c, std::ostream* out) {
    *out << c.executions << " executions, " << c.classes << " classes, " << c.histories << " histories";
  }
};

gainsay::Enumeration enumerated(const std::string& system, const gainsay::OptionTexts& options) {
  return gainsay::enumerate(gainsay::find_scenario(system).build(options));
}

Counts counts(const gainsay::Enumeration& all) {
  EXPECT_TRUE(all.complete()) << all.incomplete_because();
  std::set<std::uint64_t> classes = all.classes;
  classes.insert(all.violated_classes.begin(), all.violated_classes.end());
  return {all.executions, classes.size(), all.histories.size()};
}

TEST(Enumerated, TheFirstHarness) {
  EXPECT_EQ(counts(enumerated("register_dr", {})), (Counts{4'200, 536, 170}));
  EXPECT_EQ(counts(enumerated("register_edr", {{"bug", "local_read"}})), (Counts{252, 8, 32}));
  EXPECT_EQ(counts(enumerated("register_adr", {})), (Counts{1'680, 200, 148}));
  EXPECT_EQ(counts(enumerated("open_chord", {{"bug", "serves_before_join"}})), (Counts{18'396, 600, 165}));
}

// Without their histories, which no reduction of orders at actors sees: executions and classes only.
TEST(Enumerated, TheSecondHarness) {
  const auto without_histories = [](const std::string& system, const gainsay::OptionTexts& options) {
    gainsay::Blueprint blueprint = gainsay::find_scenario(system).build(options);
    blueprint.history_properties.clear();
    return counts(gainsay::enumerate(blueprint));
  };
  EXPECT_EQ(without_histories("register_edr", {{"bug", "local_read"}, {"harness", "2r+2w"}}),
            (Counts{1'197'504, 2'232, 0}));
  if (std::getenv("GAINSAY_LONG") == nullptr) return;
  EXPECT_EQ(without_histories("open_chord", {{"bug", "serves_before_join"}, {"harness", "2r+2w"}}),
            (Counts{1'672'440, 22'890, 0}));
  EXPECT_EQ(without_histories("multi_paxos_map", {}), (Counts{5'765'760, 71'280, 0}));
}

}  // namespace
}  // namespace ds2
