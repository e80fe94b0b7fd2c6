// The messages of the platform. Those that carry what a service is made of are nested in a template, the others are
// the same for all services.
#pragma once

#include <map>
#include <vector>

#include "systems/fabric/service.hpp"

namespace fabric {

// How far a replica has got: its last operation, and under which primary that was made. Two replicas with the same
// progress have the same operations, because a primary numbers each once.
struct Progress {
  Term term = 0;
  Lsn lsn = 0;
  auto operator<=>(const Progress&) const = default;
};

// --- caller <-> cluster ---

// Who is the primary? Answered as soon as there is one of a later term than the caller has heard of.
struct Resolve {
  ServiceId service = 0;
  Term known = 0;
};
struct Resolved {
  ServiceId service = 0;
  Term term = 0;
  gainsay::ActorId primary = gainsay::nobody;
};

// --- service -> cluster, and back ---

struct Moved {
  ServiceId service = 0;
  Term term = 0;
  gainsay::ActorId primary = gainsay::nobody;
};
// Whichever replica fails, the service can go on.
struct Ready {
  ServiceId service = 0;
};
struct FailReplica {};

// --- service <-> replica ---

struct Open {};
struct Opened {
  std::uint32_t life = 0;
  Progress progress;
};
struct ChangeRole {
  Role role = Role::idle;
  Term term = 0;
};
struct RoleChanged {
  Term term = 0;
};
struct Listening {
  Term term = 0;
};
struct GetProgress {};
struct Fail {};
// A secondary has its copy.
struct Built {
  Term term = 0;
};
// secondary -> service -> primary: it has everything up to here
struct Acknowledge {
  Term term = 0;
  Lsn lsn = 0;
  gainsay::ActorId replica = gainsay::nobody;
};
// service -> primary
struct BuildReplica {
  gainsay::ActorId replica = gainsay::nobody;
  std::uint32_t life = 0;
  Progress progress;
};

// --- primary -> caller ---

// The call was not taken, or was lost with the primary; it may have had its effect.
struct Refused {
  ServiceId service = 0;
  Term term = 0;
};

template <class S> struct Wire {
  // caller -> primary, and back
  struct Call {
    ServiceId service = 0;
    Term term = 0;  // in which the caller was told of this primary
    std::uint32_t number = 0;
    typename S::Request request;
  };
  struct Answer {
    ServiceId service = 0;
    std::uint32_t number = 0;
    typename S::Reply reply;
  };
  // primary -> service -> secondaries
  struct Replicate {
    Term term = 0;
    Lsn lsn = 0;
    typename S::Operation operation;
  };
  // Which copy something is part of: of the primary of a term, for a process of a replica.
  struct CopyOf {
    Term term = 0;
    gainsay::ActorId replica = gainsay::nobody;
    std::uint32_t life = 0;
    Lsn after = 0;
  };
  // primary -> itself, for every part, because a copy takes time
  struct CopyNext {
    CopyOf copy;
    std::vector<typename S::Part> parts;
    std::map<Term, Lsn> terms;
  };
  // primary -> service -> secondary
  struct CopyPart {
    CopyOf copy;
    typename S::Part part;
  };
  struct CopyEnd {
    CopyOf copy;
    std::map<Term, Lsn> terms;
  };
  // replica -> itself
  struct Later {
    std::uint32_t life = 0;
    typename S::Step step;
  };
};

}  // namespace fabric
