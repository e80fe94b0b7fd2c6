// A failure detector that pings nodes in rounds, as machines.
//
// In each round the detector pings every node that it believes alive, up to twice; a node that has not
// answered by then has failed, and the clients that have registered are told. The driver registers and then
// halts all nodes, so in the end each must be reported. Between rounds the detector waits for its timer, and
// while it asks the timer to be quiet it is in a pushed state. Roles, messages and the defect `stale_pongs`
// follow the FailureDetector sample of P# (Deligiannis et al., PLDI 2015); there, too, nodes that fail before
// a client has registered are never reported to it (`late_client`).
//
// Where we differ from the sample: pings and pongs carry the number of their round, and the detector ignores
// answers to earlier rounds; a client that registers late hears of earlier failures; the detector rests when
// there is no node left, or after `rounds` where no node is halted, so that executions end.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "gainsay/gainsay.hpp"

namespace failure_detector {

enum class Bug { none, stale_pongs, late_client };

using Round = std::uint32_t;

struct Node;
struct Detector;
struct Timer;

// detector -> node and back
struct Ping {
  Round round = 0;
};
struct Pong {
  Round round = 0;
};
// client -> detector
struct RegisterClient {};
// detector -> client
struct NodeFailed {
  gainsay::Ref<Node> node;
};
// detector -> timer and back
struct StartTimer {};
struct CancelTimer {};
struct CancelSuccess {};
struct CancelFailure {};
struct Timeout {};
// timer -> itself
struct Expired {};

// No node has more than three pings to answer.
struct Pinged {
  gainsay::Ref<Node> node;
};
struct Ponged {
  gainsay::Ref<Node> node;
};
struct Safety {
  using Observes = gainsay::Messages<Pinged, Ponged>;
  std::map<gainsay::ActorId, std::uint32_t> unanswered{};

  void on(const Pinged& pinged, gainsay::MonitorContext& monitor) {
    monitor.check(++unanswered[pinged.node] <= 3, "a node has more than three pings to answer");
  }
  void on(const Ponged& ponged, gainsay::MonitorContext& monitor) {
    monitor.check(unanswered[ponged.node] > 0, "a node answers a ping that it did not get");
    --unanswered[ponged.node];
  }
};

// Every node that is halted is reported in the end.
struct Halted {
  gainsay::Ref<Node> node;
};
struct Reported {
  gainsay::Ref<Node> node;
};
struct Liveness {
  using Observes = gainsay::Messages<Halted, Reported>;
  std::set<gainsay::ActorId> halted{};
  std::set<gainsay::ActorId> reported{};

  void on(const Halted& halt) { halted.insert(halt.node); }
  void on(const Reported& report) { reported.insert(report.node); }
  std::string hot() const {
    std::size_t missing = 0;
    for (const gainsay::ActorId node : halted) missing += reported.contains(node) ? 0 : 1;
    return missing == 0 ? "" : std::to_string(missing) + " halted nodes are not reported";
  }
};

struct Node {
  enum class State { waiting };
  using Receives = gainsay::Messages<Ping, gainsay::Halt>;

  gainsay::Machine<State> machine{};

  static void table(gainsay::Table<Node>& t) {
    t.start(State::waiting);
    t.in(State::waiting).on<Ping>(&Node::answer);
  }
  void answer(const Ping& ping, gainsay::Context& ctx) {
    ctx.notify<Safety>(Ponged{ctx.self(*this)});
    ctx.reply(Pong{ping.round});
  }
};

// It may expire at any time once it is started; whoever cancels it is told whether it was in time.
struct Timer {
  enum class State { idle, running };
  using Receives = gainsay::Messages<StartTimer, CancelTimer, Expired>;

  gainsay::Machine<State> machine{};
  gainsay::Ref<Detector> detector;

  static void table(gainsay::Table<Timer>& t) {
    t.start(State::idle);
    t.in(State::idle).on<CancelTimer>(&Timer::too_late).go_to<StartTimer>(State::running);
    t.in(State::running)
        .entry(&Timer::run)
        .ignore<StartTimer>()
        .go_to<CancelTimer>(State::idle, &Timer::cancel)
        .go_to<Expired>(State::idle, &Timer::expire);
  }
  void run(gainsay::Context& ctx) { ctx.after(std::chrono::milliseconds(100), Expired{}); }
  void too_late(gainsay::Context& ctx) { ctx.reply(CancelFailure{}); }
  void cancel(gainsay::Context& ctx) {
    ctx.cancel<Expired>();
    ctx.reply(CancelSuccess{});
  }
  void expire(gainsay::Context& ctx);
};

struct Unit {};
struct RoundDone {};
struct TimerCancelled {};
struct NobodyLeft {};

struct Detector {
  enum class State { pinging, cancelling, resting, done };
  using Receives = gainsay::Messages<RegisterClient, Pong, Timeout, CancelSuccess, CancelFailure>;

  gainsay::Machine<State> machine{};
  gainsay::Group<Node> nodes;
  gainsay::Ref<Timer> timer;
  Bug bug = Bug::none;
  Round rounds = 0;  // how many there are; 0: until no node is left
  std::set<gainsay::ActorId> clients{};
  std::set<gainsay::ActorId> failed{};
  std::set<gainsay::ActorId> responses{};  // in this round
  Round round = 0;
  std::uint32_t attempts = 0;  // in this round

  static void table(gainsay::Table<Detector>& t) {
    t.start(State::pinging);
    t.in(State::pinging)
        .entry(&Detector::ping)
        .on<Pong>(&Detector::pong)
        .on<Timeout>(&Detector::timeout)
        .go_to<Unit>(State::pinging)
        .go_to<RoundDone>(State::resting)
        .push<TimerCancelled>(State::cancelling);
    t.in(State::cancelling)
        .defer<Timeout, Pong>()
        .on<CancelSuccess>([](Detector&, gainsay::Context& ctx) { ctx.raise(RoundDone{}); })
        .pop<CancelFailure>();
    t.in(State::resting)
        .entry(&Detector::rest)
        .ignore<Pong>()
        .go_to<Timeout>(State::pinging)
        .go_to<NobodyLeft>(State::done);
    t.in(State::done).ignore<Pong, Timeout>();
    t.in(State::pinging, State::resting, State::done).on<RegisterClient>(&Detector::add_client);
  }

  std::size_t alive() const { return nodes.size() - failed.size(); }

  void add_client(gainsay::Context& ctx) {
    clients.insert(ctx.sender());
    if (bug == Bug::late_client) return;
    for (const gainsay::ActorId node : failed) ctx.reply(NodeFailed{gainsay::Ref<Node>(node)});
  }
  void ping(gainsay::Context& ctx) {
    for (const gainsay::Ref<Node> node : nodes) {
      if (failed.contains(node) || responses.contains(node)) continue;
      ctx.notify<Safety>(Pinged{node});
      ctx.send(node, Ping{round});
    }
    ctx.send(timer, StartTimer{});
  }
  void pong(const Pong& pong, gainsay::Context& ctx) {
    if (failed.contains(ctx.sender()) || (bug != Bug::stale_pongs && pong.round != round)) return;
    if (!responses.insert(ctx.sender()).second || responses.size() < alive()) return;
    ctx.send(timer, CancelTimer{});
    ctx.raise(TimerCancelled{});
  }
  void timeout(gainsay::Context& ctx) {
    if (++attempts < 2 && responses.size() < alive()) {
      ctx.raise(Unit{});
      return;
    }
    for (const gainsay::Ref<Node> node : nodes) {
      if (responses.contains(node) || !failed.insert(node).second) continue;
      for (const gainsay::ActorId client : clients) ctx.send(client, NodeFailed{node});
    }
    ctx.raise(RoundDone{});
  }
  void rest(gainsay::Context& ctx) {
    attempts = 0;
    responses.clear();
    ++round;
    if (alive() == 0 || round == rounds) {
      ctx.raise(NobodyLeft{});
    } else {
      ctx.send(timer, StartTimer{});
    }
  }
};

inline void Timer::expire(gainsay::Context& ctx) { ctx.send(detector, Timeout{}); }

// Registers, then halts all nodes and waits to hear of each.
struct Driver {
  enum class State { watching };
  using Receives = gainsay::Messages<NodeFailed>;

  gainsay::Machine<State> machine{};
  gainsay::Ref<Detector> detector;
  gainsay::Group<Node> nodes;
  bool halts = true;

  static void table(gainsay::Table<Driver>& t) {
    t.start(State::watching);
    t.in(State::watching).entry(&Driver::begin).on<NodeFailed>(&Driver::note);
  }
  void begin(gainsay::Context& ctx) {
    ctx.send(detector, RegisterClient{});
    if (!halts) return;
    for (const gainsay::Ref<Node> node : nodes) {
      ctx.notify<Liveness>(Halted{node});
      ctx.send(node, gainsay::Halt{});
    }
  }
  void note(const NodeFailed& failed, gainsay::Context& ctx) { ctx.notify<Liveness>(Reported{failed.node}); }
};

}  // namespace failure_detector
