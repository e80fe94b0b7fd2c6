// Queues and priority queues.
//
// Queue: value a must go before b if a's insert ended before b's began, or a's remove before b's remove or insert
// began. There is an order if and only if these necessities have no cycle (Henzinger, Sezgin and Vafeiadis 2013
// show that cycles of two suffice), and every remove that found nothing overlaps a gap where nothing must be
// inside.
//
// Priority queue: to leave, a value needs a gap at which nothing that goes before it must be inside. The first
// such gap is best for everything after it.
#include <algorithm>
#include <limits>
#include <queue>

#include "gainsay/oracle/linearizable/shapes.hpp"

namespace gainsay::linearizable {
namespace {

constexpr std::uint32_t forever = std::numeric_limits<std::uint32_t>::max();

std::uint32_t leaves_from(const Value& value) { return value.remove ? value.remove->from : forever - 1; }
std::uint32_t leaves_by(const Value& value) { return value.remove ? value.remove->to : forever; }

// Puts every remove that found nothing at a gap that is not covered; returns those gaps, or nothing.
std::optional<std::vector<std::uint32_t>> place_nothing(const Lives& lives, Covered& covered,
                                                        ShapeAnswer& answer) {
  std::vector<std::uint32_t> gaps;
  for (const Interval& each : lives.nothing) {
    const std::uint32_t gap = covered.first_free(each.from);
    if (gap >= each.to) return std::nullopt;
    answer.order.push_back({middle(gap), 0, 0, each.operation});
    gaps.push_back(gap);
  }
  std::sort(gaps.begin(), gaps.end());
  gaps.erase(std::unique(gaps.begin(), gaps.end()), gaps.end());
  return gaps;
}

// The values in an order that respects every necessity, or nothing if there is a cycle.
std::optional<std::vector<std::uint32_t>> fifo_order(const std::vector<Value>& values) {
  const auto count = static_cast<std::uint32_t>(values.size());
  std::vector<std::uint32_t> by_insert(count);
  for (std::uint32_t i = 0; i < count; ++i) by_insert[i] = i;
  std::vector<std::uint32_t> by_inserted = by_insert;
  std::vector<std::uint32_t> by_left = by_insert;
  std::sort(by_insert.begin(), by_insert.end(),
            [&](auto a, auto b) { return values[a].insert->from < values[b].insert->from; });
  std::sort(by_inserted.begin(), by_inserted.end(),
            [&](auto a, auto b) { return values[a].insert->to < values[b].insert->to; });
  std::sort(by_left.begin(), by_left.end(),
            [&](auto a, auto b) { return leaves_by(values[a]) < leaves_by(values[b]); });
  // Values whose insert waits for nobody, by when their remove begins.
  using Waiting = std::pair<std::uint32_t, std::uint32_t>;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting;
  std::vector<bool> taken(count, false);
  std::vector<std::uint32_t> order;
  std::size_t next = 0;
  std::size_t inserted = 0;
  std::size_t left = 0;
  while (order.size() < count) {
    while (taken[by_inserted[inserted]]) ++inserted;
    while (taken[by_left[left]]) ++left;
    const std::uint32_t leaves = leaves_by(values[by_left[left]]);
    const std::uint32_t bound = std::min(values[by_inserted[inserted]].insert->to, leaves);
    while (next < count && values[by_insert[next]].insert->from < bound) {
      waiting.emplace(leaves_from(values[by_insert[next]]), by_insert[next]);
      ++next;
    }
    if (waiting.empty() || waiting.top().first >= leaves) return std::nullopt;
    order.push_back(waiting.top().second);
    taken[order.back()] = true;
    waiting.pop();
  }
  return order;
}

}  // namespace

ShapeAnswer judge_queue(const Lives& lives) {
  const std::optional<std::vector<std::uint32_t>> order = fifo_order(lives.values);
  if (!order) return {};
  Covered covered(lives.events);
  for (const Value& value : lives.values)
    covered.cover(std::min(value.insert->to, lives.events), std::min(leaves_from(value), lives.events));
  ShapeAnswer answer;
  const std::optional<std::vector<std::uint32_t>> empty_gaps = place_nothing(lives, covered, answer);
  if (!empty_gaps) return {};
  answer.linearizable = true;

  // Inserts as late and removes as early as the order of values allows.
  const std::size_t count = order->size();
  std::vector<std::uint64_t> inserts(count);
  std::vector<std::uint64_t> removes(count);
  std::uint64_t latest = forever;
  for (std::size_t i = count; i-- > 0;) {
    latest = std::min<std::uint64_t>(latest, lives.values[(*order)[i]].insert->to - 1);
    inserts[i] = latest;
  }
  std::uint64_t earliest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Value& value = lives.values[(*order)[i]];
    earliest = std::max<std::uint64_t>({earliest, value.insert->from, leaves_from(value)});
    removes[i] = early(earliest);
    inserts[i] = inserts[i] >= earliest ? early(earliest) : late(inserts[i]);
    // Whatever is inside at a gap where somebody found nothing leaves just before, or comes just after.
    auto gap = std::lower_bound(empty_gaps->begin(), empty_gaps->end(), inserts[i],
                                [](std::uint32_t each, std::uint64_t point) { return middle(each) < point; });
    for (; gap != empty_gaps->end() && middle(*gap) < removes[i]; ++gap) {
      if (leaves_from(value) <= *gap) {
        removes[i] = early(*gap);
      } else {
        inserts[i] = late(*gap);
      }
    }
    answer.order.push_back({inserts[i], i, 0, value.insert->operation});
    if (value.remove) answer.order.push_back({removes[i], i, 1, value.remove->operation});
  }
  return answer;
}

ShapeAnswer judge_priority_queue(const Lives& lives) {
  Covered covered(lives.events);
  ShapeAnswer answer;
  for (std::size_t i = 0; i < lives.values.size(); ++i) {
    const Value& value = lives.values[i];
    std::uint32_t leaves = lives.events;
    if (value.remove) {
      leaves = covered.first_free(std::max(value.insert->from, value.remove->from));
      if (leaves >= value.remove->to) return {};
      answer.order.push_back({early(leaves), i, 1, value.remove->operation});
    }
    const bool at_once = value.remove && leaves < value.insert->to;
    answer.order.push_back(
        {at_once ? early(leaves) : late(value.insert->to - 1), i, 0, value.insert->operation});
    covered.cover(std::min(value.insert->to, lives.events), leaves);
  }
  answer.linearizable = place_nothing(lives, covered, answer).has_value();
  return answer;
}

}  // namespace gainsay::linearizable
