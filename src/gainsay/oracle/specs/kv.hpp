// Kv: a map from keys to values with put, append, compare-and-set and remove. A key that is not there reads as the
// empty value. Every operation touches one key, so the keys are judged apart.
#pragma once

#include <map>
#include <string>
#include <variant>

#include "gainsay/oracle/spec.hpp"
#include "gainsay/oracle/specs/common.hpp"

namespace gainsay::specs {

// What a key that is not there reads as. Files write it as nil or as an empty text; models.cpp makes them one.
template <class V> V absent_value() { return V{}; }
template <> inline Datum absent_value<Datum>() { return Datum::of(std::string{}); }

template <class K = Datum, class V = Datum> struct Kv {
  struct Get {
    K key;
  };
  struct Put {
    K key;
    V value;
  };
  struct Append {
    K key;
    V value;
  };
  struct Cas {
    K key;
    V expected;
    V value;
  };
  struct Remove {
    K key;
  };
  using Op = std::variant<Get, Put, Append, Cas, Remove>;
  using Result = std::variant<Done, V, bool>;  // of an update, of a get, of a compare-and-set

  std::map<K, V> content;

  V at(const K& key) const {
    const auto found = content.find(key);
    return found == content.end() ? absent_value<V>() : found->second;
  }

  Result apply(const Op& op) {
    if (const auto* get = std::get_if<Get>(&op)) return Result(std::in_place_index<1>, at(get->key));
    if (const auto* put = std::get_if<Put>(&op)) {
      set(put->key, put->value);
    } else if (const auto* append = std::get_if<Append>(&op)) {
      V whole = at(append->key);
      append_to(whole, append->value);
      set(append->key, whole);
    } else if (const auto* remove = std::get_if<Remove>(&op)) {
      content.erase(remove->key);
    } else {
      const auto& cas = std::get<Cas>(op);
      const bool equal = reflect::equal(at(cas.key), cas.expected);
      if (equal) set(cas.key, cas.value);
      return Result(std::in_place_index<2>, equal);
    }
    return Result(std::in_place_index<0>);
  }

  static bool pure(const Op& op, const Result* result) {
    if (std::holds_alternative<Cas>(op)) return result != nullptr && !std::get<2>(*result);
    return std::holds_alternative<Get>(op);
  }
  // What is there only grows until somebody puts, swaps or removes.
  bool may_reach(const Op& op, const Result& result) const {
    return !std::holds_alternative<Get>(op) || may_become(at(key(op)), std::get<1>(result));
  }
  static bool resets(const Op& op) {
    return !std::holds_alternative<Get>(op) && !std::holds_alternative<Append>(op);
  }
  static K key(const Op& op) {
    return std::visit([](const auto& each) { return each.key; }, op);
  }

  static std::string text(const Op& op, const Result* result) {
    const std::string where = value_text(key(op));
    if (const auto* put = std::get_if<Put>(&op)) return "put(" + where + ", " + value_text(put->value) + ")";
    if (const auto* append = std::get_if<Append>(&op))
      return "append(" + where + ", " + value_text(append->value) + ")";
    if (std::holds_alternative<Remove>(op)) return "remove(" + where + ")";
    if (const auto* cas = std::get_if<Cas>(&op)) {
      const std::string call =
          "cas(" + where + ", " + value_text(cas->expected) + ", " + value_text(cas->value) + ")";
      return result == nullptr ? call : call + (std::get<2>(*result) ? " -> done" : " -> refused");
    }
    const std::string call = "get(" + where + ")";
    return result == nullptr ? call : call + " -> " + value_text(std::get<1>(*result));
  }
  std::string state_text() const {
    std::string all;
    for (const auto& [each_key, each_value] : content)
      all += (all.empty() ? "" : ", ") + value_text(each_key) + " = " + value_text(each_value);
    return "{" + all + "}";
  }
  std::string reason(const Op& op, const Result& observed) const {
    return text(op, &observed) + ", but the key holds " + value_text(at(key(op)));
  }

 private:
  // Equal contents have one form: what reads as absent is not there.
  void set(const K& key, const V& value) {
    if (reflect::equal(value, absent_value<V>())) {
      content.erase(key);
    } else {
      content[key] = value;
    }
  }
};

}  // namespace gainsay::specs
