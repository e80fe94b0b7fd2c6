// Independent parts of a history: operations whose keys are not joined by any operation (Horn and Kroening 2015
// call the property behind it P-compositionality; Herlihy and Wing 1990, section 3.1, locality).
//
// Small parts come first, then by their first operation: a contradiction in a small part is cheap to find.
#pragma once

#include <string>
#include <vector>

#include "gainsay/oracle/linearizable/part.hpp"

namespace gainsay::linearizable {

struct NamedPart {
  Part operations;
  std::string key;  // as text; empty where the object was not taken apart
};

// All operations but those that failed.
std::vector<NamedPart> partition(const History& history, const SpecType& spec, bool take_apart);

}  // namespace gainsay::linearizable
