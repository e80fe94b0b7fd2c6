// OpenRecord: a record taken apart, so that its successors are differences: what a step adds to the fingerprint, and
// the record after it, without building a world.
//
// A fingerprint is a sum over actors and pending events (execution/world/world_hash.hpp), so the effects of a handler
// say which summands go and which come. Explicit-state search looks a successor up by its fingerprint before it is
// built, and most successors are known already. A new one is written from its parent's record: sets of pending events
// are words with a bit for each place, so what somebody knows of, what waits for what and who is concerned are a few
// instructions each. What is rare is left to the step itself: worlds with more than 64 pending events, a cut in force,
// copies under causal order, spawned actors, corrupted messages. Tests compare all answers with the step's.
#pragma once

#include <array>
#include <bit>
#include <optional>
#include <vector>

#include "gainsay/explorer/record.hpp"

namespace gainsay {

// Sets of places: a bit for each.
namespace places {

constexpr std::uint64_t bit(std::uint32_t place) { return std::uint64_t{1} << place; }
template <class Visit> void each_place(std::uint64_t places, const Visit& visit) {
  for (; places != 0; places &= places - 1) visit(static_cast<std::uint32_t>(std::countr_zero(places)));
}
// Without the places that are gone; those behind move up.
constexpr std::uint64_t squeeze(std::uint64_t places, std::uint64_t gone) {
  while (gone != 0) {
    const int last = 63 - std::countl_zero(gone);
    const std::uint64_t below = (std::uint64_t{1} << last) - 1;
    places = (places & below) | ((places >> 1U) & ~below);
    gone &= below;
  }
  return places;
}
// With a new place before this one.
constexpr std::uint64_t part(std::uint64_t places, std::size_t at, bool with) {
  const std::uint64_t below = (std::uint64_t{1} << at) - 1;
  return (places & below) | ((places & ~below) << 1U) | (with ? below + 1 : 0);
}

}  // namespace places

class OpenRecord {
 public:
  static constexpr std::size_t most = 64;  // pending events

  explicit OpenRecord(Engine& engine);

  // Takes it apart; it must outlive the other calls. False where it is left to the step: then nothing may be asked.
  // REQUIRES: a record that says what is ready, in RecordOrder::any.
  bool open(const RecordView& record, const RecordRest& rest);

  std::uint64_t ready() const { return ready_; }  // places of events that may be next
  Slot receiver(std::uint32_t place) const { return entries_[place].to; }
  EventKind kind(std::uint32_t place) const { return entries_[place].kind; }

  // What the step adds to the fingerprint, where that is known without it. `leaf` is null where no handler is called.
  std::optional<std::uint64_t> difference(const Alternative& alternative, const Leaf* leaf);

  // Who has changed in a step.
  struct Change {
    Slot slot = Directory::no_slot;
    bool changed = false;
    const Extras* told = nullptr;  // what changed monitors; null: they did not change
  };
  // The record after an ordinary event, in the place of what `out` held; nothing where that is left to the step.
  // REQUIRES: its difference is known.
  std::optional<Change> splice(std::uint32_t place, const Leaf& leaf, std::uint64_t fingerprint,
                               std::vector<std::uint32_t>& out);

 private:
  using Places = std::uint64_t;  // a set of places in `pending`

  // What does not change of an envelope.
  struct Info {
    std::uint64_t hash = 0;    // its class
    std::uint64_t weight = 0;  // of knowing of it, where it is a sending
    Slot to = 0;
    Slot sender = 0;
    EventKind kind = EventKind::deliver;
    Delivery order = Delivery::unordered;
    bool sending = false;  // causal order makes others wait for it
    bool queued = false;  // it has a place in a queue: of a fifo link, of a mailbox, of what the outside sent
  };
  // One pending event as the sum has it.
  struct Entry : Info {
    EnvelopeId envelope = 0;
    std::uint32_t rank = 0;   // in its queue, where it has one
    Places knows = 0;         // sendings that it knows of, its own among them
    std::uint64_t known = 0;  // their weights
    std::uint64_t base = 0;   // class and rank
    std::uint64_t term = 0;   // what it adds
  };
  // An actor that knows of sendings.
  struct Knower {
    Slot slot = 0;
    std::uint64_t base = 0;
    Places knows = 0;
    std::uint64_t known = 0;
    std::uint64_t term = 0;
  };
  struct Told {
    Slot monitor = 0;
    CellId cell = 0;
  };
  // A successor while its record is made. Sets are of the parent's places.
  struct Splice {
    Slot slot = 0;
    CellId cell = 0;       // of the actor afterwards
    EnvelopeId armed = 0;  // a timer that comes; 0: none
    Places kept = 0;       // events that stay
    Places gone = 0;       // the others
    Places ready = 0;
    Places refused = 0;
    Places learned = 0;                  // what the actor knows of before it sends, of what stays
    std::uint32_t first_new = 0;         // place of the first event that comes
    std::uint32_t count = 0;             // of events afterwards
    std::size_t budget = Budgets::none;  // that the step draws on
  };
  // An event that comes.
  struct Fresh {
    EnvelopeId envelope = 0;
    Info info;
    Places knows = 0;  // of what comes, by new places
    bool refused = false;
  };
  static constexpr std::uint8_t flag_known = 1;
  static constexpr std::uint8_t flag_refuses = 2;  // it has gates, and is up
  static constexpr std::uint8_t flag_down = 4;     // and what is sent to it is kept until it is up again

  const Info& info(EnvelopeId id) {
    if (id >= infos_.size()) [[unlikely]]
      find_infos(id);
    return infos_[id];
  }
  void find_infos(EnvelopeId id);
  void read_knowledge();
  void read_budgets();
  std::uint64_t weights_of(Places knows) const;
  const Knower* knower(Slot slot) const;
  static bool in_one_queue(const Info& a, const Info& b) {
    return a.to == b.to && a.order == b.order && (a.order == Delivery::mailbox || a.sender == b.sender);
  }
  Places queue_of(const Info& message) const;

  // The parts of a difference.
  std::optional<std::uint64_t> of_event(std::uint32_t place, const Leaf& leaf);
  std::optional<std::uint64_t> of_actor_fault(const Alternative& alternative, const Leaf* leaf);
  std::uint64_t removal(std::uint32_t place) const;
  std::uint64_t forgetting(std::uint32_t place, Slot except) const;
  std::uint64_t sends(std::uint32_t consumed, Slot slot, std::span<const EnvelopeId> outs);
  bool extras(Places consumed, Slot slot, const Extras& extras, std::uint64_t& sum);
  void timer(Places consumed, Slot slot, const TimerOp& op, std::uint64_t& sum) const;
  bool tell(const Extras& extras, std::uint64_t& sum, bool& changed);
  std::uint64_t spending(std::size_t budget);
  std::size_t timer_budget(std::uint32_t place) const;
  const ValueType& message_type(std::uint32_t place) const;
  Places timers_of(Slot slot, const ValueType& type) const;
  Places place_of(EnvelopeId id) const;

  // The parts of a record.
  void find_ready();
  std::uint8_t cell_flags(CellId cell);
  Places waits_for(const Info& message, Places knows) const;
  bool is_ready(const Splice& step, const Info& event, EnvelopeId envelope, CellId cell, bool waits);
  void refresh(Splice& step, Slot slot, CellId cell, bool gates);
  void write(const Splice& step, std::span<const EnvelopeId> outs, std::uint64_t fingerprint,
             std::vector<std::uint32_t>& out);

  Front& front_;
  Kernel& kernel_;
  Network& network_;
  WorldHash& hash_;
  bool possible_;
  bool unordered_;
  bool budgeted_;  // some timer is
  RecordView record_;
  RecordRest rest_;
  std::uint32_t count_ = 0;  // of pending events
  Places ready_ = 0;
  Places refused_ = 0;
  Places starts_ = 0;
  Places queued_ = 0;
  Places sendings_ = 0;
  std::array<Entry, most> entries_;
  std::vector<Places> to_;  // by slot: the events for it
  std::vector<Knower> knowers_;
  std::array<Places, most> known_by_{};  // by place of a sending: the events that know of it
  // Of budgets, remembered as long as they are the same.
  std::vector<std::uint32_t> budgets_;
  std::uint64_t budgets_hash_ = 0;
  std::vector<std::uint64_t> spending_;   // by budget: what drawing on it adds; 0: not known
  std::vector<Info> infos_;               // by envelope
  std::vector<std::uint8_t> cell_flags_;  // by cell
  // Scratch.
  std::vector<Told> told_;
  std::vector<Fresh> fresh_;
};

}  // namespace gainsay
