// Registers and single elements of sets.
//
// Register (Gibbons and Korach 1997): the operations on one value form a cluster. With f its earliest return and s
// its latest invocation, a cluster with f < s holds the register from f to s (a forward zone); the others fit into
// any one gap between s and f (a backward zone). There is an order if and only if no two forward zones overlap and
// no backward zone lies inside a forward one.
#include <algorithm>
#include <limits>

#include "gainsay/oracle/linearizable/shapes.hpp"

namespace gainsay::linearizable {
namespace {

struct Zone {
  std::int64_t first_return;  // -1 for the initial value: it was written before everything
  std::int64_t last_invocation;
  std::size_t value;
};

Zone zone_of(const Value& value, std::size_t index) {
  Zone zone{std::numeric_limits<std::int64_t>::max(), -2, index};
  if (value.is_initial) zone.first_return = -1;
  const auto add = [&](const Interval& each) {
    zone.first_return = std::min(zone.first_return, std::int64_t{each.to});
    zone.last_invocation = std::max(zone.last_invocation, std::int64_t{each.from});
  };
  if (value.insert) add(*value.insert);
  for (const Interval& each : value.seen) add(each);
  return zone;
}

}  // namespace

ShapeAnswer judge_register(const Lives& lives) {
  std::vector<Zone> forward;
  std::vector<Zone> backward;
  for (std::size_t i = 0; i < lives.values.size(); ++i) {
    const Zone zone = zone_of(lives.values[i], i);
    (zone.first_return < zone.last_invocation ? forward : backward).push_back(zone);
  }
  std::sort(forward.begin(), forward.end(),
            [](const Zone& a, const Zone& b) { return a.first_return < b.first_return; });
  for (std::size_t i = 1; i < forward.size(); ++i) {
    if (forward[i].first_return < forward[i - 1].last_invocation) return {};
  }
  ShapeAnswer answer;
  answer.linearizable = true;
  // Ranks within a gap: what goes on from before, backward zones, a forward zone that begins.
  for (const Zone& zone : forward) {
    const Value& value = lives.values[zone.value];
    const std::int64_t begin = std::max<std::int64_t>(zone.first_return - 1, 0);
    const std::uint64_t rank = zone.first_return < 0 ? 0 : 2;
    if (value.insert)
      answer.order.push_back(
          {static_cast<std::uint64_t>(begin), rank, 2 * zone.value, value.insert->operation});
    for (const Interval& each : value.seen) {
      const bool at_once = std::int64_t{each.from} <= begin;
      const auto point = static_cast<std::uint64_t>(std::max(std::int64_t{each.from}, begin));
      answer.order.push_back({point, at_once ? rank : 0, 2 * zone.value + 1, each.operation});
    }
  }
  for (const Zone& zone : backward) {
    std::int64_t gap = zone.last_invocation;
    // The last forward zone that begins before this one.
    auto after = std::upper_bound(forward.begin(), forward.end(), zone.last_invocation,
                                  [](std::int64_t s, const Zone& each) { return s < each.first_return; });
    if (after != forward.begin()) {
      const Zone& around = *std::prev(after);
      if (around.last_invocation > zone.first_return) return {};
      gap = std::max(gap, around.last_invocation);
    }
    const Value& value = lives.values[zone.value];
    const auto point = static_cast<std::uint64_t>(std::max<std::int64_t>(gap, 0));
    if (value.insert) answer.order.push_back({point, 1, 2 * zone.value, value.insert->operation});
    for (const Interval& each : value.seen)
      answer.order.push_back({point, 1, 2 * zone.value + 1, each.operation});
  }
  return answer;
}

// With a the moment of the add and r that of the remove: as late an a and then as early an r as what saw the
// element allows is best for everything that missed it.
ShapeAnswer judge_element(const Lives& lives) {
  ShapeAnswer answer;
  answer.linearizable = true;
  if (lives.values.empty()) return answer;
  const Value& value = lives.values.front();
  if (!value.insert) {
    if (value.remove || !value.seen.empty()) return {};
    for (const Interval& each : value.missed) answer.order.push_back({each.from, 0, 0, each.operation});
    return answer;
  }
  std::uint32_t add = value.insert->to - 1;
  if (value.remove) add = std::min(add, value.remove->to - 1);
  for (const Interval& each : value.seen) add = std::min(add, each.to - 1);
  if (add < value.insert->from) return {};
  std::uint32_t remove = std::numeric_limits<std::uint32_t>::max();
  if (value.remove) {
    remove = std::max(add, value.remove->from);
    for (const Interval& each : value.seen) remove = std::max(remove, each.from);
    if (remove >= value.remove->to) return {};
    answer.order.push_back({remove, 3, 0, value.remove->operation});
  }
  answer.order.push_back({add, 1, 0, value.insert->operation});
  for (const Interval& each : value.seen)
    answer.order.push_back({std::max(add, each.from), 2, 0, each.operation});
  for (const Interval& each : value.missed) {
    if (each.from <= add) {
      answer.order.push_back({each.from, 0, 0, each.operation});
    } else if (value.remove && each.to > remove) {
      answer.order.push_back({std::max(remove, each.from), 4, 0, each.operation});
    } else {
      return {};
    }
  }
  return answer;
}

}  // namespace gainsay::linearizable
