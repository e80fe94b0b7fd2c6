#include "systems/chronos/chronos.hpp"

namespace chronos {

using gainsay::ActorId;
using gainsay::Context;

// --- Zookeeper ---

bool Zookeeper::may_be_master(ActorId machine) const {
  return machine == machines[1] || machine == machines[2] || machine == machines[3];
}

// Who is heard again may have missed who leads.
void Zookeeper::on(const Alive&, Context& ctx) {
  heard.insert(ctx.sender());
  const bool back = alive.insert(ctx.sender()).second;
  const bool elected = elect(ctx);
  if (back && !elected) ctx.reply(News{epoch, scheduler, master});
}

void Zookeeper::on(const Tick&, Context& ctx) {
  alive = heard;
  heard.clear();
  elect(ctx);
}

// Leaders that are alive stay. False: nothing has changed.
bool Zookeeper::elect(Context& ctx) {
  const auto elected = [&](ActorId& leader, auto able) {
    if (leader != gainsay::nobody && alive.contains(leader)) return false;
    std::vector<ActorId> candidates;
    for (const ActorId machine : alive) {
      if (able(machine)) candidates.push_back(machine);
    }
    if (candidates.empty()) return false;
    leader = candidates[ctx.choose(static_cast<std::uint32_t>(candidates.size()))];
    return true;
  };
  const bool other_scheduler = elected(scheduler, [](ActorId) { return true; });
  const bool other_master = elected(master, [this](ActorId machine) { return may_be_master(machine); });
  if (!other_scheduler && !other_master) return false;
  ++epoch;
  for (const auto machine : machines) ctx.send(machine, News{epoch, scheduler, master});
  for (const auto client : clients) ctx.send(client, News{epoch, scheduler, master});
  return true;
}

// --- machines ---

void Machine::on(const News& news, Context& ctx) {
  if (news.epoch < epoch) return;
  const bool was_leader = scheduler == ctx.self();
  epoch = news.epoch;
  scheduler = news.scheduler;
  master = news.master;
  registered = false;
  if (scheduler != ctx.self()) {
    framework = 0;
    return;
  }
  if (!was_leader) framework = 0;
  register_scheduler(ctx);
}

// Who led before still knows its id. Who does not know it asks first, or, with the defect, registers as a new one.
void Machine::register_scheduler(Context& ctx) {
  if (framework == 0 && bug == Bug::none) {
    ctx.send(zookeeper, AskFramework{});
  } else {
    ctx.send(master, Register{framework});
  }
}

void Machine::on(const Framework& stored, Context& ctx) {
  if (scheduler != ctx.self() || framework != 0) return;
  framework = stored.id;
  ctx.send(master, Register{framework});
}

void Machine::on(const Register& registration, Context& ctx) {
  if (master != ctx.self()) return;  // it is not the leading master, or does not know it yet
  ctx.reply(Registered{registration.framework == 0 ? epoch + 100 : registration.framework});
}

void Machine::on(const Registered& registration, Context& ctx) {
  if (scheduler != ctx.self() || registered || ctx.sender() != master) return;
  registered = true;
  framework = registration.framework;
  ctx.send(zookeeper, Framework{framework});
  launch(ctx);
}

void Machine::on(const Submit&, Context& ctx) {
  ++waiting;
  if (scheduler == ctx.self()) launch(ctx);
}

void Machine::launch(Context& ctx) {
  if (!registered) return;
  for (std::uint32_t i = 0; i < waiting; ++i) ctx.send(master, Launch{framework});
  waiting = 0;
}

void Machine::on(const Launch& launch, Context& ctx) {
  if (master != ctx.self()) return;
  for (const std::size_t slave : {0U, 4U}) ctx.send(machines[slave], Run{launch.framework});
}

void Machine::on(const Run& run, Context& ctx) {
  if (run.framework == owner) ++started;
  ctx.check(run.framework == owner, "a job is never started: all resources belong to another framework");
}

void Machine::on(const Tick&, Context& ctx) {
  ctx.send(zookeeper, Alive{});
  if (scheduler == ctx.self() && !registered) register_scheduler(ctx);
}

// --- the scenario ---

using gainsay::family::CutFamily;

struct Options {
  Bug bug = Bug::none;
  std::uint32_t jobs = 1;
  std::uint32_t rounds = 1;
  std::uint32_t ticks = 120;
  CutFamily family = CutFamily::uniform;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "a scheduler that becomes leader registers with the id that Zookeeper has");
    d.value(Bug::new_framework, "it registers as a new framework, which has no resources");
    d.field(&Options::jobs, "how many jobs are submitted").range(1, 50);
    d.field(&Options::rounds, "maximum number of cuts").range(0, 50);
    d.field(&Options::ticks, "maximum number of clock ticks in total").range(0, 100'000);
    d.field(&Options::family, "which partitions are possible");
    d.value(CutFamily::uniform, "any two blocks");
    d.value(CutFamily::balanced, "two blocks of two and three machines");
    d.value(CutFamily::semibalanced, "the same, since five machines have no equal blocks");
    d.value(CutFamily::covering, "three partitions that split any two machines");
  }
};

GAINSAY_SCENARIO(chronos, "A job scheduler on Mesos, with leaders that Zookeeper elects", Options) {
  const auto zookeeper = world.declare<Zookeeper>("zk");
  const auto machines = world.group<Machine>("n", 5, [&](std::size_t i, gainsay::Group<Machine> all) {
    Machine machine{
        .zookeeper = zookeeper, .machines = all, .bug = options.bug, .scheduler = all[0], .master = all[2]};
    if (i == 0) {
      machine.registered = true;
      machine.framework = 1;
    }
    return machine;
  });
  const auto clients = world.group<Client>("client", options.jobs,
                                           [&](std::size_t) { return Client{.scheduler = machines[0]}; });
  const auto clocks = world.group<Clock>("clock", 6, [&](std::size_t i) {
    return Clock{.whose = i == 5 ? ActorId(zookeeper) : ActorId(machines[i])};
  });
  Zookeeper keeper{.machines = machines, .clients = clients, .scheduler = machines[0], .master = machines[2]};
  for (const auto machine : machines) keeper.alive.insert(machine);
  keeper.heard = keeper.alive;
  world.init(zookeeper, keeper);
  for (const auto client : clients) world.send(client, Operate{});
  world.order(gainsay::Delivery::fifo);
  std::vector<gainsay::Actors> places;
  for (std::size_t i = 0; i < 5; ++i) places.push_back({machines[i], clocks[i]});
  places[4] = {machines[4], clocks[4], zookeeper, clocks[5]};
  if (options.rounds > 0)
    world.faults().partitions(gainsay::family::Cuts::of(gainsay::family::Notion::split(5, 2), options.family,
                                                        gainsay::family::numbered_names("n", 5)),
                              places, {.rounds = options.rounds, .drops = true});
  world.timer_budget<Pulse>(options.ticks);
  world.timers_keep_alive(false);
  world.reached("a job is started", machines, [machines](gainsay::View view) {
    return view[machines[0]].started + view[machines[4]].started > 0;
  });
}

}  // namespace chronos
