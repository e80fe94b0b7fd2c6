// Values as text and as differences; both are visitors over the same reflection.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gainsay/base/reflect.hpp"
#include "gainsay/base/value_type.hpp"

namespace gainsay {

// Gives an actor its name; may be empty, then actors print as "actor 3".
using ActorNames = std::function<std::string(ActorId)>;

// `Prepare{ballot: 1, from: proposer.0}`; a struct without fields prints as its bare name.
std::string print(const ValueType& type, const void* value, const ActorNames& names = {});

// One differing leaf: where, and what it is on each side ("(absent)" where a side has none).
struct Difference {
  std::string path;
  std::string left;
  std::string right;
};
// Empty exactly if the two are equal.
std::vector<Difference> differences(const ValueType& type, const void* left, const void* right,
                                    const ActorNames& names = {});

template <class T> std::string print(const T& value, const ActorNames& names = {}) {
  return print(reflect::value_type<T>(), &value, names);
}
template <class T>
std::vector<Difference> differences(const T& left, const T& right, const ActorNames& names = {}) {
  return differences(reflect::value_type<T>(), &left, &right, names);
}

}  // namespace gainsay
