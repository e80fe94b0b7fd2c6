// nemesis: rounds of a cut, operations, and a heal, as Jepsen's nemesis plays them (Niksic's thesis, 2018, chapters 2
// and 4), around another strategy that orders the events of each stretch.
//
// The scenario names a family of cuts (World::faults().partitions). After `warmup` periods and `before` operations, a
// run goes through its phases once per round:
//   cut; `settle` periods; `operations`, one after the other, each followed by what it causes and by `wait` periods;
//   heal, and at once the next phase's cut; after the last phase `settle` periods; in the end the operations left.
// Operations are messages from the outside: they wait until it is their turn, and are drawn evenly over receivers and
// types. A period is that every timer which is armed fires once, the oldest first, and all that this causes comes to an
// end: clocks go equally fast, and messages are faster than clocks. Three periods are the time to miss an answer, to
// notice it and to act on it: elections end within `settle`, and what an operation waits for within `wait`.
// `settle=0`: the first operation comes before anybody has noticed the cut; with `wait=0` all of them do. Cuts are
// drawn uniformly, separately for each phase, or taken in turn, run after run (`draw=turn`): then as many runs as there
// are cuts have made every one. Other faults do not happen.
//
// Guarantee: the chance that a run meets a given goal of the family's notion, by counting the cuts that do; the chance
// that all goals were met in so many rounds, exact for at most 20 goals, else the union bound; and what was met,
// counted. Not that the operations of that round were the right ones.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gainsay/base/options.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/around/decorator.hpp"
#include "gainsay/strategy/catalogue.hpp"

namespace gainsay {

struct NemesisOptions {
  enum class Inside { random, pctcp, pos };
  enum class Draw { uniform, turn };
  Inside inside = Inside::random;
  std::uint32_t depth = 2;
  Draw draw = Draw::uniform;
  std::uint32_t settle = 3;
  std::uint32_t warmup = 0;
  std::uint32_t before = 0;
  std::uint32_t operations = 2;
  std::uint32_t wait = 3;
  bool concurrent = false;

  static void describe(Describe<NemesisOptions>& d);
};

// What runs have met; counts of consecutive runs add up.
struct NemesisLessons final : Lessons {
  std::uint64_t runs = 0;
  std::uint64_t rounds = 0;         // that were played to the end of their phases
  std::uint64_t rounds_of_run = 0;  // the least of any run
  std::vector<std::uint64_t> met;   // times, by goal
  std::shared_ptr<const family::Cuts> cuts;
  std::unique_ptr<Lessons> inner;  // null: it does not learn

  NemesisLessons() = default;
  NemesisLessons(const NemesisLessons& other);
  NemesisLessons& operator=(const NemesisLessons& other) = delete;
  std::unique_ptr<Lessons> clone() const override { return std::make_unique<NemesisLessons>(*this); }
  void merge(const Lessons& later) override;
  bool save(ByteWriter& out) const override;
  bool load(ByteReader& in) override;
};

class NemesisStrategy final : public StrategyDecorator, public Learner {
 public:
  NemesisStrategy(NemesisOptions options, std::unique_ptr<Strategy> inner)
      : StrategyDecorator(std::move(inner)), options_(options) {}

  // Throws UserError where the world has no family of cuts.
  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;
  void end(const RunEnd& end) override;
  // Only at its end is a run left to the inner strategy.
  bool fair() const override { return act_ == script_.size() && inner().fair(); }
  Guarantee guarantee() const override;
  Learner* learner() override { return this; }
  std::unique_ptr<Lessons> take_lessons() override;
  void learn(const Lessons& all) override;

  // Of the last run; for tests: which cuts were made.
  const std::vector<std::size_t>& cuts_made() const { return made_; }

 private:
  enum class Act : std::uint8_t { drain, period, operate, cut, heal };

  void write_script();
  std::optional<std::size_t> act(const ChoicePoint& point);
  std::optional<std::size_t> next_timer(const ChoicePoint& point);
  std::optional<std::size_t> operation(const ChoicePoint& point);
  std::optional<std::size_t> cut(const ChoicePoint& point);
  void sort_events(const ChoicePoint& point);
  std::size_t choose_among(const ChoicePoint& point, const std::vector<std::size_t>& shown);
  void next_act();
  std::size_t finish(const ChoicePoint& point);

  NemesisOptions options_;
  RunInfo run_;
  Rng rng_{0};
  std::vector<Act> script_;
  std::size_t act_ = 0;
  std::optional<std::vector<EventId>> period_;  // timers that still fire in this period, the last one first
  std::vector<std::size_t> made_;               // cuts of this run, by their number in their phase
  // Alternatives of a choice point, by kind.
  std::vector<std::size_t> flows_;
  std::vector<std::size_t> timers_;
  std::vector<std::size_t> operations_;

  NemesisLessons lessons_;
  NemesisLessons learned_;
};

StrategyInfo nemesis_strategy();

}  // namespace gainsay
