// The migrating table: one virtual table over an old and a new one, while its rows move from one to the other.
//
// Every client uses a MigratingTable of its own and knows in which state the migration is; states of clients differ
// by one at most. A call on the virtual table becomes calls on the two backend tables; after each of them the
// protocol says whether the call as a whole took effect there (its linearization point). The protocol is that of
// the MigratingTable of Microsoft's Artifact Services (Deligiannis et al., "Uncovering Bugs in Distributed Storage
// Systems during Testing (Not in Production!)", sections 6.2 and 6.3), with one repair: in the last state nobody
// touches the old table but the migrator, which removes its rows (see README.md, `late_switch`).
//
// Everything here is a coroutine: each call of a backend is a message to the tables and back.
#pragma once

#include <optional>
#include <vector>

#include "gainsay/tasks.hpp"
#include "systems/migrating_table/table.hpp"

namespace migrating_table {

enum class Bug {
  none,
  query_atomic_filter_shadowing,
  query_streamed_filter_shadowing,
  query_streamed_lock,
  query_streamed_back_up_new_stream,
  delete_no_leave_tombstones_etag,
  delete_primary_key,
  ensure_partition_switched_from_populated,
  tombstone_output_etag,
  migrate_skip_prefer_old,
  migrate_skip_use_new_with_tombstones,
  insert_behind_migrator,
  late_switch,
};

// In this order; the migrator waits for every client before it goes on.
enum class State {
  use_old,                  // reads and writes: the old table
  prefer_old,               // writes: the old table, unless the partition is switched; reads: both
  prefer_new,               // writes: switch, copy what is touched, then the new table; reads: both
  use_new_with_tombstones,  // the new table; who deletes leaves a tombstone, for others may still read both
  use_new,                  // the new table
};

enum class Which { old_table, new_table };
using StreamId = std::uint32_t;

// --- messages to the tables, and their answers ---

struct BatchCall {
  Which table = Which::old_table;
  Batch batch;
};  // -> BatchResult
struct QueryCall {
  Which table = Which::old_table;
  Filter filter = Filter::everything;
  bool with_meta = false;  // the meta row too, whatever the filter says
};
struct QueryResult {
  Rows rows;
};

// A call on the virtual table, and what came of it.
struct Input {
  Batch batch;  // empty: a query
  Filter filter = Filter::everything;
};
struct Outcome {
  BatchResult result;
  Rows rows;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};
// What the caller of the last BatchCall or QueryCall has to say about it; the tables wait for that.
struct Annotation {
  bool is_point = false;  // there the input took effect, with this outcome
  Input input;
  Outcome outcome;
  bool is_copied = false;  // the row is another, though nobody wrote it: it has a new ETag
  Key copied = 0;
  ETag etag = no_etag;
};

struct StreamOpen {
  Which table = Which::old_table;
  Filter filter = Filter::everything;
  Key from = 0;
};
struct StreamOpened {
  StreamId stream = 0;
};
struct StreamRead {
  StreamId stream = 0;
};
struct StreamRow {
  std::optional<Row> row;
};

// The backend tables, as seen from a task.
class Backend {
 public:
  Backend(gainsay::TaskContext& ctx, gainsay::ActorId tables) : ctx_(ctx), tables_(tables) {}

  // After each of these two one of the next three must be called.
  gainsay::Task<BatchResult> batch(Which table, Batch batch);
  gainsay::Task<Rows> query(Which table, Filter filter, bool with_meta = false);
  void nothing_special();
  void took_effect(const Input& input, const Outcome& outcome);
  void copied(Key key, ETag etag);

  gainsay::Task<StreamId> open(Which table, Filter filter, Key from);
  gainsay::Task<std::optional<Row>> read(StreamId stream);

  // Around each call on the virtual table: it takes effect once, with the outcome that its caller gets.
  void call_begins() { announced_.reset(); }
  void call_ends(const Outcome& returned);

  gainsay::TaskContext& context() const { return ctx_; }

 private:
  gainsay::TaskContext& ctx_;
  gainsay::ActorId tables_;
  std::optional<Outcome> announced_;  // of the call that is under way
};

// --- the virtual table ---

class MigratingTable {
 public:
  MigratingTable(Backend& backend, Bug bug) : backend_(backend), bug_(bug) {}

  // Atomic, in the state in which the call began.
  gainsay::Task<BatchResult> batch(State state, Batch batch);
  gainsay::Task<Rows> query(State state, Filter filter);

  // Writes go to the new table from now on.
  gainsay::Task<> ensure_switched();
  // The row is in the new table; a copy is no write of anybody.
  gainsay::Task<> copy(Row row);

 private:
  gainsay::Task<std::optional<BatchResult>> write_to_old(Input input);
  gainsay::Task<> copy_touched(Batch batch);
  gainsay::Task<BatchResult> write_to_new(State state, Input input);

  Backend& backend_;
  Bug bug_;
};

// The first tasks to ask get it first. Tasks of one actor only.
struct MutexFree {};
class AsyncMutex {
 public:
  explicit AsyncMutex(bool works) : works_(works) {}
  gainsay::Task<> lock(gainsay::TaskContext& ctx);
  void unlock(gainsay::TaskContext& ctx);

 private:
  bool works_;
  bool locked_ = false;
  std::uint32_t waiting_ = 0;
};

// A query that gives row after row, while the configuration may change under it.
class StreamedQuery {
 public:
  StreamedQuery(Backend& backend, Bug bug, Filter filter);

  gainsay::Task<> start(State state);
  gainsay::Task<std::optional<Row>> read();
  gainsay::Task<> apply(State state);
  // No row before this one will come; none: no row at all.
  gainsay::Task<std::optional<Key>> continuation();

 private:
  struct Side {
    std::optional<StreamId> stream;
    std::optional<Row> next;  // one row ahead
  };
  std::optional<Key> next_key() const;
  gainsay::Task<> open(Side& side, Which table, Key from);
  gainsay::Task<> advance(Side& side);

  Backend& backend_;
  Bug bug_;
  Filter filter_;
  AsyncMutex mutex_;
  State state_ = State::use_old;
  Side old_;
  Side new_;
};

// What users see of a row of either table: nothing of the migration's own rows and properties.
bool is_internal(const Row& row);
bool is_tombstone(const Row& row);
Row exported(Row row);
// Without its internal properties, as it will stay in the new table.
Properties with_live_mark(Properties properties);

}  // namespace migrating_table
