// SteerSession: an execution that a person makes, step by step.
//
// It is a list of decisions. After every change it is executed anew, live, from the beginning to the end of the list;
// so undoing is cutting the list, and what is shown is always what a replay would do. What was cut stays at hand until
// something else is chosen (`jump` forward). Questions of handlers that nobody has answered yet get 0, and can be
// answered otherwise afterwards. Liveness is not judged here.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/report/trace_page.hpp"
#include "gainsay/scenario/blueprint.hpp"
#include "gainsay/scenario/registry.hpp"
#include "gainsay/strategy/strategy.hpp"
#include "gainsay/trace/decision.hpp"

namespace gainsay::tools {

// An event that a path of a state graph goes through, as the graph describes it.
struct DescribedEvent {
  EventKind kind = EventKind::deliver;
  std::string to;
  std::string from;
  std::string message;
  std::vector<DataChoice> answers;
};

class SteerSession {
 public:
  SteerSession(const Scenario& scenario, const OptionTexts& options, std::size_t steps_max);

  // --- where it begins ---
  // All steps of a trace are at hand; the session stands after the first `steps` of them.
  void follow(const TraceDocument& document, std::size_t steps);
  // Takes these events, one after the other. Throws UserError where one is not possible.
  void walk(const std::vector<DescribedEvent>& path);

  // --- what a person does; each throws UserError where it is not possible ---
  void take(std::size_t index);  // of `possible()`
  void take(const std::string& id, const std::string& kind);
  // Another answer to a question of a step; what came after the step goes away.
  void answer(std::size_t step, std::size_t question, std::uint32_t value);
  void jump(std::size_t steps);  // to after so many steps, back or forward
  void undo();
  // A strategy chooses, at most so many steps or to the end.
  void go_on(const std::string& strategy, std::uint64_t seed, std::size_t steps);
  // Those that can: walks, for which an execution may as well begin here. Searches, `hitting` and `nemesis` plan whole
  // executions, and a portfolio is one of several.
  static std::vector<std::string> strategies();

  // --- what there is ---
  std::size_t steps() const { return shown_.document.steps.size(); }
  std::size_t at_hand() const { return decisions_.size(); }  // with what was cut
  const std::vector<TraceSight::Offer>& possible() const { return possible_; }
  bool ended() const { return ended_; }
  const SeenTrace& shown() const { return shown_; }
  // The execution so far, such that `replay` follows it.
  TraceDocument document() const;

 private:
  void execute(Strategy* further, std::size_t further_steps);
  void cut_here();
  void scout_from_here(Strategy& walk, RunInfo info);

  Blueprint blueprint_;
  RunHeader header_;
  std::size_t steps_max_;
  std::vector<Decision> decisions_;
  std::size_t length_ = 0;  // so many of them are executed
  SeenTrace shown_;
  std::vector<TraceSight::Offer> possible_;
  bool ended_ = false;
};

}  // namespace gainsay::tools
