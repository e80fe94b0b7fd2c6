// The scenario: servers of libraft behind Gainsay's network, disks and clocks, and what may go wrong with them.
#include "systems/libraft/bits.hpp"
#include "systems/libraft/ledger.hpp"
#include "systems/libraft/node.hpp"

namespace libraft {

using gainsay::Complaint;
using gainsay::Context;
using gainsay::View;

// What a run may contain: never, always, or in some runs, drawn when it begins.
enum class May : std::uint8_t { no, yes, some };

struct Options {
  std::uint32_t servers = 3;
  std::uint32_t voters = 0;
  std::uint32_t election_ticks = 0;
  std::uint32_t snapshots = 100;
  std::uint32_t trailing = 100;
  bool one_leader = false;
  May pre_vote = May::some;
  May requests = May::some;
  May transfers = May::some;
  May changes = May::some;
  May closes = May::some;
  May disk_fails = May::some;
  May snapshot_fails = May::some;
  May send_fails = May::some;
  May no_memory = May::no;
  May majority = May::some;
  May old_terms = May::some;
  std::uint32_t crashes = 6;
  std::uint32_t drops = 60;
  std::uint32_t partitions = 6;
  Backend backend = Backend::right;
  bool repair_commits = false;
  bool repair_answers = false;
  bool repair_late_answers = false;
  bool repair_transfers = false;
  bool repair_compacted = false;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::servers, "how many servers there are").range(1, 5);
    d.field(&Options::voters, "how many of them vote initially; 0: drawn, mostly all").range(0, 5);
    d.field(&Options::election_ticks, "ticks until a server stands for election, at least; 0: drawn")
        .range(0, 20);
    d.field(&Options::snapshots, "take a snapshot after this many entries; 0: never, 100: drawn")
        .range(0, 100);
    d.field(&Options::trailing, "entries that are kept behind a snapshot; 100: drawn").range(1, 100);
    d.field(&Options::one_leader,
            "server 1 leads for ever: it never gives up or crashes, and nobody else stands for election");
    d.field(&Options::pre_vote, "candidates ask before they raise the term");
    d.value(May::no, "never");
    d.value(May::yes, "in every run");
    d.value(May::some, "in some runs, drawn");
    d.field(&Options::requests, "several requests of clients at a time, and barriers");
    d.field(&Options::transfers, "leaders transfer leadership");
    d.field(&Options::changes, "members are added, promoted, demoted and removed");
    d.field(&Options::closes, "servers are shut down cleanly and restarted");
    d.field(&Options::disk_fails, "appends fail");
    d.field(&Options::snapshot_fails, "snapshots are not stored or not loaded");
    d.field(&Options::send_fails, "sends report that there is no connection");
    d.field(&Options::no_memory, "allocations fail");
    d.field(&Options::majority, "strict: what is committed is on the disks of a majority");
    d.field(&Options::old_terms, "strict: no entry of an old term is committed by counting");
    d.field(&Options::crashes, "maximum number of crashes in a run").range(0, 1000);
    d.field(&Options::drops, "maximum number of lost messages in a run").range(0, 100000);
    d.field(&Options::partitions, "maximum number of partitions in a run").range(0, 1000);
    d.field(&Options::backend, "how the disks misbehave; for tests of the test");
    d.value(Backend::right, "they do not");
    d.value(Backend::reordered_append, "an append is written after the one that follows");
    d.value(Backend::forgotten_vote, "a crash takes the vote");
    d.value(Backend::lost_write, "a crash takes what was stored last");
    d.field(&Options::repair_commits,
            "made up for by the wrapper: a leader commits by counting only entries of its own term");
    d.field(&Options::repair_answers,
            "made up for by the wrapper: a follower acknowledges no more than what it was sent");
    d.field(&Options::repair_late_answers,
            "made up for by the wrapper: an append that is done in a later term is not acknowledged");
    d.field(&Options::repair_transfers,
            "made up for by the wrapper: the request of a transfer lives until its send is done");
    d.field(&Options::repair_compacted,
            "made up for by the wrapper: a follower is not given again what its own snapshot has replaced");
  }
};

// Draws the settings of a run and starts the servers.
class Cluster {
 public:
  // Of this execution: properties write what servers report.
  Ledger& ledger() const { return ledger_; }

  using Receives = gainsay::Messages<>;
  Cluster(gainsay::ActorId first, const Options& options) : first_(first), options_(options) {}

  void on_start(Context& ctx) {
    const auto draw = [&](May may) { return may == May::some ? ctx.choose(2) == 1 : may == May::yes; };
    // Rare things are drawn more rarely, because a run in which everything happens shows little of each.
    const auto seldom = [&](May may) { return may == May::some ? ctx.choose(4) == 3 : may == May::yes; };
    Settings s;
    const bool all_vote = options_.voters == 0 && ctx.choose(4) != 0;
    s.voters = options_.voters != 0 ? options_.voters
               : all_vote           ? options_.servers
                                    : ctx.choose(options_.servers) + 1;
    s.election_ticks = options_.election_ticks != 0 ? options_.election_ticks : 2 + ctx.choose(2) * 2;
    s.snapshot_threshold = options_.snapshots;
    if (options_.snapshots == 100) s.snapshot_threshold = seldom(May::some) ? 2 + 3 * ctx.choose(3) : 0;
    s.snapshot_trailing = options_.trailing == 100 ? 1 + 2 * ctx.choose(3) : options_.trailing;
    s.one_leader = options_.one_leader;
    s.pre_vote = draw(options_.pre_vote);
    s.requests = draw(options_.requests) ? 4 : 1;
    s.barriers = s.requests > 1;
    s.transfers = seldom(options_.transfers);
    s.changes = seldom(options_.changes);
    s.closes = seldom(options_.closes);
    s.disk_fails = seldom(options_.disk_fails);
    s.snapshot_fails = s.snapshot_threshold > 0 && seldom(options_.snapshot_fails);
    s.send_fails = seldom(options_.send_fails);
    s.no_memory = seldom(options_.no_memory);
    s.tears = true;
    s.majority = draw(options_.majority);
    s.old_terms = draw(options_.old_terms);
    s.backend = options_.backend;
    s.repairs = {options_.repair_commits, options_.repair_answers, options_.repair_late_answers,
                 options_.repair_transfers, options_.repair_compacted};
    for (std::uint32_t i = 0; i < options_.servers; ++i) ctx.send(gainsay::ActorId{first_.raw + i}, Boot{s});
  }

 private:
  gainsay::ActorId first_;
  Options options_;
  mutable Ledger ledger_;
};

// A committed entry is on the disks of a majority of those who voted when it was committed.
static Complaint majority(View v, std::span<const gainsay::Ref<Node>> nodes) {
  for (const gainsay::Ref<Node> node : nodes) {
    const Node& leader = v[node];
    const Node::Commit& commit = leader.commit();
    if (commit.index == 0 || !leader.strict_majority()) continue;
    std::uint32_t have = 0;
    std::uint32_t all = 0;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      if ((commit.voters >> (i + 1) & 1U) == 0) continue;
      ++all;
      have += v[nodes[i]].disk().holds(commit.index, commit.term) ? 1 : 0;
    }
    if (have * 2 > all) continue;
    return "entry " + std::to_string(commit.index) + " of term " + std::to_string(commit.term) +
           " is committed and on the disks of " + std::to_string(have) + " of " + std::to_string(all) +
           " voters";
  }
  return {};
}

GAINSAY_SCENARIO(libraft, "Debian's libraft 0.15.0, unchanged, with networks, disks and clocks that fail",
                 Options) {
  world.order(gainsay::Delivery::fifo);
  std::vector<gainsay::Ref<Node>> nodes;
  std::vector<gainsay::ActorId> ids;
  for (std::uint32_t i = 0; i < options.servers; ++i) {
    nodes.push_back(
        world.wrap<Node>("server." + std::to_string(i + 1), i + 1, gainsay::ActorId{0}, options.servers));
    ids.push_back(nodes.back());
  }
  const auto cluster = world.wrap<Cluster>("cluster", gainsay::ActorId{0}, options);

  const std::vector<gainsay::ActorId> crashing(ids.begin() + (options.one_leader ? 1 : 0), ids.end());
  if (options.crashes > 0 && !crashing.empty())
    world.faults().crash(options.crashes, crashing).restart(options.crashes);
  if (options.drops > 0)
    world.faults().drop<AppendEntries, AppendResult, RequestVote, VoteResult, InstallSnapshot, TimeoutNow>(
        options.drops);
  if (options.partitions > 0 && options.servers > 1) {
    for (std::uint32_t i = 0; i < options.servers; ++i) {
      std::vector<gainsay::ActorId> rest = ids;
      rest.erase(rest.begin() + i);
      world.faults().partition("server." + std::to_string(i + 1) + " alone", {ids[i], rest}, 0, true);
    }
    world.faults().partitions(options.partitions);
  }

  // Properties are looked at in this order, so the first one takes the reports for all.
  std::vector<gainsay::ActorId> watched = ids;
  watched.push_back(cluster);
  for (std::size_t i = 0; i < safety_properties; ++i) {
    const auto property = static_cast<Safety>(i);
    world.always(name_of(property), watched, [nodes, cluster, property](View v) -> Complaint {
      Ledger& ledger = v[cluster].ledger();
      if (property == Safety{}) {
        for (const gainsay::Ref<Node> node : nodes)
          v[node].take_report(
              [&](std::uint32_t server, const Report& report) { ledger.add(server, report); });
      }
      const std::string& complaint = ledger.complaint(property);
      return complaint.empty() ? Complaint{} : Complaint{complaint};
    });
  }
  world.always("committed entries are on the disks of a majority", ids,
               [nodes](View v) { return majority(v, nodes); });
  world.linearizable<Bits>();
  world.reached("a leader is elected", ids, [nodes](View v) {
    for (const gainsay::Ref<Node> node : nodes) {
      if (v[node].leads()) return true;
    }
    return false;
  });
  world.reached("a command is applied", ids, [nodes](View v) {
    for (const gainsay::Ref<Node> node : nodes) {
      if (v[node].applied() > 1) return true;
    }
    return false;
  });
}

}  // namespace libraft
