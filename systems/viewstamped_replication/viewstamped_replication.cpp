#include <algorithm>
#include <string>

#include "systems/viewstamped_replication/model.hpp"
#include "systems/viewstamped_replication/options.hpp"

namespace viewstamped_replication {
namespace {

using gainsay::Complaint;
using gainsay::Ref;
using gainsay::View;

// What is known to be committed.
std::size_t committed(const Replica& replica) {
  return std::min<std::size_t>(replica.commit, replica.log.size());
}

}  // namespace

GAINSAY_SCENARIO(viewstamped_replication,
                 "Replicas of a log change views, commit queries and pass the log on to other members",
                 Options) {
  const Plan plan = plan_of(options);
  std::vector<Ref<Replica>> replicas;
  for (const std::string& name : plan.names) replicas.push_back(world.declare<Replica>(name));
  const Constants constants = constants_of(plan, options.bug);
  std::vector<Ref<Replica>> full;
  for (const Ref<Replica> replica : replicas) {
    world.init(replica, Replica::make(replica, constants));
    world.send_from(replica, replica, TimeOut{});
    if (constants.witnesses.contains(replica)) continue;
    full.push_back(replica);
    world.send_from(replica, replica, ClientQuery{});
    if (!constants.new_members.empty() && std::ranges::count(constants.old_members, replica) > 0)
      world.send_from(replica, replica, Reconfigure{});
  }

  const std::vector<gainsay::ActorId> with_log(full.begin(), full.end());
  world.always("prefix log consistency", with_log, [=](View v) -> Complaint {
    for (auto a = full.begin(); a != full.end(); ++a) {
      const Replica& one = v[*a];
      const auto end = one.log.begin() + static_cast<std::ptrdiff_t>(committed(one));
      for (auto b = a + 1; b != full.end(); ++b) {
        const Replica& other = v[*b];
        const auto other_end = other.log.begin() + static_cast<std::ptrdiff_t>(committed(other));
        const auto [differs, there] = std::mismatch(one.log.begin(), end, other.log.begin(), other_end);
        if (differs != end && there != other_end)
          return "committed prefixes of " + plan.names[a->raw] + " and " + plan.names[b->raw] + " differ";
      }
    }
    return {};
  });
  world.always("commit within the log", with_log, [=](View v) -> Complaint {
    for (const Ref<Replica> each : full) {
      if (v[each].commit > v[each].log.size())
        return plan.names[each.raw] + " has committed more than its log has";
    }
    return {};
  });
  // Every execution ends, and then whoever is a member has everything; whoever has left is off.
  world.finally("log commit progress", [=](View v) -> Complaint {
    const Number epoch = constants.new_members.empty() ? 0 : 1;
    for (const Ref<Replica> each : full) {
      const Replica& replica = v[each];
      if (!replica.is_member(epoch)) {
        if (replica.status != Status::shut_down) return plan.names[each.raw] + " never shuts down";
        continue;
      }
      if (replica.status != Status::normal || replica.current.epoch != epoch)
        return plan.names[each.raw] + " is not in normal operation";
      if (replica.queries() != constants.queries) return plan.names[each.raw] + " has not got all queries";
      if (replica.commit != replica.length()) return plan.names[each.raw] + " has not committed all it has";
    }
    return {};
  });
  if (constants.queries == 0) return;
  world.reached("a query is committed", [=](View v) {
    return std::ranges::any_of(full, [&](Ref<Replica> each) {
      const Replica& replica = v[each];
      return std::any_of(replica.log.begin(),
                         replica.log.begin() + static_cast<std::ptrdiff_t>(committed(replica)),
                         [](const Entry& entry) { return entry.kind == Entry::Kind::query; });
    });
  });
}

}  // namespace viewstamped_replication
