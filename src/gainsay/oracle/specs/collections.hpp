// Queue (first in, first out), Stack (last in, first out) and PriorityQueue (the least, or the greatest, out):
// insert, and remove, which says what it took or that there was nothing.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "gainsay/oracle/spec.hpp"
#include "gainsay/oracle/specs/common.hpp"

namespace gainsay::specs {

namespace detail {

template <class V> std::string taken_text(const std::optional<V>& taken) {
  return taken ? value_text(*taken) : std::string("empty");
}

template <class Values> std::string content_text(const Values& values) {
  std::string all;
  for (const auto& each : values) all += (all.empty() ? "" : " ") + value_text(each);
  return "[" + all + "]";
}

template <class Insert, class Remove, class V>
Role collection_role(const std::variant<Insert, Remove>& op, const std::optional<V>* result) {
  if (const auto* insert = std::get_if<Insert>(&op)) return {Role::Kind::insert, &insert->value};
  if (result == nullptr) return {Role::Kind::unknown_remove, nullptr};
  if (!*result) return {Role::Kind::remove_nothing, nullptr};
  return {Role::Kind::remove, &**result};
}

}  // namespace detail

template <class V = Datum> struct Queue {
  using Value = V;
  struct Enqueue {
    V value;
  };
  struct Dequeue {};
  using Op = std::variant<Enqueue, Dequeue>;
  using Result = std::optional<V>;  // what was taken; empty also for an enqueue

  std::deque<V> content;  // the oldest first

  Result apply(const Op& op) {
    if (const auto* enqueue = std::get_if<Enqueue>(&op)) {
      content.push_back(enqueue->value);
      return std::nullopt;
    }
    if (content.empty()) return std::nullopt;
    Result taken = content.front();
    content.pop_front();
    return taken;
  }

  static bool pure(const Op& op, const Result* result) {
    return std::holds_alternative<Dequeue>(op) && result != nullptr && !*result;
  }
  static std::string text(const Op& op, const Result* result) {
    if (const auto* enqueue = std::get_if<Enqueue>(&op)) return "enqueue(" + value_text(enqueue->value) + ")";
    return result == nullptr ? "dequeue" : "dequeue -> " + detail::taken_text(*result);
  }
  std::string state_text() const { return detail::content_text(content); }
  std::string reason(const Op& op, const Result& observed) const {
    return text(op, &observed) + ", but the queue holds " + state_text() + ", the oldest first";
  }

  static constexpr Shape shape = Shape::queue;
  static Role role(const Op& op, const Result* result) { return detail::collection_role(op, result); }
};

template <class V = Datum> struct Stack {
  using Value = V;
  struct Push {
    V value;
  };
  struct Pop {};
  using Op = std::variant<Push, Pop>;
  using Result = std::optional<V>;

  std::vector<V> content;  // the newest last

  Result apply(const Op& op) {
    if (const auto* push = std::get_if<Push>(&op)) {
      content.push_back(push->value);
      return std::nullopt;
    }
    if (content.empty()) return std::nullopt;
    Result taken = content.back();
    content.pop_back();
    return taken;
  }

  static bool pure(const Op& op, const Result* result) {
    return std::holds_alternative<Pop>(op) && result != nullptr && !*result;
  }
  static std::string text(const Op& op, const Result* result) {
    if (const auto* push = std::get_if<Push>(&op)) return "push(" + value_text(push->value) + ")";
    return result == nullptr ? "pop" : "pop -> " + detail::taken_text(*result);
  }
  std::string state_text() const { return detail::content_text(content); }
  std::string reason(const Op& op, const Result& observed) const {
    return text(op, &observed) + ", but the stack holds " + state_text() + ", the newest last";
  }

  static constexpr Shape shape = Shape::stack;
  static Role role(const Op& op, const Result* result) { return detail::collection_role(op, result); }
};

template <class V = Datum, bool greatest_first = false> struct PriorityQueue {
  using Value = V;
  struct Insert {
    V value;
  };
  struct Remove {};
  using Op = std::variant<Insert, Remove>;
  using Result = std::optional<V>;

  std::multiset<V> content;

  Result apply(const Op& op) {
    if (const auto* insert = std::get_if<Insert>(&op)) {
      content.insert(insert->value);
      return std::nullopt;
    }
    if (content.empty()) return std::nullopt;
    const auto first = greatest_first ? std::prev(content.end()) : content.begin();
    Result taken = *first;
    content.erase(first);
    return taken;
  }

  static bool pure(const Op& op, const Result* result) {
    return std::holds_alternative<Remove>(op) && result != nullptr && !*result;
  }
  static bool less(const V& a, const V& b) { return greatest_first ? b < a : a < b; }
  static std::string text(const Op& op, const Result* result) {
    if (const auto* insert = std::get_if<Insert>(&op)) return "insert(" + value_text(insert->value) + ")";
    const std::string call = greatest_first ? "remove_max" : "remove_min";
    return result == nullptr ? call : call + " -> " + detail::taken_text(*result);
  }
  std::string state_text() const { return detail::content_text(content); }
  std::string reason(const Op& op, const Result& observed) const {
    return text(op, &observed) + ", but the queue holds " + state_text();
  }

  static constexpr Shape shape = Shape::priority_queue;
  static Role role(const Op& op, const Result* result) { return detail::collection_role(op, result); }
};

}  // namespace gainsay::specs
