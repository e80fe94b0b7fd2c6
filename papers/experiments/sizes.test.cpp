#include "papers/experiments/sizes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "papers/zoo/experiment.hpp"

namespace gainsay::sizes_test {

using namespace tools::zoo;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Sizes, CountsLinesActorsMessagesAndHandlers) {
  const SourceSize size = size_of_text(R"(// A comment.
struct A {
  using Receives = gainsay::Messages<Ping, Pair<int,
                                     long>, gainsay::Halt>;  // three

  void on(const Ping&, Context& ctx);
  Task on(const Pair<int, long>& pair);
};
struct M {
  using Observes = Messages<Ping>;
  void on(const Ping&) {}
};
struct B {
  using Receives = Messages<>;
};
void A::on(const Ping&, Context& ctx) {}
)");
  EXPECT_EQ(size.lines, 16U);
  EXPECT_EQ(size.code, 14U);
  EXPECT_EQ(size.actors, 2U);
  EXPECT_EQ(size.monitors, 1U);
  EXPECT_EQ(size.handlers, 3U);  // a definition outside of its class is no other handler
  EXPECT_THAT(size.messages, ElementsAre("Pair<int,long>", "Ping", "gainsay::Halt"));
}

TEST(Sizes, SaysWhereItLooks) {
  EXPECT_THROW((void)size_of_folder("no/such/folder"), UserError);
  EXPECT_THROW((void)size_of_files({"no/such/file.hpp"}), UserError);
}

// Tests run at the root of the tree.
TEST(Sizes, OfTheBundledSystems) {
  const SourceSize chord = size_of_folder("systems/chord");
  EXPECT_EQ(chord.files, 2U);
  EXPECT_EQ(chord.actors, 3U);
  EXPECT_EQ(chord.messages.size(), 6U);
  const Experiment* experiment = find_experiment("sizes");
  ASSERT_NE(experiment, nullptr);
  const Rows rows = experiment->measure({});
  ASSERT_EQ(rows.size(), 12U);
  for (const Rows& row : rows) EXPECT_GT(row["actors"], 1) << row;
  EXPECT_THAT(experiment->render(rows).text, HasSubstr("| Azure Storage vNext "));
}

}  // namespace gainsay::sizes_test
