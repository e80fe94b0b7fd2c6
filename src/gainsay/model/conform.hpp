// conform: does an implementation do what its model does? Every edge of the model's state graph is tried.
//
// Model and implementation take the same event at the same time, and after each step all actors are compared (by the
// map of conform_map.hpp), what was sent, and which events may be next: what the model sends and the implementation
// does not, and what the implementation sends or accepts and the model does not, are differences too. Three ways:
//  - walk executes the tests of a suite one by one; any actors;
//  - tree executes every edge once, depth first along shortest paths, going back by snapshots; value actors;
//  - local executes every local step once (an actor's state and the event it takes), and looks all edges up; value
//    actors that only change and send. What a local step comes to does not depend on the rest of the world, so
//    nothing is lost.
// All say the same where the implementation's state follows from the model's. Where it does not (counters that are not
// compared, history), tree goes on from every state that it finds, local hands over to tree, and walk sees what its
// tests show. A difference is shown on a shortest path of the graph that has it, and the path is executed again.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/model/conform_map.hpp"
#include "gainsay/model/state_graph.hpp"
#include "gainsay/model/suite.hpp"
#include "gainsay/scenario/registry.hpp"
#include "gainsay/trace/document.hpp"

namespace gainsay {

enum class ConformWay : std::uint8_t { walk, tree, local };
std::string_view way_name(ConformWay way);

// What the traces of differences say is violated.
inline constexpr std::string_view conformance_property = "conformance";

struct ConformDifference {
  enum class Kind : std::uint8_t {
    state,           // a field differs
    missing_effect,  // the model sends it, the implementation does not
    extra_effect,    // the other way round
    refused,         // pending on both sides; the model may take it now, the implementation does not
    accepted,        // the other way round
    question,        // the handlers do not ask the same
    failure,         // the implementation's handler failed
  };
  Kind kind = Kind::state;
  std::optional<std::uint64_t> test{};  // walk: the number of the test that showed it, from 0
  std::size_t test_step = 0;            // and its step, from 1
  TestPath path;                        // its last step shows the difference; no steps: the first state does
  bool shortest = true;                 // no shorter path leads over its last edge
  std::string event;                    // of that step, in words
  std::string actor;
  std::string field;     // of a state, "log[2].view"; else empty
  std::string expected;  // by the model
  std::string got;
  TraceDocument trace;  // of the implementation, on the path

  // One line.
  std::string text() const;
};
std::string_view kind_name(ConformDifference::Kind kind);

struct ConformProgress {
  std::atomic<std::uint64_t> tests{0};
  std::atomic<std::uint64_t> steps{0};
  std::atomic<std::uint64_t> edges{0};  // tree and local: looked at so far
  std::atomic<std::uint64_t> differences{0};
};

struct ConformOptions {
  ConformWay way = ConformWay::walk;
  unsigned jobs = 1;
  std::size_t differences_max = 1;  // different ones: another actor, event or field
  ConformProgress* progress = nullptr;
  const std::atomic<bool>* stop = nullptr;
};

// What is compared with what. All of it outlives the call.
struct ConformSubject {
  const StateGraph& graph;
  const Suite* suite = nullptr;     // walk needs one
  const Scenario* model = nullptr;  // the scenario that the graph is of; null: of TLC
  const Scenario& implementation;
  OptionTexts options{};
  const ConformMap* map = nullptr;  // null: nothing is renamed, all types are the model's
};

struct ConformResult {
  ConformWay way = ConformWay::walk;  // that was gone
  std::string instead;                // why, if another one was asked for
  std::uint64_t tests = 0;
  std::uint64_t steps = 0;        // of the implementation, by handlers or from the memo
  std::uint64_t edges = 0;        // of the graph that were compared
  std::uint64_t local_steps = 0;  // local: different ones
  std::uint64_t more_states = 0;  // tree: where the model has one state and the implementation several
  std::vector<ConformDifference> differences;  // shortest paths first
  std::string incomplete_because;              // empty: everything was compared
  double elapsed_s = 0;

  int exit_code() const { return !differences.empty() ? 1 : incomplete_because.empty() ? 0 : 3; }
};

// Throws UserError, in one line, where the two do not fit together.
ConformResult conform(const ConformSubject& subject, const ConformOptions& options);
// For models whose graph is too large: random walks of the model, in which the implementation takes part. The shortest
// difference of each kind is kept; it has no path. `subject.graph` has only the model's name and options.
struct ConformWalks {
  std::uint64_t walks = 1;
  std::uint64_t seed = 1;
  std::uint64_t steps_max = 1000;
};
ConformResult conform_at_random(const ConformSubject& subject, const ConformWalks& walks,
                                const ConformOptions& options);
// The difference that one path shows, if it does.
std::optional<ConformDifference> conform_path(const ConformSubject& subject, const TestPath& path);

}  // namespace gainsay
