// Counterexamples: from a sighting back to the first state along least parents, then forward again as a
// sequence of events.
#pragma once

#include <optional>
#include <vector>

#include "gainsay/explorer/expander.hpp"
#include "gainsay/trace/trace.hpp"

namespace gainsay {

// A shortest execution that ends in the sighting; nothing if two states share a fingerprint on the way.
std::optional<std::vector<Step>> shortest_execution(Shared& shared, const Sighting& sighting);

}  // namespace gainsay
