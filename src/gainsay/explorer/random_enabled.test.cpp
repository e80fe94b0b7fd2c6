// Which messages may be next, against the definitions, on random walks through random systems of all kinds.
//
// The twin has no places: it remembers for every message which sendings its sender had learned of, as a set, and asks
// of every pair of pending messages whether one waits for the other.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "gainsay/execution/world/engine.hpp"
#include "gainsay/execution/world/faults/cut.hpp"
#include "gainsay/explorer/random_system.test.hpp"

namespace gainsay::random_enabled_test {
namespace {

using Sendings = std::set<std::uint64_t>;  // by event id; of a duplicate, by its original's

// Draws answers.
class Drawn final : public Asker {
 public:
  explicit Drawn(Rng& rng) : rng_(rng) {}

 private:
  std::uint32_t answer_to(std::uint32_t among, bool) override {
    return static_cast<std::uint32_t>(rng_.below(among));
  }
  Rng& rng_;
};

class Walk {
 public:
  explicit Walk(const Blueprint& blueprint)
      : blueprint_(blueprint),
        engine_(blueprint),
        kernel_(engine_.kernel()),
        network_(engine_.network),
        stepper_(engine_.stepper) {
    stepper_.initial(world_);
    for (const Pending& pending : world_.pending) note_new(pending, Sendings{});
  }

  // False at the end.
  bool step(Rng& rng) {
    if (alternatives_.list.empty()) return false;
    const Alternative chosen = alternatives_.list[rng.below(alternatives_.list.size())];
    if (chosen.kind == EventKind::stop) return false;
    const PendingRow before = world_.pending;
    Slot actor = Directory::no_slot;
    if (is_ordinary(chosen.kind)) {
      const Pending& pending = before[chosen.target];
      actor = kernel_.envelope(pending.envelope).to;
      const bool arrives = !network_.cut(world_, kernel_.envelope(pending.envelope)) &&
                           kernel_.cell(world_.cells[actor]).status != ActorStatus::crashed;
      if (kernel_.envelope(pending.envelope).kind == EventKind::deliver && arrives)
        learned_[actor].insert(told_[pending.id.raw].begin(), told_[pending.id.raw].end());
    } else if (chosen.kind == EventKind::restart) {
      actor = chosen.target;
    }
    Drawn answers(rng);
    const StepResult result = stepper_.step(world_, chosen, answers);
    if (result.failure != nullptr) return false;
    std::set<std::uint64_t> old;
    for (const Pending& pending : before) old.insert(pending.id.raw);
    for (const Pending& pending : world_.pending) {
      if (old.contains(pending.id.raw)) continue;
      if (chosen.kind == EventKind::duplicate || chosen.kind == EventKind::corrupt) {
        const std::uint64_t original = before[chosen.target].id.raw;
        told_[pending.id.raw] = told_[original];
        original_[pending.id.raw] = original_[original];
      } else {
        note_new(pending, learned_[actor]);
      }
      const Envelope& envelope = kernel_.envelope(pending.envelope);
      if (envelope.kind == EventKind::start) learned_[envelope.to] = learned_[actor];
      if (envelope.kind == EventKind::deliver && chosen.kind != EventKind::duplicate &&
          envelope.from != outside)
        learned_[actor] = told_[pending.id.raw];
    }
    return true;
  }

  std::size_t pending() const { return world_.pending.count(); }

  std::vector<std::uint64_t> enabled() {
    network_.enabled(world_, alternatives_);
    world_.check_rows();
    expect_offered();
    std::vector<std::uint64_t> ids;
    for (std::size_t i = 0; i < alternatives_.ordinary; ++i)
      ids.push_back(world_.pending[alternatives_.list[i].target].id.raw);
    return ids;
  }

  std::vector<std::uint64_t> enabled_by_definition() const {
    std::vector<std::uint64_t> ids;
    for (const std::size_t i : world_.pending.each_place()) {
      if (possible(i)) ids.push_back(world_.pending[i].id.raw);
    }
    return ids;
  }

 private:
  // Executions are offered the same, where it need not be listed.
  void expect_offered() const {
    Alternatives offered;
    network_.offer(world_, offered);
    ASSERT_EQ(offered.count, alternatives_.count);
    ASSERT_EQ(offered.ordinary, alternatives_.ordinary);
    ASSERT_EQ(offered.quiescent, alternatives_.quiescent);
    ASSERT_EQ(offered.may_stop, alternatives_.may_stop);
    for (std::size_t i = 0; i < offered.count; ++i)
      ASSERT_EQ(offered.at(world_, i), alternatives_.at(world_, i));
  }

  const Envelope& envelope(std::size_t index) const {
    return kernel_.envelope(world_.pending[index].envelope);
  }

  // A message tells of all sendings that its sender had learned of, and of itself.
  void note_new(const Pending& pending, Sendings learned) {
    original_[pending.id.raw] = pending.id.raw;
    learned.insert(pending.id.raw);
    told_[pending.id.raw] = std::move(learned);
  }

  bool accepted(std::size_t index) const {
    const Cell& cell = kernel_.cell(world_.cells[envelope(index).to]);
    return !cell.type->gated || cell.status != ActorStatus::alive ||
           kernel_.accepts(world_.cells[envelope(index).to], world_.pending[index].envelope);
  }

  bool waits(std::size_t later, std::size_t earlier) const {
    const Envelope& first = envelope(earlier);
    const Envelope& second = envelope(later);
    if (first.kind != EventKind::deliver || first.to != second.to || !accepted(earlier)) return false;
    const Delivery order = network_.order_of(second);
    if (order != network_.order_of(first)) return false;
    switch (order) {
      case Delivery::unordered:
        return false;
      case Delivery::fifo:
        return first.from == second.from;
      case Delivery::mailbox:
        return !network_.cut(world_, first);
      case Delivery::queue:  // tests/twin
        return false;
      case Delivery::causal:
        break;
    }
    if (first.from == outside) return second.from == outside;
    return told_.at(world_.pending[later].id.raw).contains(original_.at(world_.pending[earlier].id.raw));
  }

  bool possible(std::size_t index) const {
    const Envelope& event = envelope(index);
    if (event.kind == EventKind::start) return true;
    for (const std::size_t i : world_.pending.each_place()) {
      if (envelope(i).kind == EventKind::start && envelope(i).to == event.to) return false;
    }
    if (!accepted(index)) return false;
    if (event.kind == EventKind::timer) {
      const std::size_t budget = network_.budgets().timer(*kernel_.value(event.message).type);
      return budget == Budgets::none || world_.budgets[budget] > 0;
    }
    const bool crashed = kernel_.cell(world_.cells[event.to]).status == ActorStatus::crashed;
    if (crashed && blueprint_.to_crashed == ToCrashed::kept) return false;
    if (network_.cut(world_, event) && !drops(blueprint_.faults, world_.partition)) return false;
    for (std::size_t i = 0; i < index; ++i) {
      if (world_.pending.has(i) && waits(index, i)) return false;
    }
    return true;
  }

  const Blueprint& blueprint_;
  Engine engine_;
  Kernel& kernel_;
  Network& network_;
  Stepper& stepper_;
  WorldState world_;
  Alternatives alternatives_;
  std::map<std::uint64_t, Sendings> told_;           // by event id
  std::map<std::uint64_t, std::uint64_t> original_;  // by event id: the sending that it is a copy of
  std::map<Slot, Sendings> learned_;
};

TEST(RandomEnabled, IsWhatTheDefinitionsSay) {
  std::map<Delivery, std::uint64_t> waiting;  // pending events that have to
  std::map<Delivery, std::size_t> most;       // pending at once
  for (std::uint64_t number = 1; number <= 1500; ++number) {
    random_system::Features features = random_system::draw(number);
    features.levels = 3;
    features.outside = number % 25 == 0 ? 80 : 4;  // sets of places have one word, or several
    features.order = static_cast<Delivery>(number % 4);
    if (number % 5 == 0) {  // a cut that lasts: what it holds back holds back others
      features.actors = 4;
      features.partitions = 1;
      features.partition_steps = 0;
      features.partition_drops = false;
    }
    Blueprint blueprint = random_system::build(features);
    Rng rng(number, 31);
    if (rng.chance(1, 3)) {  // some links of another order
      for (std::uint32_t from = 0; from < 2; ++from)
        blueprint.link_orders.push_back({ActorId{from}, ActorId{1}, static_cast<Delivery>(rng.below(4))});
    }
    if (rng.chance(1, 3)) blueprint.faults.duplicates = {{{}, 3}};
    Walk walk(blueprint);
    do {
      const std::vector<std::uint64_t> enabled = walk.enabled();
      const std::vector<std::uint64_t> expected = walk.enabled_by_definition();
      ASSERT_EQ(enabled, expected) << random_system::text(features);
      waiting[features.order] += walk.pending() - enabled.size();
      most[features.order] = std::max(most[features.order], walk.pending());
    } while (walk.step(rng));
  }
  for (const Delivery order : {Delivery::fifo, Delivery::causal, Delivery::mailbox})
    EXPECT_GT(waiting[order], 1'000U) << static_cast<int>(order);
  for (const auto& [order, count] : most) EXPECT_GT(count, 64U) << static_cast<int>(order);
}

}  // namespace
}  // namespace gainsay::random_enabled_test
