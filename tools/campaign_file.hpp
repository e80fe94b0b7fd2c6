// CampaignFile: the journal of a campaign in a file (gainsay/execution/campaign/hunt.hpp).
//
// A head says which campaign it is; records follow, each with its size and a hash. What was being written when the
// process ended is cut off when the file is opened again. Short runs make thousands of records a second, so they are
// written at most every 50 ms, together: a process that is killed loses the work of no more than these.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "gainsay/base/facts.hpp"
#include "gainsay/execution/campaign/hunt.hpp"

namespace gainsay::tools {

// What a campaign is, and the words of the command that began it.
struct CampaignHead {
  Facts facts;  // all that decides its results
  std::vector<std::string> words;
};

class CampaignFile final : public CampaignJournal {
 public:
  // Opens or makes the file; throws UserError where it is of another campaign, or is used by another process.
  CampaignFile(const std::string& path, const CampaignHead& head);
  // An open file, which stays the caller's.
  CampaignFile(int descriptor, const CampaignHead& head);
  ~CampaignFile() override;
  CampaignFile(const CampaignFile&) = delete;
  CampaignFile& operator=(const CampaignFile&) = delete;

  std::vector<std::string> records() override { return records_; }
  void append(const std::string& record) override;

 private:
  using Clock = std::chrono::steady_clock;

  void take_up(const CampaignHead& head);
  void write_waiting();
  void write_all(const std::string& bytes);

  std::string path_;
  int descriptor_ = -1;
  bool own_ = false;
  bool failed_ = false;          // nothing can be written any more; it was said
  std::string waiting_;          // to be written
  Clock::time_point written_{};  // the last time
  std::vector<std::string> records_;
};

// The words of the command that began the campaign in the file. Throws UserError where there is none.
std::vector<std::string> campaign_words(const std::string& path);

}  // namespace gainsay::tools
