// Random histories of a specification, and the dumb twin of the checker.
//
// A history is made by really executing a copy of the object at a random moment between invocation and return, and
// then, sometimes, telling a lie: another result. So about half of them are linearizable.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/base/rng.hpp"
#include "gainsay/oracle/linearizability.hpp"
#include "gainsay/oracle/specs/collections.hpp"
#include "gainsay/oracle/specs/counter.hpp"
#include "gainsay/oracle/specs/kv.hpp"
#include "gainsay/oracle/specs/log.hpp"
#include "gainsay/oracle/specs/multi_register.hpp"
#include "gainsay/oracle/specs/mutex.hpp"
#include "gainsay/oracle/specs/register.hpp"
#include "gainsay/oracle/specs/set.hpp"

namespace gainsay::testing {

struct HistoryShape {
  std::size_t operations = 7;
  std::size_t processes = 3;
  std::uint64_t crash_percent = 15;  // ends as info, or never
  std::uint64_t lie_percent = 14;    // of the results
  std::uint64_t forget_percent = 5;  // returned with an unknown result
};

// What a specification needs to be tried: operations to draw, and results to lie with.
template <class S> struct Play {
  std::function<typename S::Op(Rng&, std::size_t serial)> op;
  std::function<typename S::Result(Rng&, const typename S::Op&, const typename S::Result& truth)> lie;
  S initial{};
};

template <class S> History random_history(Rng& rng, const Play<S>& play, const HistoryShape& shape) {
  struct Running {
    typename S::Op op;
    std::optional<typename S::Result> result;  // once it has taken effect
  };
  History history;
  S object = play.initial;
  std::vector<std::optional<Running>> running(shape.processes);
  std::vector<std::string> names;
  for (std::size_t p = 0; p < shape.processes; ++p) names.push_back("p" + std::to_string(p));
  std::size_t invoked = 0;
  std::size_t idle_left = shape.operations * 40 + 100;
  while (idle_left-- > 0) {
    const std::size_t p = rng.below(shape.processes);
    if (!running[p]) {
      if (invoked == shape.operations) continue;
      running[p] = Running{play.op(rng, invoked++), std::nullopt};
      history.invoke(names[p], running[p]->op);
      continue;
    }
    if (!running[p]->result && rng.chance(1, 2)) {
      if constexpr (requires { object.apply(running[p]->op); }) {
        running[p]->result = object.apply(running[p]->op);
      } else {
        const auto outcomes = object.outcomes(running[p]->op);
        const auto& taken = outcomes[rng.below(outcomes.size())];
        running[p]->result = taken.first;
        object = S(taken.second);
      }
      continue;
    }
    if (rng.below(100) < shape.crash_percent) {
      history.info(names[p]);
      running[p].reset();
      continue;
    }
    if (!running[p]->result || rng.chance(1, 3)) continue;
    if (rng.below(100) < shape.forget_percent) {
      history.ok_unknown(names[p]);
    } else if (rng.below(100) < shape.lie_percent) {
      history.ok(names[p], play.lie(rng, running[p]->op, *running[p]->result));
    } else {
      history.ok(names[p], *running[p]->result);
    }
    running[p].reset();
  }
  return history;
}

// Tries every order, one after the other. `by_process`: sequential consistency.
class Twin {
 public:
  Twin(const History& history, const SpecType& spec, const AnyValue& initial, bool by_process = false)
      : history_(history), spec_(spec), by_process_(by_process), placed_(history.size(), false) {
    for (const Operation& each : history.operations()) left_ += each.status == OperationStatus::ok ? 1 : 0;
    ok_ = try_from(initial);
  }
  bool ok() const { return ok_; }

 private:
  bool may_come(std::size_t index) const {
    for (std::size_t i = 0; i < history_.size(); ++i) {
      const Operation& other = history_[i];
      if (placed_[i] || other.status != OperationStatus::ok || i == index) continue;
      if (by_process_ ? other.process == history_[index].process && i < index
                      : other.returned < history_[index].invoked)
        return false;
    }
    return true;
  }
  bool try_from(const AnyValue& state) {
    if (left_ == 0) return true;
    for (std::size_t i = 0; i < history_.size(); ++i) {
      const Operation& each = history_[i];
      if (placed_[i] || each.status == OperationStatus::fail || !may_come(i)) continue;
      const bool is_ok = each.status == OperationStatus::ok;
      std::vector<AnyValue> next;
      spec_.step(state.data(), each.op.data(),
                 is_ok && each.result.has_value() ? each.result.data() : nullptr, StopToken{},
                 [&](const void* after) { next.emplace_back(*spec_.state, after); });
      placed_[i] = true;
      left_ -= is_ok ? 1 : 0;
      for (const AnyValue& after : next) {
        if (try_from(after)) return true;
      }
      placed_[i] = false;
      left_ += is_ok ? 1 : 0;
    }
    return false;
  }

  const History& history_;
  const SpecType& spec_;
  bool by_process_;
  std::vector<bool> placed_;
  std::size_t left_ = 0;
  bool ok_ = false;
};

// Whether the order is a linearization: written apart from the checker's own test of its fast paths.
inline std::string fault_of(const History& history, const SpecType& spec, const AnyValue& initial,
                            const std::vector<std::size_t>& order, bool by_process = false) {
  std::vector<std::size_t> position(history.size(), order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (position[order[i]] != order.size()) return "an operation twice";
    position[order[i]] = i;
  }
  std::vector<AnyValue> states{initial};
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (history[i].status == OperationStatus::ok && position[i] == order.size())
      return "an operation is missing";
  }
  for (const std::size_t a : order) {
    if (history[a].status == OperationStatus::fail) return "a failed operation";
    for (const std::size_t b : order) {
      const bool before = by_process ? history[a].process == history[b].process && a < b &&
                                           history[a].status == OperationStatus::ok
                                     : history[a].returned < history[b].invoked;
      if (before && position[a] > position[b]) return "real time is not respected";
    }
    std::vector<AnyValue> next;
    const bool is_known = history[a].status == OperationStatus::ok && history[a].result.has_value();
    for (const AnyValue& state : states) {
      spec.step(state.data(), history[a].op.data(), is_known ? history[a].result.data() : nullptr,
                StopToken{}, [&](const void* after) { next.emplace_back(*spec.state, after); });
    }
    if (next.empty()) return "the specification refuses an operation";
    states = std::move(next);
  }
  return "";
}

inline std::string text_of(const History& history, const SpecType& spec) {
  std::string all;
  for (const Operation& each : history.operations()) {
    all += history.process_name(each) + " [" + std::to_string(each.invoked) + ", " +
           (each.returned == never ? "-" : std::to_string(each.returned)) + "] " +
           spec.text(each.op.data(), each.result.has_value() ? each.result.data() : nullptr) + "\n";
  }
  return all;
}

// --- how to play each ready-made specification; few values, so that they collide ---------------------------------

inline Play<specs::Register<int>> play_register(std::int64_t values) {
  using S = specs::Register<int>;
  return {[values](Rng& rng, std::size_t serial) -> S::Op {
            if (rng.chance(1, 2)) return S::Read{};
            return S::Write{values > 0 ? static_cast<int>(rng.below(static_cast<std::uint64_t>(values)))
                                       : static_cast<int>(serial) + 1};
          },
          [values](Rng& rng, const S::Op&, const S::Result& truth) -> S::Result {
            if (truth.index() == 0) return truth;
            return S::Result(
                std::in_place_index<1>,
                static_cast<int>(rng.below(values > 0 ? static_cast<std::uint64_t>(values) : 8)));
          },
          {}};
}

inline Play<specs::CasRegister<int>> play_cas() {
  using S = specs::CasRegister<int>;
  return {[](Rng& rng, std::size_t) -> S::Op {
            const auto value = [&] { return static_cast<int>(rng.below(3)); };
            switch (rng.below(3)) {
              case 0:
                return S::Read{};
              case 1:
                return S::Write{value()};
              default:
                return S::Cas{value(), value()};
            }
          },
          [](Rng& rng, const S::Op&, const S::Result& truth) -> S::Result {
            if (truth.index() == 0) return truth;
            if (truth.index() == 2) return S::Result(std::in_place_index<2>, !std::get<2>(truth));
            return S::Result(std::in_place_index<1>, static_cast<int>(rng.below(3)));
          },
          {}};
}

inline Play<specs::Kv<int, std::string>> play_kv(std::uint64_t keys, std::uint64_t put_percent) {
  using S = specs::Kv<int, std::string>;
  return {[=](Rng& rng, std::size_t serial) -> S::Op {
            const auto key = static_cast<int>(rng.below(keys));
            const std::string token(1,
                                    static_cast<char>('a' + (put_percent > 40 ? rng.below(2) : serial % 26)));
            if (rng.below(100) < put_percent) {
              if (rng.chance(1, 4)) return S::Remove{key};
              if (rng.chance(1, 4)) return S::Cas{key, "a", "b"};
              return S::Put{key, token};
            }
            if (rng.chance(1, 2)) return S::Get{key};
            return S::Append{key, token};
          },
          [](Rng& rng, const S::Op&, const S::Result& truth) -> S::Result {
            if (truth.index() == 0) return truth;
            if (truth.index() == 2) return S::Result(std::in_place_index<2>, !std::get<2>(truth));
            std::string lie = std::get<1>(truth);
            if (lie.empty() || rng.chance(1, 2)) {
              lie += static_cast<char>('a' + rng.below(3));
            } else {
              lie.pop_back();
            }
            return S::Result(std::in_place_index<1>, lie);
          },
          {}};
}

inline Play<specs::MultiRegister<int, int>> play_multi() {
  using S = specs::MultiRegister<int, int>;
  return {[](Rng& rng, std::size_t) -> S::Op {
            S::Op op;
            const std::size_t size = 1 + rng.below(2);
            for (std::size_t i = 0; i < size; ++i) {
              op.push_back({static_cast<int>(rng.below(3)), std::nullopt});
              if (rng.chance(1, 2)) op.back().write = static_cast<int>(rng.below(3));
            }
            return op;
          },
          [](Rng& rng, const S::Op&, const S::Result& truth) -> S::Result {
            S::Result lie = truth;
            if (!lie.empty()) {
              std::optional<int>& one = lie[rng.below(lie.size())];
              if (rng.chance(1, 3)) {
                one.reset();
              } else {
                one = static_cast<int>(rng.below(3));
              }
            }
            return lie;
          },
          {}};
}

inline Play<specs::Mutex> play_mutex() {
  using S = specs::Mutex;
  return {[](Rng& rng, std::size_t) -> S::Op {
            if (rng.chance(1, 2)) return S::Acquire{};
            return S::Release{};
          },
          [](Rng&, const S::Op&, const bool& truth) { return !truth; },
          {}};
}

inline Play<specs::Set<int>> play_set(std::uint64_t values, bool reads) {
  using S = specs::Set<int>;
  return {[=](Rng& rng, std::size_t) -> S::Op {
            const auto value = static_cast<int>(rng.below(values));
            switch (rng.below(reads ? 4 : 3)) {
              case 0:
                return S::Add{value};
              case 1:
                return S::Remove{value};
              case 2:
                return S::Contains{value};
              default:
                return S::Read{};
            }
          },
          [=](Rng& rng, const S::Op&, const S::Result& truth) -> S::Result {
            if (const bool* said = std::get_if<bool>(&truth)) return !*said;
            std::set<int> lie = std::get<1>(truth);
            const auto value = static_cast<int>(rng.below(values));
            if (lie.erase(value) == 0) lie.insert(value);
            return lie;
          },
          {}};
}

// `values` 0: no value twice.
template <class S, class Insert, class Remove> Play<S> play_collection(std::uint64_t values) {
  return {[=](Rng& rng, std::size_t serial) -> typename S::Op {
            if (rng.chance(1, 2)) return Remove{};
            return Insert{values == 0 ? static_cast<int>((serial * 7) % 31 + 31 * (serial / 31))
                                      : static_cast<int>(rng.below(values))};
          },
          [=](Rng& rng, const typename S::Op& op, const typename S::Result&) -> typename S::Result {
            if (std::holds_alternative<Insert>(op) || rng.chance(1, 3)) return std::nullopt;
            return static_cast<int>(values == 0 ? (rng.below(8) * 7) % 31 : rng.below(values));
          },
          {}};
}
inline auto play_queue(std::uint64_t values) {
  using S = specs::Queue<int>;
  return play_collection<S, S::Enqueue, S::Dequeue>(values);
}
inline auto play_stack(std::uint64_t values) {
  using S = specs::Stack<int>;
  return play_collection<S, S::Push, S::Pop>(values);
}
inline auto play_priority_queue(std::uint64_t values) {
  using S = specs::PriorityQueue<int>;
  return play_collection<S, S::Insert, S::Remove>(values);
}
inline auto play_priority_queue_max(std::uint64_t values) {
  using S = specs::PriorityQueue<int, true>;
  return play_collection<S, S::Insert, S::Remove>(values);
}

inline Play<specs::Counter> play_counter() {
  using S = specs::Counter;
  return {[](Rng& rng, std::size_t) -> S::Op {
            switch (rng.below(4)) {
              case 0:
                return S::Add{static_cast<std::int64_t>(rng.below(3))};
              case 1:
                return S::Add{-1};
              case 2:
                return S::AddAndGet{static_cast<std::int64_t>(rng.below(3))};
              default:
                return S::Read{};
            }
          },
          [](Rng& rng, const S::Op&, const S::Result& truth) -> S::Result {
            return truth ? S::Result(static_cast<std::int64_t>(rng.below(5))) : truth;
          },
          {}};
}

inline Play<specs::Log<int>> play_log() {
  using S = specs::Log<int>;
  return {[](Rng& rng, std::size_t serial) -> S::Op {
            switch (rng.below(4)) {
              case 0:
                return S::ReadAt{static_cast<std::int64_t>(rng.below(3))};
              case 1:
                return S::Read{};
              default:
                return S::Append{static_cast<int>(serial % 3)};
            }
          },
          [](Rng& rng, const S::Op&, const S::Result& truth) -> S::Result {
            if (truth.index() == 0)
              return S::Result(std::in_place_index<0>, static_cast<std::int64_t>(rng.below(4)));
            if (truth.index() == 1) return S::Result(std::in_place_index<1>, static_cast<int>(rng.below(3)));
            std::vector<int> lie = std::get<2>(truth);
            if (lie.empty() || rng.chance(1, 2)) {
              lie.push_back(static_cast<int>(rng.below(3)));
            } else {
              lie.pop_back();
            }
            return S::Result(std::in_place_index<2>, lie);
          },
          {}};
}

// A set of numbers that gives back any of them: what it says is not determined.
struct Bag {
  struct Put {
    int value;
  };
  struct Take {};
  using Op = std::variant<Put, Take>;
  using Result = std::optional<int>;

  std::vector<int> content;  // ascending

  std::vector<std::pair<Result, Bag>> outcomes(const Op& op) const {
    std::vector<std::pair<Result, Bag>> all;
    if (const auto* put = std::get_if<Put>(&op)) {
      Bag after = *this;
      after.content.insert(std::upper_bound(after.content.begin(), after.content.end(), put->value),
                           put->value);
      all.emplace_back(std::nullopt, after);
      return all;
    }
    for (std::size_t i = 0; i < content.size(); ++i) {
      Bag after = *this;
      after.content.erase(after.content.begin() + static_cast<std::ptrdiff_t>(i));
      all.emplace_back(content[i], after);
    }
    if (content.empty()) all.emplace_back(std::nullopt, *this);
    return all;
  }
};

inline Play<Bag> play_bag() {
  return {[](Rng& rng, std::size_t) -> Bag::Op {
            if (rng.chance(1, 2)) return Bag::Take{};
            return Bag::Put{static_cast<int>(rng.below(3))};
          },
          [](Rng& rng, const Bag::Op& op, const Bag::Result&) -> Bag::Result {
            if (std::holds_alternative<Bag::Put>(op) || rng.chance(1, 3)) return std::nullopt;
            return static_cast<int>(rng.below(3));
          },
          {}};
}

}  // namespace gainsay::testing
