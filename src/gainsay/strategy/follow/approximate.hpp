// approximate: follows a list of decisions as far as it can. A decision that is not possible when its turn comes is
// skipped; answers are used again where the question is the same. When no decision is left it stops where it may,
// else it takes the oldest event, or cuts the run there.
//
// Events are recognised by their stable ids, so a list made from one execution still means something in another.
// Where more was left out, the ids of what comes later are others, although the same happens: the fourth round of a
// timer is the third one now. Who wants that followed lets like events stand in: of the same kind, actor, sender and
// message type, and not wanted themselves later in the list.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gainsay/strategy/follow/script.hpp"
#include "gainsay/strategy/strategy.hpp"
#include "gainsay/trace/trace.hpp"

namespace gainsay {

class ApproximateStrategy final : public Strategy {
 public:
  enum class AtEnd : std::uint8_t { go_on, cut };
  struct Manner {
    AtEnd at_end = AtEnd::go_on;
    bool stand_ins = false;
    std::size_t steps_most = ~std::size_t{0};  // the run is cut after so many
    // Who does what another one did in the list; none: everybody for themselves. Needs stand-ins.
    std::function<ActorId(ActorId)> role{};
  };

  explicit ApproximateStrategy(std::vector<Decision> decisions) : script_(std::move(decisions)) {}
  ApproximateStrategy(const std::vector<Step>& steps, Manner manner);

  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;
  std::optional<std::int64_t> recorded_time(std::size_t step, std::int64_t earliest_ns,
                                            std::int64_t latest_ns) override;

  std::size_t skipped() const { return skipped_; }

 private:
  struct Found {
    std::size_t place = Script::nowhere;
    std::size_t index = 0;
  };
  std::size_t choose_event(const ChoicePoint& point);
  std::size_t find_next(const ChoicePoint& point);
  Found find_exact(const ChoicePoint& point);
  Found find_alike(const ChoicePoint& point);
  bool is_alike(const Event& wanted, const Event& event) const;

  Script script_;
  Manner manner_;
  std::vector<Event> wanted_;    // by place; empty without stand-ins
  std::vector<Event> possible_;  // scratch
  std::size_t next_ = 0;         // the decision whose turn it is
  std::size_t skipped_ = 0;
};

}  // namespace gainsay
