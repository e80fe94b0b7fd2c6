#include "gainsay/model/graph_file.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "gainsay/base/rng.hpp"
#include "gainsay/explorer/random_system.test.hpp"
#include "gainsay/model/cover.hpp"
#include "gainsay/model/random_graph.test.hpp"
#include "gainsay/model/scenario_graph.hpp"
#include "gainsay/model/suite_file.hpp"

namespace gainsay::graph_file_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ModelFiles : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / fmt::format("gainsay-{}-{}", test->name(), getpid());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string in_folder(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void put(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

std::string complaint(const std::string& path) {
  try {
    (void)GraphFile::read(path);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

StateGraph scenario_graph(std::uint64_t number) {
  const random_system::Features features = random_system::draw(number);
  GraphOptions options;
  options.states_max = 2000;
  return explore_graph(Scenario::of("random", [=](World& world) { random_system::fill(world, features); }),
                       {}, options)
      .graph;
}

TEST_F(ModelFiles, AGraphIsReadAsItWasWritten) {
  for (std::uint64_t number = 0; number < 20; ++number) {
    StateGraph graph = scenario_graph(number);
    graph.options = {{"bug", "none"}};
    graph.marks.push_back({"odd", std::vector<bool>(graph.nodes(), number % 2 == 1)});
    GraphFile::write(in_folder("a.graph"), graph);
    EXPECT_TRUE(GraphFile::is_one(in_folder("a.graph")));
    EXPECT_TRUE(GraphFile::read(in_folder("a.graph")) == graph);
  }
}

// Every byte counts: a file with any one changed, or cut anywhere, is refused with one line that names it.
TEST_F(ModelFiles, ADamagedGraphIsRefused) {
  GraphFile::write(in_folder("a.graph"), scenario_graph(3));
  const std::string whole = contents(in_folder("a.graph"));
  Rng rng(1);
  for (int i = 0; i < 300; ++i) {
    std::string changed = whole;
    const std::size_t at = i < 24 ? static_cast<std::size_t>(i) : rng.below(whole.size());
    changed[at] = static_cast<char>(changed[at] ^ (1 << rng.below(8)));
    put(in_folder("b.graph"), changed);
    const std::string said = complaint(in_folder("b.graph"));
    EXPECT_THAT(said, HasSubstr("b.graph: ")) << at;
    EXPECT_EQ(said.find('\n'), std::string::npos);
    put(in_folder("b.graph"), whole.substr(0, at));
    EXPECT_THAT(complaint(in_folder("b.graph")), HasSubstr("expected")) << at;
  }
  put(in_folder("c.graph"), whole + "x");
  EXPECT_THAT(complaint(in_folder("c.graph")), HasSubstr("expected the end of the file"));
  EXPECT_THAT(complaint(in_folder("nowhere.graph")), HasSubstr("cannot be read"));
}

TEST_F(ModelFiles, ADotFileShowsStatesAndEvents) {
  const StateGraph graph = random_graph::draw(5, {});
  GraphFile::write_dot(in_folder("a.dot"), graph, false);
  const std::string text = contents(in_folder("a.dot"));
  EXPECT_THAT(text, HasSubstr("0 [label=\"0\",style=filled];"));
  EXPECT_THAT(text, HasSubstr(" -> "));
  EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')),
            graph.nodes() + graph.edges() + 3);
}

TEST_F(ModelFiles, ASuiteIsReadAsItWasWritten) {
  for (std::uint64_t number = 0; number < 20; ++number) {
    const StateGraph graph = random_graph::draw(number, {100, 400, 2, false});
    std::unique_ptr<Suite> suite;
    if (number % 3 == 0) {
      SampleOptions options;
      options.tests = 10;
      suite = sample(graph, options);
    } else {
      CoverOptions options;
      if (number % 3 == 1) options.required = std::vector<bool>(graph.edges(), true);
      if (number % 3 == 1 && graph.edges() > 0) options.required[0] = false;
      if (number % 2 == 0) options.length_max = 100;
      suite = cover(graph, options);
    }
    SuiteFile::write(in_folder("a.suite"), *suite, "some.graph");
    EXPECT_EQ(SuiteFile::graph_path(in_folder("a.suite")), "some.graph");
    const auto again = SuiteFile::read(in_folder("a.suite"), graph);
    EXPECT_EQ(again->facts, suite->facts);
    const auto one = suite->read(graph);
    const auto two = again->read(graph);
    TestPath a;
    TestPath b;
    while (one->next(a)) {
      ASSERT_TRUE(two->next(b));
      EXPECT_EQ(a, b);
    }
    EXPECT_FALSE(two->next(b));
    const StateGraph other = random_graph::draw(number + 1, {100, 400, 2, false});
    EXPECT_THROW((void)SuiteFile::read(in_folder("a.suite"), other), UserError);
  }
}

// What is no regular file is written in place, a link stays a link, and nothing is left behind.
TEST_F(ModelFiles, AreNeverPutInThePlaceOfSomethingElse) {
  const StateGraph graph = random_graph::draw(7, {});
  const auto suite = cover(graph, {});
  const auto write_all = [&](const std::string& path) {
    GraphFile::write(path, graph);
    GraphFile::write_dot(path, graph, false);
    SuiteFile::write(path, *suite, "a.graph");
  };
  fs::create_symlink("target", in_folder("link"));
  write_all(in_folder("link"));
  EXPECT_TRUE(fs::is_symlink(in_folder("link")));
  EXPECT_TRUE(SuiteFile::is_one(in_folder("target")));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2);
  write_all("/dev/null");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  try {
    GraphFile::write("/dev/full", graph);
    FAIL() << "a full disk was not noticed";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/dev/full: cannot write the state graph: No space left"));
  }
}

}  // namespace
}  // namespace gainsay::graph_file_test
