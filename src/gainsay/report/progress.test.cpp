#include "gainsay/report/progress.hpp"

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gainsay {
namespace {

using std::chrono::milliseconds;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Runs a watcher until it has asked for `draws` lines; returns what it wrote.
std::string watched(ProgressOptions options, int draws, const std::string& text) {
  char* buffer = nullptr;
  std::size_t size = 0;
  options.out = open_memstream(&buffer, &size);
  std::atomic<int> asked{0};
  {
    const Progress progress(
        [&] {
          ++asked;
          return text;
        },
        options);
    while (asked < draws) std::this_thread::sleep_for(milliseconds(1));
  }
  std::fclose(options.out);
  std::string written(buffer, size);
  std::free(buffer);
  return written;
}

TEST(Progress, OnATerminalOneLineIsRedrawnAndWiped) {
  ProgressOptions options;
  options.terminal = true;
  options.redraw_every = milliseconds(1);
  const std::string written = watched(options, 3, "12 runs");
  EXPECT_THAT(written, StartsWith("\r12 runs\x1b[K\r12 runs\x1b[K"));
  EXPECT_THAT(written, EndsWith("\r\x1b[K"));
  EXPECT_THAT(written, Not(HasSubstr("\n")));
}

TEST(Progress, ALongLineIsCutToTheTerminal) {
  ProgressOptions options;
  options.terminal = true;
  options.redraw_every = milliseconds(1);
  options.columns = [] { return std::size_t{10}; };
  EXPECT_THAT(watched(options, 1, "1234567890123"), StartsWith("\r12345678…\x1b[K"));
}

TEST(Progress, ElsewhereItPrintsPlainLines) {
  ProgressOptions options;
  options.plain_first = milliseconds(1);
  options.plain_every = milliseconds(1);
  EXPECT_THAT(watched(options, 2, "12 runs"), StartsWith("12 runs\n12 runs\n"));
}

TEST(Progress, ShortWorkIsSilent) {
  EXPECT_EQ(watched({}, 0, "12 runs"), "");
  ProgressOptions terminal;
  terminal.terminal = true;
  EXPECT_EQ(watched(terminal, 0, "12 runs"), "");
}

}  // namespace
}  // namespace gainsay
