#include "systems/two_phase_commit/two_phase_commit.hpp"

#include <string>

namespace two_phase_commit {

struct Options {
  Bug bug = Bug::none;
  std::uint32_t replicas = 2;
  std::uint32_t clients = 2;
  std::uint32_t timeouts = 1;
  gainsay::Delivery order = gainsay::Delivery::causal;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "votes are counted separately for each transaction");
    d.value(Bug::stale_votes, "votes of an aborted transaction count for the next one");
    d.field(&Options::replicas, "how many replicas vote").range(1, 8);
    d.field(&Options::clients, "how many clients write, then read").range(1, 8);
    d.field(&Options::timeouts, "how often the coordinator's timer may fire in an execution").range(0, 8);
    d.field(&Options::order, "delivery order");
  }
};

GAINSAY_SCENARIO(two_phase_commit, "Replicas vote on writes; the coordinator's timer may cut a vote short",
                 Options) {
  using gainsay::Complaint;
  using gainsay::View;

  world.order(options.order);
  world.timer_budget<Timeout>(options.timeouts);
  const auto replicas = world.group<Replica>("replica", options.replicas);
  const auto coordinator = world.spawn("coordinator", Coordinator{.replicas = replicas, .bug = options.bug});
  world.group<Client>("client", options.clients,
                      [=](std::size_t) { return Client{.coordinator = coordinator}; });

  world.always("atomicity", {coordinator, replicas}, [=](View v) -> Complaint {
    for (const Transaction transaction : v[coordinator].committed) {
      for (const auto replica : replicas) {
        if (!v[replica].agreed.contains(transaction)) {
          return "transaction " + std::to_string(transaction) +
                 " was committed without the vote of replica " + std::to_string(replicas.index(replica));
        }
      }
    }
    return {};
  });
  world.reached("a transaction commits", coordinator,
                [=](View v) { return !v[coordinator].committed.empty(); });
  world.reached("a transaction aborts", coordinator, [=](View v) { return v[coordinator].aborted > 0; });
}

}  // namespace two_phase_commit
