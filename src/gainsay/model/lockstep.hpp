// Lockstep: a model and its implementation take the same event at the same time, and are compared.
//
// Both are worlds with engines of their own. An event of the implementation is found by what it is in the model: its
// envelope, mapped. Compared are the actors (cells that were found equal once are not looked at again; actors that are
// executed in place are looked at after every step), what is pending, and what of it may be next. Used by one thread.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "gainsay/base/rng.hpp"
#include "gainsay/model/conform_plan.hpp"
#include "gainsay/trace/decision.hpp"

namespace gainsay {

// Gives the answers of an edge, and notices where something else is asked.
class EdgeAnswers final : public Asker {
 public:
  void set(const std::vector<DataChoice>& answers) {
    answers_ = &answers;
    asked_ = 0;
    fits_ = true;
  }
  bool fits() const { return fits_ && asked_ == answers_->size(); }
  std::size_t asked() const { return asked_; }

 private:
  std::uint32_t answer_to(std::uint32_t among, bool) override {
    const std::size_t at = asked_++;
    if (at < answers_->size() && (*answers_)[at].among == among) return (*answers_)[at].answer;
    fits_ = false;
    return 0;
  }

  const std::vector<DataChoice>* answers_ = nullptr;
  std::size_t asked_ = 0;
  bool fits_ = true;
};

// Both worlds as they are now; of a model without actors only one.
struct ConformWorlds {
  WorldState model;
  WorldState implementation;
};

// Goes along a path of the graph and compares. What a model is, its kinds say.
class StepComparer {
 public:
  virtual ~StepComparer() = default;
  // Begins a test in an initial state of the graph. Gives false, as `step` does, where a difference is found.
  virtual bool begin(GraphNode start) = 0;
  // Takes one step of the graph.
  virtual bool step(GraphEdge edge, GraphNode to) = 0;
  const ConformDifference& difference() const { return difference_; }

  const ConformWorlds& worlds() const { return worlds_; }
  // Goes back to where it was. REQUIRES: value actors.
  virtual void put_back(const ConformWorlds& worlds) = 0;
  // Names the implementation's whole state. REQUIRES: value actors.
  std::uint64_t fingerprint() { return implementation_.hash.of(worlds_.implementation); }

  // Whether decisions are kept, for a trace of the implementation.
  void record(bool on) { recording_ = on; }
  const std::vector<Decision>& decisions() const { return decisions_; }

 protected:
  explicit StepComparer(const ConformPlan& plan) : plan_(plan), implementation_(plan.implementation()) {}
  using Kind = ConformDifference::Kind;
  bool fail(Kind kind, std::string actor, std::string field, std::string expected, std::string got);
  // The implementation takes an event; false: it failed, or asked for something else.
  bool execute(const Alternative& alternative, const std::vector<DataChoice>& answers,
               const std::string& actor);

  const ConformPlan& plan_;
  Engine implementation_;
  ConformWorlds worlds_;
  EdgeAnswers answers_;
  StepResult result_;
  std::vector<Decision> decisions_;

 private:
  ConformDifference difference_;
  bool recording_ = false;
};

std::unique_ptr<StepComparer> make_comparer(const ConformPlan& plan);

class Lockstep final : public StepComparer {
 public:
  explicit Lockstep(const ConformPlan& plan);

  bool begin(GraphNode start) override;
  bool step(GraphEdge edge, GraphNode to) override;
  void put_back(const ConformWorlds& worlds) override {
    worlds_ = worlds;
    last_.assign(last_.size(), 0);
  }
  // Takes some event that may be next in the model, faults apart, without a graph; false also where there is none.
  bool step_at_random(Rng& rng);
  // The last one, in words; empty: there was none.
  const std::string& random_event() const { return random_event_; }

  // --- for `local`
  Engine& model() { return model_; }
  Engine& implementation() { return implementation_; }
  // What an envelope of the implementation is in the model.
  EnvelopeId to_model(EnvelopeId implementation);
  // The fields of an actor that differ; empty: equal.
  std::vector<Difference> compare(std::size_t pair, CellId model, const void* implementation);
  bool same(std::size_t pair, CellId model, CellId implementation);
  std::string envelope_text(EnvelopeId model) const;

 private:
  bool take(std::uint32_t event, const GraphEvent& what);
  std::optional<Alternative> model_alternative(std::uint32_t event, const GraphEvent& what);
  std::optional<Alternative> model_fault(const GraphEvent& what);
  std::optional<Alternative> implementation_alternative(const Alternative& model);
  bool compare_actors();
  bool compare_pending();
  bool explain_pending();
  void check_graph(GraphNode node);
  const void* view_of(std::size_t pair, CellId model);
  std::uint64_t mapped_hash(EnvelopeId implementation);
  std::string model_name(Slot slot) const { return plan_.model().actors[slot].name; }
  [[noreturn]] void outdated(const std::string& what) const;

  Engine model_;
  std::optional<ConformWorlds> first_;       // where worlds can be copied
  std::vector<EnvelopeId> event_envelopes_;  // by event of the graph: the model's; 0: not met yet
  std::vector<EnvelopeId> mapped_;           // by envelope of the implementation; 0: not met yet
  std::vector<std::uint64_t> hashes_;        // the same: the hash of what it is in the model
  std::vector<std::uint64_t> last_;          // by pair: cells that were compared last
  std::vector<boost::unordered_flat_set<std::uint64_t>> equal_;  // by pair: cells that are equal
  std::vector<boost::unordered_flat_map<CellId, std::unique_ptr<AnyValue>>> views_;
  Alternatives alternatives_;
  std::string random_event_;
};

}  // namespace gainsay
