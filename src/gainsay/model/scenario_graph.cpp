#include "gainsay/model/scenario_graph.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include "gainsay/base/parallel.hpp"
#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/explorer/record.hpp"
#include "gainsay/model/graph_worker.hpp"

namespace gainsay {
namespace {

void refuse_graph(const Blueprint& blueprint, const GraphOptions& options) {
  if (blueprint.has_opaque())
    throw UserError(fmt::format(
        "scenario '{}' has opaque actors (world.wrap): their states cannot be stored, so there is no graph",
        blueprint.scenario));
  if (blueprint.timed)
    throw UserError(
        fmt::format("scenario '{}' has simulated time, which graphs do not support; use 'gainsay explore'",
                    blueprint.scenario));
  if (!blueprint.history_properties.empty() && !options.without_histories)
    throw UserError(
        fmt::format("scenario '{}' has a history property ('{}'), and a state does not contain its history; "
                    "use --without-histories to check everything else",
                    blueprint.scenario, blueprint.history_properties.front().name));
  if (options.workers == 0) throw UserError("--jobs must be at least 1");
}

// A numbered edge before its event has its final number.
struct NumberedEdge {
  std::uint32_t event;
  GraphNode to;
};

class GraphSearch {
 public:
  GraphSearch(GraphShared& shared, const GraphOptions& options) : shared_(shared), options_(options) {
    for (unsigned i = 0; i < options.workers; ++i) workers_.push_back(std::make_unique<GraphWorker>(shared));
  }

  void run() {
    workers_.front()->begin();
    collect_found();
    keep_found();
    while (begin_ < keys_.size() && incomplete_.empty()) expand_level();
    // What was found and not expanded has no edges.
    counts_.resize(keys_.size(), 0);
  }

  // Puts the graph together; the events get their final numbers.
  void fill(ScenarioGraph& result);

 private:
  static constexpr std::size_t chunk_states = 1024;

  bool stopped() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }

  void expand_level() {
    const std::vector<WaitingState> states = std::move(waiting_);
    const auto rows = std::move(waiting_rows_);
    std::vector<EdgeChunk> chunks((states.size() + chunk_states - 1) / chunk_states);
    std::atomic<std::size_t> next{0};
    std::size_t done = 0;
    while (done < chunks.size() && incomplete_.empty()) {
      // In parts, so that the table can grow between them.
      while (!shared_.table.roomy()) shared_.table.grow();
      const std::size_t part = std::min(chunks.size(), done + 16 * workers_.size());
      run_together(static_cast<unsigned>(std::min(workers_.size(), part - done)), [&](unsigned worker) {
        while (!stopped()) {
          const std::size_t at = next.fetch_add(1);
          if (at >= part) return;
          const std::size_t from = at * chunk_states;
          workers_[worker]->expand(
              std::span(states).subspan(from, std::min(chunk_states, states.size() - from)), chunks[at]);
        }
      });
      for (const auto& worker : workers_) {
        while (worker->has_overflow()) {
          shared_.table.grow();
          worker->add_overflow();
        }
      }
      done = part;
      next = part;
      note_progress();
      if (stopped()) incomplete_ = "interrupted";
      if (options_.states_max && shared_.table.size() >= *options_.states_max) incomplete_ = "--max-states";
      if (bytes() > options_.memory_max) incomplete_ = "--max-memory";
    }
    for (EdgeChunk& chunk : chunks) {
      const std::size_t from = static_cast<std::size_t>(&chunk - chunks.data()) * chunk_states;
      chunk.counts.resize(std::min(chunk_states, states.size() - from), 0);  // where the search was stopped
    }
    begin_ += states.size();
    ++level_;
    collect_found();
    resolve(chunks);
    keep_found();
  }

  // Takes over the states that were found on this level; until they are in order they are numbered as they come.
  void collect_found() {
    waiting_rows_.clear();
    for (const auto& worker : workers_) {
      for (auto& row : worker->take_rows()) waiting_rows_.push_back(std::move(row));
      const std::vector<WaitingState> found = worker->take_found();
      waiting_.insert(waiting_.end(), found.begin(), found.end());
    }
    if (keys_.size() + waiting_.size() >= no_node)
      throw UserError("the graph has more than 4,294,967,294 states");
    for (std::size_t i = 0; i < waiting_.size(); ++i)
      shared_.table.set(waiting_[i].fingerprint, static_cast<GraphNode>(keys_.size() + i));
  }

  // The states of `waiting_` get their numbers, in its order.
  void keep_found() {
    for (const WaitingState& state : waiting_) {
      shared_.table.set(state.fingerprint, static_cast<GraphNode>(keys_.size()));
      keys_.push_back(state.fingerprint);
      depth_.push_back(level_);
      if (options_.values) add_row(RecordView{state.words}.cells());
    }
  }

  void add_row(std::span<const CellId> cells) {
    if (cells.size() > width_) {  // spawned actors: earlier rows get an empty place
      std::vector<CellId> wider;
      wider.reserve(cell_rows_.size() / std::max<std::size_t>(width_, 1) * cells.size());
      for (std::size_t at = 0; at < cell_rows_.size(); at += width_) {
        wider.insert(wider.end(), cell_rows_.begin() + static_cast<std::ptrdiff_t>(at),
                     cell_rows_.begin() + static_cast<std::ptrdiff_t>(at + width_));
        wider.insert(wider.end(), cells.size() - width_, 0);
      }
      cell_rows_ = std::move(wider);
      width_ = cells.size();
    }
    cell_rows_.insert(cell_rows_.end(), cells.begin(), cells.end());
    cell_rows_.insert(cell_rows_.end(), width_ - cells.size(), 0);
  }

  // Edges of a level lead no further than the next one: all their targets have numbers now. New states are put into the
  // order in which edges lead to them, so that neighbours have near numbers; edges of a state are taken in the order of
  // the fingerprints that they lead to, which does not depend on who found them.
  void resolve(std::vector<EdgeChunk>& chunks) {
    std::vector<std::vector<NumberedEdge>> numbered(chunks.size());
    std::atomic<std::size_t> next{0};
    run_together(static_cast<unsigned>(std::min(workers_.size(), chunks.size())), [&](unsigned) {
      for (std::size_t at = next.fetch_add(1); at < chunks.size(); at = next.fetch_add(1)) {
        std::vector<LooseEdge>& loose = chunks[at].edges;
        std::size_t begin = 0;
        for (const std::uint32_t count : chunks[at].counts) {
          const auto row = std::span(loose).subspan(begin, count);
          std::sort(row.begin(), row.end(),
                    [](const LooseEdge& a, const LooseEdge& b) { return a.target < b.target; });
          begin += count;
        }
        numbered[at].reserve(loose.size());
        for (std::size_t i = 0; i < loose.size(); ++i) {
          if (i + 16 < loose.size()) shared_.table.prefetch(loose[i + 16].target);
          numbered[at].push_back({loose[i].event, shared_.table[loose[i].target]});
        }
        chunks[at].edges = {};
      }
    });
    const auto base = static_cast<GraphNode>(keys_.size());
    std::vector<GraphNode> final_number(waiting_.size(), no_node);
    std::vector<WaitingState> in_order;
    in_order.reserve(waiting_.size());
    for (std::size_t at = 0; at < chunks.size(); ++at) {
      for (NumberedEdge& edge : numbered[at]) {
        if (edge.to < base) continue;
        GraphNode& number = final_number[edge.to - base];
        if (number == no_node) {
          number = base + static_cast<GraphNode>(in_order.size());
          in_order.push_back(waiting_[edge.to - base]);
        }
        edge.to = number;
      }
      counts_.insert(counts_.end(), chunks[at].counts.begin(), chunks[at].counts.end());
      edges_count_ += numbered[at].size();
      edges_.push_back(std::move(numbered[at]));
    }
    GAINSAY_CHECK(in_order.size() == waiting_.size(), "an edge leads to every state that was found");
    GAINSAY_CHECK(counts_.size() == begin_, "every expanded state has its count of edges");
    waiting_ = std::move(in_order);
    if (edges_count_ >= no_edge) throw UserError("the graph has more than 4,294,967,294 edges");
  }

  std::uint64_t bytes() const {
    return shared_.table.bytes() + shared_.kernel->bytes() + edges_count_ * 2 * sizeof(NumberedEdge) +
           keys_.capacity() * 16 + cell_rows_.capacity() * 8;
  }
  void note_progress() {
    if (options_.progress == nullptr) return;
    options_.progress->states = shared_.table.size();
    options_.progress->transitions = edges_count_;
    options_.progress->depth = level_;
    options_.progress->frontier = shared_.table.size() - begin_;
    options_.progress->memory_bytes = bytes();
  }

  void fill_edges(ScenarioGraph& result);
  void fill_values(ScenarioGraph& result);
  void fill_violations(ScenarioGraph& result);
  void fill_marks(ScenarioGraph& result);

  GraphShared& shared_;
  const GraphOptions& options_;
  std::vector<std::unique_ptr<GraphWorker>> workers_;
  std::vector<WaitingState> waiting_;  // the level that comes next
  std::vector<std::vector<std::uint32_t>> waiting_rows_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> depth_;
  std::size_t begin_ = 0;  // of the nodes, so many are expanded
  std::uint32_t level_ = 0;
  std::vector<std::uint32_t> counts_;
  std::vector<std::vector<NumberedEdge>> edges_;
  std::uint64_t edges_count_ = 0;
  std::size_t width_ = 0;
  std::vector<CellId> cell_rows_;
  std::string incomplete_;
};

void GraphSearch::fill_edges(ScenarioGraph& result) {
  StateGraph& graph = result.graph;
  std::vector<GraphEvent> events = shared_.book.take_events();
  std::vector<std::uint32_t> order(events.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (const auto by = compare(events[a], events[b]); by != 0) return by < 0;
    return events[a].identity < events[b].identity;
  });
  std::vector<std::uint32_t> number(events.size());
  for (const std::uint32_t each : order) {
    // Messages that print alike and are not the same.
    if (!graph.events.empty() && compare(graph.events.back(), events[each]) == 0)
      events[each].text += fmt::format(" #{:016x}", events[each].identity);
    number[each] = static_cast<std::uint32_t>(graph.events.size());
    graph.events.push_back(std::move(events[each]));
    result.envelopes.push_back(shared_.book.envelopes()[each]);
  }
  graph.to.reserve(edges_count_);
  graph.event.reserve(edges_count_);
  graph.first.resize(keys_.size() + 1);
  std::size_t chunk = 0;
  std::size_t at = 0;
  for (std::size_t node = 0; node < keys_.size(); ++node) {
    if (counts_[node] > 0) {
      while (at == edges_[chunk].size()) {
        edges_[chunk++] = {};
        at = 0;
      }
      const auto row = std::span(edges_[chunk]).subspan(at, counts_[node]);
      for (NumberedEdge& edge : row) edge.event = number[edge.event];
      std::sort(row.begin(), row.end(), [](const NumberedEdge& a, const NumberedEdge& b) {
        return std::pair(a.event, a.to) < std::pair(b.event, b.to);
      });
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (i > 0 && row[i].event == row[i - 1].event && row[i].to == row[i - 1].to) continue;
        graph.to.push_back(row[i].to);
        graph.event.push_back(row[i].event);
      }
      at += counts_[node];
    }
    graph.first[node + 1] = static_cast<GraphEdge>(graph.to.size());
  }
  graph.initial = {0};
}

// Columns: the scenario's actors in their order, then spawned ones by id. Values: by text, then hash.
void GraphSearch::fill_values(ScenarioGraph& result) {
  StateGraph& graph = result.graph;
  const Kernel& kernel = *shared_.kernel;
  const std::size_t fixed = std::min(shared_.plan.actors.size(), width_);
  result.slots.resize(width_);
  std::iota(result.slots.begin(), result.slots.end(), 0U);
  std::sort(
      result.slots.begin() + static_cast<std::ptrdiff_t>(fixed), result.slots.end(),
      [&](Slot a, Slot b) { return kernel.directory().id_of(a).raw < kernel.directory().id_of(b).raw; });
  for (const Slot slot : result.slots) graph.columns.push_back(kernel.directory().name_of(slot));
  std::vector<CellId> cells = cell_rows_;
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  if (cells.empty() || cells.front() != 0) cells.insert(cells.begin(), 0);
  std::vector<std::pair<std::string, CellId>> texts;
  for (const CellId cell : cells) texts.emplace_back(cell_text(kernel, cell), cell);
  std::sort(texts.begin(), texts.end(), [&](const auto& a, const auto& b) {
    if (a.first != b.first || a.second == 0 || b.second == 0) return a.first < b.first;
    return kernel.cell(a.second).hash < kernel.cell(b.second).hash;
  });
  GAINSAY_CHECK(texts.front().second == 0, "the value of an actor that is not there comes first");
  std::vector<std::uint32_t> number(cells.back() + std::size_t{1}, 0);
  for (const auto& [text, cell] : texts) {
    number[cell] = static_cast<std::uint32_t>(graph.values.size());
    graph.values.add(text);
    graph.value_hashes.push_back(
        cell == 0 || kernel.cell(cell).value == 0 ? 0 : kernel.value(kernel.cell(cell).value).hash);
    result.cells.push_back(cell);
  }
  graph.rows.resize(cell_rows_.size());
  for (std::size_t at = 0; at < cell_rows_.size(); at += width_) {
    for (std::size_t column = 0; column < width_; ++column)
      graph.rows[at + column] = number[cell_rows_[at + result.slots[column]]];
  }
  cell_rows_ = {};
}

// The first complaint of each kind: the least node of the least depth, which is the least node.
void GraphSearch::fill_violations(ScenarioGraph& result) {
  std::map<std::string, GraphViolation> first;
  for (const auto& worker : workers_) {
    for (SeenViolation& each : worker->seen) {
      const GraphNode node = shared_.table[each.state];
      const std::string key = violation_key(each.violation);
      const auto [where, added] = first.try_emplace(key, GraphViolation{each.violation, node});
      if (added) continue;
      const auto order = [](const GraphViolation& v) { return std::tie(v.node, v.violation.message); };
      GraphViolation other{std::move(each.violation), node};
      if (order(other) < order(where->second)) where->second = std::move(other);
    }
  }
  for (auto& [key, violation] : first) result.violations.push_back(std::move(violation));
  std::stable_sort(result.violations.begin(), result.violations.end(),
                   [](const GraphViolation& a, const GraphViolation& b) { return a.node < b.node; });
}

void GraphSearch::fill_marks(ScenarioGraph& result) {
  StateGraph& graph = result.graph;
  const auto cells_of = [&](GraphNode node, std::vector<CellId>& cells) {
    cells.assign(result.slots.size(), 0);
    for (std::size_t column = 0; column < result.slots.size(); ++column)
      cells[result.slots[column]] = result.cells[graph.row(node)[column]];
  };
  std::vector<CellId> cells;
  for (const Slot monitor : shared_.kernel->monitors()) {
    const ActorType& type = *shared_.plan.actors[monitor].type;
    if (type.heat == nullptr) continue;
    GraphMark mark{shared_.plan.actors[monitor].name, std::vector<bool>(graph.nodes())};
    GraphMark warm{mark.name + warm_suffix, std::vector<bool>(graph.nodes())};
    for (GraphNode node = 0; node < graph.nodes(); ++node) {
      cells_of(node, cells);
      const Heat heat = type.heat(shared_.kernel->cell(cells[monitor]).data);
      mark.holds[node] = heat != Heat::hot;
      warm.holds[node] = heat == Heat::warm;
    }
    const bool ever_warm = std::find(warm.holds.begin(), warm.holds.end(), true) != warm.holds.end();
    graph.marks.push_back(std::move(mark));
    if (ever_warm) graph.marks.push_back(std::move(warm));
  }
  for (const std::string& name : options_.marks) {
    const auto property = std::find_if(shared_.plan.properties.begin(), shared_.plan.properties.end(),
                                       [&](const Property& each) { return each.name == name; });
    if (property == shared_.plan.properties.end()) {
      if (std::any_of(graph.marks.begin(), graph.marks.end(),
                      [&](const GraphMark& m) { return m.name == name; }))
        continue;
      std::vector<std::string> names;
      for (const Property& each : shared_.plan.properties) names.push_back(each.name);
      throw UserError(fmt::format("scenario '{}' has no property '{}'{}", shared_.plan.scenario, name,
                                  names.empty() ? std::string(" (it has none)")
                                                : fmt::format(" (it has: {})", fmt::join(names, ", "))));
    }
    GraphMark mark{name, std::vector<bool>(graph.nodes())};
    for (GraphNode node = 0; node < graph.nodes(); ++node) {
      cells_of(node, cells);
      const StateReader reader(shared_.engine, std::span<const CellId>(cells));
      mark.holds[node] = !property->check(View(reader));
    }
    graph.marks.push_back(std::move(mark));
  }
}

void GraphSearch::fill(ScenarioGraph& result) {
  fill_violations(result);
  fill_edges(result);
  result.graph.keys = std::move(keys_);
  result.depth = std::move(depth_);
  if (options_.values) {
    fill_values(result);
    fill_marks(result);
  }
  result.incomplete_because = incomplete_;
  const auto n = static_cast<double>(result.graph.nodes());
  result.collision_probability = -std::expm1(-n * (n - 1) / 0x1p65);
  result.handler_calls = shared_.kernel->handler_calls();
  note_progress();
}

}  // namespace

ScenarioGraph explore_graph(const Scenario& scenario, const OptionTexts& scenario_options,
                            const GraphOptions& options) {
  ScenarioGraph result;
  result.blueprint = std::make_unique<Blueprint>(scenario.build(scenario_options));
  refuse_graph(*result.blueprint, options);
  if (!options.marks.empty() && !options.values)
    throw UserError("properties need the values of states; keep the values");
  result.graph.source = StateGraph::Source::scenario;
  result.graph.name = scenario.name();
  result.graph.options = scenario.complete(scenario_options);
  GraphShared shared(*result.blueprint, std::make_unique<Kernel>(*result.blueprint));
  {
    GraphSearch search(shared, options);
    search.run();
    search.fill(result);
  }
  result.kernel = std::move(shared.kernel);
  return result;
}

}  // namespace gainsay
