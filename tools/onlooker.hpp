// Onlooker: any strategy, watched. Before every step it looks around and writes down what a document does not have:
// states, disks, what is possible, heat of monitors; after the last one also operations, and what never arrived.
//
// REQUIRES: an execution without the memo, so that every actor is live.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gainsay/base/print.hpp"
#include "gainsay/execution/run/execution.hpp"
#include "gainsay/report/trace_page.hpp"

namespace gainsay::tools {

class Onlooker final : public Strategy {
 public:
  Onlooker(Execution& execution, Strategy& inner, TraceSight& sight);

  Needs needs() const override {
    Needs needs = inner_.needs();
    needs.executed = true;
    return needs;
  }
  std::optional<Keep> begin(const RunInfo& run) override { return inner_.begin(run); }
  std::size_t choose(const ChoicePoint& point) override;
  void executed(const Event& event, const EffectFlags& flags, std::span<const Event> created) override;
  bool fair() const override { return inner_.fair(); }

  // After the run.
  void finish();

  // What can happen in the world as it is now, in the order in which strategies see it.
  std::vector<TraceSight::Offer> possible_now() const;

 private:
  ActorNames names() const;
  std::uint32_t steps() const { return static_cast<std::uint32_t>(execution_.steps()); }
  std::string created_text(const Event& event) const;
  void look_at_actors();
  void look_at_monitors();
  void note(std::string& last, std::vector<TraceSight::Text>& list, ActorId actor,
            const std::string& text) const;
  std::string state_text(ActorId actor) const;
  std::string disk_text(const LiveActor& actor) const;
  void note_offers(const Alternatives& offer, std::uint32_t step);
  TraceSight::Offer offer_of(const Alternative& each, std::uint32_t step) const;
  void note_operations();

  Execution& execution_;
  Strategy& inner_;
  TraceSight& sight_;
  ActorId touched_ = nobody;
  std::map<std::uint64_t, std::string> states_;  // by actor
  std::map<std::uint64_t, std::string> disks_;
  std::map<std::pair<std::uint64_t, EventKind>, TraceSight::Offer> open_;  // possible until now
  std::map<std::uint64_t, std::uint32_t> taken_;  // by id of what was pending: the step
  std::vector<std::optional<std::pair<TraceSight::Warmth, std::string>>> warmth_;
};

}  // namespace gainsay::tools
