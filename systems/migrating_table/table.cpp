#include "systems/migrating_table/table.hpp"

#include <algorithm>

namespace migrating_table {

bool matches(Filter filter, const Properties& properties) {
  if (filter == Filter::everything || filter == Filter::nothing) return filter == Filter::everything;
  const auto happy = properties.find("happy");
  return happy != properties.end() && happy->second == (filter == Filter::happy ? 1 : 0);
}

static bool is_conditional(Kind kind) {
  return kind == Kind::replace || kind == Kind::merge || kind == Kind::erase;
}

std::string Table::problem(const Batch& batch) {
  if (batch.empty()) return "the batch is empty";
  std::vector<Key> keys;
  for (const Op& op : batch) {
    if (is_conditional(op.kind) && op.if_match == no_etag)
      return "an operation on an existing row needs an ETag";
    if (std::find(keys.begin(), keys.end(), op.key) != keys.end()) return "two operations touch one row";
    keys.push_back(op.key);
  }
  return {};
}

// Whether the operation can be applied to the row, which is null where there is no_etag.
static Code check(const Op& op, const Row* row) {
  if (op.kind == Kind::insert) return row == nullptr ? Code::ok : Code::conflict;
  if (!is_conditional(op.kind)) return Code::ok;
  if (row == nullptr) return Code::not_found;
  return op.if_match == any || op.if_match == row->etag ? Code::ok : Code::precondition_failed;
}

template <class NextETag> BatchResult Table::apply(const Batch& batch, NextETag next) {
  Rows rows = revisions_.back();
  BatchResult result;
  for (std::uint32_t i = 0; i < batch.size(); ++i) {
    const Op& op = batch[i];
    const auto found = rows.find(op.key);
    const Code code = check(op, found == rows.end() ? nullptr : &found->second);
    if (code != Code::ok) return {code, i, {}};
    if (op.kind == Kind::erase || op.kind == Kind::erase_if_exists) {
      rows.erase(op.key);
      result.etags.push_back(no_etag);
      continue;
    }
    Row& row = rows[op.key];
    row.key = op.key;
    if (op.kind != Kind::merge && op.kind != Kind::insert_or_merge) row.properties.clear();
    for (const auto& [name, value] : op.properties) row.properties[name] = value;
    row.etag = next(i);
    result.etags.push_back(row.etag);
  }
  revisions_.push_back(std::move(rows));
  return result;
}

BatchResult Table::batch(const Batch& batch, ETag& next) {
  return apply(batch, [&](std::size_t) { return next++; });
}

BatchResult Table::batch_like(const Batch& batch, const BatchResult& like) {
  return apply(batch, [&](std::size_t i) { return i < like.etags.size() ? like.etags[i] : no_etag; });
}

// A row that is there in every revision, with whatever version, cannot be passed over.
std::vector<std::optional<Row>> Table::next_of_stream(std::size_t since, Filter filter, Key from) const {
  std::map<Key, std::size_t> present;  // in how many revisions
  std::map<Key, std::vector<Row>> versions;
  for (std::size_t i = since; i < revisions_.size(); ++i) {
    for (auto row = revisions_[i].lower_bound(from); row != revisions_[i].end(); ++row) {
      if (!matches(filter, row->second.properties)) continue;
      ++present[row->first];
      std::vector<Row>& known = versions[row->first];
      if (std::find(known.begin(), known.end(), row->second) == known.end()) known.push_back(row->second);
    }
  }
  std::vector<std::optional<Row>> possible;
  for (const auto& [key, rows] : versions) {
    possible.insert(possible.end(), rows.begin(), rows.end());
    if (present[key] == revisions_.size() - since) return possible;
  }
  possible.push_back(std::nullopt);
  return possible;
}

}  // namespace migrating_table
