// What the two maps of DS2 share: keys, and how operations come to the agents.
//
// The first write and the first two reads are of key 1, the next of key 2, and so on; write n writes 10 * n.
#pragma once

#include <string>

#include "gainsay/oracle/specs/kv.hpp"
#include "systems/ds2_harness/harness.hpp"

namespace ds2 {

using Key = int;
using Value = std::string;  // empty: nobody wrote the key
using MapSpec = gainsay::specs::Kv<Key, Value>;

inline Key key_of(const Operation& operation) {
  return 1 + static_cast<Key>(operation.writes ? operation.ordinal : operation.ordinal / 2);
}
inline Value value_of(const Operation& operation) { return std::to_string(10 * (operation.ordinal + 1)); }

}  // namespace ds2
