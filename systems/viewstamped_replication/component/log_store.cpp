#include "systems/viewstamped_replication/component/log_store.hpp"

namespace replog {

Freshness LogStore::freshness() const {
  return {term_begins_.empty() ? Term{} : at(term_begins_.back()).term, size()};
}

void LogStore::append(const Record& record) {
  records_.push_back(record);
  switch (record.type) {
    case Record::Type::term_begin:
      term_begins_.push_back(size());
      break;
    case Record::Type::data:
      ++data_records_;
      break;
    case Record::Type::membership:
      if (membership_index_ == 0) membership_index_ = size();
      break;
  }
}

void LogStore::truncate(std::uint64_t size) {
  while (records_.size() > size) {
    if (records_.back().type == Record::Type::data) --data_records_;
    if (membership_index_ == records_.size()) membership_index_ = 0;
    if (!term_begins_.empty() && term_begins_.back() == records_.size()) term_begins_.pop_back();
    records_.pop_back();
  }
}

}  // namespace replog
