// StateSpace: states and operations of a specification as small numbers, and the transitions between them.
//
// The specification is executed once for each pair of a state and a class of operations (equal operation, equal
// result); searches walk over numbers. A nondeterministic specification becomes deterministic by taking sets of
// states for states. Numbers depend on the order of discovery and are never printed.
//
// A specification must be a function: a sample of the transitions (all of the first ones) is computed twice, and
// where the two differ the space is `broken`. It is broken as well once a step was cut short by the stop token;
// what a broken space said last means nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/base/budget.hpp"
#include "gainsay/base/value_type.hpp"
#include "gainsay/oracle/spec.hpp"

namespace gainsay::linearizable {

inline constexpr std::uint32_t refused = 0xffffffffU;

// A table of numbers by (state, class), filled on demand: rows where there are few classes, else hashed.
class PairTable {
 public:
  static constexpr std::uint32_t unset = 0xfffffffeU;
  explicit PairTable(std::uint32_t classes) : classes_(classes), dense_(classes <= dense_classes_max) {}

  std::uint32_t get(std::uint32_t state, std::uint32_t cls) const {
    if (dense_) {
      const std::size_t at = std::size_t{state} * classes_ + cls;
      return at < rows_.size() ? rows_[at] : unset;
    }
    const auto found = hashed_.find(std::uint64_t{state} << 32U | cls);
    return found == hashed_.end() ? unset : found->second;
  }
  void set(std::uint32_t state, std::uint32_t cls, std::uint32_t value) {
    if (dense_) {
      const std::size_t end = (std::size_t{state} + 1) * classes_;
      if (rows_.size() < end) rows_.resize(end, unset);
      rows_[std::size_t{state} * classes_ + cls] = value;
    } else {
      hashed_[std::uint64_t{state} << 32U | cls] = value;
    }
  }
  std::uint64_t bytes() const { return rows_.capacity() * 4 + hashed_.bucket_count() * 18; }

 private:
  static constexpr std::uint32_t dense_classes_max = 64;

  std::uint32_t classes_;
  bool dense_;
  std::vector<std::uint32_t> rows_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> hashed_;
};

class StateSpace {
 public:
  StateSpace(const SpecType& spec, const AnyValue& initial, const Budget& budget);

  // The class of an operation with its result (empty: not known). All are asked for before start(), which comes
  // before the first step.
  std::uint32_t op_class(const AnyValue& op, const AnyValue& result);
  void start();
  bool pure(std::uint32_t cls) const { return classes_[cls].pure; }
  bool resets(std::uint32_t cls) const { return classes_[cls].resets; }
  bool has_result(std::uint32_t cls) const { return classes_[cls].result.has_value(); }
  bool looks_ahead() const { return spec_.may_reach != nullptr; }

  std::uint32_t initial() const { return initial_; }
  // The state after, or `refused`.
  std::uint32_t step(std::uint32_t state, std::uint32_t cls) {
    ++steps_;
    const std::uint32_t known = transitions_->get(state, cls);
    return known != PairTable::unset ? known : compute(state, cls);
  }
  // Whether the class is allowed in the state; nothing where the space is broken and nobody has asked before.
  std::optional<bool> fits(std::uint32_t state, std::uint32_t cls);
  // Whether operations that do not reset may lead to a state in which this class is allowed.
  bool may_reach(std::uint32_t state, std::uint32_t cls);

  std::string text(std::uint32_t state) const;
  std::string reason(std::uint32_t state, std::uint32_t cls) const;

  std::uint64_t steps() const { return steps_; }
  std::uint64_t bytes() const;
  bool broken() const { return broken_; }
  const std::string& impure_because() const { return impure_because_; }  // empty if it was only stopped
  std::size_t states() const { return spec_.deterministic ? values_.size() : sets_.size(); }

 private:
  struct Class {
    AnyValue op;
    AnyValue result;
    bool pure = false;
    bool resets = false;
    const void* result_data() const { return result.has_value() ? result.data() : nullptr; }
  };
  using Set = std::vector<std::uint32_t>;  // of values, ascending

  std::uint32_t compute(std::uint32_t state, std::uint32_t cls);
  Set successors(std::uint32_t state, std::uint32_t cls);
  std::uint32_t intern(const void* value);
  std::uint32_t intern_set(Set set);
  Set members(std::uint32_t state) const;

  const SpecType& spec_;
  StopToken stop_;
  bool may_stop_;
  std::vector<Class> classes_;
  boost::unordered_flat_map<std::uint64_t, std::vector<std::uint32_t>> classes_by_hash_;
  std::vector<AnyValue> values_;
  boost::unordered_flat_map<std::uint64_t, std::vector<std::uint32_t>> values_by_hash_;
  std::vector<Set> sets_;  // nondeterministic specifications only
  boost::unordered_flat_map<std::uint64_t, std::vector<std::uint32_t>> sets_by_hash_;
  std::unique_ptr<PairTable> transitions_;
  std::unique_ptr<PairTable> reachable_;
  std::uint32_t initial_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t computed_ = 0;
  std::uint64_t value_bytes_ = 0;
  bool broken_ = false;
  std::string impure_because_;
};

}  // namespace gainsay::linearizable
