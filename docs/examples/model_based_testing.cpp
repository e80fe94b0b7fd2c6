#include <deque>
#include <tuple>
#include <vector>

#include <gainsay/conform.hpp>

// --- the model ---

struct Ask {};
struct Leave {};
struct Yours {};

struct Lock;

struct Client {
  using Receives = gainsay::Messages<Ask, Leave, Yours>;
  gainsay::Ref<Lock> lock;
  bool has_it = false;
  void on(const Ask& ask, gainsay::Context& ctx);
  void on(const Leave& leave, gainsay::Context& ctx);
  void on(const Yours&) { has_it = true; }
};

struct Lock {
  using Receives = gainsay::Messages<Ask, Leave>;
  gainsay::ActorId holder;
  std::deque<gainsay::ActorId> waiting;

  void on(const Ask&, gainsay::Context& ctx) {
    waiting.push_back(ctx.sender());
    if (holder == gainsay::nobody) next(ctx);
  }
  void on(const Leave&, gainsay::Context& ctx) {
    std::erase(waiting, ctx.sender());
    if (holder == ctx.sender()) next(ctx);
  }
  void next(gainsay::Context& ctx) {
    holder = waiting.empty() ? gainsay::nobody : waiting.front();
    if (holder == gainsay::nobody) return;
    waiting.pop_front();
    ctx.send(gainsay::Ref<Client>(holder), Yours{});
  }
};

void Client::on(const Ask& ask, gainsay::Context& ctx) { ctx.send(lock, ask); }
void Client::on(const Leave& leave, gainsay::Context& ctx) {
  has_it = false;
  ctx.send(lock, leave);
}

GAINSAY_SCENARIO(lock_model, "Clients ask for a lock, and leave it or the queue") {
  const auto lock = world.spawn("lock", Lock{});
  for (const auto client :
       world.group<Client>("client", 2, [=](std::size_t) { return Client{.lock = lock}; })) {
    world.send(client, Ask{});
    world.send(client, Leave{});
  }
}

// --- the implementation ---

class LockTable {
 public:
  // Both return the client that now gets the lock; 0: nobody.
  int ask(int client) {
    queue_.push_back(client);
    return queue_.size() == 1 ? client : 0;
  }
  int leave(int client) {
    if (std::erase(queue_, client) == 0) return 0;
    return queue_.empty() ? 0 : queue_.front();
  }
  const std::vector<int>& queue() const { return queue_; }  // the first one has the lock
  auto members() const { return std::tie(queue_); }

 private:
  std::vector<int> queue_;
};

// --- the implementation as actors ---

struct LockServer {
  using Receives = gainsay::Messages<Ask, Leave>;
  LockTable locks;
  void on(const Ask&, gainsay::Context& ctx) { tell(locks.ask(static_cast<int>(ctx.sender().raw)), ctx); }
  void on(const Leave&, gainsay::Context& ctx) { tell(locks.leave(static_cast<int>(ctx.sender().raw)), ctx); }
  static void tell(int client, gainsay::Context& ctx) {
    if (client != 0)
      ctx.send(gainsay::Ref<Client>(gainsay::ActorId{static_cast<std::uint64_t>(client)}), Yours{});
  }
};

GAINSAY_SCENARIO(lock_server, "The lock as it is implemented") {
  const auto server = world.spawn("lock", LockServer{});
  const auto lock = gainsay::Ref<Lock>(server);  // the model's clients, unchanged
  for (const auto client :
       world.group<Client>("client", 2, [=](std::size_t) { return Client{.lock = lock}; })) {
    world.send(client, Ask{});
    world.send(client, Leave{});
  }
}

// --- the map from implementation to model ---

GAINSAY_CONFORM(lock_server) {
  map.actor<LockServer>([](const LockServer& server) {
    Lock lock;
    for (const int client : server.locks.queue())
      lock.waiting.push_back({static_cast<std::uint64_t>(client)});
    if (!lock.waiting.empty()) {
      lock.holder = lock.waiting.front();
      lock.waiting.pop_front();
    }
    return lock;
  });
}
