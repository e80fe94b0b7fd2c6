#include "gainsay/report/row.hpp"

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay {
namespace {

using Lines = std::vector<std::string>;

TEST(Row, IsDrawnCellByCell) {
  Row row;
  row.put(2, "│");
  row.put(0, "●──▶");
  row.put(6, "○");
  row.append("!");
  EXPECT_EQ(row.text(false), "●──▶  ○!\n");
  EXPECT_EQ(row.width(), 8U);
}

TEST(Row, HasNoBlanksAtItsEnd) {
  Row row;
  row.put(3, "x   ");
  EXPECT_EQ(row.text(false), "   x\n");
  EXPECT_EQ(Row().text(false), "\n");
}

TEST(Row, ColoursRunsOfCells) {
  Row row;
  row.put(0, "ab", Ink::bad);
  row.put(3, "cd", Ink::bad);
  row.put(6, "e");
  EXPECT_EQ(row.text(true), "\x1b[0;1;31mab cd \x1b[0me\n");
  Row last;
  last.put(0, "z", Ink::change);
  EXPECT_EQ(last.text(true), "\x1b[0;32mz\x1b[0m\n");
}

TEST(Clean, LeavesNothingThatMovesTheCursor) {
  EXPECT_EQ(clean("a\nb\tc\x1b[0m\x7f", false), "a b c [0m ");
  EXPECT_EQ(clean("\xc2\x9b"
                  "31m",
                  false),
            " 31m");  // the one-character form of escape and bracket
  EXPECT_EQ(clean("a\xff", false), "a\xef\xbf\xbd");
  EXPECT_EQ(clean("naïve → \xff", true), "na?ve ? ?");
}

TEST(Shortened, MarksWhatIsMissing) {
  EXPECT_EQ(shortened("Prepare", 7, "…"), "Prepare");
  EXPECT_EQ(shortened("Prepare", 6, "…"), "Prepa…");
  EXPECT_EQ(shortened("Prepare", 6, "..."), "Pre...");
  EXPECT_EQ(shortened("○──▶●", 3, "…"), "○─…");
  EXPECT_EQ(shortened("Prepare", 2, "..."), "..");
}

TEST(Wrapped, CutsAtBlanksWhereItCan) {
  EXPECT_EQ(wrapped("", 5), Lines{""});
  EXPECT_EQ(wrapped("a b c", 5), Lines{"a b c"});
  EXPECT_EQ(wrapped("one two three", 8), (Lines{"one two", "three"}));
  EXPECT_EQ(wrapped("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(wrapped("abcdefgh", 3), (Lines{"abc", "def", "gh"}));
  EXPECT_EQ(wrapped("a bcdefghij", 8),
            (Lines{"a bcdefg", "hij"}));  // a blank near the start is not worth a line
  EXPECT_EQ(wrapped("→→→→", 3), (Lines{"→→→", "→"}));
}

TEST(Wrapped, LosesNothingButBlanks) {
  Rng rng(4);
  for (int round = 0; round < 2'000; ++round) {
    std::string text;
    for (std::uint64_t n = rng.below(60); n > 0; --n) text += rng.chance(1, 5) ? " " : "x";
    const std::size_t width = 1 + rng.below(20);
    std::string joined;
    for (const std::string& line : wrapped(text, width)) {
      ASSERT_LE(display_width(line), width);
      joined += line;
    }
    std::erase(text, ' ');
    std::erase(joined, ' ');
    ASSERT_EQ(joined, text);
  }
}

}  // namespace
}  // namespace gainsay
