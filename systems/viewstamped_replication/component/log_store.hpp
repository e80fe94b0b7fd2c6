// The replicated log of a storage node: records in order, and where views began.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace replog {

// Which primary wrote a record: the generation of the membership, and the term within it.
struct Term {
  std::uint32_t generation = 0;
  std::uint32_t number = 0;
  friend auto operator<=>(const Term&, const Term&) = default;
};

struct Record {
  enum class Type : std::uint8_t { term_begin, data, membership };
  Type type = Type::data;
  Term term;
  friend bool operator==(const Record&, const Record&) = default;
};

// How up to date a log is. The later term wins; within a term, the longer log.
struct Freshness {
  Term last_term;
  std::uint64_t size = 0;
  friend auto operator<=>(const Freshness&, const Freshness&) = default;
};

// Records are numbered from 1. Counts that are asked for often are kept, not computed.
class LogStore {
 public:
  std::uint64_t size() const { return records_.size(); }
  const Record& at(std::uint64_t index) const { return records_[index - 1]; }
  std::uint64_t data_records() const { return data_records_; }
  std::uint64_t membership_index() const { return membership_index_; }  // 0: there is none
  Freshness freshness() const;

  void append(const Record& record);
  // Keeps the first `size` records.
  void truncate(std::uint64_t size);

 private:
  std::vector<Record> records_;
  std::vector<std::uint64_t> term_begins_;  // indices, ascending
  std::uint64_t data_records_ = 0;
  std::uint64_t membership_index_ = 0;
};

}  // namespace replog
