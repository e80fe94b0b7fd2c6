#include "gainsay/oracle/linearizable/fast.hpp"

#include <algorithm>
#include <map>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/base/check.hpp"
#include "gainsay/oracle/linearizable/shapes.hpp"

namespace gainsay::linearizable {
namespace {

const void* data_or_null(const AnyValue& value) { return value.has_value() ? value.data() : nullptr; }

const void* result_of(const Operation& operation) {
  return operation.status == OperationStatus::ok ? data_or_null(operation.result) : nullptr;
}

// Values as numbers, in the order in which they are seen.
class ValueNames {
 public:
  explicit ValueNames(const ValueType& type) : type_(type) {}
  std::uint32_t index(const void* value) {
    std::vector<std::uint32_t>& same = by_hash_[type_.hash(value)];
    for (const std::uint32_t each : same) {
      if (type_.equal(values_[each], value)) return each;
    }
    same.push_back(static_cast<std::uint32_t>(values_.size()));
    values_.push_back(value);
    return same.back();
  }
  const void* operator[](std::uint32_t index) const { return values_[index]; }
  std::size_t size() const { return values_.size(); }

 private:
  const ValueType& type_;
  std::vector<const void*> values_;
  boost::unordered_flat_map<std::uint64_t, std::vector<std::uint32_t>> by_hash_;
};

// A part in terms of values. `applies` is false where a fast path has nothing to say; `contradiction` is true where
// a value was seen that cannot have been there.
struct Reading {
  Lives lives;
  std::vector<std::uint32_t> anywhere;  // returned, and fit wherever they are
  bool applies = true;
  bool contradiction = false;
  bool unknown_removes = false;
};

class Reader {
 public:
  Reader(const History& history, const Part& part, const SpecType& spec, const AnyValue& initial)
      : history_(history), part_(part), spec_(spec), initial_(initial), names_(*spec.value) {}

  Reading read() {
    number_events();
    for (const std::uint32_t index : part_) {
      if (!take(index)) {
        reading_.applies = false;
        return std::move(reading_);
      }
    }
    if (spec_.shape == Shape::element_set && names_.size() > 1) reading_.applies = false;
    if (reading_.applies) check_values();
    if (spec_.shape == Shape::priority_queue && reading_.applies) sort_by_priority();
    return std::move(reading_);
  }

 private:
  using Kind = Role::Kind;

  void number_events() {
    for (const std::uint32_t index : part_) {
      events_.push_back(history_[index].invoked);
      if (history_[index].status == OperationStatus::ok) events_.push_back(history_[index].returned);
    }
    std::sort(events_.begin(), events_.end());
    reading_.lives.events = static_cast<std::uint32_t>(events_.size());
  }
  std::uint32_t event(std::uint64_t position) const {
    return static_cast<std::uint32_t>(std::lower_bound(events_.begin(), events_.end(), position) -
                                      events_.begin());
  }
  Interval interval(std::uint32_t index) const {
    const Operation& each = history_[index];
    const bool returned = each.status == OperationStatus::ok;
    return {index, event(each.invoked), returned ? event(each.returned) : reading_.lives.events};
  }
  Value& value(const void* which) {
    const std::uint32_t index = names_.index(which);
    if (index == reading_.lives.values.size()) reading_.lives.values.emplace_back();
    return reading_.lives.values[index];
  }

  // False where the fast path does not apply.
  bool take(std::uint32_t index) {
    const Operation& each = history_[index];
    const bool is_info = each.status == OperationStatus::info;
    const void* result = result_of(each);
    if (result == nullptr && spec_.pure(each.op.data(), nullptr)) {
      if (!is_info) reading_.anywhere.push_back(index);
      return true;
    }
    const Role role = spec_.role(each.op.data(), result);
    switch (role.kind) {
      case Kind::write:
      case Kind::insert: {
        Value& inserted = value(role.value);
        if (inserted.insert) return false;  // a duplicate
        inserted.insert = interval(index);
        return true;
      }
      case Kind::remove: {
        Value& removed = value(role.value);
        if (removed.remove) {
          if (spec_.shape == Shape::element_set) return false;
          removed_twice_.push_back(names_.index(role.value));
        } else {
          removed.remove = interval(index);
        }
        return true;
      }
      case Kind::read:
      case Kind::present:
        value(role.value).seen.push_back(interval(index));
        return true;
      case Kind::absent:
        value(role.value).missed.push_back(interval(index));
        return true;
      case Kind::remove_nothing:
        reading_.lives.nothing.push_back(interval(index));
        return true;
      case Kind::unknown_remove:
        reading_.unknown_removes = true;
        return is_info && spec_.shape != Shape::element_set;
      case Kind::unknown_insert:
      case Kind::other:
        return false;
    }
    return false;
  }

  bool is_initial(const Interval& read) {
    bool fits = false;
    const Operation& each = history_[read.operation];
    spec_.step(initial_.data(), each.op.data(), result_of(each), StopToken{},
               [&](const void*) { fits = true; });
    return fits;
  }

  // Drops inserts of unknown outcome that nobody saw; finds values that cannot have been there.
  void check_values() {
    std::vector<Value>& values = reading_.lives.values;
    reading_.contradiction = !removed_twice_.empty();
    for (Value& each : values) {
      if (spec_.shape == Shape::single_register && !each.seen.empty() && is_initial(each.seen.front())) {
        if (each.insert) {  // written again: which one was read?
          reading_.applies = false;
          return;
        }
        each.is_initial = true;
        continue;
      }
      if (each.insert && history_[each.insert->operation].status == OperationStatus::info && !each.remove &&
          each.seen.empty() && spec_.shape != Shape::element_set) {
        each.insert.reset();
      }
      const auto impossible = [&](const Interval& saw) { return !each.insert || saw.to < each.insert->from; };
      if (each.remove && impossible(*each.remove)) reading_.contradiction = true;
      if (std::any_of(each.seen.begin(), each.seen.end(), impossible)) reading_.contradiction = true;
    }
    if (spec_.shape != Shape::element_set)
      std::erase_if(values, [](const Value& each) { return !each.insert && !each.is_initial; });
  }

  void sort_by_priority() {
    std::vector<Value>& values = reading_.lives.values;
    const auto key = [&](const Value& each) {
      return spec_
          .role(history_[each.insert->operation].op.data(), result_of(history_[each.insert->operation]))
          .value;
    };
    std::sort(values.begin(), values.end(),
              [&](const Value& a, const Value& b) { return spec_.less(key(a), key(b)); });
    for (std::size_t i = 1; i < values.size(); ++i) {  // different values that come out in any order
      if (!spec_.less(key(values[i - 1]), key(values[i]))) reading_.applies = false;
    }
  }

  const History& history_;
  const Part& part_;
  const SpecType& spec_;
  const AnyValue& initial_;
  ValueNames names_;
  Reading reading_;
  std::vector<std::uint64_t> events_;
  std::vector<std::uint32_t> removed_twice_;
};

ShapeAnswer judge_shape(Shape shape, const Lives& lives) {
  switch (shape) {
    case Shape::single_register:
      return judge_register(lives);
    case Shape::element_set:
      return judge_element(lives);
    case Shape::queue:
      return judge_queue(lives);
    case Shape::stack:
      return judge_stack(lives);
    case Shape::priority_queue:
      return judge_priority_queue(lives);
    case Shape::none:
      break;
  }
  return {};
}

std::string_view method(Shape shape) {
  switch (shape) {
    case Shape::single_register:
      return "zones of a register without duplicates";
    case Shape::element_set:
      return "one element of a set";
    case Shape::queue:
      return "queue without duplicates";
    case Shape::stack:
      return "stack without duplicates";
    case Shape::priority_queue:
      return "priority queue without duplicates";
    case Shape::none:
      break;
  }
  return "";
}

// Executes the order: every result is what the specification says, every operation that returned is in it, once,
// and nothing comes before what returned before it was invoked.
bool is_linearization(const History& history, const Part& part, const SpecType& spec, const AnyValue& initial,
                      const std::vector<std::size_t>& order, std::uint64_t& steps) {
  std::size_t returned = 0;
  for (const std::uint32_t each : part) returned += history[each].status == OperationStatus::ok ? 1 : 0;
  std::vector<std::size_t> seen = order;
  std::sort(seen.begin(), seen.end());
  if (std::adjacent_find(seen.begin(), seen.end()) != seen.end()) return false;
  AnyValue state = initial;
  std::uint64_t latest_invocation = 0;
  for (const std::size_t index : order) {
    const Operation& each = history[index];
    if (each.status == OperationStatus::ok) --returned;
    if (each.returned < latest_invocation) return false;
    latest_invocation = std::max(latest_invocation, each.invoked);
    ++steps;
    if (!spec.advance(state.data(), each.op.data(), result_of(each), StopToken{})) return false;
  }
  return returned == 0;
}

}  // namespace

std::optional<PartResult> judge_fast(const History& history, const Part& part, const SpecType& spec,
                                     const AnyValue& initial) {
  if (spec.shape == Shape::none || !spec.deterministic) return std::nullopt;
  const bool needs_empty = spec.shape != Shape::single_register;
  if (needs_empty && !spec.state->equal(initial.data(), spec.initial().data())) return std::nullopt;
  Reading reading = Reader(history, part, spec, initial).read();
  if (!reading.applies) return std::nullopt;
  ShapeAnswer answer;
  if (!reading.contradiction) answer = judge_shape(spec.shape, reading.lives);
  PartResult result;
  result.method = method(spec.shape);
  if (!answer.linearizable) {
    if (reading.unknown_removes) return std::nullopt;
    result.verdict = Verdict::violated;
    result.steps = part.size();
    return result;
  }
  std::sort(answer.order.begin(), answer.order.end(), [](const Placed& a, const Placed& b) {
    if (a.point != b.point) return a.point < b.point;
    return a.rank != b.rank ? a.rank < b.rank : a.sequence < b.sequence;
  });
  std::vector<std::vector<std::size_t>> orders(1);
  for (const Placed& each : answer.order) orders.front().push_back(each.operation);
  for (const std::uint32_t each : reading.anywhere) orders.push_back({each});
  std::vector<std::size_t> order = merge_orders(history, orders);
  if (!is_linearization(history, part, spec, initial, order, result.steps)) return std::nullopt;
  result.linearization = std::move(order);
  result.verdict = Verdict::ok;
  return result;
}

std::vector<std::vector<std::uint32_t>> value_groups(const History& history, const Part& part,
                                                     const SpecType& spec) {
  const bool is_collection =
      spec.shape == Shape::queue || spec.shape == Shape::stack || spec.shape == Shape::priority_queue;
  if (!is_collection) return {};
  ValueNames names(*spec.value);
  std::vector<std::vector<std::uint32_t>> groups;
  std::vector<std::vector<std::uint32_t>> alone;  // removes that found nothing, or of unknown outcome
  for (const std::uint32_t index : part) {
    const Role role = spec.role(history[index].op.data(), result_of(history[index]));
    if (role.value == nullptr) {
      if (role.kind != Role::Kind::remove_nothing) return {};
      alone.push_back({index});
      continue;
    }
    const std::uint32_t value = names.index(role.value);
    if (value == groups.size()) groups.emplace_back();
    groups[value].push_back(index);
  }
  groups.insert(groups.end(), alone.begin(), alone.end());
  // By their last operation, so that those near the end of the history come last.
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return a.back() < b.back(); });
  return groups;
}

}  // namespace gainsay::linearizable
