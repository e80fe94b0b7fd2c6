// Expander: one worker of the search. It takes records, finds their successors, and keeps those that nobody
// has seen.
//
// What a handler does is asked once per local state and message (Front::leaves). Where the difference that a step
// makes to the fingerprint is known from that alone, a successor is looked up before it is built; duplicates, most of
// all successors, then cost one cache line. Several workers share a kernel and the table of states; each has an
// engine of its own.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gainsay/execution/world/engine.hpp"
#include "gainsay/explorer/bitstate.hpp"
#include "gainsay/explorer/equivariance.hpp"
#include "gainsay/explorer/exact_store.hpp"
#include "gainsay/explorer/frontier.hpp"
#include "gainsay/explorer/hot_records.hpp"
#include "gainsay/explorer/open_record.hpp"
#include "gainsay/explorer/orbit_judge.hpp"
#include "gainsay/explorer/record.hpp"
#include "gainsay/explorer/state_table.hpp"

namespace gainsay {

// A violation seen from some state; the least one of its key on the first level that has it is reported.
struct Sighting {
  Violation violation;
  std::uint64_t state = 0;  // fingerprint of the state before the last step, or of the end state
  std::uint64_t successor =
      0;                // the state that breaks an invariant (`state` is then what the table says); 0: none
  bool at_end = false;  // the state itself is the complaint
  std::size_t permutation = 0;  // with symmetry: the complaint is about the image of the state under this one
  std::vector<std::uint32_t> trail{};  // bitstate search: low words of the fingerprints on the way to it

  friend bool operator<(const Sighting& a, const Sighting& b) {
    return std::tie(a.successor, a.state, a.at_end, a.permutation, a.violation.message) <
           std::tie(b.successor, b.state, b.at_end, b.permutation, b.violation.message);
  }
};

using Sightings = std::map<std::string, Sighting>;  // by violation_key

// What the workers share.
struct Shared {
  explicit Shared(const Blueprint& b) : blueprint(b), kernel(b), engine(kernel) {}

  const Blueprint& blueprint;
  Kernel kernel;
  std::mutex mutex;  // over the kernel
  Engine engine;     // for whoever looks at states while no worker runs
  StateTable table;
  std::atomic<bool> starts_or_gates{false};  // some world holds a start event or a gated actor
  std::optional<ExactStore> exact;           // exact mode
  std::mutex exact_mutex;
  std::optional<Bitstate> bits;  // bitstate search: the table is not used
  std::atomic<std::uint64_t> bit_states{0};
  // Symmetry: null where every state counts. This one is for whoever looks at states while no worker runs.
  std::unique_ptr<const SymmetryGroup> group;
  std::unique_ptr<Symmetry> symmetry;
  std::unique_ptr<Equivariance> equivariance;  // under the kernel's mutex

  void use_symmetry() {
    group = std::make_unique<const SymmetryGroup>(find_symmetry(blueprint));
    symmetry = std::make_unique<Symmetry>(engine, *group);
    equivariance = std::make_unique<Equivariance>(engine, *symmetry);
  }

  // Files a state, in whichever table there is.
  StateTable::Outcome insert(std::uint64_t fingerprint, std::uint64_t parent, std::uint16_t level) {
    if (!bits) return table.insert(fingerprint, parent, level);
    return bits->insert(fingerprint) ? StateTable::Outcome::added : StateTable::Outcome::known;
  }
  void prefetch(std::uint64_t fingerprint) const {
    bits ? bits->prefetch(fingerprint) : table.prefetch(fingerprint);
  }
  void count_added(std::uint64_t added) {
    bits ? void(bit_states.fetch_add(added, std::memory_order_relaxed)) : table.count_added(added);
  }
  std::uint64_t states() const { return bits ? bit_states.load(std::memory_order_relaxed) : table.size(); }
};

class Expander {
 public:
  explicit Expander(Shared& shared)
      : shared_(shared),
        engine_(shared.kernel, shared.mutex),
        ruled_{Ruled(engine_), Ruled(engine_)},
        judge_(shared.blueprint),
        conditions_(shared.blueprint.liveness()) {
    if (!shared.group) return;
    symmetry_ = std::make_unique<Symmetry>(engine_, *shared.group);
    orbits_ = std::make_unique<OrbitJudge>(engine_, *symmetry_, judge_);
  }

  // Looks at the first state and puts it into the output.
  void begin(const WorldState& world);
  // Expands the records of the block from word `begin` to word `end`; successors get level `level` (the first state
  // has 1).
  void expand(const Block& block, std::size_t begin, std::size_t end, std::uint16_t level);
  // Adds the records that found the table full, now that it has grown.
  void add_overflow(std::uint16_t level);
  bool has_overflow() const { return !overflow_.empty(); }

  // The states accepted so far in which some liveness condition is not cold.
  const HotRecords& hot() const { return hot_; }
  void begin_level() { hot_.begin_level(); }
  // What another search had found.
  void add_hot(const std::vector<std::uint32_t>& record) { hot_.add(record); }
  void note_reached(std::size_t goal) { judge_.note_reached(goal); }
  void note_notified(std::size_t monitor) {
    notified_.resize(shared_.kernel.monitors().size(), false);
    notified_[monitor] = true;
  }
  void note_asymmetric(const std::string& property) {
    if (orbits_) orbits_->note_asymmetric(property);
  }
  bool notified(std::size_t monitor) const { return monitor < notified_.size() && notified_[monitor]; }
  // Memory of a block that has been expanded, to be used again.
  void give_back(Block& block) {
    block.words.clear();
    if (spare_.size() < most_spare) spare_.push_back(std::move(block.words));
    block = Block{};
  }
  std::vector<Block> take_output() { return std::exchange(output_, {}); }
  const Judge& judge() const { return judge_; }
  const OrbitJudge* orbits() const { return orbits_.get(); }
  std::uint64_t symmetry_bytes() const { return symmetry_ ? symmetry_->bytes() : 0; }

  std::uint64_t transitions = 0;
  std::uint64_t end_states = 0;
  Sightings sightings;

 private:
  // A successor whose fingerprint is known, and that is not built yet.
  struct Candidate {
    std::uint64_t fingerprint = 0;
    const Leaf* leaf = nullptr;
    RecordView record;
    std::uint32_t place = 0;        // of the event in the record
    std::uint32_t permutation = 0;  // that takes the successor to the canonical member of its orbit
  };
  // The same in a ruled world.
  struct Found {
    std::uint64_t fingerprint;
    const Leaf* leaf;  // null: no handler is called
    Alternative alternative;
  };
  // A record of a ruled world with the successors that were found by their fingerprints. They are looked up when the
  // next record has been expanded: by then what the table says of them has come.
  struct Ruled {
    explicit Ruled(Engine& engine) : open(engine) {}
    OpenRecord open;
    RecordView record;
    std::vector<Found> found;
  };
  // What an event can come to.
  struct Tried {
    const Leaf* leaves;
    std::uint32_t count;
    std::uint32_t place;
  };
  // A successor that is built.
  struct Successor {
    std::vector<std::uint32_t> words;
    std::uint64_t from = 0;
    Slot slot = Directory::no_slot;  // who handled the event
    bool changed = false;            // its state
    const Extras* told = nullptr;    // what changed monitors; null: they did not change
  };
  static constexpr std::size_t batch_size = 64;  // from which on a batch is looked up
  static constexpr std::size_t most_spare = 64;

  RecordOrder record_order() const { return shared_.exact ? RecordOrder::canonical : RecordOrder::any; }
  void expand_free(const RecordView& record, std::uint16_t level);
  void expand_ruled(const RecordView& record, const RecordRest& rest, std::uint16_t level);
  void settle_found(Ruled& ruled, std::uint16_t level);
  void consider(const RecordView& record, std::uint32_t place, const Leaf& leaf);
  void look_up_later(const Candidate& candidate) {
    if (batched_ == batch_.size()) [[unlikely]]
      batch_.resize(2 * batched_);
    batch_[batched_++] = candidate;
  }
  void expand_open(const RecordView& record, std::uint16_t level);
  void expand_world(const RecordView& record, std::uint16_t level);
  void decode_world(const RecordView& record);
  ActorId actor_of(const RecordView& record, const Alternative& alternative) const;
  [[gnu::always_inline]] void try_outcome(Ruled& ruled, const Alternative& alternative, const Leaf* leaf,
                                          std::uint16_t level);
  bool step(const Alternative& alternative, const Leaf* leaf, std::uint64_t from, Asker& asker);
  void step_and_offer(const Alternative& alternative, const Leaf* leaf, std::uint64_t from,
                      std::uint16_t level);
  void settle(Ruled& ruled, const Found& found, StateTable::Outcome outcome);
  bool is_simple(const Leaf& leaf, std::span<const CellId> cells);
  bool is_free(const RecordView& record);
  bool interchangeable(EnvelopeId id);
  void settle_batch(std::uint16_t level);
  void settle_new(const Candidate& candidate, StateTable::Outcome outcome);
  Slot slot_of(const Candidate& candidate);
  void splice(const Candidate& candidate, std::vector<std::uint32_t>& words);
  void offer(Successor& successor, std::uint16_t level);
  void accept(const std::vector<std::uint32_t>& words, Slot slot, bool changed, const Extras* told,
              bool first = false);
  void follow_trail(const RecordView& record);
  bool is_cold(std::span<const CellId> cells);
  void note_notified(const Extras& extras);
  void look_at_end(std::span<const CellId> cells, std::uint64_t fingerprint);
  bool fails(const Leaf& leaf, const RecordView& record, const Alternative& alternative) {
    const Extras* extras = leaf.transition.extras;
    return extras != nullptr && (!all_notified_ || extras->failure() != nullptr) &&
           look_at_extras(*extras, record, alternative);
  }
  bool look_at_extras(const Extras& extras, const RecordView& record, const Alternative& alternative);
  void find(Ruled& ruled, std::uint64_t next, const Leaf* leaf, const Alternative& alternative) {
    if (next == 0) next = 1;
    ruled.found.push_back({next, leaf, alternative});
    shared_.prefetch(next);
  }
  void sight(Violation violation, std::uint64_t state, std::uint64_t successor, bool at_end,
             std::size_t permutation = 0);

  Shared& shared_;
  Engine engine_;
  std::array<Ruled, 2> ruled_;                 // the record that is being expanded, and the one before
  std::size_t current_ = 0;                    // which is which
  bool opened_ = false;                        // the current one is open
  std::array<Tried, OpenRecord::most> tried_;  // scratch
  const std::uint32_t* decoded_ = nullptr;     // the record whose world is `world_`
  Judge judge_;
  std::vector<Candidate> batch_ =
      std::vector<Candidate>(2 * batch_size);  // of free worlds: the first `batched_`
  std::size_t batched_ = 0;
  std::vector<std::uint32_t> scratch_;
  Successor successor_;
  std::vector<Successor> overflow_;
  std::vector<Block> output_;
  std::vector<decltype(Block::words)> spare_;
  bool large_ = false;  // some block was full
  HotRecords hot_;
  std::vector<LivenessCondition> conditions_;
  std::vector<std::uint8_t> heat_;  // by cell of a monitor: 0 not looked at, 1 cold, 2 not cold
  std::vector<bool> notified_;      // by monitor
  bool all_notified_ = false;
  std::uint64_t added_ = 0;
  std::uint32_t trail_words_ = 0;     // of the records that are being expanded
  std::vector<std::uint32_t> trail_;  // of the state whose successors are offered
  std::unique_ptr<Symmetry> symmetry_;
  std::unique_ptr<OrbitJudge> orbits_;
  WorldState world_;
  WorldState next_;
  StepResult result_;  // of the step to `next_`
  Alternatives alternatives_;
};

}  // namespace gainsay
