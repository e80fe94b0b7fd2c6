// What a campaign could not have found: monitors nobody notified, goals never reached, runs that were cut.
#pragma once

#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/trace/results.hpp"

namespace gainsay {

void add_warnings(HuntResult& result, const Blueprint& blueprint, const Tally& total);

}  // namespace gainsay
