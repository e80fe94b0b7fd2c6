#include "tools/campaign_samples.hpp"

#include <chrono>

namespace gainsay::tools {

CampaignSamples::CampaignSamples(const HuntProgress& progress)
    : progress_(progress), thread_([this] { look(); }) {}

void CampaignSamples::look() {
  std::chrono::milliseconds pause(5);
  std::unique_lock lock(mutex_);
  while (!over_changed_.wait_for(lock, pause, [this] { return over_; })) {
    const CampaignSample now{progress_.runs.load(), progress_.distinct_traces.load()};
    if (!samples_.empty() && samples_.back().runs == now.runs) continue;
    samples_.push_back(now);
    if (samples_.size() < samples_max) continue;
    for (std::size_t i = 0; 2 * i + 1 < samples_.size(); ++i) samples_[i] = samples_[2 * i + 1];
    samples_.resize(samples_.size() / 2);
    pause *= 2;
  }
}

void CampaignSamples::end() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  over_changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::vector<CampaignSample> CampaignSamples::take(const HuntResult& result) {
  end();
  std::vector<CampaignSample> list;
  for (const CampaignSample& sample : samples_) {
    if (sample.runs < result.runs && sample.distinct_traces <= result.distinct_traces) list.push_back(sample);
  }
  list.push_back({result.runs, result.distinct_traces});
  return list;
}

}  // namespace gainsay::tools
