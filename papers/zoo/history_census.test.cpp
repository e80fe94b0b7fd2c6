#include "papers/zoo/history_census.hpp"

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"
#include "gainsay/oracle/names_only.test.hpp"

namespace gainsay {
namespace {

struct Entry {
  int client;
  bool begins;
  int value;
};

// Histories of clients with one operation each; values live in the entries given.
std::vector<HistoryEntry> history(const std::vector<Entry>& entries) {
  std::vector<HistoryEntry> all;
  for (const Entry& each : entries) {
    HistoryEntry entry;
    entry.process = ActorId{static_cast<std::uint64_t>(each.client)};
    entry.actor = ActorId{100};
    entry.invocation = each.begins;
    entry.type = &reflect::value_type<int>();
    entry.data = &each.value;
    all.push_back(entry);
  }
  return all;
}

// What two histories must share to be of one precedence class, put together in the plainest way.
std::string plain_class(const std::vector<Entry>& entries) {
  std::map<int, std::string> asked;
  std::map<int, std::string> answered;
  std::set<std::pair<int, int>> before;
  std::set<int> ended;
  for (const Entry& each : entries) {
    (each.begins ? asked : answered)[each.client] = std::to_string(each.value);
    if (!each.begins) ended.insert(each.client);
    if (!each.begins) continue;
    for (const int other : ended) before.insert({other, each.client});
  }
  std::string text;
  for (const auto& [client, value] : asked)
    text += std::to_string(client) + ":" + value + ">" +
            (answered.contains(client) ? answered[client] : "-") + " ";
  for (const auto& [a, b] : before) text += std::to_string(a) + "<" + std::to_string(b) + " ";
  return text;
}

std::vector<Entry> random_entries(Rng& rng) {
  std::vector<Entry> entries;
  std::set<int> begun;
  std::set<int> ended;
  for (std::uint64_t i = rng.below(7); i > 0; --i) {
    const int client = static_cast<int>(rng.below(3));
    const int value = static_cast<int>(rng.below(2));
    if (!begun.contains(client)) {
      begun.insert(client);
      entries.push_back({client, true, value});
    } else if (!ended.contains(client)) {
      ended.insert(client);
      entries.push_back({client, false, value});
    }
  }
  return entries;
}

TEST(HistoryCensus, PrecedenceClassesAreThoseOfThePlainDefinition) {
  Rng rng(5);
  std::map<std::uint64_t, std::string> plain_of;
  std::map<std::string, std::uint64_t> hash_of;
  for (int i = 0; i < 20'000; ++i) {
    const std::vector<Entry> entries = random_entries(rng);
    const std::uint64_t hash = precedence_class(history(entries));
    const std::string plain = plain_class(entries);
    EXPECT_EQ(plain_of.try_emplace(hash, plain).first->second, plain);
    EXPECT_EQ(hash_of.try_emplace(plain, hash).first->second, hash);
  }
  EXPECT_GT(plain_of.size(), 500U);
}

TEST(HistoryCensus, CountsWhatIsThere) {
  Blueprint blueprint;
  int judged = 0;
  blueprint.history_properties.push_back(
      {"no seven", [&](std::span<const HistoryEntry> entries, const WorldReader&) -> Complaint {
         ++judged;
         for (const HistoryEntry& entry : entries) {
           if (*static_cast<const int*>(entry.data) == 7) return "seven";
         }
         return {};
       }});
  const NamesOnly world;
  HistoryCensus census(blueprint);
  const std::vector<Entry> right = {{0, true, 1}, {1, true, 2}, {0, false, 3}, {1, false, 4}};
  const std::vector<Entry> same_class = {{1, true, 2}, {0, true, 1}, {0, false, 3}, {1, false, 4}};
  const std::vector<Entry> open = {{0, true, 1}, {1, true, 2}, {0, false, 3}};
  const std::vector<Entry> wrong = {{0, true, 1}, {0, false, 7}};
  EXPECT_FALSE(census.add(history(right), world));
  EXPECT_FALSE(census.add(history(same_class), world));
  EXPECT_FALSE(census.add(history(right), world));
  EXPECT_FALSE(census.add(history(open), world));
  EXPECT_FALSE(census.unique_before_wrong());
  EXPECT_TRUE(census.add(history(wrong), world));
  EXPECT_TRUE(census.add(history(wrong), world));
  EXPECT_EQ(judged, 4);
  EXPECT_EQ(census.histories(), 6U);
  EXPECT_EQ(census.unique(), 4U);
  EXPECT_EQ(census.incomplete(), 1U);
  EXPECT_EQ(census.wrong(), 1U);
  EXPECT_EQ(census.wrong_executions(), 2U);
  EXPECT_EQ(census.unique_before_wrong(), 3U);
  EXPECT_EQ(census.executions_before_wrong(), 4U);
  EXPECT_EQ(census.precedence_classes().size(), 3U);
  EXPECT_EQ(census.wrong_precedence_classes().size(), 1U);
}

}  // namespace
}  // namespace gainsay
