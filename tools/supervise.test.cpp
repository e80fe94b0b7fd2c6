// Code under test that ends the process in every way there is. Each must become a violation with a trace that
// replays it, in every verb that runs such code, whoever runs it and however many workers there are.
#include <cassert>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <set>
#include <stdexcept>
#include <thread>

#include <sys/wait.h>

#include "gainsay/conform.hpp"
#include "gainsay/tasks.hpp"
#include "tools/cli_test.hpp"

namespace gainsay::cli_test {
namespace {

enum class Way { none, abort, segv, fpe, overflow, terminate, exit_zero, exit_seven, loop, memory };
enum class Place { value, machine, opaque, task, monitor, gate, property, last, factory };

// What the next call would take as its argument, were it not for the compiler's wish to see through all of this.
volatile int nothing = 0;
int* volatile nowhere = nullptr;

[[gnu::noinline]] int overflow(int n) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(n);
  return n < 0 ? 0 : overflow(n + 1) + frame[0];
}

void die(Way way) {
  switch (way) {
    case Way::none:
      return;
    case Way::abort:
      std::abort();
    case Way::segv:
      *nowhere = 1;
      return;
    case Way::fpe:
      std::raise(SIGFPE);
      return;
    case Way::overflow:
      nothing = overflow(0);
      return;
    case Way::terminate:
      std::terminate();
    case Way::exit_zero:
      std::exit(0);
    case Way::exit_seven:
      std::exit(7);
    case Way::loop:
      for (;;) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    case Way::memory:
      for (;;) {
        const std::size_t bytes = std::size_t{64} << 20U;
        char* const more = new char[bytes];
        for (std::size_t i = 0; i < bytes; i += 512) more[i] = 1;
        nowhere = reinterpret_cast<int*>(more);
      }
  }
}

struct DeadlyOptions {
  Way way = Way::none;
  Place place = Place::value;
  std::uint32_t messages = 3;

  static void describe(Describe<DeadlyOptions>& d) {
    d.field(&DeadlyOptions::way, "how it dies");
    d.field(&DeadlyOptions::place, "where");
    d.field(&DeadlyOptions::messages, "how many there are").range(1, 6);
  }
};

struct Poke {
  int n = 0;
};

// Dies where 2 comes before 1.
struct Fragile {
  using Receives = Messages<Poke>;
  Way way = Way::none;
  int last = 0;
  void on(const Poke& poke) {
    if (poke.n == 1 && last == 2) die(way);
    last = poke.n;
  }
};
struct FragileGate {
  using Receives = Messages<Poke>;
  Way way = Way::none;
  int last = 0;
  bool accepts(const Poke& poke) const {
    if (poke.n == 1 && last == 2) die(way);
    return true;
  }
  void on(const Poke& poke) { last = poke.n; }
};
struct FragileMachine {
  enum class State { only };
  using Receives = Messages<Poke>;
  Machine<State> machine{};
  Way way = Way::none;
  int last = 0;
  static void table(Table<FragileMachine>& t) {
    t.start(State::only);
    t.in(State::only).on<Poke>([](FragileMachine& self, const Poke& poke) {
      if (poke.n == 1 && self.last == 2) die(self.way);
      self.last = poke.n;
    });
  }
};
class FragileBox {
 public:
  using Receives = Messages<Poke>;
  FragileBox(Way way, bool in_constructor) : way_(way), last_(std::make_unique<int>(0)) {
    if (in_constructor) die(way);
  }
  void on(const Poke& poke) {
    if (poke.n == 1 && *last_ == 2) die(way_);
    *last_ = poke.n;
  }

 private:
  Way way_;
  std::unique_ptr<int> last_;
};
struct FragileTask {
  using Receives = Messages<Poke>;
  Way way = Way::none;
  Task<> run(TaskContext& ctx) {
    ctx.background();
    int last = 0;
    for (;;) {
      const Poke poke = co_await ctx.receive<Poke>();
      if (poke.n == 1 && last == 2) die(way);
      last = poke.n;
    }
  }
};
struct Told {
  int n = 0;
};
struct FragileMonitor {
  using Observes = Messages<Told>;
  Way way = Way::none;
  int last = 0;
  void on(const Told& told) {
    if (told.n == 1 && last == 2) die(way);
    last = told.n;
  }
};
struct Teller {
  using Receives = Messages<Poke>;
  int last = 0;
  void on(const Poke& poke, Context& ctx) {
    last = poke.n;
    ctx.notify<FragileMonitor>(Told{poke.n});
  }
};

template <class A> void poke(World& world, Ref<A> actor, std::uint32_t messages) {
  for (std::uint32_t i = 1; i <= messages; ++i) world.send(actor, Poke{static_cast<int>(i)});
}

GAINSAY_SCENARIO(test_deadly, "Code that ends the process", DeadlyOptions) {
  const Way way = options.way;
  switch (options.place) {
    case Place::value:
      return poke(world, world.spawn("fragile", Fragile{.way = way}), options.messages);
    case Place::gate:
      return poke(world, world.spawn("fragile", FragileGate{.way = way}), options.messages);
    case Place::machine:
      return poke(world, world.spawn("fragile", FragileMachine{.way = way}), options.messages);
    case Place::opaque:
    case Place::factory:
      return poke(world, world.wrap<FragileBox>("fragile", way, options.place == Place::factory),
                  options.messages);
    case Place::task:
      return poke(world, world.wrap<FragileTask>("fragile", way), options.messages);
    case Place::monitor:
      world.monitor("watch", FragileMonitor{.way = way});
      return poke(world, world.spawn<Teller>("teller"), options.messages);
    case Place::property:
    case Place::last: {
      const auto fragile = world.spawn<Fragile>("fragile");
      const auto check = [fragile, way](View view) -> Complaint {
        if (view[fragile].last == 2) die(way);
        return {};
      };
      if (options.place == Place::property) {
        world.always("whole", check);
      } else {
        world.finally("whole in the end", check);
      }
      return poke(world, fragile, options.messages);
    }
  }
}

constexpr const char* place_names[] = {"value", "machine",  "opaque", "task",   "monitor",
                                       "gate",  "property", "last",   "factory"};

// A model, and code that dies when the sum is 3: in its handler or, with `place=property`, when it is mapped.
struct Add {
  int number = 0;
};
struct Sum {
  using Receives = Messages<Add>;
  int sum = 0;
  void on(const Add& add) { sum += add.number; }
};
struct FragileSum {
  using Receives = Messages<Add>;
  Way way = Way::none;
  bool dies_when_read = false;
  int sum = 0;
  void on(const Add& add) {
    if (sum == 3 && !dies_when_read) die(way);
    sum += add.number;
  }
};
struct SumOptions {
  Way way = Way::none;
  Place place = Place::value;
};

GAINSAY_SCENARIO(test_sum, "Numbers are added") {
  const auto sum = world.spawn("sum", Sum{});
  for (int number = 1; number <= 3; ++number) world.send(sum, Add{number});
}
GAINSAY_SCENARIO(test_deadly_sum, "Numbers are added by code that dies", SumOptions) {
  const auto sum =
      world.spawn("sum", FragileSum{.way = options.way, .dies_when_read = options.place == Place::property});
  for (int number = 1; number <= 3; ++number) world.send(sum, Add{number});
}
GAINSAY_CONFORM(test_deadly_sum) {
  map.actor<FragileSum>([](const FragileSum& code) {
    if (code.sum == 3 && code.dies_when_read) {
      die(code.way);
      throw std::runtime_error("no such sum");
    }
    return Sum{.sum = code.sum};
  });
}

class Supervised : public CommandLine {
 protected:
  static std::string option(const char* name, const std::string& value) {
    return fmt::format("{}={}", name, value);
  }
  Said deadly(const std::string& way, const std::string& place, Words more) const {
    Words words{"test_deadly", "--option", option("way", way), "--option", option("place", place), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return hunt(words);
  }
  // The violation is there, and its trace brings it about again in another process.
  static void expect_found(const Said& said, const std::string& text,
                           const Words& limits = {"--handler-timeout", "300ms"}) {
    ASSERT_EQ(said.code, 1) << said.out << said.err;
    const json result = json::parse(said.out);
    ASSERT_EQ(result["violations"].size(), 1U) << said.out;
    const std::string message = result["violations"][0]["message"];
    EXPECT_THAT(message, HasSubstr(text));
    const std::string file = result["violations"][0]["trace_file"];
    Words replay{"replay", file};
    replay.insert(replay.end(), limits.begin(), limits.end());
    const Said replayed = gainsay_with(replay);
    EXPECT_EQ(replayed.code, 1) << replayed.out << replayed.err;
    EXPECT_THAT(replayed.out, HasSubstr(text));
  }
};

// The ways to die, what is said of each, and what follows that on the line.
struct Dying {
  const char* way;
  const char* text;
  const char* rest;
};
#ifdef __SANITIZE_ADDRESS__  // it handles some signals itself
constexpr const char* segv_text = "a report of AddressSanitizer";
constexpr const char* fpe_text = "a report of AddressSanitizer";
#else
constexpr const char* segv_text = "SIGSEGV";
constexpr const char* fpe_text = "SIGFPE";
#endif
constexpr Dying dyings[] = {{"abort", "SIGABRT", ""},
                            {"segv", segv_text, ""},
                            {"fpe", fpe_text, ""},
                            {"overflow", segv_text, ""},
                            {"terminate", "SIGABRT", ""},
                            {"exit_zero", "exit code 0", " (it ended the program)"},
                            {"exit_seven", "exit code 7", " (it ended the program)"},
                            {"loop", "a timeout", ": no return within 0.3 s (--handler-timeout)"}};

TEST_F(Supervised, EveryWayToDieIsAViolation) {
  for (const auto& [way, text, rest] : dyings) {
    SCOPED_TRACE(way);
    for (const char* strategy : {"random", "dfs"})
      expect_found(
          deadly(way, "value", {"--strategy", strategy, "--runs", "1000", "--handler-timeout", "300ms"}),
          fmt::format("fragile handling Poke ended with {}{}", text, rest));
  }
}

// Each way in each place, in every verb, with one worker and with two.
TEST_F(Supervised, EveryWayInEveryPlaceAndVerb) {
  if (std::getenv("GAINSAY_LONG") == nullptr) GTEST_SKIP() << "takes minutes; set GAINSAY_LONG=1";
  const std::set<std::string> not_explored = {"opaque", "task", "factory"};  // explore refuses opaque actors
  for (const char* place : place_names) {
    for (const auto& [way, text, rest] : dyings) {
      SCOPED_TRACE(fmt::format("{} in {}", way, place));
      for (const char* jobs : {"1", "2"}) {
        const Words more{"--jobs", jobs, "--runs", "1000", "--handler-timeout", "300ms"};
        Said said;
        for (const char* strategy : {"random", "dfs"}) {
          Words how = more;
          how.insert(how.end(), {"--strategy", strategy});
          said = deadly(way, place, how);
          expect_found(said, text);
        }
        const std::string file = json::parse(said.out)["violations"][0]["trace_file"];
        const Said shrunk =
            gainsay_with({"shrink", file, "--handler-timeout", "300ms", "--out", in_folder("small.trace")});
        EXPECT_EQ(shrunk.code, 0) << shrunk.out << shrunk.err;
        EXPECT_EQ(gainsay_with({"replay", in_folder("small.trace"), "--handler-timeout", "300ms"}).code, 1);
        if (not_explored.contains(place)) continue;
        expect_found(gainsay_with({"explore", "test_deadly", "--option", option("way", way), "--option",
                                   option("place", place), "--json", "--jobs", jobs, "--handler-timeout",
                                   "300ms", "--out", in_folder("traces")}),
                     text);
      }
    }
  }
}

TEST_F(Supervised, InEveryPlace) {
  for (const char* place : place_names) {
    SCOPED_TRACE(place);
    expect_found(deadly("segv", place, {"--strategy", "random", "--runs", "1000", "--jobs", "2"}), segv_text);
    expect_found(deadly("exit_zero", place, {"--strategy", "dfs"}), "exit code 0");
  }
}

TEST_F(Supervised, MemoryBeyondTheLimitIsAViolation) {
  expect_found(deadly("memory", "value", {"--strategy", "dfs", "--max-memory", "400MiB"}),
               "more than 400.0 MiB of memory (--max-memory)", {"--max-memory", "400MiB"});
}

// The schedule 1 2 3 and those like it do not die: the hunt counts them all.
TEST_F(Supervised, TheCampaignGoesOn) {
  const Said said = deadly("segv", "value", {"--strategy", "dfs", "--keep-going"});
  ASSERT_EQ(said.code, 1) << said.err;
  const json result = json::parse(said.out);
  // 2 directly before 1 in 2 of 3! orders: 2 1 3 and 3 2 1.
  EXPECT_EQ(result["runs"], 6);
  EXPECT_EQ(result["buggy_runs"], 2);
  const Said many =
      deadly("abort", "value", {"--strategy", "random", "--runs", "500", "--keep-going", "--jobs", "2"});
  const Said one = deadly("abort", "value", {"--strategy", "random", "--runs", "500", "--keep-going"});
  EXPECT_EQ(json::parse(many.out)["runs"], 500);
  EXPECT_EQ(json::parse(many.out)["buggy_runs"], json::parse(one.out)["buggy_runs"]);
  EXPECT_GT(json::parse(many.out)["buggy_runs"], 100);
}

TEST_F(Supervised, ExploreAndShrinkAreSupervisedToo) {
  for (const char* workers : {"1", "2"}) {
    const Said explored = gainsay_with({"explore", "test_deadly", "--option", "way=segv", "--json", "--jobs",
                                        workers, "--out", in_folder("traces")});
    expect_found(explored, segv_text);
  }
  const Said found = deadly("abort", "opaque", {"--strategy", "random", "--option", "messages=6"});
  const std::string file = json::parse(found.out)["violations"][0]["trace_file"];
  const Said shrunk = gainsay_with({"shrink", file, "--out", in_folder("small.trace")});
  EXPECT_EQ(shrunk.code, 0);
  EXPECT_EQ(shrunk.err, "");
  EXPECT_LE(read_trace_file(in_folder("small.trace")).steps.size(), 3U) << shrunk.out << shrunk.err;
  EXPECT_EQ(gainsay_with({"replay", in_folder("small.trace")}).code, 1);
}

TEST_F(Supervised, GraphAndConformAreSupervisedToo) {
  const auto said = [&](const char* verb, const char* way, const char* place, Words more) {
    Words words{verb, "--option", option("way", way), "--option", option("place", place), "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return gainsay_with(words);
  };
  for (const char* workers : {"1", "2"}) {
    const Said graph = said("graph", "segv", "value", {"test_deadly_sum", "--no-file", "--jobs", workers});
    EXPECT_EQ(graph.code, 1);
    EXPECT_THAT(graph.out, HasSubstr(fmt::format("sum handling Add ended with {}", segv_text)));
    for (const char* way : {"walk", "tree", "local"}) {
      SCOPED_TRACE(way);
      const Words conform{"test_sum", "--against", "test_deadly_sum",     "--way", way, "--jobs",
                          workers,    "--out",     in_folder("conformed")};
      const Said handler = said("conform", "exit_zero", "value", conform);
      EXPECT_EQ(handler.code, 1);
      EXPECT_THAT(handler.out, HasSubstr("sum handling Add ended with exit code 0"));
      // The map is not the code under test: it is wrong, and nothing is said of the code.
      const Said map = said("conform", "segv", "property", conform);
      EXPECT_EQ(map.code, 2);
      EXPECT_THAT(map.err, HasSubstr(fmt::format("the conformance map's function of FragileSum ended with {}",
                                                 segv_text)));
      const Said throwing = said("conform", "none", "property", conform);
      EXPECT_EQ(throwing.code, 2);
      EXPECT_THAT(throwing.err, HasSubstr("the conformance map's function of FragileSum threw: no such sum"));
    }
  }
}

// What was found before the program is killed is on the disk.
TEST_F(Supervised, ViolationsAreWrittenAsTheyAreFound) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    gainsay_with({"hunt", "test_race", "--option", "bug=both", "--keep-going", "--time", "60s", "--quiet",
                  "--out", in_folder("traces")});
    _exit(0);
  }
  const auto traces = [&] {
    std::size_t count = 0;
    if (!fs::exists(in_folder("traces"))) return count;
    for (const auto& entry : fs::directory_iterator(in_folder("traces")))
      count += entry.path().extension() == ".trace" ? 1U : 0U;
    return count;
  };
  for (int i = 0; i < 500 && traces() < 2; ++i) usleep(20'000);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  ASSERT_EQ(traces(), 2U);
  for (const auto& entry : fs::directory_iterator(in_folder("traces"))) {
    if (entry.path().extension() == ".trace") {
      EXPECT_EQ(gainsay_with({"replay", entry.path().string()}).code, 1);
    }
  }
}

TEST_F(Supervised, WhatDoesNotDieIsClean) {
  for (const char* place : place_names)
    EXPECT_EQ(deadly("none", place, {"--strategy", "dfs"}).code, 0) << place;
}

}  // namespace
}  // namespace gainsay::cli_test
