#include "gainsay/oracle/transactions/analysis.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"

namespace gainsay {

Analysis::Analysis(const TransactionHistory& the_history, TransactionModel the_model,
                   const TransactionOptions& the_options)
    : history(the_history),
      model(the_model),
      options(the_options),
      graph(static_cast<std::uint32_t>(the_history.transactions().size())),
      committed_(the_history.transactions().size()) {
  for (std::uint32_t t = 0; t < history.transactions().size(); ++t) {
    const Transaction& transaction = history.transactions()[t];
    committed_[t] = transaction.status == TransactionStatus::committed;
    const auto ops = history.ops(transaction);
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const MicroOp& op = ops[i];
      if (!op.write) continue;
      const bool last =
          std::none_of(ops.begin() + static_cast<std::ptrdiff_t>(i) + 1, ops.end(),
                       [&](const MicroOp& later) { return later.write && later.key == op.key; });
      ElementId previous = no_element;
      for (std::size_t j = 0; j < i; ++j) {
        if (ops[j].write && ops[j].key == op.key) previous = ops[j].value;
      }
      const auto [before, is_new] = writers_.try_emplace(place(op.key, op.value), WriteOf{t, last, previous});
      if (!is_new && broken_assumption_.empty()) {
        broken_assumption_ = fmt::format(
            "{} is written to key {} twice, by {} and {}; the order of versions can be inferred only where "
            "every "
            "value is written to a key at most once",
            history.value_name(op.value), history.key_name(op.key),
            transaction_name(before->second.transaction), transaction_name(t));
        if (transaction.line != 0) {
          broken_assumption_ +=
              fmt::format(" (lines {} and {})", history.transactions()[before->second.transaction].line,
                          transaction.line);
        }
      }
    }
  }
}

const WriteOf* Analysis::writer(KeyId key, ElementId value) const {
  const auto found_at = writers_.find(place(key, value));
  return found_at == writers_.end() ? nullptr : &found_at->second;
}

std::vector<CommittedWrite> Analysis::committed_writes(bool last_only) const {
  std::vector<CommittedWrite> writes;
  for (std::uint32_t t = 0; t < history.transactions().size(); ++t) {
    if (!committed(t)) continue;
    for (const MicroOp& op : history.ops(history.transactions()[t])) {
      if (op.write && (!last_only || writer(op.key, op.value)->last)) writes.push_back({op.key, t, op.value});
    }
  }
  std::stable_sort(writes.begin(), writes.end(),
                   [](const CommittedWrite& a, const CommittedWrite& b) { return a.key < b.key; });
  return writes;
}

void Analysis::found(AnomalyKind kind, std::string what, std::vector<std::uint32_t> transactions,
                     DependencyCycle cycle) {
  const auto index = static_cast<std::size_t>(kind);
  ++report.counts[index];
  if (shown_[index] == options.shown_max) return;
  ++shown_[index];
  Anomaly anomaly{kind, std::move(what), std::move(transactions), std::move(cycle), {}};
  for (const DependencyEdge& edge : anomaly.cycle) anomaly.because.push_back(reason(history, model, edge));
  report.anomalies.push_back(std::move(anomaly));
}

OrderedPairs session_pairs(const TransactionHistory& history,
                           const std::vector<std::uint32_t>& transactions) {
  std::map<std::string_view, std::vector<std::uint32_t>> of_process;
  for (std::uint32_t i = 0; i < transactions.size(); ++i)
    of_process[history.transactions()[transactions[i]].process].push_back(i);
  OrderedPairs pairs;
  for (auto& [process, members] : of_process) {
    std::stable_sort(members.begin(), members.end(), [&](std::uint32_t a, std::uint32_t b) {
      return history.transactions()[transactions[a]].invoked <
             history.transactions()[transactions[b]].invoked;
    });
    // Nobody was told when a transaction of unknown outcome ended: what the process did later need not follow it.
    std::optional<std::uint32_t> last;
    for (const std::uint32_t member : members) {
      if (last) pairs.emplace_back(*last, member);
      if (history.transactions()[transactions[member]].status == TransactionStatus::committed) last = member;
    }
  }
  return pairs;
}

// The frontier: complete transactions after which no other was both invoked and completed. Whoever is invoked now
// comes after these, and through them after all that completed earlier.
OrderedPairs realtime_pairs(const TransactionHistory& history,
                            const std::vector<std::uint32_t>& transactions) {
  struct Moment {
    std::uint64_t at;
    bool completes;
    std::uint32_t index;
  };
  const auto transaction = [&](std::uint32_t index) -> const Transaction& {
    return history.transactions()[transactions[index]];
  };
  std::vector<Moment> moments;
  for (std::uint32_t i = 0; i < transactions.size(); ++i) {
    moments.push_back({transaction(i).invoked, false, i});
    if (transaction(i).completed != not_completed) moments.push_back({transaction(i).completed, true, i});
  }
  // At one moment invocations come first: what merely touches is concurrent.
  std::sort(moments.begin(), moments.end(), [](const Moment& a, const Moment& b) {
    return std::tie(a.at, a.completes, a.index) < std::tie(b.at, b.completes, b.index);
  });
  OrderedPairs pairs;
  std::vector<std::uint32_t> frontier;
  for (const Moment& moment : moments) {
    if (moment.completes) {
      std::erase_if(frontier, [&](std::uint32_t before) {
        return transaction(before).completed < transaction(moment.index).invoked;
      });
      frontier.push_back(moment.index);
    } else {
      for (const std::uint32_t before : frontier) pairs.emplace_back(before, moment.index);
    }
  }
  return pairs;
}

namespace {

std::vector<std::uint32_t> all_committed(const Analysis& analysis) {
  std::vector<std::uint32_t> transactions;
  for (std::uint32_t t = 0; t < analysis.history.transactions().size(); ++t) {
    if (analysis.committed(t)) transactions.push_back(t);
  }
  return transactions;
}

std::string cycle_text(const DependencyCycle& cycle) {
  std::string text = fmt::format("a cycle of {} transactions: ", cycle.size());
  for (const DependencyEdge& edge : cycle) text += transaction_name(edge.from) + " < ";
  return text + transaction_name(cycle.front().from);
}

std::vector<std::uint32_t> members(const DependencyCycle& cycle) {
  std::vector<std::uint32_t> result;
  for (const DependencyEdge& edge : cycle) {
    if (std::find(result.begin(), result.end(), edge.from) == result.end()) result.push_back(edge.from);
  }
  return result;
}

constexpr DependencyMask ww = mask_of(Dependency::ww);
constexpr DependencyMask wr = mask_of(Dependency::wr);
constexpr DependencyMask rw = mask_of(Dependency::rw);
constexpr DependencyMask orders = mask_of(Dependency::process) | mask_of(Dependency::realtime);

}  // namespace

void add_session_order(Analysis& analysis) {
  const auto transactions = all_committed(analysis);
  for (const auto& [a, b] : session_pairs(analysis.history, transactions))
    analysis.graph.add({transactions[a], transactions[b], Dependency::process});
}

void add_realtime_order(Analysis& analysis) {
  const auto transactions = all_committed(analysis);
  for (const auto& [a, b] : realtime_pairs(analysis.history, transactions))
    analysis.graph.add({transactions[a], transactions[b], Dependency::realtime});
}

namespace {

// Tries orders of the unseen writes, group by group, each the next one of its group.
class UnseenOrders {
 public:
  explicit UnseenOrders(Analysis& analysis) : analysis_(analysis) {
    // The order in which they were begun is a good guess.
    for (UnseenWrites& group : analysis.unseen) {
      std::stable_sort(group.writers.begin(), group.writers.end(), [&](const auto& a, const auto& b) {
        return analysis.history.transactions()[a.transaction].invoked <
               analysis.history.transactions()[b.transaction].invoked;
      });
    }
  }

  enum class Answer : std::uint8_t { found, none, gave_up };
  Answer search() {
    // All at once: where nothing speaks against the guess, this is the only look.
    for (const UnseenWrites& group : analysis_.unseen) {
      for (std::size_t i = 1; i < group.writers.size(); ++i) add(group, i - 1, i);
    }
    if (fits()) return Answer::found;
    first_cycle = std::move(cycle_);
    extra_.clear();
    return extend(0, {});
  }

  DependencyCycle first_cycle;  // in the order of their beginnings

 private:
  static constexpr std::uint64_t edges_looked_at_max = 20'000'000;

  void add(const UnseenWrites& group, std::size_t from, std::size_t to) {
    const DependencyGraph::Writer& a = group.writers[from];
    const DependencyGraph::Writer& b = group.writers[to];
    extra_.push_back({a.transaction, b.transaction, Dependency::ww, group.key, a.value, b.value});
  }

  bool fits() {
    const DependencyGraph graph = analysis_.graph.with(extra_);
    looked_at_ += graph.edge_count();
    const auto of_information = graph.components(ww | wr);
    if (!of_information.large.empty()) {
      std::uint64_t visits = analysis_.options.visits_max;
      if (auto cycle = graph.cycle(of_information, of_information.large.front(), ww | wr, ww | wr, visits))
        cycle_ = std::move(*cycle);
      return false;
    }
    auto cycle = graph.nonadjacent_cycle(ww | wr);
    if (cycle) cycle_ = std::move(*cycle);
    return !cycle;
  }

  // `placed` are those of the group that have their place, in order.
  Answer extend(std::size_t group_index, std::vector<std::size_t> placed) {
    if (group_index == analysis_.unseen.size()) return Answer::found;
    const UnseenWrites& group = analysis_.unseen[group_index];
    if (placed.size() == group.writers.size()) return extend(group_index + 1, {});
    for (std::size_t next = 0; next < group.writers.size(); ++next) {
      if (std::find(placed.begin(), placed.end(), next) != placed.end()) continue;
      if (looked_at_ > edges_looked_at_max) return Answer::gave_up;
      // Before all that have no place yet, whatever their order will be.
      const std::size_t extra_before = extra_.size();
      for (std::size_t later = 0; later < group.writers.size(); ++later) {
        if (later != next && std::find(placed.begin(), placed.end(), later) == placed.end())
          add(group, next, later);
      }
      if (fits()) {
        std::vector<std::size_t> more = placed;
        more.push_back(next);
        const Answer answer = extend(group_index, std::move(more));
        if (answer != Answer::none) return answer;
      }
      extra_.resize(extra_before);
    }
    return Answer::none;
  }

  Analysis& analysis_;
  std::vector<DependencyEdge> extra_;
  DependencyCycle cycle_;
  std::uint64_t looked_at_ = 0;
};

}  // namespace

void order_unseen(Analysis& analysis) {
  if (analysis.unseen.empty()) return;
  UnseenOrders orders(analysis);
  switch (orders.search()) {
    case UnseenOrders::Answer::found:
      return;
    case UnseenOrders::Answer::none: {
      const auto rw_edges = std::count_if(orders.first_cycle.begin(), orders.first_cycle.end(),
                                          [](const DependencyEdge& e) { return e.kind == Dependency::rw; });
      analysis.found(
          rw_edges == 1 ? AnomalyKind::g_single : AnomalyKind::g_nonadjacent,
          "no order of the appends that nobody has read is possible; in the order in which they were "
          "begun, " +
              cycle_text(orders.first_cycle),
          members(orders.first_cycle), orders.first_cycle);
      return;
    }
    case UnseenOrders::Answer::gave_up:
      analysis.note(
          fmt::format("not decided: whether the appends that nobody read can be ordered ({} keys have "
                      "several); ok means that nothing else contradicts {}",
                      analysis.unseen.size(), isolation_name(analysis.options.level)));
  }
}

// From the strongest phenomenon to the weakest, so that each component is named by the worst in it.
void find_cycles(Analysis& analysis) {
  const DependencyGraph& graph = analysis.graph;
  std::uint64_t visits_left = analysis.options.visits_max;
  bool cut = false;
  const auto add = [&](AnomalyKind kind, const std::optional<DependencyCycle>& cycle) {
    if (cycle) analysis.found(kind, cycle_text(*cycle), members(*cycle), *cycle);
    cut = cut || visits_left == 0;
    return cycle.has_value();
  };
  const auto of_writes = graph.components(ww | orders);
  for (const auto& component : of_writes.large)
    add(AnomalyKind::g0, graph.cycle(of_writes, component, ww | orders, ww | orders, visits_left));
  const auto of_information = graph.components(ww | wr | orders);
  for (const auto& component : of_information.large)
    add(AnomalyKind::g1c, graph.cycle(of_information, component, wr, ww | wr | orders, visits_left));
  bool nonadjacent = false;
  const auto all = graph.components(ww | wr | rw | orders);
  for (const auto& component : all.large) {
    const bool single =
        add(AnomalyKind::g_single, graph.cycle(all, component, rw, ww | wr | orders, visits_left));
    nonadjacent = nonadjacent || single;
    if (single) continue;
    const auto cycle = graph.cycle(all, component, rw, ww | wr | rw | orders, visits_left);
    if (add(AnomalyKind::g2, cycle)) continue;
    // Only a search that was cut short misses a cycle through an rw edge of a component.
    const bool explained =
        std::any_of(of_information.large.begin(), of_information.large.end(),
                    [&](const auto& part) { return all.of[part.front()] == all.of[component.front()]; });
    if (!explained) {
      analysis.found(AnomalyKind::g2,
                     fmt::format("a cycle of {} transactions, too large to show", component.size()), {});
    }
  }
  if (!nonadjacent) add(AnomalyKind::g_nonadjacent, graph.nonadjacent_cycle(ww | wr | orders));
  if (cut) {
    analysis.note(fmt::format(
        "the search for short cycles ended after {} visits: a cycle may be reported as a weaker anomaly",
        analysis.options.visits_max));
  }
}

}  // namespace gainsay
