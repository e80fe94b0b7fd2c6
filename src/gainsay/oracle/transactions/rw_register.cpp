// Registers: a read shows one version; the order of versions is inferred (Elle, section 4.1, and its artifact's
// options "writes follow reads", "sequential keys", "linearizable keys", here chosen by the level).
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/oracle/transactions/analysis.hpp"

namespace gainsay {
namespace {

struct RegisterRead {
  std::uint32_t transaction = 0;
  KeyId key = 0;
  ElementId value = no_element;
};

class Registers {
 public:
  explicit Registers(Analysis& analysis)
      : analysis_(analysis), history_(analysis.history), initial_(history_.key_count(), no_element) {}

  void run() {
    for (std::uint32_t t = 0; t < history_.transactions().size(); ++t) {
      if (history_.transactions()[t].status == TransactionStatus::committed) read_outside(t);
    }
    std::stable_sort(reads_.begin(), reads_.end(), [](const RegisterRead& a, const RegisterRead& b) {
      return a.key != b.key ? a.key < b.key : a.value < b.value;
    });
    find_initial_values();
    for (const RegisterRead& read : reads_) judge(read);
    writes_ = analysis_.committed_writes(true);
    for_each_version([&](std::span<const RegisterRead> readers) { connect(readers); });
    const IsolationLevel level = analysis_.options.level;
    if (level == IsolationLevel::session_serializable) order_versions(session_pairs);
    if (level == IsolationLevel::strict_serializable) order_versions(realtime_pairs);
  }

 private:
  std::string value(ElementId element) const { return history_.value_name(element); }
  std::string key(KeyId id) const { return history_.key_name(id); }

  // Follows one transaction: a read must show its own last write, or what it read before.
  void read_outside(std::uint32_t t) {
    struct Known {
      KeyId key;
      ElementId value;
      bool own;
    };
    std::vector<Known> keys;
    for (const MicroOp& op : history_.ops(history_.transactions()[t])) {
      if (!op.write && !op.known) continue;
      const auto known =
          std::find_if(keys.begin(), keys.end(), [&](const Known& each) { return each.key == op.key; });
      if (known == keys.end()) {
        keys.push_back({op.key, op.value, op.write});
        if (op.write || shows_own(t, op)) continue;
        reads_.push_back({t, op.key, op.value});
      } else if (op.write) {
        known->value = op.value;
        known->own = true;
      } else if (known->value != op.value) {
        analysis_.found(
            AnomalyKind::internal,
            fmt::format("{} read {} from key {}, although it had {} {} before", transaction_name(t),
                        value(op.value), key(op.key), known->own ? "written" : "read", value(known->value)),
            {t});
      }
    }
  }

  // What was there before its own writes cannot be one of them.
  bool shows_own(std::uint32_t t, const MicroOp& op) {
    const WriteOf* writer = op.value == no_element ? nullptr : analysis_.writer(op.key, op.value);
    if (writer == nullptr || writer->transaction != t) return false;
    analysis_.found(AnomalyKind::internal,
                    fmt::format("{} read {} from key {} before it had written that itself",
                                transaction_name(t), value(op.value), key(op.key)),
                    {t});
    return true;
  }

  template <class F> void for_each_version(F visit) {
    for (std::size_t begin = 0; begin < reads_.size();) {
      std::size_t end = begin;
      while (end < reads_.size() && reads_[end].key == reads_[begin].key &&
             reads_[end].value == reads_[begin].value)
        ++end;
      visit(std::span(reads_).subspan(begin, end - begin));
      begin = end;
    }
  }

  // A value that nobody wrote may have been there from the beginning, unless nil or another one was.
  void find_initial_values() {
    std::vector<bool> taken(history_.key_count(), false);
    for_each_version([&](std::span<const RegisterRead> readers) {
      const RegisterRead& read = readers.front();
      if (read.value != no_element && analysis_.writer(read.key, read.value) != nullptr) return;
      if (taken[read.key]) {
        analysis_.found(AnomalyKind::garbage_read,
                        fmt::format("{} read {} from key {}; nobody wrote it, and at first the key held {}",
                                    transaction_name(read.transaction), value(read.value), key(read.key),
                                    value(initial_[read.key])),
                        {read.transaction});
        return;
      }
      taken[read.key] = true;
      initial_[read.key] = read.value;
      if (read.value != no_element) {
        analysis_.note(
            fmt::format("nobody wrote {} to key {}, but {} read it: assumed to be the initial value",
                        value(read.value), key(read.key), transaction_name(read.transaction)));
      }
    });
  }

  void judge(const RegisterRead& read) {
    const WriteOf* writer = read.value == no_element ? nullptr : analysis_.writer(read.key, read.value);
    if (writer == nullptr) return;
    if (analysis_.aborted(writer->transaction)) {
      analysis_.found(AnomalyKind::g1a,
                      fmt::format("{} read {} from key {}, written by {}, which was aborted",
                                  transaction_name(read.transaction), value(read.value), key(read.key),
                                  transaction_name(writer->transaction)),
                      {read.transaction, writer->transaction});
      return;
    }
    analysis_.observed(writer->transaction);
    if (writer->last) return;
    analysis_.found(AnomalyKind::g1b,
                    fmt::format("{} read {} from key {}; {} wrote it and then overwrote it itself",
                                transaction_name(read.transaction), value(read.value), key(read.key),
                                transaction_name(writer->transaction)),
                    {read.transaction, writer->transaction});
  }

  std::span<const CommittedWrite> writes_of(KeyId id) const {
    const auto [first, last] =
        std::equal_range(writes_.begin(), writes_.end(), CommittedWrite{id, 0, 0},
                         [](const CommittedWrite& a, const CommittedWrite& b) { return a.key < b.key; });
    return {first, last};
  }
  // What the transaction left in the key.
  std::optional<ElementId> written(std::uint32_t t, KeyId id) const {
    std::optional<ElementId> result;
    for (const MicroOp& op : history_.ops(history_.transactions()[t])) {
      if (op.write && op.key == id) result = op.value;
    }
    return result;
  }
  std::optional<std::uint32_t> writer_of(KeyId id, ElementId element) const {
    const WriteOf* writer = element == no_element ? nullptr : analysis_.writer(id, element);
    if (writer == nullptr || analysis_.aborted(writer->transaction)) return std::nullopt;
    return writer->transaction;
  }

  // The dependencies of those who read one version: on its writer, and of whoever is known to overwrite it.
  void connect(std::span<const RegisterRead> readers) {
    const KeyId id = readers.front().key;
    const ElementId version = readers.front().value;
    const auto writer = writer_of(id, version);
    std::vector<std::uint32_t> updaters;
    for (const RegisterRead& read : readers) {
      if (writer) analysis_.graph.add({*writer, read.transaction, Dependency::wr, id, version});
      if (written(read.transaction, id)) updaters.push_back(read.transaction);
    }
    if (updaters.size() > 1) {
      analysis_.found(AnomalyKind::lost_update,
                      fmt::format("{} and {}{} all read {} from key {} and then wrote to it",
                                  transaction_name(updaters[0]), transaction_name(updaters[1]),
                                  updaters.size() > 2 ? fmt::format(" and {} more", updaters.size() - 2) : "",
                                  value(version), key(id)),
                      updaters);
    }
    std::vector<std::uint32_t> transactions;
    for (const RegisterRead& read : readers) transactions.push_back(read.transaction);
    std::vector<DependencyGraph::Writer> later;
    if (version == initial_[id] && !writer) {
      for (const CommittedWrite& write : writes_of(id)) later.push_back({write.transaction, write.value});
    } else if (analysis_.options.level >= IsolationLevel::snapshot_isolation) {
      for (const std::uint32_t updater : updaters) {
        const ElementId next = *written(updater, id);
        later.push_back({updater, next});
        if (writer) analysis_.graph.add({*writer, updater, Dependency::ww, id, version, next});
      }
    }
    analysis_.graph.add_product(id, version, transactions, later);
  }

  // Versions in the order of their writers, where an order of transactions is demanded.
  void order_versions(OrderedPairs (*pairs_of)(const TransactionHistory&,
                                               const std::vector<std::uint32_t>&)) {
    for (KeyId id = 0; id < history_.key_count(); ++id) {
      const auto writes = writes_of(id);
      std::vector<std::uint32_t> writers;
      for (const CommittedWrite& write : writes) writers.push_back(write.transaction);
      for (const auto& [a, b] : pairs_of(history_, writers)) {
        const ElementId version = writes[a].value;
        analysis_.graph.add({writers[a], writers[b], Dependency::ww, id, version, writes[b].value});
        const auto [first, last] =
            std::equal_range(reads_.begin(), reads_.end(), RegisterRead{0, id, version},
                             [](const RegisterRead& x, const RegisterRead& y) {
                               return x.key != y.key ? x.key < y.key : x.value < y.value;
                             });
        for (auto read = first; read != last; ++read)
          analysis_.graph.add({read->transaction, writers[b], Dependency::rw, id, version, writes[b].value});
      }
    }
  }

  Analysis& analysis_;
  const TransactionHistory& history_;
  std::vector<ElementId> initial_;  // by key
  std::vector<RegisterRead> reads_;
  std::vector<CommittedWrite> writes_;
};

}  // namespace

void analyse_registers(Analysis& analysis) { Registers(analysis).run(); }

}  // namespace gainsay
