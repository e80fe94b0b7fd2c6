#include "gainsay/model/scenario_graph.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include "gainsay/base/parallel.hpp"
#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/execution/world/hash_difference.hpp"
#include "gainsay/explorer/record.hpp"
#include "gainsay/model/graph_events.hpp"
#include "gainsay/model/node_table.hpp"

namespace gainsay {
namespace {

void refuse_graph(const Blueprint& blueprint, const GraphOptions& options) {
  if (blueprint.has_opaque())
    throw UserError(
        fmt::format("scenario '{}' has opaque actors (world.wrap): their states cannot be stored, so "
                    "there is no graph of them",
                    blueprint.scenario));
  if (blueprint.timed)
    throw UserError(
        fmt::format("scenario '{}' has simulated time: its states never repeat, so its graph has no end",
                    blueprint.scenario));
  if (!blueprint.history_properties.empty() && !options.without_histories)
    throw UserError(
        fmt::format("scenario '{}' judges histories ('{}'): a state does not know how it was reached; "
                    "use --without-histories, which judges everything else",
                    blueprint.scenario, blueprint.history_properties.front().name));
  if (options.workers == 0) throw UserError("--workers must be at least 1");
}

// A state that waits to be numbered or expanded: its record stands at `words` of some row.
struct WaitingState {
  std::uint64_t fingerprint = 0;
  const std::uint32_t* words = nullptr;
  bool judged_wrong = false;  // it breaks an invariant: it gets no edges
};

// A step before its target has a number.
struct LooseEdge {
  std::uint64_t target = 0;
  std::uint32_t event = 0;
};

// The steps of a run of nodes.
struct EdgeChunk {
  std::vector<std::uint32_t> counts;  // by node
  std::vector<LooseEdge> edges;
};

struct SeenViolation {
  Violation violation;
  std::uint64_t state = 0;
};

struct GraphShared {
  explicit GraphShared(const Blueprint& blueprint, std::unique_ptr<Kernel> owned)
      : kernel(std::move(owned)), engine(*kernel), book(*kernel), plan(blueprint) {}

  std::unique_ptr<Kernel> kernel;
  std::mutex mutex;  // over the kernel
  Engine engine;     // for whoever looks at states while no worker runs
  NodeTable table;
  EventBook book;
  const Blueprint& plan;
};

class GraphWorker {
 public:
  explicit GraphWorker(GraphShared& shared)
      : shared_(shared),
        engine_(*shared.kernel, shared.mutex),
        difference_(engine_.front, engine_.network, engine_.hash),
        judge_(shared.plan),
        pages_(shared.book) {}

  void begin() {
    engine_.stepper.initial(next_);
    const std::uint64_t fingerprint = engine_.hash.of(next_);
    const NodeTable::Outcome outcome = shared_.table.insert(fingerprint);
    GAINSAY_CHECK(outcome == NodeTable::Outcome::added, "the first state is new");
    auto violation = judge_.look(StateReader(engine_, next_), nobody, no_step);
    if (violation) see(std::move(*violation), fingerprint);
    keep(fingerprint, violation.has_value());
  }

  // Finds the steps of each state; new states are kept.
  void expand(std::span<const WaitingState> states, EdgeChunk& chunk) {
    chunk.counts.reserve(states.size());
    for (const WaitingState& state : states) {
      const std::size_t before = chunk.edges.size();
      if (!state.judged_wrong) expand(state, chunk);
      chunk.counts.push_back(static_cast<std::uint32_t>(chunk.edges.size() - before));
    }
  }
  // Tries again what found the table full.
  void add_overflow() {
    for (Late& late : std::exchange(overflow_, {})) {
      world_ = std::move(late.world);
      settle({late.fingerprint, late.leaf, late.alternative}, late.from);
    }
  }
  bool has_overflow() const { return !overflow_.empty(); }

  std::vector<std::vector<std::uint32_t>> take_rows() { return std::exchange(rows_, {}); }
  std::vector<WaitingState> take_found() { return std::exchange(found_, {}); }
  std::vector<SeenViolation> seen;

 private:
  struct Candidate {
    std::uint64_t fingerprint = 0;
    const Leaf* leaf = nullptr;
    Alternative alternative;
  };
  struct Late {
    WorldState world;
    std::uint64_t fingerprint = 0;
    const Leaf* leaf = nullptr;
    Alternative alternative;
    std::uint64_t from = 0;
  };
  static constexpr std::size_t row_words_kept = std::size_t{1} << 18U;

  void see(Violation violation, std::uint64_t state) { seen.push_back({std::move(violation), state}); }

  bool interchangeable(EnvelopeId id) {
    return !engine_.network.causal() && engine_.network.route(id).order == Delivery::unordered;
  }

  void expand(const WaitingState& state, EdgeChunk& chunk) {
    try {
      decode(RecordView{state.words}, engine_, world_);
    } catch (...) {  // a gate threw
      see(violation_of_exception(no_step), state.fingerprint);
      return;
    }
    difference_.prepare(world_);
    engine_.network.enabled(world_, alternatives_);
    if (alternatives_.quiescent) {
      if (auto violation = judge_.look_at_end(StateReader(engine_, world_), no_step))
        see(std::move(*violation), state.fingerprint);
    }
    candidates_.clear();
    done_.clear();
    const std::size_t count = alternatives_.all ? world_.pending.size() : alternatives_.list.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Alternative alternative = alternatives_.at(world_, i);
      if (alternative.kind == EventKind::stop) continue;
      if (alternative.kind <= EventKind::corrupt) {
        const EnvelopeId envelope = world_.pending[alternative.target].envelope;
        if (interchangeable(envelope)) {
          const std::pair same{alternative.kind, envelope};
          if (std::find(done_.begin(), done_.end(), same) != done_.end()) continue;
          done_.push_back(same);
        }
      }
      const std::span<const Leaf> leaves = engine_.leaves_of(world_, alternative);
      if (leaves.empty()) consider(state.fingerprint, alternative, nullptr, chunk);
      for (const Leaf& leaf : leaves) consider(state.fingerprint, alternative, &leaf, chunk);
    }
    for (const Candidate& candidate : candidates_) settle(candidate, state.fingerprint);
  }

  void consider(std::uint64_t from, const Alternative& alternative, const Leaf* leaf, EdgeChunk& chunk) {
    if (leaf != nullptr && leaf->transition.extras != nullptr && leaf->transition.extras->failure) {
      const Failure& failure = *leaf->transition.extras->failure;
      see({failure.property, failure.message, engine_.event_of(world_, alternative).receiver, no_step}, from);
      return;
    }
    std::uint64_t next = 0;
    if (const auto difference = difference_.of(alternative, leaf)) {
      next = from + *difference;
    } else {
      if (!step(alternative, leaf, from)) return;
      next = engine_.hash.of(next_);
    }
    if (next == 0) next = 1;
    chunk.edges.push_back({next, pages_.number(engine_, world_, alternative, leaf)});
    candidates_.push_back({next, leaf, alternative});
    shared_.table.prefetch(next);
  }

  void settle(const Candidate& candidate, std::uint64_t from) {
    const NodeTable::Outcome outcome = shared_.table.insert(candidate.fingerprint);
    if (outcome == NodeTable::Outcome::known) return;
    if (outcome == NodeTable::Outcome::full) {
      overflow_.push_back({world_, candidate.fingerprint, candidate.leaf, candidate.alternative, from});
      return;
    }
    const bool executed = step(candidate.alternative, candidate.leaf, from);
    GAINSAY_CHECK(executed, "a step that was found to succeed succeeds");
    bool wrong = false;
    const ActorId actor =
        result_.slot == Directory::no_slot ? nobody : shared_.kernel->directory().id_of(result_.slot);
    if (result_.monitors_changed || (result_.changed && judge_.concerned(actor))) {
      if (auto violation = engine_.judge_step(judge_, StateReader(engine_, next_), result_, no_step)) {
        violation->actor = nobody;  // as a property says it of the state
        see(std::move(*violation), candidate.fingerprint);
        wrong = true;
      }
    }
    keep(candidate.fingerprint, wrong);
  }

  bool step(const Alternative& alternative, const Leaf* leaf, std::uint64_t from) {
    static const Leaf nothing;
    next_ = world_;
    try {
      engine_.stepper.step_known(next_, alternative, leaf != nullptr ? *leaf : nothing, result_);
    } catch (...) {
      see(violation_of_exception(no_step), from);
      return false;
    }
    if (!next_.live.empty()) throw UserError("a handler spawns an opaque actor; its states cannot be stored");
    if (result_.failure == nullptr) return true;
    const ActorId actor =
        result_.slot == Directory::no_slot ? nobody : shared_.kernel->directory().id_of(result_.slot);
    see({result_.failure->property, result_.failure->message, actor, no_step}, from);
    return false;
  }

  // `next_` waits from now on.
  void keep(std::uint64_t fingerprint, bool wrong) {
    scratch_.clear();
    encode(next_, fingerprint, engine_.network, scratch_, RecordOrder::any);
    if (rows_.empty() || rows_.back().size() + scratch_.size() > rows_.back().capacity()) {
      rows_.emplace_back();
      rows_.back().reserve(std::max(row_words_kept, scratch_.size()));
    }
    std::vector<std::uint32_t>& row = rows_.back();
    const std::size_t at = row.size();
    row.insert(row.end(), scratch_.begin(), scratch_.end());
    found_.push_back({fingerprint, row.data() + at, wrong});
  }

  GraphShared& shared_;
  Engine engine_;
  HashDifference difference_;
  Judge judge_;
  EventPages pages_;
  WorldState world_;
  WorldState next_;
  StepResult result_;
  Alternatives alternatives_;
  std::vector<Candidate> candidates_;
  std::vector<std::pair<EventKind, EnvelopeId>> done_;
  std::vector<Late> overflow_;
  std::vector<std::uint32_t> scratch_;
  std::vector<std::vector<std::uint32_t>> rows_;  // of records; what is in them does not move
  std::vector<WaitingState> found_;
};

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
    number_found();
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
    number_found();
    resolve(chunks);
  }

  // Gives the states that were found on this level their numbers, in the order of their fingerprints.
  void number_found() {
    waiting_rows_.clear();
    for (const auto& worker : workers_) {
      for (auto& row : worker->take_rows()) waiting_rows_.push_back(std::move(row));
      const std::vector<WaitingState> found = worker->take_found();
      waiting_.insert(waiting_.end(), found.begin(), found.end());
    }
    std::sort(waiting_.begin(), waiting_.end(),
              [](const WaitingState& a, const WaitingState& b) { return a.fingerprint < b.fingerprint; });
    if (keys_.size() + waiting_.size() >= no_node)
      throw UserError("the graph has more than 4,294,967,294 states");
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

  // Edges of a level lead no further than the next one: all their targets have numbers now.
  void resolve(std::vector<EdgeChunk>& chunks) {
    std::vector<std::vector<NumberedEdge>> numbered(chunks.size());
    std::atomic<std::size_t> next{0};
    run_together(static_cast<unsigned>(std::min(workers_.size(), chunks.size())), [&](unsigned) {
      for (std::size_t at = next.fetch_add(1); at < chunks.size(); at = next.fetch_add(1)) {
        const std::vector<LooseEdge>& loose = chunks[at].edges;
        numbered[at].reserve(loose.size());
        for (std::size_t i = 0; i < loose.size(); ++i) {
          if (i + 16 < loose.size()) shared_.table.prefetch(loose[i + 16].target);
          numbered[at].push_back({loose[i].event, shared_.table[loose[i].target]});
        }
        chunks[at].edges = {};
      }
    });
    for (std::size_t at = 0; at < chunks.size(); ++at) {
      counts_.insert(counts_.end(), chunks[at].counts.begin(), chunks[at].counts.end());
      edges_count_ += numbered[at].size();
      edges_.push_back(std::move(numbered[at]));
    }
    GAINSAY_CHECK(counts_.size() == begin_, "every expanded state has its count of edges");
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
    if (type.hot == nullptr) continue;
    GraphMark mark{shared_.plan.actors[monitor].name, std::vector<bool>(graph.nodes())};
    for (GraphNode node = 0; node < graph.nodes(); ++node) {
      cells_of(node, cells);
      mark.holds[node] = !type.hot(shared_.kernel->cell(cells[monitor]).data);
    }
    graph.marks.push_back(std::move(mark));
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
    throw UserError("properties are evaluated on what states look like; keep the values");
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
