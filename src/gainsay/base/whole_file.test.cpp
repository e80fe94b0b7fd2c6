#include "gainsay/base/whole_file.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gainsay/base/check.hpp"

namespace gainsay::whole_file_test {
namespace {

namespace fs = std::filesystem;

class WholeFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("whole-" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  static std::string read(const std::string& path) {
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static std::string complaint(const std::function<void()>& work) {
    try {
      work();
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
};

TEST_F(WholeFile, IsReplacedAndKeepsItsMode) {
  write_whole_file(at("deep/a"), "page", "one");
  chmod(at("deep/a").c_str(), 0640);
  write_whole_file(at("deep/a"), "page", "two");
  EXPECT_EQ(read(at("deep/a")), "two");
  struct stat found {};
  stat(at("deep/a").c_str(), &found);
  EXPECT_EQ(found.st_mode & 0777U, 0640U);
  EXPECT_EQ(files(), 1U);  // the folder: nothing temporary stays beside it
}

TEST_F(WholeFile, ALinkStaysALink) {
  write_whole_file(at("target"), "page", "one");
  fs::create_symlink(at("target"), at("link"));
  write_whole_file(at("link"), "page", "two");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(read(at("target")), "two");
}

TEST_F(WholeFile, ALinkToNothingStaysALink) {
  fs::create_symlink("target", at("second"));
  fs::create_symlink("second", at("first"));
  write_whole_file(at("first"), "text", "new\n");
  EXPECT_TRUE(fs::is_symlink(at("first")));
  EXPECT_TRUE(fs::is_symlink(at("second")));
  EXPECT_FALSE(fs::is_symlink(at("target")));
  EXPECT_EQ(read(at("target")), "new\n");
}

TEST_F(WholeFile, APipeIsWrittenNotReplaced) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = read(at("pipe")); });
  write_whole_file(at("pipe"), "page", "hello");
  reader.join();
  EXPECT_EQ(got, "hello");
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
  write_whole_file("/dev/null", "page", "hello");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(WholeFile, AnotherNamesPartialFileIsNotTouched) {
  write_whole_file(at("victim"), "page", "precious");
  fs::create_symlink(at("victim"), at("a.partial"));
  write_whole_file(at("a"), "page", "text");
  EXPECT_EQ(read(at("victim")), "precious");
}

TEST_F(WholeFile, WhatCannotBeWrittenIsNamed) {
  write_whole_file(at("file"), "page", "x");
  for (const std::string& path : {at("file/below"), folder_.string()}) {
    const std::string expected = path + ": cannot write the page: ";
    EXPECT_THAT(complaint([&] { write_whole_file(path, "page", "x"); }), testing::StartsWith(expected));
    EXPECT_THAT(complaint([&] { require_writable(path, "page"); }), testing::StartsWith(expected));
  }
  EXPECT_EQ(complaint([&] { require_writable(at("new/deep/file"), "page"); }), "");
  EXPECT_EQ(complaint([&] { require_writable(at("file"), "page"); }), "");
  EXPECT_EQ(complaint([&] { require_writable("relative", "page"); }), "");
  EXPECT_EQ(files(), 1U);
  if (fs::exists("/dev/full")) {
    EXPECT_THAT(complaint([] { write_whole_file("/dev/full", "page", "x"); }),
                testing::HasSubstr("No space left on device"));
  }
}

}  // namespace
}  // namespace gainsay::whole_file_test
