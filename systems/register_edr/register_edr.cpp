#include "systems/register_edr/register_edr.hpp"

namespace register_edr {

struct Options {
  Bug bug = Bug::none;
  std::string harness = "2r+1w";
  std::uint32_t agents = 3;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "reads ask a majority and leave what they saw with one");
    d.value(Bug::local_read, "reads are answered at once, with what the agent happens to have");
    d.field(&Options::harness, "the operations of the clients: 2r+1w, 2r+2w, ...");
    d.field(&Options::agents, "how many agents there are").range(2, 9);
  }
};

GAINSAY_SCENARIO(register_edr, "DS2's erroneous register: writes reach a majority, reads ask nobody",
                 Options) {
  const auto agents = world.group<Agent>(
      "agent", options.agents,
      [&](std::size_t, gainsay::Group<Agent> all) { return Agent{.all = all, .bug = options.bug}; });
  ds2::send_register_operations(world, options.harness, agents);
  ds2::one_key<Write, WriteReplica, WriteReplicaAck, Read, ReadReplica, ReadReplicaAck, WriteBack,
               WriteBackAck>(world);
}

}  // namespace register_edr
