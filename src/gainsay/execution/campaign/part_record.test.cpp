// A campaign that is gone on with from its journal: what it says and what it shows are the same.
#include "gainsay/execution/campaign/part_record.hpp"

#include <chrono>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"

namespace gainsay::part_record_test {
namespace {

using std::chrono::milliseconds;

class JournalInMemory final : public CampaignJournal {
 public:
  std::vector<std::string> records() override { return records_; }
  void append(const std::string& record) override { records_.push_back(record); }

 private:
  std::vector<std::string> records_;
};

struct Late {};
struct Coin {};

// Wrong where its clock shows more than 20 ms and a coin falls on its second side.
struct Sleeper {
  using Receives = Messages<Late, Coin>;
  bool heads = false;
  void on(const Coin&, Context& ctx) { heads = ctx.flip(); }
  void on(const Late&, Context& ctx) { ctx.check(!heads || ctx.now() <= milliseconds(20), "too late"); }
};

Scenario timed() {
  return Scenario::of("timed", [](World& world) {
    world.simulated_time();
    const auto sleeper = world.spawn<Sleeper>("sleeper");
    world.latency(milliseconds(1), milliseconds(30));
    world.send(sleeper, Late{});
    world.send(sleeper, Coin{});
  });
}

HuntResult hunted(CampaignJournal* journal, std::uint64_t runs) {
  HuntOptions options;
  options.strategy = "random";
  options.runs = runs;
  options.keep_going = true;
  options.journal = journal;
  return hunt(timed(), {}, options);
}

TEST(PartRecord, ClocksThatWereReadAreInTheJournal) {
  const HuntResult whole = hunted(nullptr, 400);
  ASSERT_EQ(whole.violations.size(), 1U);
  JournalInMemory journal;
  (void)hunted(&journal, 300);
  ASSERT_FALSE(journal.records().empty());
  const HuntResult resumed = hunted(&journal, 400);
  ASSERT_EQ(resumed.violations.size(), 1U);
  EXPECT_EQ(resumed.violations[0].violation.message, "too late");
  EXPECT_EQ(resumed.violations[0].document, whole.violations[0].document);
  EXPECT_EQ(resumed.violations[0].runs, whole.violations[0].runs);
  EXPECT_EQ(resumed.trace_set_hash, whole.trace_set_hash);
  EXPECT_EQ(resumed.steps, whole.steps);
  EXPECT_EQ(resumed.warnings, whole.warnings);
}

}  // namespace
}  // namespace gainsay::part_record_test
