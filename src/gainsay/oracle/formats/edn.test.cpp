#include "gainsay/oracle/formats/edn.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/complaint.test.hpp"

namespace gainsay::edn_test {
namespace {

using testing::HasSubstr;

std::string read(const std::string& text) {
  TextSource source(text, "f.edn");
  EdnReader reader(source);
  return to_text(reader.form());
}

std::string complaint(const std::string& text) {
  return complaint_of([&] { read(text); });
}

TEST(Edn, ReadsValues) {
  EXPECT_EQ(read("nil"), "nil");
  EXPECT_EQ(read(" , true"), "true");
  EXPECT_EQ(read("-12"), "-12");
  EXPECT_EQ(read("+7"), "7");
  EXPECT_EQ(read("12N"), "12");
  EXPECT_EQ(read("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(read("9223372036854775808"), "\"9223372036854775808\"");  // too large: as it stands
  EXPECT_EQ(read("1.5e3"), "\"1.5e3\"");
  EXPECT_EQ(read("1/3"), "\"1/3\"");
  EXPECT_EQ(read(":read"), "\"read\"");
  EXPECT_EQ(read(":a/b"), "\"a/b\"");
  EXPECT_EQ(read("sym-bol"), "\"sym-bol\"");
  EXPECT_EQ(read("- "), "\"-\"");
  EXPECT_EQ(read("\"a\\\"b\\n\""), read("\"a\\u0022b\\u000a\""));
  EXPECT_EQ(read("\\a"), "\"a\"");
}

TEST(Edn, ReadsCollections) {
  EXPECT_EQ(read("[1 [2 (3)] #{4}]"), "[1 [2 [3]] [4]]");
  EXPECT_EQ(read("{:a 1, :b [2]}"), "[[\"a\" 1] [\"b\" [2]]]");
  EXPECT_EQ(read("; first\n[1 ; one\n 2]"), "[1 2]");
  EXPECT_EQ(read("[1 #_ 2 #_[3 4] 5]"), "[1 5]");
  EXPECT_EQ(read("#inst \"2020-01-01\""), "\"2020-01-01\"");
  EXPECT_EQ(read("#jepsen.history.Op{:index 0}"), "[[\"index\" 0]]");
  EXPECT_EQ(read("[##Inf ^{:meta 1} 3 '4]"), "[\"##Inf\" 3 4]");
}

TEST(Edn, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(complaint("[1\n2"),
              HasSubstr("f.edn:2: the file ends before the \"]\" that closes what line 1 begins"));
  EXPECT_THAT(complaint("[1 }"), HasSubstr("unexpected \"}\"; expected \"]\""));
  EXPECT_THAT(complaint("{:a}"), HasSubstr("a key without a value"));
  EXPECT_THAT(complaint("\"abc"), HasSubstr("the file ends inside the text that line 1 begins"));
  EXPECT_THAT(complaint("\"\\x\""), HasSubstr("unknown escape"));
  EXPECT_THAT(complaint(":"), HasSubstr("a keyword without a name"));
  EXPECT_THAT(complaint(""), HasSubstr("the file ends"));
  EXPECT_THAT(complaint(std::string(5000, '[')), HasSubstr("nested deeper than 100"));
  EXPECT_THAT(complaint(std::string(5000, '\'') + "1"), HasSubstr("nested deeper than 100"));
  std::string tags;
  for (int i = 0; i < 5000; ++i) tags += "#a ";
  EXPECT_THAT(complaint(tags + "1"), HasSubstr("nested deeper than 100"));
}

}  // namespace
}  // namespace gainsay::edn_test
