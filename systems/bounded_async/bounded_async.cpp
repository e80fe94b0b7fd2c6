#include "systems/bounded_async/bounded_async.hpp"

namespace bounded_async {

struct Options {
  Bug bug = Bug::none;
  std::uint32_t processes = 3;
  std::uint32_t rounds = 3;
  gainsay::Delivery order = gainsay::Delivery::causal;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "a round begins when all processes have asked for it");
    d.value(Bug::early_release, "a round begins when all processes but one have asked for it");
    d.field(&Options::processes, "how many processes stand in the ring").range(2, 8);
    d.field(&Options::rounds, "how far each process counts").range(1, 10);
    d.field(&Options::order, "in which order messages are delivered; the property needs causal or mailbox");
  }
};

GAINSAY_SCENARIO(bounded_async, "Processes in a ring count in rounds that a scheduler releases", Options) {
  using gainsay::Group;
  using gainsay::View;

  world.order(options.order);
  const auto scheduler = world.declare<Scheduler>("scheduler");
  const auto processes =
      world.group<Process>("process", options.processes, [&](std::size_t i, Group<Process> ring) {
        return Process{.scheduler = scheduler,
                       .left = ring[(i + ring.size() - 1) % ring.size()],
                       .right = ring[(i + 1) % ring.size()],
                       .rounds = options.rounds};
      });
  world.init(scheduler, Scheduler{.processes = processes, .bug = options.bug});

  world.reached("every process has counted all rounds", processes, [=](View v) {
    for (const auto process : processes) {
      if (v[process].waiting()) return false;
    }
    return true;
  });
}

}  // namespace bounded_async
