// The test of the migrating table: the tables, two services that use it, and the migrator.
//
// One actor holds the backend tables and a reference table. After each backend call it waits to be told whether
// the call of the user took effect there; if so, it makes the same call on the reference, and the outcomes must be
// equal. A stream's rows must be among those that the reference's stream could give. Each service makes the calls
// that the strategy picks, or those of a script; the migrator moves everybody through the states. After Deligiannis
// et al., "Uncovering Bugs in Distributed Storage Systems during Testing (Not in Production!)", sections 6.2.1 and
// 6.2.2, figure 9.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "systems/migrating_table/protocol.hpp"

namespace migrating_table {

// --- the tables ---

// A stream of the reference, for comparison.
struct ReferenceOpen {
  Filter filter = Filter::everything;
};
struct ReferenceRow {
  StreamId stream = 0;
  std::optional<Key> continuation;  // before the row was read
  std::optional<Row> row;
};
struct Compared {};
struct Peek {};  // -> QueryResult: the reference as it is

class Tables {
 public:
  using Receives = gainsay::Messages<BatchCall, QueryCall, Annotation, StreamOpen, StreamRead, ReferenceOpen,
                                     ReferenceRow, Peek>;
  explicit Tables(Rows rows) : old_(rows), reference_(std::move(rows)) {}

  // Between a call and its annotation nobody may see a reference that lags behind.
  template <class M> bool accepts(const M&) const {
    return std::is_same_v<M, Annotation> || !annotation_due_;
  }

  void on(const BatchCall& call, gainsay::Context& ctx);
  void on(const QueryCall& call, gainsay::Context& ctx);
  void on(const Annotation& annotation, gainsay::Context& ctx);
  void on(const StreamOpen& open, gainsay::Context& ctx);
  void on(const StreamRead& read, gainsay::Context& ctx);
  void on(const ReferenceOpen& open, gainsay::Context& ctx);
  void on(const ReferenceRow& row, gainsay::Context& ctx);
  void on(const Peek&, gainsay::Context& ctx);

  std::uint32_t points() const { return points_; }

 private:
  struct Stream {
    Table* table = nullptr;
    Filter filter = Filter::everything;
    Key from = 0;  // the least key that may still come
    std::size_t since = 0;
  };
  Table& table(Which which) { return which == Which::old_table ? old_ : new_; }
  void count_call(gainsay::Context& ctx);

  Table old_;
  Table new_;
  Table reference_;
  ETag next_etag_ = 101;  // those of the first rows are less
  bool annotation_due_ = false;
  std::uint32_t calls_ = 0;
  std::uint32_t points_ = 0;  // linearization points so far
  std::map<StreamId, Stream> streams_;
};

// --- services ---

// migrator -> service; answered when no call is under way that began before
struct Push {
  State state = State::use_old;
};
struct Pushed {};
struct StateReached {};  // service -> itself
struct Go {};            // service -> the other service, in scripts

enum class Inputs { generated, patient, directed };

class Service {
 public:
  using Receives = gainsay::Messages<Push, StateReached, Go, MutexFree>;
  Service(std::uint32_t index, gainsay::ActorId tables, gainsay::ActorId other, Inputs inputs, Bug bug)
      : index_(index), tables_(tables), other_(other), inputs_(inputs), bug_(bug) {}

  gainsay::Task<> run(gainsay::TaskContext& ctx);
  void on(const Push& push, gainsay::TaskContext& ctx);

 private:
  gainsay::Task<> generated(gainsay::TaskContext& ctx);
  gainsay::Task<> directed(gainsay::TaskContext& ctx);
  gainsay::Task<Batch> generate_batch(gainsay::TaskContext& ctx);

  gainsay::Task<> until(State state, gainsay::TaskContext& ctx);
  gainsay::Task<> batch(Batch batch, gainsay::TaskContext& ctx);
  gainsay::Task<> query(Filter filter, gainsay::TaskContext& ctx);
  gainsay::Task<> stream(Filter filter, gainsay::TaskContext& ctx);
  gainsay::Task<> follow(State state, gainsay::Caller caller, gainsay::TaskContext& ctx);
  void call_begins();
  void call_ended(const Outcome& returned, gainsay::TaskContext& ctx);
  Properties entity(bool happy);

  std::uint32_t index_;
  gainsay::ActorId tables_;
  gainsay::ActorId other_;  // of the first service only
  Inputs inputs_;
  Bug bug_;

  State state_ = State::use_old;
  std::optional<State> awaited_;
  bool calling_ = false;
  std::vector<gainsay::Caller> to_answer_;  // once the call has ended
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<StreamedQuery> stream_;  // while one is open
  std::int32_t written_ = 0;
};

// --- the migrator ---

class Migrator {
 public:
  Migrator(gainsay::ActorId tables, std::vector<gainsay::ActorId> services, Bug bug)
      : tables_(tables), services_(std::move(services)), bug_(bug) {}
  gainsay::Task<> run(gainsay::TaskContext& ctx);
  bool done() const { return done_; }

 private:
  gainsay::Task<> push(State state, gainsay::TaskContext& ctx);
  gainsay::Task<> copy_all(Backend& backend);
  gainsay::Task<> clean_new(Backend& backend);
  gainsay::Task<> clean_row(Backend& backend, Row row);
  gainsay::Task<> empty_old(Backend& backend);

  gainsay::ActorId tables_;
  std::vector<gainsay::ActorId> services_;
  Bug bug_;
  bool done_ = false;
};

}  // namespace migrating_table
