// What the tests of the command line share: running it inside the test, and a folder for its files.
#pragma once

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "gainsay/trace/trace_file.hpp"
#include "tools/cli.hpp"

namespace gainsay::cli_test {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;
using Words = std::vector<std::string>;

struct Said {
  int code = -1;
  std::string out;
  std::string err;
};

inline Said gainsay_with(Words words) {
  words.insert(words.begin(), "gainsay");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Said said;
  said.code = run_command_line(static_cast<int>(argv.size()), argv.data());
  said.out = testing::internal::GetCapturedStdout();
  said.err = testing::internal::GetCapturedStderr();
  return said;
}

// Runs the command line in a process of its own, which is killed as soon as `ready` says so.
inline void killed_with(const Words& words, const std::function<bool()>& ready) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    gainsay_with(words);
    _exit(0);
  }
  for (int i = 0; i < 6000 && !ready(); ++i) usleep(5'000);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

inline std::string file_text(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Each test has a folder of its own, which goes away with it.
class CommandLine : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / fmt::format("gainsay-{}-{}", test->name(), getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string in_folder(const std::string& name) const { return (folder_ / name).string(); }
  // hunt with its traces in the test's folder.
  Said hunt(Words words) const {
    words.insert(words.begin(), "hunt");
    words.insert(words.end(), {"--out", in_folder("traces")});
    return gainsay_with(words);
  }
  // The trace of a violation of test_race.
  std::string race_trace() const {
    const Said said = hunt({"test_race", "--option", "bug=first", "--json"});
    EXPECT_EQ(said.code, 1) << said.err;
    return json::parse(said.out)["violations"][0]["trace_file"];
  }
  // A trace that some other program might have written: changed, but in order as a file.
  template <class F> std::string changed_trace(const std::string& from, F change) const {
    TraceDocument document = read_trace_file(from);
    change(document);
    return write_trace_file(in_folder("changed.trace"), document);
  }

  fs::path folder_;
};

}  // namespace gainsay::cli_test
