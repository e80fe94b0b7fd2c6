#include "systems/viewstamped_replication/code.hpp"

#include <algorithm>
#include <variant>

#include "gainsay/conform.hpp"
#include "systems/viewstamped_replication/options.hpp"

namespace viewstamped_replication {

std::shared_ptr<const replog::ClusterSettings> cluster_settings(const Constants& constants) {
  auto settings = std::make_shared<replog::ClusterSettings>();
  for (const gainsay::ActorId member : constants.old_members)
    settings->generations[0].push_back(static_cast<replog::NodeId>(member.raw));
  for (const gainsay::ActorId member : constants.new_members)
    settings->generations[1].push_back(static_cast<replog::NodeId>(member.raw));
  for (const gainsay::ActorId witness : constants.witnesses) settings->witness_mask |= 1U << witness.raw;
  settings->terms_max[0] = constants.old_views;
  settings->terms_max[1] = constants.new_views;
  settings->one_election_timer = !constants.all_impatient;
  settings->data_records_max = constants.queries;
  settings->defect = static_cast<replog::Defect>(constants.bug);  // the same names in the same order
  return settings;
}
static_assert(static_cast<int>(replog::Defect::stale_prepare_ok) == static_cast<int>(Bug::stale_prepare_ok));

// --- the implementation as the model sees it -------------------------------------------------------------------------

namespace {

Number small(std::uint64_t number) { return static_cast<Number>(number); }
ViewId view_id(replog::Term term) { return {small(term.generation), small(term.number)}; }
Position position(const replog::Freshness& freshness) {
  return {view_id(freshness.last_term), small(freshness.size)};
}
Entry entry(const replog::Record& record) {
  switch (record.type) {
    case replog::Record::Type::term_begin:
      return {Entry::Kind::view, view_id(record.term)};
    case replog::Record::Type::data:
      return {Entry::Kind::query, view_id(record.term)};
    case replog::Record::Type::membership:
      break;
  }
  return {Entry::Kind::epoch, view_id(record.term)};
}
Status status(replog::Replica::Mode mode) {
  switch (mode) {
    case replog::Replica::Mode::blank:
      return Status::idle;
    case replog::Replica::Mode::serving:
      return Status::normal;
    case replog::Replica::Mode::electing:
      return Status::view_change;
    case replog::Replica::Mode::late:
      return Status::catch_up;
    case replog::Replica::Mode::draining:
      return Status::leaving;
    case replog::Replica::Mode::off:
      break;
  }
  return Status::shut_down;
}

using ModelMessage = std::variant<StartViewChange, DoViewChange, StartView, GetEntry, Chunk, Prepare,
                                  PrepareOk, Commit, StartEpoch, EpochStarted>;

ModelMessage message(const Packet& p) {
  const ViewId at = view_id(p.term);
  const Number index = small(p.index);
  switch (p.type) {
    case Packet::Type::term_wanted:
      return StartViewChange{at};
    case Packet::Type::ballot:
      return DoViewChange{at, position(p.freshness), small(p.commit)};
    case Packet::Type::term_begun:
      return StartView{at, index};
    case Packet::Type::fetch:
      return GetEntry{at, index, false};
    case Packet::Type::fetch_old:
      return GetEntry{at, index, true};
    case Packet::Type::record:
      return Chunk{at, index, entry(p.record), small(p.commit)};
    case Packet::Type::replicate:
      return Prepare{at, index, entry(p.record), small(p.commit)};
    case Packet::Type::appended:
      return PrepareOk{at, index};
    case Packet::Type::committed:
      return Commit{at, index};
    case Packet::Type::new_members:
      return StartEpoch{position(p.freshness)};
    case Packet::Type::joined:
      break;
  }
  return EpochStarted{};
}

}  // namespace

ReplicaView view_of(const Replica& model) {
  return {model.status,   model.current, model.log,    model.commit,
          model.download, model.catchup, model.phase2, model.witnessed};
}

ReplicaView view_of(const replog::Replica& replica) {
  ReplicaView view;
  view.status = status(replica.mode());
  view.current = view_id(replica.term());
  view.log.reserve(replica.log().size());
  for (std::uint64_t i = 1; i <= replica.log().size(); ++i) view.log.push_back(entry(replica.log().at(i)));
  view.commit = small(replica.committed());
  view.download = replica.source() == replog::no_node ? gainsay::nobody : gainsay::ActorId{replica.source()};
  view.catchup = small(replica.verified());
  view.phase2 = replica.has_voted();
  view.witnessed = position(replica.witnessed());
  return view;
}

// --- the scenario ----------------------------------------------------------------------------------------------------

enum class Wrapped { value, opaque };

struct CodeOptions {
  Bug bug = Bug::none;
  Size size = Size::chosen;
  Members members = Members::abc_acd;
  Witness witness = Witness::a;
  std::uint32_t old_views = 1;
  std::uint32_t new_views = 1;
  std::uint32_t queries = 1;
  Impatient impatient = Impatient::all;
  Stale stale = Stale::delivered;
  Wrapped wrapped = Wrapped::value;

  static void describe(gainsay::Describe<CodeOptions>& d) {
    describe_options(d);
    d.field(&CodeOptions::wrapped, "how the implementation becomes an actor");
    d.value(Wrapped::value, "restored from its image for each event, and saved after it");
    d.value(Wrapped::opaque, "the object itself, which cannot be copied");
  }
};

namespace {

// Replicas with what is always pending for them.
template <class Actor>
void begin(gainsay::World& world, gainsay::Ref<Actor> replica, const Constants& constants) {
  world.send_from(replica, replica, ElectionTimer{});
  if (constants.witnesses.contains(replica)) return;
  world.send_from(replica, replica, WriteRequest{});
  if (!constants.new_members.empty() && std::ranges::count(constants.old_members, replica) > 0)
    world.send_from(replica, replica, MembersRequest{});
}

}  // namespace

GAINSAY_SCENARIO(viewstamped_replication_code,
                 "The implementation of viewstamped_replication, which conform compares with the model",
                 CodeOptions) {
  const Plan plan = plan_of(options);
  const Constants constants = constants_of(plan, options.bug);
  std::vector<gainsay::ActorId> full;
  for (std::size_t i = 0; i < plan.names.size(); ++i) {
    const auto self = static_cast<replog::NodeId>(i);
    if (options.wrapped == Wrapped::value) {
      begin(world, world.spawn(plan.names[i], SavedReplica::make(self, constants)), constants);
    } else {
      begin(world, world.wrap<LiveReplica>(plan.names[i], self, cluster_settings(constants), constants.stale),
            constants);
    }
    if (!constants.witnesses.contains(gainsay::ActorId{i})) full.push_back(gainsay::ActorId{i});
  }
  const auto view = [wrapped = options.wrapped](gainsay::View v, gainsay::ActorId each) {
    if (wrapped == Wrapped::opaque) return view_of(v[gainsay::Ref<LiveReplica>(each)].replica());
    const SavedReplica& saved = v[gainsay::Ref<SavedReplica>(each)];
    ActorNetwork<SavedReplica> network;
    return saved.with(network, [](const replog::Replica& replica) { return view_of(replica); });
  };
  world.always("prefix log consistency", [=](gainsay::View v) -> gainsay::Complaint {
    for (const gainsay::ActorId a : full) {
      const ReplicaView one = view(v, a);
      if (one.commit > one.log.size()) return plan.names[a.raw] + " has committed more than its log has";
      for (const gainsay::ActorId b : full) {
        const ReplicaView other = view(v, b);
        const std::size_t common =
            std::min({one.commit, other.commit, static_cast<Number>(other.log.size())});
        if (!std::equal(one.log.begin(), one.log.begin() + static_cast<std::ptrdiff_t>(common),
                        other.log.begin()))
          return "committed prefixes of " + plan.names[a.raw] + " and " + plan.names[b.raw] + " differ";
      }
    }
    return {};
  });
}

GAINSAY_CONFORM(viewstamped_replication_code) {
  map.actor<SavedReplica, Replica>(
      [](const SavedReplica& saved) {
        ActorNetwork<SavedReplica> network;
        return saved.with(network, [](const replog::Replica& replica) { return view_of(replica); });
      },
      [](const Replica& model) { return view_of(model); });
  map.actor<LiveReplica, Replica>([](const LiveReplica& live) { return view_of(live.replica()); },
                                  [](const Replica& model) { return view_of(model); });
  map.message<Packet>(&message);
  map.message<ElectionTimer>([](const ElectionTimer&) { return TimeOut{}; });
  map.message<WriteRequest>([](const WriteRequest&) { return ClientQuery{}; });
  map.message<MembersRequest>([](const MembersRequest&) { return Reconfigure{}; });
}

}  // namespace viewstamped_replication
