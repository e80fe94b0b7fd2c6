#include "systems/replicated_register/replicated_register.hpp"

namespace replicated_register {

struct Options {
  Bug bug = Bug::none;
  std::uint32_t clients = 2;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "a write is answered when the backup has it");
    d.value(Bug::early_answer, "a write is answered before the backup has it: a later read may miss it");
    d.field(&Options::clients, "how many clients write and then read");
  }
};

GAINSAY_SCENARIO(replicated_register, "A register with reads answered by a backup", Options) {
  const auto backup = world.spawn<Backup>("backup");
  const auto primary =
      world.spawn("primary", Primary{.backup = backup, .answers_early = options.bug == Bug::early_answer});
  world.group<Client>("client", options.clients, [&](std::size_t i) {
    return Client{.primary = primary, .backup = backup, .value = static_cast<int>(i) + 1};
  });
  world.linearizable<Spec>();
}

}  // namespace replicated_register
