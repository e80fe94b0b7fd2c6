#include "gainsay/explorer/open_record.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace gainsay {
using places::bit;
using places::each_place;

OpenRecord::OpenRecord(Engine& engine)
    : front_(engine.front),
      kernel_(engine.kernel()),
      network_(engine.network),
      hash_(engine.hash),
      possible_(!network_.timed() && !network_.queued() && !network_.has_copies()),
      unordered_(network_.unordered()),
      budgeted_(!kernel_.blueprint().timer_budgets.empty()),
      may_crash_(!kernel_.blueprint().faults.crashable.empty()) {}

void OpenRecord::find_infos(EnvelopeId id) {
  for (auto next = static_cast<EnvelopeId>(infos_.size()); next <= id; ++next) {
    const Route route = network_.route(next);
    Info info;
    info.hash = kernel_.envelope(next).hash;
    info.to = route.to;
    info.sender = route.sender;
    info.kind = route.kind;
    info.order = route.order;
    info.sending = route.is_sending();
    info.queued = route.order != Delivery::unordered && !info.sending;
    if (info.sending && route.sender != Directory::no_slot) info.weight = hash_.weight(route.sender);
    infos_.push_back(info);
  }
}

bool OpenRecord::open(const RecordView& record, const RecordRest& rest) {
  record_ = record;
  rest_ = rest;
  count_ = record.pending_count();
  if (!possible_ || count_ > most || rest_.partition != 0) return false;
  const auto pending = record.pending();
  const std::uint32_t cells = record.cells_count();
  queued_ = 0;
  Places starts = 0;
  Places sendings = 0;
  if (to_.size() != cells) to_.resize(cells);
  std::fill(to_.begin(), to_.end(), 0);
  for (std::uint32_t i = 0; i < count_; ++i) {
    Entry& each = entries_[i];
    static_cast<Info&>(each) = info(pending[i]);
    each.envelope = pending[i];
    each.base = each.term = each.hash;
    each.knows = each.known = 0;
    GAINSAY_CHECK(each.to < cells, "a pending event has a receiver");
    if (each.queued) {
      each.rank = static_cast<std::uint32_t>(std::popcount(queue_of(each)));
      each.base = each.term = WorldHash::queued(each.hash, each.rank);
      queued_ |= bit(i);
    }
    to_[each.to] |= bit(i);
    sendings |= Places{each.sending} << i;
    starts |= Places{each.kind == EventKind::start} << i;
  }
  starts_ = starts;
  sendings_ = sendings;
  if (bases_.size() < cells) find_bases(cells);
  if (sendings_ != 0) {
    if (cells > most) return false;
    switch (rest_.row) {
      case 1:
        read_knowledge<std::uint8_t>();
        break;
      case 2:
        read_knowledge<std::uint16_t>();
        break;
      case 4:
        read_knowledge<std::uint32_t>();
        break;
      default:
        read_knowledge<std::uint64_t>();
    }
  }
  if (!rest_.budgets.empty()) read_budgets();
  if (rest_.ready != nullptr) {
    ready_ = bit_rows::load(rest_.ready, rest_.row);
    refused_ = bit_rows::load(rest_.refused, rest_.row);
  } else {
    find_ready();
  }
  return true;
}

template <class Row> void OpenRecord::read_knowledge() {
  GAINSAY_CHECK(rest_.row == sizeof(Row), "rows are as wide as they are read");
  const auto row_at = [](const std::uint8_t* rows, std::size_t at) {
    Row row;
    std::memcpy(&row, rows + at * sizeof(Row), sizeof(Row));
    return Places{row};
  };
  for (std::uint32_t i = 0; i < count_; ++i) {
    known_by_events_[i] = known_by_actors_[i] = 0;
    weights_[i] = entries_[i].weight;
  }
  Places all = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    const Places knows = row_at(rest_.pending_know, i);
    if (knows == 0) continue;
    Entry& each = entries_[i];
    all |= knows;
    std::uint64_t known = 0;
    each_place(knows, [&](std::uint32_t place) {
      known += weights_[place];
      known_by_events_[place] |= bit(i);
    });
    each.knows = knows;
    each.known = known;
    each.term = WorldHash::knowing(each.base, known);
  }
  for (Slot slot = 0; slot < to_.size(); ++slot) {
    Knower& each = knowers_[slot];
    each.knows = row_at(rest_.actors_know, slot);
    each.known = each.term = 0;
    if (each.knows == 0) continue;
    all |= each.knows;
    std::uint64_t known = 0;
    each_place(each.knows, [&](std::uint32_t place) {
      known += weights_[place];
      known_by_actors_[place] |= bit(slot);
    });
    each.known = known;
    each.term = WorldHash::actor_knowing(bases_[slot], known);
  }
  GAINSAY_CHECK((all & ~sendings_) == 0, "what is known of is a pending sending");
}

void OpenRecord::find_bases(Slot count) {
  for (auto next = static_cast<Slot>(bases_.size()); next < count; ++next)
    bases_.push_back(hash_.actor_base(next));
}

void OpenRecord::read_budgets() {
  if (std::equal(rest_.budgets.begin(), rest_.budgets.end(), budgets_.begin(), budgets_.end())) return;
  budgets_.assign(rest_.budgets.begin(), rest_.budgets.end());
  budgets_hash_ = WorldHash::rest_of(budgets_, 0, 0);
  spending_.assign(budgets_.size(), 0);
}

// Of a world in which nothing but starts and gates can make an event wait.
void OpenRecord::find_ready() {
  Splice all;
  all.kept = all.ready = count_ == most ? ~Places{0} : bit(count_) - 1;
  for (Slot slot = 0; slot < to_.size(); ++slot) refresh(all, slot, record_.cells()[slot], true);
  ready_ = all.ready;
  refused_ = all.refused;
}

std::uint64_t OpenRecord::weights_of(Places knows) const {
  std::uint64_t sum = 0;
  each_place(knows, [&](std::uint32_t place) { sum += weights_[place]; });
  return sum;
}

// The places in the queue of a message. REQUIRES: it has one.
OpenRecord::Places OpenRecord::queue_of(const Info& message) const {
  Places queue = 0;
  each_place(queued_ & to_[message.to], [&](std::uint32_t place) {
    if (in_one_queue(entries_[place], message)) queue |= bit(place);
  });
  return queue;
}

// --- differences ---

bool OpenRecord::of_fault(const Alternative& alternative, const Leaf* leaf, std::uint64_t& sum) {
  switch (alternative.kind) {
    case EventKind::drop:
      sum = removal(alternative.target) + forgetting(alternative.target, Directory::no_slot) +
            spending(network_.budgets().drop(message_type(alternative.target)));
      return true;
    case EventKind::duplicate: {
      // A copy stands at the end of its queue.
      const Entry& original = entries_[alternative.target];
      std::uint64_t term = original.hash;
      if (original.queued)
        term = WorldHash::queued(term, static_cast<std::uint32_t>(std::popcount(queue_of(original))));
      sum = term + spending(network_.budgets().duplicate(message_type(alternative.target)));
      return true;
    }
    case EventKind::crash:
    case EventKind::restart:
      return of_actor_fault(alternative, leaf, sum);
    default:
      return false;
  }
}

bool OpenRecord::of_event(std::uint32_t place, const Leaf& leaf, std::uint64_t& sum) {
  GAINSAY_CHECK(place < count_, "the event is pending");
  const Entry& event = entries_[place];
  const Transition& transition = leaf.transition;
  if (transition.to_spawned) return false;
  // What is lost at a crashed actor teaches it nothing: too rare to have its own rule here.
  if (may_crash_ && sendings_ != 0 && event.kind == EventKind::deliver &&
      (cell_flags(record_.cells()[event.to]) & flag_crashed) != 0)
    return false;
  if (unordered_) {
    sum = leaf.delta;
  } else {
    sum = leaf.cell_delta + removal(place) + forgetting(place, event.to) +
          sends(place, event.to, transition.outs());
  }
  if (budgeted_ && event.kind == EventKind::timer) {
    const std::size_t budget = timer_budget(place);
    if (budget != Budgets::none) sum += spending(budget);
  }
  return transition.extras == nullptr || extras(bit(place), event.to, *transition.extras, sum);
}

// The actor goes down, with its timers and its start; or comes back, and may handle that.
bool OpenRecord::of_actor_fault(const Alternative& alternative, const Leaf* leaf, std::uint64_t& sum) {
  if (!unordered_) return false;
  const Slot slot = alternative.target;
  const CellId before = record_.cells()[slot];
  const bool crash = alternative.kind == EventKind::crash;
  const CellId after = crash ? front_.crashed(before) : front_.restarted(before);
  sum = kernel_.cell_fingerprint(slot, after) - kernel_.cell_fingerprint(slot, before) +
        spending(crash ? Budgets::crashes : Budgets::restarts);
  if (crash) {
    each_place(to_[slot], [&](std::uint32_t place) {
      if (entries_[place].kind != EventKind::deliver) sum -= entries_[place].term;
    });
    return true;
  }
  if (leaf == nullptr) return true;
  const Transition& transition = leaf->transition;
  if (transition.to_spawned) return false;
  sum += leaf->cell_delta;
  for (const EnvelopeId out : transition.outs()) sum += info(out).hash;
  return transition.extras == nullptr || extras(0, slot, *transition.extras, sum);
}

// The entry leaves; those behind it in its queue move up.
inline std::uint64_t OpenRecord::removal(std::uint32_t place) const {
  const Entry& gone = entries_[place];
  std::uint64_t sum = 0 - gone.term;
  if (!gone.queued) return sum;
  each_place(queue_of(gone) & ~(bit(place) | (bit(place) - 1)), [&](std::uint32_t behind) {
    const Entry& each = entries_[behind];
    sum += WorldHash::knowing(WorldHash::queued(each.hash, each.rank - 1), each.known) - each.term;
  });
  return sum;
}

// Nobody needs to know of the sending any more; `except` is dealt with by `sends`.
inline std::uint64_t OpenRecord::forgetting(std::uint32_t place, Slot except) {
  const Entry& gone = entries_[place];
  if (!gone.sending) return 0;
  std::uint64_t sum = 0;
  each_place(known_by_events_[place] & ~bit(place), [&](std::uint32_t who) {
    const Entry& each = entries_[who];
    sum += WorldHash::knowing(each.base, each.known - gone.weight) - each.term;
  });
  each_place(known_by_actors_[place], [&](Slot slot) {
    if (slot == except) return;
    const Knower& each = knowers_[slot];
    sum += WorldHash::actor_knowing(bases_[slot], each.known - gone.weight) - each.term;
  });
  return sum;
}

// What is sent, and for causal order what sender and messages know then.
inline std::uint64_t OpenRecord::sends(std::uint32_t consumed, Slot slot, std::span<const EnvelopeId> outs) {
  const Entry& event = entries_[consumed];
  std::uint64_t known = 0;
  std::uint64_t sum = 0;
  if (sendings_ != 0) {
    // After the message was taken in: what it knew and what the actor knew, of what is still pending.
    const Knower& mine = knowers_[slot];
    known = mine.known + weights_of(event.knows & ~mine.knows & ~bit(consumed));
    if ((mine.knows & bit(consumed)) != 0) known -= event.weight;
    sum -= mine.term;
  }
  for (std::size_t k = 0; k < outs.size(); ++k) {
    const Info& out = info(outs[k]);
    std::uint64_t term = out.hash;
    if (out.queued) {
      auto rank = static_cast<std::uint32_t>(std::popcount(queue_of(out) & ~bit(consumed)));
      for (std::size_t j = 0; j < k; ++j) rank += in_one_queue(infos_[outs[j]], out) ? 1 : 0;
      term = WorldHash::queued(term, rank);
    }
    known += out.weight;  // of its own sending, if it is one
    sum += WorldHash::knowing(term, known);
  }
  return known == 0 ? sum : sum + WorldHash::actor_knowing(bases_[slot], known);
}

// Monitors and timers. False where the step itself has to tell.
bool OpenRecord::extras(Places consumed, Slot slot, const Extras& extras, std::uint64_t& sum) {
  if (extras.failure() != nullptr || !extras.spawns().empty() || extras.timers.size() > 1) return false;
  for (const TimerOp& op : extras.timers) timer(consumed, slot, op, sum);
  if (extras.notifications.empty()) return true;
  bool changed = false;
  if (extras.notifications.size() > 1) return tell(extras, sum, changed);
  // Mostly it is one, and nobody needs to remember to whom.
  const EnvelopeId notification = extras.notifications.front();
  const Slot monitor = network_.route(notification).to;
  const Leaf& leaf = *front_.leaves(record_.cells()[monitor], notification).leaves;
  sum += leaf.cell_delta;
  return leaf.transition.failure() == nullptr;
}

void OpenRecord::timer(Places consumed, Slot slot, const TimerOp& op, std::uint64_t& sum) const {
  if (op.cancelled != nullptr) {
    each_place(timers_of(slot, *op.cancelled) & ~consumed,
               [&](std::uint32_t place) { sum -= entries_[place].term; });
    return;
  }
  const bool armed = (place_of(op.armed) & ~consumed) != 0;
  const std::uint64_t term = kernel_.envelope(op.armed).hash;
  if (op.withdrawn) {
    sum -= armed ? term : 0;
  } else {
    sum += armed ? 0 : term;
  }
}

// Leaves in `told_` in which state each monitor is after all it was told. False where one of them fails.
bool OpenRecord::tell(const Extras& extras, std::uint64_t& sum, bool& changed) {
  told_.clear();
  for (const EnvelopeId notification : extras.notifications) {
    const Slot monitor = network_.route(notification).to;
    auto told =
        std::find_if(told_.begin(), told_.end(), [&](const Told& each) { return each.monitor == monitor; });
    if (told == told_.end()) told = told_.insert(told, Told{monitor, record_.cells()[monitor]});
    const Leaf& leaf = *front_.leaves(told->cell, notification).leaves;
    const Transition& transition = leaf.transition;
    if (transition.failure() != nullptr) return false;
    sum += leaf.cell_delta;
    told->cell = transition.next;
    changed = changed || transition.changed;
  }
  return true;
}

std::uint64_t OpenRecord::spending(std::size_t budget) {
  GAINSAY_CHECK(budget < budgets_.size() && budgets_[budget] > 0, "the budget is not used up");
  if (spending_[budget] == 0) {
    --budgets_[budget];
    spending_[budget] = WorldHash::rest_of(budgets_, 0, 0) - budgets_hash_;
    ++budgets_[budget];
  }
  return spending_[budget];
}

const ValueType& OpenRecord::message_type(std::uint32_t place) const {
  return *kernel_.envelope(entries_[place].envelope).type;
}

std::size_t OpenRecord::timer_budget(std::uint32_t place) const {
  return network_.budgets().timer(message_type(place));
}

OpenRecord::Places OpenRecord::timers_of(Slot slot, const ValueType& type) const {
  Places timers = 0;
  each_place(to_[slot], [&](std::uint32_t place) {
    const EventKind kind = entries_[place].kind;
    if ((kind == EventKind::timer || kind == EventKind::task) && &message_type(place) == &type)
      timers |= bit(place);
  });
  return timers;
}

// Where the timer is armed.
OpenRecord::Places OpenRecord::place_of(EnvelopeId id) const {
  Places places = 0;
  for (std::uint32_t i = 0; i < count_; ++i) places |= entries_[i].envelope == id ? bit(i) : 0;
  return places;
}

}  // namespace gainsay
