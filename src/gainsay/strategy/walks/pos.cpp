#include "gainsay/strategy/walks/pos.hpp"

#include <algorithm>
#include <cstring>

#include "gainsay/base/bits.hpp"
#include "gainsay/base/check.hpp"
#include "gainsay/strategy/walks/faults.hpp"

namespace gainsay {

StrategyInfo pos_strategy() {
  return StrategyInfo::of<PosOptions>(
      "pos", "partial order sampling: random priorities, redrawn after a race; no bound known",
      StrategyKind::random, [](const PosOptions& options) { return std::make_unique<PosStrategy>(options); });
}

std::optional<Keep> PosStrategy::begin(const RunInfo& run) {
  rng_ = Rng(run.seed, run.index);
  few_.clear();
  numbers_.clear();
  is_many_ = false;
  raced_ = Many::no_actor;
  return Keep{};
}

std::size_t PosStrategy::choose(const ChoicePoint& point) {
  if (point.is_value()) return rng_.below(point.size());
  return is_many_ ? choose_of_many(point) : choose_of_few(point);
}

std::size_t PosStrategy::choose_of_few(const ChoicePoint& point) {
  if (raced_ != Many::no_actor) {
    GAINSAY_CHECK(few_.size() <= few_max, "they are few");
    bits::each(few_of(raced_), [&](std::size_t i) { few_[i].priority = rng_.next(); });
    raced_ = Many::no_actor;
  }
  const std::size_t known = few_.size();
  few_.update(point.source(), [&](std::size_t position) {
    return Item{numbers_.of(point.source().pending_receiver(position)), rng_.next()};
  });
  if (few_.size() > few_max) {
    list_by_actor(point.source());
    return choose_of_many(point);
  }
  list_owners(known);
  if (const std::size_t fault = roll_fault(point, options_.faults, rng_); fault != no_fault) {
    // A crash or a loss races with what its receiver is about to handle.
    raced_ = numbers_.of(point.event(fault).receiver);
    return fault;
  }
  GAINSAY_CHECK(point.ordinary() > 0 && point.ordinary() <= few_.size(), "something is possible");
  possible_.look(point, few_.size());
  const std::size_t at = possible_.highest([&](std::size_t position) { return few_[position].priority; });
  const std::size_t index = possible_.index_of(at);
  GAINSAY_CHECK(index != Possible::no_index, "the highest is possible");
  raced_ = few_.take(at).actor;
  for (std::size_t i = at; i < few_.size(); i += 8) {  // those behind it move up
    std::uint64_t eight = 0;
    std::memcpy(&eight, owners_.data() + i + 1, sizeof(eight));
    std::memcpy(owners_.data() + i, &eight, sizeof(eight));
  }
  return index;
}

// Lists whose the events from position `first` on are.
void PosStrategy::list_owners(std::size_t first) {
  if (owners_rebuilds_ != few_.rebuilds()) first = 0;
  owners_rebuilds_ = few_.rebuilds();
  for (std::size_t i = first; i < few_.size(); ++i) owners_[i] = static_cast<std::uint8_t>(few_[i].actor);
}

// The positions of this actor's events, found without branches: whose they are nobody can predict.
std::uint64_t PosStrategy::few_of(std::uint32_t actor) const {
  constexpr std::uint64_t ones = 0x0101010101010101ULL;
  constexpr std::uint64_t low = 0x7f * ones;
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < few_.size(); i += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, owners_.data() + i, sizeof(eight));
    eight ^= ones * static_cast<std::uint8_t>(actor);
    const std::uint64_t other =
        (((eight & low) + low) | eight) >> 7U;  // the low bit of each byte: it is another's
    found |= (((~other & ones) * 0x0102040810204080ULL) >> 56U) << i;
  }
  found &= bits::below(few_.size());
  if (numbers_.count() > 256) {
    bits::each(found, [&](std::size_t i) { found &= ~(std::uint64_t{few_[i].actor != actor} << i); });
  }
  return found;
}

// --- many ---

// From here on events are kept in `many_`, with the priorities that they have.
void PosStrategy::list_by_actor(const EventSource& source) {
  is_many_ = true;
  many_.clear();
  best_.clear();
  std::size_t next = 0;
  many_.update(source, [&](std::uint32_t) { return few_[next++].priority; });
  GAINSAY_CHECK(next == few_.size() && many_.size() == few_.size(), "all that is pending is listed");
  best_.resize(many_.actors());
  for (std::uint32_t actor = 0; actor < many_.actors(); ++actor) find_best(actor);
}

void PosStrategy::find_best(std::uint32_t actor) {
  Best best;
  for (const Many::Slot slot : many_.of(actor)) {
    if (many_.item(slot) >= best.priority) best = {many_.item(slot), slot, false};
  }
  best_[actor] = best;
}

std::size_t PosStrategy::choose_of_many(const ChoicePoint& point) {
  if (raced_ != Many::no_actor) {
    for (const Many::Slot slot : many_.of(raced_)) many_.item(slot) = rng_.next();
    find_best(raced_);
  }
  raced_ = Many::no_actor;
  many_.update(
      point.source(),
      [&](std::uint32_t actor) {
        if (actor >= best_.size()) best_.resize(actor + 1);
        return rng_.next();
      },
      [&](std::uint32_t actor, Many::Slot slot) {
        const std::uint64_t priority = many_.item(slot);
        if (many_.of(actor).size() == 1 || priority > best_[actor].priority)
          best_[actor] = {priority, slot, false};
      },
      [&] {
        for (std::uint32_t actor = 0; actor < many_.actors(); ++actor) find_best(actor);
      });
  if (const std::size_t fault = roll_fault(point, options_.faults, rng_); fault != no_fault) {
    raced_ = many_.number_of(point.event(fault).receiver);
    return fault;
  }
  GAINSAY_CHECK(point.ordinary() > 0, "something is possible");
  possible_.look(point, many_.size());
  const std::size_t at = highest(point);
  const std::size_t index = possible_.index_of(at);
  GAINSAY_CHECK(index != Possible::no_index, "the highest is possible");
  raced_ = many_.take(at);
  return index;
}

// The position of the highest possible event. Where many are possible, each actor's highest is asked first, from the
// highest down; where few are, those are looked at.
std::size_t PosStrategy::highest(const ChoicePoint& point) {
  const auto few = [&] {
    return possible_.highest([&](std::size_t position) { return many_.at(position); });
  };
  if (possible_.all()) {
    std::size_t top = 0;
    for (std::size_t i = 1; i < many_.actors(); ++i) top = best_[i].priority > best_[top].priority ? i : top;
    if (best_[top].priority != 0) return many_.position(best_[top].slot);
  } else if (point.ordinary() <= many_.actors()) {
    return few();
  }
  for (Best& best : best_) best.looked_at = false;
  std::size_t found = Possible::no_index;
  while (true) {
    std::uint32_t actor = Many::no_actor;
    for (std::uint32_t i = 0; i < many_.actors(); ++i) {
      if (best_[i].looked_at || many_.of(i).empty()) continue;
      if (actor == Many::no_actor || best_[i].priority > best_[actor].priority) actor = i;
    }
    if (actor == Many::no_actor) break;
    if (found != Possible::no_index && many_.at(found) >= best_[actor].priority) break;
    best_[actor].looked_at = true;
    const std::size_t top = many_.position(best_[actor].slot);
    if (possible_.index_of(top) != Possible::no_index) {
      found = top;
      break;  // nobody has a higher one
    }
    if (possible_.count_of(many_.id(actor)) == 0) continue;
    if (point.ordinary() <= 4 * many_.of(actor).size()) return few();
    for (const Many::Slot slot : many_.of(actor)) {
      if (found != Possible::no_index && many_.item(slot) <= many_.at(found)) continue;
      const std::size_t position = many_.position(slot);
      if (possible_.index_of(position) != Possible::no_index) found = position;
    }
  }
  GAINSAY_CHECK(found != Possible::no_index, "what is possible is pending");
  return found;
}

}  // namespace gainsay
