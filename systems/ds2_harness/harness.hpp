// The test harness of DS2 (Al-Mahfoudh, Stutsman, Gopalakrishnan: "Efficient linearizability checking for actor-based
// systems", arXiv 2110.06407, section 4), which its five subject systems share.
//
// A harness is a number of reads and writes, all pending when an execution begins, each of a client of its own. From
// the endless list write, read, read, write, read, read, ... operation j goes to agent j mod N; then the first so many
// writes and reads are kept. Clients take no steps: an operation begins where an agent handles it, and it ends in the
// handler that answers. So answers are no events, and nothing but the agents' messages is scheduled.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <vector>

#include "gainsay/gainsay.hpp"

namespace ds2 {

// Has a name and one operation, and nothing to do.
struct Client {
  using Receives = gainsay::Messages<>;
};

struct Operation {
  bool writes = false;
  std::uint32_t ordinal = 0;  // among the writes or the reads of the list, from 0
  std::size_t agent = 0;
};

inline constexpr std::uint32_t operations_max = 8;

// "2r+1w": two reads, one write.
inline std::vector<Operation> operations(const std::string& harness, std::size_t agents) {
  std::uint32_t reads = 0;
  std::uint32_t writes = 0;
  const char* const end = harness.data() + harness.size();
  const auto number = [end](const char* from, char unit, std::uint32_t& n) {
    const auto [rest, error] = std::from_chars(from, end, n);
    const bool fits = error == std::errc{} && rest != end && *rest == unit && n <= operations_max;
    return fits ? rest + 1 : nullptr;
  };
  const char* at = number(harness.data(), 'r', reads);
  if (at != nullptr) at = at != end && *at == '+' ? number(at + 1, 'w', writes) : nullptr;
  if (at != end || reads + writes == 0)
    throw gainsay::UserError("option 'harness': '" + harness +
                             "' does not fit; expected reads and writes, such as " +
                             "2r+1w or 2r+2w, at most " + std::to_string(operations_max) + " of each");
  std::vector<Operation> kept;
  for (std::uint32_t j = 0; j < 3 * (reads + writes + 1); ++j) {
    const bool is_write = j % 3 == 0;
    const std::uint32_t ordinal = is_write ? j / 3 : j - j / 3 - 1;
    if (ordinal < (is_write ? writes : reads)) kept.push_back({is_write, ordinal, j % agents});
  }
  return kept;
}

// Gives every operation to its agent, as message(operation, client).
template <class Agent, class Message>
void send_operations(gainsay::World& world, const std::string& harness, gainsay::Group<Agent> agents,
                     Message message) {
  const std::vector<Operation> all = operations(harness, agents.size());
  const auto clients = world.group<Client>("client", all.size());
  for (std::size_t i = 0; i < all.size(); ++i) message(all[i], clients[i], agents[all[i].agent]);
}

// Everybody in the group but oneself.
template <class A, class M>
void send_to_others(gainsay::Context& ctx, gainsay::Group<A> all, const M& message) {
  for (const gainsay::Ref<A> each : all) {
    if (each != ctx.self()) ctx.send(each, message);
  }
}

}  // namespace ds2
