#include "systems/migrating_table/protocol.hpp"

#include <algorithm>

namespace migrating_table {

using gainsay::Task;
using gainsay::TaskContext;

constexpr std::int32_t populated = 1;
constexpr std::int32_t switched = 2;

// --- rows ---

bool is_internal(const Row& row) { return row.key == meta_key || row.key == assertion_key; }

bool is_tombstone(const Row& row) {
  const auto deleted = row.properties.find("deleted");
  return deleted != row.properties.end() && deleted->second == 1;
}

Row exported(Row row) {
  row.properties.erase("deleted");
  return row;
}

// Said explicitly, so that a merge over a tombstone makes it a row again.
Properties with_live_mark(Properties properties) {
  properties["deleted"] = 0;
  return properties;
}

static void export_row(const Row& row, Filter filter, Rows& result) {
  if (!is_internal(row) && !is_tombstone(row) && matches(filter, row.properties))
    result[row.key] = exported(row);
}

static std::int32_t switch_state(const Rows& rows) {
  const auto meta = rows.find(meta_key);
  return meta == rows.end() ? 0 : meta->second.properties.at("state");
}

// --- the backend ---

Task<BatchResult> Backend::batch(Which table, Batch batch) {
  const BatchCall request{table, std::move(batch)};
  BatchResult result = co_await ctx_.call<BatchResult>(tables_, request);
  co_return result;
}

Task<Rows> Backend::query(Which table, Filter filter, bool with_meta) {
  const QueryCall request{table, filter, with_meta};
  QueryResult result = co_await ctx_.call<QueryResult>(tables_, request);
  co_return std::move(result.rows);
}

void Backend::nothing_special() { ctx_.send(tables_, Annotation{}); }

void Backend::took_effect(const Input& input, const Outcome& outcome) {
  ctx_.check(!announced_, "a call on the virtual table takes effect twice");
  announced_ = outcome;
  Annotation annotation;
  annotation.is_point = true;
  annotation.input = input;
  annotation.outcome = outcome;
  ctx_.send(tables_, annotation);
}

void Backend::copied(Key key, ETag etag) {
  Annotation annotation;
  annotation.is_copied = true;
  annotation.copied = key;
  annotation.etag = etag;
  ctx_.send(tables_, annotation);
}

void Backend::call_ends(const Outcome& returned) {
  ctx_.check(announced_ == returned, "a call on the virtual table returns something else than it announced");
}

Task<StreamId> Backend::open(Which table, Filter filter, Key from) {
  const StreamOpen request{table, filter, from};
  const StreamOpened opened = co_await ctx_.call<StreamOpened>(tables_, request);
  co_return opened.stream;
}

Task<std::optional<Row>> Backend::read(StreamId stream) {
  StreamRow row = co_await ctx_.call<StreamRow>(tables_, StreamRead{stream});
  co_return std::move(row.row);
}

// --- atomic calls ---

Task<BatchResult> MigratingTable::batch(State state, Batch batch) {
  const Input input{std::move(batch), Filter::everything};
  if (state == State::use_old) {
    BatchResult result = co_await backend_.batch(Which::old_table, input.batch);
    backend_.took_effect(input, {result, {}});
    co_return result;
  }
  if (state == State::prefer_old) {
    std::optional<BatchResult> result = co_await write_to_old(input);
    if (result) co_return std::move(*result);
  }
  // In the last state everybody reads the new table only, and the migrator may be removing the old one's rows.
  if (state != State::use_new || bug_ == Bug::late_switch) co_await ensure_switched();
  if (state <= State::prefer_new) co_await copy_touched(input.batch);
  BatchResult result = co_await write_to_new(state, input);
  co_return result;
}

// Nothing if the partition is switched: then the old table is not the place any more.
Task<std::optional<BatchResult>> MigratingTable::write_to_old(Input input) {
  const Batch populate = {{Kind::insert, meta_key, {{"state", populated}}, no_etag},
                          {Kind::insert, assertion_key, {}, no_etag}};
  co_await backend_.batch(Which::old_table, populate);
  backend_.nothing_special();  // somebody may have done it before
  Batch guarded = {{Kind::merge, assertion_key, {}, any}};
  guarded.insert(guarded.end(), input.batch.begin(), input.batch.end());
  BatchResult result = co_await backend_.batch(Which::old_table, guarded);
  if (result.code != Code::ok && result.failed == 0) {
    backend_.nothing_special();
    co_return std::nullopt;
  }
  if (result.code == Code::ok) {
    result.etags.erase(result.etags.begin());
  } else {
    --result.failed;
  }
  backend_.took_effect(input, {result, {}});
  co_return std::optional<BatchResult>(std::move(result));
}

Task<> MigratingTable::ensure_switched() {
  const Batch insert = {{Kind::insert, meta_key, {{"state", switched}}, no_etag}};
  if (bug_ == Bug::ensure_partition_switched_from_populated) {
    co_await backend_.batch(Which::old_table, insert);
    backend_.nothing_special();
    co_return;
  }
  while (true) {
    const Rows rows = co_await backend_.query(Which::old_table, Filter::nothing, true);
    backend_.nothing_special();
    const std::int32_t state = switch_state(rows);
    if (state == switched) co_return;
    if (state == populated) {
      // Not found: somebody else was faster.
      const Batch change = {{Kind::replace, meta_key, {{"state", switched}}, any},
                            {Kind::erase, assertion_key, {}, any}};
      co_await backend_.batch(Which::old_table, change);
      backend_.nothing_special();
      co_return;
    }
    const BatchResult inserted = co_await backend_.batch(Which::old_table, insert);
    backend_.nothing_special();
    if (inserted.code == Code::ok) co_return;
  }
}

Task<> MigratingTable::copy(Row row) {
  const Key key = row.key;
  const Batch insert = {{Kind::insert, key, with_live_mark(std::move(row.properties)), no_etag}};
  const BatchResult result = co_await backend_.batch(Which::new_table, insert);
  if (result.code == Code::ok) {
    backend_.copied(key, result.etags[0]);
  } else {
    backend_.nothing_special();  // somebody else has copied it
  }
}

Task<> MigratingTable::copy_touched(Batch batch) {
  const Rows old_rows = co_await backend_.query(Which::old_table, Filter::everything);
  backend_.nothing_special();
  const Rows new_rows = co_await backend_.query(Which::new_table, Filter::everything);
  backend_.nothing_special();
  for (const Op& op : batch) {
    const auto row = old_rows.find(op.key);
    if (row != old_rows.end() && !new_rows.contains(op.key)) co_await copy(row->second);
  }
}

// --- writing to the new table, where tombstones hide rows of the old one ---

static Op tombstone(Kind kind, Key key, ETag if_match) { return {kind, key, {{"deleted", 1}}, if_match}; }

// The operation on the new table that does what `op` asks for, given the row that is there (null: none). Sets
// `code` where it must fail.
static Op translate(const Op& op, const Row* row, State state, Bug bug, Code& code) {
  const bool live = row != nullptr && !is_tombstone(*row);
  const bool leave_tombstones = state != State::use_new;
  const Key erased_key = bug == Bug::delete_primary_key ? missing_key : op.key;
  Op result{op.kind, op.key, with_live_mark(op.properties), no_etag};
  switch (op.kind) {
    case Kind::insert:
      if (live) code = Code::conflict;
      if (row != nullptr) {
        result.kind = Kind::replace;
        result.if_match = row->etag;
      }
      return result;
    case Kind::insert_or_replace:
    case Kind::insert_or_merge:
      return result;
    case Kind::erase_if_exists:
      if (leave_tombstones) return tombstone(Kind::insert_or_replace, erased_key, no_etag);
      if (bug == Bug::delete_no_leave_tombstones_etag) return {Kind::erase, erased_key, {}, no_etag};
      return {Kind::erase_if_exists, erased_key, {}, no_etag};
    case Kind::replace:
    case Kind::merge:
    case Kind::erase:
      break;
  }
  if (!live) {
    code = Code::not_found;
    return result;
  }
  if (op.if_match != any && op.if_match != row->etag) code = Code::precondition_failed;
  result.if_match = row->etag;
  if (op.kind != Kind::erase) return result;
  if (leave_tombstones) return tombstone(Kind::replace, erased_key, row->etag);
  return {Kind::erase, erased_key, {}, bug == Bug::delete_no_leave_tombstones_etag ? no_etag : row->etag};
}

static bool erases(Kind kind) { return kind == Kind::erase || kind == Kind::erase_if_exists; }

Task<BatchResult> MigratingTable::write_to_new(State state, Input input) {
  while (true) {
    const Rows rows = co_await backend_.query(Which::new_table, Filter::everything);
    Batch translated;
    Code code = Code::ok;
    for (const Op& op : input.batch) {
      const auto row = rows.find(op.key);
      translated.push_back(translate(op, row == rows.end() ? nullptr : &row->second, state, bug_, code));
      if (code != Code::ok) break;
    }
    if (code != Code::ok) {
      BatchResult failed{code, static_cast<std::uint32_t>(translated.size() - 1), {}};
      backend_.took_effect(input, {failed, {}});
      co_return failed;
    }
    backend_.nothing_special();
    BatchResult result = co_await backend_.batch(Which::new_table, translated);
    if (result.code != Code::ok) {  // a row changed in between
      backend_.nothing_special();
      continue;
    }
    for (std::size_t i = 0; i < input.batch.size(); ++i) {
      if (erases(input.batch[i].kind) && bug_ != Bug::tombstone_output_etag) result.etags[i] = no_etag;
    }
    backend_.took_effect(input, {result, {}});
    co_return result;
  }
}

// --- atomic queries ---

Task<Rows> MigratingTable::query(State state, Filter filter) {
  const Input input{{}, filter};
  Rows result;
  if (state == State::use_old || state >= State::use_new_with_tombstones) {
    const Which table = state == State::use_old ? Which::old_table : Which::new_table;
    const Rows rows = co_await backend_.query(table, filter);
    for (const auto& [key, row] : rows) export_row(row, filter, result);
    backend_.took_effect(input, {{}, result});
    co_return result;
  }
  Rows merged = co_await backend_.query(Which::old_table, filter, true);
  if (switch_state(merged) == switched) {
    backend_.nothing_special();
    // Rows that the filter would drop hide rows of the old table.
    const Filter all = bug_ == Bug::query_atomic_filter_shadowing ? filter : Filter::everything;
    const Rows newer = co_await backend_.query(Which::new_table, all);
    for (const auto& [key, row] : newer) merged[key] = row;
  }
  for (const auto& [key, row] : merged) export_row(row, filter, result);
  backend_.took_effect(input, {{}, result});
  co_return result;
}

// --- streamed queries ---

Task<> AsyncMutex::lock(TaskContext& ctx) {
  if (!works_) co_return;
  if (locked_) {
    ++waiting_;
    co_await ctx.receive<MutexFree>();
  }
  locked_ = true;
}

void AsyncMutex::unlock(TaskContext& ctx) {
  if (!works_) return;
  if (waiting_ == 0) {
    locked_ = false;
    return;
  }
  --waiting_;  // it stays locked, for the next
  ctx.send(ctx.self(), MutexFree{});
}

StreamedQuery::StreamedQuery(Backend& backend, Bug bug, Filter filter)
    : backend_(backend), bug_(bug), filter_(filter), mutex_(bug != Bug::query_streamed_lock) {}

Task<> StreamedQuery::open(Side& side, Which table, Key from) {
  const bool filtered = table == Which::old_table || bug_ == Bug::query_streamed_filter_shadowing;
  const StreamId stream = co_await backend_.open(table, filtered ? filter_ : Filter::everything, from);
  side.stream = stream;
  co_await advance(side);
}

Task<> StreamedQuery::advance(Side& side) {
  backend_.context().check(side.stream.has_value(), "a row is read from a stream that was closed");
  if (!side.stream) {
    side.next.reset();
    co_return;
  }
  std::optional<Row> row = co_await backend_.read(*side.stream);
  side.next = std::move(row);
}

Task<> StreamedQuery::start(State state) {
  co_await mutex_.lock(backend_.context());
  state_ = state;
  if (state < State::use_new_with_tombstones) co_await open(old_, Which::old_table, first_key);
  if (state > State::use_old) co_await open(new_, Which::new_table, first_key);
  mutex_.unlock(backend_.context());
}

std::optional<Key> StreamedQuery::next_key() const {
  if (!old_.next && !new_.next) return std::nullopt;
  if (!old_.next || !new_.next) return old_.next ? old_.next->key : new_.next->key;
  return std::min(old_.next->key, new_.next->key);
}

Task<std::optional<Key>> StreamedQuery::continuation() {
  co_await mutex_.lock(backend_.context());
  const std::optional<Key> key = next_key();
  mutex_.unlock(backend_.context());
  co_return key;
}

Task<std::optional<Row>> StreamedQuery::read() {
  co_await mutex_.lock(backend_.context());
  std::optional<Row> result;
  while (!result) {
    const std::optional<Key> key = next_key();
    if (!key) break;
    const bool from_old = old_.next && old_.next->key == *key;
    const bool from_new = new_.next && new_.next->key == *key;
    const Row row = from_new ? *new_.next : *old_.next;
    if (from_old) co_await advance(old_);
    if (from_new) co_await advance(new_);
    if (!is_internal(row) && !is_tombstone(row) && matches(filter_, row.properties)) result = exported(row);
  }
  mutex_.unlock(backend_.context());
  co_return result;
}

// The old table's rows are about to go. Those that are not read yet have been copied, maybe to places that the
// new stream has passed already, or does not show because it began earlier: so it begins again.
Task<> StreamedQuery::apply(State state) {
  co_await mutex_.lock(backend_.context());
  const std::optional<Key> key = next_key();
  bool just_started = false;
  if (state > State::use_old && state_ == State::use_old && key) {
    co_await open(new_, Which::new_table, *key);
    just_started = true;
  }
  if (state == State::use_new && state_ != State::use_new) {
    old_ = Side{};
    if (key && !just_started && bug_ != Bug::query_streamed_back_up_new_stream)
      co_await open(new_, Which::new_table, *key);
  }
  state_ = state;
  mutex_.unlock(backend_.context());
}

}  // namespace migrating_table
