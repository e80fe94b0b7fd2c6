// Expander: one worker of the search. It takes records, finds their successors, and keeps those that nobody
// has seen.
//
// Fast path: in a plain world a memoised transition changes the fingerprint by a constant, so a successor is
// looked up before it is built, and only new ones are built. Everything else (ordered delivery, gates,
// faults, timers, spawns, starts) goes through the Stepper under the kernel's mutex.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gainsay/execution/world/stepper.hpp"
#include "gainsay/execution/world/world_hash.hpp"
#include "gainsay/explorer/bitstate.hpp"
#include "gainsay/explorer/equivariance.hpp"
#include "gainsay/explorer/exact_store.hpp"
#include "gainsay/explorer/frontier.hpp"
#include "gainsay/explorer/record.hpp"
#include "gainsay/explorer/state_table.hpp"
#include "gainsay/oracle/judge.hpp"

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
  explicit Shared(const Blueprint& b)
      : blueprint(b), kernel(b), network(kernel), stepper(kernel, network), hash(kernel, network) {}

  void use_symmetry() {
    symmetry = std::make_unique<Symmetry>(kernel, network, hash);
    equivariance = std::make_unique<Equivariance>(kernel, network, *symmetry);
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
  // By which the table knows a world: of the canonical member of its orbit, where there is symmetry.
  std::uint64_t fingerprint(const WorldState& world) const {
    return symmetry ? symmetry->fingerprint(world) : hash.of(world);
  }

  const Blueprint& blueprint;
  Kernel kernel;
  Network network;
  Stepper stepper;
  WorldHash hash;
  std::mutex mutex;  // over kernel and stepper
  StateTable table;
  std::atomic<bool> starts_possible{false};  // some world may hold a start event, or a gated actor
  std::optional<ExactStore> exact;           // exact mode; then there is one worker
  std::optional<Bitstate> bits;              // bitstate search: the table is not used
  std::atomic<std::uint64_t> bit_states{0};
  std::unique_ptr<Symmetry> symmetry;  // null: every state counts
  std::unique_ptr<Equivariance> equivariance;
};

// Actors of a record or world, for properties.
class CellsReader final : public WorldReader {
 public:
  CellsReader(Shared& shared, std::span<const CellId> cells, bool locked)
      : shared_(shared), cells_(cells), locked_(locked) {}

  Status status(ActorId actor) const override;
  const ActorType* type(ActorId actor) const override;
  const void* state(ActorId actor) const override;
  const void* durable(ActorId actor, const ValueType& type) const override;
  std::uint32_t version(ActorId actor) const override { return cell_of(actor); }
  bool has_spawned() const override { return cells_.size() > shared_.blueprint.actors.size(); }
  std::vector<ActorId> actors() const override;
  std::string name(ActorId actor) const override;

 private:
  CellId cell_of(ActorId actor) const;

  Shared& shared_;
  std::span<const CellId> cells_;
  bool locked_;  // the caller holds the mutex
};

class Expander {
 public:
  explicit Expander(Shared& shared) : shared_(shared), judge_(shared.blueprint), cache_(cache_size) {}

  // Looks at the first state and puts it into the output.
  void begin(const WorldState& world);
  // Expands every record of the block; successors get level `level` (the first state has 1).
  void expand(const Block& block, std::uint16_t level);
  // Adds the records that found the table full, now that it has grown.
  void add_overflow(std::uint16_t level);
  bool has_overflow() const { return !overflow_.empty(); }

  // Records of the states accepted so far in which some monitor is hot.
  std::vector<std::uint32_t> take_hot() { return std::exchange(hot_, {}); }
  std::uint64_t hot_bytes() const { return hot_.capacity() * sizeof(std::uint32_t); }
  bool notified(std::size_t monitor) const { return monitor < notified_.size() && notified_[monitor]; }
  std::vector<Block> take_output() { return std::exchange(output_, {}); }
  const Judge& judge() const { return judge_; }
  // Properties that complained about some states of an orbit and not about others.
  const std::set<std::string>& asymmetric() const { return asymmetric_; }

  std::uint64_t transitions = 0;
  std::uint64_t end_states = 0;
  Sightings sightings;

 private:
  // A successor found by the fast path, not built yet.
  struct Candidate {
    std::uint64_t fingerprint;
    const Transition* transition;
    RecordView record;
    std::uint32_t position;  // of the consumed envelope
  };
  // A successor that is built.
  struct Successor {
    std::vector<std::uint32_t> words;
    std::uint64_t from = 0;
    ActorId changed = nobody;  // nobody: nothing that a property reads
    bool told = false;         // monitors were notified: look at everything
  };
  struct CacheLine {
    std::uint64_t key = 0;
    const Transition* transition = nullptr;  // null: not a single plain transition
  };
  static constexpr int cache_bits = 15;
  static constexpr std::size_t cache_size = std::size_t{1} << cache_bits;
  static constexpr std::size_t batch_size = 64;

  void expand_fast(const RecordView& record, std::uint16_t level);
  void expand_slow(const RecordView& record, std::uint16_t level);
  void expand_event_slow(const RecordView& record, std::uint32_t position, std::uint16_t level);
  void expand_alternative(const Alternative& alternative, std::uint64_t from, std::uint16_t level);
  const Transition* single_transition(CellId cell, EnvelopeId envelope);
  bool has_start(const RecordView& record) const;
  bool interchangeable(EnvelopeId id) const;
  Slot receiver_of(EnvelopeId id);
  bool all_there(const Transition& transition, std::span<const CellId> cells);
  void settle_batch(std::uint16_t level);
  void build(const Candidate& candidate, std::vector<std::uint32_t>& words) const;
  void offer(Successor& successor, std::uint16_t level, bool locked);
  void accept(const std::vector<std::uint32_t>& words, ActorId changed, bool locked, bool told = false,
              bool first = false);
  bool is_hot(std::span<const CellId> cells);
  void note_told(const StepResult& result);
  void look_at_end(std::span<const CellId> cells, std::uint64_t fingerprint, bool locked);
  struct Complaining {
    Violation violation;
    std::size_t permutation;
  };
  std::optional<Complaining> look_at_orbit(std::span<const CellId> cells, bool at_end);
  std::optional<Violation> look_at_image(std::size_t permutation, std::span<const CellId> cells, bool at_end);
  void sight(Violation violation, std::uint64_t state, std::uint64_t successor, bool at_end,
             std::size_t permutation = 0);
  void follow_trail(const RecordView& record);
  void sight_exception(std::uint64_t state, bool at_end);
  const Envelope& envelope(EnvelopeId id) const { return shared_.kernel.envelope(id); }

  Shared& shared_;
  Judge judge_;
  std::vector<CacheLine> cache_;
  std::vector<Slot> receivers_;  // by envelope
  std::vector<Candidate> batch_;
  std::vector<std::uint32_t> scratch_;
  Successor successor_;
  std::vector<Successor> overflow_;
  std::vector<Block> output_;
  std::vector<std::uint32_t> hot_;
  std::vector<std::uint8_t> heat_;           // by cell: 0 not looked at, 1 cold, 2 hot
  std::vector<bool> notified_;               // by monitor
  std::vector<std::uint64_t> right_;         // orbits of cells that nobody complains about, by hash
  std::vector<std::uint64_t> right_at_end_;  // and in the end
  std::vector<CellId> image_;
  std::set<std::string> asymmetric_;
  std::uint64_t added_ = 0;
  std::uint32_t trail_words_ = 0;     // of the records that are being expanded
  std::vector<std::uint32_t> trail_;  // of the state whose successors are offered
  WorldState world_;
  WorldState next_;
  Alternatives alternatives_;
};

}  // namespace gainsay
