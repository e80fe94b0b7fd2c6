#include "gainsay/base/user_call.hpp"

#include <csignal>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include "gainsay/base/hash.hpp"

namespace gainsay::user_call_test {
namespace {

class OnBoard : public testing::Test {
 protected:
  void SetUp() override { board_ = std::make_unique<CallBoard>(); }

  // In a thread of its own, because a thread keeps its place on the first board it meets.
  template <class F> void with_board(F work) {
    std::thread([&] {
      use_call_board(board_.get());
      work();
    }).join();
    use_call_board(nullptr);
  }
  std::size_t places_taken() const {
    std::size_t count = 0;
    for (const CallSlot& slot : board_->slots) count += slot.taken;
    return count;
  }
  void enter(std::uint64_t call) {
    board_->deaths[board_->deaths_count] = {call, DeathKind::signal, SIGSEGV};
    ++board_->deaths_count;
  }

  std::unique_ptr<CallBoard> board_;
};

TEST_F(OnBoard, ShowsTheInnermostCall) {
  with_board([&] {
    const CallSlot& mine = call_slot();
    EXPECT_EQ(mine.call, 0U);
    {
      const UserCall outer(10);
      EXPECT_EQ(mine.call, 10U);
      EXPECT_EQ(mine.patient, 0U);
      {
        const UserCall inner(11, UserCall::Length::any);
        EXPECT_EQ(mine.call, 11U);
        EXPECT_EQ(mine.patient, 1U);
      }
      EXPECT_EQ(mine.call, 10U);
      EXPECT_EQ(mine.patient, 0U);
    }
    EXPECT_EQ(mine.call, 0U);
    EXPECT_EQ(mine.begun, 2U);
    EXPECT_EQ(places_taken(), 1U);
  });
  EXPECT_EQ(places_taken(), 0U);  // a thread that has ended gives its place back
}

TEST_F(OnBoard, RefusesACallThatIsKnownToDie) {
  enter(10);
  enter(mix(20, 1 + 1));  // call 20, answered by 1
  with_board([] {
    EXPECT_THROW(UserCall(10), CallDied);
    EXPECT_EQ(call_slot().call, 0U);
    UserCall asks(20);
    EXPECT_THROW(asks.answered(1), CallDied);
    UserCall asks_again(20);
    asks_again.answered(0);
    EXPECT_NE(call_slot().call, 20U);
  });
}

TEST_F(OnBoard, ThreadsHavePlacesOfTheirOwn) {
  with_board([&] {
    const UserCall mine(10);
    std::thread([&] {
      const UserCall other(11);
      EXPECT_EQ(places_taken(), 2U);
      EXPECT_NE(&call_slot(), &board_->slots[0]);
    }).join();
    EXPECT_EQ(places_taken(), 1U);
  });
}

TEST(UserCall, WithoutABoardNothingIsRefused) {
  const UserCall call(10);
  EXPECT_EQ(call_slot().call, 10U);
  EXPECT_FALSE(calls_need_names());
}

TEST(Death, SaysHow) {
  EXPECT_EQ((Death{1, DeathKind::exit, 7}.text()), "exit code 7 (it ended the program)");
  EXPECT_EQ((Death{1, DeathKind::timeout, 1500}.text()),
            "a timeout: no return within 1.5 s (--handler-timeout)");
  EXPECT_EQ((Death{1, DeathKind::signal, SIGSEGV}.text()),
            "SIGSEGV (invalid memory access or stack overflow)");
  EXPECT_EQ((Death{1, DeathKind::signal, SIGUSR1}.text()), "signal 10");
  EXPECT_EQ((Death{1, DeathKind::sanitizer, 0, {"AddressSanitizer (double-free)"}}.text()),
            "a report of AddressSanitizer (double-free)");
}

}  // namespace
}  // namespace gainsay::user_call_test
