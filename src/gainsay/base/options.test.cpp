#include "gainsay/base/options.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace gainsay::options_test {
namespace {

enum class Fault { none, lowest, second_best };

struct Settings {
  Fault bug = Fault::none;
  std::uint32_t nodes = 2;
  bool crash = false;
  double share = 0.5;
  std::string label = "x";
  std::chrono::milliseconds pause{5};

  static void describe(Describe<Settings>& d) {
    d.field(&Settings::nodes, "how many").range(1, 8);
    d.value(Fault::lowest, "takes the lowest");
  }
};

std::string complaint(const OptionTexts& texts) {
  try {
    parse_options<Settings>(texts, "scenario 's'");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Options, AreListedInTheOrderOfTheStruct) {
  const std::vector<OptionInfo> infos = option_infos<Settings>();
  ASSERT_EQ(infos.size(), 6U);
  const std::vector<std::string> types = {"one of", "integer", "bool", "number", "text", "duration"};
  const std::vector<std::string> defaults = {"none", "2", "false", "0.5", "x", "5ms"};
  for (std::size_t i = 0; i < infos.size(); ++i) {
    EXPECT_EQ(infos[i].type, types[i]);
    EXPECT_EQ(infos[i].default_text, defaults[i]);
  }
  EXPECT_EQ(infos[0].values, (std::vector<std::string>{"none", "lowest", "second_best"}));
  ASSERT_EQ(infos[0].value_help.size(), 1U);
  EXPECT_EQ(infos[0].value_help[0].second, "takes the lowest");
  EXPECT_EQ(infos[1].values, (std::vector<std::string>{"1..8"}));
  EXPECT_EQ(infos[1].help, "how many");
}

TEST(Options, AreSetByNameAndSaidAgain) {
  const OptionTexts texts = {{"bug", "second_best"}, {"nodes", "7"},   {"crash", "true"},
                             {"share", "0.25"},      {"label", "a b"}, {"pause", "2s"}};
  const Settings settings = parse_options<Settings>(texts, "scenario 's'");
  EXPECT_EQ(settings.bug, Fault::second_best);
  EXPECT_EQ(settings.nodes, 7U);
  EXPECT_TRUE(settings.crash);
  EXPECT_EQ(settings.share, 0.25);
  EXPECT_EQ(settings.label, "a b");
  EXPECT_EQ(settings.pause, std::chrono::seconds(2));
  EXPECT_EQ(option_texts(settings), texts);
}

TEST(Options, RefuseWhatDoesNotFit) {
  EXPECT_EQ(complaint({{"bug", "lowst"}}),
            "option bug=lowst: expected one of none lowest second_best, did you mean 'lowest'?");
  EXPECT_EQ(complaint({{"nodes", "9"}}), "option nodes=9: expected a whole number in 1..8");
  EXPECT_EQ(complaint({{"nodes", "-1"}}), "option nodes=-1: expected a whole number in 1..8");
  EXPECT_EQ(complaint({{"crash", "1"}}), "option crash=1: expected true or false");
  EXPECT_EQ(complaint({{"share", "much"}}), "option share=much: expected a number");
  EXPECT_EQ(complaint({{"pause", "5"}}), "option pause=5: expected a duration such as 500ms, 15s or 2m");
  EXPECT_EQ(complaint({{"node", "3"}}), "scenario 's' has no option 'node', did you mean 'nodes'?");
}

}  // namespace
}  // namespace gainsay::options_test
