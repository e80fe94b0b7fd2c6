#include "gainsay/oracle/linearizable_filter.hpp"

#include <algorithm>
#include <numeric>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"

namespace gainsay {
namespace {

constexpr std::size_t late_lines = 1024;

std::uint64_t pair_key(std::uint32_t first, std::uint32_t second) {
  return (static_cast<std::uint64_t>(first) << 32U) | second;
}

template <class Row, class Item> bool add_once(Row& row, const Item& item) {
  if (std::find(row.begin(), row.end(), item) != row.end()) return false;
  row.push_back(item);
  return true;
}

}  // namespace

// --- what is remembered ---

std::uint32_t LinearizableFilter::Table::number(const ValueType& type, const void* data) {
  const auto added = static_cast<std::uint32_t>(entries_.size());
  const auto [found, fresh] = first_.try_emplace(mix(type.name_hash, type.hash(data)), added);
  if (!fresh) {
    for (std::uint32_t each = found->second; each != none; each = entries_[each].next) {
      const AnyValue& value = entries_[each].value;
      if (&value.type() == &type && type.equal(value.data(), data)) return each;
    }
  }
  entries_.push_back({AnyValue(type, data), fresh ? none : std::exchange(found->second, added)});
  return added;
}

void LinearizableFilter::Table::clear() {
  entries_.clear();
  first_.clear();
}

void LinearizableFilter::forget() {
  values_.clear();
  given_.clear();
  late_.assign(late_lines, {});
  keys_.clear();
  states_.clear();
  labels_.clear();
  label_of_.clear();
  after_.clear();
  const std::uint32_t first = states_.number(initial_.type(), initial_.data());
  GAINSAY_CHECK(first == 0, "the initial state is the first");
  forget_situations();
}

void LinearizableFilter::forget_situations() {
  situations_.clear();
  situations_size_ = 0;
  situation_of_.clear();
  situation_after_.clear();
}

// A value that stands where it stood before is compared with what was there then: storage may be used again.
std::uint32_t LinearizableFilter::given(const ValueType& type, const void* data) {
  Late& late = late_[(reinterpret_cast<std::uintptr_t>(data) >> 4U) % late_lines];
  if (late.data == data && &values_[late.number].type() == &type &&
      type.equal(values_[late.number].data(), data))
    return late.number;
  const std::uint32_t number = values_.number(type, data);
  if (number == given_.size()) {
    Given& added = given_.emplace_back();
    added.op = types_.op(type, data);
    added.result = types_.result(type, data);
    if (added.op.has_value() && types_.spec->keys != nullptr) {
      const std::vector<AnyValue> touched = types_.spec->keys(added.op.data());
      if (touched.size() == 1) added.key = keys_.number(touched[0].type(), touched[0].data());
    }
    if (added.op.has_value() && types_.spec->resets != nullptr)
      added.resets = types_.spec->resets(added.op.data());
  }
  GAINSAY_CHECK(number < given_.size(), "values are numbered as they are met");
  late = {data, number};
  return number;
}

std::uint32_t LinearizableFilter::label(std::uint32_t op, std::uint32_t result) {
  const auto [found, fresh] =
      label_of_.try_emplace(pair_key(op, result), static_cast<std::uint32_t>(labels_.size()));
  if (fresh) labels_.emplace_back(op, result);
  return found->second;
}

// The state after an operation with its result; `none` where the specification says something else.
std::uint32_t LinearizableFilter::after(std::uint32_t state, std::uint32_t label) {
  const std::uint64_t key = pair_key(state, label);
  if (const auto known = after_.find(key); known != after_.end()) return known->second;
  const auto [op, result] = labels_[label];
  AnyValue next = states_[state];
  const void* observed = result == none ? nullptr : given_[result].result.data();
  const bool fits = types_.spec->advance(next.data(), given_[op].op.data(), observed, StopToken{});
  const std::uint32_t reached = fits ? states_.number(next.type(), next.data()) : none;
  after_.emplace(key, reached);
  return reached;
}

// --- one history ---

bool LinearizableFilter::surely_right(std::span<const HistoryEntry> history) {
  if (!types_.spec->deterministic || types_.spec->advance == nullptr) return false;
  if (values_.size() + states_.size() + labels_.size() + after_.size() > remembered_max) forget();
  if (situations_size_ > situations_max) forget_situations();
  try {
    return read(history) && replay();
  } catch (...) {  // by the specification: whoever judges next says so
    return false;
  }
}

// Which entries belong to which operation, and how each of them ended.
bool LinearizableFilter::read(std::span<const HistoryEntry> history) {
  operations_.clear();
  open_operations_.clear();
  entries_.clear();
  for (const HistoryEntry& entry : history) {
    const auto open = std::find_if(open_operations_.begin(), open_operations_.end(), [&](std::uint32_t i) {
      return operations_[i].process == entry.process && operations_[i].number == entry.number;
    });
    if (entry.invocation) {
      if (open != open_operations_.end() || entry.type == nullptr) return false;
      Operation operation{entry.process, entry.number, given(*entry.type, entry.data)};
      if (!given_[operation.op].op.has_value()) return false;
      const auto index = static_cast<std::uint32_t>(operations_.size());
      operations_.push_back(operation);
      open_operations_.push_back(index);
      entries_.push_back({index, false});
      continue;
    }
    if (open == open_operations_.end()) return false;
    const std::uint32_t index = *open;
    open_operations_.erase(open);
    Operation& operation = operations_[index];
    if (entry.how == Completion::failed) {
      operation.left_out = true;
    } else if (entry.how == Completion::ok) {
      if (entry.type != nullptr) {
        operation.result = given(*entry.type, entry.data);
        if (!given_[operation.result].result.has_value()) return false;
      }
      operation.returned = true;
      entries_.push_back({index, true});
    }
  }
  for (Operation& operation : operations_) {
    operation.label = label(operation.op, operation.result);
    // What never returned and changes nothing explains nothing.
    if (!operation.returned && types_.spec->pure(given_[operation.op].op.data(), nullptr))
      operation.left_out = true;
  }
  return true;
}

bool LinearizableFilter::replay() {
  const bool remember = is_worth_remembering();
  const bool by_key = std::all_of(operations_.begin(), operations_.end(), [&](const Operation& each) {
    return each.left_out || given_[each.op].key != none;
  });
  lanes_used_ = 0;
  for (const Entry& entry : entries_) {
    const Operation& operation = operations_[entry.operation];
    if (operation.left_out) continue;
    Lane& lane = lane_of(by_key ? given_[operation.op].key : 0, remember);
    if (!entry.is_return && lane.open.size() == open_max) return false;
    const auto place = static_cast<std::size_t>(
        std::find(lane.open.begin(), lane.open.end(), entry.operation) - lane.open.begin());
    GAINSAY_CHECK(entry.is_return == (place < lane.open.size()), "what returns was invoked");
    if (remember) {
      lane.at = situation_after(lane, entry, place);
      if (lane.at == none) return false;
    } else if (!take(lane, entry, place)) {
      return false;
    }
  }
  return true;
}

// That of the key; a new one, where nothing has happened, if it has none yet.
LinearizableFilter::Lane& LinearizableFilter::lane_of(std::uint32_t key, bool remember) {
  GAINSAY_CHECK(key <= keys_.size(), "the key is known");
  if (key >= key_lane_.size()) key_lane_.resize(key + std::size_t{1}, none);
  if (const std::uint32_t known = key_lane_[key]; known < lanes_used_ && lanes_[known].key == key)
    return lanes_[known];
  key_lane_[key] = lanes_used_;
  if (lanes_used_ == lanes_.size()) lanes_.emplace_back();
  Lane& lane = lanes_[lanes_used_++];
  lane.key = key;
  lane.open.clear();
  lane.open_on_all = 0;
  lane.open_resetting = 0;
  lane.configurations.assign(1, Configuration{});
  lane.at = !remember ? none : situations_.empty() ? situation(lane) : 0;
  return lane;
}

// What the entry leads to from where the lane is; `none`: nothing explains it, or too much could.
std::uint32_t LinearizableFilter::situation_after(Lane& lane, const Entry& entry, std::size_t place) {
  const std::uint32_t what =
      entry.is_return ? static_cast<std::uint32_t>(place) * 2 + 1 : operations_[entry.operation].label * 2;
  const std::uint64_t key = pair_key(lane.at, what);
  ++situations_met_;
  if (const auto known = situation_after_.find(key); known != situation_after_.end()) {
    ++situations_known_;
    note_open(lane, entry, place);
    return known->second;
  }
  lane.configurations = situations_[lane.at].configurations;
  const std::uint32_t reached = take(lane, entry, place) ? situation(lane) : none;
  situation_after_.emplace(key, reached);
  return reached;
}

// The number of the lane's present one.
std::uint32_t LinearizableFilter::situation(const Lane& lane) {
  const auto is_open = [&](std::uint32_t label, std::uint32_t operation) {
    return label == operations_[operation].label;
  };
  Hasher hasher(lane.open.size());
  for (const std::uint32_t operation : lane.open) hasher.add(operations_[operation].label);
  for (const Configuration& each : lane.configurations) hasher.add(mix(each.done, each.state));
  const auto added = static_cast<std::uint32_t>(situations_.size());
  const auto [found, fresh] = situation_of_.try_emplace(hasher.finish(), added);
  for (std::uint32_t each = fresh ? none : found->second; each != none; each = situations_[each].next) {
    const Situation& known = situations_[each];
    if (known.configurations == lane.configurations &&
        std::equal(known.open.begin(), known.open.end(), lane.open.begin(), lane.open.end(), is_open))
      return each;
  }
  Situation& one = situations_.emplace_back();
  for (const std::uint32_t operation : lane.open) one.open.push_back(operations_[operation].label);
  one.configurations = lane.configurations;
  one.next = fresh ? none : std::exchange(found->second, added);
  situations_size_ += 1 + one.open.size() + one.configurations.size();
  return added;
}

bool LinearizableFilter::take(Lane& lane, const Entry& entry, std::size_t place) {
  if (entry.is_return && !take_return(lane, place)) return false;
  note_open(lane, entry, place);
  return true;
}

void LinearizableFilter::note_open(Lane& lane, const Entry& entry, std::size_t place) {
  const Given& op = given_[operations_[entry.operation].op];
  const std::size_t on_all = op.key == none ? 1 : 0;
  const std::size_t resetting = op.resets ? 1 : 0;
  if (!entry.is_return) {
    lane.open.push_back(entry.operation);
    lane.open_on_all += on_all;
    lane.open_resetting += resetting;
  } else {
    lane.open.erase(lane.open.begin() + static_cast<std::ptrdiff_t>(place));
    lane.open_on_all -= on_all;
    lane.open_resetting -= resetting;
  }
}

// Whether two open operations concern different keys, with nothing open that could be between them.
bool LinearizableFilter::is_apart(const Lane& lane, std::size_t place, std::size_t other) const {
  return lane.open_on_all == 0 &&
         given_[operations_[lane.open[place]].op].key != given_[operations_[lane.open[other]].op].key;
}

// Whether nothing that is open leads from here to a state in which the operation says what it said.
bool LinearizableFilter::is_hopeless(const Lane& lane, const Configuration& from, std::size_t place) const {
  const Operation& returning = operations_[lane.open[place]];
  if (types_.spec->may_reach == nullptr || lane.open_resetting > 0 || returning.result == none) return false;
  return !types_.spec->may_reach(states_[from.state].data(), given_[returning.op].op.data(),
                                 given_[returning.result].result.data());
}

// The operation at `place` returns: it has taken effect, or it does so now, after any others that may come before it.
bool LinearizableFilter::take_return(Lane& lane, std::size_t place) {
  const std::uint64_t mine = std::uint64_t{1} << place;
  const std::uint64_t before = mine - 1;
  next_.clear();
  tried_.clear();
  const auto keep = [&](std::uint32_t state, std::uint64_t done) {  // the bits behind it move up
    add_once(next_, Configuration{state, (done & before) | (done >> 1U & ~before)});
  };
  for (const Configuration& each : lane.configurations) {
    if ((each.done & mine) != 0) {
      keep(each.state, each.done & ~mine);
    } else if (!is_hopeless(lane, each, place)) {
      tried_.push_back(each);  // they are different already
    }
  }
  // Depth first: where there are too many, some explanations are found, and those are enough.
  to_do_.resize(tried_.size());
  std::iota(to_do_.rbegin(), to_do_.rend(), std::uint32_t{0});
  while (!to_do_.empty() && tried_.size() + next_.size() <= configurations_max) {
    const Configuration from = tried_[to_do_.back()];
    to_do_.pop_back();
    for (std::size_t k = 0; k < lane.open.size(); ++k) {
      if ((from.done >> k & 1U) != 0 || is_apart(lane, place, k)) continue;
      const std::uint32_t state = after(from.state, operations_[lane.open[k]].label);
      if (state == none) continue;
      if (k == place) {
        keep(state, from.done);
        continue;
      }
      const Configuration next{state, from.done | std::uint64_t{1} << k};
      if (is_hopeless(lane, next, place) || !add_once(tried_, next)) continue;
      to_do_.push_back(static_cast<std::uint32_t>(tried_.size() - 1));
    }
  }
  // In one order, so that they are the same however they were found.
  std::sort(next_.begin(), next_.end());
  lane.configurations.swap(next_);
  return !lane.configurations.empty();
}

}  // namespace gainsay
