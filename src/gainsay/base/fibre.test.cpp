#include "gainsay/base/fibre.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gainsay::fibre_test {
namespace {

TEST(Fibre, RunsFromYieldToYield) {
  std::string log;
  Fibre* self = nullptr;
  Fibre fibre([&] {
    for (const char letter : {'a', 'b', 'c'}) {
      log += letter;
      self->yield();
    }
  });
  self = &fibre;
  while (!fibre.finished()) {
    fibre.resume();
    log += ".";
  }
  EXPECT_EQ(log, "a.b.c..");
}

TEST(Fibre, ThrowsToWhomResumesIt) {
  Fibre fibre([] { throw std::runtime_error("boom"); });
  EXPECT_THROW(fibre.resume(), std::runtime_error);
  EXPECT_TRUE(fibre.finished());
}

TEST(Fibre, IsUnwoundWhenAbandoned) {
  int living = 0;
  struct Held {
    int& count;
    explicit Held(int& counter) : count(counter) { ++count; }
    ~Held() { --count; }
  };
  {
    Fibre* self = nullptr;
    Fibre fibre([&] {
      const Held held(living);
      try {
        self->yield();
      } catch (...) {  // swallows it, and sees it again
        const Held again(living);
        self->yield();
      }
    });
    self = &fibre;
    fibre.resume();
    EXPECT_EQ(living, 1);
  }
  EXPECT_EQ(living, 0);
  const Fibre never([] { ADD_FAILURE() << "it was never resumed"; });
}

// Two fibres are suspended inside catch blocks, in an order that no stack of exceptions could have.
TEST(Fibre, MayBeSuspendedInsideACatchBlock) {
  std::vector<std::string> caught;
  std::vector<Fibre*> fibres;
  const auto body = [&](std::size_t number) {
    try {
      throw std::runtime_error("of " + std::to_string(number));
    } catch (const std::runtime_error&) {
      fibres[number]->yield();
      try {
        throw;
      } catch (const std::runtime_error& again) {
        caught.push_back(again.what());
      }
    }
  };
  Fibre first([&] { body(0); });
  Fibre second([&] { body(1); });
  fibres = {&first, &second};
  first.resume();
  second.resume();
  EXPECT_FALSE(std::current_exception());
  first.resume();
  second.resume();
  EXPECT_EQ(caught, (std::vector<std::string>{"of 0", "of 1"}));
}

}  // namespace
}  // namespace gainsay::fibre_test
