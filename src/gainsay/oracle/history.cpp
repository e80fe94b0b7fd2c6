#include "gainsay/oracle/history.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/text.hpp"

namespace gainsay {
namespace {

std::string at(const std::string& source) { return source.empty() ? std::string{} : source + ": "; }

std::string seen_at(const Operation& operation) {
  return operation.source.empty() ? fmt::format("at position {}", operation.invoked)
                                  : "at " + operation.source;
}

}  // namespace

std::uint32_t History::process_index(std::string_view name) {
  const auto known = process_by_name_.find(name);
  if (known != process_by_name_.end()) return known->second;
  const auto index = static_cast<std::uint32_t>(processes_.size());
  processes_.emplace_back(name);
  process_by_name_.emplace(std::string(name), index);
  open_.emplace_back();
  clients_.push_back(index);
  return index;
}

std::uint64_t History::tick(const Where& where) {
  if (where.time_ns) {
    if (last_ns_ && *where.time_ns < *last_ns_) {
      throw HistoryError(fmt::format(
          "{}the clock goes back, from {} ns to {} ns; events must be in the order in which they happened",
          at(where.source), *last_ns_, *where.time_ns));
    }
    last_ns_ = where.time_ns;
  }
  return positions_++;
}

std::size_t History::invoke(std::string_view process, AnyValue op, Where where) {
  GAINSAY_CHECK(op.has_value(), "an invocation says what is asked");
  const std::uint32_t index = process_index(process);
  if (open_[index]) {
    const Operation& earlier = operations_[*open_[index]];
    throw HistoryError(
        fmt::format("{}process {} invokes again while its operation {} has not returned; a process does one "
                    "operation at a time (end that one with ok, fail or info first)",
                    at(where.source), process, seen_at(earlier)));
  }
  if (where.id) {
    const auto known = by_id_.find(*where.id);
    if (known != by_id_.end()) {
      throw HistoryError(fmt::format("{}the id {} is already that of the operation {}; ids must be unique",
                                     at(where.source), *where.id, seen_at(operations_[known->second])));
    }
  }
  Operation operation;
  operation.invoked = tick(where);
  operation.process = index;
  operation.id = where.id.value_or(operations_.size());
  operation.invoked_ns = where.time_ns;
  operation.source = std::move(where.source);
  operation.op = std::move(op);
  if (where.id) by_id_.emplace(*where.id, operations_.size());
  open_[index] = operations_.size();
  operations_.push_back(std::move(operation));
  return operations_.size() - 1;
}

Operation& History::close(std::string_view process, std::string_view how, const Where& where) {
  const auto known = process_by_name_.find(process);
  if (known == process_by_name_.end() || !open_[known->second]) {
    throw HistoryError(
        fmt::format("{}process {} has {} without an invocation before it; every return "
                    "belongs to an operation of the same process that is still open",
                    at(where.source), process, how));
  }
  Operation& operation = operations_[*open_[known->second]];
  if (where.id && *where.id != operation.id) {
    throw HistoryError(
        fmt::format("{}process {} returns from operation {}, but its open operation is {} ({})",
                    at(where.source), process, *where.id, operation.id, seen_at(operation)));
  }
  const std::uint64_t position = tick(where);
  open_[known->second].reset();
  operation.returned = position;
  operation.returned_ns = where.time_ns;
  return operation;
}

void History::ok(std::string_view process, AnyValue result, const Where& where) {
  Operation& operation = close(process, "a return (ok)", where);
  operation.status = OperationStatus::ok;
  operation.result = std::move(result);
}

void History::fail(std::string_view process, AnyValue result, const Where& where) {
  Operation& operation = close(process, "a failure (fail)", where);
  operation.status = OperationStatus::fail;
  operation.result = std::move(result);
}

void History::info(std::string_view process, const Where& where) {
  Operation& operation = close(process, "an unknown outcome (info)", where);
  operation.status = OperationStatus::info;
  operation.returned = never;
}

bool History::is_open(std::string_view process) const {
  const auto known = process_by_name_.find(process);
  return known != process_by_name_.end() && open_[known->second].has_value();
}

void History::belongs_to(std::string_view process, std::string_view client) {
  const std::uint32_t first = process_index(client);
  clients_[process_index(process)] = clients_[first];
}

History History::from_intervals(std::vector<std::string> processes, std::vector<Operation> operations) {
  struct Moment {
    std::int64_t time_ns;
    bool is_return;
    std::size_t operation;
  };
  std::vector<Moment> events;
  std::map<std::uint64_t, std::size_t> ids;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    Operation& each = operations[i];
    const std::string place = each.source.empty() ? fmt::format("operation {}: ", i) : at(each.source);
    if (each.process >= processes.size()) throw HistoryError(place + "its process is not among those listed");
    if (!each.invoked_ns) throw HistoryError(place + "the time of its invocation is missing");
    if (each.status != OperationStatus::info && !each.returned_ns)
      throw HistoryError(place + "the time of its return is missing; only info operations have none");
    if (each.returned_ns && *each.returned_ns < *each.invoked_ns) {
      throw HistoryError(
          fmt::format("{}it returns at {} ns, before its invocation at {} ns: the clock goes back", place,
                      *each.returned_ns, *each.invoked_ns));
    }
    if (each.id != 0 && !ids.emplace(each.id, i).second)
      throw HistoryError(fmt::format("{}the id {} is used twice; ids must be unique", place, each.id));
    GAINSAY_CHECK(each.op.has_value(), "an invocation says what is asked");
    events.push_back({*each.invoked_ns, false, i});
    if (each.status != OperationStatus::info) events.push_back({*each.returned_ns, true, i});
  }
  std::stable_sort(events.begin(), events.end(), [](const Moment& a, const Moment& b) {
    return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.is_return < b.is_return;
  });
  History history;
  history.processes_ = std::move(processes);
  for (std::uint32_t i = 0; i < history.processes_.size(); ++i)
    history.process_by_name_.emplace(history.processes_[i], i);
  history.open_.resize(history.processes_.size());
  for (std::uint32_t i = 0; i < history.processes_.size(); ++i) history.clients_.push_back(i);
  std::vector<std::size_t> place_of(operations.size());
  std::vector<std::int64_t> busy_until(history.processes_.size(), std::numeric_limits<std::int64_t>::min());
  for (const Moment& event : events) {
    Operation& each = operations[event.operation];
    if (event.is_return) {
      history.operations_[place_of[event.operation]].returned = history.positions_++;
      continue;
    }
    if (*each.invoked_ns < busy_until[each.process]) {
      throw HistoryError(
          fmt::format("{}process {} invokes again before its earlier operation has returned; a "
                      "process does one operation at a time",
                      at(each.source), history.processes_[each.process]));
    }
    busy_until[each.process] =
        each.status == OperationStatus::info ? *each.invoked_ns : each.returned_ns.value_or(*each.invoked_ns);
    each.invoked = history.positions_++;
    each.returned = never;
    if (each.id == 0) {
      each.id = history.operations_.size() + 1;
      while (!ids.emplace(each.id, event.operation).second) ++each.id;
    }
    place_of[event.operation] = history.operations_.size();
    history.operations_.push_back(std::move(each));
  }
  for (std::size_t i = 0; i < history.operations_.size(); ++i)
    history.by_id_.emplace(history.operations_[i].id, i);
  return history;
}

History History::restricted_to(const std::vector<std::size_t>& kept) const {
  History smaller;
  smaller.processes_ = processes_;
  smaller.process_by_name_ = process_by_name_;
  smaller.open_.resize(processes_.size());
  smaller.clients_ = clients_;
  smaller.positions_ = positions_;
  smaller.last_ns_ = last_ns_;
  for (const std::size_t index : kept) {
    GAINSAY_CHECK(index < operations_.size(), "an operation of this history");
    smaller.operations_.push_back(operations_[index]);
  }
  return smaller;
}

History History::with_values(std::vector<std::pair<AnyValue, AnyValue>> values) const {
  GAINSAY_CHECK(values.size() == operations_.size(), "one pair for each operation");
  std::vector<std::size_t> all(operations_.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  History other = restricted_to(all);
  for (std::size_t i = 0; i < values.size(); ++i) {
    other.operations_[i].op = std::move(values[i].first);
    other.operations_[i].result = std::move(values[i].second);
  }
  return other;
}

void History::forget_outcome(std::size_t index) {
  GAINSAY_CHECK(index < operations_.size(), "an operation of this history");
  operations_[index].status = OperationStatus::info;
  operations_[index].returned = never;
  operations_[index].result = AnyValue{};
}

}  // namespace gainsay
