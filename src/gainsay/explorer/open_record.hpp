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
#include <cstring>
#include <optional>
#include <vector>

#include "gainsay/explorer/record.hpp"

namespace gainsay {

// Sets of places: a bit for each.
namespace places {

constexpr std::uint64_t bit(std::uint32_t place) { return std::uint64_t{1} << place; }
template <class Visit>
[[gnu::always_inline]] inline void each_place(std::uint64_t places, const Visit& visit) {
  for (; places != 0; places &= places - 1) visit(static_cast<std::uint32_t>(std::countr_zero(places)));
}
// Takes places out of sets; those behind them move up. Mostly it is one place.
class Squeeze {
 public:
  // REQUIRES: some are gone.
  explicit Squeeze(std::uint64_t gone)
      : below_((std::uint64_t{1} << (63 - std::countl_zero(gone))) - 1), others_(gone & below_) {}
  std::uint64_t operator()(std::uint64_t places) const {
    places = (places & below_) | ((places >> 1U) & ~below_);
    return others_ == 0 ? places : Squeeze(others_)(places);
  }
  bool is_one() const { return others_ == 0; }
  // The same of sets that stand one after the other, as many at once as go into a word; answers where they end.
  // REQUIRES: is_one(), and a bit for each place in a `Row`.
  template <class Row>
  std::uint8_t* rows(const std::uint8_t* from, std::size_t count, std::uint8_t* to) const {
    constexpr auto all = static_cast<Row>(~Row{0});
    constexpr std::uint64_t each = ~std::uint64_t{0} / all;
    const std::uint64_t below = each * static_cast<Row>(below_);
    const std::uint64_t behind = each * static_cast<Row>(~below_ & (all >> 1U));
    const auto squeeze = [&](auto places) {
      std::memcpy(&places, from, sizeof(places));
      places = static_cast<decltype(places)>((places & below) | ((std::uint64_t{places} >> 1U) & behind));
      std::memcpy(to, &places, sizeof(places));
      from += sizeof(places);
      to += sizeof(places);
    };
    constexpr std::size_t at_once = sizeof(std::uint64_t) / sizeof(Row);
    for (; count >= at_once; count -= at_once) squeeze(std::uint64_t{});
    for (; count > 0; --count) squeeze(Row{});
    return to;
  }

 private:
  std::uint64_t below_;   // the last one that is gone
  std::uint64_t others_;  // that are gone
};
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

  // Whether it is known without the step what that adds to the fingerprint, which `sum` is then. Of an ordinary event:
  bool of_event(std::uint32_t place, const Leaf& leaf, std::uint64_t& sum);
  // Of any; `leaf` is null where no handler is called.
  bool difference(const Alternative& alternative, const Leaf* leaf, std::uint64_t& sum) {
    if (is_ordinary(alternative.kind)) [[likely]]
      return leaf != nullptr && of_event(alternative.target, *leaf, sum);
    return of_fault(alternative, leaf, sum);
  }

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
  // What an actor knows of sendings.
  struct Knower {
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
    bool refused = false;
    Places knows = 0;  // of what comes, by new places
  };
  // What rows of bits say of a successor, by its own places.
  struct Rows {
    Places ready = 0;
    Places refused = 0;
    Places sent = 0;  // sendings that come
    bool causal = false;
  };
  static constexpr std::uint8_t flag_known = 1;
  static constexpr std::uint8_t flag_refuses = 2;  // it has gates, and is up
  static constexpr std::uint8_t flag_down = 4;     // and what is sent to it is kept until it is up again
  static constexpr std::uint8_t flag_crashed = 8;

  const Info& info(EnvelopeId id) {
    if (id >= infos_.size()) [[unlikely]]
      find_infos(id);
    return infos_[id];
  }
  void find_infos(EnvelopeId id);
  template <class Row> void read_knowledge();
  void read_budgets();
  std::uint64_t weights_of(Places knows) const;
  void find_bases(Slot count);
  static bool in_one_queue(const Info& a, const Info& b) {
    return a.to == b.to && a.order == b.order && (a.order == Delivery::mailbox || a.sender == b.sender);
  }
  Places queue_of(const Info& message) const;

  // The parts of a difference.
  bool of_fault(const Alternative& alternative, const Leaf* leaf, std::uint64_t& sum);
  bool of_actor_fault(const Alternative& alternative, const Leaf* leaf, std::uint64_t& sum);
  [[gnu::always_inline]] std::uint64_t removal(std::uint32_t place) const;
  [[gnu::always_inline]] std::uint64_t forgetting(std::uint32_t place, Slot except);
  [[gnu::always_inline]] std::uint64_t sends(std::uint32_t consumed, Slot slot,
                                             std::span<const EnvelopeId> outs);
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
  std::uint8_t cell_flags(CellId cell) {
    if (cell >= cell_flags_.size() || cell_flags_[cell] == 0) [[unlikely]]
      find_cell_flags(cell);
    return cell_flags_[cell];
  }
  void find_cell_flags(CellId cell);
  Places waits_for(const Info& message, Places knows) const;
  bool is_ready(const Splice& step, const Info& event, EnvelopeId envelope, CellId cell, bool waits);
  void refresh(Splice& step, Slot slot, CellId cell, bool gates);
  void write(const Splice& step, std::span<const EnvelopeId> outs, std::uint64_t fingerprint,
             std::vector<std::uint32_t>& out);
  template <class Row> std::uint8_t* write_rows(const Splice& step, const Rows& rows, std::uint8_t* to) const;

  Front& front_;
  Kernel& kernel_;
  Network& network_;
  WorldHash& hash_;
  bool possible_;
  bool unordered_;
  bool budgeted_;  // some timer is
  bool may_crash_;
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
  // Where there are sendings.
  std::array<Knower, most> knowers_;  // by slot
  // By place of a sending: who knows of it, events and actors (by slot).
  std::array<Places, most> known_by_events_;
  std::array<std::uint64_t, most> known_by_actors_;
  std::array<std::uint64_t, most> weights_;  // by place of a sending
  // Of budgets, remembered as long as they are the same.
  std::vector<std::uint32_t> budgets_;
  std::uint64_t budgets_hash_ = 0;
  std::vector<std::uint64_t> spending_;   // by budget: what drawing on it adds; 0: not known
  std::vector<Info> infos_;               // by envelope
  std::vector<std::uint64_t> bases_;      // by slot: WorldHash::actor_base
  std::vector<std::uint8_t> cell_flags_;  // by cell
  // Scratch.
  std::vector<Told> told_;
  std::vector<Fresh> fresh_;
};

}  // namespace gainsay
