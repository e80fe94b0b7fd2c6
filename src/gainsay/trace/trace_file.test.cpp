#include "gainsay/trace/trace_file.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/complaint.test.hpp"
#include "gainsay/base/rng.hpp"

namespace gainsay {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TraceDocument flush_race() {
  TraceDocument document;
  document.scenario = "flush_race";
  document.options = {{"bug", "overtake"}};
  document.strategy = "random";
  document.seed = 42;
  document.run = 7;
  document.steps_max = 1000;
  document.actors = {"handler", "logger", "terminator"};
  document.steps = {
      {.id = {0x1111}, .kind = EventKind::deliver, .to = "handler", .from = "outside", .message = "Request"},
      {.id = {0x2222},
       .to = "terminator",
       .from = "handler",
       .message = "Finish{code: 3}",
       .parent = 0,
       .choices = {{1, 3}, {0, 2}}},
      {.id = {0xffffffffffffffff},
       .to = "logger",
       .from = "terminator",
       .message = "Flush{who: \"a → b\"}",
       .parent = 1,
       .time_ns = -5,
       .changes = {"open: true -> false"},
       .sent = {"Flushed to terminator"},
       .notes = {"closing", ""}},
      {.id = {4}, .to = "logger", .from = "handler", .message = "Log", .parent = 0},
  };
  document.violation = Violation{"check", "log arrived after flush", ActorId{1}, 3};
  document.violating_actor = "logger";
  document.end = "violated";
  return document;
}

std::string written(const TraceDocument& document) {
  std::ostringstream out;
  write_trace(out, document);
  return out.str();
}

TraceDocument parsed(const std::string& text) {
  std::istringstream in(text);
  return read_trace(in, "t.trace");
}

// What is said about a file that cannot be read; fails if it can.
std::string complaint(const std::string& text) {
  try {
    parsed(text);
  } catch (const UserError& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.find('\n'), std::string::npos) << "one line: " << what;
    EXPECT_NE(what.find("; "), std::string::npos) << "says what was expected: " << what;
    return what;
  }
  ADD_FAILURE() << "was read without complaint";
  return "";
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The file with its chains made right again: what somebody gets who knows the format and forges it.
std::string forged(const std::vector<std::string>& lines) {
  std::string out;
  std::uint64_t chain = 0;
  for (const std::string& line : lines) {
    const std::string content = line.substr(0, line.rfind(",\"chain\""));
    chain = trace_chain(chain, content);
    out += fmt::format("{},\"chain\":\"{:08x}\"}}\n", content, chain >> 32U);
  }
  return out;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " in " << text;
  return text.replace(at, from.size(), to);
}

std::string forged_with(const std::string& from, const std::string& to) {
  return forged(lines_of(replaced(written(flush_race()), from, to)));
}

// --- Writing ---------------------------------------------------------------------------------------------

TEST(TraceFile, KeepsWhatWasHeldBackAtTheEnd) {
  TraceDocument document = flush_race();
  document.held = {"timer Retry of handler is armed but cannot fire: its budget of 2 is spent"};
  std::istringstream in(written(document));
  EXPECT_EQ(read_trace(in, "x.trace"), document);
}

TEST(TraceFile, LooksLikeThis) {
  EXPECT_EQ(written(flush_race()),
            R"({"format":"gainsay-trace","version":1,"scenario":"flush_race")"
            R"(,"options":{"bug":"overtake"},"strategy":"random","seed":42,"run":7,"steps_max":1000)"
            R"(,"timed":false,"actors":["handler","logger","terminator"],"chain":"12d8c6a8"})"
            "\n"
            R"({"step":1,"id":"0000000000001111","kind":"deliver","from":"outside","to":"handler")"
            R"(,"message":"Request","chain":"3de19ab5"})"
            "\n"
            R"({"step":2,"id":"0000000000002222","kind":"deliver","cause":1,"from":"handler")"
            R"(,"to":"terminator","message":"Finish{code: 3}","choices":[[1,3],[0,2]],"chain":"c8079dac"})"
            "\n"
            R"({"step":3,"id":"ffffffffffffffff","kind":"deliver","cause":2,"from":"terminator")"
            R"(,"to":"logger","message":"Flush{who: \"a → b\"}","time_ns":-5)"
            R"(,"changes":["open: true -> false"],"sent":["Flushed to terminator"],"notes":["closing")"
            R"(,""],"chain":"bb2f1218"})"
            "\n"
            R"({"step":4,"id":"0000000000000004","kind":"deliver","cause":1,"from":"handler")"
            R"(,"to":"logger","message":"Log","chain":"677a597a"})"
            "\n"
            R"({"end":"violated","violation":{"property":"check","message":"log arrived after flush")"
            R"(,"actor":"logger","actor_id":1,"step":4},"chain":"9326bce2"})"
            "\n");
}

TEST(TraceFile, IsReadAsItWasWritten) {
  EXPECT_EQ(parsed(written(flush_race())), flush_race());
  EXPECT_EQ(parsed(written(TraceDocument{})), TraceDocument{});
}

std::string random_text(Rng& rng) {
  static const std::vector<std::string> pieces = {"a",
                                                  "Log",
                                                  "\"",
                                                  "\\",
                                                  "\n",
                                                  "\t",
                                                  "→",
                                                  "🦆",
                                                  "{x: 1}",
                                                  std::string(1, '\0'),
                                                  "\x1b[0m",
                                                  "\x7f",
                                                  ",\"chain\":\"",
                                                  "}",
                                                  "\u2028",
                                                  " "};
  std::string text;
  for (std::uint64_t n = rng.below(6); n > 0; --n) text += pieces.at(rng.below(pieces.size()));
  return text;
}
std::vector<std::string> random_texts(Rng& rng) {
  std::vector<std::string> texts(rng.below(3));
  for (std::string& text : texts) text = random_text(rng);
  return texts;
}

TraceDocument random_document(Rng& rng) {
  TraceDocument document;
  document.scenario = random_text(rng);
  for (std::uint64_t n = rng.below(3); n > 0; --n)
    document.options.emplace_back(random_text(rng) + std::to_string(n), random_text(rng));
  document.strategy = random_text(rng);
  document.seed = rng.next() >> rng.below(64);
  document.run = rng.next() >> rng.below(64);
  document.steps_max = rng.next();
  document.timed = rng.chance(1, 2);
  document.actors = random_texts(rng);
  const std::uint64_t steps = rng.below(6);
  for (std::uint64_t i = 0; i < steps; ++i) {
    DocumentStep step;
    step.id.raw = rng.next();
    step.kind = static_cast<EventKind>(rng.below(11));
    step.to = random_text(rng);
    step.from = random_text(rng);
    step.message = random_text(rng);
    if (i > 0 && rng.chance(2, 3)) step.parent = static_cast<std::uint32_t>(rng.below(i));
    for (std::uint64_t n = rng.below(3); n > 0; --n) {
      const auto among = static_cast<std::uint32_t>(1 + rng.below(UINT32_MAX));
      step.choices.push_back({static_cast<std::uint32_t>(rng.below(among)), among});
    }
    step.time_ns = static_cast<std::int64_t>(rng.next() >> rng.below(64)) * (rng.chance(1, 2) ? 1 : -1);
    step.changes = random_texts(rng);
    step.sent = random_texts(rng);
    step.notes = random_texts(rng);
    document.steps.push_back(step);
  }
  if (rng.chance(1, 2)) {
    document.violation = Violation{random_text(rng), random_text(rng), nobody, no_step};
    if (rng.chance(1, 2)) document.violation->actor.raw = static_cast<std::uint32_t>(rng.next());
    if (rng.chance(1, 2)) document.violation->step = static_cast<std::uint32_t>(rng.below(8));
    document.violating_actor = random_text(rng);
  }
  document.end = random_text(rng);
  return document;
}

TEST(TraceFile, RandomDocumentsComeBackEqualAndAreWrittenAgainByteForByte) {
  Rng rng(5);
  for (int i = 0; i < 3'000; ++i) {
    const TraceDocument document = random_document(rng);
    const std::string text = written(document);
    const TraceDocument again = parsed(text);
    ASSERT_EQ(again, document) << text;
    ASSERT_EQ(written(again), text);
  }
}

TEST(TraceFile, TextThatIsNotUtf8IsMadeSo) {
  TraceDocument document = flush_race();
  document.steps[0].message = "a\xff";
  document.steps[0].notes = {"cut \xc3"};
  const TraceDocument again = parsed(written(document));
  EXPECT_EQ(again.steps[0].message, "a\xef\xbf\xbd");
  EXPECT_EQ(again.steps[0].notes[0], "cut \xef\xbf\xbd");
  EXPECT_EQ(written(again), written(document));
}

TEST(TraceFile, HoldsLongTraces) {
  TraceDocument document = flush_race();
  DocumentStep step = document.steps[3];
  step.message = std::string(2'000, 'x');
  while (document.steps.size() < 5'000) {
    step.parent = static_cast<std::uint32_t>(document.steps.size() - 1);
    document.steps.push_back(step);
  }
  EXPECT_EQ(parsed(written(document)), document);
}

TEST(TraceFileDeathTest, RefusesDocumentsThatNoExecutionMakes) {
  TraceDocument backwards = flush_race();
  backwards.steps[1].parent = 1;
  EXPECT_DEATH(written(backwards), "a cause comes before its effect");
  TraceDocument answered = flush_race();
  answered.steps[1].choices = {{3, 3}};
  EXPECT_DEATH(written(answered), "an answer is in range");
}

// --- Damage ----------------------------------------------------------------------------------------------

TEST(TraceFile, EveryTruncationIsNoticed) {
  const std::string text = written(flush_race());
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string what = complaint(text.substr(0, size));
    const auto line = static_cast<std::size_t>(
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size), '\n'));
    EXPECT_THAT(what, StartsWith(fmt::format("t.trace:{}: ", line))) << "cut after " << size << " bytes";
  }
}

// Every byte, turned into several others. Either the file is refused, in the line of the damage or (if a line
// end is gone or new) beside it, or what is read is what was written.
TEST(TraceFile, EveryChangedByteIsNoticedInItsLine) {
  const std::string text = written(flush_race());
  std::size_t line = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const int flip : {0x01, 0x02, 0x10, 0x20, 0x80, 0xff}) {
      std::string damaged = text;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      EXPECT_THAT(complaint(damaged), StartsWith(fmt::format("t.trace:{}: ", line)))
          << "byte " << i << " xor " << flip;
    }
    if (text[i] == '\n') ++line;
  }
}

TEST(TraceFile, EveryDeletedAndDoubledByteIsNoticed) {
  const std::string text = written(flush_race());
  for (std::size_t i = 0; i < text.size(); ++i) {
    complaint(std::string(text).erase(i, 1));
    complaint(std::string(text).insert(i, 1, text[i]));
  }
}

TEST(TraceFile, AnEditedLineIsNamed) {
  EXPECT_THAT(complaint(replaced(written(flush_race()), "Finish{code: 3}", "Finish{code: 4}")),
              AllOf(StartsWith("t.trace:3: the line was edited"), HasSubstr("; expected chain ")));
}

TEST(TraceFile, AMissingAndAMovedLineAreNamed) {
  std::vector<std::string> lines = lines_of(written(flush_race()));
  const auto joined = [&] { return fmt::format("{}\n", fmt::join(lines, "\n")); };
  std::swap(lines[2], lines[3]);
  EXPECT_THAT(complaint(joined()), StartsWith("t.trace:3: "));
  std::swap(lines[2], lines[3]);
  lines.erase(lines.begin() + 2);
  EXPECT_THAT(complaint(joined()),
              StartsWith("t.trace:3: the line was edited, or lines above it were removed"));
}

TEST(TraceFile, ATraceWithoutItsEndIsCut) {
  std::vector<std::string> lines = lines_of(written(flush_race()));
  lines.pop_back();
  EXPECT_EQ(complaint(fmt::format("{}\n", fmt::join(lines, "\n"))),
            "t.trace:6: the trace ends after 4 steps; expected more steps or the closing line; the file is "
            "truncated");
  const std::string text = written(flush_race());
  EXPECT_EQ(complaint(text.substr(0, text.size() - 20)),
            "t.trace:6: the file is truncated in the middle of this line; a line feed was expected at the "
            "end of every line");
}

TEST(TraceFile, NothingMayFollowTheEnd) {
  const std::string text = written(flush_race());
  for (const char* garbage : {"x", "\n", "{}\n", " ", "\x01\x02"})
    EXPECT_THAT(complaint(text + garbage), StartsWith("t.trace:7: "));
  EXPECT_EQ(complaint(text + text),
            "t.trace:7: there is text after the closing line; expected the end of the file");
}

TEST(TraceFile, CarriageReturnsAreNamed) {
  std::string text;
  for (const std::string& line : lines_of(written(flush_race()))) text += line + "\r\n";
  EXPECT_EQ(complaint(text), "t.trace:1: the line ends in a carriage return; expected a line feed alone");
}

// --- Other files -----------------------------------------------------------------------------------------

TEST(TraceFile, AnEmptyFileIsSaidToBeEmpty) {
  EXPECT_EQ(complaint(""), "t.trace:1: the file is empty; expected a trace written by gainsay");
}

TEST(TraceFile, OtherFilesAreNotTraces) {
  const std::string expected =
      "t.trace:1: this is not a gainsay trace; expected a first line that starts with "
      "{\"format\":\"gainsay-trace\",\"version\":";
  for (const std::string other :
       {"hello\n", "\n", "{}\n", "[1,2]\n", "{\"format\":\"other\"}\n", "no line end",
        "\xef\xbb\xbf{\"format\":\"gainsay-trace\"", "\x7f\x45LF\x02\x01"}) {
    EXPECT_EQ(complaint(other), expected);
  }
}

TEST(TraceFile, JunkIsNotATrace) {
  Rng rng(9);
  for (int i = 0; i < 2'000; ++i) {
    std::string junk(1 + rng.below(300), '\0');
    for (char& c : junk) c = static_cast<char>(rng.below(256));
    EXPECT_THAT(complaint(junk), StartsWith("t.trace:1: "));
  }
}

TEST(TraceFile, AnotherFormatVersionIsNamed) {
  EXPECT_EQ(complaint(replaced(written(flush_race()), "\"version\":1", "\"version\":2")),
            "t.trace:1: the trace has format version \"2\"; this build reads version 1");
  EXPECT_EQ(complaint(replaced(written(flush_race()), "\"version\":1", "\"version\":12")),
            "t.trace:1: the trace has format version \"12\"; this build reads version 1");
}

class Endless : public std::streambuf {
 public:
  explicit Endless(std::string start) : start_(std::move(start)) {
    setg(start_.data(), start_.data(), start_.data() + start_.size());
  }
  std::size_t served = 0;

 protected:
  int_type underflow() override {
    served += sizeof(block_);
    std::fill(std::begin(block_), std::end(block_), 'x');
    setg(block_, block_, block_ + sizeof(block_));
    return 'x';
  }

 private:
  std::string start_;
  char block_[4096] = {};
};

TEST(TraceFile, AnEndlessLineIsGivenUp) {
  for (const std::string& start : {std::string(), lines_of(written(flush_race()))[0] + "\n{\"step\":1,"}) {
    Endless endless(start);
    std::istream in(&endless);
    try {
      read_trace(in, "t.trace");
      ADD_FAILURE();
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(),
                  HasSubstr(": the line is longer than 16.0 MiB; lines of a trace are shorter"));
    }
    EXPECT_LE(endless.served, trace_line_bytes_max + 8192);
  }
}

TEST(TraceFile, AStepThatNoLineHoldsIsNotWritten) {
  TraceDocument document = flush_race();
  document.steps[0].message = std::string(trace_line_bytes_max, 'x');
  EXPECT_THROW(written(document), UserError);
}

// --- Forgeries: the chain is right and the content is not ------------------------------------------------

TEST(TraceFile, WrongTypesAreNamed) {
  EXPECT_EQ(complaint(forged_with("\"seed\":42", "\"seed\":\"42\"")),
            "t.trace:1: \"seed\" is \"42\"; expected a number, at least 0");
  EXPECT_EQ(complaint(forged_with("\"seed\":42", "\"seed\":-42")),
            "t.trace:1: \"seed\" is -42; expected a number, at least 0");
  EXPECT_EQ(complaint(forged_with("\"timed\":false", "\"timed\":0")),
            "t.trace:1: \"timed\" is 0; expected true or false");
  EXPECT_EQ(complaint(forged_with("\"actors\":[\"handler\"", "\"actors\":[7")),
            "t.trace:1: \"actors\" is 7; expected a text");
  EXPECT_EQ(complaint(forged_with("{\"bug\":\"overtake\"}", "[]")),
            "t.trace:1: \"options\" is []; expected an object");
  EXPECT_EQ(complaint(forged_with("{\"bug\":\"overtake\"}", "{\"bug\":1}")),
            "t.trace:1: \"options\" is 1; expected a text");
  EXPECT_EQ(complaint(forged_with("[[1,3],[0,2]]", "[[1]]")),
            "t.trace:3: \"choices\" is [1]; expected pairs");
  EXPECT_EQ(complaint(forged_with("\"message\":\"Request\"", "\"message\":null")),
            "t.trace:2: \"message\" is null; expected a text");
  EXPECT_EQ(complaint(forged_with("[[1,3],[0,2]]", "{}")), "t.trace:3: \"choices\" is {}; expected a list");
  EXPECT_EQ(complaint(forged_with("[[1,3],[0,2]]", "[[3,3]]")),
            "t.trace:3: \"choices\" is 3; expected at most 2");
  EXPECT_EQ(complaint(forged_with("[[1,3],[0,2]]", "[[0,0]]")),
            "t.trace:3: \"choices\" is [0,0]; expected pairs [answer, among] with answer < among");
  EXPECT_EQ(complaint(forged_with("[[1,3],[0,2]]", "[[1,4294967296]]")),
            "t.trace:3: \"choices\" is 4294967296; expected at most 4294967295");
  EXPECT_EQ(complaint(forged_with("\"time_ns\":-5", "\"time_ns\":0.5")),
            "t.trace:4: \"time_ns\" is 0.5; expected a whole number");
  EXPECT_EQ(complaint(forged_with("\"time_ns\":-5", "\"time_ns\":9223372036854775808")),
            "t.trace:4: \"time_ns\" is 9223372036854775808; expected a whole number");
  EXPECT_EQ(complaint(forged_with("\"end\":\"violated\"", "\"end\":1")),
            "t.trace:6: \"end\" is 1; expected a text");
  EXPECT_THAT(complaint(forged_with("\"violation\":{", "\"violation\":[{")),
              StartsWith("t.trace:6: the line is not a JSON object"));
}

TEST(TraceFile, WrongValuesAreNamed) {
  EXPECT_EQ(complaint(forged_with("\"kind\":\"deliver\"", "\"kind\":\"delivery\"")),
            "t.trace:2: \"delivery\" is not a kind of event; expected one of start, deliver, timer, task, "
            "drop, duplicate, corrupt, crash, restart, partition, heal, stop, lost, isolate, recreate, "
            "fail_write, tear_write, lose_write, jump_clock");
  EXPECT_EQ(complaint(forged_with("\"cause\":1", "\"cause\":2")),
            "t.trace:3: step 2 says that step 2 caused it; expected an earlier step");
  EXPECT_EQ(complaint(forged_with("\"cause\":1", "\"cause\":99")),
            "t.trace:3: step 2 says that step 99 caused it; expected an earlier step");
  EXPECT_EQ(complaint(forged_with("\"cause\":1", "\"cause\":0")),
            "t.trace:3: step 2 says that step 0 caused it; expected an earlier step");
  EXPECT_EQ(complaint(forged_with("\"step\":3", "\"step\":4")), "t.trace:4: \"step\" is 4; expected step 3");
  EXPECT_EQ(complaint(forged_with("0000000000001111", "1111")),
            "t.trace:2: \"id\" is \"1111\"; expected 16 hexadecimal digits");
  EXPECT_EQ(complaint(forged_with("ffffffffffffffff", "FFFFFFFFFFFFFFFF")),
            "t.trace:4: \"id\" is \"FFFFFFFFFFFFFFFF\"; expected 16 hexadecimal digits");
  EXPECT_EQ(complaint(forged_with("\"step\":4}", "\"step\":0}")),
            "t.trace:6: \"step\" is 0; steps are numbered from 1");
}

TEST(TraceFile, MissingAndForeignFieldsAreNamed) {
  EXPECT_EQ(complaint(forged_with("\"strategy\":\"random\",", "")),
            "t.trace:1: the line has no \"strategy\"; expected one; the file is truncated or edited");
  EXPECT_EQ(complaint(forged_with("\"id\":\"0000000000001111\",", "")),
            "t.trace:2: the line has no \"id\"; expected one; the file is truncated or edited");
  EXPECT_EQ(complaint(forged_with("\"property\":\"check\",", "")),
            "t.trace:6: the violation has no \"property\"; expected one; the file is truncated or edited");
  EXPECT_THAT(complaint(forged_with("\"run\":7", "\"run\":7,\"jog\":8")),
              StartsWith("t.trace:1: the line has fields that a trace does not have"));
  EXPECT_THAT(complaint(forged_with("\"actor_id\":1", "\"actor_id\":1,\"x\":2")),
              StartsWith("t.trace:6: the violation has fields"));
}

TEST(TraceFile, OnlyTheWrittenFormIsRead) {
  const std::string said =
      ": the line is not formatted as gainsay writes it; expected each field once, in order, without blanks";
  EXPECT_EQ(complaint(forged_with("\"seed\":42", "\"seed\": 42")), "t.trace:1" + said);
  EXPECT_EQ(complaint(forged_with("\"seed\":42", "\"seed\":41,\"seed\":42")), "t.trace:1" + said);
  EXPECT_EQ(complaint(forged_with("\"from\":\"outside\",\"to\":\"handler\"",
                                  "\"to\":\"handler\",\"from\":\"outside\"")),
            "t.trace:2" + said);
  EXPECT_EQ(complaint(forged_with("Request", "\\u0052equest")), "t.trace:2" + said);
  EXPECT_EQ(complaint(forged_with("\"time_ns\":-5", "\"time_ns\":0")), "t.trace:4" + said);
}

TEST(TraceFile, LinesThatAreNoObjectsAreNamed) {
  std::vector<std::string> lines = lines_of(written(flush_race()));
  lines[2] = "[1,2";
  EXPECT_THAT(complaint(forged(lines)), StartsWith("t.trace:3: the line is not a JSON object"));
  lines[2] = std::string(100'000, '[');
  EXPECT_THAT(complaint(forged(lines)), StartsWith("t.trace:3: the line is not a JSON object"));
  lines[2] = "{\"step\":2,\"deep\":" + std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_THAT(complaint(forged(lines)), StartsWith("t.trace:3: the line has no \"id\""));
}

// Random edits with a right chain: read as something that is written the same way, or refused.
TEST(TraceFile, RandomForgeriesAreRefusedOrReadAsTheyStand) {
  const std::vector<std::string> lines = lines_of(written(flush_race()));
  static constexpr std::string_view alphabet = "0123456789\"{}[]:,ae-.\\ \x01\xc3";
  Rng rng(77);
  std::size_t accepted = 0;
  for (int i = 0; i < 5'000; ++i) {
    std::vector<std::string> edited = lines;
    std::string& line = edited.at(rng.below(edited.size()));
    for (std::uint64_t n = 1 + rng.below(2); n > 0; --n)
      line.at(rng.below(line.size() - 20)) = alphabet.at(rng.below(alphabet.size()));
    const std::string text = forged(edited);
    try {
      ASSERT_EQ(written(parsed(text)), text);
      ++accepted;
    } catch (const UserError& error) {
      ASSERT_THAT(error.what(), StartsWith("t.trace:"));
    }
  }
  EXPECT_GT(accepted, 250U);  // a letter of a message may be any other
}

// --- Files -----------------------------------------------------------------------------------------------

class TraceFileOnDisk : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() /
        fmt::format("gainsay_trace_file_{}_{}", testing::UnitTest::GetInstance()->current_test_info()->name(),
                    static_cast<const void*>(this));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  static std::string complaint_about(const std::string& path) {
    return complaint_of([&] { read_trace_file(path); });
  }

  std::filesystem::path folder_;
};

TEST_F(TraceFileOnDisk, IsWrittenAndRead) {
  const std::string path = at("new/folder/1.trace");
  EXPECT_EQ(write_trace_file(path, flush_race()), path);
  EXPECT_EQ(read_trace_file(path), flush_race());
  TraceDocument other = flush_race();
  other.seed = 43;
  write_trace_file(path, other);
  EXPECT_EQ(read_trace_file(path), other);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(at("new/folder")), {}), 1)
      << "nothing else is left there";
}

TEST_F(TraceFileOnDisk, WhatCannotBeReadIsNamed) {
  EXPECT_EQ(complaint_about(at("none")), at("none") + ": No such file or directory; expected a trace file");
  EXPECT_EQ(complaint_about(folder_.string()),
            folder_.string() + ": this is a folder; expected a trace file");
  std::ofstream(at("empty"));
  EXPECT_EQ(complaint_about(at("empty")),
            at("empty") + ":1: the file is empty; expected a trace written by gainsay");
}

TEST_F(TraceFileOnDisk, WhatCannotBeWrittenIsNamed) {
  std::ofstream(at("file")) << "x";
  std::filesystem::create_directories(at("folder"));
  for (const std::string& path : {at("file/1.trace"), at("folder")}) {
    try {
      write_trace_file(path, flush_race());
      ADD_FAILURE() << path;
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), StartsWith(path + ": cannot write the trace: "));
    }
  }
  EXPECT_FALSE(std::filesystem::exists(at("folder.partial")));
}

TEST_F(TraceFileOnDisk, DevicesAreNoTraces) {
  EXPECT_THAT(complaint_about("/dev/null"), StartsWith("/dev/null:1: the file is empty"));
  EXPECT_THAT(complaint_about("/dev/zero"), StartsWith("/dev/zero:1: the line is longer than"));
}

}  // namespace
}  // namespace gainsay
