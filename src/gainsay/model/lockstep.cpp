#include "gainsay/model/lockstep.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/print.hpp"
#include "gainsay/execution/world/faults/faults.hpp"
#include "gainsay/model/graph_events.hpp"

namespace gainsay {

Lockstep::Lockstep(const ConformPlan& plan)
    : StepComparer(plan),
      model_(plan.model()),
      event_envelopes_(plan.graph().events.size(), 0),
      last_(plan.pairs().size(), 0),
      equal_(plan.pairs().size()),
      views_(plan.pairs().size()) {}

bool Lockstep::begin(GraphNode) {  // a scenario has one initial state
  decisions_.clear();
  last_.assign(last_.size(), 0);
  if (first_) {
    worlds_ = *first_;
    return true;
  }
  model_.stepper.initial(worlds_.model);
  implementation_.stepper.initial(worlds_.implementation);
  if (!compare_actors() || !compare_pending()) return false;
  if (plan_.value_actors()) first_ = worlds_;
  return true;
}

bool Lockstep::step(GraphEdge edge, GraphNode to) {
  const StateGraph& graph = plan_.graph();
  const std::uint32_t event = graph.event[edge];
  if (!take(event, graph.events[event])) return false;
  check_graph(to);
  return compare_actors() && compare_pending();
}

bool Lockstep::take(std::uint32_t event, const GraphEvent& what) {
  const std::optional<Alternative> model = model_alternative(event, what);
  if (!model) outdated(fmt::format("'{}' is not possible where the graph has it", describe(what)));
  const std::optional<Alternative> own = implementation_alternative(*model);
  if (!own)  // pending sets are equal, and so is what of them may be next: only a fault can be missing
    return fail(Kind::refused, what.receiver, "", describe(what), "it cannot happen");
  answers_.set(what.answers);
  model_.stepper.step(worlds_.model, *model, answers_, result_);
  if (!answers_.fits() || result_.failure != nullptr)
    outdated(fmt::format("'{}' does not lead to the state in the graph", describe(what)));
  return execute(*own, what.answers, what.receiver);
}

bool StepComparer::execute(const Alternative& alternative, const std::vector<DataChoice>& answers,
                           const std::string& actor) {
  if (recording_)
    decisions_.push_back(decision_of(implementation_.event_of(worlds_.implementation, alternative), answers));
  answers_.set(answers);
  try {
    implementation_.stepper.step(worlds_.implementation, alternative, answers_, result_);
  } catch (...) {
    const Violation violation = violation_of_exception(no_step);
    return fail(Kind::failure, actor, "", "no failure", violation.message);
  }
  if (result_.failure != nullptr)
    return fail(Kind::failure, actor, "", "no failure",
                result_.failure->property + ": " + result_.failure->message);
  if (!answers_.fits())
    return fail(Kind::question, actor, "", fmt::format("{} data choices", answers.size()),
                fmt::format("{} others", answers_.asked()));
  return true;
}

bool Lockstep::step_at_random(Rng& rng) {
  class RandomAnswers final : public Asker {
   public:
    explicit RandomAnswers(Rng& from) : rng(from) {}
    Rng& rng;
    std::vector<DataChoice> given;

   private:
    std::uint32_t answer_to(std::uint32_t among, bool coin) override {
      given.push_back({static_cast<std::uint32_t>(rng.below(among)), among, coin});
      return given.back().answer;
    }
  };
  random_event_.clear();
  model_.network.enabled(worlds_.model, alternatives_);
  if (alternatives_.ordinary == 0) return false;
  const Alternative chosen = alternatives_.list[rng.below(alternatives_.ordinary)];
  const Pending& pending = worlds_.model.pending[chosen.target];
  random_event_ = std::string(gainsay::kind_name(chosen.kind)) + " " + envelope_text(pending.envelope);
  const std::string receiver = model_name(pending.to);
  const std::optional<Alternative> own = implementation_alternative(chosen);
  GAINSAY_CHECK(own.has_value(), "what may be next was compared");
  RandomAnswers answers(rng);
  model_.stepper.step(worlds_.model, chosen, answers, result_);
  return execute(*own, answers.given, receiver) && compare_actors() && compare_pending();
}

// --- which alternative an event is -----------------------------------------------------------------------------------

std::optional<Alternative> Lockstep::model_alternative(std::uint32_t event, const GraphEvent& what) {
  if (!is_ordinary(what.kind)) return model_fault(what);
  const PendingRow& pending = worlds_.model.pending;
  EnvelopeId& known = event_envelopes_[event];
  for (const std::size_t i : pending.each_place()) {
    if (!worlds_.model.is_ready(i)) continue;
    if (known == 0) {
      if (pending[i].kind != what.kind || model_.hash.class_of(pending[i].envelope) != what.identity)
        continue;
      known = pending[i].envelope;
    }
    if (pending[i].envelope == known) return Alternative{pending[i].kind, static_cast<std::uint32_t>(i)};
  }
  return std::nullopt;
}

// Faults have no identity; they are found by what a graph would say of them.
std::optional<Alternative> Lockstep::model_fault(const GraphEvent& what) {
  model_.network.enabled(worlds_.model, alternatives_);
  for (const Alternative& each : alternatives_.list) {
    if (each.kind != what.kind) continue;
    EventBook book(model_.kernel());
    EventPages(book).number(model_, worlds_.model, each, nullptr);
    if (book.take_events().front().text == what.text) return each;
  }
  return std::nullopt;
}

std::optional<Alternative> Lockstep::implementation_alternative(const Alternative& model) {
  const PendingRow& pending = worlds_.implementation.pending;
  if (concerns_pending(model)) {
    const EnvelopeId wanted = worlds_.model.pending[model.target].envelope;
    for (const std::size_t i : pending.each_place()) {
      if (is_ordinary(model.kind) && !worlds_.implementation.is_ready(i)) continue;
      if (to_model(pending[i].envelope) == wanted)
        return Alternative{model.kind, static_cast<std::uint32_t>(i)};
    }
    return std::nullopt;
  }
  implementation_.network.enabled(worlds_.implementation, alternatives_);
  const bool there = std::ranges::count(alternatives_.list, model) > 0;
  return there ? std::optional(model) : std::nullopt;
}

EnvelopeId Lockstep::to_model(EnvelopeId id) {
  if (id >= mapped_.size()) {
    mapped_.resize(id + 1, 0);
    hashes_.resize(id + 1, 0);
  }
  if (mapped_[id] != 0) return mapped_[id];
  const Envelope& envelope = implementation_.kernel().envelope(id);
  const Directory& theirs = implementation_.kernel().directory();
  const auto model_actor = [&](ActorId actor) {
    if (actor == outside || actor == nobody) return actor;
    const Slot slot = plan_.model_slot(theirs.slot_of(actor));
    if (slot == Directory::no_slot)
      throw UserError(
          fmt::format("'{}' of '{}' has no counterpart in the model; conform compares the actors of the "
                      "scenario, not spawned ones",
                      theirs.name_of(actor), plan_.implementation().scenario));
    return model_.kernel().directory().id_of(slot);
  };
  const Slot to = plan_.model_slot(envelope.to);
  GAINSAY_CHECK(to != Directory::no_slot, "who receives is an actor of the model too");
  Kernel& kernel = model_.kernel();
  if (envelope.message == 0) {
    mapped_[id] =
        kernel.envelope_of(model_actor(envelope.from), to, envelope.kind, nullptr, nullptr, envelope.call);
  } else {
    const InternedValue& value = implementation_.kernel().value(envelope.message);
    const AnyValue message = plan_.to_model(*value.type, value.data);
    mapped_[id] = kernel.envelope_of(model_actor(envelope.from), to, envelope.kind, &message.type(),
                                     message.data(), envelope.call);
  }
  hashes_[id] = kernel.envelope(mapped_[id]).hash;
  return mapped_[id];
}

std::uint64_t Lockstep::mapped_hash(EnvelopeId id) {
  if (id >= mapped_.size() || mapped_[id] == 0) to_model(id);
  return hashes_[id];
}

// --- comparing -------------------------------------------------------------------------------------------------------

const void* Lockstep::view_of(std::size_t pair, CellId model) {
  std::unique_ptr<AnyValue>& view = views_[pair][model];
  if (view == nullptr)
    view = std::make_unique<AnyValue>(plan_.pairs()[pair].map->of_model(model_.kernel().cell(model).data));
  return view->data();
}

bool Lockstep::same(std::size_t pair, CellId model, CellId implementation) {
  const Cell& theirs = implementation_.kernel().cell(implementation);
  return theirs.status == model_.kernel().cell(model).status &&
         plan_.pairs()[pair].map->same(theirs.data, view_of(pair, model));
}

std::vector<Difference> Lockstep::compare(std::size_t pair, CellId model, const void* implementation) {
  const ActorMap& map = *plan_.pairs()[pair].map;
  const AnyValue got = map.to_model(implementation);
  return differences(*map.view, view_of(pair, model), got.data(),
                     [&](ActorId actor) { return model_.kernel().directory().name_of(actor); });
}

bool Lockstep::compare_actors() {
  const Kernel& model = model_.kernel();
  for (std::size_t pair = 0; pair < plan_.pairs().size(); ++pair) {
    const ConformPlan::Pair& who = plan_.pairs()[pair];
    const CellId expected = worlds_.model.cells[who.model];
    const CellId cell = worlds_.implementation.cells[who.implementation];
    const bool live = worlds_.implementation.is_live(who.implementation);
    const std::uint64_t key = std::uint64_t{expected} << 32U | cell;
    if (!live && (last_[pair] == key || equal_[pair].contains(key))) {
      last_[pair] = key;
      continue;
    }
    const LiveActor* actor = live ? &worlds_.implementation.live[who.implementation] : nullptr;
    const void* object = live ? actor->object() : implementation_.kernel().cell(cell).data;
    const ActorStatus status = live ? actor->status : implementation_.kernel().cell(cell).status;
    if (status != model.cell(expected).status) {
      const auto name = [](ActorStatus each) {
        return each == ActorStatus::alive ? "alive" : each == ActorStatus::crashed ? "crashed" : "gone";
      };
      return fail(Kind::state, model_name(who.model), "(whether it is up)", name(model.cell(expected).status),
                  name(status));
    }
    if (!who.map->same(object, view_of(pair, expected))) {
      const std::vector<Difference> all = compare(pair, expected, object);
      GAINSAY_CHECK(!all.empty(), "values that are not equal differ somewhere");
      return fail(Kind::state, model_name(who.model), all.front().path, all.front().left, all.front().right);
    }
    if (live) continue;
    equal_[pair].insert(key);
    last_[pair] = key;
  }
  return true;
}

bool Lockstep::compare_pending() {
  // Two sums for each side: of all events, and of those that may be next.
  std::uint64_t all = 0;
  std::uint64_t ready = 0;
  const WorldState& model = worlds_.model;
  for (const std::size_t i : model.pending.each_place()) {
    const std::uint64_t hash = model_.kernel().envelope(model.pending[i].envelope).hash;
    all += hash;
    ready += model.is_ready(i) ? hash : 0;
  }
  const WorldState& implementation = worlds_.implementation;
  for (const std::size_t i : implementation.pending.each_place()) {
    const std::uint64_t hash = mapped_hash(implementation.pending[i].envelope);
    all -= hash;
    ready -= implementation.is_ready(i) ? hash : 0;
  }
  return (all | ready) == 0 || explain_pending();
}

bool Lockstep::explain_pending() {
  // By hash, so that what is named does not depend on the order of discovery.
  using Entry = std::pair<std::uint64_t, EnvelopeId>;
  const auto entries = [&](bool ready_only, bool of_model) {
    std::vector<Entry> list;
    const WorldState& world = of_model ? worlds_.model : worlds_.implementation;
    for (const std::size_t i : world.pending.each_place()) {
      if (ready_only && !world.is_ready(i)) continue;
      const EnvelopeId envelope = world.pending[i].envelope;
      const EnvelopeId id = of_model ? envelope : to_model(envelope);
      list.emplace_back(model_.kernel().envelope(id).hash, id);
    }
    std::ranges::sort(list);
    return list;
  };
  const auto missing = [](const std::vector<Entry>& from, const std::vector<Entry>& in) {
    std::vector<Entry> left;
    std::ranges::set_difference(from, in, std::back_inserter(left));
    return left;
  };
  const auto actor_of = [&](const Entry& entry) {
    return model_name(model_.kernel().envelope(entry.second).to);
  };
  const auto model = entries(false, true);
  const auto own = entries(false, false);
  if (const auto lacks = missing(model, own); !lacks.empty())
    return fail(Kind::missing_effect, actor_of(lacks.front()), "", envelope_text(lacks.front().second),
                "it is not sent");
  if (const auto more = missing(own, model); !more.empty())
    return fail(Kind::extra_effect, actor_of(more.front()), "", "no such message",
                envelope_text(more.front().second));
  const auto may = entries(true, true);
  const auto own_may = entries(true, false);
  if (const auto lacks = missing(may, own_may); !lacks.empty())
    return fail(Kind::refused, actor_of(lacks.front()), "",
                envelope_text(lacks.front().second) + " may be next", "it must wait");
  const auto more = missing(own_may, may);
  if (more.empty()) return true;
  return fail(Kind::accepted, actor_of(more.front()), "", envelope_text(more.front().second) + " must wait",
              "it may be next");
}

std::string Lockstep::envelope_text(EnvelopeId id) const {
  const Kernel& kernel = model_.kernel();
  const Envelope& envelope = kernel.envelope(id);
  const auto names = [&](ActorId actor) { return kernel.directory().name_of(actor); };
  std::string text(gainsay::kind_name(envelope.kind));
  if (envelope.message != 0) {
    const InternedValue& value = kernel.value(envelope.message);
    text = print(*value.type, value.data, names);
  }
  if (envelope.from != envelope.receiver) text += " from " + names(envelope.from);
  return text + " to " + names(envelope.receiver);
}

bool StepComparer::fail(Kind kind, std::string actor, std::string field, std::string expected,
                        std::string got) {
  difference_ = {};
  difference_.kind = kind;
  difference_.actor = std::move(actor);
  difference_.field = std::move(field);
  difference_.expected = std::move(expected);
  difference_.got = std::move(got);
  return false;
}

// The model's world must be the state that the graph says.
void Lockstep::check_graph(GraphNode node) {
  const StateGraph& graph = plan_.graph();
  if (graph.value_hashes.empty() || !graph.has_values()) return;
  const auto row = graph.row(node);
  for (std::size_t column = 0; column < row.size(); ++column) {
    const std::size_t pair = plan_.pair_of_column(column);
    if (pair >= plan_.pairs().size()) continue;
    const Kernel& kernel = model_.kernel();
    const ValueId value = kernel.cell(worlds_.model.cells[plan_.pairs()[pair].model]).value;
    if ((value == 0 ? 0 : kernel.value(value).hash) != graph.value_hashes[row[column]])
      outdated(fmt::format("actor '{}' is in a different state", graph.columns[column]));
  }
}

void Lockstep::outdated(const std::string& what) const {
  throw UserError(
      fmt::format("the graph does not match the current scenario '{}': {}; make it again with `graph {}`",
                  plan_.model().scenario, what, plan_.model().scenario));
}

}  // namespace gainsay
