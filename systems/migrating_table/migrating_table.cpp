#include "systems/migrating_table/migrating_table.hpp"

#include <algorithm>
#include <limits>

namespace migrating_table {

using gainsay::Context;
using gainsay::Task;
using gainsay::TaskContext;

constexpr std::uint32_t calls_max = 150;  // twice what the longest migration needs
constexpr std::uint32_t key_count = 6;

// --- the tables ---

void Tables::count_call(Context& ctx) {
  ctx.check(++calls_ <= calls_max, "there is no end of calls of the backend tables");
  annotation_due_ = true;
}

void Tables::on(const BatchCall& call, Context& ctx) {
  count_call(ctx);
  const std::string problem = Table::problem(call.batch);
  ctx.check(problem.empty(), [&] { return "a backend table refuses a batch: " + problem; });
  ctx.reply(problem.empty() ? table(call.table).batch(call.batch, next_etag_) : BatchResult{});
}

void Tables::on(const QueryCall& call, Context& ctx) {
  count_call(ctx);
  QueryResult result;
  for (const auto& [key, row] : table(call.table).rows()) {
    if (matches(call.filter, row.properties) || (call.with_meta && key == meta_key)) result.rows[key] = row;
  }
  ctx.reply(result);
}

static std::string text(const Outcome& outcome) {
  return outcome.rows.empty() ? gainsay::print(outcome.result) : gainsay::print(outcome.rows);
}

void Tables::on(const Annotation& annotation, Context& ctx) {
  annotation_due_ = false;
  if (annotation.is_copied) {
    const Batch touch = {{Kind::merge, annotation.copied, {}, any}};
    reference_.batch_like(touch, {Code::ok, 0, {annotation.etag}});
  }
  if (!annotation.is_point) return;
  ++points_;
  Outcome expected;
  if (annotation.input.batch.empty()) {
    for (const auto& [key, row] : reference_.rows()) {
      if (matches(annotation.input.filter, row.properties)) expected.rows[key] = row;
    }
  } else {
    expected.result = reference_.batch_like(annotation.input.batch, annotation.outcome.result);
  }
  ctx.check(expected == annotation.outcome, [&] {
    return "a call on the virtual table gave " + text(annotation.outcome) + "; the reference gives " +
           text(expected);
  });
}

void Tables::on(const StreamOpen& open, Context& ctx) {
  const auto id = static_cast<StreamId>(streams_.size());
  Table& of = table(open.table);
  streams_[id] = {&of, open.filter, open.from, of.revision()};
  ctx.reply(StreamOpened{id});
}

void Tables::on(const StreamRead& read, Context& ctx) {
  Stream& stream = streams_.at(read.stream);
  const auto possible = stream.table->next_of_stream(stream.since, stream.filter, stream.from);
  const auto& row = possible[ctx.choose(static_cast<std::uint32_t>(possible.size()))];
  stream.from = row ? row->key + 1 : std::numeric_limits<Key>::max();
  ctx.reply(StreamRow{row});
}

void Tables::on(const ReferenceOpen& open, Context& ctx) {
  const auto id = static_cast<StreamId>(streams_.size());
  streams_[id] = {&reference_, open.filter, first_key, reference_.revision()};
  ctx.reply(StreamOpened{id});
}

void Tables::on(const ReferenceRow& given, Context& ctx) {
  Stream& stream = streams_.at(given.stream);
  const auto possible = reference_.next_of_stream(stream.since, stream.filter, stream.from);
  ctx.check(std::find(possible.begin(), possible.end(), given.row) != possible.end(), [&] {
    return "a stream on the virtual table gave " + gainsay::print(given.row) + "; the reference's may give " +
           gainsay::print(possible);
  });
  if (given.row) {
    ctx.check(
        given.continuation && stream.from <= *given.continuation && *given.continuation <= given.row->key,
        "the continuation key of a stream is not between the last row and the next");
  }
  stream.from = given.row ? given.row->key + 1 : std::numeric_limits<Key>::max();
  ctx.reply(Compared{});
}

void Tables::on(const Peek&, Context& ctx) { ctx.reply(QueryResult{reference_.rows()}); }

// --- services: calls ---

Task<> Service::run(TaskContext& ctx) {
  backend_ = std::make_unique<Backend>(ctx, tables_);
  if (inputs_ == Inputs::directed) {
    co_await directed(ctx);
  } else {
    co_await generated(ctx);
  }
}

// A call that is under way goes on in the state in which it began, and the migrator waits for it. A stream follows.
void Service::on(const Push& push, TaskContext& ctx) {
  state_ = push.state;
  if (awaited_ && *awaited_ <= state_) {
    awaited_.reset();
    ctx.send(ctx.self(), StateReached{});
  }
  if (calling_) {
    to_answer_.push_back(ctx.caller());
  } else if (stream_ != nullptr) {
    ctx.start("follow", follow(push.state, ctx.caller(), ctx));
  } else {
    ctx.reply(Pushed{});
  }
}

Task<> Service::follow(State state, gainsay::Caller caller, TaskContext& ctx) {
  co_await stream_->apply(state);
  ctx.reply(caller, Pushed{});
}

void Service::call_begins() {
  calling_ = true;
  backend_->call_begins();
}

void Service::call_ended(const Outcome& returned, TaskContext& ctx) {
  backend_->call_ends(returned);
  calling_ = false;
  for (const gainsay::Caller caller : to_answer_) ctx.reply(caller, Pushed{});
  to_answer_.clear();
}

Task<> Service::until(State state, TaskContext& ctx) {
  if (state_ >= state) co_return;
  awaited_ = state;
  co_await ctx.receive<StateReached>();
}

Task<> Service::batch(Batch batch, TaskContext& ctx) {
  call_begins();
  MigratingTable table(*backend_, bug_);
  BatchResult result = co_await table.batch(state_, std::move(batch));
  call_ended({std::move(result), {}}, ctx);
}

Task<> Service::query(Filter filter, TaskContext& ctx) {
  call_begins();
  MigratingTable table(*backend_, bug_);
  Rows rows = co_await table.query(state_, filter);
  call_ended({{}, std::move(rows)}, ctx);
}

Task<> Service::stream(Filter filter, TaskContext& ctx) {
  const StreamOpened reference = co_await ctx.call<StreamOpened>(tables_, ReferenceOpen{filter});
  stream_ = std::make_unique<StreamedQuery>(*backend_, bug_, filter);
  co_await stream_->start(state_);
  while (true) {
    const std::optional<Key> continuation = co_await stream_->continuation();
    const std::optional<Row> row = co_await stream_->read();
    const ReferenceRow given{reference.stream, continuation, row};
    co_await ctx.call<Compared>(tables_, given);
    if (!row) co_return;
  }
}

// --- services: what they ask for ---

Properties Service::entity(bool happy) {
  const std::string unique = std::string(1, static_cast<char>('a' + index_)) + std::to_string(++written_);
  return {{"happy", happy ? 1 : 0}, {unique, 1}};
}

static Filter pick_filter(TaskContext& ctx) { return static_cast<Filter>(ctx.choose(3)); }

Task<> Service::generated(TaskContext& ctx) {
  if (inputs_ == Inputs::patient) co_await until(static_cast<State>(ctx.choose(5)), ctx);
  if (ctx.choose(2) == 0) {
    co_await stream(pick_filter(ctx), ctx);
    co_return;
  }
  for (int calls = 0; calls < 2; ++calls) {
    if (ctx.choose(2) == 0) {
      co_await query(pick_filter(ctx), ctx);
    } else {
      Batch picked = co_await generate_batch(ctx);
      co_await batch(std::move(picked), ctx);
    }
  }
}

Task<Batch> Service::generate_batch(TaskContext& ctx) {
  Batch picked;
  const std::uint32_t size = 1 + ctx.choose(2);
  const Key first = static_cast<Key>(ctx.choose(key_count));
  for (std::uint32_t i = 0; i < size; ++i) {
    Op op;
    op.kind = static_cast<Kind>(ctx.choose(7));
    op.key = i == 0 ? first
                    : (first + 1 + static_cast<Key>(ctx.choose(key_count - 1))) % static_cast<Key>(key_count);
    if (op.kind != Kind::erase && op.kind != Kind::erase_if_exists)
      op.properties = entity(ctx.choose(2) == 0);
    if (op.kind == Kind::replace || op.kind == Kind::merge || op.kind == Kind::erase) {
      const QueryResult now = co_await ctx.call<QueryResult>(tables_, Peek{});
      const auto row = now.rows.find(op.key);
      const std::uint32_t choice = ctx.choose(row == now.rows.end() ? 2 : 3);
      op.if_match = choice == 0 ? any : choice == 1 ? wrong : row->second.etag;
    }
    picked.push_back(op);
  }
  co_return picked;
}

// Written for one bug each: what it takes besides an unlucky order.
Task<> Service::directed(TaskContext& ctx) {
  const bool first = index_ == 0;
  Batch writes;
  switch (bug_) {
    case Bug::query_streamed_filter_shadowing:
      // A row of the old table is happy, its newer version is not.
      if (!first) co_return;
      co_await until(State::prefer_new, ctx);
      writes.push_back({Kind::insert_or_merge, 0, entity(false), no_etag});
      co_await batch(writes, ctx);
      co_await stream(Filter::happy, ctx);
      co_return;
    case Bug::insert_behind_migrator:
      // Into an empty partition, which the migrator does not see.
      if (!first) co_return;
      co_await until(State::prefer_old, ctx);
      writes.push_back({Kind::insert, 0, entity(true), no_etag});
      co_await batch(writes, ctx);
      co_await until(State::use_new_with_tombstones, ctx);
      co_await query(Filter::everything, ctx);
      co_return;
    case Bug::migrate_skip_use_new_with_tombstones:
      // One deletes for good while the other still looks into the old table.
      if (first) {
        co_await until(State::use_new, ctx);
        writes.push_back({Kind::erase, 0, {}, any});
        co_await batch(writes, ctx);
        ctx.send(other_, Go{});
      } else {
        co_await ctx.receive<Go>();
        co_await query(Filter::everything, ctx);
      }
      co_return;
    case Bug::late_switch:
      // A write that fails leaves marks in a partition without rows; another one finds them when it is too late.
      if (!first) co_return;
      co_await until(State::prefer_old, ctx);
      writes.push_back({Kind::erase, 0, {}, any});
      co_await batch(writes, ctx);
      co_await until(State::use_new, ctx);
      co_await batch(writes, ctx);
      co_return;
    default:
      // One writes to the new table while the other does not know of it.
      if (first) {
        co_await until(State::prefer_new, ctx);
        writes.push_back({Kind::insert, 5, entity(true), no_etag});
        co_await batch(writes, ctx);
        ctx.send(other_, Go{});
      } else {
        co_await ctx.receive<Go>();
        co_await query(Filter::everything, ctx);
      }
  }
}

// --- the migrator ---

Task<> Migrator::push(State state, TaskContext& ctx) {
  const Push push{state};
  std::vector<decltype(ctx.call<Pushed>(tables_, push))> calls;
  calls.reserve(services_.size());
  for (const gainsay::ActorId service : services_) calls.push_back(ctx.call<Pushed>(service, push));
  co_await gainsay::when_all(std::move(calls));
}

Task<> Migrator::run(TaskContext& ctx) {
  Backend backend(ctx, tables_);
  if (bug_ != Bug::migrate_skip_prefer_old) co_await push(State::prefer_old, ctx);
  if (bug_ != Bug::insert_behind_migrator) co_await push(State::prefer_new, ctx);
  co_await copy_all(backend);
  if (bug_ != Bug::migrate_skip_use_new_with_tombstones) co_await push(State::use_new_with_tombstones, ctx);
  co_await push(State::use_new, ctx);
  co_await clean_new(backend);
  co_await empty_old(backend);
  done_ = true;
}

// With insert_behind_migrator others still write to the old table until the first row is met, and the scan then
// begins again; nothing is met in an empty partition.
Task<> Migrator::copy_all(Backend& backend) {
  MigratingTable table(backend, bug_);
  StreamId stream = co_await backend.open(Which::old_table, Filter::everything, first_key);
  bool is_switched = false;
  while (true) {
    const std::optional<Row> row = co_await backend.read(stream);
    if (!row) co_return;
    if (is_internal(*row)) continue;
    if (!is_switched) {
      is_switched = true;
      co_await table.ensure_switched();
      if (bug_ == Bug::insert_behind_migrator) {
        stream = co_await backend.open(Which::old_table, Filter::everything, first_key);
        continue;
      }
    }
    co_await table.copy(*row);
  }
}

// Tombstones go, and so do the marks of what is no tombstone.
Task<> Migrator::clean_new(Backend& backend) {
  const StreamId stream = co_await backend.open(Which::new_table, Filter::everything, first_key);
  while (true) {
    const std::optional<Row> row = co_await backend.read(stream);
    if (!row) co_return;
    co_await clean_row(backend, *row);
  }
}

Task<> Migrator::clean_row(Backend& backend, Row row) {
  while (true) {
    const Row clean = exported(row);
    const bool gone = is_tombstone(row);
    const Batch change = {{gone ? Kind::erase : Kind::replace, row.key, clean.properties, row.etag}};
    const BatchResult result = co_await backend.batch(Which::new_table, change);
    if (result.code == Code::ok && !gone) {
      backend.copied(row.key, result.etags[0]);
    } else {
      backend.nothing_special();
    }
    if (result.code != Code::precondition_failed) co_return;
    const Rows rows = co_await backend.query(Which::new_table, Filter::everything);
    backend.nothing_special();
    const auto now = rows.find(row.key);
    if (now == rows.end()) co_return;
    row = now->second;
  }
}

Task<> Migrator::empty_old(Backend& backend) {
  const StreamId stream = co_await backend.open(Which::old_table, Filter::everything, first_key);
  while (true) {
    const std::optional<Row> row = co_await backend.read(stream);
    if (!row) co_return;
    const Batch erase = {{Kind::erase, row->key, {}, any}};
    const BatchResult result = co_await backend.batch(Which::old_table, erase);
    backend.context().check(result.code == Code::ok,
                            "a service changes the old table while the migrator empties it");
    backend.nothing_special();
  }
}

// --- the scenario ---

enum class Start { filled, empty };

struct Options {
  Bug bug = Bug::none;
  Inputs inputs = Inputs::generated;
  Start start = Start::filled;
  gainsay::Delivery order = gainsay::Delivery::causal;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::query_atomic_filter_shadowing,
            "an atomic query filters the new table's rows before they hide the old table's; shows with "
            "inputs=patient");
    d.value(Bug::query_streamed_filter_shadowing,
            "a streamed query does so; shows with inputs=directed, rarely otherwise");
    d.value(Bug::query_streamed_lock, "a stream is read and reconfigured at the same time");
    d.value(
        Bug::query_streamed_back_up_new_stream,
        "a stream that loses the old table does not begin again in the new one; shows with inputs=patient");
    d.value(Bug::delete_no_leave_tombstones_etag,
            "a delete in the last state has no ETag; shows with inputs=patient");
    d.value(Bug::delete_primary_key,
            "a delete on the new table does not say which row; shows with inputs=patient");
    d.value(
        Bug::ensure_partition_switched_from_populated,
        "a partition that has been written to in the old table is never switched; shows with inputs=patient");
    d.value(Bug::tombstone_output_etag,
            "a delete returns the ETag of its tombstone; shows with inputs=patient");
    d.value(Bug::migrate_skip_prefer_old,
            "the migrator leaves out the second state; shows with inputs=directed");
    d.value(Bug::migrate_skip_use_new_with_tombstones,
            "the migrator leaves out the fourth state; shows with inputs=directed");
    d.value(Bug::insert_behind_migrator,
            "the migrator copies while others may still write to the old table; shows with inputs=directed "
            "start=empty");
    d.value(Bug::late_switch,
            "a write in the last state touches the old table, as released; shows with inputs=directed "
            "start=empty");
    d.field(&Options::inputs, "who chooses the services' calls");
    d.value(Inputs::generated, "the strategy picks them");
    d.value(Inputs::patient, "the same, and each service first waits for a state that the strategy picks");
    d.value(Inputs::directed, "scripts, each written for one bug");
    d.field(&Options::start, "contents of the old table");
    d.value(Start::filled, "rows 0 and 4, which are happy, and 1 and 3, which are not");
    d.value(Start::empty, "nothing");
    d.field(&Options::order, "delivery order");
  }
};

GAINSAY_SCENARIO(migrating_table, "Two services use a table while its rows move to another", Options) {
  world.order(options.order);
  Rows rows;
  if (options.start == Start::filled) {
    for (const Key key : {0, 1, 3, 4}) rows[key] = {key, {{"happy", key == 0 || key == 4 ? 1 : 0}}, key + 1};
  }
  const auto tables = world.wrap<Tables>("tables", rows);
  const gainsay::ActorId there = tables;
  const gainsay::ActorId second =
      world.wrap<Service>("service.1", 1U, there, gainsay::nobody, options.inputs, options.bug);
  const gainsay::ActorId first =
      world.wrap<Service>("service.0", 0U, there, second, options.inputs, options.bug);
  const auto migrator =
      world.wrap<Migrator>("migrator", there, std::vector<gainsay::ActorId>{first, second}, options.bug);
  world.reached("the migration ends", migrator, [=](gainsay::View v) { return v[migrator].done(); });
  world.reached("calls take effect", tables, [=](gainsay::View v) { return v[tables].points() > 1; });
}

}  // namespace migrating_table
