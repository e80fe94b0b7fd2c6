// Data choices: every answer to every question, once, whatever the memo remembers.
#include <stdexcept>

#include <gtest/gtest.h>

#include "gainsay/execution/run/every_run.test.hpp"

namespace gainsay::choices_test {
namespace {

using every_run::Body;
using every_run::build;
using every_run::Counts;
using every_run::counts;
using every_run::every_run;
using every_run::OneRun;

struct Go {};

// Asks the questions of its list, one after the other.
struct Questioner {
  using Receives = Messages<Go>;
  std::vector<std::uint32_t> questions;
  std::vector<std::uint32_t> answers;
  void on(const Go&, Context& ctx) {
    for (const std::uint32_t n : questions) answers.push_back(ctx.choose(n));
  }
};

Body asking(std::vector<std::uint32_t> questions, std::size_t messages = 1) {
  return [=](World& world) {
    const auto actor = world.spawn("questioner", Questioner{.questions = questions});
    for (std::size_t i = 0; i < messages; ++i) world.send(actor, Go{});
  };
}

TEST(Choices, AllAnswersAreGiven) {
  for (std::uint32_t k = 0; k <= 6; ++k) {
    EXPECT_EQ(counts(asking(std::vector<std::uint32_t>(k, 2))), (Counts{1U << k, 1U << k}));
  }
  EXPECT_EQ(counts(asking({2, 3, 4})), (Counts{24, 24}));
  // Two messages: 2 orders, 6 answers each time: 2 * 6 * 6, all at one actor.
  EXPECT_EQ(counts(asking({2, 3}, 2)), (Counts{72, 72}));
}

TEST(Choices, AreRecordedInOrder) {
  const auto runs = every_run(asking({2, 3}));
  ASSERT_EQ(runs.size(), 6U);
  for (std::uint32_t i = 0; i < 6; ++i) {
    ASSERT_EQ(runs[i].trace.steps.size(), 1U);
    EXPECT_EQ(runs[i].trace.steps[0].choices, (std::vector<DataChoice>{{i / 3, 2}, {i % 3, 3}}));
  }
}

// Where there is nothing to choose nobody is asked.
TEST(Choices, AmongOneAreNotAsked) {
  const auto runs = every_run(asking({1, 1, 1}));
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_TRUE(runs[0].trace.steps[0].choices.empty());
  EXPECT_EQ(every_run(asking({1, 2, 1})).size(), 2U);
}

TEST(Choices, AmongNothingAreAViolation) {
  const auto runs = every_run(asking({0}));
  ASSERT_EQ(runs.size(), 1U);
  ASSERT_TRUE(runs[0].trace.violation);
  EXPECT_EQ(runs[0].trace.violation->property, "bad choice");
  EXPECT_EQ(runs[0].trace.violation->message,
            "questioner calls ctx.choose(0): there is nothing to choose from");
  // The handler goes on, and what it asked before and asks after is still enumerated: 2 * 3.
  const auto more = every_run(asking({2, 0, 3}));
  EXPECT_EQ(more.size(), 6U);
  for (const OneRun& run : more) EXPECT_EQ(run.ending, Ending::violated);
}

// 64 answers are remembered, 65 are not; both are all given, alone and after other questions.
TEST(Choices, AmongVeryManyWork) {
  EXPECT_EQ(counts(asking({64})), (Counts{64, 64}));
  EXPECT_EQ(counts(asking({65})), (Counts{65, 65}));
  EXPECT_EQ(counts(asking({100})), (Counts{100, 100}));
  EXPECT_EQ(counts(asking({2, 100})), (Counts{200, 200}));
  EXPECT_EQ(counts(asking({100, 2})), (Counts{200, 200}));
}

// The next question depends on the answer: 0 -> among 2, 1 -> none, 2 -> among 4, 3 -> among 100 and then 2.
struct Brancher {
  using Receives = Messages<Go>;
  std::uint32_t at = 0;
  std::uint32_t more = 0;
  void on(const Go&, Context& ctx) {
    at = ctx.choose(4);
    if (at == 0) more = ctx.choose(2);
    if (at == 2) more = ctx.choose(4);
    if (at == 3) more = ctx.choose(100) + 100 * ctx.choose(2);
  }
};

TEST(Choices, DifferentAnswersLeadToDifferentQuestions) {
  EXPECT_EQ(counts([](World& world) { world.send(world.spawn<Brancher>("brancher"), Go{}); }),
            (Counts{2 + 1 + 4 + 200, 2 + 1 + 4 + 200}));
}

// The question depends on the state that earlier answers led to: among 2 first, then among 2 + the first
// answer.
struct Climber {
  using Receives = Messages<Go>;
  std::uint32_t height = 0;
  void on(const Go&, Context& ctx) { height += ctx.choose(2 + height); }
};

// First answer 0: then 2 answers; first answer 1: then 3. 5 for each of the 2 orders of two messages. With
// three: heights after two are 0, 1 | 1, 2, 3, each asks among 2 + height: (2 + 3) + (3 + 4 + 5) = 17, times
// 3! orders.
TEST(Choices, QuestionsDependOnTheState) {
  const auto program = [](std::size_t messages) {
    return counts([=](World& world) {
      const auto climber = world.spawn<Climber>("climber");
      for (std::size_t i = 0; i < messages; ++i) world.send(climber, Go{});
    });
  };
  EXPECT_EQ(program(2), (Counts{10, 10}));
  EXPECT_EQ(program(3), (Counts{102, 102}));
}

// Two actors flip once each: 2 orders times 4 answers; the order is nobody's business: 4 classes.
TEST(Choices, OfDifferentActorsAreIndependent) {
  EXPECT_EQ(counts([](World& world) {
              for (const auto actor : world.group<Questioner>(
                       "q", 2, [](std::size_t) { return Questioner{.questions = {2}}; })) {
                world.send(actor, Go{});
              }
            }),
            (Counts{8, 4}));
}

// A choice in the middle of a long execution: what comes after is explored for each answer, what came before
// is kept.
TEST(Choices, DoNotCountAsSteps) {
  for (const OneRun& run : every_run(asking({2, 2, 2}), 1)) {
    EXPECT_EQ(run.trace.steps.size(), 1U);
    EXPECT_EQ(run.ending, Ending::quiescent);
  }
}

struct Thrower {
  using Receives = Messages<Go>;
  std::uint32_t answer = 0;
  void on(const Go&, Context& ctx) {
    answer = ctx.choose(3);
    if (answer > 0) throw std::runtime_error("answer " + std::to_string(answer));
  }
};

TEST(Choices, BeforeAnExceptionAreAllTried) {
  const auto runs = every_run([](World& world) { world.send(world.spawn<Thrower>("thrower"), Go{}); });
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_FALSE(runs[0].trace.violation);
  EXPECT_EQ(runs[1].trace.violation.value().message, "thrower threw: answer 1");
  EXPECT_EQ(runs[2].trace.violation.value().message, "thrower threw: answer 2");
}

// --- how often user code runs ---

std::uint64_t handler_calls(const Body& body) {
  const Blueprint blueprint = build(body);
  Execution execution(blueprint, {});
  DfsStrategy dfs;
  while (const auto keep = dfs.begin({})) execution.run(dfs, *keep);
  return execution.kernel().handler_calls();
}

// Once per distinct (local state, message, answers), however many executions there are.
TEST(Choices, HandlersRunOncePerLocalStep) {
  EXPECT_EQ(handler_calls(asking({2, 3, 4})), 24U);
  // Five equal messages that leave the state alone: 120 executions of 5 steps, one call.
  EXPECT_EQ(handler_calls(asking({}, 5)), 1U);
  // One answer of the climber at each height: heights 0; 0, 1; 0, 1, 1, 2, 3 ask 2 + height questions.
  // Distinct heights are 0, 1, 2, 3 after two messages: 2 + 3 + 4 + 5 leaves.
  EXPECT_EQ(handler_calls([](World& world) {
              const auto climber = world.spawn<Climber>("climber");
              for (int i = 0; i < 3; ++i) world.send(climber, Go{});
            }),
            14U);
  // Who asks among 100 is called every time; here every time is 100 times.
  EXPECT_EQ(handler_calls(asking({100})), 100U);
}

}  // namespace
}  // namespace gainsay::choices_test
