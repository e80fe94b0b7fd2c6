#include "gainsay/model/tlc_steps.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/print.hpp"
#include "gainsay/model/tlc_dot.hpp"

namespace gainsay {

std::unique_ptr<StepComparer> make_comparer(const ConformPlan& plan) {
  if (plan.of_tlc()) return std::make_unique<TlcSteps>(plan);
  return std::make_unique<Lockstep>(plan);
}

bool TlcSteps::begin(GraphNode start) {
  decisions_.clear();
  implementation_.stepper.initial(worlds_.implementation);
  be_at(start);
  return compare(start);
}

bool TlcSteps::step(GraphEdge edge, GraphNode to) {
  const Taken& taken = event_of(edge, to);
  if (!taken.none) {
    const PendingRow& pending = worlds_.implementation.pending;
    const auto found = std::find_if(pending.begin(), pending.end(), [&](const Pending& each) {
      return fits(taken, each) && worlds_.implementation.is_ready(pending.place_of(each));
    });
    if (found == pending.end()) {
      const bool waits =
          std::any_of(pending.begin(), pending.end(), [&](const Pending& each) { return fits(taken, each); });
      const auto names = [&](ActorId actor) { return implementation_.kernel().directory().name_of(actor); };
      return fail(
          waits ? Kind::refused : Kind::missing_effect, taken.event.to, "",
          print(taken.event.message.type(), taken.event.message.data(), names) + " to " + taken.event.to,
          waits ? "it must wait" : "it was never sent");
    }
    const Alternative alternative{found->kind, static_cast<std::uint32_t>(found.place())};
    if (!execute(alternative, taken.answers, taken.event.to)) return false;
  }
  be_at(to);
  return compare(to);
}

bool TlcSteps::fits(const Taken& taken, const Pending& pending) const {
  if (pending.to != taken.to) return false;
  const Kernel& kernel = implementation_.kernel();
  const Envelope& envelope = kernel.envelope(pending.envelope);
  if (envelope.message == 0) return false;
  const InternedValue& value = kernel.value(envelope.message);
  const ValueType& type = taken.event.message.type();
  return value.type == &type && type.equal(value.data, taken.event.message.data()) &&
         (taken.event.from.empty() || kernel.directory().name_of(envelope.from) == taken.event.from);
}

const TlcSteps::Taken& TlcSteps::event_of(GraphEdge edge, GraphNode to) {
  const auto [where, added] = events_.try_emplace(edge);
  Taken& taken = where->second;
  if (!added) return taken;
  const StateGraph& graph = plan_.graph();
  const TlaState before(tla_state(graph, node_));
  const TlaState after(tla_state(graph, to));
  const std::string label(graph.event_text(edge));
  std::optional<ConformEvent> event = plan_.subject().map->tlc_event()({before, label, after});
  taken.none = !event.has_value();
  if (taken.none) return taken;
  taken.event = std::move(*event);
  const auto& actors = plan_.implementation().actors;
  const auto receiver = std::ranges::find(actors, taken.event.to, &ActorPlan::name);
  if (receiver == actors.end() || !taken.event.message.has_value() ||
      receiver->type->handler_of(taken.event.message.type()) == nullptr)
    throw UserError(
        fmt::format("the map of '{}' makes edge '{}' a message for '{}', which does not accept it",
                    plan_.implementation().scenario, label, taken.event.to));
  taken.to = static_cast<Slot>(receiver - actors.begin());
  for (const std::uint32_t answer : taken.event.answers) taken.answers.push_back({answer, 2, false});
  return taken;
}

const std::vector<AnyValue>& TlcSteps::expected(GraphNode node) {
  const auto [where, added] = expected_.try_emplace(node);
  if (!added) return where->second;
  const TlaState state(tla_state(plan_.graph(), node));
  for (const ConformPlan::Pair& pair : plan_.pairs()) {
    const std::string& name = plan_.implementation().actors[pair.implementation].name;
    where->second.push_back(pair.map->of_tlc(state, plan_.subject().map->model_name(name)));
  }
  return where->second;
}

bool TlcSteps::compare(GraphNode node) {
  const std::vector<AnyValue>& views = expected(node);
  const StateReader reader(implementation_, worlds_.implementation);
  for (std::size_t i = 0; i < views.size(); ++i) {
    const ConformPlan::Pair& pair = plan_.pairs()[i];
    const ActorId actor = implementation_.kernel().directory().id_of(pair.implementation);
    const void* object = reader.state(actor);
    if (object != nullptr && pair.map->same(object, views[i].data())) continue;
    const std::string name = reader.name(actor);
    if (object == nullptr) return fail(Kind::state, name, "", "alive", "gone");
    const AnyValue got = pair.map->to_model(object);
    const auto all = differences(*pair.map->view, views[i].data(), got.data(),
                                 [&](ActorId id) { return reader.name(id); });
    GAINSAY_CHECK(!all.empty(), "values that are not equal differ somewhere");
    return fail(Kind::state, name, all.front().path, all.front().left, all.front().right);
  }
  return true;
}

}  // namespace gainsay
