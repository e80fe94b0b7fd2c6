// The baseline of bench_linearizability: Wing, Gong and Lowe's search as one writes it in an afternoon.
//
// Events in a linked list, a set of (bits of what is placed, state) that have been seen, states copied and compared as
// values. Objects are judged apart, so that only the searches are compared. Operations of unknown outcome return at
// the end with an unknown result, which is the usual way out.
#pragma once

#include <algorithm>
#include <ctime>
#include <optional>
#include <unordered_map>
#include <vector>

#include "gainsay/oracle/linearizable/partition.hpp"

namespace gainsay::baseline {

struct Outcome {
  Verdict verdict = Verdict::unknown;
  std::uint64_t steps = 0;
};

class Wgl {
 public:
  Wgl(const History& history, const linearizable::Part& part, const SpecType& spec, const AnyValue& initial)
      : history_(history), spec_(spec), state_(initial), part_(part) {
    struct Event {
      std::uint64_t at;
      std::uint32_t operation;
      bool is_return;
    };
    std::vector<Event> events;
    std::uint64_t end = history.positions();
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      const Operation& each = history[part[i]];
      events.push_back({each.invoked, i, false});
      events.push_back({each.returned == never ? end++ : each.returned, i, true});
    }
    std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.at < b.at; });
    nodes_.resize(events.size() + 1);
    std::vector<std::size_t> call(part.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
      Node& node = nodes_[i + 1];
      node = {events[i].operation, events[i].is_return, 0, i, i + 2 < nodes_.size() + 1 ? i + 2 : 0};
      if (events[i].is_return) nodes_[call[events[i].operation]].match = i + 1;
      if (!events[i].is_return) call[events[i].operation] = i + 1;
    }
    if (!events.empty()) nodes_[events.size()].next = 0;
    nodes_[0].next = events.empty() ? 0 : 1;
    bits_.assign((part.size() + 63) / 64, 0);
  }

  Outcome run(double seconds_max) {
    const std::clock_t end = std::clock() + static_cast<std::clock_t>(seconds_max * CLOCKS_PER_SEC);
    Outcome outcome;
    std::size_t at = nodes_[0].next;
    while (nodes_[0].next != 0) {
      if (outcome.steps % 256 == 0 && std::clock() > end) return outcome;
      if (!nodes_[at].is_return) {
        ++outcome.steps;
        std::optional<AnyValue> next = step(nodes_[at].operation);
        if (next) {
          std::vector<std::uint64_t> bits = bits_;
          bits[nodes_[at].operation / 64] |= std::uint64_t{1} << (nodes_[at].operation % 64);
          if (remember(bits, *next)) {
            calls_.push_back({at, state_});
            state_ = *std::move(next);
            bits_ = std::move(bits);
            lift(at);
            at = nodes_[0].next;
            continue;
          }
        }
        at = nodes_[at].next;
      } else {
        if (calls_.empty()) {
          outcome.verdict = Verdict::violated;
          return outcome;
        }
        at = calls_.back().node;
        state_ = calls_.back().state;
        bits_[nodes_[at].operation / 64] &= ~(std::uint64_t{1} << (nodes_[at].operation % 64));
        calls_.pop_back();
        unlift(at);
        at = nodes_[at].next;
      }
    }
    outcome.verdict = Verdict::ok;
    return outcome;
  }

 private:
  struct Node {
    std::uint32_t operation = 0;
    bool is_return = false;
    std::size_t match = 0;
    std::size_t previous = 0;
    std::size_t next = 0;
  };
  struct Call {
    std::size_t node;
    AnyValue state;
  };

  std::optional<AnyValue> step(std::uint32_t operation) {
    const Operation& each = history_[part_[operation]];
    const bool is_known = each.status == OperationStatus::ok && each.result.has_value();
    std::optional<AnyValue> after;
    spec_.step(state_.data(), each.op.data(), is_known ? each.result.data() : nullptr, StopToken{},
               [&](const void* next) { after = AnyValue(*spec_.state, next); });
    return after;
  }
  bool remember(const std::vector<std::uint64_t>& bits, const AnyValue& state) {
    Hasher hasher;
    for (const std::uint64_t word : bits) hasher.add(word);
    hasher.add(spec_.state->hash(state.data()));
    auto& same = seen_[hasher.finish()];
    for (const auto& each : same) {
      if (each.first == bits && spec_.state->equal(each.second.data(), state.data())) return false;
    }
    same.emplace_back(bits, state);
    return true;
  }
  void lift(std::size_t call) {
    for (const std::size_t node : {call, nodes_[call].match}) {
      nodes_[nodes_[node].previous].next = nodes_[node].next;
      if (nodes_[node].next != 0) nodes_[nodes_[node].next].previous = nodes_[node].previous;
    }
  }
  void unlift(std::size_t call) {
    for (const std::size_t node : {nodes_[call].match, call}) {
      nodes_[nodes_[node].previous].next = node;
      if (nodes_[node].next != 0) nodes_[nodes_[node].next].previous = node;
    }
  }

  const History& history_;
  const SpecType& spec_;
  AnyValue state_;
  const linearizable::Part& part_;
  std::vector<Node> nodes_;
  std::vector<std::uint64_t> bits_;
  std::vector<Call> calls_;
  std::unordered_map<std::uint64_t, std::vector<std::pair<std::vector<std::uint64_t>, AnyValue>>> seen_;
};

inline Outcome check(const History& history, const SpecType& spec, const AnyValue& initial,
                     double seconds_max) {
  Outcome all;
  all.verdict = Verdict::ok;
  for (const linearizable::NamedPart& part : linearizable::partition(history, spec, true)) {
    const Outcome one = Wgl(history, part.operations, spec, initial).run(seconds_max);
    all.steps += one.steps;
    if (one.verdict == Verdict::violated) {
      all.verdict = Verdict::violated;
      return all;
    }
    if (one.verdict == Verdict::unknown) all.verdict = Verdict::unknown;
  }
  return all;
}

}  // namespace gainsay::baseline
