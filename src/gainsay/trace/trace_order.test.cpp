#include "gainsay/trace/trace_order.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay {
namespace {

// A set of events with causes and a random relation; executions are all orders in which causes come first.
struct Setting {
  std::vector<Event> events;  // parents by index here
  std::vector<std::vector<bool>> depends;

  Dependent dependent() const {
    return [this](const ExecutedEvent& a, const ExecutedEvent& b) {
      return depends[a.event.type][b.event.type];
    };
  }
};

Setting random_setting(std::uint64_t seed, std::size_t n) {
  Rng rng(seed);
  Setting setting;
  for (std::size_t i = 0; i < n; ++i) {
    Event event;
    event.id = EventId{scramble(seed * 100 + i + 1)};
    event.type = i;  // used as the number of the event here
    event.receiver = ActorId{static_cast<std::uint32_t>(rng.below(3))};
    if (i > 0 && rng.chance(1, 3)) event.parent = static_cast<std::uint32_t>(rng.below(i));
    setting.events.push_back(event);
  }
  setting.depends.assign(n, std::vector<bool>(n, false));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j)
      setting.depends[i][j] = setting.depends[j][i] = i == j || rng.chance(1, 3);
  }
  return setting;
}

using Word = std::vector<std::size_t>;

std::vector<Word> all_words(const Setting& setting) {
  Word word(setting.events.size());
  std::iota(word.begin(), word.end(), std::size_t{0});
  std::vector<Word> words;
  do {
    std::vector<bool> seen(word.size(), false);
    bool possible = true;
    for (const std::size_t i : word) {
      const std::uint32_t parent = setting.events[i].parent;
      possible = possible && (parent == no_step || seen[parent]);
      seen[i] = true;
    }
    if (possible) words.push_back(word);
  } while (std::next_permutation(word.begin(), word.end()));
  return words;
}

TraceOrder order_of(const Setting& setting, const Word& word) {
  TraceOrder order;
  for (std::size_t at = 0; at < word.size(); ++at) {
    ExecutedEvent executed;
    executed.event = setting.events[word[at]];
    if (executed.event.parent != no_step) {
      const auto parent = std::find(word.begin(), word.end(), executed.event.parent);
      executed.event.parent = static_cast<std::uint32_t>(parent - word.begin());
    }
    order = order.extended(executed, setting.dependent());
  }
  return order;
}

// The definition: two executions are of one class if swaps of neighbours that are independent, and not one the cause
// of the other, lead from one to the other.
std::map<Word, std::size_t> classes_by_swaps(const Setting& setting, const std::vector<Word>& words) {
  std::map<Word, std::size_t> class_of;
  std::size_t classes = 0;
  for (const Word& first : words) {
    if (class_of.contains(first)) continue;
    std::vector<Word> open{first};
    class_of[first] = classes;
    while (!open.empty()) {
      Word word = open.back();
      open.pop_back();
      for (std::size_t i = 0; i + 1 < word.size(); ++i) {
        if (setting.depends[word[i]][word[i + 1]] || setting.events[word[i + 1]].parent == word[i]) continue;
        std::swap(word[i], word[i + 1]);
        if (class_of.emplace(word, classes).second) open.push_back(word);
        std::swap(word[i], word[i + 1]);
      }
    }
    ++classes;
  }
  return class_of;
}

TEST(TraceOrder, HashesAreClassesOfSwaps) {
  std::size_t several = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Setting setting = random_setting(seed, 2 + seed % 5);
    const std::vector<Word> words = all_words(setting);
    const std::map<Word, std::size_t> expected = classes_by_swaps(setting, words);
    std::map<std::size_t, std::uint64_t> hash_of;
    std::set<std::uint64_t> hashes;
    for (const Word& word : words) {
      const std::uint64_t hash = order_of(setting, word).hash();
      hashes.insert(hash);
      const auto [known, fresh] = hash_of.emplace(expected.at(word), hash);
      EXPECT_EQ(known->second, hash) << "one class, two hashes";
    }
    EXPECT_EQ(hashes.size(), hash_of.size()) << "two classes, one hash";
    several += hash_of.size() > 1 && hash_of.size() < words.size() ? 1 : 0;
  }
  EXPECT_GT(several, 20U);
}

TEST(TraceOrder, AnswersAndLossesCount) {
  const auto hash = [](std::vector<DataChoice> answers, bool lost) {
    ExecutedEvent executed;
    executed.event.id = EventId{7};
    executed.answers = std::move(answers);
    executed.lost = lost;
    return TraceOrder().extended(executed, same_receiver).hash();
  };
  const std::set<std::uint64_t> different{hash({}, false),
                                          hash({}, true),
                                          hash({{0, 2}}, false),
                                          hash({{1, 2}}, false),
                                          hash({{0, 2}, {0, 2}}, false),
                                          TraceOrder().hash()};
  EXPECT_EQ(different.size(), 6U);
}

// The old one stays as it is, and a long one is taken apart without recursion.
TEST(TraceOrder, IsAValue) {
  TraceOrder order;
  std::vector<TraceOrder> prefixes;
  for (std::uint64_t i = 0; i < 200; ++i) {
    prefixes.push_back(order);
    ExecutedEvent executed;
    executed.event.id = EventId{i + 1};
    order = order.extended(executed, same_receiver);
  }
  std::set<std::uint64_t> hashes;
  for (std::size_t i = 0; i < prefixes.size(); ++i) {
    EXPECT_EQ(prefixes[i].size(), i);
    EXPECT_EQ(prefixes[i].events().size(), i);
    hashes.insert(prefixes[i].hash());
  }
  EXPECT_EQ(hashes.size(), 200U);
  EXPECT_EQ(order.decisions().size(), 200U);
  EXPECT_EQ(order.decisions()[17].id, EventId{18});
}

TEST(SetHash, ForgetsTheOrder) {
  const auto text = [](const std::vector<std::uint64_t>& members) {
    SetHash hash;
    for (const std::uint64_t each : members) hash.add(each);
    return hash.text();
  };
  EXPECT_EQ(text({1, 2, 3}), text({3, 1, 2}));
  EXPECT_NE(text({1, 2, 3}), text({1, 2, 4}));
  EXPECT_NE(text({}), text({0}));
  EXPECT_EQ(text({}).size(), 32U);
  EXPECT_EQ(text({5}).size(), 32U);
}

}  // namespace
}  // namespace gainsay
