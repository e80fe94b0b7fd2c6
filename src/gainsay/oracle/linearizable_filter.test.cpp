#include "gainsay/oracle/linearizable_filter.hpp"

#include <array>
#include <deque>
#include <map>
#include <stdexcept>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"
#include "gainsay/oracle/names_only.test.hpp"
#include "gainsay/oracle/specs/kv.hpp"
#include "gainsay/oracle/specs/register.hpp"

namespace gainsay::linearizable_filter_test {
namespace {

using Reg = specs::Register<int>;
using Map = specs::Kv<int, std::string>;

// One number for each value, in the order in which they are met.
class Numbers {
 public:
  std::uint32_t of(const AnyValue& value) {
    const auto next = static_cast<std::uint32_t>(numbers_.size() + 1);
    const auto key = std::pair(&value.type(), value.type().hash(value.data()));
    return numbers_.try_emplace(key, next).first->second;
  }

 private:
  std::map<std::pair<const ValueType*, std::uint64_t>, std::uint32_t> numbers_;
};

struct Kept {
  std::vector<HistoryEntry> entries;
  std::deque<AnyValue> values;

  // The same with numbers of values.
  std::vector<HistoryEntry> numbered(Numbers& numbers) const {
    std::vector<HistoryEntry> result = entries;
    auto value = values.begin();
    for (HistoryEntry& entry : result) {
      if (entry.type != nullptr) entry.value = numbers.of(*value++);
    }
    return result;
  }

  void add(std::uint64_t process, std::uint32_t number, bool invocation, Completion how, AnyValue value) {
    HistoryEntry entry;
    entry.process = ActorId{process};
    entry.number = number;
    entry.invocation = invocation;
    entry.how = how;
    entry.step = static_cast<std::uint32_t>(entries.size());
    if (value.has_value()) {
      values.push_back(std::move(value));
      entry.type = &values.back().type();
      entry.data = values.back().data();
    }
    entries.push_back(entry);
  }
};

// Clients of an object that takes effect somewhere between invocation and return; `lies` of 100 results are another
// one than the object's.
template <class Spec, class DrawOp, class DrawResult>
Kept random_history(Rng& rng, std::size_t operations, std::uint64_t lies, DrawOp draw_op,
                    DrawResult draw_result) {
  struct Client {
    bool busy = false;
    bool done = false;
    std::uint32_t number = 0;
    typename Spec::Op op;
    typename Spec::Result result;
  };
  Kept kept;
  Spec object;
  std::vector<Client> clients(1 + rng.below(4));
  while (operations > 0) {
    const std::size_t which = rng.below(clients.size());
    Client& client = clients[which];
    if (!client.busy) {
      client.busy = true;
      client.done = false;
      client.op = draw_op(rng);
      kept.add(which, client.number, true, Completion::ok, AnyValue::of(client.op));
    } else if (!client.done && rng.below(2) == 0) {
      client.result = object.apply(client.op);
      client.done = true;
    } else {
      --operations;
      const std::uint64_t how = rng.below(12);
      if (client.done && how > 1) {
        if (rng.below(100) < lies) client.result = draw_result(rng, client.op);
        kept.add(which, client.number, false, Completion::ok,
                 how == 2 ? AnyValue{} : AnyValue::of(client.result));
      } else if (!client.done && how == 0) {
        kept.add(which, client.number, false, Completion::failed, {});
      } else if (how == 1) {
        kept.add(which, client.number, false, Completion::unknown, {});
      } else {
        continue;
      }
      client.busy = false;
      ++client.number;
    }
  }
  return kept;
}

// The filter goes from history to history, and over some of them once more, when it knows all of it; the checker begins
// anew each time. All must say the same, since histories of so few clients have few explanations. So must a filter for
// which a number stands for another value in every history.
template <class Spec, class DrawOp, class DrawResult>
void expect_same(std::uint64_t seed, DrawOp draw_op, DrawResult draw_result, std::size_t histories = 1'500) {
  LinearizableFilter filter(detail::client_types<Spec>(), AnyValue::of(Spec{}));
  LinearizableFilter forgetful(detail::client_types<Spec>(), AnyValue::of(Spec{}));
  Numbers lasting;
  Rng rng(seed);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < histories; ++i) {
    const Kept kept = random_history<Spec>(rng, 2 + rng.below(7), i % 3 == 0 ? 0 : 20, draw_op, draw_result);
    const Complaint complaint = judge_client_history(kept.entries, NamesOnly{}, detail::client_types<Spec>(),
                                                     AnyValue::of(Spec{}), true);
    ASSERT_EQ(filter.surely_right(kept.numbered(lasting)), !complaint)
        << i << ": " << (complaint ? complaint.text() : "");
    if (i % 8 == 0) {
      ASSERT_EQ(filter.surely_right(kept.numbered(lasting)), !complaint) << i << ", once more";
    }
    Numbers own;
    forgetful.forget_numbers();
    ASSERT_EQ(forgetful.surely_right(kept.numbered(own)), !complaint) << i << ", with other numbers";
    wrong += complaint ? 1 : 0;
  }
  EXPECT_GT(wrong, histories / 20);
  EXPECT_LT(wrong, histories / 2);
}

TEST(LinearizableFilter, SaysOfRegistersWhatTheCheckerSays) {
  expect_same<Reg>(
      1,
      [](Rng& rng) -> Reg::Op {
        if (rng.below(2) == 0) return Reg::Read{};
        return Reg::Write{static_cast<int>(rng.below(3))};
      },
      [](Rng& rng, const Reg::Op& op) -> Reg::Result {
        Reg object;
        object.apply(Reg::Write{static_cast<int>(rng.below(3))});
        return object.apply(op);
      });
}

// More entries than it takes to see that their situations do not come again.
TEST(LinearizableFilter, SaysTheSameOfValuesThatNeverComeAgain) {
  int fresh = 0;
  expect_same<Reg>(
      4,
      [&](Rng& rng) -> Reg::Op {
        if (rng.below(2) == 0) return Reg::Read{};
        return Reg::Write{++fresh};
      },
      [](Rng& rng, const Reg::Op& op) -> Reg::Result {
        Reg object;
        object.apply(Reg::Write{static_cast<int>(rng.below(3))});
        return object.apply(op);
      },
      LinearizableFilter::situations_tried / 5);
}

TEST(LinearizableFilter, SaysOfMapsWhatTheCheckerSays) {
  expect_same<Map>(
      2,
      [](Rng& rng) -> Map::Op {
        const int key = static_cast<int>(rng.below(2));
        const std::string value = std::to_string(rng.below(3));
        switch (rng.below(4)) {
          case 0:
            return Map::Put{key, value};
          case 1:
            return Map::Cas{key, value, std::to_string(rng.below(3))};
          case 2:
            return Map::Remove{key};
          default:
            return Map::Get{key};
        }
      },
      [](Rng& rng, const Map::Op& op) -> Map::Result {
        Map object;
        for (int key = 0; key < 2; ++key) object.apply(Map::Put{key, std::to_string(rng.below(3))});
        return object.apply(op);
      });
}

// Two cells: most operations have a key, and one reads both, so that now and then a history falls into keys.
struct Cells {
  struct Set {
    std::size_t key;
    int value;
  };
  struct Get {
    std::size_t key;
  };
  struct Sum {};
  using Op = std::variant<Set, Get, Sum>;
  using Result = int;
  std::array<int, 2> cells{};
  Result apply(const Op& op) {
    if (const auto* set = std::get_if<Set>(&op)) return std::exchange(cells[set->key], set->value);
    if (const auto* get = std::get_if<Get>(&op)) return cells[get->key];
    return cells[0] + cells[1];
  }
  static std::vector<std::size_t> keys(const Op& op) {
    if (const auto* set = std::get_if<Set>(&op)) return {set->key};
    if (const auto* get = std::get_if<Get>(&op)) return {get->key};
    return {0, 1};
  }
};

TEST(LinearizableFilter, SaysTheSameWhereSomeOperationsTouchAllKeys) {
  expect_same<Cells>(
      5,
      [](Rng& rng) -> Cells::Op {
        const std::size_t key = rng.below(2);
        if (rng.below(8) == 0) return Cells::Sum{};
        if (rng.below(2) == 0) return Cells::Get{key};
        return Cells::Set{key, static_cast<int>(rng.below(3))};
      },
      [](Rng& rng, const Cells::Op&) -> Cells::Result { return static_cast<int>(rng.below(3)); });
}

// A number stands for one value until it is said that it does not; a value without a number is not looked at.
TEST(LinearizableFilter, KnowsValuesByNumberUntilItForgets) {
  LinearizableFilter filter(detail::client_types<Reg>(), AnyValue::of(Reg{}));
  const auto history = [](int written, int seen) {
    Kept kept;
    kept.add(1, 0, true, Completion::ok, AnyValue::of(Reg::Op(Reg::Write{written})));
    kept.add(1, 0, false, Completion::ok, {});
    kept.add(1, 1, true, Completion::ok, AnyValue::of(Reg::Op(Reg::Read{})));
    kept.add(1, 1, false, Completion::ok, AnyValue::of(Reg::Result(std::in_place_index<1>, seen)));
    return kept;
  };
  const auto says = [&](const Kept& kept) {  // 1: the write, 2: the read, 3: what it saw
    Numbers numbers;
    return filter.surely_right(kept.numbered(numbers));
  };
  EXPECT_TRUE(says(history(1, 1)));
  filter.forget_numbers();
  EXPECT_FALSE(says(history(2, 1)));
  filter.forget_numbers();
  EXPECT_TRUE(says(history(2, 2)));
  EXPECT_FALSE(filter.surely_right(history(2, 2).entries)) << "without numbers";
  Numbers numbers;
  std::vector<HistoryEntry> entries = history(2, 2).numbered(numbers);
  entries[3].value = 0;
  EXPECT_FALSE(filter.surely_right(entries))
      << "although the read could return anything, for all that is known";
}

// Commands that are bits of a sum: what was seen tells which of them took effect.
struct Sum {
  struct Add {
    std::int64_t bit;
  };
  struct Read {};
  using Op = std::variant<Add, Read>;
  using Result = std::int64_t;
  std::int64_t sum = 0;
  Result apply(const Op& op) {
    if (const auto* add = std::get_if<Add>(&op)) sum += add->bit;
    return sum;
  }
  static bool pure(const Op& op, const Result*) { return std::holds_alternative<Read>(op); }
  bool may_reach(const Op&, const Result& result) const { return (sum & ~result) == 0; }
  static bool resets(const Op&) { return false; }
};

// 30 adds and 30 reads never return: 2^60 sets of them could have taken effect. One that returns says which.
TEST(LinearizableFilter, LooksAheadAmongWhatNeverReturned) {
  LinearizableFilter filter(detail::client_types<Sum>(), AnyValue::of(Sum{}));
  const auto history = [](std::int64_t seen) {
    Kept kept;
    for (std::uint64_t i = 0; i < 30; ++i) {
      kept.add(i, 0, true, Completion::ok, AnyValue::of(Sum::Op(Sum::Add{std::int64_t{1} << i})));
      kept.add(i, 0, false, Completion::unknown, {});
      kept.add(i, 1, true, Completion::ok, AnyValue::of(Sum::Op(Sum::Read{})));
    }
    kept.add(99, 0, true, Completion::ok, AnyValue::of(Sum::Op(Sum::Read{})));
    kept.add(99, 0, false, Completion::ok, AnyValue::of(Sum::Result{seen}));
    return kept;
  };
  Numbers numbers;
  EXPECT_TRUE(filter.surely_right(history((1 << 29) + (1 << 7) + 1).numbered(numbers)));
  EXPECT_FALSE(filter.surely_right(history(std::int64_t{1} << 31).numbered(numbers))) << "nobody added that";
}

// What it cannot judge it does not call right.
TEST(LinearizableFilter, LeavesTheRestToOthers) {
  LinearizableFilter filter(detail::client_types<Reg>(), AnyValue::of(Reg{}));
  Numbers numbers;
  Kept crowd;  // more operations without a return than it follows
  for (std::uint64_t i = 0; i <= LinearizableFilter::open_max; ++i)
    crowd.add(i, 0, true, Completion::ok, AnyValue::of(Reg::Op(Reg::Write{static_cast<int>(i)})));
  EXPECT_FALSE(filter.surely_right(crowd.numbered(numbers)));
  Kept twice;
  twice.add(1, 0, true, Completion::ok, AnyValue::of(Reg::Op(Reg::Read{})));
  twice.add(1, 0, true, Completion::ok, AnyValue::of(Reg::Op(Reg::Read{})));
  EXPECT_FALSE(filter.surely_right(twice.numbered(numbers)));
  Kept without;
  without.add(1, 0, false, Completion::ok, {});
  EXPECT_FALSE(filter.surely_right(without.numbered(numbers)));
  Kept other;
  other.add(1, 0, true, Completion::ok, AnyValue::of(std::string("read")));
  EXPECT_FALSE(filter.surely_right(other.numbered(numbers)));
  EXPECT_FALSE(filter.surely_right(other.numbered(numbers))) << "once more";
  other.add(1, 0, false, Completion::failed, {});
  EXPECT_FALSE(filter.surely_right(other.numbered(numbers))) << "although it did not happen";
  EXPECT_TRUE(filter.surely_right({}));
}

struct Thrower {
  struct Boom {};
  using Op = std::variant<Boom>;
  using Result = int;
  int calls = 0;
  Result apply(const Op&) { throw std::runtime_error("boom"); }
};

TEST(LinearizableFilter, ASpecificationThatThrowsIsNotRight) {
  LinearizableFilter filter(detail::client_types<Thrower>(), AnyValue::of(Thrower{}));
  Kept kept;
  kept.add(1, 0, true, Completion::ok, AnyValue::of(Thrower::Op(Thrower::Boom{})));
  kept.add(1, 0, false, Completion::ok, {});
  Numbers numbers;
  EXPECT_FALSE(filter.surely_right(kept.numbered(numbers)));
  EXPECT_FALSE(filter.surely_right(kept.numbered(numbers)));
}

}  // namespace
}  // namespace gainsay::linearizable_filter_test
