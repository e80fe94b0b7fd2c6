// ConformMap: how an implementation is read as its model. The user's part of a conformance test.
//
//   GAINSAY_CONFORM(my_implementation) {  // the scenario with the implementation's actors
//     map.actor<StoreActor>([](const StoreActor& store) { return Store{.keys = store.keys()}; });
//     map.message<Packet>([](const Packet& p) -> std::variant<Get, Put> { ... });
//   }
//
// `actor` says what a model actor would be in the place of this one. Where not everything can or should be compared,
// two functions say what both look like: map.actor<StoreActor, Store>(view_of_implementation, view_of_model). A
// message of the implementation is one of the model, or one of several (a variant); types that both have in common
// need no word. Actors correspond by name; `rename` says which names differ.
//
// For graphs of TLC, which know neither actors nor messages, `tlc_actor` and `tlc_event` say what an actor looks like
// in a state of TLC's, and which event of the implementation an edge is.
//
// These functions are the user's code too: one that throws or ends the process is reported as an error that names it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "gainsay/model/tla_value.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay {

// A state of TLC's: variables by name.
class TlaState {
 public:
  explicit TlaState(std::vector<std::pair<std::string, TlaValue>> variables)
      : variables_(std::move(variables)) {}
  // Throws UserError where there is none of this name.
  const TlaValue& operator[](std::string_view variable) const;

 private:
  std::vector<std::pair<std::string, TlaValue>> variables_;
};

// An edge of TLC's graph.
struct TlcStep {
  const TlaState& before;
  std::string label;  // "RMPrepare(r1)"
  const TlaState& after;

  // The label's name and its arguments: "RMPrepare"; "r1".
  std::string action() const;
  std::vector<std::string> arguments() const;
  // The one element that the step took out of a set (or a bag) of pending messages; null: none, or several.
  std::optional<TlaValue> taken_from(std::string_view variable) const;
};

// An event of the implementation: a message for an actor, from whomever unless it is said.
struct ConformEvent {
  std::string to;
  AnyValue message;
  std::string from{};
  std::vector<std::uint32_t> answers{};  // to the handler's questions
};

// One type of actors of the implementation, as the model sees it.
struct ActorMap {
  std::uint64_t type = 0;  // name hash of the implementation's actor type
  std::string type_name;
  const ValueType* view = nullptr;   // what is compared
  const ValueType* model = nullptr;  // the model's actor type; null: of a graph of TLC
  std::function<AnyValue(const void* actor)> to_model;
  std::function<bool(const void* actor, const void* view)> same;  // without keeping anything
  std::function<AnyValue(const void* model)> of_model;
  std::function<AnyValue(const TlaState& state, const std::string& actor)> of_tlc;
};

struct MessageMap {
  const ValueType* type = nullptr;
  std::function<AnyValue(const void* message)> to_model;
};

namespace detail {

template <class T> AnyValue any_of(const T& value) { return AnyValue::of<T>(value); }
template <class... T> AnyValue any_of(const std::variant<T...>& value) {
  return std::visit([](const auto& held) { return any_of(held); }, value);
}

}  // namespace detail

class ConformMap {
 public:
  // What an A would be if it were a model actor.
  template <class A, class F> void actor(F to_model) {
    using V = std::remove_cvref_t<std::invoke_result_t<F, const A&>>;
    actor<A, V>(std::move(to_model), [](const V& model) { return model; });
  }
  // What an A of the implementation and an M of the model have in common: both functions give the same type.
  template <class A, class M, class F, class G> void actor(F to_view, G of_model) {
    using V = std::remove_cvref_t<std::invoke_result_t<F, const A&>>;
    static_assert(std::is_same_v<V, std::remove_cvref_t<std::invoke_result_t<G, const M&>>>,
                  "gainsay: both functions of map.actor give values of one type, which are compared");
    ActorMap entry = map_to<A, V>(std::move(to_view));
    entry.model = &reflect::value_type<M>();
    entry.of_model = [of_model](const void* model) {
      return AnyValue::of<V>(of_model(*static_cast<const M*>(model)));
    };
    add(std::move(entry));
  }
  // What a message of the implementation is in the model. A variant: one of several.
  template <class I, class F> void message(F to_model) {
    add({&reflect::value_type<I>(), [to_model = std::move(to_model)](const void* message) {
           return detail::any_of(to_model(*static_cast<const I*>(message)));
         }});
  }
  void rename(std::string implementation, std::string model);

  // What an A and a state of TLC's have in common; `of_tlc` is told the actor's name in the model.
  template <class A, class F, class G> void tlc_actor(F to_view, G of_tlc) {
    using V = std::remove_cvref_t<std::invoke_result_t<F, const A&>>;
    static_assert(
        std::is_same_v<V, std::remove_cvref_t<std::invoke_result_t<G, const TlaState&, const std::string&>>>,
        "gainsay: both functions of map.tlc_actor give values of one type, which are compared");
    ActorMap entry = map_to<A, V>(std::move(to_view));
    entry.of_tlc = [of_tlc = std::move(of_tlc)](const TlaState& state, const std::string& actor) {
      return AnyValue::of<V>(of_tlc(state, actor));
    };
    add(std::move(entry));
  }
  template <class M> static ConformEvent event(std::string to, const M& message) {
    return {std::move(to), AnyValue::of<M>(message)};
  }
  // Which event of the implementation an edge is; nothing: it has none, for instance because the model repeats itself.
  using TlcEvent = std::function<std::optional<ConformEvent>(const TlcStep& step)>;
  void tlc_event(TlcEvent event);
  const TlcEvent& tlc_event() const { return tlc_event_; }

  const ActorMap* actor_map(const ActorType& type, bool of_tlc = false) const;
  const MessageMap* message_map(const ValueType& type) const;
  // The model's name of an actor of the implementation.
  const std::string& model_name(const std::string& implementation) const;
  const std::map<std::string, std::string>& renamed() const { return names_; }
  const std::vector<MessageMap>& messages() const { return messages_; }

 private:
  template <class A, class V, class F> static ActorMap map_to(F to_view) {
    ActorMap entry;
    entry.type = hash_text(reflect::full_type_name<A>());
    entry.type_name = reflect::type_name<A>();
    entry.view = &reflect::value_type<V>();
    entry.to_model = [to_view](const void* actor) {
      return AnyValue::of<V>(to_view(*static_cast<const A*>(actor)));
    };
    entry.same = [to_view](const void* actor, const void* view) {
      return reflect::equal(to_view(*static_cast<const A*>(actor)), *static_cast<const V*>(view));
    };
    return entry;
  }
  // Throw UserError where something is said twice.
  void add(ActorMap entry);
  void add(MessageMap entry);

  std::vector<ActorMap> actors_;
  std::vector<MessageMap> messages_;
  std::map<std::string, std::string> names_;  // implementation to model
  TlcEvent tlc_event_;
};

// The map that a scenario's author gave; null: none.
const ConformMap* find_conform_map(std::string_view scenario);

struct RegisterConformMap {
  RegisterConformMap(std::string scenario, void (*body)(ConformMap& map));
};

}  // namespace gainsay

#define GAINSAY_CONFORM(scenario)                                                     \
  static void gainsay_conform_body_##scenario(::gainsay::ConformMap& map);            \
  static const ::gainsay::RegisterConformMap gainsay_conform_registration_##scenario{ \
      #scenario, &gainsay_conform_body_##scenario};                                   \
  static void gainsay_conform_body_##scenario([[maybe_unused]] ::gainsay::ConformMap& map)
