#include "gainsay/base/text.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay::text_test {
namespace {

TEST(Quoted, EscapesWhatATerminalWouldNotShow) {
  EXPECT_EQ(quoted(""), R"("")");
  EXPECT_EQ(quoted("plain"), R"("plain")");
  EXPECT_EQ(quoted("say \"no\" \\ now"), R"("say \"no\" \\ now")");
  EXPECT_EQ(quoted("a\nb\tc"), R"("a\nb\tc")");
  EXPECT_EQ(quoted(std::string_view("\0\x1b[31m\x7f", 7)), R"("\x00\x1b[31m\x7f")");
}

TEST(Quoted, KeepsValidUtf8AndEscapesTheRest) {
  EXPECT_EQ(quoted("naïve → 日本 🦆"), "\"naïve → 日本 🦆\"");
  EXPECT_EQ(quoted("\xff"), R"("\xff")");
  EXPECT_EQ(quoted("a\xc3"), R"("a\xc3")");                        // cut in the middle
  EXPECT_EQ(quoted("\xc0\xaf"), R"("\xc0\xaf")");                  // overlong '/'
  EXPECT_EQ(quoted("\xe0\x80\xaf"), R"("\xe0\x80\xaf")");          // overlong, three bytes
  EXPECT_EQ(quoted("\xed\xa0\x80"), R"("\xed\xa0\x80")");          // a surrogate
  EXPECT_EQ(quoted("\xf4\x90\x80\x80"), R"("\xf4\x90\x80\x80")");  // past U+10FFFF
  EXPECT_EQ(quoted("\x80z"), R"("\x80z")");
}

TEST(PrintableUtf8, ReplacesEachBadByteAndLeavesTheRest) {
  EXPECT_EQ(printable_utf8("good → text"), "good → text");
  EXPECT_EQ(printable_utf8("a\xff\xfe"
                           "b"),
            "a\xef\xbf\xbd\xef\xbf\xbd"
            "b");
  EXPECT_EQ(printable_utf8("\xf0\x9f\xa6"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(printable_utf8(""), "");
}

TEST(PrintableUtf8, MakesAnyBytesValidAndChangesThemNoMore) {
  Rng rng(1);
  for (int i = 0; i < 5'000; ++i) {
    std::string bytes(rng.below(12), '\0');
    for (char& c : bytes) c = static_cast<char>(rng.chance(1, 2) ? rng.below(256) : 0x80 + rng.below(0x75));
    const std::string once = printable_utf8(bytes);
    ASSERT_EQ(printable_utf8(once), once);
    ASSERT_EQ(gainsay::quoted(once).find("\\x8"), std::string::npos);
  }
}

TEST(Duration, IsWrittenInTheLargestUnitInWhichItIsShort) {
  EXPECT_EQ(duration_text(0), "0ns");
  EXPECT_EQ(duration_text(1), "1ns");
  EXPECT_EQ(duration_text(999), "999ns");
  EXPECT_EQ(duration_text(1'500), "1.5us");
  EXPECT_EQ(duration_text(500'000'000), "500ms");
  EXPECT_EQ(duration_text(1'500'000'000), "1.5s");
  EXPECT_EQ(duration_text(15'000'000'000), "15s");
  EXPECT_EQ(duration_text(61'000'000'000), "61s");
  EXPECT_EQ(duration_text(90'000'000'000), "1.5m");
  EXPECT_EQ(duration_text(120'000'000'000), "2m");
  EXPECT_EQ(duration_text(5'400'000'000'000), "1.5h");
  EXPECT_EQ(duration_text(-2'000'000), "-2ms");
}

TEST(Duration, IsWrittenExactly) {
  EXPECT_EQ(duration_text(1'234'567'891), "1.234567891s");
  EXPECT_EQ(duration_text(1'000'000'001), "1.000000001s");
  EXPECT_EQ(duration_text(INT64_MAX), "9223372036.854775807s");
  EXPECT_EQ(duration_text(INT64_MIN), "-9223372036.854775808s");
}

// To the nanosecond below 2^50 (13 days): parsing rounds twice to 53 bits, so it is off by less than 2^50 *
// 2^-52 = 1/4.
TEST(Duration, ParsesWhatItWrites) {
  Rng rng(2);
  for (int i = 0; i < 20'000; ++i) {
    const auto nanoseconds = static_cast<std::int64_t>(rng.next() >> (14 + rng.below(50)));
    ASSERT_EQ(parse_duration(duration_text(nanoseconds)), nanoseconds) << duration_text(nanoseconds);
  }
}

TEST(Duration, ParsesNumbersWithAUnit) {
  EXPECT_EQ(parse_duration("500ms"), 500'000'000);
  EXPECT_EQ(parse_duration("15s"), 15'000'000'000);
  EXPECT_EQ(parse_duration("2m"), 120'000'000'000);
  EXPECT_EQ(parse_duration("1h"), 3'600'000'000'000);
  EXPECT_EQ(parse_duration("0ns"), 0);
  EXPECT_EQ(parse_duration("1.001s"), 1'001'000'000);  // 1.001 * 1e9 is 1000999999.9999999 in doubles
  EXPECT_EQ(parse_duration(".5s"), 500'000'000);
}

TEST(Duration, RefusesEverythingElse) {
  for (const char* text : {"", "s", "5", "5 s", " 5s", "5s ", "-1s", "5sec", "5S", "nan", "nans", "infs",
                           "1e30s", "0x10s", "1,5s", "--5s", "5ms5"}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << '"' << text << '"';
  }
}

TEST(Bytes, ParsesBinaryAndDecimalUnits) {
  EXPECT_EQ(parse_bytes("1000000"), 1'000'000U);
  EXPECT_EQ(parse_bytes("6GiB"), 6ULL << 30U);
  EXPECT_EQ(parse_bytes("6G"), 6ULL << 30U);
  EXPECT_EQ(parse_bytes("512MB"), 512'000'000U);
  EXPECT_EQ(parse_bytes("1.5KiB"), 1536U);
  EXPECT_EQ(parse_bytes("0.001GB"), 1'000'000U);
  EXPECT_EQ(parse_bytes("2TB"), 2'000'000'000'000U);
}

TEST(Bytes, RefusesEverythingElse) {
  for (const char* text : {"", "GiB", "-1", "1 GiB", "1gib", "6GiBs", "nan", "1e40", "12x"}) {
    EXPECT_EQ(parse_bytes(text), std::nullopt) << '"' << text << '"';
  }
}

TEST(Numbers, AreWrittenForPeople) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1'000), "1,000");
  EXPECT_EQ(with_commas(48'855'900), "48,855,900");
  EXPECT_EQ(with_commas(UINT64_MAX), "18,446,744,073,709,551,615");
  EXPECT_EQ(human_count(9'999), "9999");
  EXPECT_EQ(human_count(12'345), "12.3 k");
  EXPECT_EQ(human_count(12'345'678), "12.3 M");
  EXPECT_EQ(human_count(1.5e9), "1.50 G");
  EXPECT_EQ(human_bytes(1'023), "1023 B");
  EXPECT_EQ(human_bytes(1'536), "1.5 KiB");
  EXPECT_EQ(human_bytes(6ULL << 30U), "6.00 GiB");
}

TEST(Nearest, FindsWhatWasMeant) {
  const std::vector<std::string> names = {"flush_race", "two_phase_commit", "paxos", "bounded_async"};
  EXPECT_EQ(nearest("paxs", names), "paxos");
  EXPECT_EQ(nearest("flushrace", names), "flush_race");
  EXPECT_EQ(nearest("flush-race", names), "flush_race");
  EXPECT_EQ(nearest("two", names), "two_phase_commit");  // a beginning counts as near
  EXPECT_EQ(nearest("paxos", names), "paxos");
  EXPECT_EQ(did_you_mean("paxs", names), ", did you mean 'paxos'?");
}

TEST(Nearest, DoesNotGuess) {
  const std::vector<std::string> names = {"flush_race", "paxos"};
  EXPECT_EQ(nearest("raft", names), std::nullopt);
  EXPECT_EQ(nearest("", names), std::nullopt);
  EXPECT_EQ(nearest("x", {}), std::nullopt);
  EXPECT_EQ(did_you_mean("raft", names), "");
}

TEST(DisplayWidth, CountsCodePoints) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("o──▶●"), 5U);
  EXPECT_EQ(display_width("naïve"), 5U);
}

}  // namespace
}  // namespace gainsay::text_test
