#include "gainsay/explorer/record.hpp"

#include <gtest/gtest.h>

#include "gainsay/scenario/world.hpp"

namespace gainsay::record_test {
namespace {

struct Add {
  int n = 0;
};

struct Child {
  using Receives = Messages<Add>;
  int sum = 0;
  void on_start(Context&) { sum = 1; }
  void on(const Add& add) { sum += add.n; }
};

struct Parent {
  using Receives = Messages<Add>;
  int got = 0;
  void on(const Add& add, Context& ctx) {
    got += add.n;
    if (add.n == 1) ctx.send(ctx.spawn("child", Child{}), add);
    ctx.persist(add);
  }
};

struct Machine {
  explicit Machine(const std::function<void(World&)>& body)
      : blueprint([&] {
          World world("record");
          body(world);
          return world.take();
        }()),
        engine(blueprint) {}

  const Blueprint blueprint;
  Engine engine;
  Network& network = engine.network;
  Stepper& stepper = engine.stepper;
  WorldHash& hash = engine.hash;
};

// Every world that a fixed walk meets, written as a record and read again, has the same fingerprint, the same
// successors, and is written the same once more.
void expect_round_trips(const std::function<void(World&)>& body) {
  Machine m(body);
  WorldState world;
  m.stepper.initial(world);
  Alternatives alternatives;
  std::size_t walked = 0;
  while (true) {
    std::vector<std::uint32_t> words;
    encode(world, m.hash.of(world), m.network, words);
    const RecordView record{words.data()};
    EXPECT_EQ(record_words(record, m.network), words.size());
    EXPECT_EQ(record.fingerprint(), m.hash.of(world));
    WorldState read;
    decode(record, m.engine, read);
    EXPECT_EQ(m.hash.of(read), m.hash.of(world));
    std::vector<std::uint32_t> again;
    encode(read, m.hash.of(read), m.network, again);
    EXPECT_EQ(again, words);
    Alternatives of_read;
    m.network.enabled(world, alternatives);
    m.network.enabled(read, of_read);
    EXPECT_EQ(of_read.list.size(), alternatives.list.size());
    EXPECT_EQ(of_read.quiescent, alternatives.quiescent);
    if (alternatives.list.empty() || alternatives.list.front().kind == EventKind::stop) break;
    ChoicePath path;
    // Faults first, while there are any: they change the rarer parts of a world.
    const bool fault = alternatives.ordinary < alternatives.list.size() &&
                       alternatives.list[alternatives.ordinary].kind != EventKind::stop;
    m.stepper.step(world, alternatives.list[fault ? alternatives.ordinary : 0], path);
    ++walked;
  }
  EXPECT_GE(walked, 5U);
}

TEST(Record, HoldsAWholeWorld) {
  for (const Delivery order :
       {Delivery::unordered, Delivery::fifo, Delivery::causal, Delivery::queue, Delivery::mailbox}) {
    const auto plain = [order](World& world) {
      world.order(order);
      for (const auto parent : world.group<Parent>("parent", 2)) {
        for (int i = 0; i < 3; ++i) world.send(parent, Add{i});
        world.send_from(parent, parent, Add{1});
      }
    };
    expect_round_trips(plain);
    expect_round_trips([&](World& world) {
      plain(world);
      const Ref<Parent> a(ActorId{0});
      const Ref<Parent> b(ActorId{1});
      world.timer_budget<Add>(2);
      world.faults().drop(1).duplicate(2).crash(1, {a, b}).restart(1).partition("cut", {a, b}, 3);
    });
  }
}

// Worlds are read into worlds that were used before, with gaps where events have left.
TEST(Record, IsReadIntoAWorldThatWasUsedBefore) {
  for (const Delivery order : {Delivery::fifo, Delivery::causal, Delivery::queue, Delivery::mailbox}) {
    Machine m([order](World& world) {
      world.order(order);
      const auto parent = world.spawn<Parent>("parent");
      for (const int n : {1, 0, 2}) world.send(parent, Add{n});  // first a child, whose start is no message
    });
    WorldState world;
    m.stepper.initial(world);
    ChoicePath answers;
    m.stepper.step(world, {EventKind::deliver, 0}, answers);
    EXPECT_LT(world.pending.count(), world.pending.behind());
    const std::size_t count = world.pending.count();
    std::vector<std::uint32_t> words;
    encode(world, m.hash.of(world), m.network, words);
    const std::uint64_t fingerprint = m.hash.of(world);
    decode(RecordView{words.data()}, m.engine, world);
    ASSERT_EQ(world.pending.count(), count);
    ASSERT_EQ(world.pending.behind(), count);
    world.check_rows();
    EXPECT_EQ(m.hash.of(world), fingerprint);
  }
}

// In an unordered world the order in which messages were sent is no part of the record.
TEST(Record, OfAnUnorderedWorldIsSorted) {
  Machine m([](World& world) {
    const auto parent = world.spawn<Parent>("parent");
    for (int i = 0; i < 4; ++i) world.send(parent, Add{i});
  });
  WorldState world;
  m.stepper.initial(world);
  std::vector<std::uint32_t> words;
  encode(world, 1, m.network, words);
  std::swap(world.pending[0], world.pending[3]);  // all are for one actor
  std::swap(world.pending[1], world.pending[2]);
  std::vector<std::uint32_t> swapped;
  encode(world, 1, m.network, swapped);
  EXPECT_EQ(words, swapped);
}

// Places for actors that are not there are no part of it either.
TEST(Record, LeavesOutWhoIsNotThere) {
  Machine m([](World& world) { world.send(world.spawn<Parent>("parent"), Add{2}); });
  WorldState world;
  m.stepper.initial(world);
  std::vector<std::uint32_t> words;
  encode(world, 1, m.network, words);
  world.cells.resize(5, 0);
  std::vector<std::uint32_t> roomy;
  encode(world, 1, m.network, roomy);
  EXPECT_EQ(words, roomy);
}

// Multiplicity counts: one message more is another state.
TEST(Record, FingerprintsCountEqualMessages) {
  for (const Delivery order :
       {Delivery::unordered, Delivery::fifo, Delivery::causal, Delivery::queue, Delivery::mailbox}) {
    std::vector<std::uint64_t> fingerprints;
    for (int n = 0; n < 4; ++n) {
      Machine m([n, order](World& world) {
        world.order(order);
        const auto parent = world.spawn<Parent>("parent");
        for (int i = 0; i < n; ++i) world.send(parent, Add{2});
      });
      WorldState world;
      m.stepper.initial(world);
      fingerprints.push_back(m.hash.of(world));
    }
    std::sort(fingerprints.begin(), fingerprints.end());
    EXPECT_EQ(std::unique(fingerprints.begin(), fingerprints.end()), fingerprints.end());
  }
}

TEST(Record, RefusesWorldsThatAreTooLarge) {
  Machine m([](World& world) { world.send(world.spawn<Parent>("parent"), Add{2}); });
  WorldState world;
  m.stepper.initial(world);
  const Pending message = world.pending[0];
  while (world.pending.count() < 70'000) world.append(message, message.id, message.envelope, no_step);
  std::vector<std::uint32_t> words;
  EXPECT_THROW(encode(world, 1, m.network, words), UserError);
}

}  // namespace
}  // namespace gainsay::record_test
