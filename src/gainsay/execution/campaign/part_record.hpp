// A part of a campaign as a record of its journal (HuntOptions::journal): what its runs came to and what they taught.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "gainsay/execution/campaign/worker.hpp"

namespace gainsay {

struct PartEntry {
  std::uint64_t part = 0;
  std::uint64_t next = 0;  // the first run of the part that is not done
  bool found = false;      // a violation ended it
  const Tally& tally;
  const Lessons* lessons = nullptr;  // null: the strategy does not learn
};
struct PartRecord {
  std::uint64_t part = 0;
  std::uint64_t next = 0;
  bool found = false;
  Tally tally;
  std::unique_ptr<Lessons> lessons;
};

std::string part_record(const PartEntry& entry);
// Nothing: it is not a record of such a campaign.
std::optional<PartRecord> read_part(const std::string& record, const CampaignPlan& plan);

// Whether another process can go on with the campaign: runs depend on nothing but their number and lessons that can be
// written down.
bool can_be_resumed(const CampaignPlan& plan);

}  // namespace gainsay
