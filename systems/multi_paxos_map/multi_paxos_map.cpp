#include "systems/multi_paxos_map/multi_paxos_map.hpp"

namespace multi_paxos_map {

// --- from clients ---

void Agent::on(const ProposeCommand& command, gainsay::Context& ctx) {
  ctx.invoke_for(command.client, ds2::MapSpec::Put{command.key, command.value});
  ctx.send(all[0], Propose{command.key, command.value, command.client});
}

void Agent::on(const Request& request, gainsay::Context& ctx) {
  ctx.invoke_for(request.client, ds2::MapSpec::Get{request.key});
  if (bug == Bug::local_read) return ctx.complete_for(request.client, learned_value(request.key));
  ctx.send(all[0], Prepare{{request.client, request.key, Kind::read, 0}, {}});
}

// --- between agents ---

void Agent::on(const Propose& propose, gainsay::Context& ctx) {
  ++latest;
  log[propose.client] = {.number = latest, .value = propose.value};
  ctx.send(all, Prepare{{propose.client, propose.key, Kind::write, latest}, propose.value});
}

void Agent::on(const Prepare& prepare, gainsay::Context& ctx) {
  const Instance& instance = prepare.instance;
  if (instance.kind == Kind::read) return ctx.reply(Promise{instance, learned_value(instance.key)});
  latest = std::max(latest, instance.number);
  log.try_emplace(instance.client, Record{.number = instance.number, .value = prepare.value});
  if (instance.number >= latest) {
    ctx.reply(Promise{instance, prepare.value});
  } else {
    ctx.reply(Nack{instance, latest, prepare.value});
  }
}

void Agent::on(const Promise& promise, gainsay::Context& ctx) {
  const Instance& instance = promise.instance;
  if (instance.kind == Kind::read) return ctx.complete_for(instance.client, promise.value);
  Record& record = log.at(instance.client);
  ++record.answers;
  if (promise.value == record.value) ++record.promises;
  if (record.promises >= quorum()) {
    ctx.send(all, Accept{instance, record.value});
  } else if (record.answers == all.count) {
    prepare_again(instance, latest + 1, ctx);
  }
}

void Agent::on(const Nack& nack, gainsay::Context& ctx) {
  Record& record = log.at(nack.instance.client);
  if (nack.higher <= record.number) return;
  ++record.answers;
  ++record.nacks;
  if (record.nacks >= quorum() || record.answers == all.count)
    prepare_again(nack.instance, nack.higher + 1, ctx);
}

void Agent::prepare_again(const Instance& instance, Number number, gainsay::Context& ctx) {
  Record& record = log.at(instance.client);
  record = {.number = number, .value = record.value, .answered = record.answered};
  ctx.send(all, Prepare{{instance.client, instance.key, instance.kind, number}, record.value});
}

void Agent::on(const Accept& accept, gainsay::Context& ctx) {
  ctx.reply(Accepted{accept.instance, accept.value});
}

void Agent::on(const Accepted& accepted, gainsay::Context& ctx) {
  Record& record = log.at(accepted.instance.client);
  if (accepted.value == record.value) ++record.accepted;
  if (record.accepted < quorum() || record.answered) return;
  record.answered = true;
  learned[accepted.instance.key] = record.value;
  ctx.complete_for(accepted.instance.client, gainsay::specs::Done{});
}

struct Options {
  Bug bug = Bug::none;
  std::string harness = "2r+1w";

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "reads are answered by the leader");
    d.value(Bug::local_read, "reads are answered from what the agent itself has learned, which is nothing");
    d.field(&Options::harness, "the operations of the clients: 2r+1w, 2r+2w, ...");
  }
};

// As in the paper's harness of LiViola: what clients send is about no key. Proposal numbers are shared between keys, so
// that handlers of different keys do touch something in common.
template <class... M> void key_by_instance(gainsay::World& world) {
  (world.key<M>([](const M& message) { return message.instance.key; }), ...);
}

GAINSAY_SCENARIO(multi_paxos_map, "DS2's Multi-Paxos: a map with agreement on every write", Options) {
  const auto agents = world.group<Agent>("agent", 2, [&](std::size_t, gainsay::Group<Agent> all) {
    return Agent{.all = all, .bug = options.bug};
  });
  ds2::send_operations(
      world, options.harness, agents,
      [&](const ds2::Operation& operation, gainsay::ActorId client, gainsay::Ref<Agent> agent) {
        const Key key = ds2::key_of(operation);
        if (operation.writes) {
          world.send_from(client, agent, ProposeCommand{key, ds2::value_of(operation), client});
        } else {
          world.send_from(client, agent, Request{key, client});
        }
      });
  world.linearizable<ds2::MapSpec>();
  world.key<Propose>([](const Propose& m) { return m.key; });
  key_by_instance<Prepare, Promise, Nack, Accept, Accepted>(world);
}

}  // namespace multi_paxos_map
