// A lease with fencing, in simulated time. Whoever holds the lease may write; the lease ends by itself, also while a
// write is still on its way. So each lease has a number, its token, and the store must refuse writes with an old one.
//
//   lease hunt lease --option bug=no_fencing     a late write of the last holder overwrites a newer one
//   lease hunt lease --strategy dfs              with fencing: no execution within the bounds does
#include <gainsay/gainsay.hpp>

using namespace gainsay;
using namespace std::chrono_literals;

namespace lease {

enum class Bug { none, no_fencing };
struct Options {
  Bug bug = Bug::none;
  static void describe(Describe<Options>& d) {
    d.value(Bug::no_fencing, "the store takes every write, whatever its token");
  }
};

struct Client;

struct Acquire {
  Ref<Client> client{};
};
struct Granted {
  int token = 0;
};
struct Expired {};
struct Write {
  int token = 0;
};

struct Store {
  using Receives = Messages<Write>;
  Bug bug = Bug::none;
  int newest = 0;

  void on(const Write& write, Context& ctx) {
    if (bug == Bug::none && write.token < newest) return;  // fenced off
    ctx.check(write.token >= newest, "an old write overwrote a newer one");
    newest = write.token;
  }
};

struct LeaseServer {
  using Receives = Messages<Acquire, Expired>;
  int tokens = 0;
  bool held = false;
  std::vector<Ref<Client>> waiting{};

  void on(const Acquire& acquire, Context& ctx) {
    waiting.push_back(acquire.client);
    grant(ctx);
  }
  void on(const Expired&, Context& ctx) {
    held = false;
    grant(ctx);
  }
  void grant(Context& ctx);
};

struct Client {
  using Receives = Messages<Granted>;
  Ref<LeaseServer> server{};
  Ref<Store> store{};

  void on_start(Context& ctx) { ctx.send(server, Acquire{ctx.self(*this)}); }
  void on(const Granted& granted, Context& ctx) { ctx.send(store, Write{granted.token}); }
};

void LeaseServer::grant(Context& ctx) {
  if (held || waiting.empty()) return;
  held = true;
  ctx.send(waiting.front(), Granted{++tokens});
  waiting.erase(waiting.begin());
  ctx.after(10ms, Expired{});
}

GAINSAY_SCENARIO(lease, "Two clients write under a lease that ends by itself", Options) {
  world.simulated_time();
  world.latency(1ms, 30ms);
  const auto store = world.spawn("store", Store{.bug = options.bug});
  const auto server = world.spawn<LeaseServer>("server");
  world.group<Client>("client", 2, [&](std::size_t) { return Client{.server = server, .store = store}; });
  world.reached("both leases were used", store, [store](View v) { return v[store].newest == 2; });
}

}  // namespace lease
