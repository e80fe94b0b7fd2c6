#include "systems/register_adr/register_adr.hpp"

namespace register_adr {

struct Options {
  Bug bug = Bug::none;
  std::string harness = "2r+1w";
  Retries retries = Retries::off;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "a read is answered when all agents have the same value");
    d.value(Bug::local_read,
            "a read is answered immediately: the later of two reads may see the older value");
    d.field(&Options::harness, "the operations of the clients: 2r+1w, 2r+2w, ...");
    d.field(&Options::retries, "what happens to a read if agents differ");
    d.value(Retries::off, "nothing, as in the paper's implementation: it is never answered");
    d.value(Retries::on, "all are asked again, up to three times");
  }
};

GAINSAY_SCENARIO(register_adr, "DS2's register without a leader: everybody must agree", Options) {
  const auto agents = world.group<Agent>("agent", 2, [&](std::size_t, gainsay::Group<Agent> all) {
    return Agent{.all = all, .bug = options.bug, .retries = options.retries};
  });
  ds2::send_register_operations(world, options.harness, agents);
  ds2::one_key<Write, Replication, ReplicationAck, Read, ReadReplica, ReadReplicaAck>(world);
}

}  // namespace register_adr
