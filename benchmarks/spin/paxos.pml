/*
 * Single-decree Paxos for SPIN: the protocol of ../paxos_baseline.hpp, state by state.
 *
 * P proposers and A acceptors (spin -DP=2 -DA=3). Delivery is unordered: a channel is a bag, kept sorted by `!!`, and
 * `??` takes any message out of it. `??` stops at the first match, so a receiver offers one option per (kind, sender);
 * a sender has at most one message of a kind on its way to a receiver, so these options are all the pending messages.
 * A handler is one d_step: a delivery is one transition and nothing in between is stored. A message that is ignored is
 * still taken.
 *
 * The outside Start of a proposer is its first statement: nothing else can reach a proposer before it, so "at the first
 * statement" is the same set of states as "Start is pending". A proposer's ballot and own value are functions of its
 * number from Start on, hence not stored. Ballots are numbered from 1, and 0 stands for the -1 of the other versions.
 */
#ifndef P
#define P 2
#endif
#ifndef A
#define A 3
#endif
#if P > 3 || A > 5
#error "up to 3 proposers and 5 acceptors: for more, add options to the processes below"
#endif

#define PREPARE  0 /* to an acceptor */
#define ACCEPT   1
#define PROMISE  0 /* to a proposer */
#define ACCEPTED 1

#define MAJORITY (A / 2 + 1)

/*
 * Capacities are the least that suffice: a full channel inside a d_step would be reported as an error. An
 * Accepted can be pending only when a majority of the Promises has been taken.
 */
chan to_acceptor[A] = [2 * P] of { byte, byte, byte, byte };                  /* kind, proposer, ballot, v */
chan to_proposer[P] = [2 * A - MAJORITY] of { byte, byte, byte, byte, byte }; /* kind, acceptor, ballot, vb, v */

byte phase[P], promises[P], bestb[P], bestv[P], accepted[P];
byte promised[A], voted[A], vote[A];

hidden byte me, i, b, vb, v; /* scratch of one d_step, no part of a state */

#define ballot     (me + 1)
#define value(p)   (bestb[p] > 0 -> bestv[p] : 100 + p)
#define decided(p) (accepted[p] >= MAJORITY)
#ifdef LOWEST /* the seeded bug: keeps the value of the lowest ballot */
#define keeps      (vb > 0 && (bestb[me] == 0 || vb < bestb[me]))
#else
#define keeps      (vb > bestb[me])
#endif

inline broadcast(kind) {
  i = 0;
  do
  :: i < A -> to_acceptor[i] !! kind, me, ballot, v; i++
  :: else -> break
  od;
  i = 0 /* a d_step must not end in a jump out of a loop */
}

/* Two proposers that have each counted a majority of Accepted had sent the same value. */
inline check_agreement() {
  i = 0;
  do
  :: i < P -> assert(!decided(me) || !decided(i) || value(me) == value(i)); i++
  :: else -> break
  od;
  i = 0
}

inline on_start() {
  phase[me] = 1;
  v = 0;
  broadcast(PREPARE);
  check_agreement()
}

inline on_promise() {
  if
  :: b == ballot && phase[me] == 1 ->
    promises[me]++;
    if
    :: keeps -> bestb[me] = vb; bestv[me] = v
    :: else
    fi;
    if
    :: promises[me] >= MAJORITY -> phase[me] = 2; v = value(me); broadcast(ACCEPT)
    :: else
    fi;
    check_agreement()
  :: else
  fi
}

inline on_accepted() {
  if
  :: b == ballot -> accepted[me]++; check_agreement()
  :: else
  fi
}

inline on_prepare(proposer) {
  if
  :: b > promised[me] -> promised[me] = b; to_proposer[proposer] !! PROMISE, me, b, voted[me], vote[me]
  :: else
  fi
}

inline on_accept(proposer) {
  if
  :: b >= promised[me] ->
    promised[me] = b;
    voted[me] = b;
    vote[me] = v;
    to_proposer[proposer] !! ACCEPTED, me, b, 0, v
  :: else
  fi
}

#define PROPOSER_HEARS(a) \
  :: d_step { to_proposer[_pid] ?? PROMISE, a, b, vb, v -> me = _pid; on_promise() } \
  :: d_step { to_proposer[_pid] ?? ACCEPTED, a, b, vb, v -> me = _pid; on_accepted() }

#define ACCEPTOR_HEARS(p) \
  :: d_step { to_acceptor[_pid - P] ?? PREPARE, p, b, v -> me = _pid - P; on_prepare(p) } \
  :: d_step { to_acceptor[_pid - P] ?? ACCEPT, p, b, v -> me = _pid - P; on_accept(p) }

active [P] proctype Proposer() {
  d_step { me = _pid; on_start() }
end:
  do
  PROPOSER_HEARS(0)
#if A > 1
  PROPOSER_HEARS(1)
#endif
#if A > 2
  PROPOSER_HEARS(2)
#endif
#if A > 3
  PROPOSER_HEARS(3)
#endif
#if A > 4
  PROPOSER_HEARS(4)
#endif
  od
}

active [A] proctype Acceptor() {
end:
  do
  ACCEPTOR_HEARS(0)
#if P > 1
  ACCEPTOR_HEARS(1)
#endif
#if P > 2
  ACCEPTOR_HEARS(2)
#endif
  od
}
