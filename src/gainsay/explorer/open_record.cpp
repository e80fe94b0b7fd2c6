#include "gainsay/explorer/open_record.hpp"

#include <algorithm>
#include <bit>

namespace gainsay {
namespace {

constexpr std::uint64_t bit(std::uint32_t place) { return std::uint64_t{1} << place; }

template <class Visit> void each_place(std::uint64_t places, const Visit& visit) {
  for (; places != 0; places &= places - 1) visit(static_cast<std::uint32_t>(std::countr_zero(places)));
}

std::uint64_t read_row(const std::uint32_t* row, std::size_t words) {
  if (words == 1) return row[0];
  return words == 0 ? 0 : row[0] | (static_cast<std::uint64_t>(row[1]) << 32U);
}

}  // namespace

OpenRecord::OpenRecord(Engine& engine)
    : front_(engine.front),
      kernel_(engine.kernel()),
      network_(engine.network),
      hash_(engine.hash),
      possible_(!network_.timed() && !network_.has_copies()),
      unordered_(network_.unordered()),
      budgeted_(!kernel_.blueprint().timer_budgets.empty()) {}

void OpenRecord::find_infos(EnvelopeId id) {
  for (auto next = static_cast<EnvelopeId>(infos_.size()); next <= id; ++next) {
    const Network::Route route = network_.route(next);
    Info info;
    info.hash = kernel_.envelope(next).hash;
    info.to = route.to;
    info.sender = route.sender;
    info.kind = route.kind;
    info.order = route.order;
    info.sending = is_sending(route);
    info.queued = route.order != Delivery::unordered && !info.sending;
    if (info.sending && route.sender != Directory::no_slot) info.weight = hash_.weight(route.sender);
    infos_.push_back(info);
  }
}

bool OpenRecord::open(const RecordView& record) {
  record_ = record;
  rest_ = RecordRest(record, network_);
  count_ = record.pending_count();
  if (!possible_ || count_ > most || rest_.partition != 0) return false;
  const std::size_t row = record.row_words();
  const auto pending = record.pending();
  starts_ = queued_ = sendings_ = 0;
  to_.assign(record.cells_count(), 0);
  for (std::uint32_t i = 0; i < count_; ++i) {
    Entry& each = entries_[i];
    static_cast<Info&>(each) = info(pending[i]);
    each.envelope = pending[i];
    each.base = each.term = each.hash;
    each.knows = each.known = 0;
    GAINSAY_CHECK(each.to < to_.size(), "a pending event has a receiver");
    if (each.queued) {
      each.rank = static_cast<std::uint32_t>(std::popcount(queue_of(each)));
      each.base = each.term = WorldHash::queued(each.hash, each.rank);
      queued_ |= bit(i);
    }
    to_[each.to] |= bit(i);
    if (each.sending) sendings_ |= bit(i);
    if (each.kind == EventKind::start) starts_ |= bit(i);
  }
  knowers_.clear();
  if (sendings_ != 0) {
    for (std::uint32_t i = 0; i < count_; ++i) {
      Entry& each = entries_[i];
      each.knows = read_row(rest_.pending_know + i * row, row);
      if (each.knows == 0) continue;
      each.known = weights_of(each.knows);
      each.term = WorldHash::knowing(each.base, each.known);
    }
    for (Slot slot = 0; slot < to_.size(); ++slot) {
      const Places knows = read_row(rest_.actors_know + slot * row, row);
      if (knows == 0) continue;
      const std::uint64_t known = weights_of(knows);
      knowers_.push_back({slot, knows, known, hash_.actor_knowing(slot, known)});
    }
  }
  budgets_hash_ = rest_.budgets.empty() ? 0 : WorldHash::rest_of(rest_.budgets, 0, 0);
  if (rest_.ready != nullptr) {
    ready_ = read_row(rest_.ready, row);
    refused_ = read_row(rest_.refused, row);
  } else {
    find_ready();
  }
  return true;
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
  each_place(knows, [&](std::uint32_t place) { sum += entries_[place].weight; });
  return sum;
}

const OpenRecord::Knower* OpenRecord::knower(Slot slot) const {
  for (const Knower& each : knowers_) {
    if (each.slot == slot) return &each;
  }
  return nullptr;
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

std::optional<std::uint64_t> OpenRecord::difference(const Alternative& alternative, const Leaf* leaf) {
  if (is_ordinary(alternative.kind)) {
    if (leaf == nullptr) return std::nullopt;
    return of_event(alternative.target, *leaf);
  }
  switch (alternative.kind) {
    case EventKind::drop:
      return removal(alternative.target) + forgetting(alternative.target, Directory::no_slot) +
             spending(network_.budgets().drop(message_type(alternative.target)));
    case EventKind::duplicate: {
      // A copy stands at the end of its queue.
      const Entry& original = entries_[alternative.target];
      std::uint64_t term = original.hash;
      if (original.queued)
        term = WorldHash::queued(term, static_cast<std::uint32_t>(std::popcount(queue_of(original))));
      return term + spending(network_.budgets().duplicate(message_type(alternative.target)));
    }
    case EventKind::crash:
    case EventKind::restart:
      return of_actor_fault(alternative, leaf);
    default:
      return std::nullopt;
  }
}

std::optional<std::uint64_t> OpenRecord::of_event(std::uint32_t place, const Leaf& leaf) {
  GAINSAY_CHECK(place < count_, "the event is pending");
  const Entry& event = entries_[place];
  const Transition& transition = leaf.transition;
  if (transition.to_spawned) return std::nullopt;
  std::uint64_t sum = transition.cell_delta;
  if (unordered_) {
    sum = transition.delta;
  } else {
    sum += removal(place) + forgetting(place, event.to) + sends(place, event.to, transition.outs());
  }
  if (budgeted_ && event.kind == EventKind::timer) {
    const std::size_t budget = timer_budget(place);
    if (budget != Budgets::none) sum += spending(budget);
  }
  if (transition.extras != nullptr && !extras(bit(place), event.to, *transition.extras, sum))
    return std::nullopt;
  return sum;
}

// The actor goes down, with its timers and its start; or comes back, and may handle that.
std::optional<std::uint64_t> OpenRecord::of_actor_fault(const Alternative& alternative, const Leaf* leaf) {
  if (!unordered_) return std::nullopt;
  const Slot slot = alternative.target;
  const CellId before = record_.cells()[slot];
  const bool crash = alternative.kind == EventKind::crash;
  const CellId after = crash ? front_.crashed(before) : front_.restarted(before);
  std::uint64_t sum = kernel_.cell_fingerprint(slot, after) - kernel_.cell_fingerprint(slot, before) +
                      spending(crash ? Budgets::crashes : Budgets::restarts);
  if (crash) {
    each_place(to_[slot], [&](std::uint32_t place) {
      if (entries_[place].kind != EventKind::deliver) sum -= entries_[place].term;
    });
    return sum;
  }
  if (leaf == nullptr) return sum;
  const Transition& transition = leaf->transition;
  if (transition.to_spawned) return std::nullopt;
  sum += transition.cell_delta;
  for (const EnvelopeId out : transition.outs()) sum += info(out).hash;
  if (transition.extras != nullptr && !extras(0, slot, *transition.extras, sum)) return std::nullopt;
  return sum;
}

// The entry leaves; those behind it in its queue move up.
std::uint64_t OpenRecord::removal(std::uint32_t place) const {
  const Entry& gone = entries_[place];
  std::uint64_t sum = 0 - gone.term;
  if (!gone.queued) return sum;
  each_place(queue_of(gone) & ~(bit(place) | (bit(place) - 1)), [&](std::uint32_t behind) {
    const Entry& each = entries_[behind];
    sum += WorldHash::knowing(WorldHash::queued(each.hash, each.rank - 1), each.known) - each.term;
  });
  return sum;
}

// Nobody needs to know of the sending any more; `except` is dealt with by `sends`. Who knows of a message was sent
// later, and stands behind it.
std::uint64_t OpenRecord::forgetting(std::uint32_t place, Slot except) {
  const Entry& gone = entries_[place];
  if (!gone.sending) return 0;
  std::uint64_t sum = 0;
  for (std::uint32_t j = place + 1; j < count_; ++j) {
    const Entry& each = entries_[j];
    if ((each.knows & bit(place)) != 0)
      sum += WorldHash::knowing(each.base, each.known - gone.weight) - each.term;
  }
  for (const Knower& each : knowers_) {
    if (each.slot == except || (each.knows & bit(place)) == 0) continue;
    sum += hash_.actor_knowing(each.slot, each.known - gone.weight) - each.term;
  }
  return sum;
}

// What is sent, and for causal order what sender and messages know then.
std::uint64_t OpenRecord::sends(std::uint32_t consumed, Slot slot, std::span<const EnvelopeId> outs) {
  const Entry& event = entries_[consumed];
  const Knower* mine = sendings_ != 0 ? knower(slot) : nullptr;
  // After the message was taken in: what it knew and what the actor knew, of what is still pending.
  const Places before = mine != nullptr ? mine->knows : 0;
  std::uint64_t known = mine != nullptr ? mine->known : 0;
  known += weights_of(event.knows & ~before & ~bit(consumed));
  if ((before & bit(consumed)) != 0) known -= event.weight;
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < outs.size(); ++k) {
    const Info out = info(outs[k]);
    std::uint64_t term = out.hash;
    if (out.queued) {
      auto rank = static_cast<std::uint32_t>(std::popcount(queue_of(out) & ~bit(consumed)));
      for (std::size_t j = 0; j < k; ++j) rank += in_one_queue(info(outs[j]), out) ? 1 : 0;
      term = WorldHash::queued(term, rank);
    }
    known += out.weight;  // of its own sending, if it is one
    sum += WorldHash::knowing(term, known);
  }
  const std::uint64_t term = mine != nullptr ? mine->term : 0;
  return sum + hash_.actor_knowing(slot, known) - term;
}

// Monitors and timers. False where the step itself has to tell.
bool OpenRecord::extras(Places consumed, Slot slot, const Extras& extras, std::uint64_t& sum) {
  if (extras.failure || !extras.spawns.empty() || extras.timers.size() > 1) return false;
  for (const TimerOp& op : extras.timers) timer(consumed, slot, op, sum);
  bool changed = false;
  return extras.notifications.empty() || tell(extras, sum, changed);
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
    const Transition& transition = front_.leaves(told->cell, notification).leaves->transition;
    if (transition.extras != nullptr && transition.extras->failure) return false;
    sum += transition.cell_delta;
    told->cell = transition.next;
    changed = changed || transition.changed;
  }
  return true;
}

std::uint64_t OpenRecord::spending(std::size_t budget) {
  GAINSAY_CHECK(budget < rest_.budgets.size() && rest_.budgets[budget] > 0, "the budget is not used up");
  budgets_.assign(rest_.budgets.begin(), rest_.budgets.end());
  --budgets_[budget];
  return WorldHash::rest_of(budgets_, 0, 0) - budgets_hash_;
}

const ValueType& OpenRecord::message_type(std::uint32_t place) const {
  return *kernel_.value(kernel_.envelope(entries_[place].envelope).message).type;
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

// --- records ---

std::uint8_t OpenRecord::cell_flags(CellId cell) {
  if (cell >= cell_flags_.size()) cell_flags_.resize(cell + std::size_t{1}, 0);
  std::uint8_t& flags = cell_flags_[cell];
  if (flags == 0) {
    const Cell& content = kernel_.cell(cell);
    const bool refuses = content.type->gated && content.status == ActorStatus::alive;
    const bool down =
        kernel_.blueprint().to_crashed == ToCrashed::kept && content.status == ActorStatus::crashed;
    flags = static_cast<std::uint8_t>(flag_known | (refuses ? flag_refuses : 0) | (down ? flag_down : 0));
  }
  return flags;
}

// What of the parent's events a message waits for, if it is not refused: it knows of `knows`, and is behind all of
// them.
OpenRecord::Places OpenRecord::waits_for(const Info& message, Places knows) const {
  if (message.queued) return queue_of(message);
  return message.sending ? knows & to_[message.to] : 0;
}

bool OpenRecord::is_ready(const Splice& step, const Info& event, EnvelopeId envelope, CellId cell,
                          bool waits) {
  if ((starts_ & to_[event.to] & step.kept) != 0) return event.kind == EventKind::start;
  if (event.kind == EventKind::deliver) return !waits && (cell_flags(cell) & flag_down) == 0;
  if (!budgeted_ || event.kind != EventKind::timer) return true;
  const std::size_t budget =
      network_.budgets().timer(*kernel_.value(kernel_.envelope(envelope).message).type);
  return budget == Budgets::none || rest_.budgets[budget] > (budget == step.budget ? 1U : 0U);
}

// What is pending for this actor (Network::refresh).
void OpenRecord::refresh(Splice& step, Slot slot, CellId cell, bool gates) {
  const Places events = to_[slot] & step.kept & ~starts_;
  if (events == 0 || cell == 0) return;
  if (gates) {
    step.refused &= ~events;
    if ((cell_flags(cell) & flag_refuses) != 0) {
      each_place(events, [&](std::uint32_t place) {
        if (!front_.accepts(cell, entries_[place].envelope)) step.refused |= bit(place);
      });
    }
  }
  step.ready &= ~events;
  each_place(events & ~step.refused, [&](std::uint32_t place) {
    const Entry& each = entries_[place];
    const Places before = waits_for(each, each.knows) & (bit(place) - 1);
    if (is_ready(step, each, each.envelope, cell, (before & step.kept & ~step.refused) != 0))
      step.ready |= bit(place);
  });
}

std::optional<OpenRecord::Change> OpenRecord::splice(std::uint32_t place, const Leaf& leaf,
                                                     std::uint64_t fingerprint,
                                                     std::vector<std::uint32_t>& out) {
  GAINSAY_CHECK(place < count_ && (ready_ & bit(place)) != 0, "what happens was enabled");
  const Transition& transition = leaf.transition;
  const Entry& event = entries_[place];
  Splice step;
  step.slot = event.to;
  step.cell = transition.next;
  step.gone = bit(place);
  if (transition.extras != nullptr && !transition.extras->timers.empty()) {
    const TimerOp& op = transition.extras->timers.front();
    const Places here = op.cancelled == nullptr ? place_of(op.armed) & ~step.gone : 0;
    if (op.cancelled != nullptr) {
      step.gone |= timers_of(step.slot, *op.cancelled);
    } else if (op.withdrawn) {
      step.gone |= here;
    } else if (here == 0) {
      step.armed = op.armed;
    }
  }
  step.kept = (count_ == most ? ~Places{0} : bit(count_) - 1) & ~step.gone;
  step.first_new = static_cast<std::uint32_t>(std::popcount(step.kept));
  step.count = step.first_new + transition.sends_count + (step.armed != 0 ? 1 : 0);
  if (step.count > most) return std::nullopt;
  if (budgeted_ && event.kind == EventKind::timer) step.budget = timer_budget(place);
  const Knower* mine = sendings_ != 0 ? knower(step.slot) : nullptr;
  step.learned = (event.knows | (mine != nullptr ? mine->knows : 0)) & step.kept;
  step.ready = ready_ & step.kept;
  step.refused = refused_ & step.kept;
  refresh(step, step.slot, step.cell, transition.changed);
  if (step.budget != Budgets::none && rest_.budgets[step.budget] == 1) {  // no such timer will fire again
    for (Slot slot = 0; slot < to_.size(); ++slot) {
      if (slot != step.slot) refresh(step, slot, record_.cells()[slot], false);
    }
  }
  Change change{step.slot, transition.changed, nullptr};
  told_.clear();
  if (transition.extras != nullptr && !transition.extras->notifications.empty()) {
    std::uint64_t sum = 0;
    bool changed = false;
    const bool told = tell(*transition.extras, sum, changed);
    GAINSAY_CHECK(told, "a step whose difference is known succeeds");
    if (changed) change.told = transition.extras;
  }
  write(step, transition.outs(), fingerprint, out);
  return change;
}

namespace {

// Without the places that are gone.
std::uint64_t squeeze(std::uint64_t places, std::uint64_t gone) {
  while (gone != 0) {
    const int last = 63 - std::countl_zero(gone);
    const std::uint64_t below = (std::uint64_t{1} << last) - 1;
    places = (places & below) | ((places >> 1U) & ~below);
    gone &= below;
  }
  return places;
}

// With a new place before this one.
std::uint64_t part(std::uint64_t places, std::size_t at, bool with) {
  const std::uint64_t below = (std::uint64_t{1} << at) - 1;
  return (places & below) | ((places & ~below) << 1U) | (with ? below + 1 : 0);
}

std::uint32_t* write_row(std::uint32_t* to, std::size_t words, std::uint64_t row) {
  if (words > 0) *to++ = static_cast<std::uint32_t>(row);
  if (words > 1) *to++ = static_cast<std::uint32_t>(row >> 32U);
  return to;
}

}  // namespace

void OpenRecord::write(const Splice& step, std::span<const EnvelopeId> outs, std::uint64_t fingerprint,
                       std::vector<std::uint32_t>& out) {
  const auto cells = record_.cells();
  const std::size_t row = RecordView::row_words(step.count);
  const bool more = rest_.ready != nullptr && network_.has_more();
  const bool causal = rest_.actors_know != nullptr;
  out.resize(RecordView::header + cells.size() + step.count + (rest_.ready != nullptr ? 2 * row : 0) +
             (more ? 3 + rest_.budgets.size() : 0) + (causal ? (cells.size() + step.count) * row : 0));
  std::uint32_t* to = out.data();
  *to++ = static_cast<std::uint32_t>(fingerprint);
  *to++ = static_cast<std::uint32_t>(fingerprint >> 32U);
  *to++ = static_cast<std::uint32_t>(cells.size()) | (step.count << 16U);
  std::uint32_t* const new_cells = to;
  to = std::copy(cells.begin(), cells.end(), to);
  new_cells[step.slot] = step.cell;
  for (const Told& told : told_) new_cells[told.monitor] = told.cell;

  // Events that stay, then those that come: in an unordered world each to its place.
  std::uint32_t* const pending = to;
  each_place(step.kept, [&](std::uint32_t place) { *to++ = entries_[place].envelope; });
  Places ready = squeeze(step.ready, step.gone);
  Places refused = squeeze(step.refused, step.gone);
  std::uint32_t at = step.first_new;
  const auto add = [&](EnvelopeId envelope, bool is_refused, bool is_ready) {
    std::size_t position = at++;
    *to++ = envelope;
    for (; unordered_ && position > 0 && pending[position - 1] > envelope; --position)
      pending[position] = pending[position - 1];
    pending[position] = envelope;
    ready = part(ready, position, is_ready);
    refused = part(refused, position, is_refused);
  };
  fresh_.clear();
  Places sent = 0;  // of what comes, the sendings, by their places
  for (std::size_t k = 0; k < outs.size(); ++k) {
    const Info event = info(outs[k]);
    const CellId cell = new_cells[event.to];
    Fresh fresh{outs[k], event, 0, (cell_flags(cell) & flag_refuses) != 0 && !front_.accepts(cell, outs[k])};
    bool waits = (waits_for(event, step.learned) & step.kept & ~step.refused) != 0;
    for (const Fresh& earlier : fresh_) {
      waits = waits ||
              (!earlier.refused &&
               (event.sending ? earlier.info.sending && earlier.info.to == event.to
                              : event.queued && earlier.info.queued && in_one_queue(earlier.info, event)));
    }
    if (event.sending) sent |= bit(at);
    fresh.knows = sent;
    const bool is_fresh_ready = !fresh.refused && is_ready(step, event, outs[k], cell, waits);
    add(outs[k], fresh.refused, is_fresh_ready);
    fresh_.push_back(fresh);
  }
  if (step.armed != 0) {
    const bool is_refused =
        (cell_flags(step.cell) & flag_refuses) != 0 && !front_.accepts(step.cell, step.armed);
    add(step.armed, is_refused,
        !is_refused && is_ready(step, info(step.armed), step.armed, step.cell, false));
  }
  GAINSAY_CHECK(at == step.count, "every event has its place");

  if (rest_.ready != nullptr) {
    to = write_row(to, row, ready);
    to = write_row(to, row, refused);
  }
  if (more) {
    *to++ = static_cast<std::uint32_t>(rest_.budgets.size());
    to = std::copy(rest_.budgets.begin(), rest_.budgets.end(), to);
    if (step.budget != Budgets::none) --*(to - rest_.budgets.size() + step.budget);
    *to++ = 0;
    *to++ = 0;
  }
  if (causal) {
    std::uint32_t* const actors = to;
    std::fill_n(to, cells.size() * row, 0U);
    for (const Knower& each : knowers_)
      write_row(actors + each.slot * row, row, squeeze(each.knows, step.gone));
    const Places learned = squeeze(step.learned, step.gone);
    write_row(actors + step.slot * row, row, learned | sent);
    to += cells.size() * row;
    each_place(step.kept, [&](std::uint32_t place) {
      to = write_row(to, row, squeeze(entries_[place].knows & step.kept, step.gone));
    });
    for (const Fresh& fresh : fresh_) to = write_row(to, row, learned | fresh.knows);
    if (step.armed != 0) to = write_row(to, row, 0);
  }
  GAINSAY_CHECK(to == out.data() + out.size(), "a record ends with its last row");
}

}  // namespace gainsay
