#include "gainsay/base/bytes.hpp"

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay {
namespace {

TEST(Bytes, WhatWasWrittenIsRead) {
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint64_t> numbers;
    ByteWriter writer;
    for (int i = 0; i < 20; ++i) {
      numbers.push_back(rng.next() >> rng.below(64));
      writer.number(numbers.back());
    }
    writer.text("caf\xe9");
    writer.bits({true, false, true});
    writer.flag(true);
    const std::string bytes = writer.take();
    ByteReader reader(bytes);
    for (const std::uint64_t number : numbers) EXPECT_EQ(reader.number(), number);
    EXPECT_EQ(reader.text(), "caf\xe9");
    EXPECT_EQ(reader.bits(), (std::vector<bool>{true, false, true}));
    EXPECT_TRUE(reader.flag());
    EXPECT_TRUE(reader.good() && reader.at_end());
    // Every beginning of it is too short, and says so.
    ByteReader cut(std::string_view(bytes).substr(0, rng.below(bytes.size())));
    for (std::size_t i = 0; i < numbers.size(); ++i) cut.number();
    cut.text();
    cut.bits();
    cut.flag();
    EXPECT_FALSE(cut.good());
  }
}

TEST(Bytes, CountsAreBoundedByWhatIsThere) {
  ByteWriter writer;
  writer.number(1'000'000'000'000);
  const std::string bytes = writer.take();
  ByteReader reader(bytes);
  EXPECT_EQ(reader.text(), "");
  EXPECT_FALSE(reader.good());
}

}  // namespace
}  // namespace gainsay
