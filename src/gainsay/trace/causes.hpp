// Causes: which of many violating executions show the same defect.
//
// A shrunk execution holds little but what the violation needs. Its shape is the violated property, what its message
// says (without numbers and without which actor it was), where it shows (the last step), and the set of things that
// happen in it: kinds of steps and types of messages. Two executions have one cause if their shapes agree and one set
// holds the other: what the smaller one does without, the larger one did not need. That is a rule of thumb: it may
// keep one defect apart that shows in several ways, and it may put two together that need the same events.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "gainsay/trace/document.hpp"

namespace gainsay {

struct TraceShape {
  std::string symptom;           // the property and the message, without numbers
  std::string last;              // the last step, as an ingredient
  std::set<std::string> events;  // "deliver AppendEntries", "timer Tick", "crash"

  // Whether the other one may be the same defect with more happening around it.
  bool is_part_of(const TraceShape& other) const;
};

// REQUIRES: it ends with a violation.
TraceShape shape_of(const TraceDocument& document);

// "server.3 has entry 12" and "server.1 has entry 2" are the same.
std::string without_numbers(const std::string& text);

// The documents by cause, as their indices, the shortest of each first; causes in the order of their first document.
std::vector<std::vector<std::size_t>> group_by_cause(const std::vector<TraceDocument>& documents);

}  // namespace gainsay
