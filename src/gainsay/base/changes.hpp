// changes: what became another between two values of a type, for a person: one line for each field, and one for each
// container, however many of its elements are others.
//
//   open: true -> false
//   log: [] -> [1]
//   log[40..]: [] -> [7]        of a long list: the part that differs
//   votes: {2: 0} -> {2: 1}     of a long map: the keys that differ
#pragma once

#include <string>
#include <vector>

#include "gainsay/base/print.hpp"

namespace gainsay {

// Empty exactly if the two are equal.
std::vector<std::string> changes(const ValueType& type, const void* before, const void* after,
                                 const ActorNames& names = {});

template <class T>
std::vector<std::string> changes(const T& before, const T& after, const ActorNames& names = {}) {
  return changes(reflect::value_type<T>(), &before, &after, names);
}

}  // namespace gainsay
