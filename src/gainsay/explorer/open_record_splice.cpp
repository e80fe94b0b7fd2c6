// The records of successors.
#include <algorithm>
#include <bit>
#include <cstring>

#include "gainsay/explorer/open_record.hpp"

namespace gainsay {

using places::bit;
using places::each_place;
using places::part;
using places::Squeeze;

void OpenRecord::find_cell_flags(CellId cell) {
  if (cell >= cell_flags_.size()) cell_flags_.resize(cell + std::size_t{1}, 0);
  const Cell& content = kernel_.cell(cell);
  const bool refuses = content.type->gated && content.status == ActorStatus::alive;
  const bool crashed = content.status == ActorStatus::crashed;
  const bool down = crashed && kernel_.blueprint().to_crashed == ToCrashed::kept;
  cell_flags_[cell] = static_cast<std::uint8_t>(flag_known | (refuses ? flag_refuses : 0) |
                                                (down ? flag_down : 0) | (crashed ? flag_crashed : 0));
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
  const std::size_t budget = network_.budgets().timer(*kernel_.envelope(envelope).type);
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
    if (op.cancelled != nullptr) {
      step.gone |= timers_of(step.slot, *op.cancelled);
    } else {
      step.gone |= place_of(op.armed);
      if (!op.withdrawn) step.armed = op.armed;
    }
  }
  step.kept = (count_ == most ? ~Places{0} : bit(count_) - 1) & ~step.gone;
  step.first_new = static_cast<std::uint32_t>(std::popcount(step.kept));
  step.count = step.first_new + transition.sends_count + (step.armed != 0 ? 1 : 0);
  if (step.count > most) return std::nullopt;
  if (budgeted_ && event.kind == EventKind::timer) step.budget = timer_budget(place);
  if (sendings_ != 0) step.learned = (event.knows | knowers_[step.slot].knows) & step.kept;
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

void OpenRecord::write(const Splice& step, std::span<const EnvelopeId> outs, std::uint64_t fingerprint,
                       std::vector<std::uint32_t>& out) {
  const auto cells = record_.cells();
  const std::size_t row = bit_rows::bytes(step.count);
  const bool causal = rest_.actors_know != nullptr;
  const bool budgets = !rest_.budgets.empty();
  const std::size_t rows =
      rest_.ready == nullptr ? 0 : 2 + (causal ? cells.size() + std::size_t{step.count} : 0);
  out.resize(RecordView::header + cells.size() + step.count + (budgets ? rest_.budgets.size() + 2 : 0) +
             RecordRest::words_of_rows(rows, row));
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
  const Squeeze squeezed(step.gone);
  Places ready = squeezed(step.ready);
  Places refused = squeezed(step.refused);
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
  for (const EnvelopeId out_id : outs) {
    const Info& event = info(out_id);
    const CellId cell = new_cells[event.to];
    const bool is_refused = (cell_flags(cell) & flag_refuses) != 0 && !front_.accepts(cell, out_id);
    bool waits = (waits_for(event, step.learned) & step.kept & ~step.refused) != 0;
    for (const Fresh& earlier : fresh_) {
      const Info& before = infos_[earlier.envelope];
      waits = waits || (!earlier.refused &&
                        (event.sending ? before.sending && before.to == event.to
                                       : event.queued && before.queued && in_one_queue(before, event)));
    }
    sent |= Places{event.sending} << at;
    fresh_.push_back({out_id, is_refused, sent});
    add(out_id, is_refused, !is_refused && is_ready(step, event, out_id, cell, waits));
  }
  if (step.armed != 0) {
    const bool is_refused =
        (cell_flags(step.cell) & flag_refuses) != 0 && !front_.accepts(step.cell, step.armed);
    add(step.armed, is_refused,
        !is_refused && is_ready(step, info(step.armed), step.armed, step.cell, false));
  }
  GAINSAY_CHECK(at == step.count, "every event has its place");

  if (rest_.ready == nullptr) return;
  if (budgets) {
    std::copy(rest_.budgets.begin(), rest_.budgets.end(), to);
    if (step.budget != Budgets::none) --to[step.budget];
    to += rest_.budgets.size();
    *to++ = 0;
    *to++ = 0;
  }
  if (row == 0) return;
  out.back() = 0;  // rows may end within a word
  const Rows rows_after{ready, refused, causal ? sent : 0, causal};
  auto* bytes = reinterpret_cast<std::uint8_t*>(to);
  switch (row) {
    case 1:
      bytes = write_rows<std::uint8_t>(step, rows_after, bytes);
      break;
    case 2:
      bytes = write_rows<std::uint16_t>(step, rows_after, bytes);
      break;
    case 4:
      bytes = write_rows<std::uint32_t>(step, rows_after, bytes);
      break;
    default:
      bytes = write_rows<std::uint64_t>(step, rows_after, bytes);
  }
  GAINSAY_CHECK(static_cast<std::size_t>(bytes - reinterpret_cast<std::uint8_t*>(to)) == rows * row,
                "a record ends with its last row");
}

// The rows of bits; answers where they end.
template <class Row>
std::uint8_t* OpenRecord::write_rows(const Splice& step, const Rows& rows, std::uint8_t* to) const {
  const Squeeze squeezed(step.gone);
  const auto write_row = [&](Places places) {
    const auto row = static_cast<Row>(places);
    std::memcpy(to, &row, sizeof(Row));
    to += sizeof(Row);
  };
  write_row(rows.ready);
  write_row(rows.refused);
  if (!rows.causal) return to;
  const Places learned = squeezed(step.learned);
  std::uint8_t* const learner = to + step.slot * sizeof(Row);
  if (rest_.row == sizeof(Row) && squeezed.is_one()) [[likely]] {
    const auto gone = static_cast<std::size_t>(std::countr_zero(step.gone));
    to = squeezed.rows<Row>(rest_.actors_know, to_.size(), to);
    to = squeezed.rows<Row>(rest_.pending_know, gone, to);
    to = squeezed.rows<Row>(rest_.pending_know + (gone + 1) * sizeof(Row), count_ - gone - 1, to);
  } else {
    for (Slot slot = 0; slot < to_.size(); ++slot)
      write_row(sendings_ != 0 ? squeezed(knowers_[slot].knows) : 0);
    each_place(step.kept, [&](std::uint32_t place) { write_row(squeezed(entries_[place].knows)); });
  }
  const auto learnt = static_cast<Row>(learned | rows.sent);
  std::memcpy(learner, &learnt, sizeof(Row));
  for (const Fresh& fresh : fresh_) write_row(learned | fresh.knows);
  if (step.armed != 0) write_row(0);
  return to;
}

}  // namespace gainsay
