// surw: a random walk that weighs every possible event with how much will come of it, after SURW (Zhao, Xu, Yang,
// Sekar and others, "Selectively Uniform Concurrency Testing", ASPLOS 2025), which weighs threads by the steps they
// have left.
//
// The weight of an event is the expected number of events that descend from it, itself included. Where causes
// form a forest of known sizes, every interleaving then has the same probability: a forest has n! / (product
// of the sizes of its subtrees) linear extensions, so the share of those that begin with root r is
// size(r) / n. Sizes are learned: by stable event id, else as the mean of events of the same receiver and
// message type, else 1; a scout goes before the first run. All events are of interest here: the paper's
// selection of a subset is not taken over.
//
// Fair: weights have a least value. No bound. Faults are drawn apart. Data choices are not steps.
#pragma once

#include <memory>
#include <vector>

#include "gainsay/base/options.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/catalogue.hpp"
#include "gainsay/strategy/strategy.hpp"
#include "gainsay/strategy/walks/pending_mirror.hpp"

namespace gainsay {

struct SurwOptions {
  double faults = 0.0625;

  static void describe(Describe<SurwOptions>& d) {
    d.field(&SurwOptions::faults, "probability that a step is a fault, if one is possible").range(0, 1);
  }
};

// Sizes of the subtrees below events, by a 64-bit name.
struct SurwLessons final : Lessons {
  struct Entry {
    std::uint64_t name = 0;
    std::uint64_t size_sum = 0;
    std::uint64_t count = 0;

    double mean() const { return static_cast<double>(size_sum) / static_cast<double>(count); }
  };
  static constexpr std::size_t most_events = std::size_t{1} << 17U;

  std::vector<Entry>
      events;  // by event id; sorted, each name once; empty and closed where there were too many
  std::vector<Entry> kinds;  // by receiver and message type; likewise
  bool closed = false;
  bool scouted = false;

  std::unique_ptr<Lessons> clone() const override { return std::make_unique<SurwLessons>(*this); }
  void merge(const Lessons& later) override;
  bool save(ByteWriter& out) const override;
  bool load(ByteReader& in) override;
  // Sorts, folds entries with the same name, and closes what has grown too large.
  void settle();
  double weight(std::uint64_t event, std::uint64_t kind) const;
};

class SurwStrategy final : public Strategy, public Learner {
 public:
  // Later runs teach nothing: sizes are known well enough, and the walk stays fast.
  static constexpr std::uint64_t learning_runs = 4096;

  explicit SurwStrategy(SurwOptions options) : options_(options) {}

  Needs needs() const override { return {.scout = !learned_.scouted}; }
  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;
  void end(const RunEnd& end) override;
  // Not fair: an event whose weight is small beside that of timers that re-arm waits longer and longer.
  Learner* learner() override { return this; }
  std::unique_ptr<Lessons> take_lessons() override;
  void learn(const Lessons& all) override;

 private:
  static constexpr std::uint32_t no_parent = 0xffffffffU;

  struct Item {
    double weight = 1;
    std::uint64_t kind = 0;
    std::uint32_t parent = no_parent;  // the step that caused it
  };
  struct Done {
    std::uint64_t event = 0;
    std::uint64_t kind = 0;
    std::uint32_t parent = no_parent;
  };

  template <class Position> std::size_t draw(std::size_t count, Position position);

  SurwOptions options_;
  SurwLessons learned_;
  SurwLessons lessons_;
  Rng rng_{0};
  bool learning_ = false;
  bool scout_ = false;
  PendingMirror<Item> pending_;
  std::vector<double> weights_;  // by position: they are summed up in every step
  std::uint64_t rebuilds_ = 0;   // of the mirror, when the weights were noted
  std::vector<Done> steps_;
  std::vector<std::uint64_t> sizes_;  // scratch
};

StrategyInfo surw_strategy();

}  // namespace gainsay
