// hunt --resume: the journal, and campaigns that are gone on with.
#include "tools/campaign_file.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>

#include "tools/cli_test.hpp"

namespace gainsay::cli_test {
namespace {

using tools::CampaignFile;
using tools::CampaignHead;

TEST_F(CommandLine, AJournalKeepsWholeRecordsAndCutsTornOnes) {
  const std::string path = in_folder("campaign.journal");
  const CampaignHead head{{{"seed", "1"}}, {"paxos", "--seed", "1"}};
  {
    CampaignFile file(path, head);
    EXPECT_TRUE(file.records().empty());
    file.append("one");
    file.append(std::string("t\0wo", 4));
  }
  EXPECT_EQ(tools::campaign_words(path), head.words);
  const auto whole = std::filesystem::file_size(path);
  for (std::uintmax_t size = whole; size > 0; --size) {
    std::filesystem::resize_file(path, size);
    CampaignFile file(path, head);
    const auto records = file.records();
    ASSERT_LE(records.size(), 2U);
    if (size == whole) {
      EXPECT_EQ(records, (std::vector<std::string>{"one", std::string("t\0wo", 4)}));
    } else {
      EXPECT_LT(records.size(), 2U);
    }
    if (records.empty()) break;
  }
}

// A process that is killed loses the records of the last moment, however many there are, and no others.
TEST_F(CommandLine, RecordsAreWrittenTogetherButSoon) {
  const std::string path = in_folder("campaign.journal");
  const std::string record = "another";
  constexpr std::size_t frame = 16;
  CampaignFile file(path, {});
  auto size = std::filesystem::file_size(path);
  file.append(record);
  EXPECT_EQ(std::filesystem::file_size(path), size + frame + record.size()) << "the first is written at once";
  // On a busy machine so much time may pass between two of them that each is written alone.
  const auto start = std::chrono::steady_clock::now();
  std::size_t together = 0;
  while (together < 2) {
    size = std::filesystem::file_size(path);
    for (together = 0; std::filesystem::file_size(path) == size; ++together) file.append(record);
    EXPECT_EQ(std::filesystem::file_size(path), size + together * (frame + record.size()));
    ASSERT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  }
}

TEST_F(CommandLine, AJournalOfAnotherCampaignIsRefused) {
  const std::string path = in_folder("campaign.journal");
  { CampaignFile file(path, {{{"seed", "1"}}, {}}); }
  EXPECT_THROW(CampaignFile(path, {{{"seed", "2"}}, {}}), UserError);
  std::ofstream(path, std::ios::trunc) << "something else";
  EXPECT_THROW(CampaignFile(path, {{{"seed", "1"}}, {}}), UserError);
}

json without_times(const std::string& text) {
  json all = json::parse(text);
  for (const char* name : {"elapsed_s", "scouts", "handler_calls"}) all.erase(name);
  for (json& violation : all["violations"]) violation.erase("trace_file");
  for (json& violation : all["violations"]) violation.erase("replay");
  return all;
}

// Some runs in one process, more in a second, the rest in a third: as if it had been one.
TEST_F(CommandLine, ACampaignThatIsResumedEndsAsOneThatWasNot) {
  for (const char* strategy : {"random", "portfolio", "pctcp", "surw"}) {
    const Words words{"paxos",      "--option", "bug=lowest",   "--option", "proposers=3",
                      "--strategy", strategy,   "--keep-going", "--json",   "--quiet"};
    const auto with = [&](Words more) {
      Words all{"hunt"};
      all.insert(all.end(), words.begin(), words.end());
      all.insert(all.end(), more.begin(), more.end());
      return gainsay_with(all);
    };
    const std::string folder = in_folder(strategy);
    const Said first = with({"--runs", "100", "--resume", folder});
    ASSERT_EQ(first.err, "");
    const Said second = with({"--runs", "1777", "--jobs", "2", "--resume", folder});
    const Said third = gainsay_with({"hunt", "--resume", folder, "--runs", "4000", "--json", "--quiet"});
    const Said whole = with({"--runs", "4000", "--out", in_folder("whole")});
    EXPECT_EQ(without_times(third.out), without_times(whole.out)) << strategy;
    EXPECT_EQ(third.code, whole.code);
  }
}

TEST_F(CommandLine, SearchesAndOtherOptionsAreNotResumed) {
  const Said search = gainsay_with({"hunt", "flush_race", "--strategy", "dfs", "--resume", in_folder("s")});
  EXPECT_EQ(search.code, 2);
  EXPECT_THAT(search.err, HasSubstr("is a search"));
  const std::string folder = in_folder("r");
  gainsay_with({"hunt", "flush_race", "--runs", "10", "--resume", folder});
  const Said other = gainsay_with({"hunt", "flush_race", "--runs", "10", "--seed", "2", "--resume", folder});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("a different campaign: its seed is 1"));
  const Said none = gainsay_with({"hunt", "--resume", in_folder("nowhere")});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("campaign journal"));
}

}  // namespace
}  // namespace gainsay::cli_test
