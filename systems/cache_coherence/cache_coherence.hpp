// A directory-based cache coherence protocol: caches share a line, or one of them has it alone.
//
// A CPU asks caches for shared or exclusive access; a cache that lacks it asks the host. The host serves one
// request at a time: before it grants, it has the copies invalidated that stand in the way, and waits until each
// of their caches has said so. Invariant: at most one cache has the line exclusively, and then no other has it
// at all. After German's protocol, as it is a sample of P# (Deligiannis et al., "Asynchronous Programming,
// Analysis and Testing with State Machines", PLDI 2015), which itself asserts nothing.
//
// Where we differ from the sample: there, the host never forgets that it granted exclusive access once, so that
// every later request for a shared copy invalidates all others, which is slow and not wrong; the CPU asks without
// end, here so many times. The protocol counts on links that keep their order: an invalidation must not overtake
// the grant before it.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "gainsay/gainsay.hpp"

namespace cache_coherence {

enum class Bug { none, early_grant, kept_copy };

struct Cache;

// cpu -> cache
struct AskShare {};
struct AskExclusive {};
// cache -> host
struct RequestShare {};
struct RequestExclusive {};
struct InvalidateAck {};
// host -> cache
struct Invalidate {};
struct GrantShare {};
struct GrantExclusive {};
// within a machine
struct AllInvalid {};

struct Host {
  enum class State { receiving, invalidating };
  using Receives = gainsay::Messages<RequestShare, RequestExclusive, InvalidateAck>;

  gainsay::Machine<State> machine{};
  Bug bug = Bug::none;
  std::set<gainsay::ActorId> sharers{};          // all that have a copy, also an exclusive one
  bool exclusive_granted = false;                // the one sharer has it exclusively
  gainsay::ActorId requester = gainsay::nobody;  // whom it works for
  bool wants_exclusive = false;
  std::set<gainsay::ActorId> to_acknowledge{};

  static void table(gainsay::Table<Host>& t);
  void share(gainsay::Context& ctx);
  void exclusive(gainsay::Context& ctx);
  void invalidate(gainsay::Context& ctx);
  void acknowledged(const InvalidateAck&, gainsay::Context& ctx);
  void grant(gainsay::Context& ctx);
};

// The state says what copy there is and what was asked for.
struct Cache {
  enum class State { invalid, asked_share, asked_exclusive, sharing, upgrading, exclusive };
  using Receives = gainsay::Messages<AskShare, AskExclusive, Invalidate, GrantShare, GrantExclusive>;

  gainsay::Machine<State> machine{};
  gainsay::Ref<Host> host{};
  Bug bug = Bug::none;

  bool may_read() const { return machine.state == State::sharing || machine.state == State::upgrading; }
  bool may_write() const { return machine.state == State::exclusive; }
  std::string waiting() const {
    const bool asked = machine.state == State::asked_share || machine.state == State::asked_exclusive ||
                       machine.state == State::upgrading;
    return asked ? "it has asked the host for access" : "";
  }

  static void table(gainsay::Table<Cache>& t);
  void ask_share(gainsay::Context& ctx) { ctx.send(host, RequestShare{}); }
  void ask_exclusive(gainsay::Context& ctx) { ctx.send(host, RequestExclusive{}); }
  void give_up(gainsay::Context& ctx) { ctx.send(host, InvalidateAck{}); }
  void give_up_while_upgrading(gainsay::Context& ctx);
};

// Asks some cache for some access, so many times.
struct Next {};
struct Cpu {
  using Receives = gainsay::Messages<Next>;
  gainsay::Group<Cache> caches{};
  std::uint32_t asks = 6;

  void on_start(gainsay::Context& ctx) { ctx.send(ctx.self(*this), Next{}); }
  void on(const Next&, gainsay::Context& ctx);
};

}  // namespace cache_coherence
