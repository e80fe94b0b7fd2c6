// Real code in an actor: a component that blocks, throws, waits for ever, or keeps its thread.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "gainsay/execution/run/every_run.test.hpp"
#include "gainsay/scenario/task_actor.hpp"

// --- production code: it knows nothing of Gainsay ---
namespace production {

class Directory {
 public:
  virtual ~Directory() = default;
  virtual std::string look_up(const std::string& name) = 0;  // blocks
  virtual void pause() = 0;                                  // blocks
};

class Resolver {
 public:
  explicit Resolver(Directory& directory) : directory_(directory) {}
  // Follows aliases to the end.
  std::string resolve(std::string name) {
    for (int hops = 0; hops < 5; ++hops) {
      const std::string next = directory_.look_up(name);
      if (next.empty()) return name;
      name = next;
      directory_.pause();
    }
    throw std::runtime_error("too many aliases");
  }

 private:
  Directory& directory_;
};

}  // namespace production

namespace gainsay::wrapping_test {
namespace {

using namespace std::chrono_literals;
using every_run::build;
using every_run::every_run;

struct Ask {
  std::string name;
};
struct Answer {
  std::string alias;
};
struct Rename {};

struct Names {
  using Receives = Messages<Ask, Rename>;
  std::map<std::string, std::string> aliases;
  void on(const Ask& ask, Context& ctx) {
    const auto found = aliases.find(ask.name);
    ctx.reply(Answer{found == aliases.end() ? "" : found->second});
  }
  void on(const Rename&) { aliases["b"] = "d"; }
};

class MockDirectory final : public production::Directory {
 public:
  MockDirectory(TaskContext& ctx, Blocking& fibre, Ref<Names> names)
      : ctx_(ctx), fibre_(fibre), names_(names) {}
  std::string look_up(const std::string& name) override {
    const Ask ask{name};
    return fibre_.wait(ctx_.call<Answer>(names_, ask)).alias;
  }
  void pause() override { fibre_.wait(ctx_.sleep(1ms)); }

 private:
  TaskContext& ctx_;
  Blocking& fibre_;
  Ref<Names> names_;
};

struct Wrapped {
  Ref<Names> names;
  bool thread = false;
  std::string end;

  void work(TaskContext& ctx, Blocking& lane) {
    MockDirectory directory(ctx, lane, names);
    production::Resolver resolver(directory);
    end = resolver.resolve("a");
  }
  Task<> run(TaskContext& ctx) {
    if (thread) {
      co_await blocking_thread(ctx, [&](Blocking& lane) { work(ctx, lane); });
    } else {
      co_await blocking(ctx, [&](Blocking& lane) { work(ctx, lane); });
    }
  }
};

std::set<std::string> endings(bool thread, const std::map<std::string, std::string>& aliases,
                              const std::function<void(World&)>& more = {}) {
  World world("wrapped");
  const auto names = world.spawn("names", Names{aliases});
  const auto wrapped = world.wrap<Wrapped>("wrapped", Wrapped{names, thread});
  world.send(names, Rename{});
  std::set<std::string> seen;
  world.finally("outcome", [&, wrapped](View view) -> Complaint {
    seen.insert(view[wrapped].end);
    return {};
  });
  if (more) more(world);
  for (const auto& run : every_run(world.take())) {
    if (run.trace.violation) seen.insert(run.trace.violation->message);
  }
  return seen;
}

TEST(Wrapping, BlockingCodeRunsInEverySchedule) {
  for (const bool thread : {false, true}) {
    // Whether "b" is renamed before or after it is looked up decides.
    EXPECT_EQ(endings(thread, {{"a", "b"}, {"b", "c"}}), (std::set<std::string>{"c", "d"})) << thread;
  }
}

TEST(Wrapping, AnExceptionOfTheComponentIsAViolationOfItsTask) {
  for (const bool thread : {false, true}) {
    EXPECT_EQ(endings(thread, {{"a", "a"}}),
              std::set<std::string>{"wrapped: task 'run' threw: too many aliases"});
  }
}

TEST(Wrapping, AComponentThatBlocksForEverIsADeadlock) {
  for (const bool thread : {false, true}) {
    const auto seen = endings(thread, {}, [](World& world) { world.faults().drop<Ask>(1); });
    // `finally` is asked before deadlocks are looked for.
    EXPECT_EQ(seen, (std::set<std::string>{"", "a",
                                           "nothing can happen any more, but wrapped waits: task 'run' waits "
                                           "for the reply of names to Ask{name: \"a\"}"}));
  }
}

// --- a thread that never yields ---

struct Stall {
  std::mutex mutex;
  std::condition_variable released;
  bool release = false;
  int ended = 0;
};

struct Staller {
  Stall* stall;
  Task<> run(TaskContext& ctx) {
    co_await blocking_thread(
        ctx,
        [stall = stall](Blocking&) {
          std::unique_lock lock(stall->mutex);
          stall->released.wait(lock, [&] { return stall->release; });
          ++stall->ended;
          stall->released.notify_all();
        },
        30ms);
  }
};

TEST(Wrapping, AThreadThatNeverYieldsIsReportedAfterATimeout) {
  Stall stall;
  {
    const Blueprint blueprint = build([&](World& world) { world.wrap<Staller>("staller", &stall); });
    Execution execution(blueprint, {});
    DfsStrategy dfs;
    const RunOutcome outcome = execution.run(dfs, *dfs.begin({0, 1, 10}));
    ASSERT_TRUE(outcome.violation);
    EXPECT_EQ(outcome.violation->property, "stuck");
    EXPECT_EQ(outcome.violation->message,
              "staller: task 'run': the wrapped code has not yielded for 30 ms: it waits for something that "
              "Gainsay does not see (a lock, a socket, another thread), or it never ends");
  }
  std::unique_lock lock(stall.mutex);
  stall.release = true;
  stall.released.notify_all();
  stall.released.wait(lock, [&] { return stall.ended == 1; });
}

// --- mocks without a handler ---

class Engine {
 public:
  virtual ~Engine() = default;
  virtual void send(int number) = 0;
};
class Component {
 public:
  explicit Component(Engine& engine, bool early) : engine_(engine) {
    if (early) engine.send(0);
  }
  void timer() { engine_.send(1); }

 private:
  Engine& engine_;
};

struct Sent {
  int number = 0;
};
struct Sink {
  using Receives = Messages<Sent>;
  int got = 0;
  void on(const Sent& sent) { got = sent.number; }
};
struct Tick {};

class Wrapper {
 public:
  using Receives = Messages<Tick>;
  Wrapper(Ref<Sink> sink, bool early) : mock_(slot_, sink), early_(early) {}
  void on_start(Context& ctx) {
    if (early_) {
      component_ = std::make_unique<Component>(mock_, true);  // no loan: nobody lends it a Context
    } else {
      const auto loan = slot_.lend(ctx);
      component_ = std::make_unique<Component>(mock_, false);
      ctx.after(1s, Tick{});
    }
  }
  void on(const Tick&, Context& ctx) {
    const auto loan = slot_.lend(ctx);
    component_->timer();
  }

 private:
  class Mock final : public Engine {
   public:
    Mock(ContextSlot& slot, Ref<Sink> sink) : slot_(slot), sink_(sink) {}
    void send(int number) override { slot_->send(sink_, Sent{number}); }

   private:
    ContextSlot& slot_;
    Ref<Sink> sink_;
  };

  ContextSlot slot_;
  Mock mock_;
  bool early_;
  std::unique_ptr<Component> component_;
};

TEST(Wrapping, OutboundCallsBecomeMessagesAndTimersAreTheKernels) {
  const auto texts = every_run::texts([](World& world) {
    const auto sink = world.spawn<Sink>("sink");
    world.wrap<Wrapper>("wrapper", sink, false);
  });
  EXPECT_EQ(texts, std::vector<std::string>{"start wrapper, timer Tick, Sent{number: 1}"});
}

TEST(Wrapping, AnEngineThatIsUsedOutsideOfAHandlerIsNamed) {
  const auto runs = every_run([](World& world) {
    const auto sink = world.spawn<Sink>("sink");
    world.wrap<Wrapper>("wrapper", sink, true);
  });
  ASSERT_TRUE(runs.front().trace.violation);
  EXPECT_EQ(
      runs.front().trace.violation->message,
      "wrapper threw: a wrapped component uses its Context outside a handler: in a constructor or "
      "destructor, or from its own thread or timer; turn these off and call the component from handlers");
}

}  // namespace
}  // namespace gainsay::wrapping_test
