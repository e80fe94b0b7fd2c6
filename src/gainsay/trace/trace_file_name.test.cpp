#include "gainsay/trace/trace_file_name.hpp"

#include <gtest/gtest.h>

namespace gainsay::trace_file_name_test {
namespace {

std::vector<OptionInfo> paxos_options() {
  OptionInfo bug;
  bug.name = "bug";
  bug.default_text = "none";
  OptionInfo proposers;
  proposers.name = "proposers";
  proposers.default_text = "2";
  return {bug, proposers};
}

TraceDocument found(const std::string& property) {
  TraceDocument document;
  document.violation = Violation{property, "it is wrong", nobody, no_step};
  document.scenario = "paxos";
  document.options = {{"bug", "lowest"}, {"proposers", "3"}};
  document.strategy = "random";
  document.seed = 7;
  document.run = 12;
  document.end = "violated";
  return document;
}

TEST(TraceFileName, SaysWhatIsNotAsUsual) {
  TraceDocument document = found("agreement");
  EXPECT_EQ(trace_file_name(document, paxos_options()),
            "paxos-lowest-proposers3-agreement-random-seed7-run12");
  document.options = {{"bug", "none"}, {"proposers", "2"}};
  EXPECT_EQ(trace_file_name(document, paxos_options()), "paxos-agreement-random-seed7-run12");
  document.strategy = "explore";
  EXPECT_EQ(trace_file_name(document, paxos_options()), "paxos-agreement-explore");
}

TEST(TraceFileName, IsAPlainShortWord) {
  const TraceDocument odd = found("../../etc: \"no\" two\nleaders & é" + std::string(500, 'x'));
  const std::string name = trace_file_name(odd, {});
  EXPECT_LT(name.size(), 220U);
  EXPECT_EQ(name.find_first_of("/\"\n &:"), std::string::npos);
}

}  // namespace
}  // namespace gainsay::trace_file_name_test
