// A job scheduler on a cluster manager, both with leaders that Zookeeper elects (Niksic's thesis, 2018, section 2.3 and
// figure 2.3; the report chronos#520).
//
// Five machines. A scheduler (Chronos) may lead on each of them, a Mesos master on n2, n3 and n4; Mesos slaves run
// jobs on n1 and n5. Zookeeper is one actor that stays on n5, where its leader is in the figure. It forgets a machine
// that it has not heard of since its last tick, elects other leaders where it forgets them, and keeps the scheduler's
// framework id. Resources belong to a framework for ever. A scheduler that becomes leader asks Zookeeper for the id
// and registers with it; with the defect (`new_framework`) it registers as a new framework, which owns nothing: no job
// is ever started again. A leader that Zookeeper has forgotten goes on until it hears of another one.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "gainsay/gainsay.hpp"

namespace chronos {

enum class Bug { none, new_framework };

struct Machine;
struct Client;

struct Operate {};
struct Submit {};
struct Alive {};
struct News {  // by Zookeeper: who leads
  std::uint32_t epoch = 0;
  gainsay::ActorId scheduler = gainsay::nobody;
  gainsay::ActorId master = gainsay::nobody;
};
struct AskFramework {};
struct Framework {
  std::uint32_t id = 0;
};
struct Register {
  std::uint32_t framework = 0;  // 0: a new one
};
struct Registered {
  std::uint32_t framework = 0;
};
struct Launch {
  std::uint32_t framework = 0;
};
struct Run {
  std::uint32_t framework = 0;
};
struct Pulse {};
struct Tick {};

struct Zookeeper {
  using Receives = gainsay::Messages<Alive, AskFramework, Framework, Tick>;
  gainsay::Group<Machine> machines;
  gainsay::Group<Client> clients;
  std::uint32_t epoch = 1;
  gainsay::ActorId scheduler = gainsay::nobody;
  gainsay::ActorId master = gainsay::nobody;
  std::uint32_t framework = 1;  // stored by the scheduler that registered first
  std::set<gainsay::ActorId> alive;
  std::set<gainsay::ActorId> heard;  // since the last tick

  void on(const Alive&, gainsay::Context& ctx);
  void on(const AskFramework&, gainsay::Context& ctx) { ctx.reply(Framework{framework}); }
  void on(const Framework& stored) { framework = stored.id; }
  void on(const Tick&, gainsay::Context& ctx);

 private:
  bool may_be_master(gainsay::ActorId machine) const;
  bool elect(gainsay::Context& ctx);
};

struct Machine {
  using Receives = gainsay::Messages<News, Framework, Register, Registered, Submit, Launch, Run, Tick>;
  gainsay::Ref<Zookeeper> zookeeper;
  gainsay::Group<Machine> machines;
  Bug bug = Bug::none;
  std::uint32_t epoch = 1;
  gainsay::ActorId scheduler = gainsay::nobody;  // whom it takes for the leaders
  gainsay::ActorId master = gainsay::nobody;
  // Of a scheduler.
  bool registered = false;      // with the master that it knows
  std::uint32_t framework = 0;  // 0: not known
  std::uint32_t waiting = 0;    // jobs
  // Of a slave.
  std::uint32_t owner = 1;  // the framework that owns its resources
  std::uint32_t started = 0;

  void on(const News& news, gainsay::Context& ctx);
  void on(const Framework& stored, gainsay::Context& ctx);
  void on(const Register& registration, gainsay::Context& ctx);
  void on(const Registered& registration, gainsay::Context& ctx);
  void on(const Submit&, gainsay::Context& ctx);
  void on(const Launch& launch, gainsay::Context& ctx);
  void on(const Run& run, gainsay::Context& ctx);
  void on(const Tick&, gainsay::Context& ctx);

 private:
  void register_scheduler(gainsay::Context& ctx);
  void launch(gainsay::Context& ctx);
};

struct Client {
  using Receives = gainsay::Messages<Operate, News>;
  std::uint32_t epoch = 1;
  gainsay::ActorId scheduler = gainsay::nobody;

  void on(const Operate&, gainsay::Context& ctx) { ctx.send(scheduler, Submit{}); }
  void on(const News& news) {
    if (news.epoch < epoch) return;
    epoch = news.epoch;
    scheduler = news.scheduler;
  }
};

// Lives on the node whose clock it is.
struct Clock {
  using Receives = gainsay::Messages<Pulse>;
  gainsay::ActorId whose;

  void on_start(gainsay::Context& ctx) { ctx.after(std::chrono::milliseconds(100), Pulse{}); }
  void on(const Pulse&, gainsay::Context& ctx) {
    ctx.send(whose, Tick{});
    ctx.after(std::chrono::milliseconds(100), Pulse{});
  }
};

}  // namespace chronos
