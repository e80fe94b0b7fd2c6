// Lists: every read shows a whole version, hence the order of all elements before it (Elle, section 4.2).
#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/oracle/transactions/analysis.hpp"

namespace gainsay {
namespace {

using Elements = std::span<const ElementId>;

// What a transaction saw of a key before its own appends to it.
struct ListRead {
  std::uint32_t transaction = 0;
  KeyId key = 0;
  Elements list;
  bool in_order = true;  // a prefix of the longest one
};

class Lists {
 public:
  explicit Lists(Analysis& analysis)
      : analysis_(analysis), history_(analysis.history), stamp_(history_.value_count(), 0) {}

  void run() {
    for (std::uint32_t t = 0; t < history_.transactions().size(); ++t) {
      if (history_.transactions()[t].status == TransactionStatus::committed) read_outside(t);
    }
    // By key, the longest version first.
    std::stable_sort(reads_.begin(), reads_.end(), [](const ListRead& a, const ListRead& b) {
      return a.key != b.key ? a.key < b.key : a.list.size() > b.list.size();
    });
    for_each_key([&](std::span<ListRead> reads) { judge(reads); });
    writes_ = analysis_.committed_writes(false);
    for_each_key([&](std::span<ListRead> reads) { connect(reads); });
    connect_unread();
  }

 private:
  std::string value(ElementId element) const { return history_.value_name(element); }
  std::string text(Elements list) const {
    constexpr std::size_t ends = 6;
    std::string out = "[";
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list.size() > 2 * ends + 1 && i == ends) {
        out += " ...";
        i = list.size() - ends;
      }
      out += (i == 0 ? "" : " ") + value(list[i]);
    }
    return out + "]";
  }

  // Follows one transaction: a read must show what was read before and then its own appends.
  void read_outside(std::uint32_t t) {
    struct Known {
      KeyId key;
      bool seen;  // whether `before` is known
      Elements before;
      std::vector<ElementId> own;
    };
    std::vector<Known> keys;
    for (const MicroOp& op : history_.ops(history_.transactions()[t])) {
      auto known =
          std::find_if(keys.begin(), keys.end(), [&](const Known& each) { return each.key == op.key; });
      if (known == keys.end()) {
        keys.push_back({op.key, false, {}, {}});
        known = keys.end() - 1;
      }
      if (op.write) {
        known->own.push_back(op.value);
      } else if (op.known) {
        read(t, op, known->seen, known->before, known->own);
      }
    }
  }

  void read(std::uint32_t t, const MicroOp& op, bool& seen, Elements& before,
            const std::vector<ElementId>& own) {
    const Elements list = history_.list(op);
    const bool ends_well =
        list.size() >= own.size() &&
        std::equal(own.begin(), own.end(), list.end() - static_cast<std::ptrdiff_t>(own.size()));
    const Elements outside = ends_well ? list.first(list.size() - own.size()) : list;
    if (!ends_well || (seen && !std::equal(outside.begin(), outside.end(), before.begin(), before.end()))) {
      analysis_.found(
          AnomalyKind::internal,
          fmt::format("{} read key {} as {}, although {}{}{}", transaction_name(t), history_.key_name(op.key),
                      text(list), seen ? "it had read " + text(before) + " before" : "",
                      seen && !own.empty() ? " and " : "",
                      own.empty() ? "" : "it had itself appended " + text(own)),
          {t});
      return;
    }
    if (seen) return;
    seen = true;
    before = outside;
    if (shows_own(t, op, outside, list)) return;
    ++epoch_;
    for (const ElementId element : outside) {
      if (stamp_[element] == epoch_) {
        analysis_.found(AnomalyKind::duplicate_elements,
                        fmt::format("{} read key {} as {}, with {} in it twice", transaction_name(t),
                                    history_.key_name(op.key), text(outside), value(element)),
                        {t});
        return;
      }
      stamp_[element] = epoch_;
    }
    reads_.push_back({t, op.key, outside});
  }

  // What was there before its own appends cannot hold one of them.
  bool shows_own(std::uint32_t t, const MicroOp& op, Elements outside, Elements list) {
    for (const ElementId element : outside) {
      const WriteOf* writer = analysis_.writer(op.key, element);
      if (writer == nullptr || writer->transaction != t) continue;
      analysis_.found(AnomalyKind::internal,
                      fmt::format("{} read key {} as {}, with {} in it before it had appended {} itself",
                                  transaction_name(t), history_.key_name(op.key), text(list), value(element),
                                  value(element)),
                      {t});
      return true;
    }
    return false;
  }

  template <class F> void for_each_key(F visit) {
    for (std::size_t begin = 0; begin < reads_.size();) {
      std::size_t end = begin;
      while (end < reads_.size() && reads_[end].key == reads_[begin].key) ++end;
      visit(std::span(reads_).subspan(begin, end - begin));
      begin = end;
    }
  }

  // Whether the versions fit together, and whether what was read may have been read.
  void judge(std::span<ListRead> reads) {
    const ListRead& longest = reads.front();
    judge_elements(longest);
    for (ListRead& read : reads) {
      read.in_order = std::equal(read.list.begin(), read.list.end(), longest.list.begin());
      if (!read.in_order) {
        analysis_.found(
            AnomalyKind::incompatible_order,
            fmt::format("{} read key {} as {}, and {} read it as {}: neither is a beginning of the other",
                        transaction_name(longest.transaction), history_.key_name(longest.key),
                        text(longest.list), transaction_name(read.transaction), text(read.list)),
            {longest.transaction, read.transaction});
        judge_elements(read);
      }
      if (read.list.empty()) continue;
      const WriteOf* writer = analysis_.writer(read.key, read.list.back());
      if (writer == nullptr || writer->last) continue;
      GAINSAY_CHECK(writer->transaction != read.transaction,
                    "nobody saw its own appends in the world outside");
      analysis_.found(
          AnomalyKind::g1b,
          fmt::format("{} read key {} as {}, which ends with {}; {} appended more to it after that",
                      transaction_name(read.transaction), history_.key_name(read.key), text(read.list),
                      value(read.list.back()), transaction_name(writer->transaction)),
          {read.transaction, writer->transaction});
    }
    judge_updates(reads);
  }

  void judge_elements(const ListRead& read) {
    std::optional<std::uint32_t> aborted_writer;
    ElementId aborted_value = no_element;
    bool dirty = false;
    ++epoch_;
    for (const ElementId element : read.list) {
      const WriteOf* writer = analysis_.writer(read.key, element);
      stamp_[element] = epoch_;
      if (writer != nullptr && writer->previous != no_element && stamp_[writer->previous] != epoch_) {
        analysis_.found(
            AnomalyKind::internal,
            fmt::format("{} read key {} as {}, with {} before {}, which {} appended first",
                        transaction_name(read.transaction), history_.key_name(read.key), text(read.list),
                        value(element), value(writer->previous), transaction_name(writer->transaction)),
            {read.transaction, writer->transaction});
      }
      if (writer == nullptr) {
        analysis_.found(
            AnomalyKind::garbage_read,
            fmt::format("{} read key {} as {}; nobody appended {} to it", transaction_name(read.transaction),
                        history_.key_name(read.key), text(read.list), value(element)),
            {read.transaction});
      } else if (analysis_.aborted(writer->transaction)) {
        analysis_.found(AnomalyKind::g1a,
                        fmt::format("{} read key {} as {}; {} was appended by {}, which was aborted",
                                    transaction_name(read.transaction), history_.key_name(read.key),
                                    text(read.list), value(element), transaction_name(writer->transaction)),
                        {read.transaction, writer->transaction});
        aborted_writer = writer->transaction;
        aborted_value = element;
      } else {
        analysis_.observed(writer->transaction);
        if (!aborted_writer || dirty) continue;
        dirty = true;
        analysis_.found(
            AnomalyKind::dirty_update,
            fmt::format("{} appended {} to key {} on top of {} by {}, which was aborted",
                        transaction_name(writer->transaction), value(element), history_.key_name(read.key),
                        value(aborted_value), transaction_name(*aborted_writer)),
            {writer->transaction, *aborted_writer});
      }
    }
  }

  bool appends(std::uint32_t t, KeyId key) const {
    const auto ops = history_.ops(history_.transactions()[t]);
    return std::any_of(ops.begin(), ops.end(), [&](const MicroOp& op) { return op.write && op.key == key; });
  }

  // Two that read the same version and both append to it: one did not see the other.
  void judge_updates(std::span<ListRead> reads) {
    for (std::size_t begin = 0; begin < reads.size();) {
      std::size_t end = begin;
      std::vector<std::uint32_t> updaters;
      while (end < reads.size() && reads[end].list.size() == reads[begin].list.size()) {
        if (reads[end].in_order && appends(reads[end].transaction, reads[end].key))
          updaters.push_back(reads[end].transaction);
        ++end;
      }
      if (updaters.size() > 1) {
        analysis_.found(
            AnomalyKind::lost_update,
            fmt::format("{} and {}{} all read key {} as {} and then appended to it",
                        transaction_name(updaters[0]), transaction_name(updaters[1]),
                        updaters.size() > 2 ? fmt::format(" and {} more", updaters.size() - 2) : "",
                        history_.key_name(reads[begin].key), text(reads[begin].list)),
            updaters);
      }
      begin = end;
    }
  }

  // The dependencies that follow from one key.
  void connect(std::span<ListRead> reads) {
    const KeyId key = reads.front().key;
    const Elements order = reads.front().list;
    const auto writer_of = [&](ElementId element) -> std::optional<std::uint32_t> {
      const WriteOf* writer = analysis_.writer(key, element);
      if (writer == nullptr || analysis_.aborted(writer->transaction)) return std::nullopt;
      return writer->transaction;
    };
    ++epoch_;
    std::optional<std::uint32_t> before;
    ElementId before_value = no_element;
    for (const ElementId element : order) {
      stamp_[element] = epoch_;
      const auto writer = writer_of(element);
      if (!writer) continue;
      if (before) analysis_.graph.add({*before, *writer, Dependency::ww, key, before_value, element});
      before = writer;
      before_value = element;
    }
    std::vector<std::uint32_t> last_readers;
    for (const ListRead& read : reads) {
      const std::size_t length = read.list.size();
      if (length > 0) {
        if (const auto writer = writer_of(read.list.back()))
          analysis_.graph.add({*writer, read.transaction, Dependency::wr, key, read.list.back()});
      }
      if (!read.in_order) continue;
      if (length == order.size()) {
        last_readers.push_back(read.transaction);
      } else if (const auto writer = writer_of(order[length])) {
        const ElementId seen = length == 0 ? no_element : order[length - 1];
        analysis_.graph.add({read.transaction, *writer, Dependency::rw, key, seen, order[length]});
      }
    }
    // What nobody has seen was appended after the longest version that anybody has.
    std::vector<DependencyGraph::Writer> unseen;
    const auto [first, last] =
        std::equal_range(writes_.begin(), writes_.end(), CommittedWrite{key, 0, 0},
                         [](const CommittedWrite& a, const CommittedWrite& b) { return a.key < b.key; });
    for (auto write = first; write != last; ++write) {
      if (stamp_[write->value] != epoch_) unseen.push_back({write->transaction, write->value});
    }
    analysis_.graph.add_product(key, order.empty() ? no_element : order.back(), last_readers, unseen);
    if (before) {
      for (const DependencyGraph::Writer& writer : unseen)
        analysis_.graph.add({*before, writer.transaction, Dependency::ww, key, before_value, writer.value});
    }
    note_unseen(key, unseen);
  }

  // Keys that nobody has read have an order of their appends as well.
  void connect_unread() {
    for (std::size_t begin = 0; begin < writes_.size();) {
      std::size_t end = begin;
      std::vector<DependencyGraph::Writer> unseen;
      for (; end < writes_.size() && writes_[end].key == writes_[begin].key; ++end)
        unseen.push_back({writes_[end].transaction, writes_[end].value});
      const KeyId key = writes_[begin].key;
      begin = end;
      const auto read = std::lower_bound(reads_.begin(), reads_.end(), key,
                                         [](const ListRead& each, KeyId id) { return each.key < id; });
      if (read == reads_.end() || read->key != key) note_unseen(key, unseen);
    }
  }

  // Several transactions whose appends nobody has seen: some order of them there was.
  void note_unseen(KeyId key, const std::vector<DependencyGraph::Writer>& unseen) {
    UnseenWrites group{key, {}};
    for (const DependencyGraph::Writer& writer : unseen) {
      if (group.writers.empty() || group.writers.back().transaction != writer.transaction)
        group.writers.push_back(writer);
    }
    if (group.writers.size() > 1) analysis_.unseen.push_back(std::move(group));
  }

  Analysis& analysis_;
  const TransactionHistory& history_;
  std::vector<ListRead> reads_;
  std::vector<CommittedWrite> writes_;
  std::vector<std::uint32_t> stamp_;  // by element: the last epoch in which it was met
  std::uint32_t epoch_ = 0;
};

}  // namespace

void analyse_lists(Analysis& analysis) { Lists(analysis).run(); }

}  // namespace gainsay
