#include "gainsay/report/show.hpp"

#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay {
namespace {

using testing::HasSubstr;
using testing::Not;

DocumentStep step(EventKind kind, std::string to, std::string from, std::string message,
                  std::uint32_t parent = no_step, std::vector<std::string> changes = {}) {
  DocumentStep result;
  result.kind = kind;
  result.to = std::move(to);
  result.from = std::move(from);
  result.message = std::move(message);
  result.parent = parent;
  result.changes = std::move(changes);
  return result;
}
DocumentStep deliver(std::string to, std::string from, std::string message, std::uint32_t parent = no_step,
                     std::vector<std::string> changes = {}) {
  return step(EventKind::deliver, std::move(to), std::move(from), std::move(message), parent,
              std::move(changes));
}

TraceDocument flush_race() {
  TraceDocument document;
  document.scenario = "flush_race";
  document.options = {{"bug", "overtake"}};
  document.strategy = "random";
  document.seed = 42;
  document.run = 7;
  document.actors = {"handler", "logger", "terminator"};
  document.steps = {
      deliver("handler", "outside", "Request"),
      deliver("terminator", "handler", "Finish", 0),
      deliver("logger", "terminator", "Flush", 1, {"open: true -> false"}),
      deliver("terminator", "logger", "Flushed", 2, {"done: false -> true", "waits: 1 -> 0"}),
      deliver("logger", "handler", "Log{line: \"request handled\"}", 0),
  };
  document.violation = Violation{"check", "log arrived after flush", ActorId{1}, 4};
  document.violating_actor = "logger";
  document.end = "violated";
  return document;
}

TraceDocument faults() {
  TraceDocument document;
  document.scenario = "two_phase_commit";
  document.timed = true;
  document.actors = {"boss", "a", "b"};
  document.steps = {
      step(EventKind::start, "boss", "", ""),
      deliver("a", "boss", "Vote", 0),
      step(EventKind::drop, "b", "boss", "Vote", 0),
      step(EventKind::crash, "a", "", ""),
      deliver("a", "boss", "Ping", 0),
      step(EventKind::partition, "", "", "split: boss a | b"),
      step(EventKind::timer, "boss", "boss", "Retry", 0, {"attempts: 0 -> 1"}),
      step(EventKind::restart, "a", "", "", no_step, {"voted: true -> false"}),
      step(EventKind::heal, "", "", "split: boss a | b"),
      step(EventKind::duplicate, "b", "boss", "Vote", 6),
      step(EventKind::corrupt, "boss", "a", "Yes", 1),
      deliver("boss", "boss", "Tick", 6),
      step(EventKind::stop, "", "", ""),
  };
  document.steps[0].choices = {{1, 3}};
  document.steps[0].notes = {"transaction 1\nbegins"};
  for (std::size_t i = 0; i < document.steps.size(); ++i) {
    document.steps[i].time_ns = static_cast<std::int64_t>(i) * 500'000;
  }
  document.end = "quiescent";
  return document;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// --- What it looks like ----------------------------------------------------------------------------------

TEST(Diagram, OfARace) {
  EXPECT_EQ(space_time_diagram(flush_race(), {.width = 80}),
            R"(flush_race  bug=overtake
strategy random, seed 42, run 7, 5 steps
○─▶● a message arrives   ▶● from outside   ◂n caused by step n

step  cause   handler      logger       terminator
              │            │            │
   1         ▶●            │            │   Request
   2     ◂1   ○────────────┼───────────▶●   Finish
   3     ◂2   │            ●◀───────────○   Flush
              │            │            │     open: true -> false
   4     ◂3   │            ○───────────▶●   Flushed
              │            │            │     done: false -> true; waits: 1 -> 0
   5     ◂1   ○───────────▶●            │   Log{line: "request handled"}
              │            ✗            │   ✗ VIOLATED

━━━━ ✗ VIOLATION ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
  log arrived after flush
  property  check
  actor     logger
  noticed   after step 5
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
)");
}

TEST(Diagram, OfARaceInAsciiWithoutChanges) {
  EXPECT_EQ(space_time_diagram(flush_race(), {.width = 80, .ascii = true, .changes = false}),
            R"(flush_race  bug=overtake
strategy random, seed 42, run 7, 5 steps
o->* a message arrives   >* from outside   <n caused by step n

step  cause   handler       logger        terminator
              |             |             |
   1         >*             |             |   Request
   2     <1   o-------------+------------>*   Finish
   3     <2   |             *<------------o   Flush
   4     <3   |             o------------>*   Flushed
   5     <1   o------------>*             |   Log{line: "request handled"}
              |             X             |   X VIOLATED

==== X VIOLATION ===============================================================
  log arrived after flush
  property  check
  actor     logger
  noticed   after step 5
================================================================================
)");
}

TEST(Diagram, OfEveryKindOfFault) {
  EXPECT_EQ(space_time_diagram(faults(), {.width = 90}),
            R"(two_phase_commit
○─▶● a message arrives   ◔ a timer fires   ◆ an actor starts   ○╌✗ a message is lost
✗ a crash, ┊ down   ◂n caused by step n

step   time  cause   boss          a             b
                     │             │             │
   1    0ns          ◆             │             │   starts
                     │             │             │     chose 1 of 0..2
                     │             │             │     note: transaction 1
                     │             │             │           begins
   2  500us     ◂1   ○────────────▶●             │   Vote
   3    1ms     ◂1   ○╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌✗│   DROP Vote
   4  1.5ms          │             ✗             │   CRASH
   5    2ms     ◂1   ○────────────▶┊             │   Ping  (lost, the actor is down)
   6  2.5ms         ═╪═════════════╪═════════════╪═  PARTITION split: boss a | b
   7    3ms     ◂1   ◔             ┊             │   timer Retry
                     │             ┊             │     attempts: 0 -> 1
   8  3.5ms          │             ▲             │   RESTART
                     │             │             │     voted: true -> false
   9    4ms         ╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌  HEAL split: boss a | b
  10  4.5ms     ◂7   ○╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌²│   DUPLICATE Vote
  11    5ms     ◂2   │≠╌╌╌╌╌╌╌╌╌╌╌╌○             │   CORRUPT Yes
  12  5.5ms     ◂7   ●             │             │   Tick  (to itself)
  13    6ms         ╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌  stops here

end: quiescent; no violation
)");
}

TEST(Diagram, OfCutsDisksAndClocks) {
  TraceDocument document;
  document.scenario = "kv";
  document.actors = {"client", "store"};
  document.steps = {step(EventKind::isolate, "store", "", "for 3 steps"),
                    step(EventKind::lost, "store", "client", "Put"),
                    step(EventKind::crash, "store", "", ""),
                    step(EventKind::recreate, "store", "", ""),
                    step(EventKind::fail_write, "store", "", ""),
                    step(EventKind::jump_clock, "client", "", "by 5s")};
  document.steps[1].cut = "isolation of store";
  document.end = "quiescent";
  EXPECT_EQ(space_time_diagram(document, {.width = 60}),
            R"(kv
○╌✗ a message is lost   ✗ a crash, ┊ down
◂n caused by step n

step  cause   client      store
              │           │
   1          │           ╪   ISOLATE for 3 steps
   2          ○╌╌╌╌╌╌╌╌╌╌✗│   Put  lost (isolation of store)
   3          │           ✗   CRASH
   4          │           ▲   RECREATE
   5          │           ≠   FAIL WRITE
   6          ≠           │   JUMP CLOCK by 5s

end: quiescent; no violation
)");
}

TEST(Diagram, LongPayloadsAreWrappedAndVeryLongOnesToldBelow) {
  TraceDocument document;
  document.scenario = "kv";
  document.actors = {"client", "store"};
  document.steps = {
      deliver("store", "client", "Put{key: \"colour\", value: \"a blue so deep that it is black\"}"),
      deliver("client", "store", "Dump{entries: [" + std::string(120, 'x') + ", last]}", 0)};
  document.end = "quiescent";
  EXPECT_EQ(space_time_diagram(document, {.width = 60}),
            R"(kv
○─▶● a message arrives   ◂n caused by step n

step  cause   client  store
              │       │
   1          ○──────▶●   Put{key: "colour", value: "a
              │       │     blue so deep that it is black"}
   2     ◂1   ●◀──────○   Dump{entries: [xxxxxxxxxxxxxxxxxx…
      Dump{entries: [xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
        xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
        xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, last]}

end: quiescent; no violation
)");
}

TEST(Diagram, LongNamesStandOneBelowTheOther) {
  TraceDocument document;
  document.scenario = "paxos";
  document.actors = {"proposer.of.the.west", "proposer.of.the.east", "acceptor"};
  document.steps = {
      deliver("proposer.of.the.west", "outside", "Start"),
      deliver("acceptor", "proposer.of.the.west", "Prepare{ballot: 1}", 0, {"promised: -1 -> 1"})};
  document.end = "step bound";
  EXPECT_EQ(space_time_diagram(document, {.width = 66}),
            R"(paxos
○─▶● a message arrives   ▶● from outside   ◂n caused by step n

step  cause   proposer.of.the.west
              │         proposer.of.the.east
              │         │         acceptor
              │         │         │
   1         ▶●         │         │   Start
   2     ◂1   ○─────────┼────────▶●   Prepare{ballot: 1}
              │         │         │     promised: -1 -> 1

end: step bound; no violation
)");
}

TEST(Diagram, TooManyColumnsBecomeAList) {
  TraceDocument document = flush_race();
  for (int i = 0; i < 30; ++i) document.actors.push_back(fmt::format("worker.{}", i));
  document.steps[4].choices = {{1, 2}};
  EXPECT_EQ(space_time_diagram(document, {.width = 60}),
            R"(flush_race  bug=overtake
strategy random, seed 42, run 7, 5 steps

step  cause  event
   1         outside → handler  Request
   2     ◂1  handler → terminator  Finish
   3     ◂2  terminator → logger  Flush
               open: true -> false
   4     ◂3  logger → terminator  Flushed
               done: false -> true; waits: 1 -> 0
   5     ◂1  handler → logger  Log{line: "request
               handled"}
               chose 1 of 0..1
             ✗ VIOLATED

━━━━ ✗ VIOLATION ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
  log arrived after flush
  property  check
  actor     logger
  noticed   after step 5
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
)");
}

TEST(Diagram, OfNothing) {
  EXPECT_EQ(space_time_diagram(TraceDocument{}),
            "\nstep  cause\n\n  (no steps)\n\nthe execution ends here; no violation\n");
  TraceDocument broken_at_once;
  broken_at_once.scenario = "paxos";
  broken_at_once.actors = {"proposer"};
  broken_at_once.violation = Violation{"agreement", "broken\nfrom the start", nobody, no_step};
  EXPECT_EQ(space_time_diagram(broken_at_once, {.width = 44}),
            R"(paxos

step  cause   proposer
              │
  (no steps)

━━━━ ✗ VIOLATION ━━━━━━━━━━━━━━━━━━━━━━━━━━━
  broken
  from the start
  property  agreement
  noticed   before the first step
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
)");
}

TEST(Diagram, SaysWhatWasSentWhereAsked) {
  TraceDocument document = flush_race();
  document.steps[0].sent = {"Log to logger", "Finish to terminator"};
  EXPECT_THAT(space_time_diagram(document, {}), Not(HasSubstr("sent:")));
  EXPECT_THAT(space_time_diagram(document, {.sent = true}), HasSubstr("│     sent: Finish to terminator\n"));
}

TEST(Diagram, ColoursChangeNothingElse) {
  for (const TraceDocument& document : {flush_race(), faults()}) {
    const std::string colored = space_time_diagram(document, {.color = true});
    std::string stripped;
    for (std::size_t i = 0; i < colored.size(); ++i) {
      if (colored[i] == '\x1b')
        i = colored.find('m', i);
      else
        stripped += colored[i];
    }
    EXPECT_EQ(stripped, space_time_diagram(document, {}));
    EXPECT_THAT(colored, HasSubstr("\x1b[0;1m"));
  }
  EXPECT_THAT(space_time_diagram(flush_race(), {.color = true}),
              HasSubstr("\x1b[0;1;31m✗ VIOLATED\x1b[0m\n"));
}

TEST(EventList, TellsOneStepPerLine) {
  EXPECT_EQ(event_list(flush_race()),
            R"(   1         outside → handler  Request
   2     ◂1  handler → terminator  Finish
   3     ◂2  terminator → logger  Flush
   4     ◂3  logger → terminator  Flushed
   5     ◂1  handler → logger  Log{line: "request handled"}
)");
  EXPECT_EQ(event_list(faults(), {.ascii = true}),
            R"(   1    0ns         boss  starts  (chose 1 of 0..2)
   2  500us     <1  boss -> a  Vote
   3    1ms     <1  boss -> b  DROP Vote
   4  1.5ms         a  CRASH
   5    2ms     <1  boss -> a  Ping
   6  2.5ms         PARTITION split: boss a | b
   7    3ms     <1  boss  timer Retry
   8  3.5ms         a  RESTART
   9    4ms         HEAL split: boss a | b
  10  4.5ms     <7  boss -> b  DUPLICATE Vote
  11    5ms     <2  a -> boss  CORRUPT Yes
  12  5.5ms     <7  boss -> boss  Tick
  13    6ms         stops here
)");
  EXPECT_EQ(event_list(TraceDocument{}), "");
}

// --- What always holds -----------------------------------------------------------------------------------

std::string hostile_text(Rng& rng, std::uint64_t pieces_max) {
  static const std::vector<std::string> pieces = {"Log",
                                                  "{x: 1}",
                                                  "a b",
                                                  "→",
                                                  "🦆",
                                                  "\x1b[31m",
                                                  "\n",
                                                  "\xff",
                                                  "\t",
                                                  "",
                                                  "\xc2\x9b",
                                                  " ",
                                                  "xxxxxxxxxxxxxxxxxxxxxxxx"};
  std::string text;
  for (std::uint64_t n = rng.below(pieces_max + 1); n > 0; --n) text += pieces.at(rng.below(pieces.size()));
  return text;
}

TraceDocument random_document(Rng& rng) {
  TraceDocument document;
  document.scenario = hostile_text(rng, 3);
  document.strategy = hostile_text(rng, 3);
  for (std::uint64_t n = rng.below(4); n > 0; --n)
    document.options.emplace_back(hostile_text(rng, 3), hostile_text(rng, 6));
  document.timed = rng.chance(1, 2);
  for (std::uint64_t n = rng.below(14); n > 0; --n)
    document.actors.push_back(fmt::format("{}{}", hostile_text(rng, 3), n));
  const auto somebody = [&]() -> std::string {
    if (rng.chance(1, 8)) return hostile_text(rng, 2);
    if (rng.chance(1, 8) || document.actors.empty()) return "outside";
    return document.actors.at(rng.below(document.actors.size()));
  };
  const std::uint64_t length = rng.below(60);
  for (std::uint64_t i = 0; i < length; ++i) {
    DocumentStep each =
        step(static_cast<EventKind>(rng.below(11)), somebody(), somebody(), hostile_text(rng, 12));
    if (each.to == "outside") each.to.clear();
    if (i > 0 && rng.chance(2, 3)) each.parent = static_cast<std::uint32_t>(rng.below(i));
    each.time_ns = static_cast<std::int64_t>(rng.next() >> rng.below(64));
    for (std::uint64_t n = rng.below(3); n > 0; --n) each.choices.push_back({0, 2});
    for (std::uint64_t n = rng.below(4); n > 0; --n) each.changes.push_back(hostile_text(rng, 5));
    for (std::uint64_t n = rng.below(2); n > 0; --n) each.notes.push_back(hostile_text(rng, 20));
    document.steps.push_back(each);
  }
  if (rng.chance(1, 2)) {
    document.violation = Violation{hostile_text(rng, 2), hostile_text(rng, 20), nobody, no_step};
    if (rng.chance(1, 2)) document.violation->step = static_cast<std::uint32_t>(rng.below(length + 2));
    document.violating_actor = somebody();
  }
  document.end = hostile_text(rng, 2);
  return document;
}

TEST(Diagram, NoLineIsTooWideAndNoStepIsMissing) {
  Rng rng(6);
  for (int round = 0; round < 200; ++round) {
    const TraceDocument document = random_document(rng);
    // Step, time and cause take up to 42 columns here, and a list wants 24 for words.
    const ShowOptions options{
        .width = 66 + rng.below(100), .changes = rng.chance(1, 2), .sent = rng.chance(1, 2)};
    std::size_t next = 1;
    for (const std::string& line : lines_of(space_time_diagram(document, options))) {
      ASSERT_LE(display_width(line), options.width) << line;
      ASSERT_EQ(line, printable_utf8(line));
      if (line.starts_with(fmt::format("{:>4}  ", next))) ++next;
    }
    ASSERT_EQ(next, document.steps.size() + 1) << "round " << round;
  }
}

TEST(Diagram, NoWidthIsTooSmallToDraw) {
  Rng rng(7);
  for (int round = 0; round < 300; ++round) {
    const TraceDocument document = random_document(rng);
    EXPECT_FALSE(space_time_diagram(document, {.width = rng.below(60)}).empty());
  }
}

TEST(Diagram, TextsCannotControlTheTerminal) {
  Rng rng(8);
  for (int round = 0; round < 200; ++round) {
    const TraceDocument document = random_document(rng);
    for (const bool ascii : {false, true}) {
      const ShowOptions options{.ascii = ascii};
      for (const std::string& text : {space_time_diagram(document, options), event_list(document, options)}) {
        ASSERT_THAT(text, Not(HasSubstr("\xc2\x9b")));
        for (const char c : text) {
          ASSERT_TRUE(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f));
          ASSERT_TRUE(!ascii || static_cast<unsigned char>(c) < 0x80);
        }
      }
    }
  }
}

TEST(EventList, HasAsManyLinesAsSteps) {
  Rng rng(9);
  for (int round = 0; round < 200; ++round) {
    const TraceDocument document = random_document(rng);
    ASSERT_EQ(lines_of(event_list(document)).size(), document.steps.size());
  }
}

TEST(Diagram, OfAThousandStepsRepeatsTheNames) {
  TraceDocument document = flush_race();
  document.violation.reset();
  document.violating_actor.clear();
  for (std::uint32_t i = 5; i < 1000; ++i)
    document.steps.push_back(deliver("logger", "handler", "Log", i - 1));
  const std::string text = space_time_diagram(document, {});
  EXPECT_THAT(text, HasSubstr("\n1000   ◂999   ○─"));
  std::size_t heads = 0;
  for (const std::string& line : lines_of(text)) heads += line.starts_with("step  cause") ? 1 : 0;
  EXPECT_EQ(heads, 1000U / 40U);
}

// --- what a step chose and stored; what was held back at the end ---

TEST(Show, ChoicesHaveTheirNames) {
  DocumentStep chosen = deliver("a", "b", "Go");
  chosen.choices = {{2, 4}, {1, 2}, {1, 2}, {0, 3}, DataChoice::time(2'000'000), {1, 2, false, true}};
  chosen.labels = {"victim", "pause?", "flip?", "", "", ""};
  EXPECT_EQ(choice_text(chosen, 0), "victim: 2 of 0..3");
  EXPECT_EQ(choice_text(chosen, 1), "pause: true");
  EXPECT_EQ(choice_text(chosen, 2), "flip: true");
  EXPECT_EQ(choice_text(chosen, 3), "chose 0 of 0..2");
  EXPECT_EQ(choice_text(chosen, 4), "the clock shows 2ms");
  EXPECT_EQ(choice_text(chosen, 5), "what waited was due before");
  chosen.labels.clear();
  EXPECT_EQ(choice_text(chosen, 0), "chose 2 of 0..3");
}

TEST(Show, WhatWasStoredAndWhatWasHeldBackAreTold) {
  TraceDocument document = flush_race();
  document.steps[1].disk = {"stores Page{number: 7}"};
  document.held = {"timer Retry of handler is armed but cannot fire: its budget of 2 is spent"};
  for (const std::size_t width : {100U, 50U}) {
    ShowOptions options;
    options.width = width;
    EXPECT_THAT(space_time_diagram(document, options), HasSubstr("disk: stores"));
    EXPECT_THAT(space_time_diagram(document, options), HasSubstr("Page{number: 7}"));
  }
  EXPECT_THAT(space_time_diagram(document), HasSubstr("its budget of 2 is spent"));
  document.violation.reset();
  EXPECT_THAT(space_time_diagram(document), HasSubstr("its budget of 2 is spent"));
}

// --- some of the steps ---

TEST(Show, StepsThatAreLeftOutAreCounted) {
  ShowOptions options;
  options.from = 2;
  options.to = 3;
  const std::string some = space_time_diagram(flush_race(), options);
  EXPECT_THAT(some, Not(HasSubstr("Request\n")));
  EXPECT_THAT(some, HasSubstr("Finish"));
  EXPECT_THAT(some, HasSubstr("Flush"));
  EXPECT_THAT(some, HasSubstr("1 step not shown"));
  EXPECT_THAT(some, HasSubstr("2 steps not shown"));
  EXPECT_THAT(some, HasSubstr("log arrived after flush"));
}

TEST(Show, StepsOfAnActorAreThoseThatItTakesOrSent) {
  ShowOptions options;
  options.actors = {"logger"};
  const std::string list = event_list(flush_race(), options);
  EXPECT_THAT(list, HasSubstr("Log{"));
  EXPECT_THAT(list, Not(HasSubstr("Request")));
  EXPECT_THAT(list, Not(HasSubstr("Finish")));
}

}  // namespace
}  // namespace gainsay
