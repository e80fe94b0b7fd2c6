// Engine: everything that moves and reads worlds of one scenario, for one thread.
//
// The kernel (handlers as functions), the network (what may be next), the stepper (what a step does) and the hash
// (what a state is), put together once. Executions, searches, the explorer, the enumerator and replays all use it:
// what an alternative is called, what its outcomes are and how a step is judged is said here and nowhere else.
// Threads that share a kernel have one engine each.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/execution/world/choice_path.hpp"
#include "gainsay/execution/world/stepper.hpp"
#include "gainsay/execution/world/world_hash.hpp"
#include "gainsay/oracle/judge.hpp"

namespace gainsay {

// What is being caught, in words. REQUIRES: called from a catch block.
std::string current_exception_text();
// The violation that an exception of the scenario's own code is, if that code is neither handler nor property. What
// the user did wrong otherwise, a divergence, or lack of memory is thrown on. REQUIRES: called from a catch block.
Violation violation_of_exception(std::uint32_t step);

// An entry of a history before anybody reads it.
struct HistoryRecord {
  std::uint32_t step = 0;
  Slot slot = 0;
  HistoryOp op;
};

class Engine {
 public:
  explicit Engine(const Blueprint& blueprint)
      : own_(std::make_unique<Kernel>(blueprint)),
        front(*own_),
        network(front),
        stepper(front, network),
        hash(front.kernel(), network) {}
  // Of a kernel that nobody else uses meanwhile.
  explicit Engine(Kernel& kernel)
      : front(kernel), network(front), stepper(front, network), hash(kernel, network) {}
  // One of several threads that share a kernel.
  Engine(Kernel& kernel, std::mutex& mutex)
      : front(kernel, &mutex), network(front), stepper(front, network), hash(front.kernel(), network) {}
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

 private:
  std::unique_ptr<Kernel> own_;

 public:
  Front front;
  Network network;
  Stepper stepper;
  WorldHash hash;

  Kernel& kernel() const { return front.kernel(); }
  const Blueprint& blueprint() const { return kernel().blueprint(); }
  // Forgets everything interned. REQUIRES: no world is alive, and the kernel is this engine's own.
  void clear();

  // --- what alternatives are called ---
  Event event_of(const Pending& pending) const { return gainsay::event_of(kernel(), pending); }
  Event event_of(const WorldState& world, const Alternative& alternative) const {
    return gainsay::event_of(kernel(), world, alternative);
  }
  EventId id_of(const WorldState& world, const Alternative& alternative) const {
    return is_ordinary(alternative.kind) ? world.pending[alternative.target].id
                                         : fault_id(world, alternative);
  }
  // The message that it concerns; 0: none.
  EnvelopeId envelope_of(const WorldState& world, const Alternative& alternative) const {
    return concerns_pending(alternative) ? world.pending[alternative.target].envelope : 0;
  }

  // --- what they come to ---
  // Every outcome of one alternative, in the order of ChoicePath: `take(next, result, answers)` gets the world after
  // it, and ends the loop by returning true. An exception of the scenario's own code is a failure of that name.
  template <class Take>
  bool for_each_outcome(const WorldState& world, const Alternative& alternative, Take take);

  // What the alternative's handler can do; empty where none is called. REQUIRES: a world of value actors.
  std::span<const Leaf> leaves_of(const WorldState& world, const Alternative& alternative);

  // What the world may be asked for after a step: the handler's own failure, then what the judge says of the actor and
  // of the monitors that have changed.
  std::optional<Violation> judge_step(Judge& judge, const WorldReader& reader, const StepResult& result,
                                      std::uint32_t step) const {
    if (result.failure != nullptr || result.monitors_changed || result.slot >= blueprint().actors.size())
        [[unlikely]]
      return judge_all(judge, reader, result, step);
    if (!result.changed) return std::nullopt;
    return judge.look(reader, ActorId{result.slot}, step);  // an actor of the scenario has its id as slot
  }
  HistoryEntry history_entry(const HistoryRecord& record) const;
  // Each actor's sequence of received ids and answers, folded.
  std::uint64_t trace_class(const WorldState& world) const;

 private:
  std::optional<Violation> judge_all(Judge& judge, const WorldReader& reader, const StepResult& result,
                                     std::uint32_t step) const;
  TimeRange clock_at(const WorldState& world, const Alternative& alternative, EnvelopeId envelope);

  WorldState outcome_;
  Failure thrown_;
};

// The actors of a world, for properties. Reads whatever the row holds when it is asked.
class StateReader final : public WorldReader {
 public:
  StateReader(const Engine& engine, const std::vector<CellId>& cells, const std::vector<LiveActor>& live)
      : engine_(engine), interner_(engine.kernel().interner()), row_(&cells), live_(&live) {}
  StateReader(const Engine& engine, const WorldState& world) : StateReader(engine, world.cells, world.live) {}
  // Of a world without live actors.
  StateReader(const Engine& engine, std::span<const CellId> cells)
      : engine_(engine), interner_(engine.kernel().interner()), cells_(cells) {}

  Status status(ActorId actor) const override;
  const ActorType* type(ActorId actor) const override;
  const void* state(ActorId actor) const override {
    // What properties ask for all the time: the fields of an interned actor of the scenario, whose id is its place.
    if (row_ != nullptr) {
      if (actor.raw < row_->size()) [[likely]] {
        const CellId cell = (*row_)[actor.raw];
        if (cell == live_cell) return (*live_)[actor.raw].object();
        if (cell != 0) [[likely]]
          return interner_.cell(cell).data;
      }
    } else if (actor.raw < cells_.size() && cells_[actor.raw] != 0) [[likely]] {
      return interner_.cell(cells_[actor.raw]).data;
    }
    return other_state(actor);
  }
  const void* durable(ActorId actor, const ValueType& type) const override;
  std::uint32_t version(ActorId actor) const override {
    const std::span<const CellId> row = cells();
    const Slot slot = actor.raw < row.size() ? static_cast<Slot>(actor.raw) : slot_of(actor);
    return slot == Directory::no_slot || row[slot] == live_cell ? 0 : row[slot];
  }
  std::uint64_t identity(ActorId actor) const override;
  bool has_spawned() const override;
  std::vector<ActorId> actors() const override;
  std::string name(ActorId actor) const override;

 private:
  const void* other_state(ActorId actor) const;
  std::span<const CellId> cells() const { return row_ != nullptr ? std::span<const CellId>(*row_) : cells_; }
  // Its place; no_slot: it is not there.
  Slot slot_of(ActorId actor) const;

  const Engine& engine_;
  const Interner& interner_;
  const std::vector<CellId>* row_ = nullptr;
  std::span<const CellId> cells_;
  const std::vector<LiveActor>* live_ = nullptr;
};

template <class Take>
bool Engine::for_each_outcome(const WorldState& world, const Alternative& alternative, Take take) {
  GAINSAY_CHECK(alternative.kind != EventKind::stop, "stop has no outcome");
  ChoicePath path;
  do {
    path.rewind();
    outcome_ = world;
    StepResult result;
    try {
      stepper.step(outcome_, alternative, path, result);
    } catch (...) {
      const Violation violation = violation_of_exception(no_step);
      thrown_ = {violation.property, violation.message};
      result = {};
      result.failure = &thrown_;
    }
    if (take(outcome_, result, path.answers())) return true;
  } while (path.advance());
  return false;
}

}  // namespace gainsay
