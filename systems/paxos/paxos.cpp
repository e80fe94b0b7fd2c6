#include "systems/paxos/paxos.hpp"

#include <string>

namespace paxos {

struct Options {
  Bug bug = Bug::none;
  std::uint32_t proposers = 2;
  std::uint32_t acceptors = 3;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "a proposer is bound by the vote of the highest ballot");
    d.value(Bug::lowest,
            "a proposer is bound by the vote of the lowest ballot; shows with proposers=3 or more");
    d.field(&Options::proposers, "how many proposers compete").range(1, 8);
    d.field(&Options::acceptors, "how many acceptors vote").range(1, 9);
  }
};

GAINSAY_SCENARIO(paxos, "Proposers with one ballot each compete for a value", Options) {
  using gainsay::Complaint;
  using gainsay::View;

  const auto acceptors = world.group<Acceptor>("acceptor", options.acceptors);
  const auto proposers = world.group<Proposer>("proposer", options.proposers, [&](std::size_t i) {
    return Proposer{.index = static_cast<std::int32_t>(i), .acceptors = acceptors, .bug = options.bug};
  });
  for (const auto proposer : proposers) world.send(proposer, Start{});

  world.always("agreement", proposers, [=](View v) -> Complaint {
    const Proposer* first = nullptr;
    for (const auto each : proposers) {
      const Proposer& proposer = v[each];
      if (!proposer.has_chosen()) continue;
      if (first == nullptr) {
        first = &proposer;
      } else if (first->proposal() != proposer.proposal()) {
        return "proposer " + std::to_string(first->index) + " has chosen " +
               std::to_string(first->proposal()) + ", proposer " + std::to_string(proposer.index) +
               " has chosen " + std::to_string(proposer.proposal());
      }
    }
    return {};
  });
  world.reached("a value is chosen", proposers, [=](View v) {
    for (const auto proposer : proposers) {
      if (v[proposer].has_chosen()) return true;
    }
    return false;
  });
}

}  // namespace paxos
