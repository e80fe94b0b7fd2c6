#include "systems/kafka_isr/kafka_isr.hpp"

#include <algorithm>

namespace kafka_isr {

using gainsay::ActorId;
using gainsay::Context;

// --- Zookeeper ---

// Who is heard again is told who leads: it may have missed that.
void Zookeeper::on(const Alive&, Context& ctx) {
  const ActorId broker = ctx.sender();
  heard.insert(broker);
  const bool back = alive.insert(broker).second;
  if (leader == gainsay::nobody) {
    elect(ctx);
  } else if (back) {
    ctx.reply(Leader{epoch, leader, in_sync, handled});
  }
}

// A leader that was replaced asks in vain; nobody joins by shrinking.
void Zookeeper::on(const Shrink& shrink, Context& ctx) {
  if (shrink.epoch != epoch || ctx.sender() != leader || !shrink.to.contains(leader)) return;
  handled = shrink.number;
  std::set<ActorId> both;
  std::set_intersection(in_sync.begin(), in_sync.end(), shrink.to.begin(), shrink.to.end(),
                        std::inserter(both, both.begin()));
  in_sync = both;
  announce(ctx);
}

void Zookeeper::on(const Join& join, Context& ctx) {
  if (join.epoch != epoch || ctx.sender() != leader) return;
  handled = join.number;
  in_sync.insert(join.replica);
  announce(ctx);
}

void Zookeeper::on(const Tick&, Context& ctx) {
  alive = heard;
  heard.clear();
  if (!alive.contains(leader)) elect(ctx);
}

void Zookeeper::elect(Context& ctx) {
  std::vector<ActorId> able;
  for (const ActorId broker : alive) {
    if (in_sync.contains(broker)) able.push_back(broker);
  }
  if (able.empty() && bug == Bug::unclean_election) {
    able.assign(alive.begin(), alive.end());
    if (!able.empty()) in_sync.clear();
  }
  if (able.empty()) {
    leader = gainsay::nobody;
    return;
  }
  leader = able[ctx.choose(static_cast<std::uint32_t>(able.size()))];
  in_sync.insert(leader);
  ++epoch;
  handled = 0;
  announce(ctx);
}

void Zookeeper::announce(Context& ctx) {
  for (const auto broker : brokers) ctx.send(broker, Leader{epoch, leader, in_sync, handled});
  for (const auto producer : producers) ctx.send(producer, Leader{epoch, leader, in_sync, handled});
}

// --- brokers ---

void Broker::on(const Produce&, Context& ctx) {
  if (!leads(ctx.self())) return;  // the producer was told something old
  log.push_back({epoch, ctx.sender()});
  replicate_to_all(ctx);
  acknowledge(ctx);
}

void Broker::on(const Leader& news, Context& ctx) {
  if (news.epoch < epoch) return;
  const bool anew = news.epoch > epoch;
  epoch = news.epoch;
  leader = news.leader;
  in_sync = news.in_sync;
  if (anew) asked = 0;
  if (anew || news.handled == asked) joining.clear();
  if (!leads(ctx.self())) return;
  if (anew) {
    match.clear();
    answered.clear();
    acknowledged =
        static_cast<std::uint32_t>(log.size());  // what was taken by others is theirs to acknowledge
    replicate_to_all(ctx);
  }
  acknowledge(ctx);
}

void Broker::replicate_to_all(Context& ctx) {
  for (const auto broker : brokers) {
    if (broker != ctx.self()) ctx.send(broker, Replicate{epoch, log});
  }
}

void Broker::on(const Replicate& replicate, Context& ctx) {
  if (replicate.epoch < epoch || (replicate.epoch == epoch && leads(ctx.self()))) return;
  if (replicate.epoch > epoch) {
    epoch = replicate.epoch;
    leader = ctx.sender();
  }
  // The leader's log is the log; an older message of the same leader is the beginning of what is here.
  const bool older = replicate.log.size() < log.size() &&
                     std::equal(replicate.log.begin(), replicate.log.end(), log.begin()) &&
                     log[replicate.log.size()].epoch == epoch;
  if (!older) log = replicate.log;
  ctx.reply(Replicated{epoch, static_cast<std::uint32_t>(replicate.log.size())});
}

void Broker::on(const Replicated& replicated, Context& ctx) {
  if (!leads(ctx.self()) || replicated.epoch != epoch) return;
  std::uint32_t& known = match[ctx.sender()];
  known = std::max(known, replicated.length);
  answered.insert(ctx.sender());
  if (!in_sync.contains(ctx.sender()) && known == log.size()) {
    joining.insert(ctx.sender());
    ctx.send(zookeeper, Join{epoch, ++asked, ctx.sender()});
  }
  acknowledge(ctx);
}

std::set<ActorId> Broker::perhaps_in_sync() const {
  std::set<ActorId> all = in_sync;
  all.insert(joining.begin(), joining.end());
  return all;
}

// All that may be in sync must have it: whoever is, may lead next.
void Broker::acknowledge(Context& ctx) {
  if (in_sync.size() < min_in_sync || !in_sync.contains(ctx.self())) return;
  std::uint32_t common = static_cast<std::uint32_t>(log.size());
  for (const ActorId replica : perhaps_in_sync()) {
    if (replica != ctx.self()) common = std::min(common, match[replica]);
  }
  for (; acknowledged < common; ++acknowledged) {
    if (log[acknowledged].epoch == epoch) ctx.send(log[acknowledged].producer, Acknowledged{});
  }
}

void Broker::on(const Tick&, Context& ctx) {
  ctx.send(zookeeper, Alive{});
  if (!leads(ctx.self())) return;
  std::set<ActorId> able = {ctx.self()};
  const std::set<ActorId> all = perhaps_in_sync();
  for (const ActorId replica : all) {
    if (answered.contains(replica)) able.insert(replica);
  }
  if (able != all && acknowledged < log.size()) ctx.send(zookeeper, Shrink{epoch, ++asked, able});
  answered.clear();
  replicate_to_all(ctx);
}

// --- the scenario ---

enum class Family { story, uniform };

struct Options {
  Bug bug = Bug::none;
  std::uint32_t min_in_sync = 1;
  std::uint32_t producers = 2;
  std::uint32_t rounds = 1;
  std::uint32_t ticks = 120;
  Family family = Family::story;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "only a replica that is in sync becomes leader; otherwise there is no leader");
    d.value(Bug::unclean_election, "if no replica in sync is alive, any other one becomes leader");
    d.field(&Options::min_in_sync, "replicas that must be in sync for a record to be acknowledged")
        .range(1, 3);
    d.field(&Options::producers, "how many producers, with one record each").range(1, 50);
    d.field(&Options::rounds, "how often the cuts of the family may happen").range(0, 50);
    d.field(&Options::ticks, "maximum number of clock ticks in total").range(0, 100'000);
    d.field(&Options::family, "which partitions are possible");
    d.value(Family::story, "two and two nodes, then one and three (example 4.2)");
    d.value(Family::uniform, "any two blocks, twice");
  }
};

gainsay::family::Cuts cuts_of(const Options& options) {
  using gainsay::family::Cuts;
  using gainsay::family::Sampler;
  const std::vector<std::string> names = {"zk", "a", "b", "c"};
  if (options.family == Family::story)
    return Cuts::of(gainsay::family::parse_story("zk leader | * ; leader | *", 4), names);
  return Cuts::of(Sampler::uniform(4, 2), names).then(Cuts::of(Sampler::uniform(4, 2), names));
}

GAINSAY_SCENARIO(kafka_isr, "A replicated log with in-sync replicas, Zookeeper and unclean election",
                 Options) {
  const auto zookeeper = world.declare<Zookeeper>("zk");
  const auto brokers = world.declare<Broker>("broker", 3);
  const auto clocks = world.declare<Clock>("clock", 4);
  const auto producers = world.group<Producer>("producer", options.producers,
                                               [&](std::size_t) { return Producer{.leader = brokers[0]}; });
  std::set<ActorId> all;
  for (const auto broker : brokers) all.insert(broker);
  Zookeeper keeper{.brokers = brokers, .producers = producers, .bug = options.bug, .leader = brokers[0]};
  keeper.in_sync = keeper.alive = keeper.heard = all;
  world.init(zookeeper, keeper);
  world.init(clocks[0], Clock{.whose = zookeeper});
  for (std::size_t i = 0; i < 3; ++i) {
    world.init(brokers[i], Broker{.zookeeper = zookeeper,
                                  .brokers = brokers,
                                  .min_in_sync = options.min_in_sync,
                                  .leader = brokers[0],
                                  .in_sync = all,
                                  .answered = all});
    world.init(clocks[i + 1], Clock{.whose = brokers[i]});
  }
  for (const auto producer : producers) world.send(producer, Operate{});
  world.order(gainsay::Delivery::fifo);
  std::vector<gainsay::Actors> places = {{zookeeper, clocks[0]}};
  for (std::size_t i = 0; i < 3; ++i) places.push_back({brokers[i], clocks[i + 1]});
  if (options.rounds > 0)
    world.faults().partitions(cuts_of(options), places, {.rounds = options.rounds, .drops = true});
  world.timer_budget<Pulse>(options.ticks);
  world.timers_keep_alive(false);
  // What was acknowledged is in the log of whoever leads by the word of Zookeeper and knows it.
  world.always("acknowledged records stay", {zookeeper, brokers, producers},
               [zookeeper, brokers, producers](gainsay::View view) -> gainsay::Complaint {
                 const Zookeeper& keeper_now = view[zookeeper];
                 for (const auto broker : brokers) {
                   const Broker& state = view[broker];
                   if (keeper_now.leader != broker || !state.leads(broker) || state.epoch != keeper_now.epoch)
                     continue;
                   for (const auto producer : producers) {
                     if (!view[producer].acknowledged) continue;
                     const bool there =
                         std::any_of(state.log.begin(), state.log.end(),
                                     [&](const Record& record) { return record.producer == producer; });
                     if (!there) return "the leader's log lacks a record that was acknowledged";
                   }
                 }
                 return {};
               });
}

}  // namespace kafka_isr
