// A register with a primary, which takes writes, and a backup, which answers reads.
//
// A client's write goes to the primary, which sends it to the backup, and answers once the backup has it. So a write
// takes effect when it reaches the backup, which is between its invocation and its answer. The seeded bug breaks that,
// and only the clients can tell: no invariant over the states is broken.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "gainsay/gainsay.hpp"
#include "gainsay/oracle/specs/register.hpp"

namespace replicated_register {

enum class Bug { none, early_answer };

using Spec = gainsay::specs::Register<int>;

struct Client;

struct Store {
  int value = 0;
};
struct Stored {};
struct Replicate {
  std::uint32_t number = 0;
  int value = 0;
};
struct Replicated {
  std::uint32_t number = 0;
};
struct Load {};
struct Loaded {
  int value = 0;
};

struct Backup {
  using Receives = gainsay::Messages<Replicate, Load>;
  int value = 0;

  void on(const Replicate& replicate, gainsay::Context& ctx) {
    value = replicate.value;
    ctx.reply(Replicated{replicate.number});
  }
  void on(const Load&, gainsay::Context& ctx) { ctx.reply(Loaded{value}); }
};

struct Primary {
  using Receives = gainsay::Messages<Store, Replicated>;
  gainsay::Ref<Backup> backup;
  bool answers_early = false;
  std::uint32_t writes = 0;
  std::map<std::uint32_t, gainsay::ActorId> waiting_clients;  // by number of the write

  void on(const Store& store, gainsay::Context& ctx) {
    ++writes;
    ctx.send(backup, Replicate{writes, store.value});
    if (answers_early) {
      ctx.reply(Stored{});
    } else {
      waiting_clients[writes] = ctx.sender();
    }
  }
  void on(const Replicated& replicated, gainsay::Context& ctx);
};

// Writes its value, then reads.
struct Client {
  using Receives = gainsay::Messages<Stored, Loaded>;
  gainsay::Ref<Primary> primary;
  gainsay::Ref<Backup> backup;
  int value = 0;
  gainsay::Invocation operation{};
  std::optional<int> seen;

  bool waiting() const { return !seen.has_value(); }

  void on_start(gainsay::Context& ctx) {
    operation = ctx.invoke(Spec::Write{value});
    ctx.send(primary, Store{value});
  }
  void on(const Stored&, gainsay::Context& ctx) {
    ctx.complete(operation, gainsay::specs::Done{});
    operation = ctx.invoke(Spec::Read{});
    ctx.send(backup, Load{});
  }
  void on(const Loaded& loaded, gainsay::Context& ctx) {
    seen = loaded.value;
    ctx.complete(operation, loaded.value);
  }
};

inline void Primary::on(const Replicated& replicated, gainsay::Context& ctx) {
  const auto client = waiting_clients.find(replicated.number);
  if (client == waiting_clients.end()) return;
  ctx.send(gainsay::Ref<Client>(client->second), Stored{});
  waiting_clients.erase(client);
}

}  // namespace replicated_register
