#include <set>

#include <gainsay/tasks.hpp>

// --- the lock: a machine ---

struct Acquire {};
struct Granted {};
struct Release {};

struct Lock {
  enum class State { free, held };
  using Receives = gainsay::Messages<Acquire, Release>;
  gainsay::Machine<State> machine{};

  static void table(gainsay::Table<Lock>& t) {
    t.start(State::free);
    t.in(State::free).go_to<Acquire>(State::held, &Lock::grant);
    t.in(State::held).ignore<Acquire>().go_to<Release>(State::free);
  }
  void grant(const Acquire&, gainsay::Context& ctx) { ctx.reply(Granted{}); }
};

// --- what must happen in the end: a monitor ---

struct Wants {
  gainsay::ActorId who;
};
struct Has {
  gainsay::ActorId who;
};

struct Service {
  using Observes = gainsay::Messages<Wants, Has>;
  std::set<gainsay::ActorId> waiting;
  void on(const Wants& wants) { waiting.insert(wants.who); }
  void on(const Has& has) { waiting.erase(has.who); }
  std::string hot() const { return waiting.empty() ? "" : "somebody waits for the lock"; }
};

// --- a client, by hand ---

struct Client {
  using Receives = gainsay::Messages<Granted>;
  gainsay::ActorId lock;

  void on_start(gainsay::Context& ctx) {
    ctx.notify<Service>(Wants{ctx.self()});
    ctx.send(lock, Acquire{});
  }
  void on(const Granted&, gainsay::Context& ctx) {
    ctx.notify<Service>(Has{ctx.self()});
    ctx.send(lock, Release{});
  }
};

GAINSAY_SCENARIO(office, "Two clients and a lock") {
  const auto lock = world.spawn<Lock>("lock");
  for (const char* name : {"ann", "bob"}) world.spawn(name, Client{.lock = lock});
  world.monitor<Service>("service");
}

// --- the lock, fixed ---

struct FixedLock {
  enum class State { free, held };
  using Receives = gainsay::Messages<Acquire, Release>;
  gainsay::Machine<State> machine{};

  static void table(gainsay::Table<FixedLock>& t) {
    t.start(State::free);
    t.in(State::free).go_to<Acquire>(State::held, &FixedLock::grant);
    t.in(State::held).defer<Acquire>().go_to<Release>(State::free);
  }
  void grant(const Acquire&, gainsay::Context& ctx) { ctx.reply(Granted{}); }
};

GAINSAY_SCENARIO(fixed_office, "The same with a lock that lets clients wait") {
  const auto lock = world.spawn<FixedLock>("lock");
  for (const char* name : {"ann", "bob"}) world.spawn(name, Client{.lock = lock});
  world.monitor<Service>("service");
}

// --- a counter that both increment ---

struct Read {};
struct Number {
  int number = 0;
};
struct Write {
  int number = 0;
};
struct Written {};

struct Counter {
  using Receives = gainsay::Messages<Read, Write>;
  int number = 0;
  void on(const Read&, gainsay::Context& ctx) { ctx.reply(Number{number}); }
  void on(const Write& write, gainsay::Context& ctx) {
    number = write.number;
    ctx.reply(Written{});
  }
};

// --- a client as a coroutine ---

struct Clerk {
  gainsay::ActorId lock;
  gainsay::Ref<Counter> counter;

  gainsay::Task<> run(gainsay::TaskContext& ctx) {
    ctx.notify<Service>(Wants{ctx.self()});
    co_await ctx.call<Granted>(lock, Acquire{});
    ctx.notify<Service>(Has{ctx.self()});
    const Number before = co_await ctx.call<Number>(counter, Read{});
    co_await ctx.call<Written>(counter, Write{before.number + 1});
    ctx.send(lock, Release{});
  }
};

void expect_two(gainsay::World& world, gainsay::Ref<Counter> counter) {
  world.finally("nothing is lost", [counter](gainsay::View view) -> gainsay::Complaint {
    if (view[counter].number == 2) return {};
    return "the counter is " + std::to_string(view[counter].number) + ", not 2";
  });
}

GAINSAY_SCENARIO(clerks, "Two coroutines and the broken lock") {
  const auto lock = world.spawn<Lock>("lock");
  const auto counter = world.spawn<Counter>("counter");
  for (const char* name : {"ann", "bob"}) world.wrap<Clerk>(name, gainsay::ActorId(lock), counter);
  world.monitor<Service>("service");
}

GAINSAY_SCENARIO(fixed_clerks, "Two coroutines and the fixed lock") {
  const auto lock = world.spawn<FixedLock>("lock");
  const auto counter = world.spawn<Counter>("counter");
  for (const char* name : {"ann", "bob"}) world.wrap<Clerk>(name, gainsay::ActorId(lock), counter);
  world.monitor<Service>("service");
  expect_two(world, counter);
}

// --- production code: it does not know about Gainsay, and it blocks ---

namespace production {

class Store {
 public:
  virtual ~Store() = default;
  virtual int read() = 0;
  virtual void write(int number) = 0;
};

class Teller {
 public:
  explicit Teller(Store& store) : store_(store) {}
  void deposit(int amount) { store_.write(store_.read() + amount); }

 private:
  Store& store_;
};

}  // namespace production

// --- the same code, wrapped ---

class RemoteStore final : public production::Store {
 public:
  RemoteStore(gainsay::TaskContext& ctx, gainsay::Blocking& fibre, gainsay::Ref<Counter> counter)
      : ctx_(ctx), fibre_(fibre), counter_(counter) {}
  int read() override { return fibre_.wait(ctx_.call<Number>(counter_, Read{})).number; }
  void write(int number) override { fibre_.wait(ctx_.call<Written>(counter_, Write{number})); }

 private:
  gainsay::TaskContext& ctx_;
  gainsay::Blocking& fibre_;
  gainsay::Ref<Counter> counter_;
};

struct WrappedTeller {
  gainsay::Ref<Counter> counter;

  gainsay::Task<> run(gainsay::TaskContext& ctx) {
    co_await gainsay::blocking(ctx, [&](gainsay::Blocking& fibre) {
      RemoteStore store(ctx, fibre, counter);
      production::Teller teller(store);
      teller.deposit(1);
    });
  }
};

GAINSAY_SCENARIO(tellers, "Two wrapped tellers without a lock") {
  const auto counter = world.spawn<Counter>("counter");
  for (const char* name : {"ann", "bob"}) world.wrap<WrappedTeller>(name, counter);
  expect_two(world, counter);
}
