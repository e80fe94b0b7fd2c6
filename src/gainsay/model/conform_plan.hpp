// ConformPlan: what conformance tests know before the first step: which actors and messages correspond.
//
// Everything that a user can get wrong is found here: a graph of another scenario, an actor or a message that the map
// does not know, worlds that cannot be compared. Made once, read by all workers.
#pragma once

#include <memory>
#include <vector>

#include "gainsay/execution/world/engine.hpp"
#include "gainsay/model/conform.hpp"

namespace gainsay {

class ConformPlan {
 public:
  // Throws UserError where model and implementation do not fit together.
  explicit ConformPlan(const ConformSubject& subject);

  // An actor of both.
  struct Pair {
    Slot model = 0;
    Slot implementation = 0;
    const ActorMap* map = nullptr;
  };

  const ConformSubject& subject() const { return subject_; }
  const StateGraph& graph() const { return subject_.graph; }
  const Blueprint& model() const { return model_; }
  const Blueprint& implementation() const { return implementation_; }
  const std::vector<Pair>& pairs() const { return pairs_; }
  // By slot of the implementation; no_slot: the model has no such actor.
  Slot model_slot(Slot implementation) const {
    return implementation < model_slots_.size() ? model_slots_[implementation] : Directory::no_slot;
  }
  // The message as the model knows it.
  AnyValue to_model(const ValueType& type, const void* message) const;
  bool of_tlc() const { return subject_.model == nullptr; }
  bool value_actors() const { return !implementation_.has_opaque(); }
  // The column of the graph that an event concerns; no_column: none, or several.
  static constexpr std::uint32_t no_column = 0xffffffffU;
  std::uint32_t column_of(std::uint32_t event) const { return event_columns_[event]; }
  std::size_t pair_of_column(std::size_t column) const { return column_pairs_[column]; }

 private:
  void pair_actors();
  void pair_with_tlc();
  void check_messages() const;
  void check_worlds() const;
  void find_columns();

  ConformSubject subject_;
  Blueprint model_;
  Blueprint implementation_;
  std::vector<Pair> pairs_;
  std::vector<Slot> model_slots_;
  std::vector<std::unique_ptr<ActorMap>> identities_;  // of actor types that both have in common
  std::vector<std::uint32_t> event_columns_;
  std::vector<std::size_t> column_pairs_;
};

}  // namespace gainsay
