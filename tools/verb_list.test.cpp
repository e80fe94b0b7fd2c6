// list --diagram: the machines of a scenario, as text for programs that draw.
#include "gainsay/gainsay.hpp"
#include "tools/cli_test.hpp"

namespace test_door {

struct Knock {};

struct Door {
  enum class State { shut, open };
  using Receives = gainsay::Messages<Knock>;
  gainsay::Machine<State> machine{};

  static void table(gainsay::Table<Door>& t) {
    t.start(State::shut);
    t.in(State::shut).go_to<Knock>(State::open);
    t.in(State::open).ignore<Knock>();
  }
};

GAINSAY_SCENARIO(test_door, "Two doors of one kind") {
  world.send(world.spawn<Door>("front"), Knock{});
  world.spawn<Door>("back");
}

}  // namespace test_door

namespace gainsay::cli_test {
namespace {

TEST_F(CommandLine, ListDrawsEveryKindOfMachineOnce) {
  const std::string mermaid =
      "%% test_door::Door\n"
      "stateDiagram-v2\n"
      "  [*] --> shut\n"
      "  shut\n"
      "  open\n"
      "  open : ignores Knock\n"
      "  shut --> open : Knock\n";
  EXPECT_EQ(gainsay_with({"list", "--diagram", "test_door"}).out, mermaid);
  EXPECT_EQ(gainsay_with({"list", "test_door", "--diagram=mermaid"}).out, mermaid);
  EXPECT_THAT(gainsay_with({"list", "test_door", "--diagram=dot"}).out,
              StartsWith("digraph \"test_door::Door\" {\n"));
  EXPECT_THAT(gainsay_with({"list", "--diagram"}).out, HasSubstr(mermaid));
}

TEST_F(CommandLine, ListSaysWhatItCannotDraw) {
  const auto complaint = [](const Words& words) {
    const Said said = gainsay_with(words);
    EXPECT_EQ(said.code, 2);
    EXPECT_EQ(said.out, "");
    return said.err;
  };
  EXPECT_THAT(complaint({"list", "paxos", "--diagram"}),
              HasSubstr("scenario 'paxos' has no machine to draw"));
  EXPECT_THAT(complaint({"list", "test_door", "--diagram=svg"}), HasSubstr("mermaid, dot"));
  EXPECT_THAT(complaint({"list", "--strategies", "--diagram"}), HasSubstr("not --strategies"));
  EXPECT_THAT(complaint({"list", "--json", "--diagram"}), HasSubstr("cannot be used with --json"));
}

TEST_F(CommandLine, HuntReportsTheCoverageOfMachines) {
  const Said said = hunt({"test_door", "--runs", "10"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out,
              HasSubstr("Door: 2 of 2 states, 1 of 2 transitions, 1 of 1 events; never: open ignores Knock"));
  const json document = json::parse(hunt({"test_door", "--runs", "10", "--json"}).out);
  EXPECT_EQ(document["coverage"], json::parse(R"([{"machine": "Door",
                             "states": {"total": 2, "seen": 2, "never": []},
                             "transitions": {"total": 2, "seen": 1, "never": ["open ignores Knock"]},
                             "events": {"total": 1, "seen": 1, "never": []}}])"));
  const json explored = json::parse(gainsay_with({"explore", "test_door", "--json"}).out);
  EXPECT_EQ(explored["coverage"], document["coverage"]);
}

}  // namespace
}  // namespace gainsay::cli_test
