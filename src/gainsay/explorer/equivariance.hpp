// Equivariance: do handlers and gates treat the members of symmetric groups alike?
//
// For every local step that the kernel has computed, (cell, envelope) -> outcomes, and every permutation p, the
// outcomes of (p cell, p envelope) must be the images of those of (cell, envelope). Then the whole graph of states is
// symmetric, and one state of each orbit stands for all. Outcomes are compared as sets: a handler that chooses a
// member by its index makes the same choices in another order. What an actor sends in one step is compared as its
// links keep it: in any order, in order for each receiver, or, under causal delivery, in the order of sending.
//
// A step is looked at once, when it is first computed; there are few of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "gainsay/explorer/symmetry.hpp"

namespace gainsay {

class Equivariance {
 public:
  Equivariance(Engine& engine, Symmetry& symmetry);
  ~Equivariance();
  Equivariance(const Equivariance&) = delete;
  Equivariance& operator=(const Equivariance&) = delete;

  // Looks at what the kernel has computed since. Throws UserError, naming actor, message and difference, where members
  // are not treated alike.
  void check() {
    if (!fresh_.steps.empty() || !fresh_.gates.empty()) check_fresh();
  }

 private:
  // What a step leads to, as numbers that are equal where outcomes are.
  struct Outcome {
    std::uint64_t failure = 0;  // hash of its property; then nothing else counts
    CellId next = 0;
    std::vector<EnvelopeId> sends;  // in an order that says as much as the links keep
    std::vector<std::uint64_t> timers;
    std::vector<EnvelopeId> notifications;  // monitors are told in this order

    friend auto operator<=>(const Outcome&, const Outcome&) = default;
  };
  using Outcomes = std::vector<Outcome>;  // sorted

  void check_fresh();
  void check_step(CellId cell, EnvelopeId envelope);
  void check_gate(CellId cell, EnvelopeId envelope);
  Outcomes outcomes(CellId cell, EnvelopeId envelope);
  Outcomes images(std::size_t permutation, const Outcomes& outcomes);
  void arrange(std::vector<EnvelopeId>& sends) const;
  [[noreturn]] void complain(std::size_t permutation, EnvelopeId envelope, const std::string& what) const;
  std::string difference(const Outcomes& due, const Outcomes& found) const;
  std::string text_of(EnvelopeId envelope) const;

  Kernel& kernel_;
  Network& network_;
  Symmetry& symmetry_;
  FreshSteps fresh_;
  boost::unordered_flat_set<std::uint64_t> steps_;  // that were looked at
};

}  // namespace gainsay
