#include "systems/cache_coherence/cache_coherence.hpp"

namespace cache_coherence {

using gainsay::Context;

// --- the host ---

void Host::table(gainsay::Table<Host>& t) {
  t.start(State::receiving);
  t.in(State::receiving)
      .on<RequestShare>(&Host::share)
      .on<RequestExclusive>(&Host::exclusive)
      .may_go_to(State::invalidating);
  t.in(State::invalidating)
      .entry(&Host::invalidate)
      .defer<RequestShare, RequestExclusive>()
      .go_to<AllInvalid>(State::receiving);
  // With early_grant acknowledgements still come when the host is done.
  t.in(State::receiving, State::invalidating).on<InvalidateAck>(&Host::acknowledged);
}

void Host::share(Context& ctx) {
  requester = ctx.sender();
  wants_exclusive = false;
  if (exclusive_granted) {
    ctx.go_to(State::invalidating);
  } else {
    grant(ctx);
  }
}

// Also the copy of the requester itself is invalidated: it may have been granted meanwhile, and it is simpler.
void Host::exclusive(Context& ctx) {
  requester = ctx.sender();
  wants_exclusive = true;
  if (!sharers.empty()) {
    ctx.go_to(State::invalidating);
  } else {
    grant(ctx);
  }
}

void Host::invalidate(Context& ctx) {
  to_acknowledge.insert(sharers.begin(), sharers.end());
  for (const gainsay::ActorId sharer : sharers) ctx.send(gainsay::Ref<Cache>(sharer), Invalidate{});
  sharers.clear();
  exclusive_granted = false;
}

void Host::acknowledged(const InvalidateAck&, Context& ctx) {
  to_acknowledge.erase(ctx.sender());
  if (machine.state != State::invalidating) return;
  if (!to_acknowledge.empty() && bug != Bug::early_grant) return;
  grant(ctx);
  ctx.raise(AllInvalid{});
}

void Host::grant(Context& ctx) {
  sharers.insert(requester);
  exclusive_granted = wants_exclusive;
  if (wants_exclusive) {
    ctx.send(gainsay::Ref<Cache>(requester), GrantExclusive{});
  } else {
    ctx.send(gainsay::Ref<Cache>(requester), GrantShare{});
  }
}

// --- caches ---

void Cache::table(gainsay::Table<Cache>& t) {
  t.start(State::invalid);
  t.in(State::invalid)
      .go_to<AskShare>(State::asked_share, &Cache::ask_share)
      .go_to<AskExclusive>(State::asked_exclusive, &Cache::ask_exclusive);
  t.in(State::asked_share).go_to<GrantShare>(State::sharing);
  t.in(State::asked_exclusive).go_to<GrantExclusive>(State::exclusive);
  t.in(State::sharing)
      .go_to<AskExclusive>(State::upgrading, &Cache::ask_exclusive)
      .ignore<AskShare>()
      .go_to<Invalidate>(State::invalid, &Cache::give_up);
  t.in(State::upgrading)
      .go_to<GrantExclusive>(State::exclusive)
      .on<Invalidate>(&Cache::give_up_while_upgrading)
      .may_go_to(State::asked_exclusive);
  t.in(State::exclusive).ignore<AskShare, AskExclusive>().go_to<Invalidate>(State::invalid, &Cache::give_up);
  t.in(State::asked_share, State::asked_exclusive, State::upgrading).defer<AskShare, AskExclusive>();
}

// What it waits for is better than what it loses, but until then it has nothing.
void Cache::give_up_while_upgrading(Context& ctx) {
  give_up(ctx);
  if (bug != Bug::kept_copy) ctx.go_to(State::asked_exclusive);
}

// --- the cpu ---

void Cpu::on(const Next&, Context& ctx) {
  if (asks == 0) return;
  --asks;
  const auto cache = caches[ctx.choose(static_cast<std::uint32_t>(caches.size()))];
  if (ctx.choose(2) == 0) {
    ctx.send(cache, AskShare{});
  } else {
    ctx.send(cache, AskExclusive{});
  }
  ctx.send(ctx.self(*this), Next{});
}

struct Options {
  Bug bug = Bug::none;
  std::uint32_t caches = 3;
  std::uint32_t asks = 6;
  gainsay::Delivery order = gainsay::Delivery::causal;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "the host waits for every acknowledgement; a cache that gives up has nothing");
    d.value(Bug::early_grant, "the host grants when the first copy is acknowledged to be invalid");
    d.value(Bug::kept_copy, "a cache that waits for exclusive access keeps its shared copy meanwhile");
    d.field(&Options::caches, "how many caches there are").range(1, 8);
    d.field(&Options::asks, "how often the cpu asks").range(1, 1000);
    d.field(&Options::order, "delivery order; the protocol needs at least fifo");
  }
};

GAINSAY_SCENARIO(cache_coherence, "Caches share a line, or one has it alone (German's protocol)", Options) {
  using gainsay::Complaint;
  using gainsay::View;

  world.order(options.order);
  const auto host = world.spawn("host", Host{.bug = options.bug});
  const auto caches = world.group<Cache>(
      "cache", options.caches, [&](std::size_t) { return Cache{.host = host, .bug = options.bug}; });
  world.spawn("cpu", Cpu{.caches = caches, .asks = options.asks});

  world.always("coherence", caches, [=](View v) -> Complaint {
    std::string writer;
    std::string reader;
    for (const auto each : caches) {
      const std::string name = "cache " + std::to_string(caches.index(each));
      if (v[each].may_write()) {
        if (!writer.empty()) return writer + " and " + name + " both have the line exclusively";
        writer = name;
      }
      if (v[each].may_read()) reader = name;
    }
    if (!writer.empty() && !reader.empty())
      return writer + " has the line exclusively, and " + reader + " has a copy";
    return {};
  });
  world.reached("a cache has the line exclusively", caches, [=](View v) {
    for (const auto each : caches) {
      if (v[each].may_write()) return true;
    }
    return false;
  });
}

}  // namespace cache_coherence
