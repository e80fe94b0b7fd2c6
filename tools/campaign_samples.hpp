// CampaignSamples: how many different behaviours a running hunt has found, looked up now and then. For a picture: when
// it is looked up depends on the machine, the result of the hunt does not.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/report/campaign_page.hpp"

namespace gainsay::tools {

class CampaignSamples {
 public:
  explicit CampaignSamples(const HuntProgress& progress);
  ~CampaignSamples() { end(); }
  CampaignSamples(const CampaignSamples&) = delete;
  CampaignSamples& operator=(const CampaignSamples&) = delete;

  // Ends the looking; the last point is the result's.
  std::vector<CampaignSample> take(const HuntResult& result);

  static constexpr std::size_t samples_max = 400;

 private:
  void look();
  void end();

  const HuntProgress& progress_;
  std::mutex mutex_;
  std::condition_variable over_changed_;
  bool over_ = false;
  std::vector<CampaignSample> samples_;
  std::thread thread_;
};

}  // namespace gainsay::tools
