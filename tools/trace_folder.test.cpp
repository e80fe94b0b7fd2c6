#include "tools/trace_folder.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "gainsay/base/check.hpp"
#include "gainsay/trace/trace_file.hpp"

namespace gainsay::tools {
namespace {

namespace fs = std::filesystem;

std::vector<OptionInfo> paxos_options() {
  OptionInfo bug;
  bug.name = "bug";
  bug.default_text = "none";
  OptionInfo proposers;
  proposers.name = "proposers";
  proposers.default_text = "2";
  return {bug, proposers};
}

FoundViolation found(const std::string& property) {
  FoundViolation violation;
  violation.violation = {property, "it is wrong", nobody, no_step};
  violation.document.scenario = "paxos";
  violation.document.options = {{"bug", "lowest"}, {"proposers", "3"}};
  violation.document.strategy = "random";
  violation.document.seed = 7;
  violation.document.run = 12;
  violation.document.violation = violation.violation;
  violation.document.end = "violated";
  return violation;
}

class TraceFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::path(testing::TempDir()) / fmt::format("gainsay-{}-{}", test->name(), getpid());
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  fs::path root_;
};

TEST_F(TraceFolderTest, GoesAwayIfNothingWasWritten) {
  {
    const TraceFolder folder((root_ / "a/b/").string());
    EXPECT_TRUE(fs::is_directory(root_ / "a/b"));
  }
  EXPECT_FALSE(fs::exists(root_ / "a"));
  EXPECT_TRUE(fs::exists(root_));
}

TEST_F(TraceFolderTest, StaysIfItWasThereBefore) {
  fs::create_directories(root_ / "mine");
  { const TraceFolder folder((root_ / "mine").string()); }
  EXPECT_TRUE(fs::exists(root_ / "mine"));
}

TEST_F(TraceFolderTest, TwoViolationsNeverShareAFile) {
  std::vector<std::string> files;
  {
    TraceFolder folder((root_ / "traces").string());
    files = folder.write({found("check"), found("check"), found("agreement")}, paxos_options());
  }
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0], (root_ / "traces/paxos-lowest-proposers3-check-random-seed7-run12.trace").string());
  EXPECT_EQ(files[1], (root_ / "traces/paxos-lowest-proposers3-check-random-seed7-run12-2.trace").string());
  for (const std::string& file : files) EXPECT_NO_THROW((void)read_trace_file(file));
}

TEST_F(TraceFolderTest, AFileInItsPlaceIsAMistakeOfTheUser) {
  std::ofstream(root_ / "file") << "x";
  EXPECT_THROW(TraceFolder((root_ / "file").string()), UserError);
  EXPECT_THROW(TraceFolder((root_ / "file/below").string()), UserError);
}

}  // namespace
}  // namespace gainsay::tools
