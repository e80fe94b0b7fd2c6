#include "systems/failure_detector/failure_detector.hpp"

namespace failure_detector {

struct Options {
  Bug bug = Bug::none;
  std::uint32_t nodes = 2;
  bool halts = true;
  std::uint32_t rounds = 0;
  gainsay::Delivery order = gainsay::Delivery::causal;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "answers to earlier rounds are ignored; a late client hears of earlier failures");
    d.value(Bug::stale_pongs, "an answer to an earlier round counts for this one (safety)");
    d.value(Bug::late_client,
            "nodes that failed before a client registers are never reported to it (liveness)");
    d.field(&Options::nodes, "how many nodes are watched").range(1, 5);
    d.field(&Options::halts, "whether the driver halts the nodes");
    d.field(&Options::rounds,
            "number of rounds after which the detector stops if no node is halted; 0: when no node is left")
        .range(0, 100);
    d.field(&Options::order, "delivery order; the property needs at least fifo");
  }
};

GAINSAY_SCENARIO(failure_detector, "A detector pings nodes in rounds and reports those that do not answer",
                 Options) {
  using gainsay::View;

  world.order(options.order);
  const auto nodes = world.group<Node>("node", options.nodes);
  const auto timer = world.declare<Timer>("timer");
  const auto detector = world.spawn(
      "detector",
      Detector{.nodes = nodes,
               .timer = timer,
               .bug = options.bug,
               .rounds = options.halts ? 0 : options.rounds});  // all that are halted are reported
  world.init(timer, Timer{.detector = detector});
  world.spawn("driver", Driver{.detector = detector, .nodes = nodes, .halts = options.halts});

  world.monitor<Safety>("pings are answered");
  world.monitor<Liveness>("failures are reported");
  world.reached("a round is completed", detector, [=](View v) { return v[detector].round > 0; });
}

}  // namespace failure_detector
