#include "gainsay/execution/kernel/interner.hpp"

#include <map>
#include <tuple>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay::interner_test {
namespace {

// More different contents than are kept at hand, asked for again and again: equal contents have equal ids, others have
// others, and what an id stands for stays.
TEST(Interner, GivesEqualContentsEqualIds) {
  const std::vector<ActorPlan> no_actors;
  Interner interner(no_actors);
  Rng rng(1);
  std::map<std::pair<bool, int>, ValueId> values;
  std::map<std::tuple<Slot, std::uint64_t, ValueId, int, std::uint32_t>, EnvelopeId> envelopes;
  for (int i = 0; i < 60'000; ++i) {
    const bool is_text = rng.below(2) == 0;
    const int number = static_cast<int>(rng.below(8'000));
    const std::string text = std::to_string(number);
    const ValueId value = is_text ? interner.value(reflect::value_type<std::string>(), &text)
                                  : interner.value(reflect::value_type<int>(), &number);
    ASSERT_EQ(values.try_emplace({is_text, number}, value).first->second, value);
    if (is_text) {
      ASSERT_EQ(*static_cast<const std::string*>(interner.value(value).data), text);
    }
    const auto to = static_cast<Slot>(rng.below(3));
    const ActorId from{rng.below(3)};
    const EventKind kind = rng.below(2) == 0 ? EventKind::deliver : EventKind::timer;
    const auto call = static_cast<std::uint32_t>(rng.below(2));
    const EnvelopeId envelope = interner.envelope(from, to, ActorId{to}, kind, value, call);
    const EnvelopeId by_content =
        is_text
            ? interner.envelope(from, to, ActorId{to}, kind, reflect::value_type<std::string>(), &text, call)
            : interner.envelope(from, to, ActorId{to}, kind, reflect::value_type<int>(), &number, call);
    ASSERT_EQ(by_content, envelope);
    const auto known = envelopes.try_emplace({to, from.raw, value, static_cast<int>(kind), call}, envelope);
    ASSERT_EQ(known.first->second, envelope);
    ASSERT_EQ(interner.envelope(envelope).message, value);
    ASSERT_EQ(interner.envelope(envelope).from, from);
    ASSERT_EQ(interner.envelope(envelope).data, interner.value(value).data);
  }
  std::map<std::uint32_t, int> times;
  for (const auto& each : values) ++times[each.second];
  EXPECT_EQ(times.size(), values.size());
  times.clear();
  for (const auto& each : envelopes) ++times[each.second];
  EXPECT_EQ(times.size(), envelopes.size());
  EXPECT_GT(envelopes.size(), 20'000U);
  interner.clear();  // nothing is at hand afterwards
  const int number = 1;
  EXPECT_EQ(interner.value(reflect::value_type<int>(), &number), 1U);
}

}  // namespace
}  // namespace gainsay::interner_test
