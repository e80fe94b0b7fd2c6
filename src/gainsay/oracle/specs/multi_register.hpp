// MultiRegister: registers by name, read and written several at a time, in one indivisible step.
//
// A read whose value nobody knows (an empty optional) fits anything. Registers that no operation joins are judged
// apart.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/oracle/spec.hpp"
#include "gainsay/oracle/specs/common.hpp"

namespace gainsay::specs {

template <class K = Datum, class V = Datum> struct MultiRegister {
  struct Access {
    K key;
    std::optional<V> write;  // empty: a read
  };
  using Op = std::vector<Access>;
  using Result = std::vector<std::optional<V>>;  // of each read, in order

  std::map<K, V> content;

  Result apply(const Op& op) {
    Result seen;
    for (const Access& access : op) {
      if (access.write) {
        content[access.key] = *access.write;
      } else {
        const auto found = content.find(access.key);
        seen.push_back(found == content.end() ? V{} : found->second);
      }
    }
    return seen;
  }

  static bool matches(const Op&, const Result& observed, const Result& said) {
    if (observed.size() != said.size()) return false;
    for (std::size_t i = 0; i < said.size(); ++i) {
      if (observed[i] && !reflect::equal(*observed[i], *said[i])) return false;
    }
    return true;
  }
  static bool pure(const Op& op, const Result*) {
    for (const Access& access : op) {
      if (access.write) return false;
    }
    return true;
  }
  static std::vector<K> keys(const Op& op) {
    std::vector<K> all;
    for (const Access& access : op) all.push_back(access.key);
    return all;
  }

  static std::string text(const Op& op, const Result* result) {
    std::string all;
    std::size_t reads = 0;
    for (const Access& access : op) {
      if (!all.empty()) all += ", ";
      all += value_text(access.key);
      if (access.write) {
        all += " := " + value_text(*access.write);
      } else {
        const bool known = result != nullptr && reads < result->size() && (*result)[reads].has_value();
        all += known ? " = " + value_text(*(*result)[reads]) : " = ?";
        ++reads;
      }
    }
    return "txn(" + all + ")";
  }
  std::string state_text() const {
    std::string all;
    for (const auto& [key, value] : content)
      all += (all.empty() ? "" : ", ") + value_text(key) + " = " + value_text(value);
    return "{" + all + "}";
  }
};

}  // namespace gainsay::specs
