#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include <fmt/format.h>

#include "gainsay/model/conform_ways.hpp"
#include "gainsay/model/local_steps.hpp"

namespace gainsay {
namespace {

// Executes every local step of the graph once on both sides.
//
// What is kept for each value of an actor: the model's cell and the implementation's. The check rests on both being
// functions of the value; so does the event's envelope in the implementation. Where something is not a function,
// `why_not` says so and nothing is claimed.
class LocalCheck {
 public:
  LocalCheck(const ConformPlan& plan, const LocalSteps& steps)
      : plan_(plan),
        graph_(plan.graph()),
        steps_(steps),
        lockstep_(plan),
        model_cells_(graph_.columns.size(), std::vector<CellId>(graph_.values.size(), 0)),
        own_cells_(model_cells_),
        sends_(steps.all().size()) {
    for (std::uint32_t event = 0; event < graph_.events.size(); ++event)
      events_of_[graph_.events[event].identity].push_back(event);
    waiting_.resize(graph_.events.size());
    model_envelopes_.resize(graph_.events.size(), 0);
    columns_of_slots_.resize(plan.model().actors.size(), ConformPlan::no_column);
    for (std::uint32_t column = 0; column < graph_.columns.size(); ++column) {
      const std::size_t pair = plan.pair_of_column(column);
      if (pair < plan.pairs().size()) columns_of_slots_[plan.pairs()[pair].model] = column;
    }
  }

  // False: the first states differ.
  bool begin() {
    if (!lockstep_.begin(graph_.initial.front())) return false;
    const ConformWorlds& worlds = lockstep_.worlds();
    for (const Pending& each : worlds.implementation.pending) meet_own(each.envelope);
    for (const Pending& each : worlds.model.pending) {
      meet_model(each.envelope);
      first_pending_.push_back(each.envelope);
    }
    const auto row = graph_.row(graph_.initial.front());
    for (std::uint32_t column = 0; column < row.size(); ++column) {
      const std::size_t pair = plan_.pair_of_column(column);
      if (pair >= plan_.pairs().size()) continue;
      const ConformPlan::Pair& who = plan_.pairs()[pair];
      meet(column, row[column], worlds.model.cells[who.model],
           worlds.implementation.cells[who.implementation]);
    }
    return true;
  }
  void run() {
    while (!todo_.empty() && why_not.empty()) {
      const std::size_t at = todo_.front();
      todo_.pop_front();
      execute(at);
    }
  }

  struct Wrong {
    std::size_t step = 0;
    ConformDifference difference;
  };
  struct Gate {
    std::uint32_t column = 0;
    std::uint32_t value = 0;
    ConformDifference difference;
  };
  // Values in which the two sides do not agree on whether an event may come, by the model's envelope; whether it can
  // be pending there is another question.
  std::map<EnvelopeId, std::vector<Gate>> gates();

  const std::vector<EnvelopeId>& sends(std::size_t step) const { return sends_[step]; }
  const std::vector<EnvelopeId>& first_pending() const { return first_pending_; }
  EnvelopeId model_envelope(std::uint32_t event) const { return model_envelopes_[event]; }
  const ConformDifference& first_difference() const { return lockstep_.difference(); }

  std::vector<Wrong> wrong;
  std::string why_not;
  std::uint64_t executed = 0;

 private:
  using Kind = ConformDifference::Kind;

  // An envelope of the model that was sent: its events can happen now.
  void meet_model(EnvelopeId envelope) {
    if (!met_.insert(envelope).second) return;
    const auto found = events_of_.find(lockstep_.model().hash.class_of(envelope));
    if (found == events_of_.end()) return;  // it never is enabled
    for (const std::uint32_t event : found->second) {
      model_envelopes_[event] = envelope;
      for (const std::size_t step : std::exchange(waiting_[event], {})) todo_.push_back(step);
    }
  }
  // One of the implementation.
  void meet_own(EnvelopeId envelope) {
    const auto [where, added] = own_envelopes_.emplace(lockstep_.to_model(envelope), envelope);
    if (!added && where->second != envelope)
      why_not = fmt::format("different messages of the implementation map to one {} of the model",
                            lockstep_.envelope_text(where->first));
  }
  // What an actor is where the graph has this value; 0: not known.
  void meet(std::uint32_t column, std::uint32_t value, CellId model, CellId own) {
    CellId& known_model = model_cells_[column][value];
    CellId& known_own = own_cells_[column][value];
    const bool fresh = known_model == 0;
    if (!fresh && known_model != model) why_not = "the graph does not distinguish all states of the model";
    if (own != 0 && known_own != 0 && known_own != own)
      why_not =
          fmt::format("'{}' can be in several states for one state of the model", graph_.columns[column]);
    const bool fresh_own = own != 0 && known_own == 0;
    known_model = model;
    if (fresh_own) known_own = own;
    if (!fresh && !fresh_own) return;
    const auto [begin, end] = steps_.of(column, value);
    for (std::size_t step = begin; step < end; ++step) {
      const std::uint32_t event = steps_.all()[step].event;
      if (model_envelopes_[event] != 0) {
        todo_.push_back(step);
      } else {
        waiting_[event].push_back(step);
      }
    }
  }

  const Leaf* leaf_of(Kernel& kernel, CellId cell, EnvelopeId envelope,
                      const std::vector<DataChoice>& answers) {
    for (const Leaf& leaf : kernel.leaves(cell, envelope)) {
      if (leaf.answers == answers) return &leaf;
    }
    return nullptr;
  }
  bool is_plain(const Transition& transition) {
    const Extras& extras = transition.rest();
    if (extras.timers.empty() && extras.spawns().empty() && !transition.to_spawned) return true;
    why_not = "handlers arm timers or spawn actors";
    return false;
  }
  void execute(std::size_t at);
  bool compare(std::size_t at, const LocalStep& step, CellId model_next, CellId own);
  void differ(std::size_t at, Kind kind, std::string field, std::string expected, std::string got) {
    const LocalStep& step = steps_.all()[at];
    ConformDifference difference;
    difference.kind = kind;
    difference.event = describe(graph_.events[step.event]);
    difference.actor = graph_.columns[step.column];
    difference.field = std::move(field);
    difference.expected = std::move(expected);
    difference.got = std::move(got);
    wrong.push_back({at, std::move(difference)});
  }

  const ConformPlan& plan_;
  const StateGraph& graph_;
  const LocalSteps& steps_;
  Lockstep lockstep_;
  std::vector<std::vector<CellId>> model_cells_;  // by column and value; 0: not known yet
  std::vector<std::vector<CellId>> own_cells_;
  std::vector<std::vector<EnvelopeId>> sends_;                       // by local step: the model's
  std::map<std::uint64_t, std::vector<std::uint32_t>> events_of_;    // by identity
  std::vector<EnvelopeId> model_envelopes_;                          // by event; 0: not sent yet
  boost::unordered_flat_map<EnvelopeId, EnvelopeId> own_envelopes_;  // by envelope of the model
  std::set<EnvelopeId> met_;
  std::vector<EnvelopeId> first_pending_;
  std::vector<std::vector<std::size_t>> waiting_;  // by event: local steps
  std::vector<std::uint32_t> columns_of_slots_;
  std::deque<std::size_t> todo_;
  boost::unordered_flat_map<std::size_t, bool> done_;  // by local step: whether both sides were executed
};

void LocalCheck::execute(std::size_t at) {
  const LocalStep& step = steps_.all()[at];
  const GraphEvent& event = graph_.events[step.event];
  const EnvelopeId envelope = model_envelopes_[step.event];
  const CellId model = model_cells_[step.column][step.value];
  const CellId own = own_cells_[step.column][step.value];
  const auto own_envelope = own_envelopes_.find(envelope);
  const bool both = own != 0 && own_envelope != own_envelopes_.end();
  const auto [known, first] = done_.try_emplace(at, false);
  if (!first && (known->second || !both)) return;

  const Leaf* expected = leaf_of(lockstep_.model().kernel(), model, envelope, event.answers);
  if (expected == nullptr)
    throw UserError(
        fmt::format("the graph does not match the current scenario '{}': '{}' does not lead to the state in "
                    "the graph; make it again with `graph {}`",
                    plan_.model().scenario, describe(event), plan_.model().scenario));
  const Transition& transition = expected->transition;
  if (!is_plain(transition)) return;
  sends_[at].assign(transition.outs().begin(), transition.outs().end());
  for (const EnvelopeId sent : transition.outs()) meet_model(sent);
  if (!both) {
    meet(step.column, step.next, transition.next, 0);
    return;
  }
  known->second = true;
  ++executed;
  Kernel& kernel = lockstep_.implementation().kernel();
  if (!kernel.accepts(own, own_envelope->second)) {
    differ(at, Kind::refused, "", lockstep_.envelope_text(envelope) + " may be next", "it must wait");
    meet(step.column, step.next, transition.next, 0);
    return;
  }
  const Leaf* got = leaf_of(kernel, own, own_envelope->second, event.answers);
  const bool asks_the_same = got != nullptr && kernel.leaves(own, own_envelope->second).size() ==
                                                   lockstep_.model().kernel().leaves(model, envelope).size();
  CellId reached = 0;
  if (!asks_the_same) {
    differ(at, Kind::question, "", fmt::format("{} data choices", event.answers.size()), "others");
  } else if (const Failure* failure = got->transition.failure(); failure != nullptr) {
    differ(at, Kind::failure, "", "no failure", failure->property + ": " + failure->message);
  } else if (is_plain(got->transition)) {
    const std::size_t pair = plan_.pair_of_column(step.column);
    if (!lockstep_.same(pair, transition.next, got->transition.next)) {
      const auto all = lockstep_.compare(pair, transition.next, kernel.cell(got->transition.next).data);
      const Difference& first_one =
          all.empty() ? Difference{"(whether it is up)", "as before", "another"} : all.front();
      differ(at, Kind::state, first_one.path, first_one.left, first_one.right);
    } else if (compare(at, step, transition.next, got->transition.next)) {
      std::vector<EnvelopeId> theirs;
      for (const EnvelopeId sent : got->transition.outs()) theirs.push_back(lockstep_.to_model(sent));
      std::vector<EnvelopeId> ours = sends_[at];
      std::ranges::sort(theirs);
      std::ranges::sort(ours);
      std::vector<EnvelopeId> lacking;
      std::vector<EnvelopeId> more;
      std::ranges::set_difference(ours, theirs, std::back_inserter(lacking));
      std::ranges::set_difference(theirs, ours, std::back_inserter(more));
      if (!lacking.empty()) {
        differ(at, Kind::missing_effect, "", lockstep_.envelope_text(lacking.front()), "it is not sent");
      } else if (!more.empty()) {
        differ(at, Kind::extra_effect, "", "no such message", lockstep_.envelope_text(more.front()));
      } else {
        for (const EnvelopeId sent : got->transition.outs()) meet_own(sent);
        reached = got->transition.next;
      }
    }
  }
  meet(step.column, step.next, transition.next, reached);
}

// The value that the graph has after the step is the one that the model goes to.
bool LocalCheck::compare(std::size_t, const LocalStep& step, CellId model_next, CellId) {
  const Kernel& kernel = lockstep_.model().kernel();
  const ValueId value = kernel.cell(model_next).value;
  if (graph_.value_hashes.empty() ||
      graph_.value_hashes[step.next] == (value == 0 ? 0 : kernel.value(value).hash))
    return true;
  throw UserError(
      fmt::format("the graph does not match the current scenario '{}': actor '{}' is in a different state; "
                  "make it again with `graph {}`",
                  plan_.model().scenario, graph_.columns[step.column], plan_.model().scenario));
}

std::map<EnvelopeId, std::vector<LocalCheck::Gate>> LocalCheck::gates() {
  std::map<EnvelopeId, std::vector<Gate>> doubtful;
  Kernel& model = lockstep_.model().kernel();
  Kernel& own = lockstep_.implementation().kernel();
  for (const EnvelopeId envelope : met_) {
    const auto theirs = own_envelopes_.find(envelope);
    const std::uint32_t column = columns_of_slots_[model.envelope(envelope).to];
    if (theirs == own_envelopes_.end() || column == ConformPlan::no_column) continue;
    for (std::uint32_t value = 0; value < own_cells_[column].size(); ++value) {
      if (own_cells_[column][value] == 0) continue;
      const bool may = model.accepts(model_cells_[column][value], envelope);
      if (may == own.accepts(own_cells_[column][value], theirs->second)) continue;
      Gate gate{column, value, {}};
      gate.difference.kind = may ? Kind::refused : Kind::accepted;
      gate.difference.actor = graph_.columns[column];
      gate.difference.expected = lockstep_.envelope_text(envelope) + (may ? " may be next" : " must wait");
      gate.difference.got = may ? "it must wait" : "it may be next";
      doubtful[envelope].push_back(std::move(gate));
    }
  }
  return doubtful;
}

// By node: how often the envelope is pending, up to 255.
std::vector<std::uint8_t> pending_counts(const StateGraph& graph, const ConformPlan& plan,
                                         const ShortestPaths& paths, const LocalSteps& steps,
                                         const LocalCheck& check, EnvelopeId envelope) {
  std::vector<std::uint8_t> counts(graph.nodes(), 0);
  for (const GraphNode node : paths.order()) {
    const GraphEdge edge = paths.parent(node);
    if (edge == no_edge) {
      counts[node] = static_cast<std::uint8_t>(std::ranges::count(check.first_pending(), envelope));
      continue;
    }
    const GraphNode from = paths.parent_node(node);
    const std::uint32_t event = graph.event[edge];
    const std::size_t step = steps.find(graph.row(from)[plan.column_of(event)], event);
    const auto sent = static_cast<unsigned>(std::ranges::count(check.sends(step), envelope));
    const unsigned taken = check.model_envelope(event) == envelope ? 1 : 0;
    GAINSAY_CHECK(counts[from] + sent >= taken, "what is taken was pending");
    counts[node] = static_cast<std::uint8_t>(std::min(255U, counts[from] + sent - taken));
  }
  return counts;
}

}  // namespace

bool conform_local(const ConformPlan& plan, const ConformOptions& options, ConformSights& sights,
                   ConformResult& result) {
  const StateGraph& graph = plan.graph();
  const LocalSteps steps(plan, options, result.instead);
  if (!result.instead.empty()) return false;
  if (sights.stopped()) return true;
  LocalCheck check(plan, steps);
  if (!check.begin()) {
    ConformDifference difference = check.first_difference();
    difference.event = "the first state";
    sights.add({0, std::nullopt, {graph.initial.front(), {}}, std::move(difference)});
    return true;
  }
  check.run();
  result.instead = check.why_not;
  if (!result.instead.empty()) return false;
  const auto doubtful = check.gates();
  // Where links keep an order, whether it is an event's turn is no local question.
  const bool ordered = plan.model().order != Delivery::unordered || !plan.model().link_orders.empty();
  constexpr std::size_t doubtful_most = 64;
  if (doubtful.size() > doubtful_most || (ordered && !doubtful.empty())) {
    result.instead = "model and implementation do not accept the same events";
    return false;
  }
  result.edges = graph.edges();
  result.local_steps = steps.all().size();
  result.steps = check.executed;
  if (check.wrong.empty() && doubtful.empty()) return true;

  // Where in the graph it is.
  const ShortestPaths paths(graph);
  boost::unordered_flat_map<std::uint64_t, const LocalCheck::Wrong*> wrong;
  for (const LocalCheck::Wrong& each : check.wrong) {
    const LocalStep& step = steps.all()[each.step];
    wrong.emplace(LocalSteps::key_of(step.value, step.event), &each);
  }
  for (const GraphNode node : paths.order()) {
    if (wrong.empty()) break;
    for (GraphEdge edge = graph.edges_begin(node); edge < graph.edges_end(node); ++edge) {
      const std::uint32_t event = graph.event[edge];
      const auto found = wrong.find(LocalSteps::key_of(graph.row(node)[plan.column_of(event)], event));
      if (found == wrong.end()) continue;
      sights.add({(std::uint64_t{paths.depth(node)} + 1) << 32U | edge, std::nullopt,
                  paths.path_over(node, edge), found->second->difference});
      wrong.erase(found);
    }
  }
  for (const auto& [envelope, gates] : doubtful) {
    const auto counts = pending_counts(graph, plan, paths, steps, check, envelope);
    for (const LocalCheck::Gate& gate : gates) {
      for (const GraphNode node : paths.order()) {
        if (counts[node] == 0 || graph.row(node)[gate.column] != gate.value) continue;
        const TestPath path = paths.path_to(node);
        ConformDifference difference = gate.difference;
        const GraphEdge last = path.edges.empty() ? 0 : path.edges.back();
        difference.event = path.edges.empty() ? "the first state" : describe(*graph.event_of(last));
        sights.add(
            {std::uint64_t{paths.depth(node)} << 32U | last, std::nullopt, path, std::move(difference)});
        break;
      }
    }
  }
  return true;
}

}  // namespace gainsay
