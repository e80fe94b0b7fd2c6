// GraphWorker: one worker of explore_graph. It takes states, finds their steps, and keeps the states that nobody has
// seen.
//
// Where the difference that a step makes to the fingerprint is known without the step, a successor is looked up before
// it is built. Workers share a kernel, the table of states and the book of events; each has an engine of its own.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "gainsay/explorer/open_record.hpp"
#include "gainsay/explorer/record.hpp"
#include "gainsay/model/graph_events.hpp"
#include "gainsay/model/node_table.hpp"

namespace gainsay {

// A state that waits to be numbered or expanded: its record stands at `words` of some row.
struct WaitingState {
  std::uint64_t fingerprint = 0;
  const std::uint32_t* words = nullptr;
  bool judged_wrong = false;  // it breaks an invariant: it gets no edges
};

// A step before its target has a number.
struct LooseEdge {
  std::uint64_t target = 0;
  std::uint32_t event = 0;
};

// The steps of a run of nodes.
struct EdgeChunk {
  std::vector<std::uint32_t> counts;  // by node
  std::vector<LooseEdge> edges;
};

struct SeenViolation {
  Violation violation;
  std::uint64_t state = 0;
};

struct GraphShared {
  explicit GraphShared(const Blueprint& blueprint, std::unique_ptr<Kernel> owned)
      : kernel(std::move(owned)), engine(*kernel), book(*kernel), plan(blueprint) {}

  std::unique_ptr<Kernel> kernel;
  std::mutex mutex;  // over the kernel
  Engine engine;     // for whoever looks at states while no worker runs
  NodeTable table;
  EventBook book;
  const Blueprint& plan;
};

class GraphWorker {
 public:
  explicit GraphWorker(GraphShared& shared)
      : shared_(shared),
        engine_(*shared.kernel, shared.mutex),
        open_(engine_),
        judge_(shared.plan),
        pages_(shared.book) {}

  void begin() {
    engine_.stepper.initial(next_);
    const std::uint64_t fingerprint = engine_.hash.of(next_);
    const NodeTable::Outcome outcome = shared_.table.insert(fingerprint);
    GAINSAY_CHECK(outcome == NodeTable::Outcome::added, "the first state is new");
    auto violation = judge_.look(StateReader(engine_, next_), nobody, no_step);
    if (violation) see(std::move(*violation), fingerprint);
    keep(fingerprint, violation.has_value());
  }

  // Finds the steps of each state; new states are kept.
  void expand(std::span<const WaitingState> states, EdgeChunk& chunk) {
    chunk.counts.reserve(states.size());
    for (const WaitingState& state : states) {
      const std::size_t before = chunk.edges.size();
      if (!state.judged_wrong) expand(state, chunk);
      chunk.counts.push_back(static_cast<std::uint32_t>(chunk.edges.size() - before));
    }
  }
  // Tries again what found the table full.
  void add_overflow() {
    for (Late& late : std::exchange(overflow_, {})) {
      world_ = std::move(late.world);
      settle({late.fingerprint, late.leaf, late.alternative}, late.from);
    }
  }
  bool has_overflow() const { return !overflow_.empty(); }

  std::vector<std::vector<std::uint32_t>> take_rows() { return std::exchange(rows_, {}); }
  std::vector<WaitingState> take_found() { return std::exchange(found_, {}); }
  std::vector<SeenViolation> seen;

 private:
  struct Candidate {
    std::uint64_t fingerprint = 0;
    const Leaf* leaf = nullptr;
    Alternative alternative;
  };
  struct Late {
    WorldState world;
    std::uint64_t fingerprint = 0;
    const Leaf* leaf = nullptr;
    Alternative alternative;
    std::uint64_t from = 0;
  };
  static constexpr std::size_t row_words_kept = std::size_t{1} << 18U;

  void see(Violation violation, std::uint64_t state) { seen.push_back({std::move(violation), state}); }

  bool interchangeable(EnvelopeId id) {
    return !engine_.network.causal() && !engine_.network.queued() &&
           engine_.network.route(id).order == Delivery::unordered;
  }

  void expand(const WaitingState& state, EdgeChunk& chunk) {
    const RecordView record{state.words};
    try {
      decode(record, engine_, world_);
    } catch (...) {  // a gate threw
      see(violation_of_exception(no_step), state.fingerprint);
      return;
    }
    opened_ = open_.open(record, RecordRest(record, engine_.network));
    engine_.network.enabled(world_, alternatives_);
    if (alternatives_.quiescent) {
      if (auto violation = judge_.look_at_end(StateReader(engine_, world_), no_step))
        see(std::move(*violation), state.fingerprint);
    }
    candidates_.clear();
    done_.clear();
    const std::size_t count = alternatives_.count;
    for (std::size_t i = 0; i < count; ++i) {
      const Alternative alternative = alternatives_.at(world_, i);
      if (alternative.kind == EventKind::stop) continue;
      if (alternative.kind <= EventKind::corrupt) {
        const EnvelopeId envelope = world_.pending[alternative.target].envelope;
        if (interchangeable(envelope)) {
          const std::pair same{alternative.kind, envelope};
          if (std::find(done_.begin(), done_.end(), same) != done_.end()) continue;
          done_.push_back(same);
        }
      }
      const std::span<const Leaf> leaves = engine_.leaves_of(world_, alternative);
      if (leaves.empty()) consider(state.fingerprint, alternative, nullptr, chunk);
      for (const Leaf& leaf : leaves) consider(state.fingerprint, alternative, &leaf, chunk);
    }
    for (const Candidate& candidate : candidates_) settle(candidate, state.fingerprint);
  }

  void consider(std::uint64_t from, const Alternative& alternative, const Leaf* leaf, EdgeChunk& chunk) {
    if (const Failure* failure = leaf == nullptr ? nullptr : leaf->transition.failure(); failure != nullptr) {
      see({failure->property, failure->message, engine_.event_of(world_, alternative).receiver, no_step},
          from);
      return;
    }
    std::uint64_t next = 0;
    if (std::uint64_t difference = 0; opened_ && open_.difference(alternative, leaf, difference)) {
      next = from + difference;
    } else {
      if (!step(alternative, leaf, from)) return;
      next = engine_.hash.of(next_);
    }
    if (next == 0) next = 1;
    chunk.edges.push_back({next, pages_.number(engine_, world_, alternative, leaf)});
    candidates_.push_back({next, leaf, alternative});
    shared_.table.prefetch(next);
  }

  void settle(const Candidate& candidate, std::uint64_t from) {
    const NodeTable::Outcome outcome = shared_.table.insert(candidate.fingerprint);
    if (outcome == NodeTable::Outcome::known) return;
    if (outcome == NodeTable::Outcome::full) {
      overflow_.push_back({world_, candidate.fingerprint, candidate.leaf, candidate.alternative, from});
      return;
    }
    const bool executed = step(candidate.alternative, candidate.leaf, from);
    GAINSAY_CHECK(executed, "a step that was found to succeed succeeds");
    bool wrong = false;
    const ActorId actor =
        result_.slot == Directory::no_slot ? nobody : shared_.kernel->directory().id_of(result_.slot);
    if (result_.monitors_changed || (result_.changed && judge_.concerned(actor))) {
      if (auto violation = engine_.judge_step(judge_, StateReader(engine_, next_), result_, no_step)) {
        violation->actor = nobody;  // as a property says it of the state
        see(std::move(*violation), candidate.fingerprint);
        wrong = true;
      }
    }
    keep(candidate.fingerprint, wrong);
  }

  bool step(const Alternative& alternative, const Leaf* leaf, std::uint64_t from) {
    static const Leaf nothing;
    next_ = world_;
    try {
      engine_.stepper.step_known(next_, alternative, leaf != nullptr ? *leaf : nothing, result_);
    } catch (...) {
      see(violation_of_exception(no_step), from);
      return false;
    }
    if (!next_.live.empty())
      throw UserError("a handler spawns an opaque actor, whose states cannot be stored");
    if (result_.failure == nullptr) return true;
    const ActorId actor =
        result_.slot == Directory::no_slot ? nobody : shared_.kernel->directory().id_of(result_.slot);
    see({result_.failure->property, result_.failure->message, actor, no_step}, from);
    return false;
  }

  // `next_` waits from now on.
  void keep(std::uint64_t fingerprint, bool wrong) {
    scratch_.clear();
    encode(next_, fingerprint, engine_.network, scratch_, RecordOrder::any);
    if (rows_.empty() || rows_.back().size() + scratch_.size() > rows_.back().capacity()) {
      rows_.emplace_back();
      rows_.back().reserve(std::max(row_words_kept, scratch_.size()));
    }
    std::vector<std::uint32_t>& row = rows_.back();
    const std::size_t at = row.size();
    row.insert(row.end(), scratch_.begin(), scratch_.end());
    found_.push_back({fingerprint, row.data() + at, wrong});
  }

  GraphShared& shared_;
  Engine engine_;
  OpenRecord open_;
  bool opened_ = false;  // the state that is expanded
  Judge judge_;
  EventPages pages_;
  WorldState world_;
  WorldState next_;
  StepResult result_;
  Alternatives alternatives_;
  std::vector<Candidate> candidates_;
  std::vector<std::pair<EventKind, EnvelopeId>> done_;
  std::vector<Late> overflow_;
  std::vector<std::uint32_t> scratch_;
  std::vector<std::vector<std::uint32_t>> rows_;  // of records; what is in them does not move
  std::vector<WaitingState> found_;
};

}  // namespace gainsay
