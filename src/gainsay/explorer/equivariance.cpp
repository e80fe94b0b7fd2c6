#include "gainsay/explorer/equivariance.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/print.hpp"

namespace gainsay {

Equivariance::Equivariance(Engine& engine, Symmetry& symmetry)
    : kernel_(engine.kernel()), network_(engine.network), symmetry_(symmetry) {
  kernel_.watch(&fresh_);
}

Equivariance::~Equivariance() { kernel_.watch(nullptr); }

void Equivariance::check_fresh() {
  const FreshSteps fresh = std::exchange(fresh_, {});
  for (const std::uint64_t key : fresh.gates)
    check_gate(static_cast<CellId>(key >> 32U), static_cast<EnvelopeId>(key));
  for (const std::uint64_t key : fresh.steps) {
    if (steps_.insert(key).second) check_step(static_cast<CellId>(key >> 32U), static_cast<EnvelopeId>(key));
  }
  // What was computed on the way are images, and an image of what is alike is alike.
  fresh_ = {};
}

void Equivariance::check_gate(CellId cell, EnvelopeId envelope) {
  const bool accepted = kernel_.accepts(cell, envelope);
  for (std::size_t p = 1; p < symmetry_.order(); ++p) {
    if (kernel_.accepts(symmetry_.cell(p, cell), symmetry_.envelope(p, envelope)) != accepted)
      complain(p, envelope,
               accepted ? "it is accepted, but not after the permutation"
                        : "it is not accepted, but is after the permutation");
  }
}

void Equivariance::check_step(CellId cell, EnvelopeId envelope) {
  const Outcomes here = outcomes(cell, envelope);
  for (std::size_t p = 1; p < symmetry_.order(); ++p) {
    const Outcomes due = images(p, here);
    const Outcomes found = outcomes(symmetry_.cell(p, cell), symmetry_.envelope(p, envelope));
    if (due != found) complain(p, envelope, difference(due, found));
  }
}

Equivariance::Outcomes Equivariance::outcomes(CellId cell, EnvelopeId envelope) {
  Outcomes all;
  for (const Leaf& leaf : kernel_.leaves(cell, envelope)) {
    const Transition& transition = leaf.transition;
    Outcome outcome;
    if (const Failure* failure = transition.failure(); failure != nullptr) {
      outcome.failure = hash_text(failure->property);
      all.push_back(std::move(outcome));
      continue;
    }
    outcome.next = transition.next;
    outcome.sends.assign(transition.outs().begin(), transition.outs().end());
    const Extras& extras = transition.rest();
    if (!extras.spawns().empty())
      throw UserError(
          fmt::format("--symmetry does not support spawned actors: {} spawns one; remove --symmetry",
                      kernel_.directory().name_of(kernel_.envelope(envelope).to)));
    for (const TimerOp& timer : extras.timers) {
      outcome.timers.push_back(timer.armed);
      outcome.timers.push_back(timer.withdrawn ? 1 : 0);
      outcome.timers.push_back(timer.cancelled == nullptr ? 0 : timer.cancelled->name_hash);
    }
    outcome.notifications.assign(extras.notifications.begin(), extras.notifications.end());
    arrange(outcome.sends);
    all.push_back(std::move(outcome));
  }
  std::sort(all.begin(), all.end());
  return all;
}

Equivariance::Outcomes Equivariance::images(std::size_t permutation, const Outcomes& outcomes) {
  Outcomes all = outcomes;
  for (Outcome& outcome : all) {
    outcome.next = symmetry_.cell(permutation, outcome.next);
    for (EnvelopeId& id : outcome.sends) id = symmetry_.envelope(permutation, id);
    for (std::size_t i = 0; i < outcome.timers.size(); i += 3)
      outcome.timers[i] = symmetry_.envelope(permutation, static_cast<EnvelopeId>(outcome.timers[i]));
    for (EnvelopeId& id : outcome.notifications) id = symmetry_.envelope(permutation, id);
    arrange(outcome.sends);
  }
  std::sort(all.begin(), all.end());
  return all;
}

void Equivariance::arrange(std::vector<EnvelopeId>& sends) const {
  if (network_.causal()) return;
  if (network_.unordered()) {
    std::sort(sends.begin(), sends.end());
  } else {
    std::stable_sort(sends.begin(), sends.end(), [&](EnvelopeId a, EnvelopeId b) {
      return kernel_.envelope(a).to < kernel_.envelope(b).to;
    });
  }
}

std::string Equivariance::text_of(EnvelopeId id) const {
  const Envelope& envelope = kernel_.envelope(id);
  const ActorNames names = [&](ActorId actor) { return kernel_.directory().name_of(actor); };
  if (envelope.message == 0) return envelope.kind == EventKind::restart ? "its restart" : "its start";
  const InternedValue& message = kernel_.value(envelope.message);
  return fmt::format("{} from {}", print(*message.type, message.data, names), names(envelope.from));
}

std::string Equivariance::difference(const Outcomes& due, const Outcomes& found) const {
  const ActorNames names = [&](ActorId actor) { return kernel_.directory().name_of(actor); };
  if (due.size() != found.size())
    return fmt::format("it has {} outcomes, but {} after the permutation", due.size(), found.size());
  for (std::size_t i = 0; i < due.size(); ++i) {
    if (due[i] == found[i]) continue;
    if (due[i].failure != found[i].failure) return "it is a violation in one case and not in the other";
    if (due[i].next != found[i].next) {
      const Cell& left = kernel_.cell(due[i].next);
      const Cell& right = kernel_.cell(found[i].next);
      for (const auto member : {&Cell::value, &Cell::durable}) {
        if (left.*member == right.*member || left.*member == 0 || right.*member == 0) continue;
        const InternedValue& a = kernel_.value(left.*member);
        const InternedValue& b = kernel_.value(right.*member);
        if (a.type != b.type) continue;
        const auto differing = differences(*a.type, a.data, b.data, names);
        if (!differing.empty())
          return fmt::format("{}{} becomes {} where {} is due", member == &Cell::durable ? "durable " : "",
                             differing[0].path, differing[0].right, differing[0].left);
      }
      return "its state differs";
    }
    std::vector<EnvelopeId> left = due[i].sends;
    std::vector<EnvelopeId> right = found[i].sends;
    if (left != right) {
      for (std::size_t k = 0; k < std::max(left.size(), right.size()); ++k) {
        if (k < left.size() && k < right.size() && left[k] == right[k]) continue;
        const auto sent = [&](const std::vector<EnvelopeId>& sends) {
          return k < sends.size()
                     ? fmt::format("{} to {}", text_of(sends[k]), names(kernel_.envelope(sends[k]).receiver))
                     : std::string("nothing");
        };
        const std::string what = fmt::format("it sends {} where {} is due", sent(right), sent(left));
        std::sort(left.begin(), left.end());
        std::sort(right.begin(), right.end());
        if (left != right) return what;
        return fmt::format(
            "{}: causal delivery keeps the order in which it sends to several members (fifo, mailbox and "
            "unordered delivery do not)",
            what);
      }
    }
    return due[i].timers != found[i].timers ? "its timers differ" : "notifications differ";
  }
  GAINSAY_CHECK(false, "they differ");
  return "";
}

void Equivariance::complain(std::size_t permutation, EnvelopeId id, const std::string& what) const {
  throw UserError(
      fmt::format("--symmetry: {} does not treat members alike. With {}, when it handles {}: {}. If it "
                  "stores an index as a number, use a Ref, or give its type `void rename(const "
                  "gainsay::Renaming&)` (docs/guide.md); otherwise remove --symmetry",
                  kernel_.directory().name_of(kernel_.envelope(id).to),
                  describe(symmetry_.group().images[permutation], kernel_.blueprint()), text_of(id), what));
}

}  // namespace gainsay
