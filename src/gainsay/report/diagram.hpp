// Diagrams of machines, as text that other programs draw: Mermaid (Markdown viewers) or Graphviz.
//
// Arrows are the transitions between states; what an event does without leaving the state stands inside it.
#pragma once

#include <cstdint>
#include <string>

#include "gainsay/scenario/machine_type.hpp"

namespace gainsay {

enum class DiagramFormat : std::uint8_t { mermaid, dot };

std::string machine_diagram(const MachineType& machine, DiagramFormat format);

}  // namespace gainsay
