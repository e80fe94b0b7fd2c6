#include "gainsay/base/foreign_call.hpp"

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

namespace gainsay::foreign_call_test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;  // they end the process at a fault
#else
constexpr bool sanitized = false;
#endif

int* volatile nowhere = nullptr;

TEST(ForeignCall, AnOrdinaryCallReturnsNothing) {
  int calls = 0;
  EXPECT_EQ(foreign_call([&] { ++calls; }), 0);
  EXPECT_EQ(calls, 1);
}

TEST(ForeignCall, AFaultComesBackAsItsSignalAgainAndAgain) {
  if (sanitized) GTEST_SKIP() << "the sanitizer takes the signal";
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(foreign_call([] { *nowhere = 1; }), SIGSEGV);
    EXPECT_EQ(foreign_call([] { std::abort(); }), SIGABRT);
    EXPECT_EQ(foreign_call([] {}), 0);
  }
  EXPECT_THAT(signal_text(SIGSEGV), testing::StartsWith("SIGSEGV"));
}

int deeper(int depth) {
  volatile char room[4096];
  room[0] = static_cast<char>(depth);
  return depth == 0 ? room[0] : deeper(depth - 1) + room[0];
}

TEST(ForeignCall, AStackThatIsUsedUpIsAFaultToo) {
  if (sanitized) GTEST_SKIP() << "the sanitizer takes the signal";
  int sum = 0;
  EXPECT_EQ(foreign_call([&] { sum = deeper(1 << 28); }), SIGSEGV);
}

TEST(ForeignCall, CallsMayBeNestedAndExceptionsPass) {
  if (sanitized) GTEST_SKIP() << "the sanitizer takes the signal";
  int inner = 0;
  EXPECT_EQ(foreign_call([&] {
              inner = foreign_call([] { *nowhere = 1; });
              std::raise(SIGFPE);
            }),
            SIGFPE);
  EXPECT_EQ(inner, SIGSEGV);
  EXPECT_THROW(foreign_call([] { throw std::runtime_error("passes"); }), std::runtime_error);
  EXPECT_EQ(foreign_call([] { *nowhere = 1; }), SIGSEGV);
}

TEST(ForeignCall, EveryThreadHasItsOwnWayBack) {
  if (sanitized) GTEST_SKIP() << "the sanitizer takes the signal";
  std::vector<std::thread> threads;
  std::vector<int> faults(4, 0);
  for (std::size_t t = 0; t < faults.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) faults[t] += foreign_call([] { *nowhere = 1; }) == SIGSEGV ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(faults, std::vector<int>(4, 200));
}

TEST(ForeignCallDeathTest, AFaultOutsideIsAsDeadlyAsEver) {
  EXPECT_DEATH(
      {
        (void)foreign_call([] {});
        *nowhere = 1;
      },
      "");
}

}  // namespace
}  // namespace gainsay::foreign_call_test
