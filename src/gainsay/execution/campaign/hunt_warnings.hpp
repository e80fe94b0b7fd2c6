// What a campaign could not have found: monitors nobody notified, goals never reached, runs that were cut.
#pragma once

#include <string>
#include <vector>

#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/trace/results.hpp"

namespace gainsay {

// What could not fail because it was never asked: monitors that nobody notified (`notified` is by monitor), and a
// scenario without property and monitor, unless something else was `asked` of it. Of hunts and of `explore`.
std::vector<std::string> vacuity_warnings(const Blueprint& blueprint, const std::vector<bool>& notified,
                                          bool asked);

void add_warnings(HuntResult& result, const Blueprint& blueprint, const Tally& total);

}  // namespace gainsay
