#include "gainsay/oracle/linearizable/states.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"

namespace gainsay::linearizable {
namespace {

constexpr std::uint64_t computed_twice_first = 64;  // then one of so many:
constexpr std::uint64_t computed_twice_each = 32;
constexpr std::uint64_t deque_bytes = 576;  // what a queue's state owns even when it is empty

// For specifications that take long.
StopToken stop_token(const Budget& budget) {
  if (!budget.has_deadline() && !budget.may_be_called_off()) return {};
  return StopToken([budget] { return budget.is_over(); });
}

}  // namespace

StateSpace::StateSpace(const SpecType& spec, const AnyValue& initial, const Budget& budget)
    : spec_(spec), stop_(stop_token(budget)), may_stop_(budget.has_deadline()) {
  GAINSAY_CHECK(&initial.type() == spec.state, "the initial state belongs to the specification");
  const std::uint32_t first = intern(initial.data());
  initial_ = spec_.deterministic ? first : intern_set({first});
}

std::uint32_t StateSpace::op_class(const AnyValue& op, const AnyValue& result) {
  GAINSAY_CHECK(transitions_ == nullptr, "classes come before steps");
  GAINSAY_CHECK(&op.type() == spec_.op, "the operation belongs to the specification");
  GAINSAY_CHECK(!result.has_value() || &result.type() == spec_.result, "so does its result");
  const std::uint64_t hash =
      mix(spec_.op->hash(op.data()), result.has_value() ? spec_.result->hash(result.data()) : 0);
  for (const std::uint32_t each : classes_by_hash_[hash]) {
    const Class& known = classes_[each];
    if (known.result.has_value() == result.has_value() && spec_.op->equal(known.op.data(), op.data()) &&
        (!result.has_value() || spec_.result->equal(known.result.data(), result.data()))) {
      return each;
    }
  }
  const auto index = static_cast<std::uint32_t>(classes_.size());
  classes_by_hash_[hash].push_back(index);
  Class added{op, result};
  added.pure = spec_.pure(op.data(), added.result_data());
  added.resets = spec_.resets != nullptr && spec_.resets(op.data());
  classes_.push_back(std::move(added));
  return index;
}

void StateSpace::start() {
  const auto classes = static_cast<std::uint32_t>(classes_.size());
  transitions_ = std::make_unique<PairTable>(classes);
  reachable_ = std::make_unique<PairTable>(classes);
}

std::uint32_t StateSpace::intern(const void* value) {
  std::vector<std::uint32_t>& same = values_by_hash_[spec_.state->hash(value)];
  for (const std::uint32_t each : same) {
    if (spec_.state->equal(values_[each].data(), value)) return each;
  }
  const auto index = static_cast<std::uint32_t>(values_.size());
  same.push_back(index);
  values_.emplace_back(*spec_.state, value);
  value_bytes_ += spec_.state->size + spec_.state->heap_bytes(value) + sizeof(AnyValue) + 48 +
                  (spec_.shape == Shape::queue ? deque_bytes : 0);
  return index;
}

std::uint32_t StateSpace::intern_set(Set set) {
  Hasher hasher;
  for (const std::uint32_t each : set) hasher.add(each);
  std::vector<std::uint32_t>& same = sets_by_hash_[hasher.finish()];
  for (const std::uint32_t each : same) {
    if (sets_[each] == set) return each;
  }
  const auto index = static_cast<std::uint32_t>(sets_.size());
  same.push_back(index);
  value_bytes_ += set.size() * 4 + sizeof(Set) + 48;
  sets_.push_back(std::move(set));
  return index;
}

StateSpace::Set StateSpace::members(std::uint32_t state) const {
  return spec_.deterministic ? Set{state} : sets_[state];
}

StateSpace::Set StateSpace::successors(std::uint32_t state, std::uint32_t cls) {
  Set after;
  for (const std::uint32_t each : members(state)) {
    // The value may move while its successors are interned: a copy of it is what the specification sees.
    const AnyValue before = values_[each];
    spec_.step(before.data(), classes_[cls].op.data(), classes_[cls].result_data(), stop_,
               [&](const void* next) { after.push_back(intern(next)); });
  }
  std::sort(after.begin(), after.end());
  after.erase(std::unique(after.begin(), after.end()), after.end());
  return after;
}

std::uint32_t StateSpace::compute(std::uint32_t state, std::uint32_t cls) {
  ++computed_;
  const Set after = successors(state, cls);
  if (may_stop_ && stop_.stopped()) {
    broken_ = true;
    return refused;
  }
  if (computed_ <= computed_twice_first || computed_ % computed_twice_each == 0) {
    const Set again = successors(state, cls);
    if (again != after && !(may_stop_ && stop_.stopped())) {
      broken_ = true;
      impure_because_ =
          "the model is not a function: " + spec_.text(classes_[cls].op.data(), classes_[cls].result_data()) +
          " in state " + text(state) + " gave different answers when asked twice";
      return refused;
    }
  }
  std::uint32_t next = refused;
  if (!after.empty()) next = spec_.deterministic ? after.front() : intern_set(after);
  transitions_->set(state, cls, next);
  return next;
}

std::optional<bool> StateSpace::fits(std::uint32_t state, std::uint32_t cls) {
  if (!broken_) step(state, cls);
  const std::uint32_t known = transitions_->get(state, cls);
  if (known == PairTable::unset) return std::nullopt;
  return known != refused;
}

bool StateSpace::may_reach(std::uint32_t state, std::uint32_t cls) {
  GAINSAY_CHECK(spec_.may_reach != nullptr && classes_[cls].result.has_value(),
                "there is something to reach");
  std::uint32_t known = reachable_->get(state, cls);
  if (known == PairTable::unset) {
    known = 0;
    for (const std::uint32_t each : members(state)) {
      if (spec_.may_reach(values_[each].data(), classes_[cls].op.data(), classes_[cls].result_data()))
        known = 1;
    }
    reachable_->set(state, cls, known);
  }
  return known != 0;
}

std::string StateSpace::text(std::uint32_t state) const {
  std::string all;
  for (const std::uint32_t each : members(state))
    all += (all.empty() ? "" : " or ") + spec_.state_text(values_[each].data());
  return all;
}

std::string StateSpace::reason(std::uint32_t state, std::uint32_t cls) const {
  if (!classes_[cls].result.has_value())
    return spec_.text(classes_[cls].op.data(), nullptr) + " is not allowed here";
  std::string all;
  for (const std::uint32_t each : members(state)) {
    all += (all.empty() ? "" : "; or ") +
           spec_.reason(values_[each].data(), classes_[cls].op.data(), classes_[cls].result.data(), stop_);
  }
  return all;
}

std::uint64_t StateSpace::bytes() const {
  std::uint64_t all = value_bytes_ + classes_.size() * 128;
  if (transitions_ != nullptr) all += transitions_->bytes() + reachable_->bytes();
  return all;
}

}  // namespace gainsay::linearizable
