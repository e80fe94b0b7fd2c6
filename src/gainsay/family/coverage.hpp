// What random tests cover, in numbers: Niksic's thesis (2019), chapter 3, and the bounds of PCT and PCTCP.
//
// m goals, each covered by a random test with probability at least p: |F| >= (log m + log 1/epsilon) / p
// independent tests cover them all with probability at least 1 - epsilon (Theorem 3.1). Goals enter by their
// natural logarithm, since there may be n^d of them. Counts that do not fit saturate at `too_many`.
// Arguments out of range are the user's mistake and throw UserError.
#pragma once

#include <cstdint>
#include <limits>

namespace gainsay::family {

inline constexpr std::uint64_t too_many = std::numeric_limits<std::uint64_t>::max();

// Theorem 3.1: tests enough to cover all goals with probability at least 1 - epsilon. At least 1.
std::uint64_t tests_needed(double log_goals, double p, double epsilon);
// The same from the union bound m (1 - p)^N <= epsilon itself: never more than tests_needed.
std::uint64_t tests_needed_sharp(double log_goals, double p, double epsilon);
// The other direction: how sure one may be, after N tests, that all goals were covered. 0 if nothing is
// known.
double confidence_after(double log_goals, double p, std::uint64_t tests);
// Theorem 3.1, second part: a covering family of this size exists.
std::uint64_t tests_that_exist(double log_goals, double p);

// Theorem 3.3, the local lemma: a covering family of this size exists if each goal is independent of all but at most
// `degree` others: the least N with e (1 - p)^N (degree + 1) <= 1. It does not depend on how many goals there are.
std::uint64_t tests_by_local_lemma(double p, double degree);

// Proposition 3.2: operations in a random sequence over r operations, enough to meet one of `targets` wanted
// sequences of length k, one after the other, with probability at least 1 - epsilon. This is the proof's own
// demand on floor(n / k), so it never exceeds the stated k + k r^k log(1/epsilon) / targets.
std::uint64_t operations_needed(std::uint64_t k, double r, double targets, double epsilon);

// Of one bug that a run shows with probability at least p: the chance that `runs` runs show it, and the runs
// for a wanted chance below 1.
double confidence_after_runs(double p, std::uint64_t runs);
std::uint64_t runs_for_confidence(double p, double confidence);

// n (n-1) ... (n-d+1), and its logarithm (minus infinity where it is zero).
double falling_factorial(double n, std::uint64_t d);
double log_falling_factorial(double n, std::uint64_t d);

// Examples 3.2 and 3.3: a d-hitting family of this size exists for an antichain of n elements, by the union
// bound and by the Lovász local lemma (asymptotically (d-1)/d of the first).
std::uint64_t antichain_union_bound(std::uint64_t n, std::uint64_t d);
std::uint64_t antichain_lovasz_bound(std::uint64_t n, std::uint64_t d);

// How many schedule indices (chain, n_1, ..., n_(d-1)) there are: the size of the strong d-hitting family of
// Theorem 6.7, chains * n (n-1) ... (n-d+2).
double schedule_indices(std::uint64_t chains, std::uint64_t n, std::uint64_t d);
// At most w(w+1)/2 chains for an execution that never has more than w concurrent events.
std::uint64_t chains_for_width(std::uint64_t width);
// The chance that one PCTCP run strongly hits a given d-tuple: at least 1 / (chains n^(d-1)) (Corollary 6.9).
// PCT with k threads has the same form with k in place of the chains (Burckhardt et al. 2010).
double pctcp_bound(std::uint64_t chains, std::uint64_t n, std::uint64_t d);
double pct_bound(std::uint64_t threads, std::uint64_t n, std::uint64_t d);

}  // namespace gainsay::family
