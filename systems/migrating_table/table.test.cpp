#include "systems/migrating_table/table.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace migrating_table {
namespace {

Op op(Kind kind, Key key, ETag if_match = no_etag) { return {kind, key, {{"happy", 1}}, if_match}; }

TEST(Table, OperationsSucceedAndFailAsTheyShould) {
  struct Outcome {
    Kind kind;
    Code if_absent;
    Code if_present;
    Code if_other;  // with an ETag that is not the row's
  };
  const Outcome outcomes[] = {
      {Kind::insert, Code::ok, Code::conflict, Code::conflict},
      {Kind::replace, Code::not_found, Code::ok, Code::precondition_failed},
      {Kind::merge, Code::not_found, Code::ok, Code::precondition_failed},
      {Kind::erase, Code::not_found, Code::ok, Code::precondition_failed},
      {Kind::insert_or_replace, Code::ok, Code::ok, Code::ok},
      {Kind::insert_or_merge, Code::ok, Code::ok, Code::ok},
      {Kind::erase_if_exists, Code::ok, Code::ok, Code::ok},
  };
  for (const Outcome& each : outcomes) {
    const Table before(Rows{{1, {1, {{"own", 7}}, 50}}});
    ETag next = 100;
    EXPECT_EQ(Table(before).batch({op(each.kind, 0, any)}, next).code, each.if_absent);
    EXPECT_EQ(Table(before).batch({op(each.kind, 1, 50)}, next).code, each.if_present);
    EXPECT_EQ(Table(before).batch({op(each.kind, 1, wrong)}, next).code, each.if_other);
  }
}

TEST(Table, AMergeKeepsWhatAReplaceDrops) {
  for (const Kind kind : {Kind::merge, Kind::replace, Kind::insert_or_merge, Kind::insert_or_replace}) {
    Table table(Rows{{1, {1, {{"own", 7}}, 50}}});
    ETag next = 100;
    const BatchResult result = table.batch({op(kind, 1, any)}, next);
    EXPECT_EQ(result.etags, std::vector<ETag>{100});
    EXPECT_EQ(table.rows().at(1).properties.contains("own"),
              kind == Kind::merge || kind == Kind::insert_or_merge);
    EXPECT_EQ(table.rows().at(1).etag, 100);
  }
}

TEST(Table, ABatchThatFailsChangesNothingAndSaysWhere) {
  Table table;
  ETag next = 100;
  const BatchResult result = table.batch({op(Kind::insert, 0), op(Kind::erase, 1, any)}, next);
  EXPECT_EQ(result, (BatchResult{Code::not_found, 1, {}}));
  EXPECT_TRUE(table.rows().empty());
  EXPECT_EQ(table.revision(), 0U);
}

TEST(Table, BatchesThatNobodyMeansAreNoticed) {
  EXPECT_FALSE(Table::problem({}).empty());
  EXPECT_FALSE(Table::problem({op(Kind::erase, 0)}).empty());
  EXPECT_FALSE(Table::problem({op(Kind::insert, 0), op(Kind::insert, 0)}).empty());
  EXPECT_TRUE(Table::problem({op(Kind::insert, 0), op(Kind::erase, 1, any)}).empty());
}

// The definition, word for word: every row is read in some revision of its own; the first that is there is next.
std::vector<std::optional<Row>> by_definition(const std::vector<Rows>& revisions, Filter filter, Key from,
                                              Key last) {
  std::vector<std::optional<Row>> possible;
  std::vector<std::size_t> read_in(static_cast<std::size_t>(last - from + 1), 0);
  while (true) {
    std::optional<Row> first;
    for (Key key = from; key <= last && !first; ++key) {
      const Rows& rows = revisions[read_in[static_cast<std::size_t>(key - from)]];
      const auto row = rows.find(key);
      if (row != rows.end() && matches(filter, row->second.properties)) first = row->second;
    }
    if (std::find(possible.begin(), possible.end(), first) == possible.end()) possible.push_back(first);
    std::size_t digit = 0;
    while (digit < read_in.size() && ++read_in[digit] == revisions.size()) read_in[digit++] = 0;
    if (digit == read_in.size()) return possible;
  }
}

TEST(Table, StreamsGiveWhatTheirDefinitionAllows) {
  gainsay::Rng rng(1);
  for (int round = 0; round < 300; ++round) {
    Table table;
    ETag next = 1;
    const std::size_t since = rng.below(3);
    std::vector<Rows> revisions = {table.rows()};
    while (table.revision() < since + 2) {
      const Key key = static_cast<Key>(rng.below(4));
      Op change = op(rng.below(3) == 0 ? Kind::erase_if_exists : Kind::insert_or_replace, key);
      change.properties["happy"] = static_cast<std::int32_t>(rng.below(2));
      table.batch({change}, next);
      revisions.push_back(table.rows());
    }
    revisions.erase(revisions.begin(), revisions.begin() + static_cast<std::ptrdiff_t>(since));
    for (const Filter filter : {Filter::everything, Filter::happy, Filter::unhappy}) {
      for (const Key from : {0, 1, 3}) {
        const auto mine = table.next_of_stream(since, filter, from);
        const auto expected = by_definition(revisions, filter, from, 3);
        EXPECT_TRUE(mine.size() == expected.size() &&
                    std::is_permutation(mine.begin(), mine.end(), expected.begin()));
      }
    }
  }
}

}  // namespace
}  // namespace migrating_table
