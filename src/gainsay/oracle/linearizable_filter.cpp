#include "gainsay/oracle/linearizable_filter.hpp"

#include <algorithm>
#include <numeric>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"

namespace gainsay {
namespace {

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
  forget_numbers();
  keys_.clear();
  key_lane_.assign(1, none);  // at least one: where keys do not matter, all is in the first
  lanes_used_ = 0;
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
  Lane nothing;
  nothing.configurations.assign(1, Configuration{});
  const std::uint32_t first = situation(nothing);
  GAINSAY_CHECK(first == 0, "every lane begins with the first");
}

std::uint32_t LinearizableFilter::given(const ValueType& type, const void* data) {
  const std::uint32_t number = values_.number(type, data);
  if (number == given_.size()) {
    Given& added = given_.emplace_back();
    added.op = types_.op(type, data);
    added.result = types_.result(type, data);
    if (added.op.has_value() && types_.spec->keys != nullptr) {
      const std::vector<AnyValue> touched = types_.spec->keys(added.op.data());
      if (touched.size() == 1) added.key = keys_.number(touched[0].type(), touched[0].data());
      key_lane_.resize(std::max(key_lane_.size(), keys_.size()), none);
    }
    if (added.op.has_value() && types_.spec->resets != nullptr)
      added.resets = types_.spec->resets(added.op.data());
  }
  GAINSAY_CHECK(number < given_.size(), "values are numbered as they are met");
  return number;
}

// `none`: not an operation of the specification, not a result of one, or without a number.
inline std::uint32_t LinearizableFilter::label(const HistoryEntry& invocation,
                                               const HistoryEntry& completion) {
  const std::uint32_t* known = known_.find(pair_key(invocation.value, completion.value));
  return known != nullptr ? *known : new_label(invocation, completion);
}

std::uint32_t LinearizableFilter::new_label(const HistoryEntry& invocation, const HistoryEntry& completion) {
  if (invocation.type == nullptr || invocation.value == 0) return none;
  const std::uint32_t op = given(*invocation.type, invocation.data);
  const std::uint32_t result = completion.type == nullptr ? none : given(*completion.type, completion.data);
  std::uint32_t found = none;
  if (given_[op].op.has_value() && (result == none || given_[result].result.has_value())) {
    if (const std::uint32_t* same = label_of_.find(pair_key(op, result))) {
      found = *same;
    } else {
      found = static_cast<std::uint32_t>(labels_.size());
      labels_.push_back({op, result, given_[op].key, types_.spec->pure(given_[op].op.data(), nullptr)});
      label_of_.add(pair_key(op, result), found);
    }
  }
  known_.add(pair_key(invocation.value, completion.value), found);
  return found;
}

// The state after an operation with its result; `none` where the specification says something else.
std::uint32_t LinearizableFilter::after(std::uint32_t state, std::uint32_t label) {
  const std::uint64_t key = pair_key(state, label);
  if (const std::uint32_t* known = after_.find(key)) return *known;
  const Label& what = labels_[label];
  AnyValue next = states_[state];
  const void* observed = what.result == none ? nullptr : given_[what.result].result.data();
  const bool fits = types_.spec->advance(next.data(), given_[what.op].op.data(), observed, StopToken{});
  const std::uint32_t reached = fits ? states_.number(next.type(), next.data()) : none;
  after_.add(key, reached);
  return reached;
}

// --- one history ---

bool LinearizableFilter::surely_right(std::span<const HistoryEntry> history) {
  if (!types_.spec->deterministic || types_.spec->advance == nullptr) return false;
  if (values_.size() + states_.size() + labels_.size() + after_.size() > remembered_max) forget();
  if (known_.size() > remembered_max) forget_numbers();
  if (situations_size_ > situations_max) forget_situations();
  try {
    return read(history) && replay(std::span(entries_).first(history.size()));
  } catch (...) {  // by the specification: whoever judges next says so
    return false;
  }
}

// Which entries belong to which operation, and how each of them ended.
bool LinearizableFilter::read(std::span<const HistoryEntry> history) {
  static constexpr HistoryEntry any_result;
  if (entries_.size() < history.size()) {
    entries_.resize(history.size());
    begun_.resize(history.size());
  }
  // Variables: members would be read again after every write to a row.
  Entry* const entries = entries_.data();
  Begun* const first = begun_.data();
  Begun* last = first;
  bool by_key = true;
  // The operation happened, or may have. What never returned and changes nothing explains nothing.
  const auto follow = [&](std::uint32_t operation, std::uint32_t label, bool returned) {
    const Label& what = labels_[label];
    if (!returned && what.pure) return;
    entries[operation].label = label;
    by_key = by_key && what.key != none;
  };
  for (std::uint32_t i = 0; i < history.size(); ++i) {
    const HistoryEntry& entry = history[i];
    Begun* begun = first;
    while (begun != last && (begun->process != entry.process || begun->number != entry.number)) ++begun;
    if (entry.invocation) {
      if (begun != last) return false;
      entries[i] = {i, none};
      *last++ = {entry.process, entry.number, i};
      continue;
    }
    if (begun == last) return false;
    const std::uint32_t operation = begun->operation;
    *begun = *--last;
    const bool returned = entry.how == Completion::ok;
    if (returned && entry.type != nullptr && entry.value == 0) return false;
    const std::uint32_t ended = label(history[operation], returned ? entry : any_result);
    if (ended == none) return false;
    entries[i] = {operation, returned ? ended : none};
    if (returned || entry.how == Completion::unknown) follow(operation, ended, returned);
  }
  for (const Begun* begun = first; begun != last; ++begun) {
    const std::uint32_t open = label(history[begun->operation], any_result);
    if (open == none) return false;
    follow(begun->operation, open, false);
  }
  by_key_ = by_key;
  return true;
}

inline void LinearizableFilter::note_open(Lane& lane, std::uint32_t entry, std::size_t place) {
  if (place == lane.open.size()) {
    lane.open.add() = entry;
    return;
  }
  // Those behind it move up: so few that nobody is called for it.
  std::uint32_t moved = lane.open.back();
  for (std::size_t k = lane.open.size() - 1; k > place; --k) std::swap(moved, lane.open[k - 1]);
  lane.open.pop_back();
}

bool LinearizableFilter::replay(std::span<const Entry> entries) {
  const bool remember = is_worth_remembering();
  const bool by_key = by_key_;
  const Label* const labels = labels_.data();
  while (lanes_used_ > 0) key_lane_[lanes_[--lanes_used_].key] = none;
  situations_met_ += entries.size();
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    const Entry entry = entries[i];
    if (entry.label == none) continue;
    const std::uint32_t key = by_key ? labels[entry.label].key : 0;
    if (key_lane_[key] == none) [[unlikely]]
      key_lane_[key] = new_lane(key, remember);
    Lane& lane = lanes_[key_lane_[key]];
    std::size_t place = lane.open.size();
    std::uint32_t what = entry.label * 2;
    if (entry.operation != i) {
      place = 0;
      while (place < lane.open.size() && lane.open[place] != entry.operation) ++place;
      GAINSAY_CHECK(place < lane.open.size(), "what returns was invoked");
      what = static_cast<std::uint32_t>(place) * 2 + 1;
    } else if (place == open_max) {
      return false;
    }
    if (!remember) {
      if (!take(lane, i, place)) return false;
      continue;
    }
    if (const std::uint32_t* known = situation_after_.find(pair_key(lane.at, what))) [[likely]] {
      lane.at = *known;
      note_open(lane, i, place);
    } else {
      lane.at = new_situation_after(lane, i, place, what);
    }
    if (lane.at == none) return false;
  }
  return true;
}

// One for this key, where nothing has happened.
std::uint32_t LinearizableFilter::new_lane(std::uint32_t key, bool remember) {
  if (lanes_used_ == lanes_.size()) lanes_.emplace_back();
  Lane& lane = lanes_[lanes_used_];
  lane.key = key;
  lane.at = remember ? 0 : none;
  lane.open.clear();
  if (!remember) lane.configurations.assign(1, Configuration{});
  return lanes_used_++;
}

// What the entry leads to from where the lane is; `none`: nothing explains it, or too much could.
std::uint32_t LinearizableFilter::new_situation_after(Lane& lane, std::uint32_t entry, std::size_t place,
                                                      std::uint32_t what) {
  ++situations_new_;
  lane.configurations = situations_[lane.at].configurations;
  const std::uint32_t reached = take(lane, entry, place) ? situation(lane) : none;
  situation_after_.add(pair_key(lane.at, what), reached);
  return reached;
}

// The number of the lane's present one.
std::uint32_t LinearizableFilter::situation(const Lane& lane) {
  const auto is_open = [&](std::uint32_t label, std::uint32_t operation) {
    return label == entries_[operation].label;
  };
  Hasher hasher(lane.open.size());
  for (const std::uint32_t operation : lane.open) hasher.add(entries_[operation].label);
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
  for (const std::uint32_t operation : lane.open) one.open.push_back(entries_[operation].label);
  one.configurations = lane.configurations;
  one.next = fresh ? none : std::exchange(found->second, added);
  situations_size_ += 1 + one.open.size() + one.configurations.size();
  return added;
}

bool LinearizableFilter::take(Lane& lane, std::uint32_t entry, std::size_t place) {
  if (place < lane.open.size() && !take_return(lane, place)) return false;
  note_open(lane, entry, place);
  return true;
}

void LinearizableFilter::look_at_open(Lane& lane) const {
  lane.open_on_all = false;
  lane.open_resetting = false;
  for (const std::uint32_t operation : lane.open) {
    const Given& op = given_[labels_[entries_[operation].label].op];
    lane.open_on_all = lane.open_on_all || op.key == none;
    lane.open_resetting = lane.open_resetting || op.resets;
  }
}

// Whether two open operations concern different keys, with nothing open that could be between them.
bool LinearizableFilter::is_apart(const Lane& lane, std::size_t place, std::size_t other) const {
  return !lane.open_on_all &&
         labels_[entries_[lane.open[place]].label].key != labels_[entries_[lane.open[other]].label].key;
}

// Whether nothing that is open leads from here to a state in which the operation says what it said.
bool LinearizableFilter::is_hopeless(const Lane& lane, const Configuration& from, std::size_t place) const {
  const Label& returning = labels_[entries_[lane.open[place]].label];
  if (types_.spec->may_reach == nullptr || lane.open_resetting || returning.result == none) return false;
  return !types_.spec->may_reach(states_[from.state].data(), given_[returning.op].op.data(),
                                 given_[returning.result].result.data());
}

// The operation at `place` returns: it has taken effect, or it does so now, after any others that may come before it.
bool LinearizableFilter::take_return(Lane& lane, std::size_t place) {
  const std::uint64_t mine = std::uint64_t{1} << place;
  const std::uint64_t before = mine - 1;
  look_at_open(lane);
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
      const std::uint32_t state = after(from.state, entries_[lane.open[k]].label);
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
