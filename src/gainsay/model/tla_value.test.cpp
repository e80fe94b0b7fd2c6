#include "gainsay/model/tla_value.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/model/tla_predicate.hpp"

namespace gainsay::tla_value_test {
namespace {

using testing::HasSubstr;

TlaValue value(std::string_view text) { return TlaValue::parse(text); }

std::string complaint(std::string_view text) {
  try {
    (void)TlaValue::parse(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(TlaValue, WhatIsPrintedInSeveralWaysIsOneValue) {
  EXPECT_EQ(value("1..3"), value("{3, 1, 2, 1}"));
  EXPECT_EQ(value("2..1"), value("{}"));
  EXPECT_EQ(value("<<\"a\", TRUE>>"), value("(2 :> TRUE @@ 1 :> \"a\")"));
  EXPECT_EQ(value("[b |-> 1, a |-> 2]"), value("(\"a\" :> 2 @@ \"b\" :> 1)"));
  EXPECT_EQ(value("<<>>"), TlaValue());
  EXPECT_EQ(value("[a |-> 1,\n   b |-> <<>>]"), value("[b |-> <<>>, a |-> 1]"));
  EXPECT_NE(value("\"r1\""), value("r1"));
  EXPECT_NE(value("{}"), value("<<>>"));
  EXPECT_NE(value("{1}"), value("{{1}}"));
  EXPECT_EQ(value("1..3").hash(), value("{1, 2, 3}").hash());
  EXPECT_NE(value("<<1, 2>>").hash(), value("<<2, 1>>").hash());
}

TEST(TlaValue, ReadsEveryFormThatTlcPrints) {
  EXPECT_EQ(value("-7").as_number(), -7);
  EXPECT_EQ(value("n1").kind(), TlaValue::Kind::model);
  EXPECT_EQ(value("3rd_node").as_text(), "3rd_node");
  EXPECT_EQ(value(R"("a\"b\\c\n")").as_text(), "a\"b\\c\n");
  EXPECT_EQ(value("SUBSET {1, 2}").kind(), TlaValue::Kind::unexpanded);
  EXPECT_EQ(value("[{1} -> {2}]").kind(), TlaValue::Kind::unexpanded);
  EXPECT_EQ(value("[a: {1}, b: {2}]").kind(), TlaValue::Kind::unexpanded);
  EXPECT_EQ(value("{1} \\union (SUBSET {2} :> 1)").kind(), TlaValue::Kind::unexpanded);
  EXPECT_EQ(value("1..1000000").kind(), TlaValue::Kind::unexpanded);
  const TlaValue bag = value("([type |-> \"Vote\", from |-> n1] :> 2 @@ [type |-> \"Ack\"] :> 1)");
  EXPECT_EQ(bag.size(), 2U);
  EXPECT_EQ(bag.at(value("[type |-> \"Ack\"]"))->as_number(), 1);
  EXPECT_EQ(value("[x |-> <<5, 6>>]").field("x")->index(2)->as_number(), 6);
  EXPECT_EQ(value("<<5>>").index(2), nullptr);
}

TEST(TlaValue, IsReadAgainAsItIsPrinted) {
  // Random values, printed and read.
  std::function<TlaValue(Rng&, int)> draw = [&](Rng& rng, int depth) -> TlaValue {
    const std::uint64_t kind = rng.below(depth > 0 ? 7 : 4);
    std::vector<TlaValue> list;
    if (kind >= 4) {
      for (std::uint64_t i = rng.below(4); i > 0; --i) list.push_back(draw(rng, depth - 1));
    }
    switch (kind) {
      case 0:
        return TlaValue::boolean(rng.chance(1, 2));
      case 1:
        return TlaValue::number(static_cast<std::int64_t>(rng.below(9)) - 4);
      case 2:
        return TlaValue::text(rng.chance(1, 2) ? "a\"\\\n" : "b");
      case 3:
        return TlaValue::model(rng.chance(1, 2) ? "r1" : "m_2");
      case 4:
        return TlaValue::set(list);
      case 5:
        return TlaValue::sequence(list);
      default:
        break;
    }
    std::vector<TlaValue::Pair> pairs;
    for (const TlaValue& each : list) pairs.emplace_back(each, draw(rng, depth - 1));
    return TlaValue::function(pairs);
  };
  for (std::uint64_t number = 0; number < 500; ++number) {
    Rng rng(number);
    const TlaValue drawn = draw(rng, 3);
    EXPECT_EQ(value(drawn.print()), drawn) << drawn.print();
    EXPECT_EQ(value(drawn.print()).hash(), drawn.hash());
  }
}

TEST(TlaValue, SaysWhatItExpected) {
  EXPECT_THAT(complaint("{1, 2"), HasSubstr("expected '}' at 'the end'"));
  EXPECT_THAT(complaint("\"abc"), HasSubstr("a closing quote"));
  EXPECT_THAT(complaint("@"), HasSubstr("expected a value of TLA+ at '@'"));
  EXPECT_THAT(complaint("1 2"), HasSubstr("the end of the value"));
  EXPECT_THAT(complaint("(1 :> )"), HasSubstr("expected a value"));
  EXPECT_THAT(complaint(""), HasSubstr("expected a value"));
  EXPECT_THAT(complaint(std::string(500, '{')), HasSubstr("not so deep"));
}

TEST(TlaValue, WhatAStepTookAway) {
  EXPECT_EQ(taken_away(value("{1, 2, 3}"), value("{1, 3, 4}")), std::vector<TlaValue>{value("2")});
  const TlaValue before = value("(\"a\" :> 2 @@ \"b\" :> 1)");
  EXPECT_EQ(taken_away(before, value("(\"a\" :> 1 @@ \"b\" :> 1)")), std::vector<TlaValue>{value("\"a\"")});
  EXPECT_EQ(taken_away(before, value("[a |-> 2]")), std::vector<TlaValue>{value("\"b\"")});
}

bool holds(const std::string& predicate, const std::vector<std::pair<std::string, std::string>>& state) {
  std::vector<std::string> names;
  std::vector<TlaValue> values;
  for (const auto& [name, text] : state) {
    names.push_back(name);
    values.push_back(value(text));
  }
  std::vector<const TlaValue*> row;
  for (const TlaValue& each : values) row.push_back(&each);
  return TlaPredicate(predicate, names).holds(row);
}

TEST(TlaPredicate, IsReadAsTlaDoes) {
  const std::vector<std::pair<std::string, std::string>> state = {
      {"x", "3"},
      {"log", "<<\"a\", \"b\">>"},
      {"rm", "(r1 :> \"working\" @@ r2 :> \"aborted\")"},
      {"msgs", "{[type |-> \"Abort\"], [type |-> \"Prepared\", rm |-> r1]}"},
      {"done", "FALSE"}};
  for (const char* yes : {"x = 3",
                          "x # 4 /\\ x < 4",
                          "~done",
                          "done \\/ x >= 3",
                          "done => FALSE",
                          "x + 1 = 4",
                          "x - 5 = -2",
                          "Len(log) = 2",
                          "log[2] = \"b\"",
                          "Head(log) = \"a\"",
                          "r1 \\in DOMAIN rm",
                          "rm[r2] = \"aborted\"",
                          "\\E r \\in DOMAIN rm : rm[r] = \"aborted\"",
                          "\\A r \\in DOMAIN rm : rm[r] \\in {\"working\", \"aborted\"}",
                          "Cardinality(msgs) = 2",
                          "\\E m \\in msgs : m.type = \"Prepared\" /\\ m.rm = r1",
                          "x \\in 1..3",
                          "{1, 2} \\subseteq 1..x",
                          "{1} \\cup {2} = 1..2",
                          "(1..3) \\ {2} = {1, 3}",
                          "[type |-> \"Abort\"] \\in msgs",
                          "{m \\in msgs : m.type = \"Abort\"} = {[type |-> \"Abort\"]}",
                          "<<1, 2>> = <<1, 2>>",
                          "/\\ x = 3 /\\ ~done",
                          "\\A i \\in 1..2 : \\A j \\in 1..2 : log[i] = log[j] => i = j"})
    EXPECT_TRUE(holds(yes, state)) << yes;
  for (const char* no : {"x = 4", "done", "x > 3", "\\A r \\in DOMAIN rm : rm[r] = \"working\"",
                         "x \\notin {3}", "~(x = 3 \\/ done)", "rm = <<>>"})
    EXPECT_FALSE(holds(no, state)) << no;
}

TEST(TlaPredicate, SaysWhatIsWrong) {
  const auto said = [](const std::string& predicate) -> std::string {
    try {
      (void)holds(predicate, {{"x", "3"}});
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(said("x = "), HasSubstr("expected a value, a variable or '(' at 'the end'"));
  EXPECT_THAT(said("x = 3 )"), HasSubstr("expected an operator or the end at ')'"));
  EXPECT_THAT(said("x"), HasSubstr("expected TRUE or FALSE, not 3"));
  EXPECT_THAT(said("x[1] = 2"), HasSubstr("expected a function, record or sequence, not 3"));
  EXPECT_THAT(said("\\A y \\in x : TRUE"), HasSubstr("expected a set, not 3"));
  EXPECT_THAT(said("<<1>>[2] = 1"), HasSubstr("expected 2 in the domain of <<1>>"));
}

}  // namespace
}  // namespace gainsay::tla_value_test
