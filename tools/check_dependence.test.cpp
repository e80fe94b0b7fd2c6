#include "tools/cli_test.hpp"
#include "tools/cli_test_scenarios.hpp"

namespace gainsay::cli_test {
namespace {

struct Set {
  int key = 0;
  int value = 0;
};
struct Cells {
  using Receives = Messages<Set>;
  std::map<int, int> values;
  bool shared = false;
  int last = 0;
  void on(const Set& set) {
    values[set.key] = shared ? last : set.value;
    if (shared) last = set.value;
  }
};
struct KeysOptions {
  bool shared = false;
  bool keys = true;
};

GAINSAY_SCENARIO(test_keys, "keys that are independent, or say so", KeysOptions) {
  const auto cells = world.spawn<Cells>("cells", Cells{{}, options.shared, 0});
  world.send(cells, Set{1, 10});
  world.send(cells, Set{2, 20});
  world.send(cells, Set{2, 30});
  if (options.keys) world.key<Set>([](const Set& set) { return set.key; });
}

TEST_F(CommandLine, KeysThatHoldAreNotRefuted) {
  const Said said = hunt({"test_keys", "--strategy", "sdpor", "--dependence", "keyed", "--check-dependence"});
  EXPECT_EQ(said.code, 0) << said.err << said.out;
  EXPECT_THAT(said.out,
              StartsWith("Not refuted: all tried pairs that are independent by the keys of test_keys"));
  EXPECT_THAT(said.out, HasSubstr("pairs tried"));
  EXPECT_THAT(said.out, HasSubstr("none refuted"));
}

TEST_F(CommandLine, KeysThatDoNotHoldAreRefuted) {
  const Words words = {"test_keys", "--strategy",         "sdpor",    "--dependence",
                       "keyed",     "--check-dependence", "--option", "shared=true"};
  const Said said = hunt(words);
  EXPECT_EQ(said.code, 1) << said.err;
  EXPECT_THAT(
      said.out,
      StartsWith("Refuted: two events are independent by the keys of test_keys, but they do not commute\n"));
  EXPECT_THAT(said.out, HasSubstr("Set{key: 1, value: 10} from outside to cells"));
  EXPECT_THAT(said.out, HasSubstr("cells is "));
  Words with_json = words;
  with_json.emplace_back("--json");
  const json result = json::parse(hunt(with_json).out);
  EXPECT_EQ(result["verdict"], "refuted");
  const std::string trace = result["refutation"]["trace_file"];
  EXPECT_EQ(gainsay_with({"show", trace}).code, 0);
  EXPECT_GE(read_trace_file(trace).steps.size(), 2U);
}

TEST_F(CommandLine, ForgottenKeysAreNoKeys) {
  const Said nothing = hunt({"test_keys", "--strategy", "sdpor", "--dependence", "keyed",
                             "--check-dependence", "--option", "keys=false"});
  EXPECT_EQ(nothing.code, 3) << nothing.out;
  EXPECT_THAT(nothing.out, StartsWith("Unknown: no two events"));
  EXPECT_EQ(hunt({"test_keys", "--strategy", "sdpor", "--dependence", "receiver", "--check-dependence"}).code,
            2);
}

}  // namespace
}  // namespace gainsay::cli_test
