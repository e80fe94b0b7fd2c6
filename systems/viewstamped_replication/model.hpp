// Viewstamped Replication with reconfiguration and witnesses: the model.
//
// After Liskov and Cowling, "Viewstamped Replication Revisited" (2012), as a storage system would run it: no message
// carries a log. A vote in a view change says only how recent the voter's log is; the new primary then fetches what it
// lacks entry by entry, and so do the others from the new primary. Where a view began is an entry of the log, so how
// recent a log is can be read from it: (view of the last such entry, length). Besides:
//  - a change of members, from `old_members` (epoch 0) to `new_members` (epoch 1), is an entry too. Whoever learns that
//    it is committed tells everybody; members of the new configuration fetch what they lack and begin in view 0;
//  - witnesses vote and acknowledge but keep no log, only how recent it would be. They never lead.
// Environment: any replica may run out of patience, and the primary may be asked by clients or by an operator,
// whenever the guard holds; these are messages to oneself that are always pending. All numbers are bounded by
// constants, so every execution ends, and "always eventually" is what holds where it ends.
//
// A message is taken, waits until it can be, or is dropped; `fate` says which. With `stale = kept` a message that
// would be dropped stays in the network for ever, which makes a much smaller state space and tests less.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gainsay/gainsay.hpp"

namespace viewstamped_replication {

// What may be wrong; the scenario describes each.
enum class Bug {
  none,
  longest_log,
  no_download,
  cut_to_commit,
  keep_differing,
  early_ack,
  witness_ignored,
  old_majority,
  old_start_view,
  commit_unbounded,
  commit_dropped,
  same_view_change,
  early_shutdown,
  majority_shutdown,
  catchup_interrupted,
  epoch_at_append,
  stale_prepare_ok,
};

enum class Stale { delivered, kept };

using Number = std::uint8_t;  // epochs, views, places in a log (from 1), counts: all are small

struct ViewId {
  Number epoch = 0;
  Number view = 0;
  friend auto operator<=>(const ViewId&, const ViewId&) = default;
};

struct Entry {
  enum class Kind : std::uint8_t { view, query, epoch };
  Kind kind = Kind::view;
  ViewId of{};  // whose primary appended it; with the place it names the entry
  friend auto operator<=>(const Entry&, const Entry&) = default;
};
using Log = std::vector<Entry>;

// How recent a log is.
struct Position {
  ViewId normal{};  // where its last view began
  Number length = 0;
  friend auto operator<=>(const Position&, const Position&) = default;
};

// --- to oneself
struct TimeOut {};
struct ClientQuery {};
struct Reconfigure {};
// --- view changes
struct StartViewChange {
  ViewId at;
};
struct DoViewChange {
  ViewId at;
  Position position;
  Number commit = 0;
};
struct StartView {
  ViewId at;
  Number length = 0;
};
// --- fetching entries
struct GetEntry {
  ViewId at;
  Number place = 0;
  bool for_epoch = false;  // of the committed prefix, by a replica that is late for the epoch
};
struct Chunk {
  ViewId at;
  Number place = 0;
  Entry entry;
  Number commit = 0;
};
// --- normal operation
struct Prepare {
  ViewId at;
  Number place = 0;
  Entry entry;
  Number commit = 0;
};
struct PrepareOk {
  ViewId at;
  Number place = 0;
};
struct Commit {
  ViewId at;
  Number place = 0;
};
// --- reconfiguration
struct StartEpoch {
  Position position;  // of the prefix that ends with the change of members
};
struct EpochStarted {};

enum class Status { idle, normal, view_change, catch_up, leaving, shut_down };

// What never changes.
struct Constants {
  std::vector<gainsay::ActorId> old_members;
  std::vector<gainsay::ActorId> new_members;  // empty: there is no reconfiguration
  std::set<gainsay::ActorId> witnesses;
  Number old_views = 1;
  Number new_views = 1;
  Number queries = 1;
  bool all_impatient = true;  // false: only the last member of a configuration runs out of patience
  Stale stale = Stale::delivered;
  Bug bug = Bug::none;
};

struct Vote {
  Position position;
  Number commit = 0;
};

struct Replica {
  using Receives =
      gainsay::Messages<TimeOut, ClientQuery, Reconfigure, StartViewChange, DoViewChange, StartView, GetEntry,
                        Chunk, Prepare, PrepareOk, Commit, StartEpoch, EpochStarted>;
  using Context = gainsay::Context;
  using ActorId = gainsay::ActorId;

  ActorId self;
  Constants constants;

  Status status = Status::idle;
  ViewId current{};
  Log log{};
  Number commit = 0;
  ActorId download = gainsay::nobody;  // self: the log is complete; nobody: no source is known
  Number catchup = 0;                  // up to here the log is known to be the source's
  Number target = 0;                   // up to here it is fetched
  bool phase2 = false;                 // the vote of this view has been sent
  std::set<ActorId> changers{};        // who wants this view, besides oneself
  std::map<ActorId, Vote> votes{};
  std::map<ActorId, Number> acks{};  // beyond what is committed
  Position witnessed{};              // witnesses only
  std::set<ActorId> started{};       // who told a leaving replica that it has entered the epoch

  // The first state of a replica.
  static Replica make(ActorId self, const Constants& constants);

  // --- what follows from the state
  bool is_witness(ActorId who) const { return constants.witnesses.contains(who); }
  bool is_witness() const { return is_witness(self); }
  const std::vector<ActorId>& members(Number epoch) const;
  bool is_member(Number epoch) const;
  bool leaves() const { return is_member(0) && !is_member(1); }
  std::size_t majority(Number epoch) const;
  ActorId primary(ViewId of) const;
  bool is_primary() const { return primary(current) == self; }
  bool takes_part() const { return status == Status::normal || status == Status::view_change; }
  bool leads() const { return status == Status::normal && download == self && is_primary(); }
  Number length() const { return static_cast<Number>(log.size()); }
  Position position() const;
  Number queries() const;
  // The place of the change of members in the log; 0: it has none.
  Number epoch_place() const;

  // --- the environment's guards
  bool accepts(const TimeOut&) const;
  bool accepts(const ClientQuery&) const;
  bool accepts(const Reconfigure&) const;

  // --- what becomes of a message
  enum class Fate { take, wait, drop };
  Fate fate(const StartViewChange& m) const;
  Fate fate(const DoViewChange& m) const;
  Fate fate(const StartView& m) const;
  Fate fate(const GetEntry& m) const;
  Fate fate(const Chunk& m) const;
  Fate fate(const Prepare& m) const;
  Fate fate(const PrepareOk& m) const;
  Fate fate(const Commit& m) const;
  Fate fate(const StartEpoch& m) const;
  Fate fate(const EpochStarted& m) const;
  template <class M>
    requires requires(const Replica& r, const M& m) { r.fate(m); }
  bool accepts(const M& m) const {
    const Fate what = fate(m);
    return what == Fate::take || (what == Fate::drop && constants.stale == Stale::delivered);
  }

  // --- events
  void on(const TimeOut&, Context& ctx);
  void on(const ClientQuery&, Context& ctx);
  void on(const Reconfigure&, Context& ctx);
  template <class M>
    requires requires(const Replica& r, const M& m) { r.fate(m); }
  void on(const M& m, Context& ctx) {
    if (fate(m) == Fate::take) take(m, ctx);
  }

 private:
  void take(const StartViewChange& m, Context& ctx);
  void take(const DoViewChange& m, Context& ctx);
  void take(const StartView& m, Context& ctx);
  void take(const GetEntry& m, Context& ctx);
  void take(const Chunk& m, Context& ctx);
  void take(const Prepare& m, Context& ctx);
  void take(const PrepareOk& m, Context& ctx);
  void take(const Commit& m, Context& ctx);
  void take(const StartEpoch& m, Context& ctx);
  void take(const EpochStarted& m, Context& ctx);

  Fate fate_in_view_change(ViewId at) const;
  template <class M> void send_others(const M& message, Context& ctx) const;
  void enter_view(ViewId next);
  void want_view(Context& ctx);
  void vote_if_wanted(Context& ctx);
  void count_votes(Context& ctx);
  void fetch(ActorId from, Number until, Context& ctx);
  void finish_fetching(Number their_commit, Context& ctx);
  void become_primary(Context& ctx);
  void append(Entry::Kind kind, Context& ctx);
  void advance_commit(Context& ctx);
  void after_commit(Context& ctx);
  void enter_epoch(Context& ctx);
  void shut_down_if_all_started();
};

}  // namespace viewstamped_replication
