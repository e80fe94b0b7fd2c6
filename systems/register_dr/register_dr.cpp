#include "systems/register_dr/register_dr.hpp"

namespace register_dr {

struct Options {
  Bug bug = Bug::none;
  std::string harness = "2r+1w";

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "the register as the paper describes it");
    d.value(Bug::forwarded_write,
            "the leader forgets the client of a forwarded write, which is never answered; shows with "
            "harness=2r+2w");
    d.field(&Options::harness, "the operations of the clients: 2r+1w, 2r+2w, ...");
  }
};

GAINSAY_SCENARIO(register_dr, "DS2's replicated register: a leader asks a majority", Options) {
  const auto agents = world.group<Agent>("agent", 2, [&](std::size_t, gainsay::Group<Agent> all) {
    return Agent{.all = all, .bug = options.bug};
  });
  ds2::send_register_operations(world, options.harness, agents);
  ds2::one_key<Write, WriteReplica, Read, ReadReplica>(world);
  world.finally("every write is answered", [agents](gainsay::View v) -> gainsay::Complaint {
    if (!v[agents[0]].writes.empty())
      return "nothing can happen any more, but the leader still owes a write's answer";
    return {};
  });
}

}  // namespace register_dr
