#include "gainsay/scenario/world.hpp"

#include <gtest/gtest.h>

#include "gainsay/base/complaint.test.hpp"

namespace gainsay {
namespace {

struct Ping {
  int n = 0;
};

struct Server;

struct Client {
  using Receives = Messages<Ping>;
  Ref<Server> server;
  int number = 0;
  void on(const Ping&) {}
};

struct Server {
  using Receives = Messages<Ping>;
  Ref<Client> client;
  Group<Server> all;
  std::size_t index = 0;
  void on(const Ping&) {}
};

template <class A> const A& initial(const Blueprint& blueprint, std::size_t actor) {
  const AnyValue& value = blueprint.actors.at(actor).initial;
  EXPECT_EQ(&value.type(), &reflect::value_type<A>());
  return *static_cast<const A*>(value.data());
}

TEST(World, NumbersActorsInTheOrderInWhichTheyAreMade) {
  World world("numbers");
  const auto a = world.spawn<Client>("a");
  const auto b = world.spawn("b", Client{.number = 7});
  const auto group = world.group<Server>("s", 2);
  const auto c = world.declare<Client>("c");
  world.init(c, Client{.number = 8});
  EXPECT_EQ(a, ActorId{0});
  EXPECT_EQ(b, ActorId{1});
  EXPECT_EQ(group[1], ActorId{3});
  EXPECT_EQ(c, ActorId{4});
  const Blueprint blueprint = world.take();
  EXPECT_EQ(blueprint.scenario, "numbers");
  std::vector<std::string> names;
  for (const ActorPlan& actor : blueprint.actors) names.push_back(actor.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "s.0", "s.1", "c"}));
  EXPECT_EQ(initial<Client>(blueprint, 1).number, 7);
  EXPECT_EQ(initial<Client>(blueprint, 4).number, 8);
}

TEST(World, MembersOfAGroupMayKnowEachOther) {
  World world("group");
  world.spawn<Client>("first");
  const auto knowing = world.group<Server>(
      "k", 3, [](std::size_t i, Group<Server> all) { return Server{.all = all, .index = i}; });
  const auto lonely = world.group<Server>("l", 2, [](std::size_t i) { return Server{.index = 10 + i}; });
  EXPECT_TRUE(world.group<Server>("nobody", 0).empty());
  const Blueprint blueprint = world.take();
  ASSERT_EQ(blueprint.actors.size(), 6U);
  for (std::size_t i = 0; i < 3; ++i) {
    const Server& server = initial<Server>(blueprint, 1 + i);
    EXPECT_EQ(server.index, i);
    EXPECT_EQ(server.all.size(), 3U);
    EXPECT_EQ(server.all.index(knowing[i]), i);
    EXPECT_FALSE(server.all.contains(lonely[0]));
  }
  EXPECT_EQ(initial<Server>(blueprint, 5).index, 11U);
}

TEST(World, TwoTypesMayReferToEachOther) {
  World world("pair");
  const auto client = world.declare<Client>("client");
  const auto server = world.spawn("server", Server{.client = client});
  world.init(client, Client{.server = server});
  const Blueprint blueprint = world.take();
  EXPECT_EQ(initial<Client>(blueprint, 0).server, server);
  EXPECT_EQ(initial<Server>(blueprint, 1).client, client);
}

TEST(World, KeepsMessagesInOrder) {
  World world("messages");
  const auto a = world.spawn<Client>("a");
  const auto b = world.spawn<Client>("b");
  world.send(b, Ping{1});
  world.send_from(b, a, Ping{2});
  const Blueprint blueprint = world.take();
  ASSERT_EQ(blueprint.messages.size(), 2U);
  EXPECT_EQ(blueprint.messages[0].from, outside);
  EXPECT_EQ(blueprint.messages[0].to, b);
  EXPECT_EQ(blueprint.messages[1].from, b);
  EXPECT_EQ(static_cast<const Ping*>(blueprint.messages[1].message.data())->n, 2);
}

TEST(Actors, AreHandlesGroupsAndListsOfThem) {
  World world("actors");
  const auto a = world.spawn<Client>("a");
  const auto group = world.group<Server>("s", 2);
  EXPECT_EQ(Actors(a).ids(), std::vector<ActorId>{a});
  EXPECT_EQ(Actors(group).ids(), (std::vector<ActorId>{group[0], group[1]}));
  EXPECT_EQ((Actors{group, a}).ids(), (std::vector<ActorId>{group[0], group[1], a}));
  EXPECT_TRUE(Actors().ids().empty());
}

TEST(World, LinksAreAllPairs) {
  World world("links");
  const auto a = world.spawn<Client>("a");
  const auto group = world.group<Server>("s", 2);
  world.order({a, outside}, group, Delivery::fifo);
  world.latency(group, a, Duration(1), Duration(2));
  const Blueprint blueprint = world.take();
  ASSERT_EQ(blueprint.link_orders.size(), 4U);
  EXPECT_EQ(blueprint.link_orders[3].from, outside);
  EXPECT_EQ(blueprint.link_orders[3].to, group[1]);
  ASSERT_EQ(blueprint.link_latencies.size(), 2U);
  EXPECT_EQ(blueprint.link_latencies[1].from, group[1]);
  EXPECT_EQ(blueprint.link_latencies[1].latency.hi, Duration(2));
}

TEST(World, APropertyOfEachActorIsOne) {
  World world("each");
  const auto group = world.group<Server>("s", 3);
  world.always_each("p", group, [](View, Ref<Server>) -> Complaint { return {}; });
  const Blueprint blueprint = world.take();
  ASSERT_EQ(blueprint.properties.size(), group.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    EXPECT_EQ(blueprint.properties[i].name, "p");
    EXPECT_EQ(blueprint.properties[i].scope, std::vector<ActorId>{group[i]});
    EXPECT_EQ(blueprint.properties[i].is_another, i > 0);
    EXPECT_FALSE(blueprint.properties[i].is_global());
  }
}

// --- mistakes ---

// What the builder says about a body that has an actor "a" and makes a mistake.
std::string complaint_about(const std::function<void(World&, Ref<Client>)>& mistake) {
  World world("wrong");
  const auto a = world.spawn<Client>("a");
  return complaint_of([&] {
    mistake(world, a);
    (void)world.take();
  });
}

Complaint content(View) { return {}; }

constexpr ActorId stranger{77};

TEST(World, NamesTheMistakesOfABody) {
  EXPECT_EQ(complaint_about([](World&, Ref<Client>) {}), "");
  EXPECT_EQ(complaint_about([](World& world, Ref<Client>) { world.spawn<Client>("a"); }),
            "scenario 'wrong': two actors are named 'a'");
  EXPECT_EQ(complaint_about([](World& world, Ref<Client>) { world.declare<Client>("b"); }),
            "scenario 'wrong': actor 'b' was declared but never given a state; call world.init");
  EXPECT_EQ(complaint_about([](World& world, Ref<Client>) { world.init(Ref<Client>(stranger), Client{}); }),
            "world.init: this actor is not in this world");
  EXPECT_EQ(complaint_about([](World& world, Ref<Client>) { world.send(Ref<Client>(stranger), Ping{}); }),
            "scenario 'wrong': a message is sent to an actor that is not in this world");
  EXPECT_EQ(complaint_about([](World& world, Ref<Client>) { world.send(Ref<Client>(), Ping{}); }),
            "scenario 'wrong': a message is sent to an actor that is not in this world");
  EXPECT_EQ(complaint_about([](World& world, Ref<Client> a) { world.send_from(stranger, a, Ping{}); }),
            "scenario 'wrong': a message comes from an actor that is not in this world");
  World nothing("wrong");
  EXPECT_THROW((void)nothing.take(), UserError);
}

TEST(World, NamesMistakesInProperties) {
  EXPECT_EQ(complaint_about([](World& world, Ref<Client>) {
              world.always("p", content);
              world.finally("p", content);
            }),
            "scenario 'wrong': two properties are named 'p'");
  EXPECT_EQ(complaint_about([](World& world, Ref<Client>) {
              world.always("p", content);
              world.always_each("p", world.group<Server>("s", 2),
                                [](View, Ref<Server>) -> Complaint { return {}; });
            }),
            "scenario 'wrong': two properties are named 'p'");
  EXPECT_EQ(complaint_about([](World& world, Ref<Client>) { world.always("p", stranger, content); }),
            "scenario 'wrong': property 'p' reads an actor that is not in this world");
}

TEST(World, NamesMistakesInLinksAndTime) {
  const std::string range = "scenario 'wrong': a latency must be a range 0 <= least <= most";
  EXPECT_EQ(complaint_about([](World& world, Ref<Client>) { world.latency(Duration(2), Duration(1)); }),
            range);
  EXPECT_EQ(complaint_about([](World& world, Ref<Client>) { world.latency(Duration(-2), Duration(1)); }),
            range);
  EXPECT_EQ(
      complaint_about([](World& world, Ref<Client> a) { world.latency(a, a, Duration(2), Duration(1)); }),
      range);
  EXPECT_EQ(complaint_about([](World& world, Ref<Client> a) { world.order(a, stranger, Delivery::fifo); }),
            "scenario 'wrong': an order is given for a link with an actor that is not in this world");
  EXPECT_EQ(complaint_about([](World& world, Ref<Client> a) { world.order(a, outside, Delivery::fifo); }),
            "scenario 'wrong': an order is given for a link with an actor that is not in this world");
  EXPECT_EQ(complaint_about([](World& world, Ref<Client> a) { world.order(outside, a, Delivery::fifo); }),
            "");
  EXPECT_EQ(complaint_about(
                [](World& world, Ref<Client> a) { world.latency(stranger, a, Duration(1), Duration(1)); }),
            "scenario 'wrong': a latency is given for a link with an actor that is not in this world");
  EXPECT_EQ(complaint_about([](World& world, Ref<Client>) { world.clock_offset(stranger, Duration(1)); }),
            "scenario 'wrong': a clock offset is given for an actor that is not in this world");
}

TEST(World, NamesMistakesInFaults) {
  EXPECT_EQ(complaint_about([](World& world, Ref<Client>) { world.faults().crash(1, stranger); }),
            "scenario 'wrong': a crash is planned for an actor that is not in this world");
  EXPECT_EQ(complaint_about([](World& world, Ref<Client>) { world.faults().restart(1); }),
            "scenario 'wrong': faults().restart has no effect without crashes; add faults().crash");
  EXPECT_EQ(complaint_about([](World& world, Ref<Client>) { world.faults().drop(1).drop(2); }),
            "scenario 'wrong': faults().drop is planned twice; plan it once, with one budget");
  EXPECT_EQ(complaint_about([](World& world, Ref<Client>) { world.faults().drop<Ping>(1).drop(2); }),
            "scenario 'wrong': faults().drop is planned twice: for all messages and for some types; name the "
            "types in both");
  EXPECT_NE(complaint_about([](World& world, Ref<Client>) {
              world.faults().duplicate<Ping>(1).duplicate<Ping>(2);
            }).find("Ping> is planned twice; plan it once, with one budget"),
            std::string::npos);
  EXPECT_EQ(complaint_about([](World& world, Ref<Client> a) { world.faults().isolate(1, a, 0); }),
            "scenario 'wrong': faults().isolate needs a number of steps, at least 1; for a cut without an "
            "end, use a partition");
  EXPECT_EQ(complaint_about([](World& world, Ref<Client>) { world.faults().recreate(1, stranger); }),
            "scenario 'wrong': a recreation is planned for an actor that is not in this world");
  EXPECT_EQ(complaint_about([](World& world, Ref<Client> a) { world.faults().lose_write(1, a); }),
            "scenario 'wrong': faults().lose_write has no effect without crashes; add faults().crash");
  EXPECT_EQ(
      complaint_about([](World& world, Ref<Client> a) { world.faults().jump_clock(1, a, Duration(1)); }),
      "scenario 'wrong': faults().jump_clock needs world.simulated_time()");
  EXPECT_EQ(
      complaint_about([](World& world, Ref<Client> a) { world.faults().fail_write(1, a).fail_write(2, a); }),
      "scenario 'wrong': faults().fail_write is planned twice; plan it once, with one budget");
  EXPECT_NE(complaint_about([](World& world, Ref<Client>) {
              const auto same = [](const Ping& ping) { return ping; };
              world.faults().corrupt<Ping>(1, same).corrupt<Ping>(1, same);
            }).find("planned twice"),
            std::string::npos);
  EXPECT_EQ(complaint_about([](World& world, Ref<Client> a) { world.faults().partition("p", {a}); }),
            "scenario 'wrong': partition 'p' needs at least two blocks");
  EXPECT_EQ(complaint_about([](World& world, Ref<Client> a) {
              world.faults().partition("p", {a, a});
            }),
            "scenario 'wrong': partition 'p' has an actor in two blocks");
  EXPECT_EQ(complaint_about([](World& world, Ref<Client> a) {
              world.faults().partition("p", {a, stranger});
            }),
            "scenario 'wrong': partition 'p' names an actor that is not in this world");
}

}  // namespace
}  // namespace gainsay
