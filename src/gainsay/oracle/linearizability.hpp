// The checker: is there an order of the operations, consistent with real time, that the specification allows?
//
// Herlihy and Wing's linearizability, and Lamport's sequential consistency (each process's own order instead of
// real time) as an option. Deciding is NP-complete in general (Gibbons and Korach 1997), so the answer is
// three-valued: `unknown` when the time or the memory given did not suffice, with what was found so far.
//
// How: independent objects are judged apart (Horn and Kroening 2015); histories without duplicate values of
// well-known objects are decided in O(n log n) (linearizable/fast.hpp); the rest by search
// (linearizable/search.hpp). A linearization found by a fast path is executed by the specification before it
// is believed.
//
// The verdict, the explanation and the steps do not depend on `jobs`; elapsed time and, where a budget ran out,
// how far it went, do.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/oracle/history.hpp"
#include "gainsay/oracle/models.hpp"
#include "gainsay/oracle/spec.hpp"
#include "gainsay/trace/trace.hpp"

namespace gainsay {

struct CheckOptions {
  enum class Consistency : std::uint8_t { linearizable, sequential };
  // automatic: a fast path where there is one, else depth first, and just-in-time in turn with it when that takes
  // long. The others are for comparison: depth_first and just_in_time use no fast path.
  enum class Algorithm : std::uint8_t { automatic, depth_first, just_in_time };

  Consistency consistency = Consistency::linearizable;
  Algorithm algorithm = Algorithm::automatic;
  std::optional<std::chrono::nanoseconds> time_max;
  std::optional<std::uint64_t> memory_bytes_max;
  std::optional<std::uint64_t> steps_max;   // of each part; unlike time, the same on every machine
  const std::atomic<bool>* stop = nullptr;  // raised: end soon, as unknown
  std::size_t jobs = 1;
  bool explain = true;  // violated: look for the culprit and for a smallest sub-history as well
};

// Indices are those of the history that was checked.
struct Explanation {
  // ok: every operation that took effect, in an order that is allowed. Info operations that are not listed
  // need not have happened. Empty for an empty history.
  std::vector<std::size_t> linearization;

  // violated and unknown: a longest order that could be found of operations up to some return.
  struct Attempt {
    std::vector<std::size_t> order;
    std::string state;  // after it, as the specification prints it
    // The operations that could come next by real time, and why each does not fit; empty text: it fits, but
    // nothing that follows does.
    struct Next {
      std::size_t operation;
      std::string why;
    };
    std::vector<Next> next;
  };
  std::vector<Attempt> attempts;  // the longest ones, at most 8, with different final states

  // violated: everything of the part that returned before this operation can be put in order, together with some of
  // what was under way; with it, not any more. Under sequential consistency: the first operation that does not fit
  // after the longest order. None where the steps did not suffice to find it.
  std::optional<std::size_t> culprit;
  std::string why;  // one line: the culprit, what it would have needed, what the model says

  // violated: a smallest contradiction. The operations listed cannot be put in order, whatever the others do: it
  // stays so when every other operation may have happened at any point after its invocation or not at all, with
  // any result. It is minimal when for each listed operation that is not so. Ascending.
  std::vector<std::size_t> contradiction;
  bool contradiction_is_minimal = false;

  std::string part;  // which key (or keys) it is about, where the object was taken apart; may be empty
};

struct CheckResult {
  Verdict verdict = Verdict::unknown;
  CheckOptions::Consistency consistency = CheckOptions::Consistency::linearizable;  // that was asked for
  std::string
      unknown_because;  // "the time (5s) is over", "the memory (1GiB) is full", "the model is not a function: ..."
  bool over_budget = false;  // unknown: the budget did not suffice; else the model is to blame
  std::string method;  // "depth first", "just in time", "stack without duplicates", ...; of the deciding part
  std::size_t operations = 0;      // without those that failed
  std::size_t parts = 0;           // judged apart
  std::uint64_t steps = 0;         // transitions of the specification that were looked at
  std::uint64_t memory_bytes = 0;  // the most that one part's search held
  double elapsed_s = 0;
  Explanation explanation;
};

// REQUIRES: the operations and results are those of `spec`, `initial` is a state of it.
CheckResult check_history(const History& history, const SpecType& spec, const AnyValue& initial,
                          const CheckOptions& options = {});

// Generic histories are typed first: throws HistoryError where they do not fit the model.
CheckResult check_history(const History& history, const Model& model, const CheckOptions& options = {});

template <Specification S>
CheckResult check_history(const History& history, const CheckOptions& options = {}, const S& initial = S{}) {
  return check_history(history, spec_type<S>(), AnyValue::of(initial), options);
}

}  // namespace gainsay
