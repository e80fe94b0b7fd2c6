// What the three registers of DS2 share: the operations, and how they come to the agents.
//
// A message carries its client along, because agents pass it on; it comes from the client itself exactly once, and
// there the operation begins.
#pragma once

#include <string>

#include "gainsay/oracle/specs/register.hpp"
#include "systems/ds2_harness/harness.hpp"

namespace ds2 {

using RegisterSpec = gainsay::specs::Register<int>;

struct Write {
  int value = 0;
  gainsay::ActorId client{};
};
struct Read {
  gainsay::ActorId client{};
};

inline void begin(const Write& write, gainsay::Context& ctx) {
  if (ctx.sender() == write.client) ctx.invoke_for(write.client, RegisterSpec::Write{write.value});
}
inline void begin(const Read& read, gainsay::Context& ctx) {
  if (ctx.sender() == read.client) ctx.invoke_for(read.client, RegisterSpec::Read{});
}

// The writes write 1, 2, ...; the register holds 0 at first.
template <class Agent>
void send_register_operations(gainsay::World& world, const std::string& harness,
                              gainsay::Group<Agent> agents) {
  send_operations(world, harness, agents,
                  [&](const Operation& operation, gainsay::ActorId client, gainsay::Ref<Agent> agent) {
                    if (operation.writes) {
                      world.send_from(client, agent, Write{static_cast<int>(operation.ordinal) + 1, client});
                    } else {
                      world.send_from(client, agent, Read{client});
                    }
                  });
  world.linearizable<RegisterSpec>();
}

// What the paper's LiViola looks at: messages of these types, all about the one register. Others it never reorders.
template <class... M> void one_key(gainsay::World& world) {
  (world.key<M>([](const M&) { return 0; }), ...);
}

}  // namespace ds2
