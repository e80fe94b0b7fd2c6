// Exact numbers of executions under the five delivery orders. Every number is derived beside the test.
#include <gtest/gtest.h>

#include "gainsay/execution/run/every_run.test.hpp"
#include "gainsay/execution/world/receivers.test.hpp"

namespace gainsay::delivery_order_test {
namespace {

using every_run::Counts;
using every_run::counts;
using every_run::factorial;

using receivers::all_orders;
using receivers::Mark;
using receivers::Sink;

// All messages go to one actor, so every execution is a class of its own.
Counts all_different(std::size_t runs) { return {runs, runs}; }

// n messages that nothing orders: n! permutations.
TEST(DeliveryOrder, OutsideMessagesToOneActorArriveInEveryOrder) {
  for (std::size_t n = 1; n <= 6; ++n) {
    EXPECT_EQ(counts([n](World& world) {
                const auto sink = world.spawn<Sink>("sink");
                for (std::size_t i = 0; i < n; ++i) world.send(sink, Mark{static_cast<int>(i)});
              }),
              all_different(factorial(n)));
  }
}

// Equal messages are still different events: dfs does not merge them.
TEST(DeliveryOrder, EqualMessagesAreDifferentEvents) {
  EXPECT_EQ(counts([](World& world) {
              const auto sink = world.spawn<Sink>("sink");
              for (int i = 0; i < 4; ++i) world.send(sink, Mark{7});
            }),
            all_different(24));
}

// What the outside sends to one receiver keeps its order: one execution. Nothing is ordered across receivers:
// two queues of k are merged in (2k)!/(k!)^2 ways; each receiver sees one sequence, so there is one class.
TEST(DeliveryOrder, OutsideMessagesKeepTheirOrderPerReceiver) {
  for (const Delivery order : {Delivery::fifo, Delivery::causal, Delivery::queue, Delivery::mailbox}) {
    EXPECT_EQ(counts([order](World& world) {
                world.order(order);
                const auto sink = world.spawn<Sink>("sink");
                for (int i = 0; i < 5; ++i) world.send(sink, Mark{i});
              }),
              (Counts{1, 1}));
    for (std::size_t k = 1; k <= 3; ++k) {
      EXPECT_EQ(counts([order, k](World& world) {
                  world.order(order);
                  const auto sinks = world.group<Sink>("sink", 2);
                  for (std::size_t i = 0; i < k; ++i) {
                    for (const auto sink : sinks) world.send(sink, Mark{static_cast<int>(i)});
                  }
                }),
                (Counts{factorial(2 * k) / (factorial(k) * factorial(k)), 1}));
    }
  }
  // Unordered: (2k)! executions, and each receiver may see its k in k! ways.
  EXPECT_EQ(counts([](World& world) {
              const auto sinks = world.group<Sink>("sink", 2);
              for (int i = 0; i < 3; ++i) {
                for (const auto sink : sinks) world.send(sink, Mark{i});
              }
            }),
            (Counts{720, 36}));
}

// n sources that send k messages each to one sink, all pending at the start.
every_run::Body sources(std::size_t n, std::size_t k, Delivery order) {
  return [=](World& world) {
    world.order(order);
    const auto sink = world.spawn<Sink>("sink");
    const auto from = world.group<Sink>("source", n);
    for (std::size_t j = 0; j < k; ++j) {
      for (std::size_t i = 0; i < n; ++i) world.send_from(from[i], sink, Mark{static_cast<int>(10 * i + j)});
    }
  };
}

// Unordered: (nk)!. Fifo: each source's k! orders become one: (nk)!/(k!)^n. Causal: the sources know nothing
// of each other, so the same as fifo. Mailbox, queue: what is pending at the start was sent in one order.
TEST(DeliveryOrder, SourcesToOneSink) {
  for (const auto& [n, k] : {std::pair{1, 4}, {2, 2}, {2, 3}, {3, 2}, {4, 1}, {5, 1}}) {
    SCOPED_TRACE(testing::Message() << n << " sources, " << k << " messages each");
    const std::size_t all = factorial(static_cast<std::size_t>(n * k));
    std::size_t per_source = 1;
    for (int i = 0; i < n; ++i) per_source *= factorial(static_cast<std::size_t>(k));
    const auto un = static_cast<std::size_t>(n);
    const auto uk = static_cast<std::size_t>(k);
    EXPECT_EQ(counts(sources(un, uk, Delivery::unordered)), all_different(all));
    EXPECT_EQ(counts(sources(un, uk, Delivery::fifo)), all_different(all / per_source));
    EXPECT_EQ(counts(sources(un, uk, Delivery::causal)), all_different(all / per_source));
    EXPECT_EQ(counts(sources(un, uk, Delivery::mailbox)), all_different(1));
    EXPECT_EQ(counts(sources(un, uk, Delivery::queue)), all_different(1));
  }
}

// --- programs whose messages cause each other ---

struct Go {};

// On a Go or a Mark it sends what it was told to send, in this order.
struct Relay {
  using Receives = Messages<Go, Mark>;
  std::vector<std::pair<ActorId, int>> sends;
  void on(const Go&, Context& ctx) { relay(ctx); }
  void on(const Mark&, Context& ctx) { relay(ctx); }
  void relay(Context& ctx) {
    for (const auto& [to, n] : sends) ctx.send(to, Mark{n});
    sends.clear();
  }
};

// A, on Go: 1 and 2 to C, then 3 to B; B, on 3: 4 to C. The outside has sent 0 to C. Four orders, four
// counts (queue: as mailbox, because B hears of 3 when 1 and 2 have been sent); Go comes before 1, 2, 3 and 3 before 4
// in all of them.
//   unordered  3 before 4 among {1, 2, 3, 4}: 4!/2 = 12; 0 anywhere among the six events: times 6 = 72
//   fifo       also 1 before 2 (one link): 4!/(2! 2!) = 6; times 6 = 36
//   causal     also 1 and 2 before 4 (B knows of them): 4 last, 3 anywhere among 1 2: 3; times 6 (nothing is known
//              of the outside) = 18
//   mailbox    C takes 0, 1, 2, 4 in this order and 4 is last of all: orders of {0, Go, 1, 2, 3} with 0 < 1 < 2,
//              Go < 1, Go < 3: "Go 0 1 2" leaves 4 places for 3, "0 Go 1 2" leaves 3: 7
// Classes: only C sees more than one event, so they are the orders of C's events.
//   unordered  0, 1, 2, 4 in any order: 24       fifo  1 before 2: 12
//   causal     1, 2, 4 in order, 0 anywhere: 4   mailbox  1
TEST(DeliveryOrder, OrdersHaveTheirOwnCounts) {
  const auto program = [](Delivery order) {
    return counts([order](World& world) {
      world.order(order);
      const auto c = world.spawn<Sink>("c");
      const auto b = world.spawn("b", Relay{.sends = {{c, 4}}});
      const auto a = world.spawn("a", Relay{.sends = {{c, 1}, {c, 2}, {b, 3}}});
      world.send(c, Mark{0});
      world.send(a, Go{});
    });
  };
  EXPECT_EQ(program(Delivery::unordered), (Counts{72, 24}));
  EXPECT_EQ(program(Delivery::fifo), (Counts{36, 12}));
  EXPECT_EQ(program(Delivery::causal), (Counts{18, 4}));
  EXPECT_EQ(program(Delivery::mailbox), (Counts{7, 1}));
  EXPECT_EQ(program(Delivery::queue), (Counts{7, 1}));
}

// A, on Go: 1 and 2 to C; B, on Go: 3 to C. {Go < 1 < 2} and {Go < 3} interleave in C(5, 2) = 10 ways. Under queue
// order all of them are there: B may send 3 between 1 and 2. A mailbox takes 1 2 3 if A comes first (B's Go has 3
// places before 3), else 3 1 2 (A's Go has 2 places): 5. C sees 3 or 2 orders.
TEST(DeliveryOrder, InAQueueOthersSendInBetween) {
  const auto program = [](Delivery order, bool goes_on) {
    return counts([=](World& world) {
      world.order(order);
      const auto c = world.spawn<Sink>("c");
      const auto b = world.spawn("b", Relay{.sends = {{c, 3}}});
      const auto a = world.spawn("a", Relay{.sends = {{c, 1}, {c, 2}}});
      world.send(a, Go{});
      if (goes_on) world.send(a, Mark{});
      world.send(b, Go{});
    });
  };
  EXPECT_EQ(program(Delivery::queue, false), (Counts{10, 3}));
  EXPECT_EQ(program(Delivery::mailbox, false), (Counts{5, 2}));
  // A takes another event after its Go. {Go < Mark, Go < 1 < 2}: 3 orders, interleaved with {Go < 3}: C(6, 2) * 3, that
  // is 45. Where A goes on before B's Go, 1 and 2 have been sent: of the C(5, 2) = 10 orders of {Mark < Go < 3} and
  // {1 < 2} only those stay in which 3 is last, C(4, 2) = 6. So 41.
  EXPECT_EQ(program(Delivery::causal, true).runs, 45U);
  EXPECT_EQ(program(Delivery::queue, true).runs, 41U);
}

// A on Go sends 1 to C and 2 to D; B on Go sends 3 to D and 4 to C. Two trees of three: 6! / (3 * 3) = 80
// interleavings. If C takes 4 before 1, then 3, 4, 1, 2 were sent in this order, and D must take 3 before 2. Those with
// 4 before 1 and 2 before 3 are the interleavings of "GoA 2 3" and "GoB 4 1" with GoB before 3 and GoA before 1:
// C(6, 3) - 2 = 18. So 62.
TEST(DeliveryOrder, QueuesAgreeOnWhoSentFirst) {
  const auto program = [](Delivery order) {
    return counts([order](World& world) {
             world.order(order);
             const auto c = world.spawn<Sink>("c");
             const auto d = world.spawn<Sink>("d");
             const auto a = world.spawn("a", Relay{.sends = {{c, 1}, {d, 2}}});
             const auto b = world.spawn("b", Relay{.sends = {{d, 3}, {c, 4}}});
             world.send(a, Go{});
             world.send(b, Go{});
           })
        .runs;
  };
  EXPECT_EQ(program(Delivery::causal), 80U);
  EXPECT_EQ(program(Delivery::queue), 62U);
}

// Two senders that know nothing of each other: GoA before a, GoB before b: 4!/(2! 2!) = 6. A mailbox takes a
// and b in the order in which they were sent: after "GoA GoB" only a b, and "GoA a GoB b"; the same with B
// first: 4.
TEST(DeliveryOrder, OnlyAMailboxOrdersStrangers) {
  for (const Delivery order : all_orders) {
    EXPECT_EQ(counts([order](World& world) {
                world.order(order);
                const auto c = world.spawn<Sink>("c");
                const auto a = world.spawn("a", Relay{.sends = {{c, 1}}});
                const auto b = world.spawn("b", Relay{.sends = {{c, 2}}});
                world.send(a, Go{});
                world.send(b, Go{});
              }),
              (Counts{order == Delivery::mailbox ? 4U : 6U, 2}));
  }
}

// Knowledge travels: 1 goes from A to C; 2, 3, 4 from A over B and D to C. Orders of {1, 2 < 3 < 4}: 4. Under
// causal delivery 4 waits for 1 and is last: 3. The mailbox of C agrees; for fifo 1 and 4 are on different
// links.
TEST(DeliveryOrder, CausalOrderIsTransitive) {
  for (const Delivery order : all_orders) {
    const bool waits = order != Delivery::unordered && order != Delivery::fifo;
    EXPECT_EQ(counts([order](World& world) {
                world.order(order);
                const auto c = world.spawn<Sink>("c");
                const auto d = world.spawn("d", Relay{.sends = {{c, 4}}});
                const auto b = world.spawn("b", Relay{.sends = {{d, 3}}});
                const auto a = world.spawn("a", Relay{.sends = {{c, 1}, {b, 2}}});
                world.send(a, Go{});
              }),
              (waits ? Counts{3, 1} : Counts{4, 2}));
  }
}

// The order of sending within a handler counts: A sends 1 to B before 2 to C, so B's 3 to C does not know of
// 2. {2, 1 < 3}: 3 orders; only the mailbox, which goes by the order of sending, makes 3 wait for 2.
TEST(DeliveryOrder, WhatIsSentLaterIsNotKnown) {
  for (const Delivery order : all_orders) {
    EXPECT_EQ(counts([order](World& world) {
                world.order(order);
                const auto c = world.spawn<Sink>("c");
                const auto b = world.spawn("b", Relay{.sends = {{c, 3}}});
                const auto a = world.spawn("a", Relay{.sends = {{b, 1}, {c, 2}}});
                world.send(a, Go{});
              }),
              (order == Delivery::mailbox ? Counts{2, 1} : Counts{3, 2}));
  }
}

// What an actor has sent before the start is known to what it sends later, and to who hears of it. A's 1 to C
// is pending at the start. A on Go sends 2 to C: {1, Go < 2}: 3 orders; ordered: 1 before 2: "1 Go 2", "Go 1
// 2": 2. B on Go (from the outside) sends 3 to C and knows nothing: causal leaves {1, Go < 3} its 3 orders.
TEST(DeliveryOrder, MessagesPendingAtTheStartHaveBeenSent) {
  for (const Delivery order : all_orders) {
    EXPECT_EQ(counts([order](World& world) {
                world.order(order);
                const auto c = world.spawn<Sink>("c");
                const auto a = world.spawn("a", Relay{.sends = {{c, 2}}});
                world.send_from(a, c, Mark{1});
                world.send(a, Go{});
              }),
              (order == Delivery::unordered ? Counts{3, 2} : Counts{2, 1}));
    EXPECT_EQ(counts([order](World& world) {
                world.order(order);
                const auto c = world.spawn<Sink>("c");
                const auto a = world.spawn<Sink>("a");
                const auto b = world.spawn("b", Relay{.sends = {{c, 3}}});
                world.send_from(a, c, Mark{1});
                world.send(b, Go{});
              }),
              (order == Delivery::mailbox || order == Delivery::queue ? Counts{2, 1} : Counts{3, 2}));
  }
}

// --- orders per link ---

// A and B each have two messages for C pending, as "a1 b1 a2 b2".
std::size_t two_links(Delivery world_order, Delivery a_order, Delivery b_order) {
  return counts([=](World& world) {
           world.order(world_order);
           const auto c = world.spawn<Sink>("c");
           const auto a = world.spawn<Sink>("a");
           const auto b = world.spawn<Sink>("b");
           world.order(a, c, a_order);
           world.order(b, c, b_order);
           for (int i = 0; i < 2; ++i) {
             world.send_from(a, c, Mark{i});
             world.send_from(b, c, Mark{10 + i});
           }
         })
      .runs;
}

TEST(DeliveryOrder, LinksHaveTheirOwnOrders) {
  // Four messages, one pair in order: 4!/2 = 12. Both pairs: 4!/(2! 2!) = 6. All in order of sending: 1.
  for (const Delivery world_order : all_orders) {
    EXPECT_EQ(two_links(world_order, Delivery::unordered, Delivery::unordered), 24U);
    EXPECT_EQ(two_links(world_order, Delivery::fifo, Delivery::unordered), 12U);
    EXPECT_EQ(two_links(world_order, Delivery::fifo, Delivery::fifo), 6U);
    EXPECT_EQ(two_links(world_order, Delivery::causal, Delivery::unordered), 12U);
    EXPECT_EQ(two_links(world_order, Delivery::causal, Delivery::causal), 6U);
    EXPECT_EQ(two_links(world_order, Delivery::mailbox, Delivery::mailbox), 1U);
    // Links of a mailbox wait for each other and for nobody else.
    EXPECT_EQ(two_links(world_order, Delivery::mailbox, Delivery::unordered), 12U);
    EXPECT_EQ(two_links(world_order, Delivery::mailbox, Delivery::fifo), 6U);
    EXPECT_EQ(two_links(world_order, Delivery::mailbox, Delivery::causal), 6U);
    EXPECT_EQ(two_links(world_order, Delivery::causal, Delivery::fifo), 6U);
    EXPECT_EQ(two_links(world_order, Delivery::queue, Delivery::queue), 1U);
    EXPECT_EQ(two_links(world_order, Delivery::queue, Delivery::mailbox), 6U);
    EXPECT_EQ(two_links(world_order, Delivery::queue, Delivery::unordered), 12U);
  }
}

// The outside is a link as well, and the last word on a link counts.
TEST(DeliveryOrder, TheOutsideIsALink) {
  const auto program = [](bool free_the_outside) {
    return counts([=](World& world) {
      world.order(Delivery::mailbox);
      const auto c = world.spawn<Sink>("c");
      const auto a = world.spawn<Sink>("a");
      if (free_the_outside) {
        world.order(outside, c, Delivery::fifo);
        world.order(outside, c, Delivery::unordered);
      }
      for (int i = 0; i < 2; ++i) {
        world.send(c, Mark{i});
        world.send_from(a, c, Mark{10 + i});
      }
    });
  };
  EXPECT_EQ(program(false), all_different(1));
  EXPECT_EQ(program(true), all_different(12));  // 4! / 2!: a's two in order
}

// An override is for one direction and one pair: A to C is free, C to A and B to C are not.
TEST(DeliveryOrder, AnOverrideIsForOneDirection) {
  EXPECT_EQ(counts([](World& world) {
              world.order(Delivery::fifo);
              const auto c = world.spawn<Sink>("c");
              const auto a = world.spawn<Sink>("a");
              world.order(c, a, Delivery::unordered);
              for (int i = 0; i < 3; ++i) world.send_from(a, c, Mark{i});
            }),
            all_different(1));
}

// A causal message that is carried by an unordered link still carries its knowledge: 1 from A to C waits
// nowhere, 2 from A to B is unordered, B's 3 to C waits for 1 if 1 is causal. {1, 2 < 3}: 3 orders or, with 1
// before 3, 2.
TEST(DeliveryOrder, KnowledgeTravelsOnEveryLink) {
  const auto program = [](Delivery first, Delivery carrier, Delivery last) {
    return counts([=](World& world) {
             const auto c = world.spawn<Sink>("c");
             const auto b = world.spawn("b", Relay{.sends = {{c, 3}}});
             const auto a = world.spawn("a", Relay{.sends = {{c, 1}, {b, 2}}});
             world.order(a, c, first);
             world.order(a, b, carrier);
             world.order(b, c, last);
             world.send(a, Go{});
           })
        .runs;
  };
  for (const Delivery carrier : all_orders) {
    EXPECT_EQ(program(Delivery::causal, carrier, Delivery::causal), 2U);
    EXPECT_EQ(program(Delivery::unordered, carrier, Delivery::causal), 3U);
    EXPECT_EQ(program(Delivery::causal, carrier, Delivery::unordered), 3U);
    EXPECT_EQ(program(Delivery::causal, carrier, Delivery::mailbox), 3U);
    EXPECT_EQ(program(Delivery::queue, carrier, Delivery::queue), 2U);
  }
}

// --- what orders do not touch ---

struct Later {
  int n = 0;
};

struct Clockwork {
  using Receives = Messages<Go, Later>;
  std::vector<int> got;
  void on(const Go&, Context& ctx) {
    for (int i = 0; i < 3; ++i) ctx.after(Duration(1), Later{i});
  }
  void on(const Later& later) { got.push_back(later.n); }
};

// Timers are not messages: three of them fire in 3! orders whatever the links do.
TEST(DeliveryOrder, TimersFireInAnyOrder) {
  for (const Delivery order : all_orders) {
    EXPECT_EQ(counts([order](World& world) {
                world.order(order);
                world.send(world.spawn<Clockwork>("clockwork"), Go{});
              }),
              all_different(6));
  }
}

// Takes even numbers only after a 3.
struct Picky {
  using Receives = Messages<Mark>;
  bool open = false;
  std::vector<int> got;
  bool accepts(const Mark& mark) const { return open || mark.n % 2 == 1; }
  void on(const Mark& mark) {
    open = open || mark.n == 3;
    got.push_back(mark.n);
  }
};

// What its receiver does not take yet is overtaken by what stands behind it, and keeps its place: 2 1 4 3
// arrive as 1 3 2 4 in every ordered world. Unordered: 3 before 2 and 4 (2 ways), 1 anywhere (4 places): 8.
TEST(DeliveryOrder, ARefusedMessageIsOvertaken) {
  for (const Delivery order : all_orders) {
    const auto texts = every_run::texts([order](World& world) {
      world.order(order);
      const auto picky = world.spawn<Picky>("picky");
      for (const int n : {2, 1, 4, 3}) world.send(picky, Mark{n});
    });
    EXPECT_EQ(texts.size(), order == Delivery::unordered ? 8U : 1U);
    if (order != Delivery::unordered) {
      EXPECT_EQ(texts[0], "Mark{n: 1}, Mark{n: 3}, Mark{n: 2}, Mark{n: 4}");
    }
  }
}

}  // namespace
}  // namespace gainsay::delivery_order_test
