// A ledger that believes its disk, its clock and its own memory: one scenario for each fault that proves it wrong.
#include <gainsay/gainsay.hpp>

namespace faults {

using namespace std::chrono_literals;

struct Go {};
struct Deposit {
  int amount = 0;
};
struct Booked {
  int total = 0;
};
struct Page {  // what is on the disk
  int total = 0;
};

struct Ledger {
  using Receives = gainsay::Messages<Deposit>;
  int total = 0;

  void on(const Deposit& deposit, gainsay::Context& ctx) {
    total += deposit.amount;
    ctx.persist(Page{total});  // who writes `if (!ctx.persist(...)) return;` is safe from failing writes
    ctx.reply(Booked{total});
  }
  void on_restart(gainsay::Context& ctx) {
    if (const auto page = ctx.recover<Page>()) total = page->total;
  }
};

struct Client {
  using Receives = gainsay::Messages<Go, Booked>;
  gainsay::Ref<Ledger> ledger{gainsay::nobody};
  int booked = 0;

  void on(const Go&, gainsay::Context& ctx) { ctx.send(ledger, Deposit{10}); }
  void on(const Booked& answer) { booked = std::max(booked, answer.total); }
};

// What a client was told is true as long as the ledger is up.
gainsay::Ref<Ledger> ledger_and_client(gainsay::World& world) {
  const auto ledger = world.spawn<Ledger>("ledger");
  const auto client = world.spawn("client", Client{ledger});
  world.send(client, Go{});
  world.send(client, Go{});
  world.always("what is booked stays booked", {ledger, client},
               [ledger, client](gainsay::View v) -> gainsay::Complaint {
                 if (v.alive(ledger) && v[ledger].total < v[client].booked) return "a deposit is gone";
                 return {};
               });
  return ledger;
}

GAINSAY_SCENARIO(failing_write, "The disk refuses a write") {
  const auto ledger = ledger_and_client(world);
  world.faults().crash(1, ledger).restart(1).fail_write(1, ledger);
}

GAINSAY_SCENARIO(torn_write, "Half of a write reaches the disk") {
  const auto ledger = ledger_and_client(world);
  const auto half = [](const Page& before, const Page& page) {
    return Page{(before.total + page.total) / 2};
  };
  world.faults().crash(1, ledger).restart(1).tear_write<Page>(1, ledger, half);
}

GAINSAY_SCENARIO(lost_write, "A write is answered and gone after a crash") {
  const auto ledger = ledger_and_client(world);
  world.faults().crash(1, ledger).restart(1).lose_write(1, ledger);
}

GAINSAY_SCENARIO(recreated, "The machine is replaced by an empty one") {
  const auto ledger = ledger_and_client(world);
  world.faults().recreate(1, ledger);
}

// --- a cut that loses ---

struct Impatient {
  using Receives = gainsay::Messages<Go, Booked>;
  gainsay::Ref<Ledger> ledger{gainsay::nobody};
  int answers = 0;

  void on(const Go&, gainsay::Context& ctx) { ctx.send(ledger, Deposit{10}); }
  void on(const Booked&) { ++answers; }
};

GAINSAY_SCENARIO(isolated, "The ledger is cut off for three steps, or a deposit or its answer is dropped") {
  const auto ledger = world.spawn<Ledger>("ledger");
  const auto client = world.spawn("client", Impatient{ledger});
  world.send(client, Go{});
  world.faults().isolate(1, ledger, /*for_steps=*/3, /*drops=*/true);
  world.faults().drop<Deposit>(1).drop<Booked>(1);
  world.finally("answered", [client](gainsay::View v) -> gainsay::Complaint {
    return v[client].answers == 1 ? gainsay::Complaint{} : "nobody answered, and nobody asked again";
  });
}

// --- a clock that jumps ---

struct Expired {};

struct Lease {
  using Receives = gainsay::Messages<Go, Expired>;
  gainsay::Time until{0};

  void on(const Go&, gainsay::Context& ctx) {
    until = ctx.now() + 10ms;
    ctx.after(10ms, Expired{});
  }
  void on(const Expired&, gainsay::Context& ctx) {
    ctx.check(ctx.now() >= until, "the timer fired, and by the clock the lease still holds");
  }
};

GAINSAY_SCENARIO(clock_back, "A lease is measured by a clock that goes back") {
  world.simulated_time();
  const auto lease = world.spawn<Lease>("lease");
  world.send(lease, Go{});
  world.faults().jump_clock(1, lease, -3ms);
}

}  // namespace faults
