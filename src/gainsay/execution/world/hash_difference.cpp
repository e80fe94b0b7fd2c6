#include "gainsay/execution/world/hash_difference.hpp"

#include <algorithm>

namespace gainsay {

HashDifference::HashDifference(Front& front, Network& network, WorldHash& hash)
    : front_(front),
      kernel_(front.kernel()),
      network_(network),
      hash_(hash),
      possible_(!network.timed() && !network.has_copies()) {}

void HashDifference::prepare(const WorldState& world) {
  world_ = &world;
  if (!possible_) return;
  rest_ = world.budgets.empty()
              ? 0
              : WorldHash::rest_of(world.budgets, world.partition, world.partition_steps_left);
  const std::size_t count = world.pending.size();
  summands_.resize(count);
  sendings_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    Summand& each = summands_[i];
    each.route = network_.route(world.pending[i].envelope);
    each.event = kernel_.envelope(world.pending[i].envelope).hash;
    each.base = each.event;
    each.known = 0;
    each.queued = has_queue(each.route);
    if (each.queued) {
      each.rank = 0;
      for (std::size_t j = 0; j < i; ++j)
        each.rank += summands_[j].queued && in_one_queue(summands_[j].route, each.route) ? 1 : 0;
      each.base = WorldHash::queued(each.event, each.rank);
    } else if (is_sending(each.route)) {
      sendings_.push_back(
          {each.route.sender, world.clock_of(i)[each.route.sender], hash_.weight(each.route.sender)});
    }
    each.term = each.base;
  }
  if (!world.causal) return;
  const auto known_of = [&](const std::uint32_t* clock) {
    std::uint64_t sum = 0;
    for (const Sending& sending : sendings_)
      sum += clock[sending.sender] >= sending.sent ? sending.weight : 0;
    return sum;
  };
  for (std::size_t i = 0; i < count; ++i) {
    Summand& each = summands_[i];
    if (each.route.kind != EventKind::deliver) continue;
    each.known = known_of(world.clock_of(i));
    each.term = WorldHash::knowing(each.base, each.known);
  }
  actors_know_.resize(world.cells.size());
  for (Slot slot = 0; slot < world.cells.size(); ++slot)
    actors_know_[slot] = known_of(&world.actor_clocks[slot * std::size_t{world.clock_width}]);
}

std::optional<std::uint64_t> HashDifference::of(const Alternative& alternative, const Leaf* leaf) {
  GAINSAY_CHECK(world_ != nullptr, "a world was prepared");
  if (!possible_ || world_->partition != 0) return std::nullopt;
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
      const Summand& original = summands_[alternative.target];
      std::uint64_t term = original.event;
      if (original.queued) {
        const auto length = std::count_if(summands_.begin(), summands_.end(), [&](const Summand& each) {
          return each.queued && in_one_queue(each.route, original.route);
        });
        term = WorldHash::queued(original.event, static_cast<std::uint32_t>(length));
      }
      return term + spending(network_.budgets().duplicate(message_type(alternative.target)));
    }
    case EventKind::crash:
    case EventKind::restart:
      return of_actor_fault(alternative, leaf);
    default:
      return std::nullopt;
  }
}

std::optional<std::uint64_t> HashDifference::of_event(std::size_t index, const Leaf& leaf) {
  const Summand& event = summands_[index];
  const Transition& transition = leaf.transition;
  if (transition.to_spawned) return std::nullopt;
  const Slot slot = event.route.to;
  std::uint64_t sum = transition.cell_delta;
  if (network_.unordered()) {
    sum = transition.delta;
  } else {
    sum += removal(index);
    sum += forgetting(index, slot);
    sum += sends(index, slot, transition.outs());
  }
  if (event.route.kind == EventKind::timer && !kernel_.blueprint().timer_budgets.empty()) {
    const std::size_t budget = network_.budgets().timer(message_type(index));
    if (budget != Budgets::none) sum += spending(budget);
  }
  if (transition.extras != nullptr && !extras(index, slot, *transition.extras, sum)) return std::nullopt;
  return sum;
}

// The actor goes down, with its timers and its start; or comes back, and may handle that.
std::optional<std::uint64_t> HashDifference::of_actor_fault(const Alternative& alternative,
                                                            const Leaf* leaf) {
  if (!network_.unordered()) return std::nullopt;
  const Slot slot = alternative.target;
  const CellId before = world_->cells[slot];
  const bool crash = alternative.kind == EventKind::crash;
  const CellId after = crash ? front_.crashed(before) : front_.restarted(before);
  std::uint64_t sum = kernel_.cell_fingerprint(slot, after) - kernel_.cell_fingerprint(slot, before) +
                      spending(crash ? Budgets::crashes : Budgets::restarts);
  if (crash) {
    for (const Summand& each : summands_) {
      if (each.route.to == slot && each.route.kind != EventKind::deliver) sum -= each.term;
    }
    return sum;
  }
  if (leaf == nullptr) return sum;
  const Transition& transition = leaf->transition;
  if (transition.to_spawned) return std::nullopt;
  sum += transition.cell_delta;
  for (const EnvelopeId out : transition.outs()) sum += kernel_.envelope(out).hash;
  if (transition.extras != nullptr && !extras(summands_.size(), slot, *transition.extras, sum))
    return std::nullopt;
  return sum;
}

// The entry leaves; those behind it in its queue move up.
std::uint64_t HashDifference::removal(std::size_t index) {
  const Summand& gone = summands_[index];
  std::uint64_t sum = 0 - gone.term;
  if (!gone.queued) return sum;
  for (std::size_t j = index + 1; j < summands_.size(); ++j) {
    Summand& each = summands_[j];
    if (!each.queued || !in_one_queue(each.route, gone.route)) continue;
    const std::uint64_t moved = WorldHash::queued(each.event, each.rank - 1);
    sum += WorldHash::knowing(moved, each.known) - each.term;
  }
  return sum;
}

// Nobody needs to know of the sending any more; `except` is dealt with by `sends`.
std::uint64_t HashDifference::forgetting(std::size_t index, Slot except) {
  const Summand& gone = summands_[index];
  if (!world_->causal || !is_sending(gone.route)) return 0;
  const Slot sender = gone.route.sender;
  const std::uint32_t sent = world_->clock_of(index)[sender];
  const std::uint64_t weight = hash_.weight(sender);
  std::uint64_t sum = 0;
  for (std::size_t j = 0; j < summands_.size(); ++j) {
    const Summand& each = summands_[j];
    if (j == index || each.known == 0 || world_->clock_of(j)[sender] < sent) continue;
    sum += WorldHash::knowing(each.base, each.known - weight) - each.term;
  }
  for (Slot slot = 0; slot < actors_know_.size(); ++slot) {
    if (slot == except || actors_know_[slot] == 0) continue;
    if (world_->actor_clocks[slot * std::size_t{world_->clock_width} + sender] < sent) continue;
    sum += actor_term(slot, actors_know_[slot] - weight) - actor_term(slot, actors_know_[slot]);
  }
  return sum;
}

std::uint64_t HashDifference::actor_term(Slot slot, std::uint64_t known) const {
  return known == 0 ? 0 : WorldHash::knowing(kernel_.directory().id_of(slot).raw + 0x200000003ULL, known);
}

const ValueType& HashDifference::message_type(std::size_t index) const {
  return *kernel_.value(kernel_.envelope(world_->pending[index].envelope).message).type;
}

std::uint64_t HashDifference::spending(std::size_t budget) {
  GAINSAY_CHECK(budget < world_->budgets.size() && world_->budgets[budget] > 0, "the budget is not used up");
  budgets_ = world_->budgets;
  --budgets_[budget];
  return WorldHash::rest_of(budgets_, world_->partition, world_->partition_steps_left) - rest_;
}

// Monitors and timers. False where the step itself has to tell.
bool HashDifference::extras(std::size_t consumed, Slot slot, const Extras& extras, std::uint64_t& sum) {
  if (extras.failure || !extras.spawns.empty()) return false;
  if (extras.timers.size() > 1) return false;
  for (const TimerOp& op : extras.timers) {
    if (!timer(consumed, slot, op, sum)) return false;
  }
  for (std::size_t i = 0; i < extras.notifications.size(); ++i) {
    const EnvelopeId notification = extras.notifications[i];
    const Slot monitor = network_.route(notification).to;
    CellId cell = world_->cells[monitor];
    for (std::size_t j = 0; j < i; ++j) {  // what it was told before in this step
      if (network_.route(extras.notifications[j]).to == monitor) return false;
    }
    const Transition& told = front_.leaves(cell, notification).leaves->transition;
    if (told.extras != nullptr && told.extras->failure) return false;
    sum += told.cell_delta;
  }
  return true;
}

bool HashDifference::timer(std::size_t consumed, Slot slot, const TimerOp& op, std::uint64_t& sum) {
  if (op.cancelled != nullptr) {
    for (std::size_t j = 0; j < summands_.size(); ++j) {
      const Summand& each = summands_[j];
      const bool own = each.route.kind == EventKind::timer || each.route.kind == EventKind::task;
      if (j == consumed || !own || each.route.to != slot) continue;
      if (&message_type(j) == op.cancelled) sum -= each.term;
    }
    return true;
  }
  bool armed = false;
  for (std::size_t j = 0; j < summands_.size() && !armed; ++j)
    armed = j != consumed && world_->pending[j].envelope == op.armed;
  const std::uint64_t term = kernel_.envelope(op.armed).hash;
  if (op.withdrawn) {
    if (armed) sum -= term;
  } else if (!armed) {
    sum += term;
  }
  return true;
}

// What is sent, and for causal order what sender and messages know then.
std::uint64_t HashDifference::sends(std::size_t consumed, Slot slot, std::span<const EnvelopeId> outs) {
  std::uint64_t sum = 0;
  std::uint64_t known = 0;
  if (world_->causal) {
    // After the message was taken in: what it knew and what the actor knew, of what is still pending.
    const std::uint32_t* mine = &world_->actor_clocks[slot * std::size_t{world_->clock_width}];
    const Summand& event = summands_[consumed];
    const bool message = event.route.kind == EventKind::deliver &&
                         kernel_.cell(world_->cells[slot]).status != ActorStatus::crashed;
    const std::uint32_t* its = world_->clock_of(consumed);
    const bool sending = is_sending(event.route);
    for (const Sending& each : sendings_) {
      if (sending && each.sender == event.route.sender && each.sent == its[each.sender]) continue;
      if (mine[each.sender] >= each.sent || (message && its[each.sender] >= each.sent)) known += each.weight;
    }
  }
  for (std::size_t k = 0; k < outs.size(); ++k) {
    const Network::Route route = network_.route(outs[k]);
    std::uint64_t term = kernel_.envelope(outs[k]).hash;
    if (has_queue(route)) {
      std::uint32_t rank = 0;
      for (std::size_t j = 0; j < summands_.size(); ++j)
        rank += j != consumed && summands_[j].queued && in_one_queue(summands_[j].route, route) ? 1 : 0;
      for (std::size_t j = 0; j < k; ++j) rank += in_one_queue(network_.route(outs[j]), route) ? 1 : 0;
      term = WorldHash::queued(term, rank);
    }
    if (world_->causal) {
      if (is_sending(route)) known += hash_.weight(slot);
      term = WorldHash::knowing(term, known);
    }
    sum += term;
  }
  if (world_->causal) sum += actor_term(slot, known) - actor_term(slot, actors_know_[slot]);
  return sum;
}

}  // namespace gainsay
