// Steering in a terminal: the same session, with lines typed instead of clicks.
#pragma once

#include <atomic>
#include <iosfwd>

#include "gainsay/report/show.hpp"
#include "tools/steer_session.hpp"

namespace gainsay::tools {

// Reads commands until the input or the person ends it. `save_as`: where `save` writes without a name.
void steer_terminal(SteerSession& session, std::istream& in, const ShowOptions& options,
                    const std::string& save_as);

// "deliver Get from client.0 to counter".
std::string offer_text(const TraceSight::Offer& offer);

}  // namespace gainsay::tools
