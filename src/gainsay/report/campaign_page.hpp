// A campaign as a page: violations by cause, behaviours over runs, strategies, what it means, coverage, warnings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gainsay/report/summary.hpp"

namespace gainsay {

// How many different behaviours there were after so many runs.
struct CampaignSample {
  std::uint64_t runs = 0;
  std::uint64_t distinct_traces = 0;
};

// `pages`: of the violations, in their order, as links from this page; "": there is none.
std::string campaign_page(const HuntResult& result, const SummaryOptions& summary,
                          const std::vector<CampaignSample>& samples, const std::vector<std::string>& pages);

}  // namespace gainsay
