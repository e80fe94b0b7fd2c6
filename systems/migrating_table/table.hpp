// A chain table: rows with properties and ETags, batches that are atomic, queries, and streams that are not.
//
// The specification of a table, executed: it serves as both backend tables and as the reference that the migrating
// table is compared with (Deligiannis et al., "Uncovering Bugs in Distributed Storage Systems during Testing (Not in
// Production!)", section 6.2.2, where it is called SpecTable). A batch either applies all its operations or tells
// which one failed, and why. A stream gives rows in the order of their keys; each may be as it was at any moment
// since the stream began, so what it gives next is one of several rows.
//
// One partition stands for all of them: batches never span two.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace migrating_table {

using Key = std::int32_t;  // of user rows from 0; the migration's own rows have negative ones
using ETag = std::int32_t;
using Properties = std::map<std::string, std::int32_t>;

constexpr Key first_key = std::numeric_limits<Key>::min();
constexpr Key meta_key = -2;       // old table only: whether the partition is switched to the new table
constexpr Key assertion_key = -1;  // old table only: there exactly while the partition is not switched
constexpr Key missing_key = -3;    // of an operation that forgot to say which row it means

// As conditions of operations; real ETags are positive.
constexpr ETag no_etag = 0;
constexpr ETag any = -1;
constexpr ETag wrong = -2;

struct Row {
  Key key = 0;
  Properties properties;
  ETag etag = no_etag;
  friend bool operator==(const Row&, const Row&) = default;
};
using Rows = std::map<Key, Row>;

enum class Kind { insert, replace, merge, erase, insert_or_replace, insert_or_merge, erase_if_exists };

struct Op {
  Kind kind = Kind::insert;
  Key key = 0;
  Properties properties;
  ETag if_match = no_etag;  // replace, merge and erase only
};
using Batch = std::vector<Op>;

enum class Code { ok, conflict, not_found, precondition_failed };

struct BatchResult {
  Code code = Code::ok;
  std::uint32_t failed = 0;  // which operation, if one did
  std::vector<ETag> etags;   // of each row that there is now; no_etag where it was erased
  friend bool operator==(const BatchResult&, const BatchResult&) = default;
};

enum class Filter { everything, happy, unhappy, nothing };

bool matches(Filter filter, const Properties& properties);

class Table {
 public:
  Table() : revisions_(1) {}
  explicit Table(Rows rows) : revisions_{std::move(rows)} {}

  const Rows& rows() const { return revisions_.back(); }
  // REQUIRES: valid(batch) says nothing. `next` is where new ETags come from.
  BatchResult batch(const Batch& batch, ETag& next);
  // The same with ETags that are given: those of `like`.
  BatchResult batch_like(const Batch& batch, const BatchResult& like);
  // What is wrong with the batch itself; empty if nothing is.
  static std::string problem(const Batch& batch);

  std::size_t revision() const { return revisions_.size() - 1; }
  // What a stream that began at the revision may give next, of the rows with keys from `from` on: rows, or
  // nothing, which ends it.
  std::vector<std::optional<Row>> next_of_stream(std::size_t since, Filter filter, Key from) const;

 private:
  template <class NextETag> BatchResult apply(const Batch& batch, NextETag next);

  std::vector<Rows> revisions_;
};

}  // namespace migrating_table
