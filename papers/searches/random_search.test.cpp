// The papers' searches against the enumerator, as explorer/random_search.test.hpp does for the library's.
#include "gainsay/explorer/random_search.test.hpp"

namespace gainsay::random_search {
namespace {

std::vector<Case> paper_cases(std::uint64_t number) {
  const std::string first = std::to_string(number * 7 + 1);
  return {{"transdpor", {{"first", first}}},
          {"ired", {{"first", first}}},
          {"dpor-ds", {{"first", first}}},
          {"dpor-ds", {{"naive", "true"}}},
          {"ds2", {{"rule", "dp"}, {"first", first}}},
          {"ds2", {{"rule", "td"}, {"first", first}}}};
}

TEST(PaperSearch, PlainSystems) {
  Totals totals = compare_all(plain, 0, systems_wanted(), paper_cases);
  EXPECT_GT(totals.systems, systems_wanted() / 2);
  EXPECT_GT(totals.missed["ds2"], 0U) << "so are DS2's forms of dpor and transdpor";
  EXPECT_GT(totals.missed["ired"], 0U) << "ired is a heuristic, and some of these systems show it";
}

TEST(PaperSearch, SystemsOfAllKinds) {
  const Totals totals = compare_all(random_system::draw, 100'000, systems_wanted(), paper_cases);
  EXPECT_GT(totals.systems, systems_wanted() / 20);
}

// With a bound on steps, pairs that are reversed where they were seen do not make up all prefixes of that length.
TEST(PaperSearch, BoundedDporDsMissesPrefixes) {
  std::size_t missed = 0;
  for (std::uint64_t number = 0; number < 40; ++number) {
    const Blueprint blueprint = random_system::build(plain(number));
    const Dependent dependent = same_receiver;
    const Seen all = search(blueprint, "dfs", {}, dependent, Memo::on, 4);
    const Seen seen = search(blueprint, "dpor-ds", {{"depth", "4"}}, dependent);
    EXPECT_FALSE(seen.claim.complete);
    EXPECT_TRUE(seen.claim.heuristic);
    EXPECT_EQ(missing(all.classes, seen.classes), 0U) << "classes were invented";
    missed += missing(seen.classes, all.classes);
  }
  EXPECT_GT(missed, 0U);
}

}  // namespace
}  // namespace gainsay::random_search
