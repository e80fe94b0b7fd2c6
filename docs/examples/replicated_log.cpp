// A replicated log whose replicas crash and restart. A replica must have an entry on its disk before it says so: the
// leader counts the answers of two of three replicas and then promises the entry to the client.
//
//   replicated_log hunt replicated_log --option bug=acknowledge_first    a promised entry is on too few disks
//   replicated_log explore replicated_log                                written first: proved, in every state
#include <gainsay/gainsay.hpp>

using namespace gainsay;

namespace replicated_log {

enum class Bug { none, acknowledge_first };
struct Options {
  Bug bug = Bug::none;
  static void describe(Describe<Options>& d) {
    d.value(Bug::acknowledge_first,
            "a replica answers at once, and writes when it is told that the entry is committed");
  }
};

struct Append {
  int entry = 0;
};
struct Appended {
  int entry = 0;
};
struct Commit {
  int entry = 0;
};

// What is on the disk of a replica: `persist` has one slot, so all of it is one value.
struct Disk {
  std::vector<int> log{};
};

struct Replica {
  using Receives = Messages<Append, Commit>;
  Bug bug = Bug::none;
  std::vector<int> log{};

  void on_restart(Context& ctx) { log = ctx.recover<Disk>().value_or(Disk{}).log; }
  void on(const Append& append, Context& ctx) {
    log.push_back(append.entry);
    if (bug == Bug::none) ctx.persist(Disk{log});
    ctx.reply(Appended{append.entry});
  }
  void on(const Commit&, Context& ctx) {
    if (bug == Bug::acknowledge_first) ctx.persist(Disk{log});
  }
};

struct Leader {
  using Receives = Messages<Appended>;
  Group<Replica> replicas{};
  int answers = 0;
  bool committed = false;

  void on_start(Context& ctx) { ctx.send(replicas, Append{7}); }
  void on(const Appended& appended, Context& ctx) {
    if (++answers != 2) return;
    committed = true;  // the client is told
    ctx.send(replicas, Commit{appended.entry});
  }
};

GAINSAY_SCENARIO(replicated_log, "Entries of a log on three replicas that crash", Options) {
  const auto replicas =
      world.group<Replica>("replica", 3, [&](std::size_t) { return Replica{.bug = options.bug}; });
  const auto leader = world.spawn("leader", Leader{.replicas = replicas});
  world.to_crashed(ToCrashed::kept);
  world.faults().crash(1, replicas).restart(1);
  world.always("a promised entry is on two replicas", [=](View v) -> Complaint {
    if (!v[leader].committed) return {};
    std::size_t copies = 0;
    for (std::size_t i = 0; i < replicas.size(); ++i) copies += v[replicas[i]].log.empty() ? 0 : 1;
    if (copies >= 2) return {};
    return "the promised entry is on " + std::to_string(copies) + " of 3 replicas";
  });
}

}  // namespace replicated_log
