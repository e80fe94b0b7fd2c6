// A platform for reliable services, modelled: replicas, primaries, replication, failover; and two services on it.
//
// The cluster runtime knows the services and passes requests on to them; a service runtime per service manages its
// replicas, and all that replicas tell each other goes through it. The primary numbers operations and replicates
// them, several at a time; an operation is committed, and answered, when two of three replicas have it. A replica
// that joins is idle until it has the primary's copy; operations that reach it before wait. When the primary fails,
// the active secondary that got furthest takes over, brings the others up to date, and an idle replica replaces the
// one that failed. After section 6.4 and figure 10 of Deligiannis et al., "Uncovering Bugs in Distributed Storage
// Systems during Testing (Not in Production!)".
//
// The user's part (UserService) is a chain of two services, as in the stream processor that the model was made for:
// `ingest` records amounts and passes each on to `total`, which adds them up.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gainsay/gainsay.hpp"
#include "systems/paxos/votes.hpp"

namespace fabric {

enum class Bug { none, promotion, dropped_replication };

using OpId = std::uint32_t;
using Lsn = std::uint32_t;   // numbers operations of a service, from 1
using Term = std::uint32_t;  // counts primaries of a service

enum class Role { idle, active, primary };
enum class ServiceName { ingest, total };

struct Op {
  OpId id = 0;
  std::uint32_t amount = 0;
};

// What a user writes: state, how an operation changes it, and what a primary does when one is committed.
struct UserService {
  ServiceName name = ServiceName::ingest;
  std::map<OpId, std::uint32_t> amounts{};

  void apply(const Op& op) { amounts[op.id] = op.amount; }
  bool has(OpId op) const { return amounts.contains(op); }
  bool passes_on() const { return name == ServiceName::ingest; }
};

struct ClusterRuntime;
struct ServiceRuntime;
struct ReplicaRuntime;

// client or primary -> cluster -> service -> primary
struct Request {
  ServiceName service = ServiceName::ingest;
  Op op;
  gainsay::ActorId client = gainsay::nobody;  // nobody: a service, which needs no answer
};
// primary -> service -> client
struct Answer {
  OpId op = 0;
};
// primary -> service -> secondaries
struct Replicate {
  Term term = 0;
  Lsn lsn = 0;
  Op op;
};
// secondary -> service -> primary: it has everything up to here
struct Acknowledge {
  Term term = 0;
  Lsn lsn = 0;
  gainsay::ActorId replica = gainsay::nobody;
};
// service -> primary: bring this one up to date
struct BuildReplica {
  gainsay::Ref<ReplicaRuntime> replica;
};
// primary -> itself, when the copy is made, which takes time -> service -> secondary
struct Copy {
  Term term = 0;
  gainsay::Ref<ReplicaRuntime> to;
  Lsn lsn = 0;
  UserService user;
};
struct CopyMade {
  Copy copy;
};
// secondary -> service: it has its copy
struct Built {};
// service -> replica
struct ChangeRole {
  Role role = Role::idle;
  Term term = 0;
};
// service -> secondary, and back, when the primary has failed
struct GetProgress {};
struct Progress {
  Lsn lsn = 0;
};
// cluster -> service -> primary, and back
struct FailPrimary {};
struct Fail {};
struct Failed {};
// cluster -> itself
struct FailTick {};

struct ReplicaRuntime {
  using Receives = gainsay::Messages<Request, Replicate, Acknowledge, BuildReplica, CopyMade, Copy,
                                     ChangeRole, GetProgress, Fail>;
  gainsay::Ref<ServiceRuntime> service{};
  gainsay::Ref<ClusterRuntime> cluster{};
  Bug bug = Bug::none;
  Role role = Role::idle;
  bool built = false;  // it has the copy of this term's primary, or was there when the term began
  Term term = 1;
  Lsn lsn = 0;  // of the last operation that it has, with all before
  UserService user{};
  std::map<Lsn, Op> queued{};  // what came before the copy
  // of the primary
  Lsn committed = 0;
  std::map<gainsay::ActorId, Lsn> acknowledged{};
  std::map<OpId, Lsn> unanswered{};  // with what must be committed first

  void on(const Request& request, gainsay::Context& ctx);
  void on(const Replicate& replicate, gainsay::Context& ctx);
  void on(const Acknowledge& acknowledge, gainsay::Context& ctx);
  void on(const BuildReplica& build, gainsay::Context& ctx);
  void on(const CopyMade& made, gainsay::Context& ctx);
  void on(const Copy& copy, gainsay::Context& ctx);
  void on(const ChangeRole& change, gainsay::Context& ctx);
  void on(const GetProgress&, gainsay::Context& ctx) { ctx.reply(Progress{lsn}); }
  void on(const Fail&, gainsay::Context& ctx);

  void take(const Op& op);
  void acknowledge_all(gainsay::Context& ctx) const;
  void answer_committed(gainsay::Context& ctx);
};

struct ServiceRuntime {
  using Receives =
      gainsay::Messages<Request, Answer, Replicate, Acknowledge, Copy, Built, Progress, FailPrimary, Failed>;
  ServiceName name = ServiceName::ingest;
  gainsay::Ref<ClusterRuntime> cluster{};
  Bug bug = Bug::none;
  Term term = 1;
  std::map<gainsay::ActorId, Role> replicas{};  // that live
  gainsay::Ref<ReplicaRuntime> primary{};       // nobody while one is elected
  std::map<OpId, Request> open{};               // requests that are not answered
  std::map<gainsay::ActorId, Lsn> progress{};   // of who may be elected, as told so far
  std::size_t candidates = 0;

  void on_start(gainsay::Context& ctx);
  void on(const Request& request, gainsay::Context& ctx);
  void on(const Answer& answer, gainsay::Context& ctx);
  void on(const Replicate& replicate, gainsay::Context& ctx);
  void on(const Acknowledge& acknowledge, gainsay::Context& ctx);
  void on(const Copy& copy, gainsay::Context& ctx);
  void on(const Built&, gainsay::Context& ctx);
  void on(const Progress& told, gainsay::Context& ctx);
  void on(const FailPrimary&, gainsay::Context& ctx);
  void on(const Failed&, gainsay::Context& ctx);

  void promote(gainsay::ActorId replica, gainsay::Context& ctx);
  bool from_primary(const gainsay::Context& ctx) const { return ctx.sender() == primary; }
};

// Knows which service is where; lets primaries fail.
struct ClusterRuntime {
  using Receives = gainsay::Messages<Request, FailTick>;
  std::map<ServiceName, gainsay::Ref<ServiceRuntime>> services{};
  std::uint32_t failures = 1;

  void on_start(gainsay::Context& ctx);
  void on(const Request& request, gainsay::Context& ctx);
  void on(const FailTick&, gainsay::Context& ctx);
};

// Sends all its requests at once.
struct Client {
  using Receives = gainsay::Messages<Answer>;
  gainsay::Ref<ClusterRuntime> cluster{};
  std::uint32_t requests = 3;
  std::set<OpId> answered{};

  std::string waiting() const {
    return answered.size() == requests ? "" : "not all of its requests are answered";
  }
  void on_start(gainsay::Context& ctx);
  void on(const Answer& answer) { answered.insert(answer.op); }
};

}  // namespace fabric
