// read_tlc_dot: the state graph of a TLA+ model, from what TLC writes with `-dump dot,actionlabels`.
//
// Read in one pass over the file's bytes. What is not asked for is skipped: without values a state's line costs the
// search for its end. Repeated steps are one edge, steps with different labels between the same states are several, and
// a line may name a state that comes later. Stuttering steps, ranks and the legend are left out. Values keep the text
// of each variable once; their keys are made of what they mean (tla_value.hpp), so graphs of two runs can be compared.
// States outside the model's constraint are marked.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "gainsay/model/state_graph.hpp"
#include "gainsay/model/tla_value.hpp"

namespace gainsay {

struct TlcOptions {
  bool labels = true;   // keep the names of actions
  bool values = false;  // keep the values of variables
  std::atomic<std::uint64_t>* bytes_read = nullptr;
  const std::atomic<bool>* stop = nullptr;
};

// Throws UserError, which names file, line and what was expected, for a file that is cut or is no dump of TLC.
StateGraph read_tlc_dot(const std::string& path, const TlcOptions& options = {});
// Whether the file begins as TLC's dumps do.
bool is_tlc_dot(const std::string& path);

// The variables of a state. REQUIRES: the graph was read with values.
std::vector<std::pair<std::string, TlaValue>> tla_state(const StateGraph& graph, GraphNode node);

}  // namespace gainsay
